//! Why working changes were not reviewed or not committed.

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::CommitId;
use thiserror::Error;

use crate::approval::SignError;
use crate::driver::DriveError;
use crate::git::{GitError, OwnCommitError, SnapshotError};
use crate::journal::JournalError;
use crate::workspace::CommittedSettingsError;

/// Why working changes were not reviewed or not committed.
#[derive(Debug, Error)]
pub enum WorkingChangesError {
    /// Git is in the middle of something.
    #[error("{0} is in progress, and a commit now would be part of it")]
    UnderWay(&'static str),
    /// A merge or a stash left files that have to be resolved.
    #[error("files are in conflict, so it is unclear what is staged")]
    Conflict,
    /// The person's own hook refused.
    #[error(transparent)]
    Hook(GitError),
    /// Git has no identity for the user.
    #[error("{}", DriveError::NoIdentity)]
    NoIdentity,
    /// There is no terminal.
    #[error("a person has to approve this at a terminal; nothing was committed")]
    NoTerminal {
        /// The command that asks again.
        again: String,
    },
    /// The question was left without an answer.
    #[error("nothing was decided, nothing was committed")]
    Undecided {
        /// The command that asks again.
        again: String,
    },
    /// Ctrl-C, while the question stood.
    #[error("interrupted; nothing was committed")]
    Interrupted {
        /// The command that asks again.
        again: String,
    },
    /// The person rejected the changes.
    #[error("rejected; nothing was committed")]
    Rejected,
    /// Approved, but without a commit message.
    #[error("there is no message, nothing was committed")]
    NoMessage,
    /// A commit was made while the person was reading: the shown difference is outdated.
    #[error("the branch moved while you were looking; nothing was committed")]
    BranchMoved {
        /// The command that shows it as it is now.
        again: String,
    },
    /// The approval was not signed, so it does not count.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// There is no such commit to review.
    #[error("there is no commit {0:?} to review")]
    NoCommit(String),
    /// The commit failed, or could not be finished.
    #[error(transparent)]
    Commit(#[from] OwnCommitError),
    /// Something cannot be looked at.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The committed settings cannot be used.
    #[error(transparent)]
    Settings(#[from] CommittedSettingsError),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The trail could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl WorkingChangesError {
    /// The person's decision before it failed, for scripts.
    pub fn decision(&self) -> Option<&'static str> {
        match self {
            Self::Rejected => Some("rejected"),
            Self::Commit(OwnCommitError::Unfinished { .. }) => Some("approved"),
            _ => None,
        }
    }

    /// The commit that was made all the same.
    pub fn commit(&self) -> Option<&CommitId> {
        match self {
            Self::Commit(OwnCommitError::Unfinished { commit, .. }) => Some(commit),
            _ => None,
        }
    }
}

impl Explained for WorkingChangesError {
    fn kind(&self) -> Kind {
        match self {
            Self::UnderWay(_) | Self::Conflict => Kind::Environment,
            Self::NoIdentity => DriveError::NoIdentity.kind(),
            Self::NoTerminal { .. } | Self::Undecided { .. } | Self::NoMessage => Kind::NeedsPerson,
            Self::Interrupted { .. } => Kind::Interrupted,
            Self::Hook(_) | Self::Rejected | Self::BranchMoved { .. } => Kind::Refused,
            Self::NoCommit(_) => Kind::Usage,
            Self::Sign(error) => error.kind(),
            Self::Commit(error) => error.kind(),
            Self::Snapshot(error) => error.kind(),
            Self::Settings(error) => error.kind(),
            Self::Git(error) => error.kind(),
            Self::Journal(error) => error.kind(),
        }
    }

    fn is_answer(&self) -> bool {
        matches!(self, Self::Rejected)
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::UnderWay(_) => "finish or abort it with git, then review".to_owned(),
            Self::Conflict => "resolve them, stage them with `git add`, then review".to_owned(),
            Self::Hook(_) => "fix what the hook complains about, then review again".to_owned(),
            Self::NoIdentity => return DriveError::NoIdentity.hints(),
            Self::NoTerminal { again } => {
                return vec![
                    format!("run `{again}` in a terminal"),
                    format!("`{again} --dry-run` prints the report alone"),
                ];
            }
            Self::Undecided { again } | Self::Interrupted { again } => {
                format!("come back with `{again}`")
            }
            Self::Rejected => {
                "your files are as they were; change them and review again".to_owned()
            }
            Self::NoMessage => {
                "give one with -m MESSAGE, or type one when you are asked".to_owned()
            }
            Self::BranchMoved { again } => format!("look at it as it is now with `{again}`"),
            Self::NoCommit(_) => "name a branch, a tag or a commit with --commit REV".to_owned(),
            Self::Sign(error) => return error.hints(),
            Self::Commit(error) => return error.hints(),
            Self::Snapshot(error) => return error.hints(),
            Self::Settings(error) => return error.hints(),
            Self::Git(error) => return error.hints(),
            Self::Journal(error) => return error.hints(),
        }]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for WorkingChangesError {
    fn samples() -> Vec<Self> {
        use crate::settings::SettingsError;
        let again = || "proctor review".to_owned();
        let hook = GitError::Failed {
            command: "hook run pre-commit".to_owned(),
            message: "REASON".to_owned(),
        };
        proctor_core::samples!(WorkingChangesError {
            WorkingChangesError::UnderWay(_) => WorkingChangesError::UnderWay("a merge"),
            WorkingChangesError::Conflict => WorkingChangesError::Conflict,
            WorkingChangesError::Hook(_) => WorkingChangesError::Hook(hook),
            WorkingChangesError::NoIdentity => WorkingChangesError::NoIdentity,
            WorkingChangesError::NoTerminal { .. } => WorkingChangesError::NoTerminal { again: again() },
            WorkingChangesError::Undecided { .. } => WorkingChangesError::Undecided { again: again() },
            WorkingChangesError::Interrupted { .. } => WorkingChangesError::Interrupted { again: again() },
            WorkingChangesError::Rejected => WorkingChangesError::Rejected,
            WorkingChangesError::NoMessage => WorkingChangesError::NoMessage,
            WorkingChangesError::BranchMoved { .. } => WorkingChangesError::BranchMoved { again: again() },
            WorkingChangesError::Sign(_) => WorkingChangesError::Sign(SignError::NoKey),
            WorkingChangesError::NoCommit(_) => WorkingChangesError::NoCommit("REVISION".to_owned()),
            WorkingChangesError::Commit(_) => WorkingChangesError::Commit(OwnCommitError::Git(GitError::sample())),
            WorkingChangesError::Snapshot(_) => WorkingChangesError::Snapshot(SnapshotError::Git(GitError::sample())),
            WorkingChangesError::Settings(_) => {
                WorkingChangesError::Settings(SettingsError::Invalid("REASON".to_owned()).into())
            },
            WorkingChangesError::Git(_) => WorkingChangesError::Git(GitError::sample()),
            WorkingChangesError::Journal(_) => WorkingChangesError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
        })
    }
}
