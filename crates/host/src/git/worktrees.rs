//! The run's worktree: made from the base commit, removed only after everything in it is safe.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::{CommitId, TreeId};
use thiserror::Error;

use super::checkout::{SnapshotError, Submodules, WorkingFiles};
use super::private_index::PrivateIndex;
use super::repository::Repository;
use super::{CommitMessage, GitError};
use crate::files::remove_own_directory;

/// Why there is no worktree.
#[derive(Debug, Error)]
pub enum WorktreeError {
    /// A branch of that name has other commits.
    #[error("branch {branch} already exists and is not at the base commit")]
    BranchDiverged {
        /// The branch's name.
        branch: String,
        /// The commit it was compared with.
        base: CommitId,
    },
    /// The branch is checked out somewhere else.
    #[error("branch {branch} is checked out at {at}")]
    BranchInUse {
        /// The branch's name.
        branch: String,
        /// The path of the checkout.
        at: String,
    },
    /// Something in the worktree cannot be saved, so it is not removed.
    #[error("{path} cannot be saved, so the worktree stays: {problem}")]
    NotSaved {
        /// The file's name.
        path: String,
        /// The reason.
        problem: String,
    },
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for WorktreeError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::BranchDiverged { branch, base } => {
                format!("look at it with `git log {base}..{branch}`, then rename or delete it")
            }
            Self::BranchInUse { at, .. } => {
                format!("switch {at} to another branch, or remove that worktree")
            }
            Self::NotSaved { .. } => "move it away and run the command again".to_owned(),
            Self::Git(error) => return error.hints(),
        }]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for WorktreeError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(WorktreeError {
            WorktreeError::BranchDiverged { .. } => WorktreeError::BranchDiverged {
                branch: "BRANCH".to_owned(),
                base: CommitId::parse(&"0".repeat(40)).expect("forty digits"),
            },
            WorktreeError::BranchInUse { .. } => WorktreeError::BranchInUse { branch: "BRANCH".to_owned(), at: "PATH".to_owned() },
            WorktreeError::NotSaved { .. } => WorktreeError::NotSaved { path: "PATH".to_owned(), problem: "REASON".to_owned() },
            WorktreeError::Git(_) => WorktreeError::Git(GitError::sample()),
        })
    }
}

impl From<SnapshotError> for WorktreeError {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Unreadable { path, problem } => Self::NotSaved { path, problem },
            SnapshotError::Git(error) => error.into(),
        }
    }
}

/// A worktree that is to be removed.
#[derive(Debug)]
pub struct WorktreeRemoval<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// Its branch, by its short name.
    pub branch: &'a str,
    /// The tree that is safe already.
    pub settled: &'a TreeId,
    /// The ref that keeps uncommitted files.
    pub rescue: &'a str,
    /// Of the commit that the ref leads to.
    pub message: CommitMessage<'a>,
    /// Refs that nothing needs once the worktree is gone.
    pub obsolete: &'a [String],
}

/// An entry of `git worktree list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    pub(super) branch: Option<String>,
    /// Whether it is the repository's main checkout, which Proctor did not create.
    pub(super) main: bool,
}

impl Listed {
    /// Git resolves links in the path that it was given; the caller's path may still have them.
    fn is_at(&self, path: &Path) -> bool {
        resolved(&self.path) == resolved(path)
    }
}

/// The path without links, as far as it exists.
pub fn resolved(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(found), ..) => found,
        (Err(_), Some(parent), Some(name)) => resolved(parent).join(name),
        _ => path.to_owned(),
    }
}

/// Worktrees that Proctor makes for its runs. One is removed only after everything in it that no commit has is under a ref.
#[derive(Debug)]
pub struct Worktrees<'a> {
    pub(super) repository: &'a Repository,
}

