//! The user's own checkouts: looked at, and moved forward only when that loses nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use proctor_core::object_id::{CommitId, TreeId};

use super::GitError;
use super::error::{failure, unexpected};
use super::invocation::Repository;
use super::private_index::PrivateIndex;
use super::worktree::resolved;

/// A checkout of the branch that is about to move.
#[derive(Debug, Clone)]
pub(super) struct Checkout {
    top: PathBuf,
    /// `None` where the branch is checked out, but git does not say in which directory.
    git_directory: Option<PathBuf>,
}

/// Files whose presence in a git directory means that something is under way there.
const UNFINISHED: &[(&str, &str)] = &[
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    // Whether or not it is of this branch.
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("BISECT_LOG", "a bisection"),
];

impl Repository {
    /// The git directory of a checkout: the common one, or a linked worktree's own. A worktree's `.git`
    /// file could have been changed to name another one, so the repository's side decides.
    pub(super) fn git_directory_of(&self, top: &Path) -> Result<PathBuf, GitError> {
        let wanted = resolved(top).join(".git");
        for directory in self.linked_git_directories()? {
            // Half-made: there is no such file yet.
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
        if names(&top.join(".git"), &self.common) {
            Ok(self.common.clone())
        } else {
            Err(unexpected("worktree", top.as_os_str().as_bytes()))
        }
    }

    fn linked_git_directories(&self) -> Result<Vec<PathBuf>, GitError> {
        match std::fs::read_dir(self.common.join("worktrees")) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()).map_err(GitError::from))
                .collect(),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Everywhere this branch is checked out. A linked worktree whose directory is gone, or is by now
    /// something else, is not a checkout of it.
    pub(super) fn checkouts_of(&self, reference: &str) -> Result<Vec<Checkout>, GitError> {
        let mut found = Vec::new();
        for listed in self.worktrees()? {
            if listed.branch.as_deref() != Some(reference) {
                continue;
            }
            let git_directory = self
                .git_directory_of(&listed.path)
                .ok()
                .filter(|directory| names(&listed.path.join(".git"), directory));
            if git_directory.is_some() || listed.main {
                found.push(Checkout {
                    top: listed.path,
                    git_directory,
                });
            }
        }
        Ok(found)
    }

    /// The git directory in which this branch is being rebased. HEAD is detached there meanwhile, and
    /// the end of the rebase would find that the branch had moved.
    pub(super) fn rebase_of(&self, reference: &str) -> Result<Option<PathBuf>, GitError> {
        let mut directories = self.linked_git_directories()?;
        directories.push(self.common.clone());
        let about_it = |directory: &PathBuf| {
            [
                "rebase-merge/head-name",
                "rebase-apply/head-name",
                "rebase-merge/update-refs",
            ]
            .iter()
            .filter_map(|name| std::fs::read_to_string(directory.join(name)).ok())
            .any(|text| text.lines().any(|line| line == reference))
        };
        Ok(directories.into_iter().find(about_it))
    }

    /// Why a checkout cannot follow from `old` to `new` without harm; `None` if it can. Local changes
    /// to files that the merge does not touch are no obstacle, exactly as for `git merge --ff-only`.
    pub(super) fn obstacle(
        &self,
        checkout: &Checkout,
        old: &TreeId,
        new: &TreeId,
    ) -> Result<Option<String>, GitError> {
        if let Some(directory) = &checkout.git_directory {
            for (name, what) in UNFINISHED {
                if directory.join(name).exists() {
                    return Ok(Some(format!(
                        "{what} is in progress in {}",
                        checkout.top.display()
                    )));
                }
            }
        }
        self.advance(checkout, old, new, true)
    }

    /// Moves a checkout's files and index forward. The branch has been moved already.
    pub(super) fn follow(
        &self,
        checkout: &Checkout,
        old: &TreeId,
        new: &TreeId,
    ) -> Result<Option<String>, GitError> {
        self.advance(checkout, old, new, false)
    }

