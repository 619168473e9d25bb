//! A write that was agreed to, with its trail.

use proctor_core::safe_write::{Act, AuditRecord, Proposal};

use super::WriteError;
use crate::crash_point::crash_point;
use crate::files::{FileError, Root};
use crate::git::{GitError, Repository};
use crate::journal::{Journal, JournalError, RunId};
use crate::run_data::keep_replaced;

/// The kind of the trail's records about writes.
pub const WRITE_RECORD: &str = "write";

/// The kept copy of a replaced file: there is no write without one.
#[derive(Debug)]
pub(super) struct Rescue {
    /// None where no file is replaced.
    reference: Option<String>,
}

impl Rescue {
    /// Keeps the content that a proposal would replace.
    pub(super) fn of(proposal: &Proposal, repository: &Repository) -> Result<Self, GitError> {
        let replaced = proposal
            .before
            .as_ref()
            .filter(|_| !proposal.changes_nothing());
        let reference = replaced.map(|before| keep_replaced(repository, before));
        Ok(Self {
            reference: reference.transpose()?,
        })
    }
}

/// Adds a line about a proposal to the trail, of a run if one proposed it.
pub fn record(
    journal: &mut Journal,
    run: Option<&RunId>,
    actor: &str,
    record: &AuditRecord,
) -> Result<(), JournalError> {
    journal.note(run, actor, WRITE_RECORD, record)
}

/// Where writes that belong to no run happen and are recorded.
pub(super) struct TrailedWriter<'a> {
    /// The trail.
    pub(super) journal: &'a mut Journal,
    /// The root of the written files.
    pub(super) root: &'a Root,
}

impl TrailedWriter<'_> {
    pub(super) fn record(
        &mut self,
        proposal: &Proposal,
        act: Act,
        actor: &str,
    ) -> Result<(), JournalError> {
        record(self.journal, None, actor, &AuditRecord::of(proposal, act))
    }

    /// Makes the proposed write, by `proposer` if that is not recorded yet; `actor` allowed it, `rescue` keeps the
    /// replaced file.
    pub(super) fn write(
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
        // Before the file changes: whatever happens then, the trail has the old content.
        let approved = record(Act::Approved);
        let mut remarks: Vec<(&str, &AuditRecord)> = Vec::new();
        remarks.extend(proposer.map(|person| (person, &first)));
        remarks.push((actor, &approved));
        self.journal.notes(None, WRITE_RECORD, &remarks)?;
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
        let noted = self.journal.note(None, actor, WRITE_RECORD, &record(act));
        written?;
        noted.map_err(|source| WriteError::Unrecorded {
            path: proposal.path.to_string(),
            source,
        })
    }
}
