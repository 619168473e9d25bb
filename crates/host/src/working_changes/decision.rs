//! Asking about working changes, and committing them.

use proctor_core::object_id::CommitId;
use proctor_core::permission::Presence;
use proctor_core::workflow::Choice;
use serde_json::{Value, json};

use super::{WorkingChanges, WorkingChangesError};
use crate::approval::{Approved, SigningDesk};
use crate::clock::Clock;
use crate::driver::{Approver, ReviewSheet, approval_trailer, evidence_trailer};
use crate::git::{CommitMessage, OwnCommit, OwnCommitError, Repository};
use crate::journal::Journal;
use crate::process::Interrupt;
use crate::run_data::data_directory;
use crate::surroundings::Surroundings;

/// The kind of the trail's records about these reviews.
pub const REVIEW_RECORD: &str = "review";

/// Where a decision is made.
pub struct Decider<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// Where the key to sign with is named.
    pub surroundings: &'a Surroundings,
    /// The time.
    pub clock: Clock,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The person to ask.
    pub approver: &'a mut dyn Approver,
    /// The commit message; asked for after the approval without it.
    pub message: Option<&'a str>,
    /// The command that asks again.
    pub again: String,
}

impl Decider<'_> {
    /// Asks, and commits exactly the shown tree if the person approves.
    pub fn decide(
        &mut self,
        changes: &WorkingChanges,
        sheet: &ReviewSheet<'_>,
    ) -> Result<CommitId, WorkingChangesError> {
        let person = self.repository.person()?;
        let person = person.ok_or(WorkingChangesError::NoIdentity)?;
        let again = || self.again.clone();
        if self.approver.presence() == Presence::NoTerminal {
            return Err(WorkingChangesError::NoTerminal { again: again() });
        }
        let base = changes.head.commit.as_ref();
        let desk = SigningDesk {
            repository: self.repository,
            surroundings: self.surroundings,
            passkey_only: self.approver.passkey_only(),
        };
        let signing = desk.prepare(base)?;
        let mut journal = Journal::open(&data_directory(self.repository), self.clock)?;
        let choice = self.approver.decide(sheet);
        if self.interrupt.is_set() {
            return Err(WorkingChangesError::Interrupted { again: again() });
        }
        let (by, place) = (person.to_string(), self.approver.place());
        let (known, seconds) = (sheet.evidence(), self.clock.seconds());
        let evidence = known.digest();
        let trail = journal.ends()?;
        let mut note = |decision: &str, body: Value| {
            let record = json!({
                "decision": decision,
                "tree": changes.tree,
                "branch": changes.head.reference,
                "files": sheet.files.len(),
                "place": place,
                "evidence": evidence,
                "details": body,
            });
            journal.note(None, &by, REVIEW_RECORD, &record)
        };
        let reason = match choice {
            Some(Choice::Approve) => None,
            None | Some(Choice::Comment { .. }) => {
                return Err(WorkingChangesError::Undecided { again: again() });
            }
            Some(Choice::Reject { reason }) => Some(reason),
            Some(Choice::Abort) => Some(String::new()),
        };
        if let Some(reason) = reason {
            note("rejected", json!({ "reason": reason }))?;
            return Err(WorkingChangesError::Rejected);
        }
        let asked = self.message.map(str::to_owned);
        let title = asked.or_else(|| self.approver.ask_for_words("Commit message:"));
        let title = title.ok_or(WorkingChangesError::NoMessage)?;
        let signed = match signing {
            None => None,
            Some(signing) => {
                let approved = Approved {
                    tree: &changes.tree,
                    branch: &changes.branch,
                    run: None,
                    evidence: &known,
                    trail: trail.as_ref(),
                    person: &person,
                    at: seconds,
                };
                let signed = signing.sign(&approved, self.approver);
                if signed.is_err() && self.interrupt.is_set() {
                    return Err(WorkingChangesError::Interrupted { again: again() });
                }
                Some(signed?)
            }
        };
        // Before the branch moves: whatever happens then, the trail has the approval.
        note("approved", json!({ "message": title, "signed": signed }))?;
        let message = format!(
            "{}\n\nApproved-By: {person}\n{}{}",
            title.trim_end(),
            evidence_trailer(&evidence),
            approval_trailer(signed.as_ref())
        );
        let committed = self.repository.checkout()?.commit(&OwnCommit {
            head: &changes.head,
            before: &changes.before,
            tree: &changes.tree,
            message: CommitMessage {
                text: &message,
                person: &person,
                seconds,
            },
        });
        match &committed {
            Ok(commit) | Err(OwnCommitError::Unfinished { commit, .. }) => {
                note("committed", json!({ "commit": commit }))?;
            }
            // The shown difference is then outdated.
            Err(_) if self.branch_moved(changes) => {
                return Err(WorkingChangesError::BranchMoved { again: again() });
            }
            Err(_) => {}
        }
        Ok(committed?)
    }

    /// Whether a commit was made while the person was reading.
    fn branch_moved(&self, changes: &WorkingChanges) -> bool {
        let now = self.repository.checkout().and_then(|it| it.head());
        let now = now.ok().filter(|head| head.commit.is_some());
        now.is_some_and(|head| head != changes.head)
    }
}
