//! Private keys in armour: PEM, OpenSSH, PGP and `PuTTY`.

use std::ops::Range;

use super::entropy::{distinct_bytes, looks_like_words};
use super::fingerprint::Fingerprint;
use super::placeholder::contains_any;
use super::segment::{Segment, is_base64};

/// A run of base 64 this long is a line of a key and no word.
const LINE: usize = 16;

/// A key has more characters than this: the shortest, of an elliptic curve, has 64.
const SHORTEST_BODY: usize = 40;

/// How many characters of a key are inspected, so that the text after them changes nothing.
const JUDGED: usize = 64;

/// How many short runs may precede the first line: `Proc-Type: 4,ENCRYPTED` and the like.
const HEADER_RUNS: usize = 24;

/// The longest distance between the dashes and the words `PRIVATE KEY`.
const LONGEST_LABEL: usize = 32;

/// The key that `PRIVATE KEY` at this place begins or ends.
pub(super) fn armoured_key(
    segment: Segment<'_>,
    keyword: Range<usize>,
) -> Option<(Range<usize>, Fingerprint)> {
    let label = segment.behind(keyword.start, LONGEST_LABEL);
    let dashes = rfind(label, b"-----")?;
    let words = &label[dashes + 5..];
    let plain = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    if !words.iter().all(plain) {
        return None;
    }
    let start = keyword.start - label.len() + dashes;
    let after = keyword.end + strip(segment.ahead(keyword.end, 11), b" BLOCK");
    if words.starts_with(b"BEGIN") && segment.ahead(after, 5) == b"-----" {
        let end = body_end(segment, after + 5)?;
        return block(segment, start..end, after + 5);
    }
    if words.starts_with(b"END") && segment.ahead(after, 5) == b"-----" {
        let body = body_start(segment, start)?;
        return block(segment, body..after + 5, body);
    }
    None
}

/// The lines of a `PuTTY` key after `Private-Lines:`.
pub(super) fn putty_key(
    segment: Segment<'_>,
    keyword: Range<usize>,
) -> Option<(Range<usize>, Fingerprint)> {
    let end = body_end(segment, keyword.end)?;
    block(segment, keyword.start..end, keyword.end)
}

fn block(
    segment: Segment<'_>,
    range: Range<usize>,
    body: usize,
) -> Option<(Range<usize>, Fingerprint)> {
    let body = segment.bytes.get(body..range.end)?;
    let letters = body_letters(body);
    let mut judged = body_letters(&body[first_line(body)?..]);
    judged.truncate(JUDGED);
    let rest = segment.run(range.end, 256, |byte| is_base64(byte) || is_noise(byte));
    let is_key = judged.len() >= SHORTEST_BODY
        && judged.iter().any(u8::is_ascii_digit)
        && distinct_bytes(&judged) >= 14
        && !looks_like_words(&judged)
        && !contains_any(&judged.to_ascii_lowercase(), &["example", "xxxxxxxx"])
        && !(judged.len() < JUDGED && segment.is_cut_at(range.end + rest));
    is_key.then(|| (range, Fingerprint::of(&letters)))
}

/// Where the block ends: after its end line or, if that is missing, after the last line of the key.
fn body_end(segment: Segment<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    let mut last_line = None;
    let mut short_runs = 0;
    while let Some(byte) = segment.byte(at) {
        let rest = segment.ahead(at, 64);
        if rest.starts_with(b"-----") {
            return end_line(rest).map(|length| at + length).or(last_line);
        }
        if byte == b'\\' {
            at += escape(rest);
        } else if is_base64(byte) {
            let run = segment.run(at, usize::MAX, is_base64);
            if run >= LINE && is_line_end(segment, at + run) {
                last_line = Some(at + run);
                short_runs = 0;
            } else {
                short_runs += 1;
            }
            at += run;
            let allowed = if last_line.is_some() { 2 } else { HEADER_RUNS };
            if short_runs > allowed {
                return last_line;
            }
        } else if is_noise(byte) {
            at += 1;
        } else {
            return last_line;
        }
    }
    last_line
}

/// The start of a block of which only the end line and the lines before it exist.
fn body_start(segment: Segment<'_>, to: usize) -> Option<usize> {
    let mut at = to;
    let mut first_line = None;
    let mut short_runs = 0;
    while at > segment.floor {
        let byte = segment.byte(at - 1)?;
        if is_base64(byte) {
            let run = segment.run_behind(at, usize::MAX, is_base64);
            at -= run;
            if run >= LINE {
                let escaped = matches!(segment.behind(at + 1, 2), [b'\\', b'n' | b'r' | b't']);
                first_line = Some(at + usize::from(escaped));
                short_runs = 0;
            } else {
                short_runs += 1;
            }
            if short_runs > 2 {
                return first_line;
            }
        } else if is_noise(byte) || byte == b'\\' {
            at -= 1;
        } else {
            return first_line;
        }
    }
    first_line
}

