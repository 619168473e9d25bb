//! Changes of a large file: text to be found, and what takes its place.
//!
//! A model names each place by the text that is there, because it miscounts line numbers. A [`Change`] is
//! such a pair. [`apply`] looks up every one in the original bytes and gives the new content, or everything
//! that is wrong and no content at all: changes do not see each other, their order does not matter, and none
//! is applied alone.
//!
//! There are two tiers and no third. *Exact*: the bytes of the text to be found occur once. *Whitespace*,
//! only where the first found nothing: line by line the same after trimming, one indentation difference over
//! the whole block, one place; what takes its place is indented by that difference. Looking for something
//! similar was rejected: it hardly ever helps, and when it is wrong nobody notices.
//!
//! [`render`] writes changes in the format that the prompt asks for and the reader of replies reads.

mod apply;
mod indentation;
mod locate;
mod nearest;
mod place;
mod position;
mod read;
mod refusal;
mod render;
mod suspicious;

pub use apply::{Applied, AppliedChange, Tier, apply};
pub use refusal::{Refusal, RefusalKind, summary};
pub use render::render;

pub(crate) use read::{begins_change, read_change};

/// One change, as a reply brings it. Nothing is known yet about whether it fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What the model says that it does.
    pub description: String,
    /// The text to be found: every byte between the fences, with the line end before the closing one.
    pub find: String,
    /// What takes its place, likewise; empty: the lines go.
    pub replace: String,
}

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