impl Worktrees<'_> {
    /// Makes `branch` and a worktree for it at `path`. An existing branch is used if it points at the base commit; a
    /// half-made worktree of an earlier attempt is made again.
    pub fn create(&self, path: &Path, branch: &str, base: &CommitId) -> Result<(), WorktreeError> {
        for listed in self.list()? {
            if listed.is_at(path) {
                // Not journalled, so nothing but git has written there.
                self.drop(&listed)?;
            }
        }
        let existing = self.free_branch(branch, base)?;
        let (git, index) = (&self.repository.git, PrivateIndex::new()?);
        let call = git
            .call(&index, "worktree")
            .arguments(["add", "--quiet", "--no-checkout"]);
        let call = if existing.is_some() {
            call.arguments([path.as_os_str(), OsStr::new(branch)])
        } else {
            call.arguments(["--no-track", "-b", branch])
                .arguments([path.as_os_str(), OsStr::new(base.as_str())])
        };
        call.bytes()?;
        // Files are as git stores them, as the tests see them too: a filter is a program that the repository chooses.
        let directory = self.repository.git_directory_of(path)?;
        git.call_in_checkout(&directory, path, "read-tree")
            .arguments(["-m", "-u", "HEAD"])
            .bytes()?;
        Ok(())
    }

    /// Whether a run could work on this branch: it is not checked out anywhere, and if it exists it is at the base.
    pub fn free_branch(
        &self,
        branch: &str,
        base: &CommitId,
    ) -> Result<Option<CommitId>, WorktreeError> {
        let reference = format!("refs/heads/{branch}");
        let listed = self.list()?;
        let using = listed
            .iter()
            .find(|listed| listed.branch.as_ref() == Some(&reference));
        if let Some(listed) = using {
            return Err(WorktreeError::BranchInUse {
                branch: branch.to_owned(),
                at: listed.path.display().to_string(),
            });
        }
        let existing = self.repository.refs().commit(&reference)?;
        if existing.as_ref().is_some_and(|tip| tip != base) {
            return Err(WorktreeError::BranchDiverged {
                branch: branch.to_owned(),
                base: base.clone(),
            });
        }
        Ok(existing)
    }

    pub(super) fn list(&self) -> Result<Vec<Listed>, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .repository
            .git
            .call(&index, "worktree")
            .arguments(["list", "--porcelain", "-z"])
            .bytes()?;
        let mut listed: Vec<Listed> = Vec::new();
        // For a submodule, or with a separate git directory, git lists that in the checkout's place.
        let started_in_main = self.repository.git_directory_of(self.repository.top())?
            == self.repository.common_directory();
        for line in bytes.split(|byte| *byte == 0) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                // Git lists the first checkout first, always.
                let main = listed.is_empty();
                let path = PathBuf::from(OsStr::from_bytes(path));
                listed.push(Listed {
                    path: if main && started_in_main {
                        self.repository.top().to_owned()
                    } else {
                        path
                    },
                    branch: None,
                    main,
                });
            } else if let Some(branch) = line.strip_prefix(b"branch ")
                && let Some(last) = listed.last_mut()
            {
                last.branch = Some(String::from_utf8_lossy(branch).into_owned());
            }
        }
        Ok(listed)
    }

    /// Names of files in a worktree that are new or differ from `branch`; none if there is no such branch, or if
    /// something in it cannot be read, which is reported when the worktree is removed.
    pub fn uncommitted(&self, path: &Path, branch: &str) -> Result<Option<Vec<String>>, GitError> {
        let objects = self.repository.objects();
        let Some(tip) = self
            .repository
            .refs()
            .commit(&format!("refs/heads/{branch}"))?
        else {
            return Ok(None);
        };
        let committed = objects.tree_of(&tip)?;
        let files = WorkingFiles {
            repository: self.repository,
            top: path,
        };
        let snapshot = match files.snapshot(&committed, Submodules::TheirCommit, |_| {}) {
            Ok(snapshot) => snapshot,
            Err(SnapshotError::Unreadable { .. }) => return Ok(None),
            Err(SnapshotError::Git(error)) => return Err(error),
        };
        let changed = objects.changed_files(&committed, &snapshot.tree)?;
        let there = changed.into_iter().filter(|file| file.after.is_some());
        let names = there.filter_map(|file| String::from_utf8(file.path).ok());
        Ok(Some(names.collect()))
    }

    /// Removes the files ourselves, because git refuses where its own link to them is damaged; then
    /// lets git forget the worktree.
    fn drop(&self, worktree: &Listed) -> Result<(), GitError> {
        if worktree.main || worktree.is_at(self.repository.top()) {
            return Err(GitError::Failed {
                command: "worktree".to_owned(),
                message: format!("{} is not a run's worktree", worktree.path.display()),
            });
        }
        remove_own_directory(&worktree.path)?;
        let index = PrivateIndex::new()?;
        self.repository
            .git
            .call(&index, "worktree")
            // Twice: also one that is locked because its creation was cut short.
            .arguments(["remove", "--force", "--force"])
            .arguments([worktree.path.as_os_str()])
            .bytes()?;
        Ok(())
    }

    /// Saves uncommitted files under the rescue ref, then removes worktree and branch; the commit that was saved, if
    /// there was something to save. A branch that the user has checked out elsewhere meanwhile stays.
    pub fn remove(&self, removal: &WorktreeRemoval<'_>) -> Result<Option<CommitId>, WorktreeError> {
        let WorktreeRemoval { path, settled, .. } = *removal;
        let reference = format!("refs/heads/{}", removal.branch);
        let (here, elsewhere): (Vec<Listed>, Vec<Listed>) = self
            .list()?
            .into_iter()
            .partition(|listed| listed.is_at(path));
        let tip = self.repository.refs().commit(&reference)?;
        let mut files = None;
        if !here.is_empty() && path.exists() {
            let committed = match &tip {
                Some(tip) => &self.repository.objects().tree_of(tip)?,
                None => settled,
            };
            let everything = WorkingFiles {
                repository: self.repository,
                top: path,
            };
            let snapshot = everything.snapshot(committed, Submodules::Everything, |_| {})?;
            files = Some(snapshot.tree).filter(|files| files != settled);
        }
        let in_use = elsewhere
            .iter()
            .any(|listed| listed.branch.as_ref() == Some(&reference));
        let endangered = Endangered {
            files,
            lonely: match &tip {
                Some(tip) if !in_use => self.is_lonely(tip, &reference, settled)?,
                _ => false,
            },
            tip,
        };
        let rescue = self.save(removal, &endangered)?;
        for worktree in &here {
            self.drop(worktree)?;
        }
        let mut obsolete = removal.obsolete.to_vec();
        if !in_use {
            obsolete.push(reference);
        }
        self.repository.refs().forget(&obsolete)?;
        Ok(rescue)
    }

    /// Whether a commit with more than the settled tree would be unreachable without `reference`.
    fn is_lonely(
        &self,
        tip: &CommitId,
        reference: &str,
        settled: &TreeId,
    ) -> Result<bool, GitError> {
        if self.repository.objects().tree_of(tip)? == *settled {
            return Ok(false);
        }
        let holders = self.repository.refs().that_contain(tip)?;
        Ok(holders.iter().all(|name| name == reference))
    }

    /// Makes the rescue durable before anything is removed. An earlier rescue under the same ref stays
    /// part of its history: a removal that was cut short finds only half of the files the next time.
    fn save(
        &self,
        removal: &WorktreeRemoval<'_>,
        endangered: &Endangered,
    ) -> Result<Option<CommitId>, GitError> {
        let earlier = self.repository.refs().commit(removal.rescue)?;
        let mut parents: Vec<&CommitId> = endangered.tip.iter().collect();
        if let Some(earlier) = &earlier {
            if let Some(tip) = &endangered.tip
                && self.repository.objects().contains(earlier, tip)?
            {
                parents.clear();
            }
            parents.push(earlier);
        }
        let commit_of = |tree: &TreeId| {
            let objects = self.repository.objects();
            objects.write_commit(tree, &parents, removal.message)
        };
        let commit = match (&endangered.files, &endangered.tip) {
            (Some(files), _) => commit_of(files)?,
            (None, Some(tip)) if endangered.lonely && earlier.is_none() => tip.clone(),
            (None, Some(tip)) if endangered.lonely => {
                commit_of(&self.repository.objects().tree_of(tip)?)?
            }
            _ => return Ok(None),
        };
        self.repository.objects().flush(&commit, &["--branches"])?;
        self.repository
            .refs()
            .keep_on_disk(removal.rescue, commit.as_str())?;
        Ok(Some(commit))
    }
}

/// The files that a removal would lose.
struct Endangered {
    /// The files of the worktree, if they are not safe already.
    files: Option<TreeId>,
    /// The branch's commit.
    tip: Option<CommitId>,
    /// Whether nothing but the branch leads to that commit.
    lonely: bool,
}
