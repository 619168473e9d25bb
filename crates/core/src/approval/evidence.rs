//! The facts known when a tree was approved, without anything that another machine could not reproduce: no times, no
//! paths of this machine, no names of runs.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::gate::{CheckName, CheckOutcome, Verdict, VerdictWord};
use crate::object_id::{CommitId, TreeId};
use crate::safe_write::sha256;
use crate::test_outcome::{Ending, SandboxLevel};

/// Its name beside a statement.
pub const EVIDENCE_FILE: &str = "evidence.json";

/// Why bytes cannot be read as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnreadableEvidence(String);

/// The facts about a tree on a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The commit that the tree was judged against.
    pub base: Option<CommitId>,
    /// The judged tree.
    pub tree: TreeId,
    /// What the red gate found, if it ran.
    pub red: Option<GateEvidence>,
    /// What the green gate found, if it ran.
    pub green: Option<GateEvidence>,
    /// The linter's result, in one word, if one ran.
    pub lint: Option<String>,
}

/// What one gate found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateEvidence {
    /// The verdict's name.
    pub verdict: VerdictWord,
    /// The tests that it rests on.
    pub tests: Vec<TestEvidence>,
    /// The checks made beyond the suite.
    pub checks: Vec<CheckEvidence>,
    /// The sandbox that confined the tests.
    pub sandbox: Option<SandboxLevel>,
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestEvidence {
    /// The runner's own id of it.
    pub id: String,
    /// How it ended.
    pub outcome: Ending,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvidence {
    /// The check's name.
    pub name: CheckName,
    /// Its result.
    pub outcome: CheckOutcome,
}

impl GateEvidence {
    /// The evidence that a verdict leaves behind.
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

    /// The digest that identifies the document.
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
