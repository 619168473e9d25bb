//! Ctrl-C, where no other error describes it.

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

/// The current work was interrupted.
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
