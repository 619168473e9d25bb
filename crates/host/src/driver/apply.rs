//! Using a reply: read, checked, written; all of it or nothing.

use proctor_core::context::ProjectPath;
use proctor_core::diff::line_count;
use proctor_core::generation::{AllowedFile, Reply, Rules, parse_files};
use proctor_core::merge::Strategy;
use proctor_core::safe_write::{Act, AuditRecord, Proposal};
use proctor_core::workflow::{Event, LINES_REPLACED_FREELY, Permission, Stage, StopReason, TreeId};

use super::{DriveError, Driver, Replacement};
use crate::files::{FileChange, Root};
use crate::git::{Change, Entries, FileMode};
use crate::safe_write::WRITE_RECORD;

/// What to do with a reply that was read.
enum Use {
    Write(Vec<AllowedFile>),
    Instead(Box<Event>),
}

/// Whether an existing file may be replaced.
enum Replace {
    /// It is small.
    Freely,
    /// Somebody allowed it, which is audited.
    Allowed { by: String, note: AuditRecord },
    /// It may not, or not now.
    Instead(Box<Event>),
}

fn refused(reason: impl Into<String>) -> Use {
    Use::Instead(Box::new(Event::ReplyRefused {
        reason: reason.into(),
    }))
}

impl Driver<'_> {
    pub(super) fn apply_reply(&mut self) -> Result<Event, DriveError> {
        let base = self.base()?.entries;
        let files = match self.read_reply(&base) {
            Use::Write(files) => files,
            Use::Instead(event) => return Ok(*event),
        };
        let tree = self.tree_before().clone();
        let mut changes = Vec::new();
        let mut permissions = Vec::new();
        for file in files {
            let mode = base.get(file.path.as_str()).copied();
            match mode {
                Some(FileMode::Symlink | FileMode::Submodule) => {
                    let reason =
                        format!("{} is a link and cannot be replaced by a file", file.path);
                    return Ok(Event::ReplyRefused { reason });
                }
                Some(_) => match self.permission(&tree, &file)? {
                    Replace::Freely => {}
                    Replace::Allowed { by, note } => permissions.push((by, note)),
                    Replace::Instead(event) => return Ok(*event),
                },
                None => {}
            }
            changes.push(Change::Write {
                path: file.path,
                content: file.content.into_bytes(),
                mode: mode.unwrap_or(FileMode::Regular),
            });
        }
        // Only now is it certain that all of it is written.
        for (by, note) in permissions {
            self.world
                .journal
                .note(Some(&self.row.id), &by, WRITE_RECORD, &note)?;
        }
        self.write(&tree, &changes)
    }

    /// A Delete row of the design document.
    pub(super) fn delete_file(&mut self, path: &ProjectPath) -> Result<Event, DriveError> {
        let tree = self.tree_before().clone();
        self.write(&tree, &[Change::Delete { path: path.clone() }])
    }

    /// What the reply's files are added to: each scaffold starts from the base again.
    fn tree_before(&self) -> &TreeId {
        let run = &self.row.run;
        let tree = if run.stage() == Stage::Scaffold {
            run.base_tree()
        } else {
            run.tree()
        };
        tree.expect("a reply is asked for only after the worktree was made")
    }

    fn read_reply(&self, base: &Entries) -> Use {
        let run = &self.row.run;
        let Some(reply) = run.pending() else {
            return refused("there is no reply");
        };
        match reply.stop_reason {
            StopReason::EndTurn => {}
            StopReason::MaxTokens => {
                return refused(
                    "the reply was cut off before its end; nothing of it was used: send it again, shorter",
                );
            }
            StopReason::Refusal => {
                let reason = format!("the model refused: {}", reply.text.trim());
                return Use::Instead(Box::new(Event::GaveUp { reason }));
            }
        }
        if let Some(found) = run.allowed_secrets().find(&reply.text).first() {
            return refused(format!(
                "the reply holds what looks like {}; nothing of it was used: write something in its \
                 place that nobody can take for a real one",
                found.description
            ));
        }
        let loaded = &self.inputs.loaded;
        let sole = match (run.current_file(), loaded.tests.as_slice()) {
            (Some(file), _) => Some(&file.path),
            (None, [only]) => Some(&only.path),
            _ => None,
        };
        let files = match parse_files(&reply.text, sole) {
            Ok(Reply::Files(files)) => files,
            Ok(Reply::GiveUp(reason)) => return Use::Instead(Box::new(Event::GaveUp { reason })),
            Err(malformed) => return refused(format!("the reply is malformed: {malformed}")),
        };
        let listed: Vec<_> = loaded
            .sources
            .iter()
            .chain(&loaded.tests)
            .cloned()
            .collect();
        let base = base.keys().cloned().collect();
        // An earlier scaffold's files go when the next one comes.
        let tests = if run.stage() == Stage::Scaffold {
            &[]
        } else {
            run.test_files()
        };
        let written = run
            .source_files()
            .iter()
            .chain(tests)
            .map(ToString::to_string)
            .collect();
        let rules = Rules {
            listed: &listed,
            base: &base,
            written: &written,
            test_paths: &self.inputs.settings.test.paths,
        };
        let allowed = match run.current_file() {
            Some(file) => rules.implement(&file.path, files),
            None => rules.scaffold(files),
        };
        allowed.map_or_else(
            |reason| refused(format!("the reply was refused: {reason}")),
            Use::Write,
        )
    }

    /// What the rules for replacements say about the write of an existing file.
    fn permission(&mut self, tree: &TreeId, file: &AllowedFile) -> Result<Replace, DriveError> {
        let found = self
            .world
            .repository
            .files_at(tree, &[file.path.as_str()])?
            .pop()
            .flatten();
        let before = found.unwrap_or_default();
        let (old_lines, new_lines) = (line_count(&before), line_count(file.content.as_bytes()));
        let proposal = Proposal {
            path: file.path.clone(),
            before: Some(before.clone()),
            given: file.content.clone().into_bytes(),
            after: file.content.clone().into_bytes(),
            strategy: Strategy::Replace,
        };
        let autonomy = self.row.run.started().autonomy;
        let sentence = format!(
            "{} has {old_lines} lines and would be replaced by {new_lines}",
            file.path
        );
        let allowed_by = match autonomy.at_replacement(old_lines, self.world.approver.presence()) {
            Permission::Granted if old_lines <= LINES_REPLACED_FREELY => {
                return Ok(Replace::Freely);
            }
            Permission::Granted => "--auto --force".to_owned(),
            Permission::Ask => {
                let asked = Replacement {
                    path: file.path.as_str(),
                    before: &before,
                    after: file.content.as_bytes(),
                };
                match self.world.approver.may_replace(&asked) {
                    Some(true) => self.actor(),
                    Some(false) => {
                        let reason = format!("a person did not allow this: {sentence}");
                        return Ok(Replace::Instead(Box::new(Event::ReplyRefused { reason })));
                    }
                    None if self.world.interrupt.is_set() => return Err(DriveError::Interrupted),
                    None => {
                        return Ok(Replace::Instead(Box::new(Event::WriteNeedsPerson {
                            reason: sentence,
                        })));
                    }
                }
            }
            Permission::Park => {
                self.blocked(&proposal)?;
                return Ok(Replace::Instead(Box::new(Event::WriteNeedsPerson {
                    reason: sentence,
                })));
            }
            Permission::Refuse => {
                self.blocked(&proposal)?;
                let reason = format!(
                    "{sentence}; without a person a file of more than 100 lines is not replaced as a whole"
                );
                return Ok(Replace::Instead(Box::new(Event::ReplyRefused { reason })));
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

    fn write(&mut self, tree: &TreeId, changes: &[Change]) -> Result<Event, DriveError> {
        let root = self.worktree_root()?;
        let paths: Vec<ProjectPath> = changes.iter().map(|change| change.path().clone()).collect();
        if self.row.run.stage() == Stage::Scaffold {
            self.undo_earlier_scaffold(&root, &paths)?;
        }
        // One transaction: all files or none.
        let together: Vec<FileChange<'_>> = changes
            .iter()
            .map(|change| match change {
                Change::Write {
                    path,
                    content,
                    mode,
                } => FileChange::Write {
                    path,
                    content,
                    executable: *mode == FileMode::Executable,
                },
                Change::Delete { path } => FileChange::Remove { path },
            })
            .collect();
        root.apply(&together)?;
        let tree = self.world.repository.write_tree(tree, changes)?;
        self.keep("candidate", &tree)?;
        Ok(Event::FilesWritten { paths, tree })
    }

    /// Files of a scaffold that was sent back: as they were at the base, or gone.
    fn undo_earlier_scaffold(&self, root: &Root, again: &[ProjectPath]) -> Result<(), DriveError> {
        let base = self.base()?;
        let gone: Vec<_> = self
            .row
            .run
            .test_files()
            .iter()
            .filter(|path| !again.contains(path))
            .collect();
        let names: Vec<&str> = gone.iter().map(|path| path.as_str()).collect();
        let contents = self.world.repository.files_at(&base.tree, &names)?;
        for (path, content) in gone.into_iter().zip(contents) {
            let executable = base.entries.get(path.as_str()) == Some(&FileMode::Executable);
            match content {
                Some(content) => root.write(path, &content, executable)?,
                None => root.remove(path)?,
            }
        }
        Ok(())
    }

    pub(super) fn worktree_root(&self) -> Result<Root, DriveError> {
        let path = &self.row.worktree;
        Root::open(path).map_err(|source| DriveError::WorktreeGone {
            path: path.clone(),
            source,
        })
    }

    /// Protects a tree of this run from git's garbage collection.
    pub(super) fn keep(&self, name: &str, tree: &TreeId) -> Result<(), DriveError> {
        let reference = format!("refs/proctor/runs/{}/{name}", self.row.id);
        Ok(self.world.repository.keep(&reference, tree.as_str())?)
    }
}
