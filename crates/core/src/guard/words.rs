//! The messages for an agent.

use super::session::{SealedFile, Session, Stage};
use crate::path::is_installed;

/// The rules, in five lines, and where the change is.
pub fn rules(session: &Session) -> String {
    let stage = session.stage();
    let now = match stage {
        Stage::Off => "A person has switched the guard off in this checkout: nothing is refused, nothing is judged.".to_owned(),
        stage => format!("Now: {}.", stage.as_str()),
    };
    format!(
        "Proctor guards this repository. {now}\n\
         1. Write failing tests first. The first source edit has them judged; if they are a valid red they are sealed and the edit goes on.\n\
         2. Sealed test files, proctor.toml and hook settings are not to be changed, by no tool and no shell command.\n\
         3. At the end everything that differs is judged by its kind; what is wrong comes back as instructions. `proctor gate change` says the same at any time.\n\
         4. Documents are free. A refactoring that existing tests execute begins with `proctor guard refactor`. Removing tests needs a person.\n\
         5. Commit only what was accepted. Approving, reopening and switching off are a person's, in a terminal of their own."
    )
}

/// How drifted files get back.
pub(super) fn restore(files: &[SealedFile]) -> String {
    let line = |file: &SealedFile| format!("  git cat-file blob {} > '{}'\n", file.blob, file.path);
    let lines: String = files.iter().map(line).collect();
    format!(
        "sealed tests are not as they were judged; put them back:\n{lines}nothing else goes on until then; if the \
         tests have to change, ask a person for `proctor guard reopen`"
    )
}

pub(super) const TESTS_FIRST: &str = "no source before a failing test";

pub(super) const HOW_TO_BEGIN: &str = "write tests that fail because the code is missing or wrong, then make this edit again; \
     for a change that existing tests already execute and that adds no behaviour, run `proctor guard refactor` first";

pub(super) fn sealed(path: &str) -> String {
    format!(
        "{path} is sealed: its tests were judged and the source is written for them; make the source pass instead. \
         Further tests go into another file. If a sealed test is wrong, ask a person for `proctor guard reopen`"
    )
}

pub(super) fn machinery(path: &str) -> String {
    if is_installed(path) {
        return format!(
            "{path} belongs to an installed package, and the tests run on it; install another version instead of editing it"
        );
    }
    format!(
        "{path} says how the work is judged, or belongs to the guard; a person changes it, not an agent"
    )
}

pub(super) const AROUND_HOOKS: &str =
    "this goes around the hooks that judge what is committed; commit without it";

pub(super) const PERSONS: &str = "only a person decides that, in a terminal of their own; go on with the work, or end and say what you need";

pub(super) const PERSON_NEEDED: &str =
    "a person has to decide about this change: `proctor review` in a terminal of their own";

pub(super) const LET_GO: &str =
    "Proctor sent this work back three times and it is still not accepted; a person is needed";

pub(super) const SETTINGS_GONE: &str = "the hooks of Proctor's guard are missing from the changed settings; they stay as they were. `proctor guard uninstall` is a person's way";
