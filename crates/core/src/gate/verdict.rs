//! A gate's conclusion.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Check, CheckOutcome, Rule, Verified};
use crate::mutants::MutantReport;
use crate::test_outcome::Ending;

/// The next step after a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
    /// The gate is passed.
    Accepted,
    /// The work goes back to the model with the reasons.
    Revise,
    /// The change fails for a reason that lies in its tests: they go back to their author.
    Reopen,
    /// Neither the model nor Proctor can fix this; a person is asked.
    Escalate,
}

/// One test as a gate saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLine {
    /// The runner's own id of the test.
    pub id: String,
    /// How it ended.
    pub outcome: Ending,
    /// How it ended at the base commit; none where the base does not have it.
    #[serde(default)]
    pub base_outcome: Option<Ending>,
    /// Why the gate counts it as it does, in one phrase; empty for an ordinary pass.
    pub reason: String,
}

/// One reason for a verdict, specific enough for the model to act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The rule that refuses.
    pub rule: Rule,
    /// The test or file it is about, if it is about one.
    pub test: Option<String>,
    /// The file it is about, if it is about one.
    #[serde(default)]
    pub path: Option<String>,
    /// The line in it, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// One sentence: the observation, for people too.
    pub message: String,
    /// The instruction about it, for the model alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
}

impl Reason {
    /// The observation and the instruction.
    pub(super) fn for_model(&self) -> String {
        match &self.order {
            Some(order) => format!("{}; {order}", self.message),
            None => self.message.clone(),
        }
    }
}

/// A gate's conclusion, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Visible in this module alone, so that only its rules conclude one.
    pub(super) disposition: Disposition,
    /// The runner's exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The tests that the verdict rests on: new ones first, then baseline tests that changed.
    pub tests: Vec<TestLine>,
    /// Why it was not accepted; empty when it was.
    pub reasons: Vec<Reason>,
    /// The checks beyond the suite itself, and their outcomes.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Uncertainties and remarks that a person should see at review.
    pub notes: Vec<String>,
    /// Tests that did not end within their limit and were stopped: they failed.
    #[serde(default)]
    pub stopped: BTreeSet<String>,
    /// How many of the new tests that pass were shown to be able to fail.
    #[serde(default)]
    pub verified: Verified,
    /// The mutants' result for the tests, where some were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<MutantReport>,
}

impl Verdict {
    /// The next step.
    pub fn disposition(&self) -> Disposition {
        self.disposition
    }

    /// Whether the gate is passed.
    pub fn is_accepted(&self) -> bool {
        self.disposition == Disposition::Accepted
    }

    /// The checks that were made, whether or not they gave an answer.
    pub fn checks_made(&self) -> impl Iterator<Item = &Check> {
        let checks = self.checks.iter();
        checks.filter(|check| check.outcome != CheckOutcome::NotApplicable)
    }

    /// The ids of tests that passed.
    pub fn passed(&self) -> BTreeSet<String> {
        self.ids(|ending| ending == Ending::Passed)
    }

    /// The ids of tests that failed, and of files that could not be loaded.
    pub fn failed(&self) -> BTreeSet<String> {
        self.ids(|ending| matches!(ending, Ending::Failed | Ending::Error))
    }

    fn ids(&self, wanted: impl Fn(Ending) -> bool) -> BTreeSet<String> {
        let tests = self.tests.iter().filter(|test| wanted(test.outcome));
        tests.map(|test| test.id.clone()).collect()
    }
}
