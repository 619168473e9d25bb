//! The meaning of pytest's exit codes. Their consequence where there is no better evidence is decided by
//! [`exit_code_router`](crate::gate::exit_code_router).

use crate::test_outcome::{Exit, ExitMeaning};

/// The meaning of pytest's exit code.
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
