//! Changes of a large file: a text to find, and its replacement.
//!
//! A model names each place by its text, because it miscounts line numbers. A [`Change`] is such a pair. [`apply`]
//! looks up every one in the original bytes and gives the new content, or all problems and no content at all: changes
//! do not see each other, their order does not matter, and none is applied alone.
//!
//! There are two tiers and no third. *Exact*: the bytes of the text to be found occur once. *Whitespace*, only where
//! the first found nothing: line by line the same after trimming, one indentation difference over the whole block, one
//! place; the replacement is indented by that difference. Looking for something similar was rejected: it hardly ever
//! helps, and when it is wrong no one notices.
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
    /// The model's description of the change.
    pub description: String,
    /// The text to be found: every byte between the fences, with the line end before the closing one.
    pub find: String,
    /// The replacement, likewise; empty: the lines are deleted.
    pub replace: String,
}

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
