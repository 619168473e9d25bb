//! The command that starts a project's tests.

use std::ffi::OsString;
use std::path::Path;

use proctor_core::dialect::Runner;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::NodeCommand;

/// A runner and its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestCommand {
    /// The words that start Python or pytest; none if it was not found.
    Pytest(Vec<OsString>),
    /// vitest, jest or node's own runner.
    Node(NodeCommand),
}

impl TestCommand {
    /// Which runner it is.
    pub fn runner(&self) -> Runner {
        match self {
            Self::Pytest(_) => Runner::Pytest,
            Self::Node(command) => command.runner,
        }
    }

    /// The words that start it.
    pub fn words(&self) -> Vec<OsString> {
        match self {
            Self::Pytest(words) => words.clone(),
            Self::Node(command) => command.words(),
        }
    }

    /// The same as they are shown; bytes that are not text are shown as such.
    pub fn text(&self) -> Vec<String> {
        let text = |word: OsString| word.to_string_lossy().into_owned();
        self.words().into_iter().map(text).collect()
    }

    /// The program that is started.
    pub fn program(&self) -> Option<&Path> {
        match self {
            Self::Pytest(words) => words.first().map(Path::new),
            Self::Node(command) => Some(&command.node),
        }
    }
}

/// As runs store it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Pytest(Vec<String>),
    Node(NodeCommand),
}

impl Serialize for TestCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = match self {
            Self::Pytest(_) => Stored::Pytest(self.text()),
            Self::Node(command) => Stored::Node(command.clone()),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TestCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Pytest(words) => Self::Pytest(words.into_iter().map(OsString::from).collect()),
            Stored::Node(command) => Self::Node(command),
        })
    }
}
