//! The audit trail's record of a write.

use serde::{Deserialize, Serialize};

use super::Proposal;

/// The fate of a proposed write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// It was proposed and needs no consent, or the user is asked now.
    Proposed,
    /// Consent was impossible, or `--auto` may not give it: nothing was written.
    Blocked,
    /// A person, or `--auto --force`, agreed.
    Approved,
    /// A person did not agree.
    Declined,
    /// The content is in place.
    Written,
    /// The content is in place, but the disk did not confirm it.
    Indeterminate,
    /// The system refused; the file is as it was.
    Failed,
}

/// A line of the trail: person and time are the trail's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The fate of the write.
    pub act: Act,
    /// The file's path.
    pub path: String,
    /// How: the word for a strategy, or `edit`.
    pub strategy: String,
    /// The number of lines before.
    pub existing_lines: usize,
    /// The number of lines after.
    pub new_lines: usize,
    /// Digest of the content before; none for a new file.
    pub sha256_before: Option<String>,
    /// Digest of the content after.
    pub sha256_after: String,
    /// The reference that keeps the content before, if it was replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescue: Option<String>,
}

impl AuditRecord {
    /// The record of a proposal's fate.
    pub fn of(proposal: &Proposal, act: Act) -> Self {
        Self {
            act,
            path: proposal.path.to_string(),
            strategy: proposal.way.key().to_owned(),
            existing_lines: proposal.existing_lines(),
            new_lines: proposal.new_lines(),
            sha256_before: proposal.sha256_before(),
            sha256_after: proposal.sha256_after(),
            rescue: None,
        }
    }
}
