//! How many tokens a model makes of a text, estimated with the vocabulary `cl100k_base`.
//!
//! The numbers are exactly those of `bpe_openai::cl100k_base().count`, which brings the vocabulary; only the
//! way there is shorter. `pieces` cuts the text like the vocabulary's regular expression, most pieces
//! are one token and found with one look into the `vocabulary`, and the others are merged from pairs as
//! the encoding defines it (`merge`). Nothing is remembered from piece to piece, so a text made to be
//! expensive costs little more than any other.

mod merge;
mod pieces;
#[cfg(test)]
mod tests;
mod vocabulary;

use merge::Merger;
use pieces::Pieces;
use vocabulary::Vocabulary;

/// Estimates how many tokens a model makes of the text.
///
/// Providers differ by some percent; the limit leaves room for that. The vocabulary is built on
/// the first call, so a command that counts nothing does not pay for it.
pub fn count_tokens(text: &str) -> usize {
    let mut merger = Merger::new(Vocabulary::get());
    Pieces::of(text)
        .map(|piece| merger.count(&text.as_bytes()[piece.start..], piece.len()))
        .sum()
}
