//! Refused for safety: a path, a secret, a size, an overwrite.

use std::path::PathBuf;

use proctor_core::generation::Hold;
use proctor_core::path::PathProblem;
use thiserror::Error;

use super::{Failure, Kind};

/// What is not done because it is not safe.
#[derive(Debug, Error)]
pub(crate) enum Unsafe {
    /// A path that leads elsewhere, or means something else to somebody.
    #[error(transparent)]
    Path(PathProblem),
    /// A path that cannot be shown.
    #[error("the path is not UTF-8 text")]
    PathNotText,
    /// A report would be written over something else.
    #[error("{} is there already and is no report", .0.display())]
    NoReport(PathBuf),
    /// A file that is too large to be changed.
    #[error("{path} has more than {limit} bytes")]
    TooLarge {
        /// The file.
        path: String,
        /// The most.
        limit: u64,
    },
    /// A file that is no text.
    #[error("{0} is not text: it has a NUL byte")]
    NotText(String),
    /// A question that may not leave.
    #[error("{0}")]
    Held(Hold),
}

impl From<Unsafe> for Failure {
    fn from(error: Unsafe) -> Self {
        let failure = Self::new(Kind::Safety, error.to_string());
        failure.hint(match error {
            Unsafe::Path(_) | Unsafe::PathNotText => {
                "give a plain path inside the repository, relative to its root"
            }
            Unsafe::NoReport(_) => "name another file with --output",
            Unsafe::TooLarge { .. } | Unsafe::NotText(_) => {
                "nothing was written; changes are made in text files of up to 1 GiB"
            }
            Unsafe::Held(_) => "nothing was sent; look at the name of the model and at its address",
        })
    }
}
