//! Placeholders for a secret.

use super::entropy::distinct_bytes;
use super::fingerprint::Fingerprint;
use super::web_token::is_sample_token;

/// Parts, in lower case, of values that are written where a secret would be.
const PLACEHOLDER_PARTS: [&str; 25] = [
    "example",
    "changeme",
    "change_me",
    "change-me",
    "your_",
    "your-",
    "yourtoken",
    "yourapi",
    "yoursecret",
    "yourpass",
    "xxxx",
    "****",
    "...",
    "____",
    "----",
    "dummy",
    "placeholder",
    "redacted",
    "sanitized",
    "replace_",
    "replace-",
    "replaceme",
    "insert_",
    "insert-",
    "masked",
];

/// More of them, which a short value must not hold but a long token may by chance.
const WEAK_PARTS: [&str; 15] = [
    "fake", "test", "sample", "todo", "mock", "foobar", "demo", "invalid", "default", "password",
    "passwd", "qwerty", "secret", "letmein", "s3cr3t",
];

/// Words, in lower case, that everybody uses where a password belongs.
const WEAK_PASSWORDS: [&str; 62] = [
    "1234",
    "12345",
    "123456",
    "1234567",
    "12345678",
    "123456789",
    "1234567890",
    "admin",
    "admin123",
    "alpine",
    "apassword",
    "api_key",
    "apikey",
    "bar",
    "bitnami",
    "changeit",
    "changeme",
    "correct-horse",
    "db_pass",
    "db_password",
    "dbpass",
    "docker",
    "foo",
    "foobar",
    "guest",
    "hunter1",
    "hunter2",
    "letmein",
    "minioadmin",
    "mongo",
    "mypass",
    "mypassword",
    "mysecret",
    "mysql",
    "p4ssw0rd",
    "p@ss",
    "p@ssw0rd",
    "p@ssword",
    "pass",
    "pass123",
    "passw0rd",
    "passwd",
    "password",
    "password1",
    "password123",
    "postgres",
    "postgresql",
    "pw",
    "pwd",
    "qwerty",
    "rabbitmq",
    "redis",
    "redispass",
    "root",
    "rootpassword",
    "s3cr3t",
    "s3cret",
    "secret",
    "secret123",
    "test1234",
    "token",
    "x-oauth-basic",
];

/// Fingerprints of values printed in standards and manuals: the tokens of RFC 5849, RFC 6749 and RFC 7617, the keys of
/// the Azure emulators, the bots of the Discord and Telegram manuals.
const DOCUMENTED: [&str; 18] = [
    "0011cc25eb43",
    "00cf4c781dc3",
    "02f7ce3c263f",
    "0b5dd075ccdd",
    "2ff8b0fb93ac",
    "4c20e6f5cc11",
    "53f5da0aaa93",
    "6c96130f130a",
    "731fa294d036",
    "809f227aac6e",
    "9d03b692e941",
    "aa6547439583",
    "b8e148545b13",
    "bb9b1163338b",
    "ca7459e2b267",
    "cf4d418ed3de",
    "d167410a1686",
    "e9974c507d2a",
];

/// Characters that follow each other as on a keyboard or in an alphabet, in lower case.
const SEQUENCES: [&str; 5] = [
    "01234567890123456789",
    "98765432109876543210",
    "abcdefghijklmnopqrstuvwxyz",
    "zyxwvutsrqponmlkjihgfedcba",
    "qwertyuiopasdfghjklzxcvbnm",
];

/// So many characters of a sequence do not occur by chance.
const SEQUENCE_LENGTH: usize = 7;

/// Whether a provider's token is only an example.
pub(super) fn is_placeholder_token(token: &[u8]) -> bool {
    let folded = token.to_ascii_lowercase();
    contains_any(&folded, &PLACEHOLDER_PARTS)
        || distinct_bytes(&folded) < 6
        || has_repetition(&folded)
        || has_sequence(&folded)
        || DOCUMENTED.contains(&Fingerprint::of(token).as_str())
}

/// Whether a value of unknown shape is a placeholder, a template or a word for a password.
pub(super) fn is_placeholder_value(value: &[u8]) -> bool {
    let folded = value.to_ascii_lowercase();
    is_placeholder_token(value)
        || contains_any(&folded, &WEAK_PARTS)
        || is_reference(&folded)
        || is_sample_token(value)
        || WEAK_PASSWORDS.iter().any(|weak| weak.as_bytes() == folded)
}

