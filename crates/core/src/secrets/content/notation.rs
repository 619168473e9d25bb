//! The text between a name and its value, in the notations of programs, files and commands.

use std::ops::Range;

use super::placeholder::contains;
use super::segment::{Segment, is_word};

/// The longest value that is looked at.
const LONGEST_VALUE: usize = 2048;

/// So far apart a name and its value may be.
const LONGEST_GAP: usize = 80;

/// Where the value starts, if something is assigned to the name.
pub(super) fn value_start(
    segment: Segment<'_>,
    name_start: usize,
    name_end: usize,
) -> Option<usize> {
    let closing = quote_length(segment, name_end);
    let is_quoted = closing > 0;
    let mut at = name_end + closing;
    at += usize::from(is_quoted && segment.byte(at) == Some(b']'));
    at += brackets(segment.ahead(at, 8));
    let spaces = segment.run(at, 40, is_blank);
    let rest = segment.ahead(at + spaces, 4);
    let separator = match rest {
        [b':', b':', b':', b'=', ..] => 4,
        [b'=' | b'!', b'=', b'=', ..]
        | [b':', b':', b'=', ..]
        | [b'|', b'|', b'=', ..]
        | [b'?', b'?', b'=', ..] => 3,
        [b':' | b'=' | b'!' | b'?' | b'.' | b'+', b'=', ..] | [b'=', b'>', ..] => 2,
        [b':', b':', ..] => return None,
        [b':', ..] => return Some(behind_annotation(segment, at + spaces + 1)),
        [b'=', ..] => 1,
        [b',', ..] if is_quoted => {
            let next = behind_blanks(segment, at + spaces + 1);
            return value_attribute(segment, at).or(Some(next));
        }
        [b',', ..] if spaces == 0 && is_line_start(segment, name_start) => 1,
        [b'(', ..] if !is_quoted && spaces == 0 => 1,
        [b'>', ..] if spaces == 0 => return Some(element_text(segment, at + 1)),
        [b'<', b'/', ..] if spaces == 0 => return next_element(segment, at),
        _ if spaces > 0 && is_option(segment.behind(name_start + 2, 10)) => 0,
        _ if is_quoted || is_named(segment.behind(name_start, 8)) => {
            return value_attribute(segment, at);
        }
        _ if segment.behind(name_start, 1) == b"<" => return behind_attributes(segment, at),
        _ => return behind_type(segment, name_start, at),
    };
    Some(behind_sign(segment, at + spaces + separator))
}

/// The first column of a table whose columns are separated by commas.
fn is_line_start(segment: Segment<'_>, at: usize) -> bool {
    at == 0 || segment.behind(at, 1) == b"\n"
}

/// `name: password` in a list, of which the next line says the value.
fn is_named(before: &[u8]) -> bool {
    let key = before.trim_ascii_end();
    key.ends_with(b"name:") || key.ends_with(b"key:")
}

/// Where the text of an element starts, on its own line or not, and after the mark that XML puts before text in which
/// nothing is markup.
fn element_text(segment: Segment<'_>, at: usize) -> usize {
    const MARK: &[u8] = b"<![CDATA[";
    let start = next_line(segment, at).unwrap_or(at);
    if segment.ahead(start, MARK.len()) == MARK {
        start + MARK.len()
    } else {
        start
    }
}

/// The text of the element after the one that holds the name: `<key>…</key> <string>`.
fn next_element(segment: Segment<'_>, at: usize) -> Option<usize> {
    let end = |from| {
        let tag = segment.ahead(from, 32);
        tag.iter().position(|&byte| byte == b'>')
    };
    let behind = at + end(at)? + 1;
    let start = next_line(segment, behind).unwrap_or_else(|| behind_blanks(segment, behind));
    let is_opened =
        segment.byte(start) == Some(b'<') && segment.byte(start + 1).is_some_and(is_word);
    is_opened
        .then(|| end(start))
        .flatten()
        .map(|length| element_text(segment, start + length + 1))
}

/// Where the next line starts after its indentation, if nothing else is left of this one.
fn next_line(segment: Segment<'_>, at: usize) -> Option<usize> {
    let end = behind_blanks(segment, at);
    let length = line_end(segment.ahead(end, 16));
    (length > 0).then(|| behind_blanks(segment, end + length))
}

/// The length of a line end, which is escaped in a text within a text.
fn line_end(text: &[u8]) -> usize {
    let part = |from: usize, control: u8, letter: u8| {
        let text = &text[from..];
        let backslashes = text.iter().take_while(|&&byte| byte == b'\\').count();
        match text.get(backslashes) {
            Some(&byte) if backslashes == 0 && byte == control => 1,
            Some(&byte) if backslashes > 0 && byte == letter => backslashes + 1,
            _ => 0,
        }
    };
    let start = part(0, b'\r', b'r');
    match part(start, b'\n', b'n') {
        0 => 0,
        length => start + length,
    }
}

/// Where the value starts after the sign of an assignment. It may be on the next line, in quotes or after the mark of a
/// YAML block.
fn behind_sign(segment: Segment<'_>, at: usize) -> usize {
    let start = behind_blanks(segment, at);
    let mark = segment.run(start, 1, |byte| byte == b'|' || byte == b'>');
    let chomping = segment.run(start + mark, 1, |byte| byte == b'-' || byte == b'+');
    match next_line(segment, start + mark + mark * chomping) {
        Some(next) if mark > 0 || quote_length(segment, next) > 0 => next,
        _ => start,
    }
}