    fn advance(
        &self,
        checkout: &Checkout,
        old: &TreeId,
        new: &TreeId,
        only_try: bool,
    ) -> Result<Option<String>, GitError> {
        let Some(directory) = &checkout.git_directory else {
            return Ok(Some(
                "the branch is checked out, but git does not say where".to_owned(),
            ));
        };
        let top = &checkout.top;
        if let Some(path) = self.in_the_way(directory, top, old, new)? {
            return Ok(Some(format!(
                "{}: {path} is in the way and not tracked",
                top.display()
            )));
        }
        if self.two_way(directory, top, old, new, only_try)?.is_none() {
            return Ok(None);
        }
        // Times may differ where contents do not; have git look again before believing it.
        self.call_in_checkout(directory, top, "update-index")
            .arguments(["-q", "--refresh"])
            .output()?;
        self.two_way(directory, top, old, new, only_try)
    }

    /// Something untracked where `new` puts a file. Git's own check passes over files that are ignored,
    /// and overwrites them.
    fn in_the_way(
        &self,
        git_directory: &Path,
        top: &Path,
        old: &TreeId,
        new: &TreeId,
    ) -> Result<Option<String>, GitError> {
        let listing = self
            .call_in_checkout(git_directory, top, "ls-files")
            .arguments(["-z", "--cached"])
            .bytes()?;
        let tracked: BTreeSet<&[u8]> = listing.split(|byte| *byte == 0).collect();
        for file in self.changed_files(old, new)? {
            if file.after.is_none() {
                continue;
            }
            // From the top down: the first thing that is no directory decides.
            let slashes = file
                .path
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'/');
            for end in slashes.map(|(at, _)| at).chain([file.path.len()]) {
                let name = &file.path[..end];
                let full = top.join(OsStr::from_bytes(name));
                let Ok(metadata) = full.symlink_metadata() else {
                    break;
                };
                let found = if !metadata.is_dir() {
                    (!tracked.contains(name)).then(|| name.to_vec())
                } else if end == file.path.len() {
                    untracked_below(top, name, &tracked)?
                } else {
                    continue;
                };
                if let Some(found) = found {
                    return Ok(Some(String::from_utf8_lossy(&found).into_owned()));
                }
                break;
            }
        }
        Ok(None)
    }

    /// Git's own two-tree merge: it moves index and files from `old` to `new`, keeps every local change
    /// that is not in the way, and does nothing at all if one is.
    fn two_way(
        &self,
        git_directory: &Path,
        top: &Path,
        old: &TreeId,
        new: &TreeId,
        only_try: bool,
    ) -> Result<Option<String>, GitError> {
        let mut call = self
            .call_in_checkout(git_directory, top, "read-tree")
            .arguments(["-m", "-u"]);
        if only_try {
            call = call.arguments(["-n"]);
        }
        let output = call.arguments([old.as_str(), new.as_str()]).output()?;
        if output.success() {
            return Ok(None);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let words = words
            .lines()
            .next()
            .unwrap_or("git refused")
            .trim_start_matches("error: ")
            .trim_start_matches("fatal: ");
        Ok(Some(format!("{}: {words}", top.display())))
    }

    /// Whether `ancestor` is part of `descendant`'s history.
    pub(super) fn contains(
        &self,
        descendant: &CommitId,
        ancestor: &CommitId,
    ) -> Result<bool, GitError> {
        let index = PrivateIndex::new()?;
        let output = self
            .call(&index, "merge-base")
            .arguments(["--is-ancestor", ancestor.as_str(), descendant.as_str()])
            .output()?;
        match output.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failure("merge-base", &output)),
        }
    }
}

/// Whether a checkout's `.git` is this git directory, or a file that names it.
fn names(dot_git: &Path, git_directory: &Path) -> bool {
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

/// The first thing below a directory that is not a tracked file.
fn untracked_below(
    top: &Path,
    directory: &[u8],
    tracked: &BTreeSet<&[u8]>,
) -> Result<Option<Vec<u8>>, GitError> {
    for entry in std::fs::read_dir(top.join(OsStr::from_bytes(directory)))? {
        let entry = entry?;
        let name = [directory, b"/", entry.file_name().as_bytes()].concat();
        if tracked.contains(name.as_slice()) {
            continue;
        }
        if !entry.file_type()?.is_dir() {
            return Ok(Some(name));
        }
        if let Some(found) = untracked_below(top, &name, tracked)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
