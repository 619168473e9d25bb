//! The one way a file of the repository is written.
//!
//! The file is looked at, [`Proposal::permission`] decides, a person is asked through [`WriteApprover`] where one has to
//! be, what is replaced is kept under a ref, the intention is in the trail, and only then does the file change.
//! `proctor write` and `proctor apply` go all of that way with [`CheckoutWriter`]. A run's driver shares [`agree`] and
//! the trail; what it replaces is kept by the trees that it writes from.

mod agreement;
mod checkout;
mod trail;

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
    /// Whether anybody is there.
    fn presence(&self) -> Presence;

    /// Asks how existing files are to be changed; `None` if the person left without an answer.
    fn choose_writes(&mut self, proposals: &[&Proposal]) -> Option<WriteAnswer>;
}

/// What the person said.
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
    /// `--auto` stands for nobody's agreement.
    #[error("{0}; --auto does not do that without a person")]
    Unattended(Concern),
    /// Programs act on a file of this name, so a person at a terminal has to see it.
    #[error("{0}")]
    Protected(Concern),
    /// A person has to agree, and there was none or none who answered.
    #[error("{concern}; a person has to agree")]
    NeedsPerson {
        /// Why.
        concern: Concern,
        /// The command that asks, `write` or `apply`.
        command: &'static str,
    },
    /// A person did not want the file written.
    #[error("{path} was {word}; it is as it was")]
    Declined {
        /// The file.
        path: ProjectPath,
        /// `skipped` or `aborted`.
        word: &'static str,
    },
    /// Ctrl-C, while the question stood.
    #[error("interrupted; {0} is as it was")]
    Interrupted(ProjectPath),
    /// What would be replaced could not be kept; nothing was written.
    #[error(transparent)]
    Rescue(#[from] GitError),
    /// The trail could not be written; neither was the file.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is written, but the trail does not say so.
    #[error("{path} was written, but the audit trail could not be: {source}")]
    Unrecorded {
        /// The file.
        path: String,
        /// What the journal said.
        source: JournalError,
    },
}
