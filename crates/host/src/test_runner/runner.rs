//! Which runner runs a project's tests, and what starts it.

use std::ffi::OsString;

use proctor_core::dialect::Dialect;
use serde::{Deserialize, Serialize};

/// A runner of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// pytest.
    #[default]
    Pytest,
}

impl Runner {
    /// Its name, in settings and outside.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
        }
    }

    /// The language of its tests.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Pytest => Dialect::Python,
        }
    }
}

/// A runner, and the words that start it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCommand {
    /// Which it is.
    pub runner: Runner,
    /// The words; none if it was not found.
    pub words: Vec<OsString>,
}

impl TestCommand {
    /// The words as they are stored and shown; what is not text in them is shown as such.
    pub fn text(&self) -> Vec<String> {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        self.words.iter().map(text).collect()
    }

    /// A command that was stored.
    pub fn stored(runner: Runner, words: &[String]) -> Self {
        let words = words.iter().map(OsString::from).collect();
        Self { runner, words }
    }
}
