//! Checkouts of a branch that moves: looked at, and moved forward only when that loses nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use proctor_core::object_id::TreeId;

use super::under_way;
use crate::git::GitError;
use crate::git::repository::{Repository, is_git_directory_of};

/// A checkout of the branch that is about to move.
#[derive(Debug, Clone)]
pub(in crate::git) struct Follower {
    top: PathBuf,
    /// `None` where the branch is checked out, but git does not say in which directory.
    git_directory: Option<PathBuf>,
}

/// The way of a branch's checkouts from one tree to the next. A checkout moves as a whole or not at all, and no local
/// change is lost.
#[derive(Debug, Clone, Copy)]
pub(in crate::git) struct Following<'a> {
    pub(in crate::git) repository: &'a Repository,
    /// The branch, by its full name.
    pub(in crate::git) reference: &'a str,
    pub(in crate::git) old: &'a TreeId,
    pub(in crate::git) new: &'a TreeId,
}

impl Following<'_> {
    /// Everywhere this branch is checked out. A linked worktree whose directory is gone, or is by now
    /// something else, is not a checkout of it.
    pub(in crate::git) fn followers(&self) -> Result<Vec<Follower>, GitError> {
        let mut found = Vec::new();
        for listed in self.repository.worktrees().list()? {
            if listed.branch.as_deref() != Some(self.reference) {
                continue;
            }
            let git_directory = self
                .repository
                .git_directory_of(&listed.path)
                .ok()
                .filter(|directory| is_git_directory_of(&listed.path.join(".git"), directory));
            if git_directory.is_some() || listed.main {
                found.push(Follower {
                    top: listed.path,
                    git_directory,
                });
            }
        }
        Ok(found)
    }

    /// The git directory in which this branch is being rebased. HEAD is detached there meanwhile, and
    /// the end of the rebase would find that the branch had moved.
    pub(in crate::git) fn rebase(&self) -> Result<Option<PathBuf>, GitError> {
        let mut directories = self.repository.linked_git_directories()?;
        directories.push(self.repository.common_directory().to_owned());
        let about_it = |directory: &PathBuf| {
            [
                "rebase-merge/head-name",
                "rebase-apply/head-name",
                "rebase-merge/update-refs",
            ]
            .iter()
            .filter_map(|name| std::fs::read_to_string(directory.join(name)).ok())
            .any(|text| text.lines().any(|line| line == self.reference))
        };
        Ok(directories.into_iter().find(about_it))
    }

    /// Why a checkout cannot follow without harm; `None` if it can. Local changes to files that the merge does not
    /// touch are not an obstacle, exactly as for `git merge --ff-only`.
    pub(in crate::git) fn obstacle(&self, checkout: &Follower) -> Result<Option<String>, GitError> {
        let bisection = ("BISECT_LOG", "a bisection");
        let directory = checkout.git_directory.as_ref();
        if let Some(what) = directory.and_then(|directory| under_way(directory, bisection)) {
            let top = checkout.top.display();
            return Ok(Some(format!("{what} is in progress in {top}")));
        }
        self.advance(checkout, true)
    }

    /// Moves a checkout's files and index forward. The branch has been moved already.
    pub(in crate::git) fn follow(&self, checkout: &Follower) -> Result<Option<String>, GitError> {
        self.advance(checkout, false)
    }

    fn advance(&self, checkout: &Follower, only_try: bool) -> Result<Option<String>, GitError> {
        let Some(directory) = &checkout.git_directory else {
            return Ok(Some(
                "the branch is checked out, but git does not say where".to_owned(),
            ));
        };
        let top = &checkout.top;
        if let Some(path) = self.in_the_way(directory, top)? {
            return Ok(Some(format!(
                "{}: {path} is in the way and not tracked",
                top.display()
            )));
        }
        if self.two_way(directory, top, only_try)?.is_none() {
            return Ok(None);
        }
        // Times may differ where contents do not; have git look again before believing it.
        self.repository
            .git
            .call_in_checkout(directory, top, "update-index")
            .arguments(["-q", "--refresh"])
            .output()?;
        self.two_way(directory, top, only_try)
    }

    /// Something untracked where `new` puts a file. Git's own check passes over files that are ignored,
    /// and overwrites them.
    fn in_the_way(&self, git_directory: &Path, top: &Path) -> Result<Option<String>, GitError> {
        let listing = self
            .repository
            .git
            .call_in_checkout(git_directory, top, "ls-files")
            .arguments(["-z", "--cached"])
            .bytes()?;
        let tracked: BTreeSet<&[u8]> = listing.split(|byte| *byte == 0).collect();
        for file in self
            .repository
            .objects()
            .changed_files(self.old, self.new)?
        {
            if file.after.is_none() {
                continue;
            }
            // From the top down: the first entry that is not a directory decides.
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

    /// Git's own two-tree merge: it moves index and files from `old` to `new`, keeps every local change that does not
    /// conflict, and does nothing at all if one is.
    fn two_way(
        &self,
        git_directory: &Path,
        top: &Path,
        only_try: bool,
    ) -> Result<Option<String>, GitError> {
        let mut call = self
            .repository
            .git
            .call_in_checkout(git_directory, top, "read-tree")
            .arguments(["-m", "-u"]);
        if only_try {
            call = call.arguments(["-n"]);
        }
        let output = call
            .arguments([self.old.as_str(), self.new.as_str()])
            .output()?;
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
