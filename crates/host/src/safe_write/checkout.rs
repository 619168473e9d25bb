//! Writing a file of a person's checkout: the steps of `proctor write` and `proctor apply` after a proposal.

use proctor_core::permission::{Autonomy, Permission};
use proctor_core::safe_write::{Act, Concern, Proposal, Way};

use super::trail::{Rescue, TrailedWriter};
use super::{Allowed, NotAgreed, WriteApprover, WriteError, agree};
use crate::clock::Clock;
use crate::files::{Root, Turn};
use crate::git::{GitError, Repository};
use crate::journal::{Journal, JournalError};
use crate::process::{Interrupt, joined};
use crate::run_data::data_directory;

/// Writes files of a checkout.
pub struct CheckoutWriter<'a> {
    /// The repository, which keeps replaced files.
    pub repository: &'a Repository,
    /// The top of the checkout.
    pub root: &'a Root,
    /// The time, for the trail.
    pub clock: Clock,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The permissions by flags.
    pub autonomy: Autonomy,
    /// The person to ask.
    pub approver: &'a mut dyn WriteApprover,
}

/// Whether the file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The content is in place.
    Changed,
    /// It was in place already.
    Unchanged,
}

impl CheckoutWriter<'_> {
    /// Makes the proposed write, if all necessary consent is given. The proposal afterwards is the person's choice;
    /// `turn` is given back while a person thinks, and other programs' writes meanwhile are noticed.
    pub fn write(
        &mut self,
        proposal: &mut Proposal,
        turn: Turn<'_>,
    ) -> Result<Written, WriteError> {
        let permission = proposal.permission(self.autonomy, self.approver.presence());
        let is_certain = permission == Permission::Granted && !proposal.changes_nothing();
        let prepared = self.prepare(is_certain.then_some(&*proposal))?;
        let Prepared {
            person,
            mut journal,
            kept,
        } = prepared;
        let mut writer = TrailedWriter {
            journal: &mut journal,
            root: self.root,
        };
        // A write that needs no consent is recorded together with its approval.
        if !is_certain {
            writer.record(proposal, Act::Proposed, &person)?;
        }
        if proposal.changes_nothing() {
            return Ok(Written::Unchanged);
        }
        let turn = is_certain.then_some(turn);
        let one = std::slice::from_mut(proposal);
        let by_flags = match agree(one, self.autonomy, self.approver) {
            Ok(allowed) => allowed.contains(&Allowed::ByFlags),
            Err(not_agreed) => {
                let (act, error) = self.refusal(proposal, &not_agreed);
                if let Some(act) = act {
                    writer.record(proposal, act, &person)?;
                }
                return Err(error);
            }
        };
        if proposal.changes_nothing() {
            return Ok(Written::Unchanged);
        }
        let kept = kept.unwrap_or_else(|| Rescue::of(proposal, self.repository))?;
        let proposer = is_certain.then_some(person.as_str());
        let actor = if by_flags { "--auto --force" } else { &person };
        writer.write(proposal, proposer, actor, &kept)?;
        drop(turn);
        Ok(Written::Changed)
    }

    /// The error where consent was not given, and its record in the trail.
    fn refusal(&self, proposal: &Proposal, not_agreed: &NotAgreed) -> (Option<Act>, WriteError) {
        let path = proposal.path.clone();
        let declined = |word| (Some(Act::Declined), WriteError::Declined { path, word });
        let concern = proposal
            .concern()
            .expect("only a write with a concern needs confirmation");
        match not_agreed {
            NotAgreed::Skipped { .. } => declined("skipped"),
            NotAgreed::Aborted => declined("aborted"),
            NotAgreed::Unanswered { .. } if self.interrupt.is_set() => {
                (None, WriteError::Interrupted(proposal.path.clone()))
            }
            NotAgreed::Unanswered { .. } => (None, needs_person(proposal, concern)),
            NotAgreed::Blocked { permission, .. } => {
                let error = match (permission, &concern) {
                    (Permission::Refuse, _) => WriteError::Unattended(concern),
                    (_, Concern::Protected { .. }) => WriteError::Protected(concern),
                    (_, Concern::Large { .. }) => needs_person(proposal, concern),
                };
                (Some(Act::Blocked), error)
            }
        }
    }

    /// Runs all lookups side by side, because they are independent. The file that a `certain` write replaces is already
    /// kept.
    fn prepare(&self, certain: Option<&Proposal>) -> Result<Prepared, JournalError> {
        let repository = self.repository;
        std::thread::scope(|scope| {
            let kept = certain.map(|proposal| scope.spawn(|| Rescue::of(proposal, repository)));
            let person = scope.spawn(|| writer_of(repository));
            let journal = Journal::open(&data_directory(repository), self.clock);
            Ok(Prepared {
                person: joined(person),
                kept: kept.map(joined),
                journal: journal?,
            })
        })
    }
}

/// The requirements of a write besides its content.
struct Prepared {
    /// The writer.
    person: String,
    journal: Journal,
    /// The replaced file, if it was certain that it will be.
    kept: Option<Result<Rescue, GitError>>,
}

fn writer_of(repository: &Repository) -> String {
    let person = repository.person().ok().flatten();
    person.map_or_else(
        || "a person git does not know".to_owned(),
        |person| person.to_string(),
    )
}

fn needs_person(proposal: &Proposal, concern: Concern) -> WriteError {
    let command = match proposal.way {
        Way::Merged(_) => "write",
        Way::Edited { .. } => "apply",
    };
    WriteError::NeedsPerson { concern, command }
}
