//! Ctrl-C, where nothing else has words for it.

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

/// Whatever was under way was interrupted.
#[derive(Debug, Error)]
#[error("interrupted")]
pub(crate) struct Interruption;

impl Explained for Interruption {
    fn kind(&self) -> Kind {
        Kind::Interrupted
    }

    fn hints(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
impl proctor_core::failure::Sampled for Interruption {
    fn samples() -> Vec<Self> {
        vec![Self]
    }
}
