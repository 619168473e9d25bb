//! Trees, files and commits, made from bytes that Proctor holds.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError};

use proctor_core::object_id::{BlobId, CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::review_gate::FileMode;

use super::error::unexpected;
use super::invocation::Repository;
use super::private_index::PrivateIndex;
use super::{GitError, Person};

/// One change on the way from one tree to the next.
#[derive(Debug, Clone)]
pub enum Change {
    /// This path has this content.
    Write {
        /// Where.
        path: ProjectPath,
        /// What.
        content: Vec<u8>,
        /// How.
        mode: FileMode,
    },
    /// This path is gone.
    Delete {
        /// Which.
        path: ProjectPath,
    },
}

impl Change {
    /// The path that changes.
    pub fn path(&self) -> &ProjectPath {
        match self {
            Self::Write { path, .. } | Self::Delete { path } => path,
        }
    }
}

/// A tree's paths and their modes.
pub type Entries = BTreeMap<String, FileMode>;

/// What was looked up already and cannot change.
#[derive(Debug, Default)]
pub(super) struct Known {
    trees: HashMap<CommitId, TreeId>,
    entries: Option<(TreeId, Arc<Entries>)>,
}

/// A path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its name, in bytes as git has it.
    pub path: Vec<u8>,
    /// Mode and content before, if it was there.
    pub before: Option<(FileMode, BlobId)>,
    /// Mode and content after, if it still is.
    pub after: Option<(FileMode, BlobId)>,
}

impl Repository {
    /// What was found out already; nothing that could be left half done.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The commit that a branch, or anything else git can name, points at.
    pub fn commit(&self, revision: &str) -> Result<Option<CommitId>, GitError> {
        self.resolve(&format!("{revision}^{{commit}}"))
            .map(|found| found.and_then(|id| CommitId::parse(&id).ok()))
    }

    /// The tree of a commit; asked for once, since it cannot change.
    pub fn tree_of(&self, commit: &CommitId) -> Result<TreeId, GitError> {
        if let Some(tree) = self.known().trees.get(commit) {
            return Ok(tree.clone());
        }
        let found = self
            .resolve(&format!("{commit}^{{tree}}"))?
            .unwrap_or_default();
        let tree = TreeId::parse(&found).map_err(|_| unexpected("rev-parse", found.as_bytes()))?;
        self.remember_tree(commit, tree.clone());
        Ok(tree)
    }

    pub(super) fn remember_tree(&self, commit: &CommitId, tree: TreeId) {
        self.known().trees.insert(commit.clone(), tree);
    }

    fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        let index = PrivateIndex::new()?;
        let output = self
            .call(&index, "rev-parse")
            .arguments(["--verify", "--quiet", "--end-of-options", name])
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.success() && !text.is_empty()).then_some(text))
    }

    /// The short name of the branch that is checked out, or `None` for a detached HEAD.
    pub fn current_branch(&self) -> Result<Option<String>, GitError> {
        // The one question about the user's checkout that the common directory cannot answer.
        let output = self
            .call_as_user("symbolic-ref")
            .variable("GIT_DIR", self.git_directory_of(&self.top)?)
            .arguments(["--quiet", "HEAD"])
            .output()?;
        // Not `--short`: that gives `heads/main` where a tag is called `main` too.
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let branch = text.strip_prefix("refs/heads/").map(str::to_owned);
        Ok(branch.filter(|_| output.success()))
    }

    /// `tree` with `changes` on top.
    pub fn write_tree(&self, tree: &TreeId, changes: &[Change]) -> Result<TreeId, GitError> {
        let index = PrivateIndex::new()?;
        self.call(&index, "read-tree")
            .arguments([tree.as_str()])
            .bytes()?;
        let mut lines = Vec::new();
        for change in changes {
            match change {
                Change::Write {
                    path,
                    content,
                    mode,
                } => {
                    let blob = self.write_blob(&index, content)?;
                    lines
                        .extend_from_slice(format!("{} {blob}\t{path}\0", mode.octal()).as_bytes());
                }
                Change::Delete { path } => {
                    let zero = "0".repeat(self.empty_tree.len());
                    lines.extend_from_slice(format!("0 {zero}\t{path}\0").as_bytes());
                }
            }
        }
        self.write_index(&index, lines)
    }

    pub(super) fn write_index(
        &self,
        index: &PrivateIndex,
        lines: Vec<u8>,
    ) -> Result<TreeId, GitError> {
        if !lines.is_empty() {
            self.call(index, "update-index")
                .arguments(["-z", "--index-info"])
                .input(lines)
                .bytes()?;
        }
        let text = self.call(index, "write-tree").text()?;
        TreeId::parse(&text).map_err(|_| unexpected("write-tree", text.as_bytes()))
    }

    pub(super) fn write_blob(
        &self,
        index: &PrivateIndex,
        content: &[u8],
    ) -> Result<BlobId, GitError> {
        let text = self
            .call(index, "hash-object")
            .arguments(["-w", "--no-filters", "--stdin"])
            .input(content)
            .text()?;
        BlobId::parse(&text).map_err(|_| unexpected("hash-object", text.as_bytes()))
    }

    /// What differs between two trees. Renames are shown as what they are: one file gone, one new.
    pub fn changed_files(
        &self,
        before: &TreeId,
        after: &TreeId,
    ) -> Result<Vec<ChangedFile>, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .call(&index, "diff-tree")
            .arguments([
                "-r",
                "-z",
                "--raw",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
            ])
            .arguments(["--no-abbrev", before.as_str(), after.as_str()])
            .bytes()?;
        let mut fields = bytes.split(|byte| *byte == 0);
        let mut files = Vec::new();
        while let (Some(meta), Some(path)) = (fields.next(), fields.next()) {
            files.push(parse_raw(meta, path)?);
        }
        Ok(files)
    }

    /// Everything in a tree: path and mode. Names that are not text are left out; no rule can be about
    /// them, and the bytes stay what they are.
    pub fn entries(&self, tree: &TreeId) -> Result<Arc<Entries>, GitError> {
        if let Some((of, entries)) = &self.known().entries
            && of == tree
        {
            return Ok(Arc::clone(entries));
        }
        let index = PrivateIndex::new()?;
        let bytes = self
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
        self.call_on_objects(&index, "read-tree")?
            .arguments([tree.as_str()])
            .bytes()?;
        let mut prefix = directory.as_os_str().to_owned();
        prefix.push("/");
        let mut argument = std::ffi::OsString::from("--prefix=");
        argument.push(prefix);
        self.call_on_objects(&index, "checkout-index")?
            .arguments(["--all", "--force"])
            .arguments([argument])
            .bytes()?;
        Ok(())
    }

    /// Makes a commit object. The same arguments give the same commit, so repeating this is harmless.
    pub fn write_commit(
        &self,
        tree: &TreeId,
        parent: Option<&CommitId>,
        person: &Person,
        seconds: i64,
        message: &str,
    ) -> Result<CommitId, GitError> {
        let parents: Vec<&CommitId> = parent.into_iter().collect();
        self.write_merge(tree, &parents, person, seconds, message)
    }

    /// A commit with any number of parents.
    pub(super) fn write_merge(
        &self,
        tree: &TreeId,
        parents: &[&CommitId],
        person: &Person,
        seconds: i64,
        message: &str,
    ) -> Result<CommitId, GitError> {
        let index = PrivateIndex::new()?;
        let date = format!("{seconds} +0000");
        let mut call = self.call(&index, "commit-tree");
        for role in ["AUTHOR", "COMMITTER"] {
            call = call
                .variable(&format!("GIT_{role}_NAME"), &person.name)
                .variable(&format!("GIT_{role}_EMAIL"), &person.email)
                .variable(&format!("GIT_{role}_DATE"), &date);
        }
        let text = call
            .arguments([tree.as_str(), "-F", "-"])
            .arguments(parents.iter().flat_map(|parent| ["-p", parent.as_str()]))
            .input(message)
            .text()?;
        CommitId::parse(&text).map_err(|_| unexpected("commit-tree", text.as_bytes()))
    }

    /// Points a ref at an object, so that no clean-up of git's removes it.
    pub fn keep(&self, reference: &str, object: &str) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        self.call(&index, "update-ref")
            .arguments([reference, object])
            .bytes()
            .map(drop)
    }

    /// Keeps a content, on the disk, under a ref below `prefix` that is named after it; the ref.
    pub fn keep_content(&self, prefix: &str, content: &[u8]) -> Result<String, GitError> {
        let index = PrivateIndex::new()?;
        let blob = self.write_blob(&index, content)?;
        self.flush_object(blob.as_str())?;
        let reference = format!("{prefix}/{}", blob.as_str());
        self.keep(&reference, blob.as_str())?;
        self.flush_reference(&reference)?;
        Ok(reference)
    }

    /// Removes refs, if they are there.
    pub fn forget(&self, references: &[String]) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        let lines: Vec<String> = references
            .iter()
            .map(|name| format!("delete {name}\n"))
            .collect();
        self.call(&index, "update-ref")
            .arguments(["--stdin"])
            .input(lines.concat())
            .bytes()
            .map(drop)
    }
}

/// One record of `diff-tree --raw -z`.
fn parse_raw(meta: &[u8], path: &[u8]) -> Result<ChangedFile, GitError> {
    let text = String::from_utf8_lossy(meta);
    let parts: Vec<&str> = text.trim_start_matches(':').split(' ').collect();
    let [old_mode, new_mode, old, new, _status] = parts.as_slice() else {
        return Err(unexpected("diff-tree", meta));
    };
    let side = |mode: &str, id: &str| FileMode::parse(mode).zip(BlobId::parse(id).ok());
    Ok(ChangedFile {
        path: path.to_vec(),
        before: side(old_mode, old),
        after: side(new_mode, new),
    })
}
