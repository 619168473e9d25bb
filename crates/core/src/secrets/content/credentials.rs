//! Names and passwords in addresses, HTTP headers and commands.

use std::ops::Range;

use super::entropy::looks_like_words;
use super::placeholder::is_plausible_password;
use super::random_value::is_random_value;
use super::segment::{Segment, is_base64url, is_word};
use super::web_token::decode;

/// The longest name and password that are looked for.
const LONGEST: usize = 256;

/// The shortest bearer token.
const SHORTEST_BEARER: usize = 20;

/// Ends of host names, in lower case, that belong to no one or to this machine.
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

/// The password in `scheme://user:password@host`, given the place after `://`.
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

/// The value after `Bearer`.
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

/// The value after `Token`, which is also an ordinary word: it has to be in the header.
pub(super) fn header_token(segment: Segment<'_>, keyword: Range<usize>) -> Option<Range<usize>> {
    let before = segment.behind(keyword.start, 28).to_ascii_lowercase();
    let before = before.strip_suffix(b"api-").unwrap_or(&before);
    let name = before.iter().rposition(u8::is_ascii_alphabetic)?;
    let is_header =
        before[..=name].ends_with(b"authorization") && before[name + 1..].contains(&b':');
    is_header
        .then(|| bearer_token(segment, keyword.end))
        .flatten()
}

/// The value after `Basic`: a name and a password in base 64.
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

/// The password in `curl -u user:password`, given the place after the option.
pub(super) fn command_password(segment: Segment<'_>, after: usize) -> Option<Range<usize>> {
    let start = after + segment.run(after, 8, |byte| b"\"'\\= ".contains(&byte));
    let user_length = segment.run(start, LONGEST, |byte| {
        is_word(byte) || b".-@+".contains(&byte)
    });
    let colon = start + user_length;
    if segment.byte(colon) != Some(b':') {
        return None;
    }
    // A shell takes quotes in the middle of a word as well.
    let begin = colon + 1 + segment.run(colon + 1, 1, |byte| byte == b'"' || byte == b'\'');
    let length = segment.run(begin, LONGEST, |byte| {
        byte.is_ascii_graphic() && !b"\"'\\`".contains(&byte)
    });
    let (user, password) = (
        segment.ahead(start, user_length),
        segment.ahead(begin, length),
    );
    let is_secret = length < LONGEST
        && !segment.is_cut_at(begin + length)
        && is_plausible_password(user, password)
        && !is_plain(password);
    is_secret.then(|| begin..begin + length)
}

#[cfg(test)]
mod tests {
    use crate::secrets::content::find_secrets;

    #[test]
    fn credentials_are_found_where_they_are_used() {
        let cases = [
            ("postgres://app:Tr0ub4dor&3@db.acme.io/main", "Tr0ub4dor&3"),
            ("postgres://app:Summer2024@db.acme.io", "Summer2024"),
            ("redis://:k9vXq2LpZ4@cache.acme.io:6379", "k9vXq2LpZ4"),
            ("https:\\/\\/me:k9vXq2LpZ4@acme.io", "k9vXq2LpZ4"),
            (
                "mongodb://a:k9vXq2LpZ4@h1.acme.io:1,h2.acme.io:2/x",
                "k9vXq2LpZ4",
            ),
            ("amqp://app:k9v@Xq2LpZ4@mq.acme.io", "k9v@Xq2LpZ4"),
            (
                "Authorization: Bearer kZ8qXw2LpV9bTf4RjN7c",
                "kZ8qXw2LpV9bTf4RjN7c",
            ),
            (
                "authorization: basic YXBwOms5dlhxMkxwWjQ=",
                "YXBwOms5dlhxMkxwWjQ=",
            ),
            (
                "{\"auth\": \"YXBwOms5dlhxMkxwWjQ=\"}",
                "YXBwOms5dlhxMkxwWjQ=",
            ),
            ("curl -u app:k9vXq2LpZ4 https://acme.io", "k9vXq2LpZ4"),
            (
                "curl -H 'Authorization: Bearer x' -u \"app:k9vXq2LpZ4\" a",
                "k9vXq2LpZ4",
            ),
            ("curl --user 'app:k9vXq2LpZ4' https://acme.io", "k9vXq2LpZ4"),
            ("curl -u app:'k9vXq2LpZ4' https://acme.io", "k9vXq2LpZ4"),
            (
                "curl --user=app:\"k9vXq2LpZ4\" https://acme.io",
                "k9vXq2LpZ4",
            ),
            (
                "Authorization: Token kZ8qXw2LpV9bTf4RjN7c",
                "kZ8qXw2LpV9bTf4RjN7c",
            ),
            (
                "Authorization: Api-Token kZ8qXw2LpV9bTf4RjN7c",
                "kZ8qXw2LpV9bTf4RjN7c",
            ),
            (
                "'Authorization': 'token kZ8qXw2LpV9bTf4RjN7c'",
                "kZ8qXw2LpV9bTf4RjN7c",
            ),
        ];
        for (text, secret) in cases {
            let findings = find_secrets(text);
            assert_eq!(findings.len(), 1, "{text}");
            assert_eq!(&text[findings[0].range.clone()], secret, "{text}");
        }
    }

    #[test]
    fn examples_of_credentials_are_none() {
        let texts = [
            "postgres://user:password@localhost/db",
            "postgres://app:Summer24x@localhost/db",
            "password = \"Summer2024\"",
            "https://user:pass@example.com",
            "https://acme.io:8443/path@v2",
            "https://{user}:{password}@acme.io",
            "https://app:$PASSWORD1@acme.io",
            "ssh://git@acme.io/a:b1C2d3E4f5",
            "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE_1",
            "Authorization: Basic dXNlcjpwYXNzd29yZA==",
            "a basic understanding of authentication2",
            "a token kZ8qXw2LpV9bTf4RjN7c of the parser",
            "Authorization: Token YOUR_ACCESS_TOKEN_GOES_HERE_1",
            "curl -u app:password https://acme.io",
            "docker run -u 1000:1000 image",
        ];
        for text in texts {
            assert_eq!(find_secrets(text), [], "{text}");
        }
    }
}
