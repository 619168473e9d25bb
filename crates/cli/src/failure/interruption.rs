//! Ctrl-C, and what it left as it was.

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

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

impl Explained for Interruption {
    fn kind(&self) -> Kind {
        Kind::Interrupted
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Work => Vec::new(),
            Self::Review { again } => vec![format!("come back with `{again}`")],
        }
    }
}

#[cfg(test)]
impl Sampled for Interruption {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(Interruption {
            Interruption::Work => Interruption::Work,
            Interruption::Review { .. } => Interruption::Review { again: "proctor review".to_owned() },
        })
    }
}
