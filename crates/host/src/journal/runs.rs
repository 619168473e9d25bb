//! The journal's data about a run.

use std::path::PathBuf;

use proctor_core::workflow::{Run, Started};
use serde::Serialize;

/// `ISSUE-xxxxxx`: the issue, then six random characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunId(pub(super) String);

impl RunId {
    /// A new id for an issue; `random` is used for its last six characters.
    pub fn new(issue: &str, random: [u8; 6]) -> Self {
        const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let tail: String = random
            .iter()
            .map(|byte| char::from(DIGITS[usize::from(byte % 32)]))
            .collect();
        Self(format!("{issue}-{tail}"))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A run's registration.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Its id.
    pub id: RunId,
    /// Its branch.
    pub branch: String,
    /// Where its worktree goes.
    pub worktree: PathBuf,
    /// Issue, base, flags.
    pub started: Started,
    /// The driver's data for continuing after a crash, as JSON; opaque here.
    pub inputs: String,
}

/// A registered run.
#[derive(Debug, Clone)]
pub struct RunRow {
    /// Its id.
    pub id: RunId,
    /// Its branch.
    pub branch: String,
    /// Where its worktree is.
    pub worktree: PathBuf,
    /// When it was started.
    pub created_at: String,
    /// As given when it was registered.
    pub inputs: String,
    /// The run as its events made it.
    pub run: Run,
}
