//! New text at the end.

use super::MergeError;
use super::text_form::{adapted, both_text, line_end};

/// The existing bytes, then the new text on lines of its own. Blank lines where the two meet do not add up.
pub(super) fn append(existing: &[u8], new: &[u8]) -> Result<Vec<u8>, MergeError> {
    both_text(existing, new)?;
    if existing.is_empty() {
        return Ok(new.to_vec());
    }
    let new = adapted(new, existing);
    let mut merged = existing.to_vec();
    if new.is_empty() {
        return Ok(merged);
    }
    if !merged.ends_with(b"\n") {
        merged.extend_from_slice(line_end(existing).as_bytes());
    }
    let already = blank_lines(lines(&merged).rev());
    let coming = blank_lines(lines(&new));
    let skipped: usize = lines(&new).take(coming.min(already)).map(<[u8]>::len).sum();
    merged.extend_from_slice(&new[skipped..]);
    if existing.ends_with(b"\n") && !merged.ends_with(b"\n") {
        merged.extend_from_slice(line_end(existing).as_bytes());
    }
    Ok(merged)
}

fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

fn blank_lines<'a>(lines: impl Iterator<Item = &'a [u8]>) -> usize {
    lines
        .take_while(|line| line.ends_with(b"\n") && line.trim_ascii().is_empty())
        .count()
}

#[cfg(test)]
mod tests {
    use super::append;

    #[test]
    fn the_new_text_begins_on_a_line_of_its_own_and_blank_lines_do_not_add_up() {
        let cases = [
            ("a\n", "b\n", "a\nb\n"),
            ("a", "b\n", "a\nb\n"),
            ("a\n", "b", "a\nb\n"),
            ("a", "b", "a\nb"),
            ("a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n"),
            ("a\n", "b\r\n", "a\nb\n"),
            ("a\n\n", "\nb\n", "a\n\nb\n"),
            ("a\n\n", "\n\n\nb\n", "a\n\n\n\nb\n"),
            ("a\n\n\n", "\nb\n", "a\n\n\nb\n"),
            ("a\n", "\nb\n", "a\n\nb\n"),
            ("", "b", "b"),
            ("a\n", "", "a\n"),
            ("a", "", "a"),
            ("\u{feff}a\n", "\u{feff}b\n", "\u{feff}a\nb\n"),
        ];
        for (existing, new, expected) in cases {
            let merged = append(existing.as_bytes(), new.as_bytes()).unwrap();
            assert_eq!(
                String::from_utf8_lossy(&merged),
                expected,
                "{existing:?} + {new:?}"
            );
        }
    }

    #[test]
    fn binary_content_is_refused_on_either_side() {
        assert!(append(b"\0", b"a").is_err());
        assert!(append(b"a", b"\0").is_err());
    }
}
