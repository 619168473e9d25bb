//! Contents, trees and commits: made from bytes that Proctor holds, and read.

mod changed;
mod contents;
mod line;
mod writing;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proctor_core::object_id::{CommitId, TreeId};

use super::durable::flush;
use super::error::{failure, unexpected};
use super::invocation::Git;
use super::private_index::PrivateIndex;
use super::{FileMode, GitError};

pub use changed::ChangedFile;
pub use line::LineCommit;
pub use writing::Change;

/// A tree's paths and their modes.
pub type Entries = BTreeMap<String, FileMode>;

/// Cached facts that cannot change.
#[derive(Debug, Default)]
pub(super) struct Known {
    trees: HashMap<CommitId, TreeId>,
    entries: Option<(TreeId, Arc<Entries>)>,
}

/// The objects of a repository. An object never changes, so cached facts stay true, and writing the same again is
/// harmless.
#[derive(Debug, Clone, Copy)]
pub struct Objects<'a> {
    pub(super) git: &'a Git,
    pub(super) known: &'a Mutex<Known>,
}

impl Objects<'_> {
    /// The cached facts; nothing in them could be left half done.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tree of a commit; asked for once, since it cannot change.
    pub fn tree_of(&self, commit: &CommitId) -> Result<TreeId, GitError> {
        if let Some(tree) = self.known().trees.get(commit) {
            return Ok(tree.clone());
        }
        let found = self
            .git
            .resolve(&format!("{commit}^{{tree}}"))?
            .unwrap_or_default();
        let tree = TreeId::parse(&found).map_err(|_| unexpected("rev-parse", found.as_bytes()))?;
        self.remember_tree(commit, tree.clone());
        Ok(tree)
    }

    pub(super) fn remember_tree(&self, commit: &CommitId, tree: TreeId) {
        self.known().trees.insert(commit.clone(), tree);
    }

    /// Everything in a tree: path and mode. Names that are not text are left out; no rule can be about them, and their
    /// bytes stay unchanged.
    pub fn entries(&self, tree: &TreeId) -> Result<Arc<Entries>, GitError> {
        if let Some((of, entries)) = &self.known().entries
            && of == tree
        {
            return Ok(Arc::clone(entries));
        }
        let index = PrivateIndex::new()?;
        let bytes = self
            .git
            .call(&index, "ls-tree")
            .arguments(["-r", "-z", "--full-tree", tree.as_str()])
            .bytes()?;
        let mut entries = Entries::new();
        for line in bytes.split(|byte| *byte == 0) {
            let Ok(line) = std::str::from_utf8(line) else {
                continue;
            };
            let Some((meta, path)) = line.split_once('\t') else {
                continue;
            };
            if let Some(mode) = meta.split(' ').next().and_then(FileMode::parse) {
                entries.insert(path.to_owned(), mode);
            }
        }
        let entries = Arc::new(entries);
        self.known().entries = Some((tree.clone(), Arc::clone(&entries)));
        Ok(entries)
    }

    /// Writes a tree's files, byte for byte, into an empty directory.
    pub fn materialise(&self, tree: &TreeId, directory: &Path) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        self.git
            .call_on_objects(&index, "read-tree")?
            .arguments([tree.as_str()])
            .bytes()?;
        let mut prefix = directory.as_os_str().to_owned();
        prefix.push("/");
        let mut argument = std::ffi::OsString::from("--prefix=");
        argument.push(prefix);
        self.git
            .call_on_objects(&index, "checkout-index")?
            .arguments(["--all", "--force"])
            .arguments([argument])
            .bytes()?;
        Ok(())
    }

    /// The path of a loose object, and its directory.
    fn loose(&self, id: &str) -> (PathBuf, PathBuf) {
        let directory = self.git.common.join("objects").join(&id[..2]);
        let file = directory.join(&id[2..]);
        (directory, file)
    }

    /// Flushes the objects of a commit that none of `known` leads to. Objects in packs are left out: git flushes packs
    /// itself.
    pub(super) fn flush(&self, commit: &CommitId, known: &[&str]) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        let listing = self
            .git
            .call(&index, "rev-list")
            .arguments(["--objects", "--no-object-names", commit.as_str(), "--not"])
            .arguments(known.iter().copied())
            .text()?;
        let mut directories = BTreeSet::new();
        for id in listing.lines().filter(|id| id.len() > 2) {
            let (directory, file) = self.loose(id);
            if flush(&file)? {
                directories.insert(directory);
            }
        }
        for directory in &directories {
            flush(directory)?;
        }
        flush(&self.git.common.join("objects"))?;
        Ok(())
    }

    /// Whether `ancestor` is part of `descendant`'s history.
    pub fn contains(&self, descendant: &CommitId, ancestor: &CommitId) -> Result<bool, GitError> {
        let index = PrivateIndex::new()?;
        let output = self
            .git
            .call(&index, "merge-base")
            .arguments(["--is-ancestor", ancestor.as_str(), descendant.as_str()])
            .output()?;
        match output.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failure("merge-base", &output)),
        }
    }

    /// The attribute files of a tree that hand files to a filter program, such as large-file storage.
    /// The tests see those files as git stores them.
    pub fn filtered_by(&self, tree: &TreeId, entries: &Entries) -> Result<Vec<String>, GitError> {
        let is_attributes =
            |path: &&str| *path == ".gitattributes" || path.ends_with("/.gitattributes");
        let paths: Vec<&str> = entries
            .keys()
            .map(String::as_str)
            .filter(is_attributes)
            .collect();
        let contents = self.files_at(tree, &paths)?;
        let found = paths.into_iter().zip(contents).filter(|(_, content)| {
            let text = String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned();
            text.lines()
                .any(|line| !line.trim_start().starts_with('#') && line.contains("filter="))
        });
        Ok(found.map(|(path, _)| path.to_owned()).collect())
    }
}
