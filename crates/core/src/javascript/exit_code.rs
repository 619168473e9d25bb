//! The meaning of the runners' exit codes: little, because they have one code for every failure.

use crate::test_outcome::{Exit, ExitMeaning};

/// The meaning of a runner's exit code. Without a report the code alone says no more than that the runner could not
/// start.
pub fn exit_meaning(exit: Exit, has_report: bool) -> ExitMeaning {
    match (exit, has_report) {
        (Exit::Code(0), _) => ExitMeaning::Passed,
        (Exit::Code(1), true) => ExitMeaning::Failed,
        (Exit::Code(_), false) => ExitMeaning::UsageError,
        _ => ExitMeaning::Unknown,
    }
}
