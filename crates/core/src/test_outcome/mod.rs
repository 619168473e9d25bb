//! What a test runner's exit code and report mean.
//!
//! The host runs the real runner and hands over an [`Observation`]; the functions here conclude a
//! [`Baseline`] or a [`Verdict`] from it. One file per runner knows that runner's report format;
//! the judging rules are shared.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

mod analysis;
mod baseline;
mod cause;
mod configuration;
mod declared;
mod exit_code;
mod feedback;
mod findings;
#[cfg(test)]
mod further_runs_tests;
mod green;
#[cfg(test)]
mod green_tests;
mod junit;
mod observation;
mod pytest;
mod record;
mod red;
#[cfg(test)]
mod red_tests;
mod shadowing;
mod source_flags;
mod stub;
mod summary;
mod test_names;
#[cfg(test)]
mod testing;
mod twins;

pub use analysis::{AnalysedFile, AnalysedTest, Analysis, TwinKind, Weakness};
pub use configuration::held_pyproject;
pub use declared::Declared;
pub use feedback::feedback;
pub use green::{GreenEvidence, is_green_so_far, judge_green};
pub use junit::{JUnit, parse_junit};
pub use observation::Observation;
pub use pytest::{authentic_records, parse_report};
pub use record::{
    CollectionError, Location, Outcome, Phase, Raised, Report, SkippedFile, TestRecord,
};
pub use red::{RedEvidence, RedNeeds, RedRule, judge_red, red_needs};
pub use shadowing::acts_on_runner;
pub use source_flags::{FlagKind, SourceFlag};
pub use stub::{stub_module, with_stub};
pub use twins::TwinRun;

/// How the runner's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It ended by itself with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// Proctor killed it because its time was up.
    TimedOut,
}

impl Exit {
    /// The code, where the process ended by itself.
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

/// What a gate wants to happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
    /// The gate is passed.
    Accepted,
    /// The work goes back to the model with the reasons.
    Revise,
    /// Neither the model nor Proctor can mend this; a person is asked.
    Escalate,
}

/// One test as a gate saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLine {
    /// The runner's own id of the test.
    pub id: String,
    /// `passed`, `failed`, `error`, `skipped`, `xfailed`, `xpassed`, `not_run`.
    pub outcome: String,
    /// Why the gate counts it as it does, in one phrase; empty for an ordinary pass.
    pub reason: String,
}

/// One reason for a verdict, specific enough for the model to act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Stable name of the rule, such as `syntax_error`, `nothing_fails`, `baseline_broken`.
    pub rule: String,
    /// The test or file it is about, if it is about one.
    pub test: Option<String>,
    /// One sentence: what was seen and what is asked for instead.
    pub message: String,
}

/// What a gate concluded, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What happens next.
    pub disposition: Disposition,
    /// The runner's exit code, if it ended by itself.
    pub exit_code: Option<i32>,
    /// The tests that the verdict rests on: new ones first, then baseline tests that changed.
    pub tests: Vec<TestLine>,
    /// Why it was not accepted; empty when it was.
    pub reasons: Vec<Reason>,
    /// What was looked into beyond the suite itself, and found right.
    #[serde(default)]
    pub checks: Vec<String>,
    /// Doubts and remarks that a person should see at review.
    pub notes: Vec<String>,
}

/// The suite at the base commit, before anything was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Ids that passed; they have to pass at green as well.
    pub passed: BTreeSet<String>,
    /// Ids that were there but did not pass; remembered, and do not block.
    pub not_passed: BTreeSet<String>,
    /// Files that could not be collected.
    pub uncollectable: BTreeSet<String>,
    /// Plugins of the runner that its environment brought: the only ones that are loaded later.
    #[serde(default)]
    pub plugins: Vec<String>,
    /// Parts of the runner that the project changes already.
    #[serde(default)]
    pub tampered: BTreeSet<String>,
    /// Whether the JUnit report tells another story already, or there is none.
    #[serde(default)]
    pub without_junit: bool,
}
