//! Names for secrets that do not reveal them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Digits that a person reads, copies and types.
pub(super) const DIGITS: usize = 12;

/// The start of the SHA-256 of a secret: twelve lower-case hexadecimal digits.
///
/// It names a secret without revealing it as long as the secret cannot be guessed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(String);

/// The text is not a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a fingerprint, which has {DIGITS} digits of 0-9 and a-f")]
pub struct NotAFingerprint(String);

impl Fingerprint {
    /// The fingerprint of these bytes, which the caller has brought into one form.
    pub(super) fn of(normalised: &[u8]) -> Self {
        let digest = Sha256::digest(normalised);
        let mut text = String::with_capacity(DIGITS);
        for byte in &digest[..DIGITS / 2] {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        Self(text)
    }

    /// The twelve digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = NotAFingerprint;

    fn from_str(text: &str) -> Result<Self, NotAFingerprint> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == DIGITS && text.bytes().all(is_digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAFingerprint(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = NotAFingerprint;

    fn try_from(text: String) -> Result<Self, NotAFingerprint> {
        text.parse()
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.0
    }
}

/// A value without the additions of different quoting styles, so that it has one fingerprint.
///
/// Backslashes are removed, and `\u0026` becomes its character.
pub(super) fn without_escapes(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            plain.push(byte);
        } else if let Some((decoded, after)) = unicode_escape(after) {
            plain.push(decoded);
            rest = after;
        }
    }
    plain
}

/// The ASCII character of `u0026`, the part of an escape after its backslash.
fn unicode_escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let digits = text.strip_prefix(b"u00")?.get(..2)?;
    let value = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((value, &text[5..]))
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, without_escapes};

    #[test]
    fn a_fingerprint_is_the_start_of_the_digest() {
        let fingerprint = Fingerprint::of(b"abc");
        assert_eq!(fingerprint.to_string(), "ba7816bf8f01");
        assert_eq!("ba7816bf8f01".parse(), Ok(fingerprint.clone()));
        let json = serde_json::to_string(&fingerprint).unwrap();
        assert_eq!(json, "\"ba7816bf8f01\"");
        assert_eq!(
            serde_json::from_str::<Fingerprint>(&json).unwrap(),
            fingerprint
        );
    }

    #[test]
    fn other_texts_are_no_fingerprints() {
        for text in [
            "",
            "ba7816bf8f0",
            "ba7816bf8f011",
            "BA7816BF8F01",
            "ba7816bf8f0g",
        ] {
            let error = text.parse::<Fingerprint>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("`{text}` is not a fingerprint, which has 12 digits of 0-9 and a-f")
            );
        }
        assert!(serde_json::from_str::<Fingerprint>("\"no\"").is_err());
    }

    #[test]
    fn escapes_do_not_change_a_value() {
        let cases = [
            (r"a\\b", "ab"),
            (r"a\b", "ab"),
            (r#"a\"b"#, "a\"b"),
            (r"a\u0026b", "a&b"),
            (r"a\/b", "a/b"),
            (r"\u00", "u00"),
            ("\\", ""),
        ];
        for (escaped, plain) in cases {
            assert_eq!(without_escapes(escaped.as_bytes()), plain.as_bytes());
        }
    }
}
