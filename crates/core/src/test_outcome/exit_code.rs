//! What pytest's exit codes mean, in words. Where they lead when there is nothing better to go by is
//! decided by [`exit_code_router`](crate::workflow::exit_code_router).

use super::{Exit, Reason};

/// What a pytest exit code means, in words.
pub(super) fn meaning(exit_code: i32) -> &'static str {
    match exit_code {
        0 => "all tests passed",
        1 => "some tests failed",
        2 => "the run was interrupted or collection failed",
        3 => "an internal error of the runner",
        4 => "the runner could not start: wrong usage, or an error in conftest.py",
        5 => "no tests were collected",
        _ => "a code the runner does not document",
    }
}

/// The reason for a run that gave no readable report.
pub(super) fn reason_without_report(exit: Exit, problem: &str) -> Reason {
    let (rule, message) = match exit {
        Exit::TimedOut => (
            "timeout",
            format!("the tests did not end within their time and were killed ({problem})"),
        ),
        Exit::Signal(signal) => (
            "killed",
            format!("the test run was killed by signal {signal} ({problem})"),
        ),
        Exit::Code(0) => (
            "no_report",
            format!(
                "the runner exited with 0 but its records are not usable: {problem}; nothing may \
                 end the process before the runner does"
            ),
        ),
        Exit::Code(code) => (
            match code {
                4 => "usage_error",
                5 => "nothing_collected",
                _ => "no_report",
            },
            format!(
                "the runner exited with {code} ({}): {problem}",
                meaning(code)
            ),
        ),
    };
    Reason {
        rule: rule.to_owned(),
        test: None,
        message,
    }
}
