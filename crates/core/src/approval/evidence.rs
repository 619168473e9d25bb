//! What was known when a tree was approved, without anything that another machine could not find out again: no times, no
//! paths of this machine, no names of runs.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::gate::{CheckName, CheckOutcome, Verdict, VerdictWord};
use crate::object_id::{CommitId, TreeId};
use crate::safe_write::sha256;
use crate::test_outcome::{Ending, SandboxLevel};

/// Its name beside a statement.
pub const EVIDENCE_FILE: &str = "evidence.json";

/// Why bytes are no evidence of ours.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnreadableEvidence(String);

/// What is known about a tree on a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The commit that the tree was judged against.
    pub base: Option<CommitId>,
    /// The tree.
    pub tree: TreeId,
    /// What the red gate found, if it ran.
    pub red: Option<GateEvidence>,
    /// What the green gate found, if it ran.
    pub green: Option<GateEvidence>,
    /// What the linter said, in one word, if one ran.
    pub lint: Option<String>,
}

/// What one gate found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateEvidence {
    /// What the verdict is called.
    pub verdict: VerdictWord,
    /// The tests that it rests on.
    pub tests: Vec<TestEvidence>,
    /// What was looked into beyond the suite.
    pub checks: Vec<CheckEvidence>,
    /// What the tests were confined with.
    pub sandbox: Option<SandboxLevel>,
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestEvidence {
    /// The runner's own id of it.
    pub id: String,
    /// How it ended.
    pub outcome: Ending,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvidence {
    /// Which.
    pub name: CheckName,
    /// What came of it.
    pub outcome: CheckOutcome,
}

impl GateEvidence {
    /// What a verdict leaves of itself.
    pub fn of(word: VerdictWord, verdict: &Verdict, sandbox: Option<SandboxLevel>) -> Self {
        let mut tests: Vec<TestEvidence> = verdict
            .tests
            .iter()
            .map(|test| TestEvidence {
                id: test.id.clone(),
                outcome: test.outcome,
            })
            .collect();
        // Runners do not all promise an order.
        tests.sort_by(|one, other| one.id.cmp(&other.id));
        let checks = verdict.checks.iter().map(|check| CheckEvidence {
            name: check.name,
            outcome: check.outcome,
        });
        Self {
            verdict: word,
            tests,
            checks: checks.collect(),
            sandbox,
        }
    }
}

impl Evidence {
    /// The document. The same evidence always gives the same bytes.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain values can be written");
        text.push('\n');
        text
    }

    /// What names the document.
    pub fn digest(&self) -> String {
        sha256(self.to_text().as_bytes())
    }

    /// Reads a document.
    pub fn parse(bytes: &[u8]) -> Result<Self, UnreadableEvidence> {
        serde_json::from_slice(bytes).map_err(|error| UnreadableEvidence(error.to_string()))
    }

    /// The last verdict that it claims.
    pub fn claim(&self) -> Option<VerdictWord> {
        let last = self.green.as_ref().or(self.red.as_ref());
        last.map(|gate| gate.verdict)
    }
}
