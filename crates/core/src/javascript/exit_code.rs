//! What the runners' exit codes mean: little, because they have one code for everything that goes wrong.

use crate::test_outcome::{Exit, ExitMeaning};

/// What a runner says with its exit. Without a report the code alone says no more than that the runner could not start.
pub fn exit_meaning(exit: Exit, has_report: bool) -> ExitMeaning {
    match (exit, has_report) {
        (Exit::Code(0), _) => ExitMeaning::Passed,
        (Exit::Code(1), true) => ExitMeaning::Failed,
        (Exit::Code(_), false) => ExitMeaning::UsageError,
        _ => ExitMeaning::Unknown,
    }
}
