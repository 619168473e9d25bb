//! The signers who may approve: `allowed_signers`, in OpenSSH's format.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use thiserror::Error;

use super::calendar;
use super::ssh::{PublicKey, SshError};

/// How the word of a comment begins that a passkey is found by.
const CREDENTIAL: &str = "passkey:";

/// The lines that count, and those that do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signers {
    /// In the order of the file.
    pub lines: Vec<SignerLine>,
    /// Lines that say nothing, with their number from 1 and why. As with OpenSSH they do not spoil the others.
    pub skipped: Vec<(usize, NotASigner)>,
}

/// Why a line names no signer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotASigner {
    /// It has no key.
    #[error("it has no principals, or no key")]
    Incomplete,
    /// A quotation mark is missing.
    #[error("a quotation mark is missing")]
    Quotation,
    /// An option that is unknown or given twice: it might restrict the key.
    #[error("its option {0:?} is not understood")]
    Option(String),
    /// The key cannot be read.
    #[error("its key cannot be used: {0}")]
    Key(SshError),
}

/// One key and its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignerLine {
    /// The line's number, from 1.
    pub number: usize,
    /// Patterns for the key's owner.
    pub principals: Vec<String>,
    /// Whether the key is an authority's, which certifies those of others.
    pub is_authority: bool,
    /// Patterns for the namespaces it may sign; none: any.
    pub namespaces: Option<Vec<String>>,
    /// From when it counts.
    pub valid_after: Option<i64>,
    /// Until when it counts.
    pub valid_before: Option<i64>,
    /// The public key.
    pub key: PublicKey,
    /// The text after the key, which has no effect.
    pub comment: String,
}

impl Signers {
    /// Reads a file.
    pub fn parse(text: &str) -> Self {
        let mut signers = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match SignerLine::parse(index + 1, line) {
                Ok(line) => signers.lines.push(line),
                Err(why) => signers.skipped.push((index + 1, why)),
            }
        }
        signers
    }
}

impl SignerLine {
    fn parse(number: usize, line: &str) -> Result<Self, NotASigner> {
        let (principals, rest) = word(line)?;
        let principals: Vec<String> = unquoted(principals).split(',').map(str::to_owned).collect();
        if rest.is_empty() || principals.iter().any(String::is_empty) {
            return Err(NotASigner::Incomplete);
        }
        let signer = |options: &str, key: &str| {
            let comment: Vec<&str> = key.split_ascii_whitespace().skip(2).collect();
            let key = PublicKey::parse_text(key).map_err(NotASigner::Key)?;
            let mut line = Self {
                number,
                principals: principals.clone(),
                is_authority: false,
                namespaces: None,
                valid_after: None,
                valid_before: None,
                key,
                comment: comment.join(" "),
            };
            line.take_options(options)?;
            Ok(line)
        };
        // As OpenSSH reads it: a word that is not a key is read as options, and a key follows.
        let (first, after) = word(rest)?;
        if after.is_empty() {
            return Err(NotASigner::Incomplete);
        }
        let is_key = ["ssh-", "ecdsa-", "sk-"]
            .iter()
            .any(|start| first.starts_with(start));
        if is_key {
            signer("", rest)
        } else {
            signer(first, after)
        }
    }

    fn take_options(&mut self, options: &str) -> Result<(), NotASigner> {
        for option in split_options(options)? {
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            let unknown = || NotASigner::Option(option.chars().take(60).collect());
            let text = || {
                let value = value.and_then(|value| value.strip_prefix('"'));
                value
                    .and_then(|value| value.strip_suffix('"'))
                    .ok_or_else(unknown)
            };
            let moment = || calendar::seconds(text()?).ok_or_else(unknown);
            let is_new = match name.to_ascii_lowercase().as_str() {
                "cert-authority" if value.is_none() => {
                    !std::mem::replace(&mut self.is_authority, true)
                }
                "namespaces" => {
                    let names = text()?.split(',').map(str::to_owned).collect();
                    self.namespaces.replace(names).is_none()
                }
                "valid-after" => self.valid_after.replace(moment()?).is_none(),
                "valid-before" => self.valid_before.replace(moment()?).is_none(),
                _ => false,
            };
            if !is_new {
                return Err(unknown());
            }
        }
        Ok(())
    }

    /// Whether a pattern stands in for the key's owner: one key could then approve under any matching name.
    pub fn has_wildcard(&self) -> bool {
        let is_pattern = |name: &String| name.contains(['*', '?', '!']);
        self.principals.iter().any(is_pattern)
    }

    /// Whether it is about this person.
    pub fn names(&self, principal: &str) -> bool {
        fits_any(&self.principals, principal)
    }

    /// The credential id of a passkey: a word of the comment, so that OpenSSH can still read the line. A wrong one
    /// finds nothing.
    pub fn credential(&self) -> Option<Vec<u8>> {
        let mut words = self.comment.split(' ');
        let word = words.find_map(|word| word.strip_prefix(CREDENTIAL))?;
        URL_SAFE_NO_PAD.decode(word).ok()
    }

    /// The comment word that holds a credential id.
    pub fn credential_word(credential: &[u8]) -> String {
        format!("{CREDENTIAL}{}", URL_SAFE_NO_PAD.encode(credential))
    }

