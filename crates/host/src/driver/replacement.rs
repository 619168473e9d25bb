//! Whether an existing file may be replaced by what a reply makes of it.

use proctor_core::diff::{LineDiff, line_count};
use proctor_core::generation::Body;
use proctor_core::merge::Strategy;
use proctor_core::review_gate::Measure;
use proctor_core::safe_write::{Act, AuditRecord, Proposal};
use proctor_core::workflow::{Event, Permission};

use super::reply::{Instead, Wanted, refused};
use super::{DriveError, Driver, Replacement};
use crate::safe_write::WRITE_RECORD;

/// The answer.
pub(super) enum Replace {
    /// It is small, or most of it stays.
    Freely,
    /// Somebody allowed it, which is audited.
    Allowed { by: String, note: AuditRecord },
    /// It may not, or not now.
    Instead(Instead),
}

impl Driver<'_> {
    /// What the rules for replacements say about the write of an existing file.
    pub(super) fn permission(&mut self, wanted: &Wanted) -> Result<Replace, DriveError> {
        let path = &wanted.file.path;
        let before = wanted.before.as_deref().unwrap_or_default();
        let (old_lines, new_lines) = (line_count(before), line_count(&wanted.after));
        if matches!(wanted.file.body, Body::Edits(_)) {
            let difference = LineDiff::between(before, &wanted.after);
            let measure = Measure {
                before: old_lines,
                after: new_lines,
                added: difference.added,
                deleted: difference.deleted,
            };
            if measure.keeps_most() {
                return Ok(Replace::Freely);
            }
        }
        let proposal = Proposal {
            path: path.clone(),
            before: wanted.before.clone(),
            given: wanted.after.clone(),
            after: wanted.after.clone(),
            strategy: Strategy::Replace,
        };
        let autonomy = self.row.run.started().autonomy;
        let sentence = format!("{path} has {old_lines} lines and would be replaced by {new_lines}");
        let needs_person = |reason| {
            let event = Event::WriteNeedsPerson { reason };
            Ok(Replace::Instead(Box::new(event)))
        };
        let allowed_by = match autonomy.at_replacement(old_lines, self.world.approver.presence()) {
            Permission::Granted if autonomy.replaces_freely(old_lines) => {
                return Ok(Replace::Freely);
            }
            Permission::Granted => "--auto --force".to_owned(),
            Permission::Ask => {
                let asked = Replacement {
                    path: path.as_str(),
                    before,
                    after: &wanted.after,
                };
                match self.world.approver.may_replace(&asked) {
                    Some(true) => self.actor(),
                    Some(false) => {
                        let reason = format!("a person did not allow this: {sentence}");
                        return Ok(Replace::Instead(refused(reason)));
                    }
                    None if self.world.interrupt.is_set() => return Err(DriveError::Interrupted),
                    None => return needs_person(sentence),
                }
            }
            Permission::Park => {
                self.blocked(&proposal)?;
                return needs_person(sentence);
            }
            Permission::Refuse => {
                self.blocked(&proposal)?;
                return Ok(Replace::Instead(refused(format!(
                    "{sentence}; without a person a file of more than 100 lines keeps at least half of them"
                ))));
            }
        };
        Ok(Replace::Allowed {
            by: allowed_by,
            note: AuditRecord::of(&proposal, Act::Approved),
        })
    }

    /// The trail knows of what was not allowed, too.
    fn blocked(&mut self, proposal: &Proposal) -> Result<(), DriveError> {
        let record = AuditRecord::of(proposal, Act::Blocked);
        let run = Some(&self.row.id);
        Ok(self
            .world
            .journal
            .note(run, "proctor", WRITE_RECORD, &record)?)
    }
}
