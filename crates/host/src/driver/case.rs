//! A run and its place of work: the context of every kind of work.

use std::sync::Arc;

use proctor_core::generation::{Circumstances, SeenFile, USUAL_OUTPUT_TOKENS};
use proctor_core::held_out::{HeldOut, SealedFile};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::safe_write::sha256;
use proctor_core::workflow::Run;

use super::{DriveError, Inputs};
use crate::files::{FileError, Root};
use crate::gate::Place;
use crate::git::{Change, Entries, FileMode, Objects};
use crate::journal::RunRow;
use crate::run_data::{Kept, RunData};

/// Facts about one run. It changes nothing.
#[derive(Clone, Copy)]
pub(super) struct Case<'c> {
    pub(super) place: Place<'c>,
    pub(super) inputs: &'c Inputs,
    pub(super) row: &'c RunRow,
}

/// A run's base.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub(super) commit: CommitId,
    pub(super) tree: TreeId,
    pub(super) entries: Arc<Entries>,
}

impl Base {
    /// The mode that a file keeps, or gets.
    pub(super) fn mode_of(&self, path: &ProjectPath) -> FileMode {
        let mode = self.entries.get(path.as_str());
        mode.copied().unwrap_or(FileMode::Regular)
    }
}

impl<'c> Case<'c> {
    pub(super) fn run(&self) -> &'c Run {
        &self.row.run
    }

    pub(super) fn objects(&self) -> Objects<'c> {
        self.place.repository.objects()
    }

    /// The base commit, its tree and its entries.
    pub(super) fn base(&self) -> Result<Base, DriveError> {
        let commit = self.run().base().clone();
        let tree = self.objects().tree_of(&commit)?;
        let entries = self.objects().entries(&tree)?;
        Ok(Base {
            commit,
            tree,
            entries,
        })
    }

    /// The run's data.
    pub(super) fn data(&self) -> RunData<'c> {
        RunData::of(self.place.repository, self.row)
    }

    /// The actor, for the trail.
    pub(super) fn actor(&self) -> String {
        actor(self.place)
    }

    pub(super) fn worktree_root(&self) -> Result<Root, DriveError> {
        let path = &self.row.worktree;
        Root::open(path).map_err(|source| DriveError::WorktreeGone {
            path: path.clone(),
            source,
        })
    }

    /// Files as they are in the worktree now.
    pub(super) fn seen<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p ProjectPath>,
    ) -> Result<Vec<SeenFile>, DriveError> {
        let root = self.worktree_root()?;
        let file = |path: &ProjectPath| {
            Ok(SeenFile {
                path: path.clone(),
                digest: digest(&root, path)?,
            })
        };
        paths.into_iter().map(file).collect()
    }

    /// The files of a tree among these, as text.
    pub(super) fn texts_at(
        &self,
        tree: &TreeId,
        paths: &[&str],
    ) -> Result<Vec<(String, String)>, DriveError> {
        let contents = self.objects().files_at(tree, paths)?;
        let found = paths.iter().zip(contents).filter_map(|(path, content)| {
            let text = String::from_utf8(content?).ok()?;
            Some(((*path).to_owned(), text))
        });
        Ok(found.collect())
    }

    /// Tests that are written again, with the source files that were set aside for them; both are kept.
    pub(super) fn carry(&self, tests: &TreeId) -> Result<Option<TreeId>, DriveError> {
        let run = self.run();
        let Some(aside) = run.set_aside() else {
            return Ok(None);
        };
        self.data().keep(Kept::SetAside, aside)?;
        self.with_sources_of(aside, tests).map(Some)
    }

    /// The tests of one tree with the run's source files of another.
    pub(super) fn with_sources_of(
        &self,
        sources: &TreeId,
        tests: &TreeId,
    ) -> Result<TreeId, DriveError> {
        let base = self.base()?;
        let paths = self.run().source_files();
        let names: Vec<&str> = paths.iter().map(ProjectPath::as_str).collect();
        let contents = self.objects().files_at(sources, &names)?;
        let changes: Vec<Change> = paths
            .iter()
            .zip(contents)
            .map(|(path, content)| match content {
                Some(content) => Change::Write {
                    mode: base.mode_of(path),
                    path: path.clone(),
                    content,
                },
                None => Change::Delete { path: path.clone() },
            })
            .collect();
        let tree = self.objects().write_tree(tests, &changes)?;
        self.data().keep(Kept::Carried, &tree)?;
        Ok(tree)
    }

    /// The sealed tests that the implementing model is not shown.
    pub(super) fn held_out(&self) -> Result<HeldOut, DriveError> {
        let run = self.run();
        let Some(sealed) = run.sealed() else {
            return Ok(HeldOut::default());
        };
        let paths: Vec<&str> = sealed.files.iter().map(ProjectPath::as_str).collect();
        let texts = self.texts_at(&sealed.tree, &paths)?;
        let before = self.texts_at(&sealed.base, &paths)?;
        let base = |path: &str| {
            let mut before = before.iter();
            let found = before.find(|(name, _)| name == path);
            found.map(|(_, text)| text.as_str())
        };
        let files: Vec<SealedFile<'_>> = texts
            .iter()
            .map(|(path, text)| SealedFile {
                path,
                text,
                base: base(path),
            })
            .collect();
        let share = self.inputs.settings.test.held_out;
        Ok(HeldOut::choose(
            &files,
            &sealed.tree,
            share,
            run.failed_tests(),
        ))
    }

    /// The circumstances that decide how a file is asked for, and what a reply may bring.
    pub(super) fn circumstances(&self) -> Circumstances {
        let run = self.run();
        let limit = self.inputs.settings.model.max_output_tokens;
        Circumstances {
            autonomy: run.started().autonomy,
            output_limit: limit.unwrap_or(USUAL_OUTPUT_TOKENS),
            changes_were_unreadable: run.changes_were_unreadable(),
            was_cut_off: run.attempts_here().cut_off() > 0,
        }
    }
}

/// The actor in a place, for the trail.
pub(super) fn actor(place: Place<'_>) -> String {
    let person = place.repository.person().ok().flatten();
    person.map_or_else(
        || "a person git does not know".to_owned(),
        |person| person.to_string(),
    )
}

/// The digest of a file, if it exists. Any other entry has a digest that no file has.
pub(super) fn digest(root: &Root, path: &ProjectPath) -> Result<Option<String>, FileError> {
    match root.read(path, u64::MAX - 1) {
        Ok(content) => Ok(Some(sha256(&content))),
        Err(FileError::Missing { .. }) => Ok(None),
        Err(FileError::Symlink { .. } | FileError::NotRegular { .. }) => Ok(Some(String::new())),
        Err(error) => Err(error),
    }
}
