//! Line differences, and how they are shown to a person.
//!
//! [`LineDiff`] compares bytes, because a file under review need not be valid text and only `\n` ends a line.
//! Everything shown passes [`crate::visible`].

mod excerpt;
mod line_diff;
mod moved;
mod words;

pub use excerpt::Excerpt;
pub use line_diff::{DiffLine, Hunk, LineDiff, Tag, is_binary, line_count};
pub use moved::MovedLines;
pub use words::{Piece, changed_words};
