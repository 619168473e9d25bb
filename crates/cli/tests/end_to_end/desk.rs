//! A repository with one commit, and a person in front of it.

use std::fmt::Write as _;

use proctor_testkit::{Repository, TestEnvironment};

/// A person's own repository; no runs.
pub(crate) struct Desk {
    pub(crate) environment: TestEnvironment,
    pub(crate) repository: Repository,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self::empty();
        desk.repository.write("README.md", numbered("line", 10));
        desk.repository.commit_all("A desk");
        desk
    }

    /// Without any commit.
    pub(crate) fn empty() -> Self {
        let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        let repository = environment.init_repository();
        Self {
            environment,
            repository,
        }
    }
}

/// Lines of which no two are the same.
pub(crate) fn numbered(word: &str, count: usize) -> String {
    (1..=count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{word} = {number}");
        text
    })
}
