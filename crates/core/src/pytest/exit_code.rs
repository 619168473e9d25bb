//! What pytest's exit codes mean. Where they lead when there is nothing better to go by is decided by
//! [`exit_code_router`](crate::gate::exit_code_router).

use crate::test_outcome::{Exit, ExitMeaning};

/// What pytest says with its exit.
pub fn exit_meaning(exit: Exit) -> ExitMeaning {
    let Exit::Code(code) = exit else {
        return ExitMeaning::Unknown;
    };
    match code {
        0 => ExitMeaning::Passed,
        1 => ExitMeaning::Failed,
        2 => ExitMeaning::Interrupted,
        3 => ExitMeaning::InternalError,
        4 => ExitMeaning::UsageError,
        5 => ExitMeaning::NothingCollected,
        _ => ExitMeaning::Unknown,
    }
}
