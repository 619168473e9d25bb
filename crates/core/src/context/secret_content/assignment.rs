//! Random values under the name of a secret.

use std::ops::Range;

use super::entropy::{bits_per_byte, is_hex, looks_like_words};
use super::placeholder::{contains, contains_any, is_placeholder_token, is_placeholder_value};
use super::rules::{ASSIGNED, GENERIC, Kind, is_uuid};
use super::segment::{Segment, is_word};

/// Parts of names that say that a value is a secret, as they are written.
pub(super) const NAME_KEYWORDS: [&str; 29] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "contrasena",
    "_pwd",
    "pwd",
    "db_pass",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "appkey",
    "app_key",
    "app-key",
    "accesskey",
    "access_key",
    "access-key",
    "authkey",
    "auth_key",
    "auth-key",
    "privatekey",
    "private_key",
    "private-key",
    "encryption_key",
    "signing_key",
    "credential",
    "_auth",
];

/// Words after the keyword that make the name that of something about a secret.
const ABOUT: [&str; 52] = [
    "arn",
    "at",
    "class",
    "column",
    "count",
    "description",
    "dir",
    "directory",
    "endpoint",
    "error",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "filename",
    "format",
    "function",
    "header",
    "help",
    "hint",
    "id",
    "ids",
    "index",
    "input",
    "issuer",
    "kind",
    "label",
    "length",
    "limit",
    "link",
    "location",
    "message",
    "mode",
    "name",
    "names",
    "param",
    "parameter",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "prefix",
    "prompt",
    "ref",
    "regex",
    "size",
    "suffix",
    "template",
    "title",
    "type",
    "url",
];

/// Words anywhere in the name that say that the value is public or no value at all.
const PUBLIC: [&str; 24] = [
    "checksum",
    "commit",
    "csrf",
    "cursor",
    "digest",
    "dummy",
    "encrypted",
    "etag",
    "example",
    "fake",
    "fingerprint",
    "hash",
    "hashed",
    "integrity",
    "md5",
    "mock",
    "nonce",
    "public",
    "revision",
    "sample",
    "sha",
    "sha1",
    "sha256",
    "xsrf",
];

/// The longest part of a name before and after its keyword.
const LONGEST_NAME_PART: usize = 48;

/// The longest value that is looked at.
const LONGEST_VALUE: usize = 2048;

/// The shortest value of unknown shape.
const SHORTEST_VALUE: usize = 16;

/// The secret that is assigned to the name around this keyword.
pub(super) fn assigned_secret(
    segment: Segment<'_>,
    keyword: Range<usize>,
) -> Option<(Kind, Range<usize>)> {
    let before = segment.run_behind(keyword.start, LONGEST_NAME_PART, is_name);
    let after = segment.run(keyword.end, LONGEST_NAME_PART, is_name);
    let rest = &segment.bytes[keyword.end..keyword.end + after];
    if after == LONGEST_NAME_PART || continues_word(segment.bytes[keyword.end - 1], rest) {
        return None;
    }
    let name = &segment.bytes[keyword.start - before..keyword.end + after];
    let about = words(rest);
    if about.iter().any(|word| ABOUT.contains(&word.as_str())) {
        return None;
    }
    let start = value_start(segment, keyword.start - before, keyword.end + after)?;
    let (range, is_quoted) = value(segment, start)?;
    let text = &segment.bytes[range.clone()];
    let folded: Vec<u8> = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let provider = ASSIGNED.iter().find(|rule| {
        contains_any(&folded, rule.names) && (rule.shape)(text) && !is_placeholder_token(text)
    });
    if let Some(rule) = provider {
        return Some((rule.kind, range));
    }
    let is_public = words(name)
        .iter()
        .any(|word| PUBLIC.contains(&word.as_str()));
    let is_key_uuid = is_uuid(text) && contains_any(&folded, &["apikey", "clientsecret"]);
    let is_secret = !is_public
        && (is_key_uuid && !is_placeholder_value(text) || is_random_value(text, SHORTEST_VALUE))
        && (is_quoted || is_unmistakable(text));
    is_secret.then_some((GENERIC, range))
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}

/// Whether the keyword is only the start of a word, as in `tokenizer`.
fn continues_word(last: u8, rest: &[u8]) -> bool {
    let rest = match rest {
        [b's' | b'S', rest @ ..] => rest,
        rest => rest,
    };
    rest.first().is_some_and(|next| {
        next.is_ascii_lowercase() || next.is_ascii_uppercase() && last.is_ascii_uppercase()
    })
}

