//! Bringing new text into a file that exists: append, insert, extend, replace.
//!
//! All four are functions from two texts to one; nothing is read or written. [`Strategy::Extend`] is the contentious
//! one: it parses both texts and puts the members that are missing into the untouched existing text. A three-way merge
//! with an empty base was the alternative; it finds conflicts where there are none and places members in the wrong
//! class. In any unclear case there is an error that names the place, and never a conflict marker.

mod append;
mod error;
mod extend;
mod insert;
mod text_form;

pub use error::{MergeError, Side};
pub(crate) use extend::{Language, is_comment};

use serde::{Deserialize, Serialize};

/// How new text comes into an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// At the end.
    Append,
    /// So that it begins at a line.
    Insert,
    /// Member by member, where they belong.
    Extend,
    /// In place of everything.
    Replace,
}

impl Strategy {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Append, Self::Insert, Self::Extend, Self::Replace];

    /// The word for scripts and people.
    pub fn key(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Insert => "insert",
            Self::Extend => "extend",
            Self::Replace => "replace",
        }
    }
}

/// A strategy with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// See [`Strategy::Append`].
    Append,
    /// See [`Strategy::Insert`].
    Insert {
        /// The line that the new text begins at, from 1.
        line: i64,
    },
    /// See [`Strategy::Extend`].
    Extend,
    /// See [`Strategy::Replace`].
    Replace,
}

impl Merge {
    /// The strategy alone.
    pub fn strategy(self) -> Strategy {
        match self {
            Self::Append => Strategy::Append,
            Self::Insert { .. } => Strategy::Insert,
            Self::Extend => Strategy::Extend,
            Self::Replace => Strategy::Replace,
        }
    }

    /// The merged content of a file of this name.
    pub fn apply(self, name: &str, existing: &[u8], new: &[u8]) -> Result<Vec<u8>, MergeError> {
        match self {
            Self::Append => append::append(existing, new),
            Self::Insert { line } => insert::insert(existing, new, line),
            Self::Extend => {
                let merged = extend::extend(
                    name,
                    text_form::text(existing, Side::Existing)?,
                    text_form::text(new, Side::New)?,
                )?;
                Ok(merged.into_bytes())
            }
            Self::Replace => Ok(new.to_vec()),
        }
    }
}
