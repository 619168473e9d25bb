//! Names and passwords in addresses, HTTP headers and `curl` commands.

use std::ops::Range;

use super::assignment::is_random_value;
use super::entropy::looks_like_words;
use super::placeholder::{contains, is_placeholder_value, is_plausible_password};
use super::segment::{Segment, is_base64url, is_word};
use super::web_token::decode;

/// The longest name and password that are looked for.
const LONGEST: usize = 256;

/// The shortest bearer token.
const SHORTEST_BEARER: usize = 20;

/// Ends of host names, in lower case, that belong to nobody or to this machine.
const EXAMPLE_HOSTS: [&str; 16] = [
    "localhost",
    "127.0.0.1",
    "0.0.0.0",
    "host",
    "hostname",
    "server",
    "db",
    "domain",
    "example.com",
    "example.org",
    "example.net",
    ".example",
    ".invalid",
    ".test",
    ".local",
    "domain.com",
];

/// The password in `scheme://user:password@host`, given the place behind `://`.
pub(super) fn address_password(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let authority = segment.ahead(after, 2 * LONGEST);
    let end = authority.iter().position(|&byte| ends_authority(byte));
    let authority = &authority[..end.unwrap_or(authority.len())];
    if segment.is_cut_at(after + authority.len()) {
        return None;
    }
    let at = authority.iter().rposition(|&byte| byte == b'@')?;
    let colon = authority[..at].iter().position(|&byte| byte == b':')?;
    let (user, password) = (&authority[..colon], &authority[colon + 1..at]);
    let host = authority[at + 1..]
        .split(|&byte| byte == b':' || byte == b',')
        .next()?;
    let is_secret = !host.is_empty()
        && is_plausible_password(user, password)
        && (is_random_value(password, 12) || !is_example_host(host) && !is_plain(password));
    is_secret.then(|| after + colon + 1..after + at)
}

fn ends_authority(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x7f || b"/?#\"'`\\<>{}()[]|,;".contains(&byte)
}

fn is_example_host(host: &[u8]) -> bool {
    let folded = host.to_ascii_lowercase();
    EXAMPLE_HOSTS
        .iter()
        .any(|example| folded.ends_with(example.as_bytes()))
}

/// Words and nothing else.
fn is_plain(password: &[u8]) -> bool {
    looks_like_words(password) && !password.iter().any(u8::is_ascii_digit)
}

/// The value behind `Bearer`.
pub(super) fn bearer_token(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let range = header_value(segment, after)?;
    let value = &segment.bytes[range.clone()];
    let has = |class: fn(&u8) -> bool| value.iter().any(class);
    let is_secret = value.len() >= SHORTEST_BEARER
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && is_random_value(value, SHORTEST_BEARER);
    is_secret.then_some(range)
}

/// The value behind `Basic`: a name and a password in base 64.
pub(super) fn basic_credentials(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let range = header_value(segment, after)?;
    let decoded = decode(&segment.bytes[range.clone()]);
    let colon = decoded.iter().position(|&byte| byte == b':')?;
    let is_secret = decoded.iter().all(u8::is_ascii_graphic)
        && is_plausible_password(&decoded[..colon], &decoded[colon + 1..])
        && !is_plain(&decoded[colon + 1..]);
    is_secret.then_some(range)
}

/// The word that follows, up to something that cannot be part of it.
fn header_value(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let start = after + segment.run(after, 4, |byte| byte == b' ');
    let is_part = |byte| is_base64url(byte) || b".~+/=".contains(&byte);
    let length = segment.run(start, 4 * LONGEST, is_part);
    let end = start + length;
    let is_whole = length > 0 && length < 4 * LONGEST && !segment.is_cut_at(end);
    is_whole.then_some(start..end)
}

/// The password in `curl -u user:password`, given the place behind `curl`.
pub(super) fn command_password(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let line = segment.ahead(after, 2 * LONGEST);
    let line_end = line.iter().position(|&byte| byte == b'\n');
    let line = &line[..line_end.unwrap_or(line.len())];
    let option = [" -u ", " --user "]
        .iter()
        .filter_map(|option| Some(find(line, option.as_bytes())? + option.len()))
        .min()?;
    let quotes = line[option..]
        .iter()
        .take_while(|byte| matches!(byte, b'"' | b'\'' | b'\\' | b' '))
        .count();
    let start = option + quotes;
    let length = line[start..]
        .iter()
        .position(|&byte| byte <= b' ' || byte >= 0x7f || b"\"'\\`".contains(&byte))
        .unwrap_or(line.len() - start);
    let pair = &line[start..start + length];
    if segment.is_cut_at(after + start + length) {
        return None;
    }
    let colon = pair.iter().position(|&byte| byte == b':')?;
    let (user, password) = (&pair[..colon], &pair[colon + 1..]);
    let is_secret = user
        .iter()
        .all(|&byte| is_word(byte) || b".-@+".contains(&byte))
        && is_plausible_password(user, password)
        && !is_plain(password)
        && !is_placeholder_value(password)
        && !contains(password, b"://");
    let range = after + start + colon + 1..after + start + length;
    is_secret.then_some(range)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
