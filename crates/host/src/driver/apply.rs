//! Using a reply: its files into a tree, and into the worktree once the round is complete.

use std::fmt::Write as _;
use std::sync::Arc;

use proctor_core::generation::{AllowedFile, Body, SeenFile};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::safe_write::{Proposal, sha256};
use proctor_core::workflow::{Event, Stage};

use super::DriveError;
use super::audience::Approver;
use super::case::{Base, Case, digest};
use super::replacement::Permitted;
use super::reply::Halt;
use crate::files::{Expected, FileChange, Root};
use crate::git::{Change, FileMode};
use crate::journal::Journal;
use crate::run_data::Kept;

/// Writes a model's reply to the tree and the worktree.
pub(super) struct Writing<'c> {
    pub(super) case: Case<'c>,
    /// Where permissions are noted.
    pub(super) journal: &'c mut Journal,
    /// The person to ask about writes.
    pub(super) approver: &'c mut dyn Approver,
}

impl Writing<'_> {
    pub(super) fn apply_reply(&mut self) -> Result<Event, DriveError> {
        match self.use_reply() {
            Ok(event) => Ok(event),
            Err(Halt::Instead(event)) => Ok(*event),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    fn use_reply(&mut self) -> Result<Event, Halt> {
        let base = self.case.base()?;
        let files = self.read_reply(&base.entries)?;
        let tree = self.tree_before().clone();
        let contents = self.contents_before(&tree, &files)?;
        let mut proposals = self.resolve(files, contents, &base.entries)?;
        let permitted = self.permissions(&mut proposals)?;
        let write = |proposal: Proposal| Change::Write {
            mode: base.mode_of(&proposal.path),
            path: proposal.path,
            content: Arc::unwrap_or_clone(proposal.after),
        };
        let changes: Vec<Change> = proposals.into_iter().map(write).collect();
        Ok(self.write(&base, &tree, &changes, &permitted)?)
    }

    /// A Delete row of the design document.
    pub(super) fn delete_file(&mut self, path: &ProjectPath) -> Result<Event, DriveError> {
        let base = self.case.base()?;
        let tree = self.tree_before().clone();
        self.write(&base, &tree, &[Change::Delete { path: path.clone() }], &[])
    }

    /// The tree that the reply's files are added to: each scaffold starts from the base again.
    fn tree_before(&self) -> &TreeId {
        let run = self.case.run();
        let tree = if run.stage() == Stage::Scaffold {
            run.base_tree()
        } else {
            run.working_tree()
        };
        tree.expect("a reply is asked for only after the worktree was made")
    }

    /// The old contents of a reply's files. Changes of tests apply to the tests that the model was shown.
    fn contents_before(
        &self,
        tree: &TreeId,
        files: &[AllowedFile],
    ) -> Result<Vec<Option<Vec<u8>>>, DriveError> {
        let run = self.case.run();
        let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut contents = self.case.objects().files_at(tree, &names)?;
        if let (Stage::Scaffold, Some(shown)) = (run.stage(), run.tree()) {
            let now = self.case.objects().files_at(shown, &names)?;
            for ((file, content), now) in files.iter().zip(&mut contents).zip(now) {
                let changes = matches!(file.body, Body::Edits(_));
                if changes && run.test_files().contains(&file.path) {
                    *content = now;
                }
            }
        }
        Ok(contents)
    }

    /// The changes into the tree; if nothing is left to be asked for, the whole round into the worktree.
    fn write(
        &mut self,
        base: &Base,
        tree: &TreeId,
        changes: &[Change],
        permitted: &[Permitted],
    ) -> Result<Event, DriveError> {
        let paths: Vec<ProjectPath> = changes.iter().map(|change| change.path().clone()).collect();
        let tree = self.case.objects().write_tree(tree, changes)?;
        let is_complete = self.case.run().completes_round(&paths);
        if is_complete {
            let root = self.case.worktree_root()?;
            if let Some(event) = self.lay_out(&root, base, &tree, &paths)? {
                return Ok(event);
            }
        }
        self.note_permissions(permitted)?;
        let carried = self.case.carry(&tree)?;
        let kept = if is_complete {
            Kept::Candidate
        } else {
            Kept::Staged
        };
        self.case.data().keep(kept, &tree)?;
        Ok(Event::FilesWritten {
            paths,
            tree,
            carried,
        })
    }

    /// Writes the files of a complete round, unless one of them was changed meanwhile.
    fn lay_out(
        &self,
        root: &Root,
        base: &Base,
        tree: &TreeId,
        paths: &[ProjectPath],
    ) -> Result<Option<Event>, DriveError> {
        let run = self.case.run();
        let staged = run.staged();
        let mut all: Vec<&ProjectPath> = staged.iter().flat_map(|staged| &staged.files).collect();
        all.extend(paths);
        let names: Vec<&str> = all.iter().map(|path| path.as_str()).collect();
        let contents = self.case.objects().files_at(tree, &names)?;
        let seen = staged.iter().flat_map(|staged| &staged.seen);
        let seen: Vec<&SeenFile> = seen
            .chain(run.pending().iter().flat_map(|reply| &reply.seen))
            .collect();
        for (path, content) in all.iter().zip(&contents) {
            let before = seen.iter().find(|seen| seen.path == **path);
            if let Some(before) = before {
                let now = digest(root, path)?;
                // After a crash it may have been written already.
                if now != before.digest && now != content.as_deref().map(sha256) {
                    return Ok(Some(self.changed_meanwhile(path)));
                }
            }
        }
        if run.stage() == Stage::Scaffold {
            self.undo_earlier_scaffold(root, base, paths)?;
        }
        // One transaction: all files or none.
        let changes: Vec<FileChange<'_>> = all
            .into_iter()
            .zip(&contents)
            .map(|(path, content)| match content {
                Some(content) => FileChange::Write {
                    path,
                    content,
                    // Looked at above, by digest.
                    expected: Expected::Anything,
                    executable: base.entries.get(path.as_str()) == Some(&FileMode::Executable),
                },
                None => FileChange::Remove { path },
            })
            .collect();
        root.apply(&changes)?;
        Ok(None)
    }

    fn changed_meanwhile(&self, path: &ProjectPath) -> Event {
        let mut reason = format!(
            "{path} was changed in the worktree since the model was asked about it; nothing was written"
        );
        if let Some(tree) = self.case.run().tree() {
            let _ = write!(
                reason,
                "; `git -C {} restore --source {} -- {path}` puts it back",
                self.case.row.worktree.display(),
                tree.as_str()
            );
        }
        Event::FileChanged { reason }
    }

    /// Files of a scaffold that was sent back: as they were at the base, or gone.
    fn undo_earlier_scaffold(
        &self,
        root: &Root,
        base: &Base,
        again: &[ProjectPath],
    ) -> Result<(), DriveError> {
        let gone: Vec<_> = self
            .case
            .run()
            .test_files()
            .iter()
            .filter(|path| !again.contains(path))
            .collect();
        let names: Vec<&str> = gone.iter().map(|path| path.as_str()).collect();
        let contents = self.case.objects().files_at(&base.tree, &names)?;
        for (path, content) in gone.into_iter().zip(contents) {
            let executable = base.entries.get(path.as_str()) == Some(&FileMode::Executable);
            match content {
                Some(content) => root.write(path, &content, executable)?,
                None => root.remove(path)?,
            }
        }
        Ok(())
    }
}
