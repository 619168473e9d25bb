//! The sandbox of the tests.

use serde::{Deserialize, Serialize};

/// The sandbox of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// Namespaces, made by bubblewrap.
    Bubblewrap,
    /// Rights given up by the helper.
    Landlock,
    /// Limits only.
    Off,
}

impl SandboxLevel {
    const ALL: [Self; 3] = [Self::Bubblewrap, Self::Landlock, Self::Off];

    /// The name outside.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Off => "off",
        }
    }

    /// The level of this name; a name of another version is none.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

impl std::fmt::Display for SandboxLevel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}
