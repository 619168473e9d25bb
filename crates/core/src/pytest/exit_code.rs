//! What pytest's exit codes mean. Where they lead when there is nothing better to go by is decided by
//! [`exit_code_router`](crate::gate::exit_code_router).

use crate::test_outcome::ExitMeaning;

/// What a code of pytest's says.
pub fn exit_meaning(exit_code: i32) -> ExitMeaning {
    match exit_code {
        0 => ExitMeaning::Passed,
        1 => ExitMeaning::Failed,
        2 => ExitMeaning::Interrupted,
        3 => ExitMeaning::InternalError,
        4 => ExitMeaning::UsageError,
        5 => ExitMeaning::NothingCollected,
        _ => ExitMeaning::Unknown,
    }
}

/// The same in words.
pub(crate) fn exit_words(exit_code: i32) -> &'static str {
    match exit_meaning(exit_code) {
        ExitMeaning::Passed => "all tests passed",
        ExitMeaning::Failed => "some tests failed",
        ExitMeaning::Interrupted => "the run was interrupted or collection failed",
        ExitMeaning::InternalError => "an internal error of the runner",
        ExitMeaning::UsageError => {
            "the runner could not start: wrong usage, or an error in conftest.py"
        }
        ExitMeaning::NothingCollected => "no tests were collected",
        ExitMeaning::Unknown => "a code the runner does not document",
    }
}
