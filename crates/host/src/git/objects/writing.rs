//! Objects made from bytes that Proctor holds, not from files that git finds in a directory.

use proctor_core::object_id::{BlobId, CommitId, TreeId};
use proctor_core::path::ProjectPath;

use super::Objects;
use crate::git::durable::flush;
use crate::git::error::unexpected;
use crate::git::private_index::PrivateIndex;
use crate::git::{CommitMessage, FileMode, GitError};

/// One change on the way from one tree to the next.
#[derive(Debug, Clone)]
pub enum Change {
    /// This path has this content.
    Write {
        /// The file's path.
        path: ProjectPath,
        /// Its content.
        content: Vec<u8>,
        /// Its mode.
        mode: FileMode,
    },
    /// This path is gone.
    Delete {
        /// The file's path.
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

impl Objects<'_> {
    /// `tree` with `changes` on top.
    pub fn write_tree(&self, tree: &TreeId, changes: &[Change]) -> Result<TreeId, GitError> {
        let index = PrivateIndex::new()?;
        self.git
            .call(&index, "read-tree")
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
                    let zero = self.git.no_object();
                    lines.extend_from_slice(format!("0 {zero}\t{path}\0").as_bytes());
                }
            }
        }
        self.write_index(&index, lines)
    }

    /// The tree without any file.
    pub fn empty_tree(&self) -> Result<TreeId, GitError> {
        let index = PrivateIndex::new()?;
        let text = self.git.call(&index, "mktree").text()?;
        TreeId::parse(&text).map_err(|_| unexpected("mktree", text.as_bytes()))
    }

    pub(in crate::git) fn write_index(
        &self,
        index: &PrivateIndex,
        lines: Vec<u8>,
    ) -> Result<TreeId, GitError> {
        if !lines.is_empty() {
            self.git
                .call(index, "update-index")
                .arguments(["-z", "--index-info"])
                .input(lines)
                .bytes()?;
        }
        let text = self.git.call(index, "write-tree").text()?;
        TreeId::parse(&text).map_err(|_| unexpected("write-tree", text.as_bytes()))
    }

    pub(in crate::git) fn write_blob(
        &self,
        index: &PrivateIndex,
        content: &[u8],
    ) -> Result<BlobId, GitError> {
        let text = self
            .git
            .call(index, "hash-object")
            .arguments(["-w", "--no-filters", "--stdin"])
            .input(content)
            .text()?;
        BlobId::parse(&text).map_err(|_| unexpected("hash-object", text.as_bytes()))
    }

    /// Makes a commit object. The same arguments give the same commit, so repeating this is harmless.
    pub fn write_commit(
        &self,
        tree: &TreeId,
        parents: &[&CommitId],
        message: CommitMessage<'_>,
    ) -> Result<CommitId, GitError> {
        let index = PrivateIndex::new()?;
        let date = format!("{} +0000", message.seconds);
        let mut call = self.git.call(&index, "commit-tree");
        for role in ["AUTHOR", "COMMITTER"] {
            call = call
                .variable(&format!("GIT_{role}_NAME"), &message.person.name)
                .variable(&format!("GIT_{role}_EMAIL"), &message.person.email)
                .variable(&format!("GIT_{role}_DATE"), &date);
        }
        let text = call
            .arguments([tree.as_str(), "-F", "-"])
            .arguments(parents.iter().flat_map(|parent| ["-p", parent.as_str()]))
            .input(message.text)
            .text()?;
        CommitId::parse(&text).map_err(|_| unexpected("commit-tree", text.as_bytes()))
    }

    /// Writes a tree of plain files; all of it is on the disk when this returns.
    pub fn write_kept_tree(&self, files: &[(&str, &[u8])]) -> Result<TreeId, GitError> {
        let index = PrivateIndex::new()?;
        let mut lines = Vec::new();
        for (name, content) in files {
            let blob = self.write_content(content)?;
            let mode = FileMode::Regular.octal();
            lines.extend_from_slice(format!("{mode} {blob}\t{name}\0").as_bytes());
        }
        let tree = self.write_index(&index, lines)?;
        let (directory, file) = self.loose(tree.as_str());
        if flush(&file)? {
            flush(&directory)?;
        }
        Ok(tree)
    }

    /// Writes a content; it is on the disk when this returns.
    pub fn write_content(&self, content: &[u8]) -> Result<BlobId, GitError> {
        let index = PrivateIndex::new()?;
        let blob = self.write_blob(&index, content)?;
        let (directory, file) = self.loose(blob.as_str());
        // One in a pack is left to git.
        if flush(&file)? {
            flush(&directory)?;
        }
        Ok(blob)
    }
}
