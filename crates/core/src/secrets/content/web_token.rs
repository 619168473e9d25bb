//! JSON Web Tokens.

use std::ops::Range;

use super::placeholder::{contains, contains_any};
use super::segment::{Segment, is_base64url};

/// A signature, or the last part of an encrypted token, has at least this many characters.
const SHORTEST_SIGNATURE: usize = 20;

/// The longest part that is read.
const LONGEST_PART: usize = 16 * 1024;

/// The token that starts here with `eyJ`: a header that names its algorithm, a payload and a
/// signature.
pub(super) fn web_token(segment: Segment<'_>, start: usize) -> Option<Range<usize>> {
    let before = segment.behind(start, 1).last();
    if !segment.is_word_start(start) || matches!(before, Some(b'.' | b'-')) {
        return None;
    }
    let header = part(segment, start)?;
    let decoded = decode(&segment.bytes[header.clone()]);
    if !decoded.starts_with(b"{") || !contains(&decoded, b"\"alg\"") {
        return None;
    }
    let payload = next_part(segment, header.end)?;
    let mut end = next_part(segment, payload.end)?;
    if end.len() < SHORTEST_SIGNATURE || is_sample(&decode(&segment.bytes[payload])) {
        return None;
    }
    while let Some(more) = next_part(segment, end.end) {
        end = more;
    }
    Some(start..end.end)
}

/// Whether this is one of the tokens that introductions show, or a piece of one.
pub(super) fn is_sample_token(value: &[u8]) -> bool {
    value.starts_with(b"eyJ")
        && value
            .split(|&byte| byte == b'.')
            .any(|part| is_sample(&decode(part)))
}

/// The payloads of the tokens that introductions show.
fn is_sample(payload: &[u8]) -> bool {
    contains_any(
        payload,
        &["John Doe", "\"1234567890\"", "{\"some\":\"payload\"}"],
    )
}

fn next_part(segment: Segment<'_>, end: usize) -> Option<Range<usize>> {
    (segment.byte(end) == Some(b'.'))
        .then(|| part(segment, end + 1))
        .flatten()
}

fn part(segment: Segment<'_>, start: usize) -> Option<Range<usize>> {
    let length = segment.run(start, LONGEST_PART, is_base64url);
    (length > 0 && length < LONGEST_PART).then_some(start..start + length)
}

/// The bytes that base 64 of either alphabet encodes; it ends at the first other character.
pub(super) fn decode(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut bits = 0_u32;
    let mut count = 0;
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.extend(u8::try_from(bits >> count & 0xff));
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::{decode, is_sample_token};

    #[test]
    fn both_alphabets_are_decoded() {
        let cases = [
            ("", ""),
            ("YQ==", "a"),
            ("YWI", "ab"),
            ("YWJj", "abc"),
            ("Pz8_Pj4-", "???>>>"),
            ("Pz8/Pj4+", "???>>>"),
        ];
        for (text, expected) in cases {
            assert_eq!(decode(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn tokens_of_introductions_are_known_by_their_payload() {
        assert!(is_sample_token(
            b"eyJhbGciOiJIUzI1NiJ9.eyJuYW1lIjoiSm9obiBEb2UifQ.c2lnbmF0dXJl"
        ));
        assert!(!is_sample_token(
            b"eyJhbGciOiJIUzI1NiJ9.eyJuYW1lIjoiSmFuZSJ9.c2lnbmF0dXJl"
        ));
    }
}