/// The words of a name, in lower case: `apiKey_id` has `api`, `key` and `id`.
fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = b'_';
    for &byte in name {
        if byte.is_ascii_alphanumeric() {
            let begins = !previous.is_ascii_alphanumeric()
                || byte.is_ascii_uppercase() && !previous.is_ascii_uppercase();
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        previous = byte;
    }
    words
}

/// Where the value starts, if something is assigned to the name.
fn value_start(segment: Segment<'_>, name_start: usize, name_end: usize) -> Option<usize> {
    let closing = quote_length(segment, name_end);
    let is_quoted = closing > 0;
    let mut at = name_end + closing;
    at += usize::from(is_quoted && segment.byte(at) == Some(b']'));
    at += brackets(segment.ahead(at, 8));
    let spaces = segment.run(at, 40, is_blank);
    let rest = segment.ahead(at + spaces, 4);
    let separator = match rest {
        [b'=', b'=', b'=', ..] | [b'!', b'=', b'=', ..] => 3,
        [b':', b'=', ..] | [b'=', b'=' | b'>', ..] | [b'!', b'=', ..] => 2,
        [b':', b':', ..] => return None,
        [b':', ..] => return Some(behind_annotation(segment, at + spaces + 1)),
        [b'=', ..] => 1,
        [b',', ..] if is_quoted => 1,
        [b'(' | b'>', ..] if !is_quoted && spaces == 0 => 1,
        _ if spaces > 0 && is_option(segment.behind(name_start + 2, 10)) => 0,
        _ => return None,
    };
    Some(behind_blanks(segment, at + spaces + separator))
}

/// `--password value` and `#define PASSWORD value`, of which this is the start.
fn is_option(before: &[u8]) -> bool {
    before.starts_with(b"--")
        || contains(before, b"--")
        || before[..before.len().saturating_sub(2)].ends_with(b"define ")
}

/// `name: type = value` has its value behind the type.
fn behind_annotation(segment: Segment<'_>, at: usize) -> usize {
    let is_type = |byte| is_word(byte) || b" &'<>[].,|:?*".contains(&byte);
    let length = segment.run(at, 40, is_type);
    let value = behind_blanks(segment, at);
    if length > 0 && segment.byte(at + length) == Some(b'=') && quote_length(segment, value) == 0 {
        behind_blanks(segment, at + length + 1)
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
fn value(segment: Segment<'_>, start: usize) -> Option<(Range<usize>, bool)> {
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

/// What lies between this quote and the next of the same kind.
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

/// Whether a value looks as if a random generator had made it.
pub(super) fn is_random_value(value: &[u8], shortest: usize) -> bool {
    let count = |class: fn(&u8) -> bool| value.iter().filter(|byte| class(byte)).count();
    let letters = count(u8::is_ascii_alphabetic);
    let digits = count(u8::is_ascii_digit);
    let is_mixed =
        digits > 0 || count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    let needed = match value.len() {
        _ if is_hex(value) && value.len() >= 20 => 3.0,
        0..20 => 3.2,
        _ => 3.5,
    };
    value.len() >= shortest
        && letters >= 4
        && is_mixed
        && bits_per_byte(value) >= needed
        && !is_uuid(value)
        && !is_structured(value)
        && !looks_like_words(value)
        && !is_placeholder_value(value)
}

/// Paths, patterns, templates and lists of short parts.
fn is_structured(value: &[u8]) -> bool {
    let starts = ["/", "./", "../", "~/", "\\", "-", "^", "data:", "sha"];
    let pairs = [(b'[', b']'), (b'(', b')'), (b'{', b'}'), (b'<', b'>')];
    let longest_part = value
        .split(|byte| b"-_.:/, ".contains(byte))
        .map(<[u8]>::len)
        .max();
    starts
        .iter()
        .any(|start| value.starts_with(start.as_bytes()))
        || pairs
            .iter()
            .any(|(open, close)| value.contains(open) && value.contains(close))
        || contains_any(value, &["\\d", "\\w", "\\s", "&&", "||", "=>", "->"])
        || longest_part.is_none_or(|length| length < 8)
}

/// Whether a value without quotes cannot be a name in a program.
fn is_unmistakable(value: &[u8]) -> bool {
    let changes = value
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    changes >= 3
}
