//! Line differences, and how they are shown to a person.
//!
//! [`LineDiff`] compares bytes, because a file under review need not be valid text and only `\n`
//! ends a line. [`escape`] turns such bytes into something a terminal can show without acting on
//! it, and says whether anything in them would have been hidden from the reader.

mod excerpt;
mod line_diff;
mod moved;
mod visible;
mod words;

pub use excerpt::Excerpt;
pub use line_diff::{DiffLine, Hunk, LineDiff, Tag, is_binary, line_count};
pub use moved::MovedLines;
pub use visible::{Visible, escape, hiding_lines};
pub use words::{Piece, changed_words};
