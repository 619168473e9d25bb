//! Cases that must not happen; where one does, it is reported as a bug.

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use proctor_host::settings::SettingsError;
use thiserror::Error;

/// A bug in Proctor.
#[derive(Debug, Error)]
pub(crate) enum Bug {
    /// The program panicked.
    #[error("a bug in proctor: {0}")]
    Panic(String),
    /// The driver stopped, but the run neither rests nor failed.
    #[error("run {0} stopped without a reason")]
    NoReason(String),
    /// `init` would have written settings that `run` refuses.
    #[error("proctor wrote settings that it cannot read: {0}")]
    Settings(SettingsError),
    /// The demo's own repository is not as it was created.
    #[error("the sample has no commit")]
    NoSample,
}

impl Explained for Bug {
    fn kind(&self) -> Kind {
        Kind::Bug
    }

    fn hints(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
impl Sampled for Bug {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(Bug {
            Bug::Panic(_) => Bug::Panic("REASON".to_owned()),
            Bug::NoReason(_) => Bug::NoReason("RUN".to_owned()),
            Bug::Settings(_) => Bug::Settings(SettingsError::Invalid("REASON".to_owned())),
            Bug::NoSample => Bug::NoSample,
        })
    }
}
