//! How a runner's process ended, and the meaning of that.

use serde::{Deserialize, Serialize};

/// How the runner's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// Proctor killed it because its time was up.
    TimedOut,
}

impl Exit {
    /// The code, where the process exited.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) | Self::TimedOut => None,
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "it ended with code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal} ended it"),
            Self::TimedOut => formatter.write_str("its time was up"),
        }
    }
}

/// The meaning of a runner's exit code, in one vocabulary for every runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitMeaning {
    /// Every test that was run passed.
    Passed,
    /// Some tests failed.
    Failed,
    /// The run was broken off, or tests could not be collected.
    Interrupted,
    /// The runner itself failed.
    InternalError,
    /// The runner could not start.
    UsageError,
    /// There was nothing to run.
    NothingCollected,
    /// The runner has no such code, so it comes from the code that was run.
    Unknown,
}

impl ExitMeaning {
    /// The same in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Passed => "all tests passed",
            Self::Failed => "some tests failed",
            Self::Interrupted => "the run was interrupted or collection failed",
            Self::InternalError => "an internal error of the runner",
            Self::UsageError => {
                "the runner could not start: wrong usage, or an error in its configuration"
            }
            Self::NothingCollected => "no tests were collected",
            Self::Unknown => "a code the runner does not document",
        }
    }
}
