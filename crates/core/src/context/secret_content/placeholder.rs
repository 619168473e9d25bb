//! Values that stand for a secret without being one.

use super::entropy::distinct_bytes;
use super::fingerprint::Fingerprint;

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
    "....",
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

/// Fingerprints of keys that providers print in their documentation.
const DOCUMENTED: [&str; 0] = [];

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

/// Whether a token of a provider is written only to show what one looks like.
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
        || WEAK_PASSWORDS.iter().any(|weak| weak.as_bytes() == folded)
}

/// Whether a password in an address is one that protects something.
///
/// The user's name is often repeated as the password in examples.
pub(super) fn is_plausible_password(user: &[u8], password: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| password.iter().any(class);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
        || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
        || has(u8::is_ascii_punctuation) && has(u8::is_ascii_alphabetic);
    password.len() >= 8
        && is_mixed
        && !password.eq_ignore_ascii_case(user)
        && !is_placeholder_value(password)
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
    text.windows(part.len()).any(|window| window == part)
}

/// Whether one character or one pair of them is repeated on and on.
fn has_repetition(text: &[u8]) -> bool {
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
        if same >= 6 || alternating >= 8 {
            return true;
        }
    }
    false
}

fn has_sequence(folded: &[u8]) -> bool {
    folded
        .windows(SEQUENCE_LENGTH)
        .any(|window| SEQUENCES.iter().any(|run| contains(run.as_bytes(), window)))
}
