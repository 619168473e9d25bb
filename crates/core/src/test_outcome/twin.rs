//! How a twin of a test differs from it.

use serde::{Deserialize, Serialize};

/// A test that has to fail if the original passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TwinKind {
    /// Everything that the test holds to be true is held to be false.
    Negated,
    /// Every literal that is compared with `==` is another one.
    Changed,
}

impl TwinKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Negated, Self::Changed];

    /// How the twin differs, for messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Negated => "in which every assertion is negated",
            Self::Changed => "in which the expected values are others",
        }
    }
}
