//! A tree that a person approved as the next commit of their branch.
//!
//! The shown tree is the committed tree. Neither the index nor the files are read again in between.

use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::{CommitId, TreeId};
use thiserror::Error;

use super::snapshot::{Index, parse_index};
use super::{Checkout, Head};
use crate::files::LockFile;
use crate::git::invocation::Call;
use crate::git::{ChangedFile, CommitMessage, GitError};

/// Why a commit was not made, or not finished.
#[derive(Debug, Error)]
pub enum OwnCommitError {
    /// Another process is about to change the index; nothing was committed.
    #[error("another git process works in this repository: {} is there", path.display())]
    IndexLocked {
        /// The lock's path.
        path: PathBuf,
    },
    /// Git failed; nothing was committed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The branch has the commit, but a later step failed.
    #[error("committed as {}, but that could not be finished: {source}", commit.short())]
    Unfinished {
        /// The commit.
        commit: CommitId,
        /// The error.
        source: GitError,
    },
}

impl Explained for OwnCommitError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::IndexLocked { .. } => {
                "nothing was committed; wait until that process has ended, or remove the file if there is none, then review again"
            }
            Self::Git(error) => return error.hints(),
            Self::Unfinished { .. } => {
                "the commit is on the branch; `git status` says what the index has of it"
            }
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for OwnCommitError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(OwnCommitError {
            OwnCommitError::IndexLocked { .. } => OwnCommitError::IndexLocked { path: "PATH".into() },
            OwnCommitError::Git(_) => OwnCommitError::Git(GitError::sample()),
            OwnCommitError::Unfinished { .. } => OwnCommitError::Unfinished {
                commit: CommitId::parse(&"0".repeat(40)).expect("forty digits"),
                source: GitError::File(std::io::Error::other("REASON")),
            },
        })
    }
}

/// A commit to be made of a tree.
#[derive(Debug)]
pub struct OwnCommit<'a> {
    /// Where it goes, as it was when the tree was shown.
    pub head: &'a Head,
    /// The tree of `head`.
    pub before: &'a TreeId,
    /// The approved tree.
    pub tree: &'a TreeId,
    /// The approver, the time and the commit message.
    pub message: CommitMessage<'a>,
}

impl Checkout<'_> {
    /// A hardened call on the checkout and its index.
    fn call(&self, command: &str) -> Call<'_> {
        let git = &self.repository.git;
        git.call_in_checkout(&self.git_directory, &git.top, command)
    }

    /// Makes the commit and moves the branch, if it is still where it was; then has the index of the
    /// checkout know the files of the commit that it did not know.
    pub fn commit(&self, request: &OwnCommit<'_>) -> Result<CommitId, OwnCommitError> {
        let head = request.head;
        let objects = self.repository.objects();
        let parents: Vec<&CommitId> = head.commit.iter().collect();
        let commit = objects.write_commit(request.tree, &parents, request.message)?;
        let known: Vec<&str> = head.commit.iter().map(CommitId::as_str).collect();
        objects.flush(&commit, &known)?;
        let changed = objects.changed_files(request.before, request.tree)?;
        // As git does it: the index is locked before the branch moves, and replaced after that.
        let index = self.next_index(&changed)?;
        let old = head.commit.as_ref().map_or_else(
            || self.repository.git.no_object(),
            |commit| commit.as_str().to_owned(),
        );
        self.call("update-ref")
            // For the reflog.
            .variable("GIT_COMMITTER_NAME", &request.message.person.name)
            .variable("GIT_COMMITTER_EMAIL", &request.message.person.email)
            .arguments(["-m", "proctor: commit what was approved", "--create-reflog"])
            .arguments([head.reference.as_str(), commit.as_str(), old.as_str()])
            .bytes()?;
        let finished = index.put().map_err(GitError::from).and_then(|()| {
            if head.reference == "HEAD" {
                flush_head(&self.git_directory)
            } else {
                self.repository.refs().flush(&head.reference)
            }
        });
        match finished {
            Ok(()) => Ok(commit),
            Err(source) => Err(OwnCommitError::Unfinished { commit, source }),
        }
    }

    /// The checkout's index with the files to commit, behind its lock. A file that was staged differently in the
    /// meantime is left as it is there.
    fn next_index(&self, changed: &[ChangedFile]) -> Result<LockFile, OwnCommitError> {
        let path = self.git_directory.join("index");
        let lock = LockFile::take(&path).map_err(GitError::from)?;
        let mut lock = lock.ok_or_else(|| OwnCommitError::IndexLocked {
            path: self.git_directory.join("index.lock"),
        })?;
        let index = self.copy_of_index()?;
        let call = |command: &str| self.call(command).variable("GIT_INDEX_FILE", index.file());
        let listing = call("ls-files")
            .arguments(["-z", "--stage", "-v"])
            .bytes()?;
        let lines = self.lines_for(changed, &parse_index(&listing));
        call("update-index")
            .arguments(["-z", "--index-info"])
            .input(lines)
            .bytes()?;
        lock.fill(&index.bytes()?).map_err(GitError::from)?;
        Ok(lock)
    }

    /// The lines for `update-index` so that an index has these changes.
    fn lines_for(&self, changed: &[ChangedFile], staged: &Index) -> Vec<u8> {
        let mut lines = Vec::new();
        for file in changed {
            let now = staged.get(&file.path);
            let as_before = match (&file.before, now) {
                (None, None) => true,
                (Some((mode, id)), Some(entry)) => *mode == entry.mode && id.as_str() == entry.id,
                _ => false,
            };
            if !as_before {
                continue;
            }
            let (mode, id) = match &file.after {
                Some((mode, id)) => (mode.octal(), id.as_str().to_owned()),
                None => ("0", self.repository.git.no_object()),
            };
            lines.extend_from_slice(format!("{mode} {id}\t").as_bytes());
            lines.extend_from_slice(&file.path);
            lines.push(0);
        }
        lines
    }
}

fn flush_head(git_directory: &Path) -> Result<(), GitError> {
    std::fs::File::open(git_directory.join("HEAD"))?.sync_all()?;
    std::fs::File::open(git_directory)?.sync_all()?;
    Ok(())
}
