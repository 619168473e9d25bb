//! What starts a project's tests.

use std::ffi::OsString;

use proctor_core::dialect::Runner;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A runner, and what starts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestCommand {
    /// The words that start Python or pytest; none if it was not found.
    Pytest(Vec<OsString>),
}

impl TestCommand {
    /// Which runner it is.
    pub fn runner(&self) -> Runner {
        match self {
            Self::Pytest(_) => Runner::Pytest,
        }
    }

    /// The words as they are shown; what is not text in them is shown as such.
    pub fn text(&self) -> Vec<String> {
        let words = match self {
            Self::Pytest(words) => words.clone(),
        };
        let text = |word: OsString| word.to_string_lossy().into_owned();
        words.into_iter().map(text).collect()
    }

    /// The program that is started.
    pub fn program(&self) -> Option<&std::path::Path> {
        match self {
            Self::Pytest(words) => words.first().map(std::path::Path::new),
        }
    }
}

/// As runs store it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Pytest(Vec<String>),
}

impl Serialize for TestCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Pytest(_) => Stored::Pytest(self.text()).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for TestCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Pytest(words) => Self::Pytest(words.into_iter().map(OsString::from).collect()),
        })
    }
}
