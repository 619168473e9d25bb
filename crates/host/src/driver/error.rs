//! Why the loop stopped.

use std::path::PathBuf;

use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::BaselineError;
use proctor_core::workflow::Unexpected;
use thiserror::Error;

use crate::approval::SignError;
use crate::files::{FileError, OwnFileError};
use crate::gate::GateError;
use crate::git::{GitError, WorktreeError};
use crate::journal::JournalError;
use crate::model::{ModelError, SpecError};
use crate::preparation::PreparationError;
use crate::process::SandboxError;

/// Why the loop stopped before the run came to rest. The run can be resumed.
#[derive(Debug, Error)]
pub enum DriveError {
    /// A person interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The worktree could not be made or removed.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The worktree is not where it was.
    #[error("the worktree {} is gone: {source}", path.display())]
    WorktreeGone {
        /// Where it was.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A directory or file of Proctor's own could not be written.
    #[error(transparent)]
    Own(#[from] OwnFileError),
    /// The model gave no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no such model.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The tests could not be run.
    #[error(transparent)]
    Gate(GateError),
    /// The tests' requirements besides git could not be made.
    #[error(transparent)]
    Preparation(PreparationError),
    /// There is no sandbox to run tests in.
    #[error(transparent)]
    Sandbox(SandboxError),
    /// The suite cannot be judged at the base commit.
    #[error(transparent)]
    Baseline(BaselineError),
    /// A person changed tests in the worktree, and no one decided about them.
    #[error(
        "{0}: changed in the worktree, and a person has to say whether that takes the place of the tests"
    )]
    TestsEdited(String),
    /// The branch to merge into is gone.
    #[error("the base branch {0} does not exist any more")]
    NoBaseBranch(String),
    /// The approval was not signed, so it does not count.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// Git has no identity for the user.
    #[error("git does not know your name and e-mail address, which the commit needs")]
    NoIdentity,
    /// The driver was made for cleaning up only.
    #[error("there is no model to ask")]
    NoModel,
    /// A bug of ours.
    #[error("the run's state machine refused an event: {0}")]
    Unexpected(#[from] Unexpected),
}

impl From<GateError> for DriveError {
    fn from(error: GateError) -> Self {
        match error {
            error if error.is_interrupt() => Self::Interrupted,
            GateError::Baseline(error) => Self::Baseline(error),
            GateError::Preparation(error) => Self::Preparation(error),
            GateError::Sandbox(error) => Self::Sandbox(error),
            error => Self::Gate(error),
        }
    }
}

impl Explained for DriveError {
    fn kind(&self) -> Kind {
        match self {
            Self::Interrupted => Kind::Interrupted,
            Self::Journal(error) => error.kind(),
            Self::Git(error) => error.kind(),
            Self::Worktree(error) => error.kind(),
            Self::File(error) => error.kind(),
            Self::Own(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Spec(error) => error.kind(),
            Self::Gate(error) => error.kind(),
            Self::Preparation(error) => error.kind(),
            Self::Sandbox(error) => error.kind(),
            Self::Baseline(error) => error.kind(),
            Self::Sign(error) => error.kind(),
            Self::WorktreeGone { .. } | Self::NoBaseBranch(_) | Self::NoIdentity => {
                Kind::Environment
            }
            Self::TestsEdited(_) => Kind::NeedsPerson,
            Self::NoModel | Self::Unexpected(_) => Kind::Bug,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Interrupted | Self::NoModel | Self::Unexpected(_) => return Vec::new(),
                Self::Journal(error) => return error.hints(),
                Self::Git(error) => return error.hints(),
                Self::Worktree(error) => return error.hints(),
                Self::File(error) => return error.hints(),
                Self::Own(error) => return error.hints(),
                Self::Model(error) => return error.hints(),
                Self::Spec(error) => return error.hints(),
                Self::Gate(error) => return error.hints(),
                Self::Preparation(error) => return error.hints(),
                Self::Sandbox(error) => return error.hints(),
                Self::Sign(error) => return error.hints(),
                Self::WorktreeGone { .. } => "what it had written is in the journal",
                Self::Baseline(error) => return error.hints(),
                Self::TestsEdited(_) => {
                    "at a terminal you are shown the difference and asked: TAKE or RESTORE"
                }
                Self::NoBaseBranch(_) => "make the branch again, or abort the run",
                Self::NoIdentity => {
                    "say who you are: `git config user.name \"Your Name\" && git config user.email you@example.org`"
                }
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for DriveError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(DriveError {
            DriveError::Interrupted => DriveError::Interrupted,
            DriveError::Journal(_) => DriveError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
            DriveError::Git(_) => DriveError::Git(GitError::sample()),
            DriveError::Worktree(_) => DriveError::Worktree(WorktreeError::Git(GitError::sample())),
            DriveError::WorktreeGone { .. } => DriveError::WorktreeGone {
                path: "PATH".into(),
                source: std::io::Error::other("REASON"),
            },
            DriveError::File(_) => DriveError::File(FileError::Missing { path: "PATH".to_owned() }),
            DriveError::Own(_) => DriveError::Own(OwnFileError::sample()),
            DriveError::Model(_) => DriveError::Model(ModelError::NoScriptedReply {
                script: "PATH".to_owned(),
                question: "QUESTION".to_owned(),
            }),
            DriveError::Spec(_) => DriveError::Spec(SpecError::Missing),
            DriveError::Gate(_) => DriveError::Gate(GateError::Git(GitError::sample())),
            DriveError::Preparation(_) => DriveError::Preparation(PreparationError::Git(GitError::sample())),
            DriveError::Sandbox(_) => DriveError::Sandbox(SandboxError::NoHelper),
            DriveError::Baseline(_) => DriveError::Baseline(BaselineError::sample()),
            DriveError::TestsEdited(_) => DriveError::TestsEdited("PATH".to_owned()),
            DriveError::NoBaseBranch(_) => DriveError::NoBaseBranch("BRANCH".to_owned()),
            DriveError::Sign(_) => DriveError::Sign(SignError::NoKey),
            DriveError::NoIdentity => DriveError::NoIdentity,
            DriveError::NoModel => DriveError::NoModel,
            DriveError::Unexpected(_) => DriveError::Unexpected(Unexpected {
                stage: proctor_core::workflow::Stage::Review,
                state: "parked",
                event: "EVENT".to_owned(),
            }),
        })
    }
}
