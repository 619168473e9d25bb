//! Why nothing was verified: never the same as "not approved".

use std::path::PathBuf;

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

use crate::git::GitError;
use crate::run_data::FETCH_APPROVALS;

/// Why nothing was verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A revision names nothing.
    #[error("there is no commit {0:?} to verify")]
    NoCommit(String),
    /// No base is given.
    #[error("the first commit to verify is unknown")]
    NoBase,
    /// The range's end does not continue its beginning.
    #[error(
        "the first parents of {tip} do not lead to {base}, so it is unknown who may approve it"
    )]
    NotFromBase {
        /// Where to begin, short.
        base: String,
        /// The end, short.
        tip: String,
    },
    /// The history that is needed is not here.
    #[error("this clone is shallow, and its history ends before it reaches the base")]
    Shallow,
    /// No approval was ever fetched.
    #[error("this clone has no approvals at all")]
    NoApprovals,
    /// A file that the command line names cannot be used.
    #[error("{} cannot be used: {reason}", path.display())]
    File {
        /// As it was given.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A hook was given something else than git gives it.
    #[error("standard input is not what git gives to a pre-receive hook: {0:?}")]
    HookInput(String),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for VerifyError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoCommit(_) | Self::NoBase | Self::File { .. } | Self::HookInput(_) => {
                Kind::Usage
            }
            Self::NotFromBase { .. } => Kind::Refused,
            Self::Shallow | Self::NoApprovals => Kind::Environment,
            Self::Git(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::NoCommit(_) => "name commits as BASE..TIP, or a tip with --base REV",
            Self::NoBase => {
                "name it with --base REV, or as BASE..TIP; without either, the branch's upstream is taken"
            }
            Self::NotFromBase { .. } => {
                "rebase onto it, or merge it the other way round, and have the result approved"
            }
            Self::Shallow => "fetch the rest with `git fetch --unshallow`",
            Self::NoApprovals => return vec![format!("fetch them with `{FETCH_APPROVALS}`")],
            Self::File { .. } => "name a file that can be read, in OpenSSH's format",
            Self::HookInput(_) => {
                "call it from hooks/pre-receive of a bare repository: `exec proctor verify --hook pre-receive`"
            }
            Self::Git(error) => return error.hints(),
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for VerifyError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(VerifyError {
            VerifyError::NoCommit(_) => VerifyError::NoCommit("REVISION".to_owned()),
            VerifyError::NoBase => VerifyError::NoBase,
            VerifyError::NotFromBase { .. } => VerifyError::NotFromBase { base: "BASE".to_owned(), tip: "TIP".to_owned() },
            VerifyError::Shallow => VerifyError::Shallow,
            VerifyError::NoApprovals => VerifyError::NoApprovals,
            VerifyError::File { .. } => VerifyError::File { path: "PATH".into(), reason: "REASON".to_owned() },
            VerifyError::HookInput(_) => VerifyError::HookInput("LINE".to_owned()),
            VerifyError::Git(_) => VerifyError::Git(GitError::sample()),
        })
    }
}
