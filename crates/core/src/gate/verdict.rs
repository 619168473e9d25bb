//! What a gate concluded.

use serde::{Deserialize, Serialize};

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
