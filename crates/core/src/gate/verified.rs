//! How many of the new tests were shown to be able to fail.

use serde::{Deserialize, Serialize};

/// New tests that pass, by the kind of evidence that they can fail. Some may have none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Verified {
    /// How many there are.
    pub of: usize,
    /// Their values were compared outside.
    pub blind: usize,
    /// Their twin failed.
    pub twin: usize,
    /// Nothing shows it.
    pub unverified: usize,
}
