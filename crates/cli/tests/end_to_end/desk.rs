//! A repository with one commit, and a person in front of it.

use std::fmt::Write as _;

use proctor_testkit::{Repository, Terminal, TestEnvironment};

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

    /// A person's screen, normalised; the caller knows that nothing more is drawn meanwhile.
    pub(crate) fn display(&self, terminal: &mut Terminal) -> String {
        self.environment.normalise(&terminal.display())
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

/// Waits until the whole question is shown; then all output but the signs of waiting, normalised.
#[track_caller]
pub(crate) fn at_question(environment: &TestEnvironment, terminal: &mut Terminal) -> String {
    terminal.expect_display_where("a question is", |display| display.trim_end().ends_with(':'));
    let is_waiting = |line: &&str| line.starts_with(|it| ('\u{2800}'..='\u{28ff}').contains(&it));
    let shown = terminal.screen();
    let lines: Vec<&str> = shown.lines().filter(|line| !is_waiting(line)).collect();
    environment.normalise(&lines.join("\n"))
}

/// Of many added or deleted lines in a row, only the first and the last.
pub(crate) fn folded(shown: &str) -> String {
    let lines: Vec<&str> = shown.lines().collect();
    // Behind its number, where it has one.
    let sign = |line: &str| {
        let rest = line.trim_start_matches(|it: char| it == ' ' || it.is_ascii_digit());
        rest.chars().next().filter(|it| matches!(it, '+' | '-'))
    };
    let same = |one: &&str, other: &&str| sign(one).is_some() && sign(one) == sign(other);
    let runs = lines.chunk_by(same).map(|run| match run {
        [first, _, _, .., last] => format!("{first}\n…\n{last}"),
        few => few.join("\n"),
    });
    runs.collect::<Vec<_>>().join("\n")
}

/// Lines of which no two are the same.
pub(crate) fn numbered(word: &str, count: usize) -> String {
    (1..=count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{word} = {number}");
        text
    })
}
