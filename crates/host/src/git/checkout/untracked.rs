//! Files of a checkout that are not in git.
//!
//! A `.gitignore` is part of the tree and can be reviewed. The user's own list is theirs, for all of their
//! repositories. But `info/exclude` and a list that the repository's configuration names lie inside the git directory,
//! where no one looks: a file that only they hide is shown, and marked. A directory that they hide altogether, such as
//! installed packages, is named.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::snapshot::{SnapshotError, WorkingFiles, unreadable};
use crate::git::error::failure;
use crate::git::private_index::PrivateIndex;

/// Lists of ignored files, besides `.gitignore`.
#[derive(Debug, Default)]
pub(in crate::git) struct Excludes {
    /// The user's own.
    pub(in crate::git) user: Option<PathBuf>,
    /// Whether the repository's configuration names one.
    pub(in crate::git) in_repository: bool,
}

/// Untracked files.
pub(super) struct Untracked {
    /// The files that neither a `.gitignore` nor the user's list excludes.
    pub(super) names: BTreeSet<Vec<u8>>,
    /// Those of them that a list inside the git directory would have hidden.
    pub(super) hidden: BTreeSet<Vec<u8>>,
}

impl Untracked {
    /// Takes out the directories in which everything is hidden and nothing tracked; how many files each has.
    pub(super) fn take_directories(
        &mut self,
        is_tracked_below: impl Fn(&[u8]) -> bool,
    ) -> BTreeMap<Vec<u8>, usize> {
        let mut directories = BTreeMap::new();
        let seen: BTreeSet<&Vec<u8>> = self.names.difference(&self.hidden).collect();
        let is_hidden = |directory: &[u8]| {
            let next = seen.range(directory.to_vec()..).next();
            !next.is_some_and(|name| name.starts_with(directory)) && !is_tracked_below(directory)
        };
        let mut inside = BTreeSet::new();
        for name in &self.hidden {
            let ends = (1..name.len()).filter(|end| name[end - 1] == b'/');
            let mut above = ends.map(|end| &name[..end]);
            if let Some(directory) = above.find(|directory| is_hidden(directory)) {
                *directories.entry(directory.to_vec()).or_default() += 1;
                inside.insert(name.clone());
            }
        }
        self.names.retain(|name| !inside.contains(name));
        self.hidden.retain(|name| !inside.contains(name));
        directories
    }
}

impl WorkingFiles<'_> {
    /// The files that are neither tracked nor ignored.
    pub(super) fn untracked(&self, index: &PrivateIndex) -> Result<Untracked, SnapshotError> {
        let mut names = self.others(index, "--exclude-per-directory=.gitignore")?;
        if !self.has_own_excludes() {
            let hidden = BTreeSet::new();
            return Ok(Untracked { names, hidden });
        }
        let seen = self.others(index, "--exclude-standard")?;
        // A repository inside this one could not be committed anyway.
        names.retain(|name| seen.contains(name) || !name.ends_with(b"/"));
        let hidden = names.difference(&seen).cloned().collect();
        Ok(Untracked { names, hidden })
    }

    /// Whether a list inside the git directory hides anything; most have comments alone.
    fn has_own_excludes(&self) -> bool {
        let list =
            std::fs::read(self.repository.git.common.join("info/exclude")).unwrap_or_default();
        let mut lines = list.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        self.repository.excludes.in_repository
            || lines.any(|line| !line.is_empty() && line[0] != b'#')
    }

    fn others(
        &self,
        index: &PrivateIndex,
        rules: &str,
    ) -> Result<BTreeSet<Vec<u8>>, SnapshotError> {
        let user = self
            .repository
            .excludes
            .user
            .as_ref()
            .filter(|path| path.is_file());
        let output = self
            .repository
            .git
            .call_on_files(self.top, index, "ls-files")
            .arguments(["-z", "--others", rules])
            .arguments(user.map(|path| {
                let mut argument = OsString::from("--exclude-from=");
                argument.push(path);
                argument
            }))
            .output()?;
        let words = String::from_utf8_lossy(&output.stderr);
        // Git only warns, but files that it could not see would be lost.
        if let Some(at) = words.find("could not open directory") {
            let line = words[at..].lines().next().unwrap_or_default();
            return Err(unreadable(self.top.as_os_str().as_bytes(), line));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<Vec<u8>> {
        names.iter().map(|name| name.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_directory_goes_only_if_everything_in_it_is_hidden() {
        let hidden = [
            "a.py",
            "packages/x/one.py",
            "packages/y.py",
            "packages2/z.py",
            "src/b.py",
            "src/deep/c.py",
            "lib/d.py",
        ];
        let mut untracked = Untracked {
            names: set(&[&hidden[..], &["src/seen.py"]].concat()),
            hidden: set(&hidden),
        };
        let tracked = |directory: &[u8]| b"lib/tracked.py".starts_with(directory);
        let directories = untracked.take_directories(tracked);
        let expected = [("packages/", 2), ("packages2/", 1), ("src/deep/", 1)];
        assert_eq!(
            directories,
            expected
                .map(|(name, count)| (name.as_bytes().to_vec(), count))
                .into()
        );
        assert_eq!(untracked.hidden, set(&["a.py", "lib/d.py", "src/b.py"]));
        assert_eq!(
            untracked.names,
            set(&["a.py", "lib/d.py", "src/b.py", "src/seen.py"])
        );
    }
}
