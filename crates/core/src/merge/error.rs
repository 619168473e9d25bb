//! Why two texts were not merged.

use std::fmt;

use thiserror::Error;

/// One of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What the file holds.
    Existing,
    /// What is to come into it.
    New,
    /// What would have been written.
    Merged,
}

impl Side {
    /// What it is where that is no text.
    fn content(self) -> &'static str {
        match self {
            Self::Existing => "the existing content",
            Self::New => "the new content",
            Self::Merged => "the merged content",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Existing => "the existing text",
            Self::New => "the new text",
            Self::Merged => "the merged text",
        })
    }
}

/// Why nothing was merged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeError {
    /// The line to insert at does not exist.
    #[error("there is no line {line} to insert at; the file has {lines}")]
    Line {
        /// What was asked for.
        line: i64,
        /// How many there are.
        lines: usize,
    },
    /// One side is not UTF-8, or binary.
    #[error("{} is not text", .0.content())]
    NotText(Side),
    /// There is no syntax tree for files of this name.
    #[error("{0} is not in a language that can be extended")]
    Language(String),
    /// One side does not parse.
    #[error("{side} has a syntax error at line {line}, column {column}")]
    Syntax {
        /// Which.
        side: Side,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// Both sides have a member, and not the same.
    #[error("{member} is at line {existing} already and differs from line {new} of the new text")]
    Conflict {
        /// The member, for people.
        member: String,
        /// Its line in the existing text.
        existing: usize,
        /// Its line in the new text.
        new: usize,
    },
    /// The new text defines something twice, differently.
    #[error("the new text has {member} twice, at lines {first} and {second}")]
    Twice {
        /// The member, for people.
        member: String,
        /// A line of the new text.
        first: usize,
        /// Another.
        second: usize,
    },
    /// It is not clear where something belongs.
    #[error("{member} cannot be placed: {reason} (line {line} of {side})")]
    Place {
        /// The member, for people.
        member: String,
        /// Why.
        reason: &'static str,
        /// Which text the line is of.
        side: Side,
        /// From 1.
        line: usize,
    },
    /// The result was not what it has to be, so it was thrown away.
    #[error("merging would lose or double {0}")]
    Members(String),
}

impl MergeError {
    /// What to do instead.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Line { .. } => "give a line of the file with --line, or use --strategy append",
            Self::NotText(_) => "only --strategy replace works on what is not text",
            Self::Language(_) => {
                "extend knows Python, TypeScript, JavaScript, Rust, Go and Java; append, insert and replace work on every text"
            }
            Self::Syntax { .. } => "mend it first, or use another strategy; nothing was written",
            Self::Conflict { .. } | Self::Twice { .. } => {
                "extend only adds; change the member by an edit, or use --strategy replace"
            }
            Self::Place { .. } | Self::Members(_) => {
                "use --strategy insert with the line where it belongs"
            }
        }
    }
}
