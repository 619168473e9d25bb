//! Why two texts were not merged.

use std::fmt;

use thiserror::Error;

use crate::failure::{Explained, Kind};

/// One of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The file's current content.
    Existing,
    /// The new content.
    New,
    /// The merged content.
    Merged,
}

impl Side {
    /// A name for the content that is not text.
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
        /// The requested line.
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
        /// The side.
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
        /// The other one.
        second: usize,
    },
    /// It is not clear where something belongs.
    #[error("{member} cannot be placed: {reason} (line {line} of {side})")]
    Place {
        /// The member, for people.
        member: String,
        /// The reason.
        reason: &'static str,
        /// Which text the line is of.
        side: Side,
        /// From 1.
        line: usize,
    },
    /// The result failed its check, so it was discarded.
    #[error("merging would lose or double {0}")]
    Members(String),
}

impl Explained for MergeError {
    fn kind(&self) -> Kind {
        match self {
            Self::Line { .. } => Kind::Usage,
            _ => Kind::Refused,
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Line { .. } => "give a line of the file with --line, or use --strategy append",
            Self::NotText(_) => "only --strategy replace works on what is not text",
            Self::Language(_) => {
                "extend knows Python, TypeScript, JavaScript, Rust, Go and Java; append, insert and replace work on every text"
            }
            Self::Syntax { .. } => "fix it first, or use another strategy; nothing was written",
            Self::Conflict { .. } | Self::Twice { .. } => {
                "extend only adds; change the member by an edit, or use --strategy replace"
            }
            Self::Place { .. } | Self::Members(_) => {
                "use --strategy insert with the line where it belongs"
            }
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl crate::failure::Sampled for MergeError {
    fn samples() -> Vec<Self> {
        let member = || "MEMBER".to_owned();
        crate::samples!(MergeError {
            MergeError::Line { .. } => MergeError::Line { line: 9, lines: 3 },
            MergeError::NotText(_) => MergeError::NotText(Side::Existing),
            MergeError::Language(_) => MergeError::Language("PATH".to_owned()),
            MergeError::Syntax { .. } => MergeError::Syntax { side: Side::New, line: 1, column: 2 },
            MergeError::Conflict { .. } => MergeError::Conflict { member: member(), existing: 1, new: 2 },
            MergeError::Twice { .. } => MergeError::Twice { member: member(), first: 1, second: 2 },
            MergeError::Place { .. } => MergeError::Place { member: member(), reason: "REASON", side: Side::Existing, line: 1 },
            MergeError::Members(_) => MergeError::Members(member()),
        })
    }
}
