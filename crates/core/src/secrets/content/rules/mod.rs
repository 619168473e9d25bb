//! The shapes of secrets, one row per kind.
//!
//! A row names the literals that its kind cannot do without. All of them are looked for in one
//! pass; a pattern is compiled when the first of its literals turns up, and is tried only there.

mod assigned;
mod cloud;
mod development;
mod language_model;
mod service;

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

pub(super) use assigned::{ASSIGNED, is_uuid};

/// A kind of secret, for messages and marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
}

pub(super) const PRIVATE_KEY: Kind = kind("private-key", "a private key");
pub(super) const SERVICE_ACCOUNT: Kind = kind(
    "gcp-service-account-key",
    "the private key of a Google Cloud service account",
);
pub(super) const PGP_KEY: Kind = kind("pgp-private-key", "a PGP private key");
pub(super) const PUTTY_KEY: Kind = kind("putty-private-key", "a PuTTY private key");
pub(super) const WEB_TOKEN: Kind = kind("json-web-token", "a JSON Web Token");
pub(super) const URL_PASSWORD: Kind = kind("url-password", "a password in an address");
pub(super) const BEARER: Kind = kind("bearer-token", "a bearer token");
pub(super) const BASIC: Kind = kind("basic-credentials", "a name and password for HTTP");
pub(super) const COMMAND_PASSWORD: Kind = kind("command-password", "a password in a command");
pub(super) const GENERIC: Kind = kind(
    "generic-secret",
    "a random value under the name of a secret",
);

/// Kinds that are found by functions of their own.
const OTHER_KINDS: [Kind; 10] = [
    PRIVATE_KEY,
    SERVICE_ACCOUNT,
    PGP_KEY,
    PUTTY_KEY,
    WEB_TOKEN,
    URL_PASSWORD,
    BEARER,
    BASIC,
    COMMAND_PASSWORD,
    GENERIC,
];

const fn kind(name: &'static str, description: &'static str) -> Kind {
    Kind { name, description }
}

/// Every token has at least this many characters after its literal.
pub(super) const SHORTEST_REST: usize = 12;

/// A class of characters, and how many of them.
pub(super) type Before = (fn(u8) -> bool, usize);

/// A kind of secret that a provider gave a shape of its own.
#[derive(Debug)]
pub(super) struct TokenRule {
    pub(super) kind: Kind,
    /// Literals at one of which the pattern is tried.
    pub(super) keywords: &'static [&'static str],
    /// How many characters of which kind precede the literal and belong to the pattern.
    pub(super) before: Option<Before>,
    /// Whether the literal is so common that the rest must look random.
    pub(super) random: bool,
    /// The whole secret; if there is a group, that alone.
    pub(super) pattern: &'static str,
    /// Longer values are something else.
    pub(super) longest: usize,
    regex: OnceLock<Regex>,
}

/// A row of a table.
const fn token(
    name: &'static str,
    description: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> TokenRule {
    TokenRule {
        kind: kind(name, description),
        keywords,
        before: None,
        random: false,
        pattern,
        longest: 300,
        regex: OnceLock::new(),
    }
}

impl TokenRule {
    const fn longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    const fn before(mut self, class: fn(u8) -> bool, most: usize) -> Self {
        self.before = Some((class, most));
        self
    }

    const fn random(mut self) -> Self {
        self.random = true;
        self
    }

    /// Whether the pattern can match where this literal and these bytes after it are.
    ///
    /// Most literals turn up in ordinary words, where this is faster than the pattern.
    pub(super) fn may_match(&self, literal: &[u8], behind: &[u8]) -> bool {
        let ignores_case = self.pattern.starts_with("(?i");
        let is_literal = |keyword: &&str| keyword.as_bytes() == literal;
        let is_part =
            |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.~+/=$:%\\\"'".contains(byte);
        (ignores_case || self.keywords.iter().any(is_literal))
            && (self.before.is_some() || behind.iter().take_while(is_part).count() >= SHORTEST_REST)
    }

    /// The pattern, which must match where the search starts.
    pub(super) fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| {
            RegexBuilder::new(&format!("^(?:{})", self.pattern))
                .unicode(false)
                .build()
                .expect("every pattern is compiled by a test")
        })
    }
}

/// Every row of every table.
pub(super) fn tokens() -> impl Iterator<Item = &'static TokenRule> {
    cloud::RULES
        .iter()
        .chain(&development::RULES)
        .chain(&language_model::RULES)
        .chain(&service::RULES)
}

/// The name and the description of the kind with this name.
pub(super) fn named(name: &[u8]) -> Option<(&'static str, &'static str)> {
    let kinds = tokens()
        .map(|rule| rule.kind)
        .chain(OTHER_KINDS)
        .chain(ASSIGNED.iter().map(|rule| rule.kind));
    kinds
        .into_iter()
        .find(|kind| kind.name.as_bytes() == name)
        .map(|kind| (kind.name, kind.description))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{ASSIGNED, OTHER_KINDS, named, tokens};

    #[test]
    fn every_pattern_compiles() {
        for rule in tokens() {
            assert!(rule.regex().captures_len() <= 2, "{}", rule.kind.name);
        }
    }

    #[test]
    fn every_kind_has_one_name_in_kebab_case_and_one_description() {
        let mut descriptions = BTreeMap::new();
        let kinds = tokens()
            .map(|rule| rule.kind)
            .chain(OTHER_KINDS)
            .chain(ASSIGNED.iter().map(|rule| rule.kind));
        for kind in kinds {
            let plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(kind.name.bytes().all(plain), "{}", kind.name);
            let known = descriptions.entry(kind.name).or_insert(kind.description);
            assert_eq!(*known, kind.description, "{}", kind.name);
            assert_eq!(
                named(kind.name.as_bytes()),
                Some((kind.name, kind.description))
            );
        }
        assert!(descriptions.len() >= 100, "{} kinds", descriptions.len());
    }

    #[test]
    fn literals_are_long_enough_to_be_rare() {
        for rule in tokens() {
            for keyword in rule.keywords {
                assert!(keyword.len() >= 2, "{}", rule.kind.name);
            }
        }
    }
}
