//! Refused for safety: a path, a secret, a size, an overwrite.

use std::path::PathBuf;

use proctor_core::generation::Hold;
use thiserror::Error;

#[cfg(test)]
use super::unanswered::held_secrets;

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};

/// Requests that are refused because they are not safe.
#[derive(Debug, Error)]
pub(crate) enum Unsafe {
    /// A path that cannot be shown.
    #[error("the path is not UTF-8 text")]
    PathNotText,
    /// A report would be written over something else.
    #[error("{} exists already and is not a report", .0.display())]
    NoReport(PathBuf),
    /// A file that is too large to be changed.
    #[error("{path} has more than {limit} bytes")]
    TooLarge {
        /// The file's path.
        path: String,
        /// The largest permitted size.
        limit: u64,
    },
    /// A file that is not text.
    #[error("{0} is not text: it has a NUL byte")]
    NotText(String),
    /// A question that may not leave.
    #[error("{0}")]
    Held(Hold),
}

impl Explained for Unsafe {
    fn kind(&self) -> Kind {
        Kind::Safety
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Unsafe::PathNotText => "give a plain, relative path inside the repository",
            Unsafe::NoReport(_) => "name another file with --output",
            Unsafe::TooLarge { .. } | Unsafe::NotText(_) => {
                "nothing was written; changes are made in text files of up to 1 GiB"
            }
            Unsafe::Held(_) => "nothing was sent; look at the name of the model and at its address",
        };
        vec![hint.to_owned()]
    }
}

#[cfg(test)]
impl Sampled for Unsafe {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(Unsafe {
            Unsafe::PathNotText => Unsafe::PathNotText,
            Unsafe::NoReport(_) => Unsafe::NoReport("PATH".into()),
            Unsafe::TooLarge { .. } => Unsafe::TooLarge { path: "PATH".to_owned(), limit: 1 << 30 },
            Unsafe::NotText(_) => Unsafe::NotText("PATH".to_owned()),
            Unsafe::Held(_) => Unsafe::Held(held_secrets()),
        })
    }
}
