//! The handle on a repository: its place and its operations.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::GitError;
use super::checkout::{Checkout, Excludes};
use super::error::{failure, unexpected};
use super::invocation::Git;
use super::merging::Merging;
use super::objects::{Known, Objects};
use super::refs::Refs;
use super::worktrees::{Worktrees, resolved};
use crate::process::Tool;

/// A repository whose directories were found once and are given to git from then on. Cheap to keep, safe to call while
/// others use it.
#[derive(Debug)]
pub struct Repository {
    pub(super) git: Git,
    /// Files that are not committed although no `.gitignore` excludes them.
    pub(super) excludes: Excludes,
    pub(super) known: Mutex<Known>,
}

impl Repository {
    /// The checkout that Proctor was started in.
    pub fn top(&self) -> &Path {
        &self.git.top
    }

    /// Git's version, major and minor.
    pub fn version(&self) -> (u32, u32) {
        self.git.version
    }

    /// The git common directory, which all worktrees of the repository share.
    pub fn common_directory(&self) -> &Path {
        &self.git.common
    }

    /// Contents, trees and commits.
    pub fn objects(&self) -> Objects<'_> {
        Objects {
            git: &self.git,
            known: &self.known,
        }
    }

    /// Names that lead to objects.
    pub fn refs(&self) -> Refs<'_> {
        Refs { git: &self.git }
    }

    /// The worktrees that Proctor makes.
    pub fn worktrees(&self) -> Worktrees<'_> {
        Worktrees { repository: self }
    }

    /// The user's checkout that Proctor was started in.
    pub fn checkout(&self) -> Result<Checkout<'_>, GitError> {
        Ok(Checkout {
            repository: self,
            git_directory: self.git_directory_of(self.top())?,
        })
    }

    /// Where the user's git looks for hooks. Nothing of Proctor's own runs them.
    pub fn hooks_directory(&self) -> Result<PathBuf, GitError> {
        let git = &self.git;
        let output = Tool::new(&git.program, &git.top)
            .variables(git.user_environment.clone())
            .variable("GIT_DIR", &git.common)
            .arguments(["rev-parse", "--path-format=absolute", "--git-path", "hooks"])
            .capture()?;
        let named = output.stdout.trim_ascii_end();
        if !output.success() || named.is_empty() {
            return Err(failure("rev-parse", &output));
        }
        Ok(PathBuf::from(OsStr::from_bytes(named)))
    }

    /// Merging into a branch.
    pub fn merging(&self) -> Merging<'_> {
        Merging { repository: self }
    }

    /// The git directory of a checkout: the common one, or a linked worktree's own. A worktree's `.git`
    /// file could have been changed to name another one, so the repository's side decides.
    pub(super) fn git_directory_of(&self, top: &Path) -> Result<PathBuf, GitError> {
        let wanted = resolved(top).join(".git");
        for directory in self.linked_git_directories()? {
            // Half-made: the file does not exist yet.
            let Ok(named) = std::fs::read(directory.join("gitdir")) else {
                continue;
            };
            let named = directory.join(OsStr::from_bytes(named.trim_ascii_end()));
            if let (Some(top), Some(name)) = (named.parent(), named.file_name())
                && resolved(top).join(name) == wanted
            {
                return Ok(directory);
            }
        }
        if is_git_directory_of(&top.join(".git"), &self.git.common) {
            Ok(self.git.common.clone())
        } else {
            Err(unexpected("worktree", top.as_os_str().as_bytes()))
        }
    }

    pub(super) fn linked_git_directories(&self) -> Result<Vec<PathBuf>, GitError> {
        match std::fs::read_dir(self.git.common.join("worktrees")) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()).map_err(GitError::from))
                .collect(),
            Err(_) => Ok(Vec::new()),
        }
    }
}

/// Whether a checkout's `.git` is this git directory, or a file that names it.
pub(super) fn is_git_directory_of(dot_git: &Path, git_directory: &Path) -> bool {
    let named = if dot_git.is_dir() {
        dot_git.to_owned()
    } else {
        let Ok(text) = std::fs::read(dot_git) else {
            return false;
        };
        let Some(named) = text.strip_prefix(b"gitdir: ") else {
            return false;
        };
        let top = dot_git.parent().unwrap_or(dot_git);
        top.join(OsStr::from_bytes(named.trim_ascii_end()))
    };
    resolved(&named) == resolved(git_directory)
}
