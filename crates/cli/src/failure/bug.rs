//! What must not happen; where it does, it is said as such.

use proctor_host::settings::SettingsError;
use thiserror::Error;

use super::{Failure, Kind};

/// A bug in Proctor.
#[derive(Debug, Error)]
pub(crate) enum Bug {
    /// It panicked.
    #[error("a bug in proctor: {0}")]
    Panic(String),
    /// The driver stopped, but the run neither rests nor failed.
    #[error("run {0} stopped without a reason")]
    NoReason(String),
    /// `init` would have written what `run` refuses.
    #[error("proctor wrote settings that it cannot read: {0}")]
    Settings(SettingsError),
    /// The demo's own repository is not what it was made to be.
    #[error("the sample has no commit")]
    NoSample,
}

impl From<Bug> for Failure {
    fn from(error: Bug) -> Self {
        Self::new(Kind::Bug, error.to_string())
    }
}
