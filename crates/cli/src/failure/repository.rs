//! What goes wrong with the repository: git itself, worktrees, the journal, the settings.

use proctor_host::git::{Discovery, GitError, OwnCommitError, SnapshotError, WorktreeError};
use proctor_host::journal::{JournalError, RunLockError};
use proctor_host::settings::SettingsError;

use super::{Failure, Kind};

impl From<Discovery> for Failure {
    fn from(error: Discovery) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            Discovery::NoGit => failure.hint("install git 2.38 or newer"),
            Discovery::TooOld { .. } => {
                failure.hint("upgrade git; if a newer one is installed, put it first on PATH")
            }
            Discovery::NotARepository { .. } => failure.hint(
                "run proctor inside a repository, or name one with -C DIR; `git init` makes one",
            ),
            Discovery::NotTrusted { directory } => failure.hint(format!(
                "if you know where it comes from: git config --global --add safe.directory {}",
                directory.display()
            )),
            Discovery::Bare { .. } => failure.hint("clone it and run proctor in the clone"),
            Discovery::Git(error) => error.into(),
        }
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        failure.hint(match error {
            GitError::Failed { .. } => {
                "mend what git complains about and run the command again; nothing was lost"
            }
            GitError::Unexpected { .. } => {
                "see which git that is with `git --version`, and put another one first on PATH; nothing was lost"
            }
            GitError::Process(_) => "check that git is installed and can be started",
            GitError::File(_) => {
                "free some disk space or mend the permissions, also those of TMPDIR; nothing was lost"
            }
        })
    }
}

impl From<OwnCommitError> for Failure {
    fn from(error: OwnCommitError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            OwnCommitError::IndexLocked { .. } => failure.hint(
                "nothing was committed; wait until that process has ended, or remove the file if there is none, then review again",
            ),
            OwnCommitError::Git(error) => error.into(),
            OwnCommitError::Unfinished { .. } => failure
                .hint("the commit is on the branch; `git status` says what the index has of it"),
        }
    }
}

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Unreadable { .. } => Self::new(Kind::Environment, error.to_string())
                .hint("move it away, let it be read, or rule it out in a .gitignore; nothing was changed"),
            SnapshotError::Git(error) => error.into(),
        }
    }
}

impl From<WorktreeError> for Failure {
    fn from(error: WorktreeError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            WorktreeError::BranchDiverged { branch, base } => failure.hint(format!(
                "look at it with `git log {base}..{branch}`, then rename or delete it"
            )),
            WorktreeError::BranchInUse { at, .. } => failure.hint(format!(
                "switch {at} to another branch, or remove that worktree"
            )),
            WorktreeError::NotSaved { .. } => {
                failure.hint("move it away and run the command again")
            }
            WorktreeError::Git(error) => error.into(),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let text = error.to_string();
        match error {
            JournalError::Unreadable { .. }
            | JournalError::Directory { .. }
            | JournalError::Locked(RunLockError::Unavailable { .. }) => {
                Self::new(Kind::Environment, text)
                    .hint("check that the git directory can be written and the disk is not full; nothing was changed")
            }
            JournalError::Foreign { .. } | JournalError::Damaged { .. } => {
                Self::new(Kind::Environment, text)
                    .hint("proctor does not write over it; move the file away to begin anew, or restore it from a backup")
            }
            JournalError::Newer { .. } => {
                Self::new(Kind::Environment, text).hint("use the newer proctor that wrote it")
            }
            JournalError::OpenRun { run, .. } => Self::new(Kind::Usage, text)
                .hint(format!("go on with `proctor resume {run}`, or end it with `proctor abort {run}`")),
            JournalError::NoSuchRun(_) => {
                Self::new(Kind::Usage, text).hint("`proctor status` lists the runs")
            }
            JournalError::Locked(RunLockError::Held { .. }) => Self::new(Kind::Environment, text)
                .hint("wait for it to end, or stop it; a crashed process holds no lock"),
        }
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let failure = Self::new(Kind::Usage, error.to_string());
        match error {
            SettingsError::UnknownKey { nearest, .. } => {
                failure.hint(format!("did you mean {nearest:?}?"))
            }
            SettingsError::Unsupported { supported, .. } => {
                failure.hint(format!("supported: {supported}"))
            }
            SettingsError::Io(_) | SettingsError::Invalid(_) => failure
                .hint("mend the file, or move it away and have `proctor init` write a new one"),
        }
    }
}
