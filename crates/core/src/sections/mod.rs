//! The parts of a model's reply: lines that are labels, fences, and the blocks between fences.
//!
//! Whole files and changes come in the same kind of blocks, so there is one reading of them. Replies carry
//! files in fenced blocks, and the files themselves may contain fences and labels. Taking the first closing
//! fence would shorten such a file silently, so a block is accepted only when there is one way to read it.

mod fence;
mod label;
mod malformed;

pub(crate) use fence::{Block, Fence, Line, lines_of, longest_fence, read_block};
pub(crate) use label::{Label, Marker, label_of, marker_of};
pub use malformed::Malformed;
