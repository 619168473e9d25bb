//! An index of our own, and the least of a repository next to it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::GitError;

/// Attributes that outrank those of a tree, for a git that cannot be told to ignore them: the stored bytes are written
/// unchanged.
const NO_CONVERSION: &str = "* !text !eol !crlf !ident !filter !working-tree-encoding\n";

/// An index that no other process knows of.
pub(super) struct PrivateIndex {
    directory: TempDir,
}

impl PrivateIndex {
    /// A directory of our own outside the repository, with an index in it that no other process uses.
    pub(super) fn new() -> Result<Self, GitError> {
        let directory = tempfile::Builder::new()
            .prefix("proctor-index-")
            .tempdir()?;
        Ok(Self { directory })
    }

    /// Its path; it also serves as the work tree that some plumbing insists on.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The index itself.
    pub(super) fn file(&self) -> PathBuf {
        self.directory.path().join("index")
    }

    /// Makes it a copy of another index.
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of our own that is gone in a moment: nothing there is worth flushing"
    )]
    pub(super) fn fill(&self, bytes: &[u8]) -> Result<(), GitError> {
        Ok(std::fs::write(self.file(), bytes)?)
    }

    /// The index's bytes.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, GitError> {
        Ok(std::fs::read(self.file())?)
    }

    /// The least that git accepts as a repository, next to the index.
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of our own that is gone in a moment: nothing there is worth flushing"
    )]
    pub(super) fn git_directory(&self, sha256: bool) -> Result<PathBuf, GitError> {
        let directory = self.directory.path().join("git");
        let config = if sha256 {
            "[core]\nrepositoryFormatVersion = 1\n[extensions]\nobjectFormat = sha256\n"
        } else {
            "[core]\nrepositoryFormatVersion = 0\n"
        };
        std::fs::create_dir_all(directory.join("refs"))?;
        std::fs::create_dir_all(directory.join("info"))?;
        std::fs::write(directory.join("info/attributes"), NO_CONVERSION)?;
        std::fs::write(directory.join("HEAD"), "ref: refs/heads/none\n")?;
        std::fs::write(directory.join("config"), config)?;
        Ok(directory)
    }
}
