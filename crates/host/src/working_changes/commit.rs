//! The review of an existing commit, so that another person approves it, too.

use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::Presence;
use proctor_core::review_gate::{ReportedFile, ReviewedFile, in_reading_order};
use proctor_core::workflow::Choice;
use serde_json::json;

use super::decision::{Decider, REVIEW_RECORD};
use super::{WorkingChangesError, branch_words};
use crate::approval::{Approved, SigningDesk};
use crate::driver::{ReviewSheet, Subject};
use crate::git::Repository;
use crate::journal::Journal;
use crate::run_data::{data_directory, keep_approval};
use crate::workspace::settings_at;

/// A commit that is reviewed.
#[derive(Debug)]
pub struct CommittedChange {
    /// The commit's id.
    pub commit: CommitId,
    /// Its tree, which is approved.
    pub tree: TreeId,
    base: Option<CommitId>,
    branch: String,
}

impl CommittedChange {
    /// Reads a commit's changes, against its first parent.
    pub fn read(
        repository: &Repository,
        revision: &str,
    ) -> Result<(Self, Vec<ReportedFile>), WorkingChangesError> {
        let commit = repository.refs().commit(revision)?;
        let commit = commit.ok_or_else(|| WorkingChangesError::NoCommit(revision.to_owned()))?;
        let objects = repository.objects();
        let base = repository.refs().commit(&format!("{commit}^1"))?;
        let before = match &base {
            Some(base) => objects.tree_of(base)?,
            None => objects.empty_tree()?,
        };
        let tree = objects.tree_of(&commit)?;
        let differing = objects.changed_files(&before, &tree)?;
        let mut files = objects.reviewed_files(&before, &tree, &differing)?;
        let settings = settings_at(repository, &before)?;
        for file in &mut files {
            file.labels =
                ReviewedFile::labels_of_name(&file.path, &settings.protective().test.paths);
        }
        let branch = branch_words(&repository.checkout()?.head()?);
        let change = Self {
            commit,
            tree,
            base,
            branch,
        };
        Ok((change, in_reading_order(files)))
    }

    /// The sheet that a person decides by.
    pub fn sheet<'a>(&'a self, what: &'a str, files: Vec<ReportedFile>) -> ReviewSheet<'a> {
        let subject = Subject::Own {
            branch: &self.branch,
            what,
            left_out: &[],
        };
        ReviewSheet::unjudged(subject, self.base.as_ref(), &self.tree, files)
    }
}

impl Decider<'_> {
    /// Asks about a commit, and keeps a signed approval of it if the person approves; the ref that leads to it.
    pub fn decide_commit(
        &mut self,
        change: &CommittedChange,
        sheet: &ReviewSheet<'_>,
    ) -> Result<String, WorkingChangesError> {
        let person = self.repository.person()?;
        let person = person.ok_or(WorkingChangesError::NoIdentity)?;
        let again = || self.again.clone();
        if self.approver.presence() == Presence::NoTerminal {
            return Err(WorkingChangesError::NoTerminal { again: again() });
        }
        let desk = SigningDesk {
            repository: self.repository,
            surroundings: self.surroundings,
            passkey_only: self.approver.passkey_only(),
        };
        let signing = desk.prepare_always(change.base.as_ref())?;
        let mut journal = Journal::open(&data_directory(self.repository), self.clock)?;
        let choice = self.approver.decide(sheet);
        if self.interrupt.is_set() {
            return Err(WorkingChangesError::Interrupted { again: again() });
        }
        let place = self.approver.place();
        let mut note = |decision: &str, details| {
            let record = json!({
                "decision": decision,
                "commit": change.commit,
                "tree": change.tree,
                "files": sheet.files.len(),
                "place": place,
                "details": details,
            });
            journal.note(None, &person.to_string(), REVIEW_RECORD, &record)
        };
        match choice {
            Some(Choice::Approve) => {}
            None | Some(Choice::Comment { .. }) => {
                return Err(WorkingChangesError::Undecided { again: again() });
            }
            Some(Choice::Reject { reason }) => {
                note("rejected", json!({ "reason": reason }))?;
                return Err(WorkingChangesError::Rejected);
            }
            Some(Choice::Abort) => return Err(WorkingChangesError::Rejected),
        }
        let trail = Journal::open(&data_directory(self.repository), self.clock)?.ends()?;
        let approved = Approved {
            tree: &change.tree,
            branch: &change.branch,
            run: None,
            evidence: &sheet.evidence(),
            trail: trail.as_ref(),
            person: &person,
            at: self.clock.seconds(),
        };
        let signed = signing.sign(&approved, self.approver);
        if signed.is_err() && self.interrupt.is_set() {
            return Err(WorkingChangesError::Interrupted { again: again() });
        }
        let signed = signed?;
        note("approved", json!({ "signed": signed }))?;
        Ok(keep_approval(self.repository, &change.tree, &signed)?)
    }
}
