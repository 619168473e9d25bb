//! A reader's facts about lines of a source file.

use serde::{Deserialize, Serialize};

use super::Mutant;

/// Lines of a source file that are asked about.
#[derive(Debug, Clone, Serialize)]
pub struct LinesOf {
    /// Relative to the tree.
    pub path: String,
    /// The whole file.
    pub text: String,
    /// The lines, from 1.
    pub lines: Vec<u32>,
}

/// Some lines of a file: those that a test has to execute, and their mutants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLines {
    /// The file, relative to the tree.
    pub path: String,
    /// Why it cannot be read, if it cannot.
    #[serde(default)]
    pub error: Option<String>,
    /// Lines that something executes; others are blank, comments, documentation.
    #[serde(default)]
    pub needed: Vec<NeededLine>,
    /// Their mutants.
    #[serde(default)]
    pub mutants: Vec<Mutant>,
}

/// A line that a test has to execute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeededLine {
    /// The line, from 1.
    pub line: u32,
    /// The lines one of which the interpreter passes when this one is executed: a statement over several lines may be
    /// seen at another one of them. A negative number is the inside of a function on one line.
    pub seen_at: Vec<i64>,
}
