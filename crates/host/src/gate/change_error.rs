//! Why a change could not be judged at all.

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

use super::GateError;
use crate::git::{GitError, SnapshotError};
use crate::preparation::PreparationError;
use crate::settings::SettingsError;
use crate::test_runner::RunnerError;
use crate::trust::TrustError;
use crate::workspace::CommittedSettingsError;

/// Why nothing was judged.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// The base does not exist.
    #[error("there is no commit {0:?}")]
    NoCommit(String),
    /// The commit that is judged is a first one.
    #[error("commit {0:?} has no parent to be measured against")]
    NoParent(String),
    /// A path that is given as a test does not exist.
    #[error("--test {0} names nothing: the judged tree has no such file or directory")]
    NoTest(String),
    /// There is no scratch workspace.
    #[error("a temporary directory cannot be made: {0}")]
    Scratch(std::io::Error),
    /// The checkout cannot be read.
    #[error(transparent)]
    Checkout(#[from] SnapshotError),
    /// The base's settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The base's settings are not trusted.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// Something that judging needs failed.
    #[error(transparent)]
    Gate(#[from] GateError),
}

impl Explained for ChangeError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoCommit(_) | Self::NoParent(_) | Self::NoTest(_) => Kind::Usage,
            Self::Scratch(_) => Kind::Environment,
            Self::Checkout(error) => error.kind(),
            Self::Settings(error) => error.kind(),
            Self::Trust(error) => error.kind(),
            Self::Gate(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::NoCommit(_) => "name a branch, a tag or a commit with --base REV or --commit REV",
            Self::NoParent(_) => "name what it is measured against with --base REV",
            Self::NoTest(_) => "give a path from the repository's root that is there",
            Self::Scratch(_) => {
                "free some space for temporary files, fix the permissions, or set TMPDIR to another directory"
            }
            Self::Checkout(error) => return error.hints(),
            Self::Settings(error) => return error.hints(),
            Self::Trust(error) => return error.hints(),
            // Its output is removed with the scratch directory.
            Self::Gate(GateError::Preparation(PreparationError::Setup { .. })) => {
                "`proctor gate -v` shows all that it prints; fix `[worktree] setup` or what it needs"
            }
            Self::Gate(error) => return error.hints(),
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for ChangeError {
    fn samples() -> Vec<Self> {
        let setup = PreparationError::Setup {
            command: "COMMAND".to_owned(),
            reason: "ended with code 1: REASON".to_owned(),
            evidence: "PATH".into(),
        };
        proctor_core::samples!(ChangeError {
            ChangeError::NoCommit(_) => ChangeError::NoCommit("REVISION".to_owned()),
            ChangeError::NoParent(_) => ChangeError::NoParent("REVISION".to_owned()),
            ChangeError::NoTest(_) => ChangeError::NoTest("PATH".to_owned()),
            ChangeError::Scratch(_) => ChangeError::Scratch(std::io::Error::other("REASON")),
            ChangeError::Checkout(_) => ChangeError::Checkout(SnapshotError::Git(GitError::sample())),
            ChangeError::Settings(_) => ChangeError::Settings(SettingsError::Invalid("REASON".to_owned())),
            ChangeError::Trust(_) => ChangeError::Trust(TrustError::NoStateDirectory),
            ChangeError::Gate(GateError::Preparation(_)) => ChangeError::Gate(GateError::Preparation(setup)),
            ChangeError::Gate(_) => ChangeError::Gate(GateError::Git(GitError::sample())),
        })
    }
}

impl From<CommittedSettingsError> for ChangeError {
    fn from(error: CommittedSettingsError) -> Self {
        match error {
            CommittedSettingsError::Git(error) => error.into(),
            CommittedSettingsError::Settings(error) => error.into(),
        }
    }
}

impl From<GitError> for ChangeError {
    fn from(error: GitError) -> Self {
        Self::Gate(error.into())
    }
}

impl From<RunnerError> for ChangeError {
    fn from(error: RunnerError) -> Self {
        Self::Gate(error.into())
    }
}
