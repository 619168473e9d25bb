//! What is in a checkout and not in git.
//!
//! A `.gitignore` is part of the tree and can be reviewed. The user's own list is theirs, for all of their repositories.
//! But `info/exclude` and a list that the repository's configuration names lie inside the git directory, where
//! nobody looks: what only they hide is shown, and marked.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::WorktreeError;
use super::invocation::{PrivateIndex, Repository, failure};
use super::snapshot::not_saved;

/// Lists of what is not to be committed, besides `.gitignore`.
#[derive(Debug, Default)]
pub(super) struct Excludes {
    /// The user's own.
    pub(super) user: Option<PathBuf>,
    /// Whether the repository's configuration names one.
    pub(super) in_repository: bool,
}

/// What is not in git.
pub(super) struct Untracked {
    /// What no `.gitignore` and not the user rules out.
    pub(super) names: BTreeSet<Vec<u8>>,
    /// Those of them that a list inside the git directory would have hidden.
    pub(super) hidden: BTreeSet<Vec<u8>>,
}

impl Repository {
    /// What is there, not tracked and not ignored.
    pub(super) fn untracked(
        &self,
        top: &Path,
        index: &PrivateIndex,
    ) -> Result<Untracked, WorktreeError> {
        let mut names = self.others(top, index, "--exclude-per-directory=.gitignore")?;
        if !self.has_own_excludes() {
            let hidden = BTreeSet::new();
            return Ok(Untracked { names, hidden });
        }
        let seen = self.others(top, index, "--exclude-standard")?;
        // A repository inside this one could not be committed anyway.
        names.retain(|name| seen.contains(name) || !name.ends_with(b"/"));
        let hidden = names.difference(&seen).cloned().collect();
        Ok(Untracked { names, hidden })
    }

    /// Whether a list inside the git directory hides anything; most have comments alone.
    fn has_own_excludes(&self) -> bool {
        let list = std::fs::read(self.common.join("info/exclude")).unwrap_or_default();
        let mut lines = list.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        self.excludes.in_repository || lines.any(|line| !line.is_empty() && line[0] != b'#')
    }

    fn others(
        &self,
        top: &Path,
        index: &PrivateIndex,
        rules: &str,
    ) -> Result<BTreeSet<Vec<u8>>, WorktreeError> {
        let user = self.excludes.user.as_ref().filter(|path| path.is_file());
        let output = self
            .call_on_files(top, index, "ls-files")
            .arguments(["-z", "--others", rules])
            .arguments(user.map(|path| {
                let mut argument = OsString::from("--exclude-from=");
                argument.push(path);
                argument
            }))
            .output()?;
        let words = String::from_utf8_lossy(&output.stderr);
        // Git only warns, but what it could not look into would be lost.
        if let Some(at) = words.find("could not open directory") {
            let line = words[at..].lines().next().unwrap_or_default();
            return Err(not_saved(top.as_os_str().as_bytes(), line));
        }
        if !output.success() {
            return Err(failure("ls-files", &output).into());
        }
        let names = output.stdout.split(|byte| *byte == 0);
        Ok(names
            .filter(|name| !name.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }
}
