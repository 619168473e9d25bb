//! Whether existing files may be replaced by what a reply makes of them.

use std::sync::Arc;

use proctor_core::diff::{LineDiff, line_count};
use proctor_core::generation::Body;
use proctor_core::merge::{Merge, Strategy};
use proctor_core::permission::Permission;
use proctor_core::review_gate::Measure;
use proctor_core::safe_write::{Act, AuditRecord, Proposal};
use proctor_core::workflow::Event;

use super::reply::{Instead, Wanted, refused};
use super::{DriveError, Driver, WriteAnswer, WriteQuestion};
use crate::safe_write::WRITE_RECORD;

/// A replacement that somebody allowed, which is audited.
pub(super) struct Allowed {
    pub(super) by: String,
    pub(super) note: AuditRecord,
}

/// What the rules say about one file.
enum Replace {
    /// It is small, or most of it stays.
    Freely,
    Allowed(Allowed),
    /// A person is there, and is asked.
    Ask,
    /// It may not, or not now.
    Instead(Instead),
}

impl Driver<'_> {
    /// Who allowed what of the existing files among these; a person may have chosen another way than
    /// replacing. The event if a write may not be, or not now.
    pub(super) fn permissions(
        &mut self,
        wanted: &mut [Wanted],
    ) -> Result<Result<Vec<Allowed>, Instead>, DriveError> {
        let mut permissions = Vec::new();
        let mut asked: Vec<&mut Wanted> = Vec::new();
        for file in wanted.iter_mut().filter(|file| file.before.is_some()) {
            match self.permission(file)? {
                Replace::Freely => {}
                Replace::Allowed(allowed) => permissions.push(allowed),
                Replace::Ask => asked.push(file),
                Replace::Instead(event) => return Ok(Err(event)),
            }
        }
        if asked.is_empty() {
            return Ok(Ok(permissions));
        }
        let questions: Vec<WriteQuestion<'_>> = asked.iter().map(|file| question(file)).collect();
        match self.world.approver.choose_writes(&questions) {
            Some(WriteAnswer::Write(chosen)) => {
                let by = self.actor();
                for (file, proposal) in asked.into_iter().zip(chosen) {
                    permissions.push(Allowed {
                        by: by.clone(),
                        note: AuditRecord::of(&proposal, Act::Approved),
                    });
                    file.after = Arc::unwrap_or_clone(proposal.after);
                }
                Ok(Ok(permissions))
            }
            Some(WriteAnswer::Skip(path)) => {
                let skipped = asked.iter().find(|file| file.file.path == path);
                let Some(file) = skipped else {
                    return Ok(Err(refused(format!(
                        "a person did not allow to change {path}"
                    ))));
                };
                let (record, by) = (
                    AuditRecord::of(&replacing(file), Act::Declined),
                    self.actor(),
                );
                self.note(&by, &record)?;
                let reason = format!("a person did not allow this: {}", sentence(file));
                Ok(Err(refused(reason)))
            }
            None if self.world.interrupt.is_set() => Err(DriveError::Interrupted),
            Some(WriteAnswer::Abort) | None => {
                let sentences: Vec<String> = asked.iter().map(|file| sentence(file)).collect();
                Ok(Err(needs_person(sentences.join("; "))))
            }
        }
    }

    /// What the rules for replacements say about the write of an existing file.
    fn permission(&mut self, wanted: &Wanted) -> Result<Replace, DriveError> {
        let before = wanted.before.as_deref().unwrap_or_default();
        let old_lines = line_count(before);
        if is_edited(wanted) {
            let difference = LineDiff::between(before, &wanted.after);
            let measure = Measure {
                before: old_lines,
                after: line_count(&wanted.after),
                added: difference.added,
                deleted: difference.deleted,
            };
            if measure.keeps_most() {
                return Ok(Replace::Freely);
            }
        }
        let autonomy = self.row.run.started().autonomy;
        let permission = autonomy.at_replacement(old_lines, self.world.approver.presence());
        Ok(match permission {
            Permission::Granted if autonomy.replaces_freely(old_lines) => Replace::Freely,
            Permission::Granted => Replace::Allowed(Allowed {
                by: "--auto --force".to_owned(),
                note: AuditRecord::of(&replacing(wanted), Act::Approved),
            }),
            Permission::Ask => Replace::Ask,
            Permission::Park => {
                self.blocked(wanted)?;
                Replace::Instead(needs_person(sentence(wanted)))
            }
            Permission::Refuse => {
                self.blocked(wanted)?;
                Replace::Instead(refused(format!(
                    "{}; without a person a file of more than 100 lines keeps at least half of them",
                    sentence(wanted)
                )))
            }
        })
    }

    /// The trail knows of what was not allowed, too.
    fn blocked(&mut self, wanted: &Wanted) -> Result<(), DriveError> {
        self.note(
            "proctor",
            &AuditRecord::of(&replacing(wanted), Act::Blocked),
        )
    }

    fn note(&mut self, by: &str, record: &AuditRecord) -> Result<(), DriveError> {
        let run = Some(&self.row.id);
        Ok(self.world.journal.note(run, by, WRITE_RECORD, record)?)
    }
}

fn is_edited(wanted: &Wanted) -> bool {
    matches!(wanted.file.body, Body::Edits(_))
}

fn question(wanted: &Wanted) -> WriteQuestion<'_> {
    let Proposal { before, given, .. } = replacing(wanted);
    WriteQuestion {
        path: &wanted.file.path,
        before,
        given,
        wanted: Merge::Replace,
        // What edits made of a file is the whole of it; it belongs nowhere inside.
        offered: if is_edited(wanted) {
            &[Strategy::Replace]
        } else {
            &Strategy::ALL
        },
    }
}

fn replacing(wanted: &Wanted) -> Proposal {
    let path = wanted.file.path.clone();
    Proposal::new(
        path,
        wanted.before.clone(),
        wanted.after.clone(),
        Merge::Replace,
    )
    .expect("replacing works with any bytes")
}

fn sentence(wanted: &Wanted) -> String {
    format!(
        "{} has {} lines and would be replaced by {}",
        wanted.file.path,
        line_count(wanted.before.as_deref().unwrap_or_default()),
        line_count(&wanted.after)
    )
}

fn needs_person(reason: String) -> Instead {
    Box::new(Event::WriteNeedsPerson { reason })
}