    /// Whether the key may sign this.
    pub fn may_sign(&self, namespace: &str) -> bool {
        let names = self.namespaces.as_ref();
        names.is_none_or(|names| fits_any(names, namespace))
    }
}

/// The first word, in which quotation marks hold spaces together, and the text after it.
fn word(line: &str) -> Result<(&str, &str), NotASigner> {
    let mut quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b' ' | b'\t' if !quoted => return Ok((&line[..at], line[at..].trim_ascii_start())),
            _ => {}
        }
    }
    if quoted {
        Err(NotASigner::Quotation)
    } else {
        Ok((line, ""))
    }
}

fn unquoted(word: &str) -> &str {
    let inner = word
        .strip_prefix('"')
        .and_then(|word| word.strip_suffix('"'));
    inner.unwrap_or(word)
}

fn split_options(options: &str) -> Result<Vec<&str>, NotASigner> {
    if options.is_empty() {
        return Ok(Vec::new());
    }
    let (mut quoted, mut start, mut found) = (false, 0, Vec::new());
    for (at, byte) in options.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                found.push(&options[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if quoted {
        return Err(NotASigner::Quotation);
    }
    found.push(&options[start..]);
    Ok(found)
}

/// Whether one of the patterns fits and none that begins with `!` does.
fn fits_any(patterns: &[String], text: &str) -> bool {
    let mut found = false;
    for pattern in patterns {
        match pattern.strip_prefix('!') {
            Some(not) if fits(not.as_bytes(), text.as_bytes()) => return false,
            Some(_) => {}
            None => found |= fits(pattern.as_bytes(), text.as_bytes()),
        }
    }
    found
}

/// `*` matches any text and `?` one byte; at worst the product of both lengths, for every pattern.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                last_star = Some((at, read));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == text[read] => {
                at += 1;
                read += 1;
            }
            _ => match last_star {
                Some((star, from)) => {
                    last_star = Some((star, from + 1));
                    (at, read) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ssh::tests::ALICE;
    use super::*;

    fn one(line: &str) -> Result<SignerLine, NotASigner> {
        let mut signers = Signers::parse(line);
        match signers.lines.pop() {
            Some(line) => Ok(line),
            None => Err(signers.skipped.remove(0).1),
        }
    }

    #[test]
    fn a_line_has_principals_options_and_a_key() {
        let line = one(&format!("alice@example.org,al@example.org {ALICE}")).unwrap();
        assert_eq!(line.principals, ["alice@example.org", "al@example.org"]);
        assert!(line.may_sign("anything") && !line.is_authority && !line.has_wildcard());
        let line = one(&format!(
            "*@example.org cert-authority,namespaces=\"approval@proctor,git\",valid-after=\"20260101\",valid-before=\"20270101Z\" {ALICE}"
        ))
        .unwrap();
        assert!(line.is_authority && line.has_wildcard());
        assert!(line.may_sign("git") && !line.may_sign("file"));
        assert_eq!(line.valid_after, Some(1_767_225_600));
        assert_eq!(line.valid_before, Some(1_798_761_600));
        let line = one(&format!("\"alice@example.org\" {ALICE}")).unwrap();
        assert!(line.names("alice@example.org"));
    }

    #[test]
    fn a_line_that_is_not_understood_says_nothing_and_spoils_no_other() {
        let text = format!(
            "# people\r\n\r\nalice@example.org {ALICE}\r\nbob no-touch-required {ALICE}\r\ncarol {ALICE}\r\n"
        );
        let signers = Signers::parse(&text);
        assert_eq!(signers.lines.len(), 2);
        assert_eq!(
            signers.skipped,
            [(4, NotASigner::Option("no-touch-required".to_owned()))]
        );
        for wrong in [
            "alice".to_owned(),
            ALICE.to_owned(),
            format!("alice verify-required {ALICE}"),
            format!("alice cert-authority,cert-authority {ALICE}"),
            format!("alice cert-authority=\"yes\" {ALICE}"),
            format!("alice namespaces=git {ALICE}"),
            format!("alice namespaces=\"git {ALICE}"),
            format!("alice valid-before=\"tomorrow\" {ALICE}"),
            format!("alice,,bob {ALICE}"),
            format!("alice , {ALICE}"),
            "alice ssh-ed25519 AAAA".to_owned(),
        ] {
            assert!(one(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_are_openssh_s() {
        let table = [
            ("*", "anything", true),
            ("*@example.org", "a@example.org", true),
            ("*@example.org", "a@example.org.evil", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXc", false),
            ("", "", true),
            ("", "a", false),
        ];
        for (pattern, text, wanted) in table {
            assert_eq!(
                fits(pattern.as_bytes(), text.as_bytes()),
                wanted,
                "{pattern} {text}"
            );
        }
        let patterns = ["*@example.org".to_owned(), "!eve@*".to_owned()];
        assert!(fits_any(&patterns, "bob@example.org"));
        assert!(!fits_any(&patterns, "eve@example.org"));
        assert!(!fits_any(&["!eve".to_owned()], "bob"));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}") {
            let _ = Signers::parse(&text);
        }

        #[test]
        fn a_pattern_without_signs_fits_itself_alone(text in "[a-z@.]{0,12}", other in "[a-z@.]{0,12}") {
            prop_assert_eq!(fits(text.as_bytes(), other.as_bytes()), text == other);
        }
    }
}
