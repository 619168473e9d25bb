//! Marks that replace secrets in a text.

use std::borrow::Cow;

use super::fingerprint::{DIGITS, Fingerprint};
use super::rules;
use super::{SecretFinding, find_secrets};

/// How every mark begins.
pub(super) const MARK_START: &str = "[masked ";

/// The longest name of a rule that is looked for.
const LONGEST_NAME: usize = 64;

/// The text with each secret replaced by its mark, `[masked aws-access-key-id 3f9a1b2c4d5e]`.
///
/// Marks stay as they are, so masking twice is masking once.
pub fn mask_secrets(text: &str) -> Cow<'_, str> {
    mask_findings(text, &find_secrets(text))
}

/// Takes values out of a text that are known to be secrets.
pub fn mask_values(text: &mut String, confidential: &[String]) {
    for value in confidential.iter().filter(|value| !value.is_empty()) {
        if text.contains(value.as_str()) {
            *text = text.replace(value.as_str(), "[masked value of a copied file]");
        }
    }
}

/// The text with a mark in the place of each finding.
pub(in crate::secrets) fn mask_findings<'a>(
    text: &'a str,
    findings: &[SecretFinding],
) -> Cow<'a, str> {
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for finding in findings {
        masked.push_str(&text[done..finding.range.start]);
        masked.push_str(MARK_START);
        masked.push_str(finding.rule);
        masked.push(' ');
        masked.push_str(finding.fingerprint.as_str());
        masked.push(']');
        done = finding.range.end;
    }
    masked.push_str(&text[done..]);
    Cow::Owned(masked)
}

/// The mark that begins at this place, as the finding that it once was.
pub(super) fn mark_at(bytes: &[u8], start: usize) -> Option<SecretFinding> {
    let rest = bytes.get(start..)?.strip_prefix(MARK_START.as_bytes())?;
    let name_length = rest
        .iter()
        .take(LONGEST_NAME)
        .position(|&byte| byte == b' ')?;
    let (rule, description) = rules::named(&rest[..name_length])?;
    let digits = rest.get(name_length + 1..name_length + 1 + DIGITS)?;
    let fingerprint: Fingerprint = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let length = MARK_START.len() + name_length + 1 + DIGITS + 1;
    (rest.get(name_length + 1 + DIGITS) == Some(&b']')).then_some(SecretFinding {
        rule,
        description,
        range: start..start + length,
        fingerprint,
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{mark_at, mask_secrets};

    #[test]
    fn a_secret_becomes_its_mark() {
        let text = "api_key = \"kZ8qXw2LpV9bTf4RjN7c\"\n";
        let masked = mask_secrets(text);
        assert_eq!(
            masked,
            "api_key = \"[masked generic-secret 9d0dfeba511a]\"\n"
        );
        assert_eq!(mask_secrets(&masked), masked);
    }

    #[test]
    fn a_text_without_secrets_is_not_copied() {
        assert!(matches!(mask_secrets("nothing here"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_mark_is_the_finding_that_it_stands_for() {
        let mark = mark_at(b"a [masked private-key 0123456789ab] b", 2).expect("it is a mark");
        assert_eq!(
            (mark.rule, mark.description),
            ("private-key", "a private key")
        );
        assert_eq!(mark.range, 2..35);
        assert_eq!(mark.fingerprint.as_str(), "0123456789ab");
    }

    #[test]
    fn what_only_resembles_a_mark_is_none() {
        let others = [
            "[masked unknown-rule 0123456789ab]",
            "[masked private-key 0123456789a]",
            "[masked private-key 0123456789AB]",
            "[masked private-key 0123456789ab",
            "[masked private-key]",
            "[Masked private-key 0123456789ab]",
            "[masked ",
        ];
        for other in others {
            assert_eq!(mark_at(other.as_bytes(), 0), None, "{other}");
        }
    }
}
