//! Why a write is not made without a person.

use std::fmt;

use crate::path::ProjectPath;

/// The reason why a write needs a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concern {
    /// Programs act on a file of this name.
    Protected {
        /// The file's path.
        path: ProjectPath,
    },
    /// The file is large, and most of it may go.
    Large {
        /// The file's path.
        path: ProjectPath,
        /// Its number of lines.
        before: usize,
        /// Its lines afterwards.
        after: usize,
    },
}

impl fmt::Display for Concern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Protected { path } => {
                write!(
                    formatter,
                    "tools execute {path} automatically: it is a protected file"
                )
            }
            Self::Large {
                path,
                before,
                after,
            } => write!(
                formatter,
                "{path} has {before} lines and would have {after} afterwards"
            ),
        }
    }
}

#[cfg(feature = "samples")]
impl Concern {
    /// For the samples of errors.
    pub fn sample() -> Self {
        Self::Large {
            path: ProjectPath::parse("PATH").expect("a plain path"),
            before: 120,
            after: 3,
        }
    }
}
