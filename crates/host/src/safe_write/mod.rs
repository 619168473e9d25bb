//! The one way a file of the repository is written.
//!
//! The file is read, [`Proposal::permission`] decides, a person is asked through [`WriteApprover`] where necessary, the
//! replaced file is kept under a ref, the intention is in the trail, and only then does the file change. `proctor
//! write` and `proctor apply` go all of that way with [`CheckoutWriter`]. A run's driver shares [`agree`] and the
//! trail; files that it replaces are kept by the trees that it writes from.

mod agreement;
mod checkout;
mod trail;

use proctor_core::failure::{Explained, Kind};
use proctor_core::path::ProjectPath;
use proctor_core::permission::Presence;
use proctor_core::safe_write::{Concern, Proposal};
use thiserror::Error;

use crate::files::FileError;
use crate::git::GitError;
use crate::journal::JournalError;

pub use agreement::{Allowed, NotAgreed, agree};
pub use checkout::{CheckoutWriter, Written};
pub use trail::{WRITE_RECORD, record};

/// A person who can be asked about writes.
pub trait WriteApprover {
    /// Whether a person is present.
    fn presence(&self) -> Presence;

    /// Asks how existing files are to be changed; `None` if the person left without an answer.
    fn choose_writes(&mut self, proposals: &[&Proposal]) -> Option<WriteAnswer>;
}

/// The person's answer.
#[derive(Debug)]
pub enum WriteAnswer {
    /// Exactly these: one for each that was asked about, in their order.
    Write(Vec<Proposal>),
    /// Not this file.
    Skip(ProjectPath),
    /// Nothing at all.
    Abort,
}

/// Why a write did not happen, or is not certain.
#[derive(Debug, Error)]
pub enum WriteError {
    /// `--auto` gives no consent.
    #[error("{0}; --auto does not do that without a person")]
    Unattended(Concern),
    /// Programs act on a file of this name, so a person at a terminal has to see it.
    #[error("{0}")]
    Protected(Concern),
    /// A person has to agree, and was absent or did not answer.
    #[error("{concern}; a person has to agree")]
    NeedsPerson {
        /// The reason.
        concern: Concern,
        /// The command that asks, `write` or `apply`.
        command: &'static str,
    },
    /// A person did not want the file written.
    #[error("{path} was {word}; it is as it was")]
    Declined {
        /// The file's path.
        path: ProjectPath,
        /// `skipped` or `aborted`.
        word: &'static str,
    },
    /// Ctrl-C, while the question stood.
    #[error("interrupted; {0} is as it was")]
    Interrupted(ProjectPath),
    /// The file to be replaced could not be kept; nothing was written.
    #[error(transparent)]
    Rescue(#[from] GitError),
    /// The trail could not be written; neither was the file.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is written, but the trail does not record it.
    #[error("{path} was written, but the audit trail could not be: {source}")]
    Unrecorded {
        /// The file's path.
        path: String,
        /// The journal's error.
        source: JournalError,
    },
}

impl Explained for WriteError {
    fn kind(&self) -> Kind {
        match self {
            Self::Unattended(_) | Self::Protected(_) => Kind::Safety,
            Self::NeedsPerson { .. } => Kind::NeedsPerson,
            Self::Declined { .. } => Kind::Refused,
            Self::Interrupted(_) => Kind::Interrupted,
            Self::Rescue(error) => error.kind(),
            Self::Journal(error) => error.kind(),
            Self::File(error) => error.kind(),
            Self::Unrecorded { .. } => Kind::Environment,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Unattended(_) => {
                    "leave --auto out and decide at the terminal, or add --force"
                }
                Self::Protected(_) => {
                    "a person at a terminal can allow it, with the content in --from FILE"
                }
                Self::NeedsPerson { command, .. } => {
                    let mut hint = format!(
                        "decide at a terminal, with `proctor {command}` and the content in --from FILE"
                    );
                    if *command == "write" {
                        hint += ", or replace it with --auto --force";
                    }
                    return vec![hint];
                }
                Self::Declined { .. } => "the trail in `proctor log` says what was proposed",
                Self::Interrupted(_) => "run the command again",
                Self::Rescue(error) => return error.hints(),
                Self::Journal(error) => return error.hints(),
                Self::File(error) => return error.hints(),
                Self::Unrecorded { .. } => "the content is in place; fix the journal's disk",
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for WriteError {
    fn samples() -> Vec<Self> {
        let file = || ProjectPath::parse("PATH").expect("a plain path");
        proctor_core::samples!(WriteError {
            WriteError::Unattended(_) => WriteError::Unattended(Concern::sample()),
            WriteError::Protected(_) => WriteError::Protected(Concern::Protected { path: file() }),
            WriteError::NeedsPerson { command: "apply", .. } => {
                WriteError::NeedsPerson { concern: Concern::sample(), command: "apply" }
            },
            WriteError::NeedsPerson { .. } => WriteError::NeedsPerson { concern: Concern::sample(), command: "write" },
            WriteError::Declined { .. } => WriteError::Declined { path: file(), word: "skipped" },
            WriteError::Interrupted(_) => WriteError::Interrupted(file()),
            WriteError::Rescue(_) => WriteError::Rescue(GitError::sample()),
            WriteError::Journal(_) => WriteError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
            WriteError::File(_) => WriteError::File(FileError::Missing { path: "PATH".to_owned() }),
            WriteError::Unrecorded { .. } => WriteError::Unrecorded {
                path: "PATH".to_owned(),
                source: JournalError::sample(),
            },
        })
    }
}
