//! A text's form apart from its content: byte-order mark, line ends.

use std::borrow::Cow;

use super::{MergeError, Side};
use crate::diff::is_binary;

const MARK: &str = "\u{feff}";

/// The bytes as text, if they are.
pub(super) fn text(bytes: &[u8], side: Side) -> Result<&str, MergeError> {
    if is_binary(bytes) {
        return Err(MergeError::NotText(side));
    }
    std::str::from_utf8(bytes).map_err(|_| MergeError::NotText(side))
}

/// The text without a byte-order mark, and whether there was one.
pub(super) fn unmarked(text: &str) -> (&str, bool) {
    match text.strip_prefix(MARK) {
        Some(rest) => (rest, true),
        None => (text, false),
    }
}

/// The mark in front of a text that had one.
pub(super) fn marked(text: String, mark: bool) -> String {
    if mark { format!("{MARK}{text}") } else { text }
}

/// The line end of most lines.
pub(super) fn line_end(bytes: &[u8]) -> &'static str {
    let all = bytes.iter().filter(|byte| **byte == b'\n').count();
    let returns = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    if returns * 2 > all { "\r\n" } else { "\n" }
}

/// Whether every line ends in a carriage return and a line feed, and neither occurs elsewhere.
pub(super) fn ends_in_returns(text: &str) -> bool {
    let pairs = text.matches("\r\n").count();
    let alone = |sign: char| text.matches(sign).count() == pairs;
    pairs > 0 && alone('\r') && alone('\n')
}

/// The text with plain line feeds.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// New bytes in the existing text's form: without a mark of their own, with its line ends.
pub(super) fn adapted(new: &[u8], existing: &[u8]) -> Vec<u8> {
    let new = new.strip_prefix(MARK.as_bytes()).unwrap_or(new);
    // A file without any line end has no habit to follow.
    if !existing.contains(&b'\n') {
        return new.to_vec();
    }
    let end = line_end(existing);
    let mut adapted = Vec::with_capacity(new.len());
    for line in new.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(body) => {
                adapted.extend_from_slice(body.strip_suffix(b"\r").unwrap_or(body));
                adapted.extend_from_slice(end.as_bytes());
            }
            None => adapted.extend_from_slice(line),
        }
    }
    adapted
}

/// Both sides are text without binary content.
pub(super) fn both_text(existing: &[u8], new: &[u8]) -> Result<(), MergeError> {
    if is_binary(existing) {
        return Err(MergeError::NotText(Side::Existing));
    }
    if is_binary(new) {
        return Err(MergeError::NotText(Side::New));
    }
    Ok(())
}
