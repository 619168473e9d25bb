//! Commits that need a verdict.

use proctor_core::gate::VerdictWord;
use proctor_core::guard::{is_machinery, is_scratch};
use proctor_core::object_id::CommitId;
use serde_json::Value;

use super::{Guard, GuardError};
use crate::gate::Judged;
use crate::git::LineCommit;
use crate::journal::Journal;
use crate::run_data::{data_directory, kept_approvals};
use crate::working_changes::REVIEW_RECORD;
use crate::workspace::settings_at;

impl Guard<'_> {
    /// Commits since this one that were not accepted, a line each. Commits from elsewhere were accepted there. Without
    /// a beginning, everything that no remote has.
    pub(super) fn unjudged_since(
        &self,
        since: Option<&CommitId>,
        head: Option<&CommitId>,
    ) -> Result<Vec<String>, GuardError> {
        let Some(head) = head else {
            return Ok(Vec::new());
        };
        let objects = self.place.repository.objects();
        match since {
            // Another branch was checked out, or this one was set back.
            Some(since) if !objects.contains(head, since)? => Ok(Vec::new()),
            Some(since) => self.unjudged(head, &[since.as_str(), "--remotes"]),
            None => self.unjudged(head, &["--remotes"]),
        }
    }

    /// Commits of a history that are not in `known` and were not accepted, a line each.
    pub fn unjudged(&self, tip: &CommitId, known: &[&str]) -> Result<Vec<String>, GuardError> {
        let commits = self.place.repository.objects().unknown_to(tip, known)?;
        let mut lines = Vec::new();
        for commit in commits {
            if let Some(why) = self.refusal(&commit)? {
                lines.push(format!("{}: {why}", commit.commit.short()));
            }
        }
        Ok(lines)
    }

    /// Why a commit is not accepted. One without a verdict is judged now.
    fn refusal(&self, commit: &LineCommit) -> Result<Option<String>, GuardError> {
        // A first commit differs from nothing.
        let Some(parent) = &commit.parent else {
            return Ok(None);
        };
        let objects = self.place.repository.objects();
        let base = objects.tree_of(parent)?;
        let settings = settings_at(self.place.repository, &base)?;
        let scratch = &settings.protective().guard.scratch;
        for file in objects.changed_files(&base, &commit.tree)? {
            let name = String::from_utf8_lossy(&file.path);
            if is_scratch(&name, scratch) {
                let words = format!("{name} lies in a scratch directory and cannot be committed");
                return Ok(Some(words));
            }
            if is_machinery(&name) && !self.is_approved(commit)? {
                return Ok(Some(format!(
                    "{name} says how the work is judged, so a person commits it: `proctor review`"
                )));
            }
        }
        let judged = Judged::Commit(commit.commit.as_str());
        let kept = self.known_or_judged(&base, &commit.tree, judged)?;
        if kept.may_be_committed() || self.is_approved(commit)? {
            return Ok(None);
        }
        Ok(Some(match kept.word {
            VerdictWord::ValidRed => {
                "a red is not committed; implement what its tests ask for".to_owned()
            }
            _ => kept.reasons,
        }))
    }

    /// Whether a person has approved this commit, or its tree, at a review of Proctor's.
    fn is_approved(&self, commit: &LineCommit) -> Result<bool, GuardError> {
        let repository = self.place.repository;
        if !kept_approvals(repository, &commit.tree)?.is_empty() {
            return Ok(true);
        }
        let journal = Journal::open_existing(&data_directory(repository), self.clock)?;
        let records = journal.map(|journal| journal.records(None)).transpose()?;
        let approves = |body: &str| {
            let body: Value = serde_json::from_str(body).unwrap_or_default();
            body["details"]["commit"] == commit.commit.as_str()
                || body["commit"] == commit.commit.as_str()
        };
        let mut records = records.into_iter().flatten();
        Ok(records.any(|record| record.kind == REVIEW_RECORD && approves(&record.body)))
    }
}
