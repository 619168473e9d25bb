//! Whether a reply may replace existing files.

use proctor_core::permission::Permission;
use proctor_core::safe_write::{Act, AuditRecord, Proposal};
use proctor_core::workflow::Event;

use super::DriveError;
use super::apply::Writing;
use super::reply::{Halt, refused};
use crate::safe_write::{Allowed, NotAgreed, agree, record};

/// A permitted replacement, for the trail.
pub(super) struct Permitted {
    by: String,
    record: AuditRecord,
}

impl Writing<'_> {
    /// The permissions for a reply's files; a person may have chosen another way than replacing, and the proposals then
    /// follow that choice.
    pub(super) fn permissions(
        &mut self,
        proposals: &mut [Proposal],
    ) -> Result<Vec<Permitted>, Halt> {
        let autonomy = self.case.run().started().autonomy;
        let allowed = match agree(proposals, autonomy, self.approver) {
            Ok(allowed) => allowed,
            Err(not_agreed) => return Err(self.not_agreed(proposals, &not_agreed)?),
        };
        let by_person = allowed
            .contains(&Allowed::ByPerson)
            .then(|| self.case.actor());
        let permitted = |(proposal, allowed): (&Proposal, Allowed)| {
            let by = match allowed {
                Allowed::Freely => return None,
                Allowed::ByFlags => "--auto --force".to_owned(),
                Allowed::ByPerson => by_person.clone()?,
            };
            let record = AuditRecord::of(proposal, Act::Approved);
            Some(Permitted { by, record })
        };
        Ok(proposals
            .iter()
            .zip(allowed)
            .filter_map(permitted)
            .collect())
    }

    /// The event instead of the writes; the trail also records refused ones.
    fn not_agreed(
        &mut self,
        proposals: &[Proposal],
        not_agreed: &NotAgreed,
    ) -> Result<Halt, DriveError> {
        match not_agreed {
            NotAgreed::Blocked { index, permission } => {
                let proposal = &proposals[*index];
                self.note("proctor", &AuditRecord::of(proposal, Act::Blocked))?;
                let reason = sentence(proposal);
                Ok(if *permission == Permission::Refuse {
                    refused(format!(
                        "{reason}; without a person a file of more than 100 lines keeps at least half of them"
                    ))
                } else {
                    needs_person(reason)
                })
            }
            NotAgreed::Skipped { index } => {
                let (proposal, by) = (&proposals[*index], self.case.actor());
                self.note(&by, &AuditRecord::of(proposal, Act::Declined))?;
                let reason = format!("a person did not allow this: {}", sentence(proposal));
                Ok(refused(reason))
            }
            NotAgreed::Unanswered { .. } if self.case.place.interrupt.is_set() => {
                Err(DriveError::Interrupted)
            }
            NotAgreed::Aborted | NotAgreed::Unanswered { .. } => {
                let concerns = proposals.iter().filter_map(Proposal::concern);
                let sentences: Vec<String> = concerns.map(|it| it.to_string()).collect();
                Ok(needs_person(sentences.join("; ")))
            }
        }
    }

    /// Only when it is certain that all of a reply is used.
    pub(super) fn note_permissions(&mut self, permitted: &[Permitted]) -> Result<(), DriveError> {
        permitted
            .iter()
            .try_for_each(|it| self.note(&it.by, &it.record))
    }

    fn note(&mut self, by: &str, line: &AuditRecord) -> Result<(), DriveError> {
        Ok(record(self.journal, Some(&self.case.row.id), by, line)?)
    }
}

fn sentence(proposal: &Proposal) -> String {
    let concern = proposal.concern();
    concern.map_or_else(|| proposal.path.to_string(), |concern| concern.to_string())
}

fn needs_person(reason: String) -> Halt {
    Halt::Instead(Box::new(Event::WriteNeedsPerson { reason }))
}
