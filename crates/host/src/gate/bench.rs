//! The scratch workspace in which trees are checked out to be judged.
//!
//! Checking out a large tree takes longer than many test suites, so the bench keeps its files and changes only those
//! that differ. That is safe as long as nothing but the bench itself writes there; after a run that could have,
//! everything is checked out again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proctor_core::dialect::is_cache;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use super::GateError;
use crate::files::{OwnFileError, Root, remove_own_directory};
use crate::git::{FileMode, Repository};
use crate::preparation::Extras;

/// With more differences than this everything is checked out again: git writes many files faster than we do.
const MOST_CHANGES: usize = 500;

/// A directory of Proctor's own, with the files of one tree in it.
#[derive(Debug)]
pub(super) struct Bench {
    directory: PathBuf,
    shown: Option<TreeId>,
    extras: Extras,
    /// Files that differ from the tree: their original contents.
    altered: BTreeMap<ProjectPath, Option<Vec<u8>>>,
}

impl Bench {
    /// A bench that is made when it is first needed.
    pub(super) fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            shown: None,
            extras: Extras::default(),
            altered: BTreeMap::new(),
        }
    }

    /// The tree that lies on it.
    pub(super) fn shown(&self) -> Option<&TreeId> {
        self.shown.as_ref()
    }

    /// Where it is.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Checks out every tree with these from now on.
    pub(super) fn set_extras(&mut self, extras: Extras) {
        self.invalidate();
        self.extras = extras;
    }

    /// The files that are copied into every tree.
    pub(super) fn extras(&self) -> &Extras {
        &self.extras
    }

    /// Checks out a tree and the extras, and nothing else.
    pub(super) fn show(&mut self, repository: &Repository, tree: &TreeId) -> Result<(), GateError> {
        if self.shown.as_ref() == Some(tree) {
            return self.restore();
        }
        let near = match self.shown.take() {
            Some(shown) => self.restore().is_ok() && self.step(repository, &shown, tree)?,
            None => false,
        };
        if !near {
            self.clear()?;
            std::fs::create_dir_all(&self.directory).map_err(|source| self.failed(source))?;
            repository.objects().materialise(tree, &self.directory)?;
            self.leave_out_caches(repository, tree)?;
            let laid = self.extras.lay_over(&self.directory);
            laid.map_err(|source| self.failed(source))?;
        }
        self.shown = Some(tree.clone());
        Ok(())
    }

    /// Compiled copies of modules are never loaded from the tree: one that does not fit its source would be.
    fn leave_out_caches(&self, repository: &Repository, tree: &TreeId) -> Result<(), GateError> {
        let entries = repository.objects().entries(tree)?;
        let caches = entries.keys().filter(|path| is_cache(path));
        let mut root = None;
        for path in caches.filter_map(|path| ProjectPath::parse(path).ok()) {
            let root = match &mut root {
                Some(root) => root,
                None => root.insert(self.root()?),
            };
            root.remove(&path)?;
        }
        Ok(())
    }

    /// From one tree to another one file at a time; `false` if that is not worth it or not possible.
    fn step(&self, repository: &Repository, from: &TreeId, to: &TreeId) -> Result<bool, GateError> {
        let mut changed = repository.objects().changed_files(from, to)?;
        // Caches lie on the bench in neither, unless their names cannot be told.
        let parsed = |path: &[u8]| ProjectPath::parse(std::str::from_utf8(path).ok()?).ok();
        changed.retain(|file| !parsed(&file.path).is_some_and(|path| is_cache(path.as_str())));
        let plain = |side: &Option<(FileMode, _)>| {
            matches!(
                side,
                None | Some((FileMode::Regular | FileMode::Executable, _))
            )
        };
        let paths: Vec<ProjectPath> = changed
            .iter()
            .filter(|file| plain(&file.before) && plain(&file.after))
            .filter_map(|file| parsed(&file.path))
            .collect();
        let in_the_way = |path: &ProjectPath| self.extras.is_in_the_way_of(path);
        if paths.len() != changed.len()
            || paths.len() > MOST_CHANGES
            || paths.iter().any(in_the_way)
        {
            return Ok(false);
        }
        let wanted: Vec<_> = changed
            .iter()
            .filter_map(|file| file.after.as_ref().map(|(_, id)| id.clone()))
            .collect();
        let mut contents = repository.objects().blobs(&wanted)?.into_iter();
        let root = self.root()?;
        // Removals come first: a file may make room for a directory.
        for (path, _) in paths
            .iter()
            .zip(&changed)
            .filter(|(_, file)| file.before.is_some())
        {
            root.remove(path)?;
            root.remove_empty_parents(path)?;
        }
        for (path, file) in paths.iter().zip(&changed) {
            let content = file.after.as_ref().and_then(|_| contents.next());
            if let (Some((mode, _)), Some(content)) = (&file.after, content) {
                root.write(path, &content, *mode == FileMode::Executable)?;
            }
        }
        Ok(true)
    }

    /// Puts other content, or none, in the place of a file until the next tree is shown.
    pub(super) fn alter(
        &mut self,
        path: &ProjectPath,
        content: Option<&[u8]>,
    ) -> Result<(), GateError> {
        let root = self.root()?;
        if !self.altered.contains_key(path) {
            let before = match root.read(path, u64::MAX - 1) {
                Ok(content) => Some(content),
                Err(crate::files::FileError::Missing { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            self.altered.insert(path.clone(), before);
        }
        set(&root, path, content)
    }

    /// Undoes every alteration.
    pub(super) fn restore(&mut self) -> Result<(), GateError> {
        if self.altered.is_empty() {
            return Ok(());
        }
        let root = self.root()?;
        for (path, before) in std::mem::take(&mut self.altered) {
            set(&root, &path, before.as_deref())?;
        }
        Ok(())
    }

    /// Another program may have written here: the next tree is checked out from scratch.
    pub(super) fn invalidate(&mut self) {
        self.shown = None;
        self.altered.clear();
    }

    /// Removes it all.
    pub(super) fn clear(&mut self) -> Result<(), GateError> {
        self.invalidate();
        remove_own_directory(&self.directory).map_err(|source| self.failed(source))
    }

    fn root(&self) -> Result<Root, GateError> {
        Root::open_scratch(&self.directory).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> GateError {
        OwnFileError::at(&self.directory)(source).into()
    }
}

fn set(root: &Root, path: &ProjectPath, content: Option<&[u8]>) -> Result<(), GateError> {
    if let Some(content) = content {
        root.write(path, content, false)?;
    } else {
        root.remove(path)?;
        root.remove_empty_parents(path)?;
    }
    Ok(())
}
