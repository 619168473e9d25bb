//! Ctrl-C, and what it left as it was.

use thiserror::Error;

use super::{Failure, Kind};

/// What was interrupted.
#[derive(Debug, Error)]
pub(crate) enum Interruption {
    /// Anything that has no better words.
    #[error("interrupted")]
    Work,
    /// The question about somebody's own changes.
    #[error("interrupted; nothing was committed")]
    Review {
        /// The command that asks again.
        again: String,
    },
}

impl From<Interruption> for Failure {
    fn from(error: Interruption) -> Self {
        let failure = Self::new(Kind::Interrupted, error.to_string());
        match error {
            Interruption::Work => failure,
            Interruption::Review { again } => failure.hint(format!("come back with `{again}`")),
        }
    }
}
