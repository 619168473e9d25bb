//! One place of the file and the bytes that take its place.
//!
//! A text that covers whole lines is replaced line by line: lines that the change keeps keep their bytes, new
//! ones get the file's indentation and line end. A text that is part of a line is replaced byte by byte.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::indentation::Shift;

/// A replacement of a range of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    /// The bytes of the file that go.
    pub(super) range: Range<usize>,
    /// The new bytes.
    pub(super) replacement: Vec<u8>,
}

/// The texts of a change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) find: &'a str,
    pub(super) replace: &'a str,
}

/// The text without the line end of its last line, which belongs to the format.
pub(super) fn without_last_end(text: &str) -> &[u8] {
    let text = text.strip_suffix('\n').map_or(text, |text| {
        // In a reply with such line ends it belongs to them.
        text.strip_suffix('\r').unwrap_or(text)
    });
    text.as_bytes()
}

/// The change at `start`, where its very bytes are.
pub(super) fn at_bytes(body: &[u8], start: usize, texts: Texts<'_>) -> Splice {
    let found = without_last_end(texts.find);
    let range = start..start + found.len();
    if let Some((lines, shift)) = whole_lines(body, &range, found)
        && let Some(splice) = at_lines(body, &lines, &shift, texts)
    {
        return splice;
    }
    let replacement = without_last_end(texts.replace);
    let end = if replacement.contains(&b'\n') {
        line_end(body, range.end)
    } else {
        b"\n"
    };
    let mut bytes = Vec::with_capacity(replacement.len());
    for (number, line) in replacement.split(|byte| *byte == b'\n').enumerate() {
        if number > 0 {
            // The carriage return, if any, belongs to the line end that is written now.
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            bytes.extend_from_slice(end);
        }
        bytes.extend_from_slice(line);
    }
    Splice {
        range,
        replacement: bytes,
    }
}

/// The lines that a range covers but for white space at both ends, if the indentation differs by one shift.
fn whole_lines(body: &[u8], range: &Range<usize>, found: &[u8]) -> Option<(Range<usize>, Shift)> {
    let is_white = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let before = &body[..range.start];
    let start = range.start - before.iter().rev().take_while(is_white).count();
    let behind = &body[range.end..];
    let is_end_white = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let end = range.end + behind.iter().take_while(is_end_white).count();
    let is_whole =
        (start == 0 || body[start - 1] == b'\n') && matches!(body.get(end), None | Some(b'\n'));
    if !is_whole {
        return None;
    }
    let reply: Vec<&[u8]> = found.split(|byte| *byte == b'\n').collect();
    let file: Vec<&[u8]> = body[start..end].split(|byte| *byte == b'\n').collect();
    Some((start..end, Shift::between(&reply, &file)?))
}

/// The change at these lines, given without their last line end; `None` if a new line cannot be indented.
pub(super) fn at_lines(
    body: &[u8],
    lines: &Range<usize>,
    shift: &Shift,
    texts: Texts<'_>,
) -> Option<Splice> {
    let has_end = body.get(lines.end) == Some(&b'\n');
    let range = lines.start..lines.end + usize::from(has_end);
    let block = &body[range.clone()];
    let kept: Vec<&[u8]> = block.split_inclusive(|byte| *byte == b'\n').collect();
    let (find, replace) = (lines_of(texts.find), lines_of(texts.replace));
    let end = line_end(body, lines.start);
    let mut bytes = Vec::with_capacity(block.len() + texts.replace.len());
    for operation in capture_diff_slices(Algorithm::Myers, &find, &replace) {
        if let DiffOp::Equal { old_index, len, .. } = operation {
            for line in kept.get(old_index..old_index + len)? {
                finish_line(&mut bytes, end);
                bytes.extend_from_slice(line);
            }
        } else {
            for line in &replace[operation.new_range()] {
                finish_line(&mut bytes, end);
                bytes.extend(shift.apply(line)?);
                bytes.extend_from_slice(end);
            }
        }
    }
    if !has_end {
        // A file without a final line end stays one.
        let length = bytes.strip_suffix(b"\n").map_or(bytes.len(), |rest| {
            rest.strip_suffix(b"\r").unwrap_or(rest).len()
        });
        bytes.truncate(length);
    }
    Some(Splice {
        range,
        replacement: bytes,
    })
}

/// Ends the last line of the file, which may lack its line end, before another one follows.
fn finish_line(bytes: &mut Vec<u8>, end: &[u8]) {
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.extend_from_slice(end);
    }
}

/// Lines without their ends; an empty text has none.
fn lines_of(text: &str) -> Vec<&[u8]> {
    let lines = text.as_bytes().split_inclusive(|byte| *byte == b'\n');
    lines
        .map(|line| {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            line.strip_suffix(b"\r").unwrap_or(line)
        })
        .collect()
}

/// The line end that the file uses around `offset`: that of its line, or of the one before.
fn line_end(body: &[u8], offset: usize) -> &'static [u8] {
    let behind = memchr::memchr(b'\n', &body[offset..]).map(|found| offset + found);
    let end = behind.or_else(|| memchr::memrchr(b'\n', &body[..offset]));
    match end {
        Some(end) if end > 0 && body[end - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}
