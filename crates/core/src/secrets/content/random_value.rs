//! Whether a value of unknown shape was made by a random generator.

use super::entropy::{bits_per_byte, is_hex, looks_like_words};
use super::placeholder::{contains_any, is_placeholder_value};
use super::rules::is_uuid;
use super::segment::is_base64;
use super::web_token::decode;

/// Whether a value looks as if a random generator had made it.
pub(super) fn is_random_value(value: &[u8], shortest: usize) -> bool {
    let count = |class: fn(&u8) -> bool| value.iter().filter(|byte| class(byte)).count();
    let letters = count(u8::is_ascii_alphabetic);
    let digits = count(u8::is_ascii_digit);
    let is_mixed =
        digits > 0 || count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    let needed = match value.len() {
        20.. if is_hex(value) => 3.0,
        0..20 if is_hex(value) => return false,
        0..20 => 3.2,
        _ => 3.5,
    };
    value.len() >= shortest
        && letters >= 4
        && is_mixed
        && bits_per_byte(value) >= needed
        && !is_uuid(value)
        && !is_structured(value)
        && (is_hex(value) || !looks_like_words(value))
        && !is_placeholder_value(value)
        && !is_encoded_words(value)
}

/// Whether a value in base 64 decodes to words, such as "not my real password".
fn is_encoded_words(value: &[u8]) -> bool {
    let decoded = decode(value);
    let is_text = decoded
        .iter()
        .all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    value.iter().all(|&byte| is_base64(byte))
        && is_text
        && (looks_like_words(&decoded) || is_placeholder_value(&decoded))
}

/// Paths, patterns, templates and lists of short parts.
fn is_structured(value: &[u8]) -> bool {
    let starts = ["/", "./", "../", "~/", "\\", "--", "^", "data:"];
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
        || is_digest(value)
        || contains_any(value, &["\\d", "\\w", "\\s", "&&", "||", "=>", "->"])
        || longest_part.is_none_or(|length| length < 8)
}

/// `sha256:` or `sha512-` and a digest.
fn is_digest(value: &[u8]) -> bool {
    value.strip_prefix(b"sha").is_some_and(|rest| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        matches!(rest.get(digits), Some(b':' | b'-' | b'_' | b'='))
    })
}

/// Whether a value without quotes cannot be a name in a program: it changes between digits, small
/// and capital letters more often than people do.
pub(super) fn is_unmistakable(value: &[u8]) -> bool {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let changes = |only_digits: bool| {
        value
            .windows(2)
            .map(|pair| (class(pair[0]), class(pair[1])))
            .filter(|(before, after)| before != after)
            .filter(|(before, after)| !only_digits || *before == 0 || *after == 0)
            .count()
    };
    changes(true) >= 3 || changes(false) * 100 >= value.len() * 45
}

#[cfg(test)]
mod tests {
    use super::{is_random_value, is_unmistakable};

    #[test]
    fn what_a_generator_makes_is_random() {
        let values = [
            "kZ8qXw2LpV9bTf4RjN7c",
            "5f2b9c0d7e1a48365f0c9b2d",
            "x9$Kq!vT3#pLz8@wR5",
            "QzXkVbJwGhPdMfKqTz",
            "sha256~kZ8qXw2LpV9bTf4RjN7c",
        ];
        for value in values {
            assert!(is_random_value(value.as_bytes(), 16), "{value}");
        }
    }

    #[test]
    fn what_people_write_is_not_random() {
        let values = [
            "",
            "kZ8qXw2Lp",
            "get_token_from_request2",
            "123e4567-e89b-42d3-a456-426614174000",
            "/run/secrets/database-2024",
            "2021-01-01T00:00:00.000Z",
            "sha256-kZ8qXw2LpV9bTf4RjN7c",
            "sha512:5f2b9c0d7e1a48365f0c9b2d",
            "[A-Z0-9]{8}-[a-z0-9]{16}",
            "5f2b9c0d7e1a4836",
            "bm90IG15IHJlYWwgcGFzc3dvcmQ=",
            "0123456789abcdef0123456789abcdef",
        ];
        for value in values {
            assert!(!is_random_value(value.as_bytes(), 16), "{value}");
        }
    }

    #[test]
    fn names_in_programs_change_their_characters_seldom() {
        assert!(is_unmistakable(b"kZ8qXw2LpV9bTf4RjN7c"));
        assert!(!is_unmistakable(b"nextTokenAfterPosition2"));
    }
}