/// Whether a password in an address is one that protects something.
///
/// The user's name is often repeated as the password in examples.
pub(super) fn is_plausible_password(user: &[u8], password: &[u8]) -> bool {
    let password = &percent_decoded(password)[..];
    let has = |class: fn(&u8) -> bool| password.iter().any(class);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
        || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
        || has(u8::is_ascii_punctuation) && has(u8::is_ascii_alphabetic);
    password.len() >= 8
        && is_mixed
        && !password.eq_ignore_ascii_case(user)
        && !is_placeholder_value(password)
}

/// The text with `%2F` and the like decoded.
fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let (b'%', Some(value)) = (byte, value) {
            decoded.push(value);
            rest = &after[2..];
        } else {
            decoded.push(byte);
            rest = after;
        }
    }
    decoded
}

/// Whether the value is filled in by something else: `${NAME}`, `{{ name }}`, `<name>`, `%s`.
fn is_reference(folded: &[u8]) -> bool {
    let starts = [
        "$", "{", "<", "%(", "%s", "@{", "#{", "[", "(", "env:", "env.",
    ];
    let holds = [
        "${", "{{", "}}", "$(", "<%", "%>", "#{", "%s", "%d", "{}", "://",
    ];
    starts
        .iter()
        .any(|start| folded.starts_with(start.as_bytes()))
        || contains_any(folded, &holds)
}

pub(super) fn contains_any(text: &[u8], parts: &[&str]) -> bool {
    parts.iter().any(|part| contains(text, part.as_bytes()))
}

/// Whether a short text holds a shorter one.
pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// Whether one character or one pair of them is repeated on and on.
fn has_repetition(text: &[u8]) -> bool {
    // Long binary values have runs of zero bytes, which are not placeholders.
    let most = (text.len() / 4).max(6);
    let mut same = 0;
    let mut alternating = 0;
    for at in 2..text.len() {
        same = if text[at] == text[at - 1] {
            same + 1
        } else {
            0
        };
        alternating = if text[at] == text[at - 2] {
            alternating + 1
        } else {
            0
        };
        if same >= most || alternating > most + 1 {
            return true;
        }
    }
    false
}

/// Whether the text counts, with or without a character between two steps: `00112233`, `010203`.
fn has_sequence(folded: &[u8]) -> bool {
    let every_second =
        |from: usize| -> Vec<u8> { folded.iter().skip(from).step_by(2).copied().collect() };
    counts(folded) || counts(&every_second(0)) || counts(&every_second(1))
}

/// Whether this many bytes in a row each follow the one before in a sequence.
fn counts(text: &[u8]) -> bool {
    SEQUENCES.iter().any(|sequence| {
        let sequence = sequence.as_bytes();
        let follows = |pair: &[u8]| {
            let at = memchr::memchr(pair[0], sequence);
            at.is_some_and(|at| sequence.get(at + 1) == Some(&pair[1]))
        };
        let mut steps = 0;
        text.windows(2).any(|pair| {
            steps = if follows(pair) { steps + 1 } else { 0 };
            steps + 1 == SEQUENCE_LENGTH
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{is_placeholder_token, is_placeholder_value, is_plausible_password};

    #[test]
    fn examples_and_counting_are_placeholders() {
        let tokens = [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_000000000000000000000000",
            "sk_live_1234567890abcdefghij",
            "sk-ant-your-key-goes-here-now",
            "0a0b0c0d0e0f0g0h0i",
            "00112233445566778899",
            "abababababababababab9Zk",
        ];
        for token in tokens {
            assert!(is_placeholder_token(token.as_bytes()), "{token}");
        }
        assert!(!is_placeholder_token(b"kZ8qXw2LpV9bTf4RjN7c"));
    }

    #[test]
    fn templates_and_common_words_are_placeholders() {
        let values = [
            "${DB_PASSWORD}",
            "{{ name }}",
            "<password>",
            "%s",
            "hunter2",
            "test-8f2k1m",
        ];
        for value in values {
            assert!(is_placeholder_value(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_password_that_protects_something_is_long_mixed_and_not_the_user() {
        let cases = [
            ("app", "Tr0ub4dor&3", true),
            ("app", "k9vXq2Lp", true),
            ("app", "short1", false),
            ("app", "lowercase", false),
            ("application1", "application1", false),
            ("app", "p@ssw0rd", false),
            ("app", "he%2F%2Fo", false),
        ];
        for (user, password, expected) in cases {
            let plausible = is_plausible_password(user.as_bytes(), password.as_bytes());
            assert_eq!(plausible, expected, "{password}");
        }
    }
}
