//! New text at a line.

use super::MergeError;
use super::text_form::{adapted, both_text, line_end};
use crate::diff::line_count;

/// The new text begins at `line`, counted from 1; the old line there follows it.
pub(super) fn insert(existing: &[u8], new: &[u8], line: i64) -> Result<Vec<u8>, MergeError> {
    both_text(existing, new)?;
    let lines = line_count(existing);
    let before = usize::try_from(line)
        .ok()
        .filter(|line| (1..=lines).contains(line))
        .ok_or(MergeError::Line { line, lines })?
        - 1;
    let position: usize = existing
        .split_inclusive(|byte| *byte == b'\n')
        .take(before)
        .map(<[u8]>::len)
        .sum();
    // A byte-order mark stays the first thing in the file.
    let position = if existing.starts_with(b"\xef\xbb\xbf") {
        position.max(3)
    } else {
        position
    };
    let mut new = adapted(new, existing);
    if !new.is_empty() && !new.ends_with(b"\n") {
        new.extend_from_slice(line_end(existing).as_bytes());
    }
    let mut merged = existing[..position].to_vec();
    merged.extend_from_slice(&new);
    merged.extend_from_slice(&existing[position..]);
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::{MergeError, insert};

    #[test]
    fn the_new_text_begins_at_the_line_and_the_rest_follows() {
        let cases = [
            ("a\nb\nc\n", "x\n", 1, "x\na\nb\nc\n"),
            ("a\nb\nc\n", "x\n", 2, "a\nx\nb\nc\n"),
            ("a\nb\nc", "x", 3, "a\nb\nx\nc"),
            ("a\r\nb\r\n", "x\ny", 2, "a\r\nx\r\ny\r\nb\r\n"),
            ("\u{feff}a\n", "x\n", 1, "\u{feff}x\na\n"),
            ("a\n", "", 1, "a\n"),
        ];
        for (existing, new, line, expected) in cases {
            let merged = insert(existing.as_bytes(), new.as_bytes(), line).unwrap();
            assert_eq!(String::from_utf8_lossy(&merged), expected);
        }
    }

    #[test]
    fn a_line_that_is_not_there_is_an_error() {
        for line in [0, -1, 4, i64::MAX, i64::MIN] {
            let error = MergeError::Line { line, lines: 3 };
            assert_eq!(insert(b"a\nb\nc\n", b"x\n", line), Err(error));
        }
        assert!(insert(b"", b"x\n", 1).is_err());
    }
}