/// The value of an element or a list with a name attribute: `key="name" value="…"`.
fn value_attribute(segment: Segment<'_>, at: usize) -> Option<usize> {
    let gap = segment.run(at, LONGEST_GAP, |byte| byte == b',' || is_blank(byte));
    let start = next_line(segment, at + gap).unwrap_or(at + gap);
    let word = start + quote_length(segment, start);
    let end = word + b"value".len();
    let sign = behind_blanks(segment, end + quote_length(segment, end));
    let is_value = segment.ahead(word, 5).eq_ignore_ascii_case(b"value")
        && matches!(segment.byte(sign), Some(b'=' | b':'));
    is_value.then(|| behind_sign(segment, sign + 1))
}

/// The text of an element that has attributes besides its name.
fn behind_attributes(segment: Segment<'_>, at: usize) -> Option<usize> {
    let start = behind_blanks(segment, at);
    let text = segment.ahead(start, LONGEST_GAP);
    let end = text.iter().position(|&byte| byte == b'>' || byte == b'<')?;
    let is_element = text[end] == b'>' && text[..end].contains(&b'=');
    is_element.then(|| element_text(segment, start + end + 1))
}

/// `var name type = "value"` has its value after the type.
fn behind_type(segment: Segment<'_>, name_start: usize, at: usize) -> Option<usize> {
    let start = behind_blanks(segment, at);
    let is_type = |byte| is_word(byte) || b"*.[]".contains(&byte);
    let sign = behind_blanks(segment, start + segment.run(start, 40, is_type));
    let value = behind_blanks(segment, sign + 1);
    let is_declared = sign > start
        && segment.behind(name_start, 4) == b"var "
        && segment.byte(sign) == Some(b'=')
        && quote_length(segment, value) > 0;
    is_declared.then_some(value)
}

/// `--password value` and `#define PASSWORD value`, of which this is the start.
fn is_option(before: &[u8]) -> bool {
    before.starts_with(b"--")
        || contains(before, b"--")
        || before[..before.len().saturating_sub(2)].ends_with(b"define ")
}

/// `name: type = value` has its value after the type.
fn behind_annotation(segment: Segment<'_>, at: usize) -> usize {
    let is_type = |byte| is_word(byte) || b" &'<>[].,|:?*".contains(&byte);
    let value = behind_sign(segment, at);
    let sign = at + segment.run(at, 40, is_type);
    let assigned = behind_blanks(segment, sign + 1);
    // A value may end with the same sign, or hold it.
    let is_annotation = sign > at
        && segment.byte(sign) == Some(b'=')
        && (segment.behind(sign, 1) == b" " || quote_length(segment, assigned) > 0);
    if is_annotation && quote_length(segment, value) == 0 {
        assigned
    } else {
        value
    }
}

fn behind_blanks(segment: Segment<'_>, at: usize) -> usize {
    at + segment.run(at, 40, is_blank)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The length of `[]` or `[32]`.
fn brackets(text: &[u8]) -> usize {
    let inner = text.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
    let length = 1 + inner.count();
    if text.first() == Some(&b'[') && text.get(length) == Some(&b']') {
        length + 1
    } else {
        0
    }
}

/// The length of a quote with the backslashes that a text within a text puts before it.
fn quote_length(segment: Segment<'_>, at: usize) -> usize {
    let backslashes = segment.run(at, 7, |byte| byte == b'\\');
    match segment.byte(at + backslashes) {
        Some(b'"' | b'\'' | b'`') => backslashes + 1,
        _ => 0,
    }
}

/// The value that starts here, and whether it is in quotes.
pub(super) fn value(segment: Segment<'_>, start: usize) -> Option<(Range<usize>, bool)> {
    let letters = segment.run(start, 2, |byte| b"bBrRuUfF@".contains(&byte));
    for prefix in [0, letters] {
        let opening = quote_length(segment, start + prefix);
        if opening > 0 {
            return quoted(segment, start + prefix, opening).map(|range| (range, true));
        }
    }
    let length = segment.run(start, LONGEST_VALUE, is_unquoted);
    let end = start + length;
    let ends_well = segment
        .byte(end)
        .is_none_or(|byte| byte.is_ascii_whitespace() || b"\\\"',;&<)}]|".contains(&byte));
    (length > 0 && ends_well && !segment.is_cut_at(end)).then_some((start..end, false))
}

/// The text between this quote and the next of the same kind.
fn quoted(segment: Segment<'_>, start: usize, opening: usize) -> Option<Range<usize>> {
    let quote = segment.byte(start + opening - 1)?;
    let mut backslashes = 0;
    let text = segment.ahead(start + opening, LONGEST_VALUE);
    for (at, &byte) in text.iter().enumerate() {
        if byte == quote && backslashes < opening {
            let end = start + opening + at - backslashes;
            return (backslashes + 1 == opening).then_some(start + opening..end);
        }
        if !byte.is_ascii_graphic() {
            return None;
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    None
}

fn is_unquoted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_.~!@#%^*$:?-".contains(&byte)
}
