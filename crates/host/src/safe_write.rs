//! Carrying out a write that was agreed to, with its trail.
//!
//! The order is what makes it safe: what would be replaced is kept under a ref, the intention is in the
//! trail, and only then does the file change.

use proctor_core::safe_write::{Act, AuditRecord, Proposal};
use thiserror::Error;

use crate::crash_point::crash_point;
use crate::files::{FileError, Root};
use crate::git::{GitError, Repository};
use crate::journal::{Journal, JournalError, RunId};

/// The kind of the trail's records about writes.
pub const WRITE_RECORD: &str = "write";

/// Why a write did not happen, or is not certain.
#[derive(Debug, Error)]
pub enum WriteError {
    /// What would be replaced could not be kept; nothing was written.
    #[error(transparent)]
    Rescue(#[from] GitError),
    /// The trail could not be written; neither was the file.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is written, but the trail does not say so.
    #[error("{path} was written, but the audit trail could not be: {source}")]
    Unrecorded {
        /// The file.
        path: String,
        /// What the journal said.
        source: JournalError,
    },
}

/// What a write would replace, kept: there is no write without one.
#[derive(Debug)]
pub struct Rescue {
    /// None where nothing is replaced.
    reference: Option<String>,
}

impl Rescue {
    /// Keeps the content that a proposal would replace.
    pub fn of(proposal: &Proposal, repository: &Repository) -> Result<Self, GitError> {
        let replaced = proposal
            .before
            .as_ref()
            .filter(|_| !proposal.changes_nothing());
        let reference = replaced.map(|before| repository.rescue_content(before));
        Ok(Self {
            reference: reference.transpose()?,
        })
    }
}

/// Where writes happen and are recorded.
pub struct SafeWriter<'a> {
    /// The trail.
    pub journal: &'a mut Journal,
    /// What files are written beneath.
    pub root: &'a Root,
    /// The run that writes, if one does.
    pub run: Option<&'a RunId>,
}

impl SafeWriter<'_> {
    /// Adds a line about a proposal to the trail.
    pub fn record(
        &mut self,
        proposal: &Proposal,
        act: Act,
        actor: &str,
    ) -> Result<(), JournalError> {
        let record = AuditRecord::of(proposal, act);
        self.journal.note(self.run, actor, WRITE_RECORD, &record)
    }

    /// Writes what was proposed, by `proposer` if that is not on record yet; `actor` is who allowed it, `rescue` keeps
    /// what is replaced.
    pub fn write(
        &mut self,
        proposal: &Proposal,
        proposer: Option<&str>,
        actor: &str,
        rescue: &Rescue,
    ) -> Result<(), WriteError> {
        let first = AuditRecord::of(proposal, Act::Proposed);
        let record = |act| AuditRecord {
            act,
            rescue: rescue.reference.clone(),
            ..first.clone()
        };
        // Before the file changes: whatever happens then, the trail knows what was there.
        let approved = record(Act::Approved);
        let mut remarks: Vec<(&str, &AuditRecord)> = Vec::new();
        remarks.extend(proposer.map(|person| (person, &first)));
        remarks.push((actor, &approved));
        self.journal.notes(self.run, WRITE_RECORD, &remarks)?;
        crash_point("write approved");
        let before = proposal.before.as_deref().map(Vec::as_slice);
        let written = self
            .root
            .write_over(&proposal.path, before, &proposal.after);
        let act = match &written {
            Ok(()) => Act::Written,
            Err(FileError::Indeterminate { .. }) => Act::Indeterminate,
            Err(_) => Act::Failed,
        };
        crash_point("file written");
        let noted = self
            .journal
            .note(self.run, actor, WRITE_RECORD, &record(act));
        written?;
        noted.map_err(|source| WriteError::Unrecorded {
            path: proposal.path.to_string(),
            source,
        })
    }
}