/// The length of `-----END … PRIVATE KEY-----`, if the text begins with it.
fn end_line(text: &[u8]) -> Option<usize> {
    let label = text.strip_prefix(b"-----END")?;
    let length = label.iter().position(|&byte| byte == b'-')?;
    label[length..]
        .starts_with(b"-----")
        .then_some(8 + length + 5)
}

/// Bytes that may come between the lines: line ends, quotes, and the signs of headers, comments and differences.
fn is_noise(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\"'`,|>#*;:-.()~".contains(&byte)
}

fn is_line_end(segment: Segment<'_>, at: usize) -> bool {
    !segment.is_cut_at(at)
        && segment
            .byte(at)
            .is_none_or(|byte| is_noise(byte) || byte == b'\\')
}

/// The length of an escape: backslashes and, of a line end, the letter.
fn escape(text: &[u8]) -> usize {
    let backslashes = text.iter().take_while(|byte| **byte == b'\\').count();
    let letter = matches!(text.get(backslashes), Some(b'n' | b'r' | b't'));
    backslashes + usize::from(letter)
}

/// The letters and digits of the lines without separators, which differ between quoting styles.
fn body_letters(body: &[u8]) -> Vec<u8> {
    let end = rfind(body, b"-----END").unwrap_or(body.len());
    let mut letters = Vec::with_capacity(end);
    let mut rest = &body[..end];
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'\\' {
            rest = &rest[escape(rest)..];
        } else {
            if byte.is_ascii_alphanumeric() {
                letters.push(byte);
            }
            rest = after;
        }
    }
    letters
}

/// Where the first line after the headers starts.
fn first_line(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < body.len() {
        let run = body[at..]
            .iter()
            .take_while(|byte| is_base64(**byte))
            .count();
        if run >= LINE {
            return Some(at);
        }
        at += match body[at] {
            b'\\' => escape(&body[at..]),
            _ => run.max(1),
        };
    }
    None
}

fn strip(text: &[u8], prefix: &[u8]) -> usize {
    if text.starts_with(prefix) {
        prefix.len()
    } else {
        0
    }
}

fn rfind(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).rposition(|window| window == part)
}

#[cfg(test)]
mod tests {
    use crate::secrets::content::{Fingerprint, find_secrets};

    /// A body of no real key: digests of numbers.
    fn body(lines: u8) -> String {
        (0..lines)
            .map(|line| {
                (0..5)
                    .map(|part| Fingerprint::of(&[line, part]).to_string())
                    .collect::<String>()
                    + "\n"
            })
            .collect()
    }

    fn names(text: &str) -> Vec<&'static str> {
        find_secrets(text)
            .iter()
            .map(|finding| finding.rule)
            .collect()
    }

    #[test]
    fn a_key_is_found_whole_cut_or_quoted() {
        let body = body(4);
        let whole = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----");
        let texts = [
            whole.clone(),
            whole.replace('\n', "\\n"),
            whole.replace('\n', "\\\\n"),
            whole.replace('\n', "\r\n"),
            whole.replace('\n', "\n+"),
            whole.replace('\n', " "),
            format!("x = (\"{}\")", whole.replace('\n', "\\n\"\n    \"")),
        ];
        for text in &texts {
            let findings = find_secrets(text);
            assert_eq!(findings.len(), 1, "{text}");
            assert_eq!(
                findings[0].fingerprint,
                find_secrets(&whole)[0].fingerprint,
                "{text}"
            );
            assert!(
                text[findings[0].range.clone()].ends_with("KEY-----"),
                "{text}"
            );
        }
        let cut = [
            format!("-----BEGIN PRIVATE KEY-----\n{body}"),
            format!(
                "-----BEGIN PRIVATE KEY-----\n{body}some words, and more of them: without an end\n"
            ),
            format!("{body}-----END PRIVATE KEY-----"),
            format!(
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{body}"
            ),
        ];
        for text in cut {
            assert_eq!(names(&text), ["private-key"], "{text}");
        }
    }

    #[test]
    fn public_armour_and_armour_without_a_key_are_none() {
        let body = body(4);
        let texts = [
            format!("-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----"),
            format!("-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----"),
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----".to_owned(),
            "-----BEGIN PRIVATE KEY-----\nMIIEvQ...\n-----END PRIVATE KEY-----".to_owned(),
            format!(
                "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
                "A".repeat(200)
            ),
            format!("BEGIN PRIVATE KEY\n{body}END PRIVATE KEY"),
        ];
        for text in texts {
            assert_eq!(names(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_token_behind_a_cut_key_is_not_part_of_it() {
        let text = format!(
            "-----BEGIN PRIVATE KEY-----\n{}api_key = kZ8qXw2LpV9bTf4RjN7c\n",
            body(3)
        );
        assert_eq!(names(&text), ["private-key", "generic-secret"]);
    }
}
