//! Secrets in text that arrives line by line.

use std::borrow::Cow;

use super::mask_secrets;

/// The replacement for a line of a private key.
const KEY_LINE: &str = "[masked private key]";
/// The shortest line of a key block but its last.
const SHORTEST_KEY_LINE: usize = 16;

/// Masks lines one after the other; remembers whether a private key has begun.
#[derive(Debug, Default)]
pub struct LineMask {
    in_key: bool,
}

impl LineMask {
    /// The next line, as it may be shown.
    pub fn line<'a>(&mut self, line: &'a str) -> Cow<'a, str> {
        if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY") {
            self.in_key = !line.contains("-----END ");
            return Cow::Borrowed(KEY_LINE);
        }
        if self.in_key {
            self.in_key = continues_key(line);
            if self.in_key || line.contains("-----END ") {
                return Cow::Borrowed(KEY_LINE);
            }
        }
        mask_secrets(line)
    }
}

/// Whether this can be a line of a key block, with any prefix that a runner adds.
fn continues_key(line: &str) -> bool {
    let is_header = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:"]
        .iter()
        .any(|name| line.contains(name));
    let last = line.split_whitespace().last().unwrap_or_default();
    let is_body = last.len() >= SHORTEST_KEY_LINE
        && last
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    line.trim().is_empty() || is_header || is_body
}

#[cfg(test)]
mod tests {
    use super::{KEY_LINE, LineMask};

    #[test]
    fn a_key_is_masked_from_its_first_line_to_its_last() {
        let body = "MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun";
        let lines = [
            ("collected 1 item", false),
            ("E   -----BEGIN RSA PRIVATE KEY-----", true),
            ("Proc-Type: 4,ENCRYPTED", true),
            ("", true),
            (body, true),
            ("E   AAAABBBBCCCCDDDDEEEE==", true),
            ("E   -----END RSA PRIVATE KEY-----", true),
            ("1 failed", false),
        ];
        let mut mask = LineMask::default();
        for (line, masked) in lines {
            let expected = if masked { KEY_LINE } else { line };
            assert_eq!(mask.line(line), expected);
        }
    }

    #[test]
    fn a_key_that_never_ends_hides_nothing_else() {
        let mut mask = LineMask::default();
        assert_eq!(mask.line("-----BEGIN PRIVATE KEY-----"), KEY_LINE);
        assert_eq!(
            mask.line("tests/test_a.py F  [100%]"),
            "tests/test_a.py F  [100%]"
        );
        assert_eq!(
            mask.line("aaaaaaaaaaaaaaaaaaaaaaaa"),
            "aaaaaaaaaaaaaaaaaaaaaaaa"
        );
    }
}
