//! The statement that a person signs: an in-toto Statement about one git tree.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::object_id::{CommitId, TreeId};
use crate::safe_write::sha256;

/// The type of every in-toto Statement.
const TYPE: &str = "https://in-toto.io/Statement/v1";

/// The type of our predicates.
const PREDICATE_TYPE: &str = "urn:proctor:approval:v1";

/// More than any statement has.
const LARGEST: usize = 64 * 1024;

/// An approval of one tree on one base, as its signer states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The tree that is approved.
    pub tree: TreeId,
    /// The commit that it was shown against and is committed on; none for a repository's first commit.
    pub base: Option<CommitId>,
    /// The branch that it was meant for.
    pub branch: String,
    /// The run that made it, if one did.
    pub run: Option<String>,
    /// SHA-256 of `evidence.json`.
    pub evidence: String,
    /// The hash of the last record of the audit trail, where there is one.
    pub trail: Option<String>,
    /// The hash of its first record: which trail it is.
    pub trail_start: Option<String>,
    /// The signer, as `Name <address>`.
    pub by: String,
    /// The time, in seconds since 1970, by the signer's clock.
    pub at: i64,
    /// The version of Proctor that showed it.
    pub proctor: String,
}

/// Why bytes are not a statement of ours.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnreadableStatement(String);

/// A statement with its signature and evidence, as stored: bytes that are never rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedApproval {
    /// The signed bytes.
    pub statement: String,
    /// The armoured SSH signature.
    pub signature: String,
    /// The text of `evidence.json`.
    pub evidence: String,
}

impl SignedApproval {
    /// The digest that identifies the approval.
    pub fn digest(&self) -> String {
        sha256(self.statement.as_bytes())
    }
}

#[derive(Serialize, Deserialize)]
struct InToto {
    #[serde(rename = "_type")]
    kind: String,
    subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    predicate: Predicate,
}

#[derive(Serialize, Deserialize)]
struct Subject {
    digest: Digest,
}

#[derive(Serialize, Deserialize)]
struct Digest {
    #[serde(rename = "gitTree")]
    git_tree: TreeId,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Predicate {
    tree: TreeId,
    base: Option<CommitId>,
    branch: String,
    run: Option<String>,
    evidence: String,
    trail: Option<String>,
    // Statements of before do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trail_start: Option<String>,
    choice: String,
    by: String,
    at: i64,
    proctor: String,
}

/// A digest as statements name it.
fn named(digits: &str) -> String {
    format!("sha256:{digits}")
}

impl Statement {
    /// The bytes to sign. The same statement always gives the same bytes.
    pub fn to_text(&self) -> String {
        let document = InToto {
            kind: TYPE.to_owned(),
            subject: vec![Subject {
                digest: Digest {
                    git_tree: self.tree.clone(),
                },
            }],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate: Predicate {
                tree: self.tree.clone(),
                base: self.base.clone(),
                branch: self.branch.clone(),
                run: self.run.clone(),
                evidence: named(&self.evidence),
                trail: self.trail.as_deref().map(named),
                trail_start: self.trail_start.as_deref().map(named),
                choice: "approve".to_owned(),
                by: self.by.clone(),
                at: self.at,
                proctor: self.proctor.clone(),
            },
        };
        let mut text = serde_json::to_string(&document).expect("plain values can be written");
        text.push('\n');
        text
    }

    /// Reads signed bytes. The caller has checked the signature over exactly these bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, UnreadableStatement> {
        let wrong = |why: &str| UnreadableStatement(why.to_owned());
        if bytes.len() > LARGEST {
            return Err(wrong("it is too large"));
        }
        let document: InToto = serde_json::from_slice(bytes)
            .map_err(|error| UnreadableStatement(error.to_string()))?;
        if document.kind != TYPE {
            return Err(wrong("it is not an in-toto Statement"));
        }
        if document.predicate_type != PREDICATE_TYPE {
            return Err(wrong("it is about something else than an approval"));
        }
        let predicate = document.predicate;
        if predicate.choice != "approve" {
            return Err(wrong("it does not approve"));
        }
        match &document.subject[..] {
            [only] if only.digest.git_tree == predicate.tree => {}
            _ => return Err(wrong("its subject is not the tree that it approves")),
        }
        let digest = |text: &str| {
            let digits = text.strip_prefix("sha256:")?;
            let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            (digits.len() == 64 && digits.bytes().all(hexadecimal)).then(|| digits.to_owned())
        };
        let no_digest = || wrong("it names evidence or a trail by something else than SHA-256");
        let optional = |text: Option<String>| match text {
            Some(text) => digest(&text).map(Some).ok_or_else(no_digest),
            None => Ok(None),
        };
        Ok(Self {
            tree: predicate.tree,
            base: predicate.base,
            branch: predicate.branch,
            run: predicate.run,
            evidence: digest(&predicate.evidence).ok_or_else(no_digest)?,
            trail: optional(predicate.trail)?,
            trail_start: optional(predicate.trail_start)?,
            by: predicate.by,
            at: predicate.at,
            proctor: predicate.proctor,
        })
    }

    /// The signer's address, which `allowed_signers` calls a principal.
    pub fn principal(&self) -> Option<&str> {
        let (_, rest) = self.by.rsplit_once('<')?;
        let address = rest.strip_suffix('>')?;
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"<>,\"!*?".contains(&byte);
        (!address.is_empty() && address.bytes().all(plain)).then_some(address)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(in crate::approval) fn sample() -> Statement {
        Statement {
            tree: TreeId::parse(&"a".repeat(40)).unwrap(),
            base: Some(CommitId::parse(&"b".repeat(40)).unwrap()),
            branch: "main".to_owned(),
            run: Some("87-abc123".to_owned()),
            evidence: "0".repeat(64),
            trail: None,
            trail_start: None,
            by: "Alice Example <alice@example.org>".to_owned(),
            at: 1_794_843_000,
            proctor: "0.2.0".to_owned(),
        }
    }

    proptest! {
        #[test]
        fn a_written_statement_is_read(
            branch in ".{0,20}",
            by in ".{0,30}",
            at in any::<i64>(),
            run in proptest::option::of("[a-z0-9-]{1,12}"),
            trail in proptest::option::of("[0-9a-f]{64}"),
            trail_start in proptest::option::of("[0-9a-f]{64}"),
            first in any::<bool>(),
        ) {
            let base = if first { None } else { sample().base };
            let statement = Statement { base, branch, run, trail, trail_start, by, at, ..sample() };
            let text = statement.to_text();
            prop_assert_eq!(Statement::parse(text.as_bytes()), Ok(statement.clone()));
            prop_assert_eq!(statement.to_text(), text);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Statement::parse(&bytes).is_err());
        }
    }

    #[test]
    fn a_statement_about_anything_else_is_refused() {
        let text = sample().to_text();
        assert!(Statement::parse(text.as_bytes()).is_ok());
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Statement::parse(text.replacen(from, to, 1).as_bytes())
        };
        for (from, to) in [
            ("in-toto.io/Statement/v1", "in-toto.io/Statement/v9"),
            ("urn:proctor:approval:v1", "https://slsa.dev/provenance/v1"),
            ("\"choice\":\"approve\"", "\"choice\":\"reject\""),
            ("{\"gitTree\":\"aa", "{\"gitTree\":\"ab"),
            ("sha256:00", "sha1:00"),
            ("\"proctor\":", "\"more\":1,\"proctor\":"),
            ("\"by\":", "\"by\":\"Eve <eve@example.org>\",\"by\":"),
            ("\"at\":1794843000", "\"at\":\"now\""),
            ("\"branch\":\"main\",", ""),
        ] {
            assert!(changed(from, to).is_err(), "{from} as {to}");
        }
    }

    #[test]
    fn a_principal_is_the_address_and_nothing_that_could_be_a_pattern() {
        let principal = |by: &str| {
            let statement = Statement {
                by: by.to_owned(),
                ..sample()
            };
            statement.principal().map(str::to_owned)
        };
        let table = [
            ("Alice <alice@example.org>", Some("alice@example.org")),
            ("A <b> <alice@example.org>", Some("alice@example.org")),
            ("alice@example.org", None),
            ("Alice <>", None),
            ("Alice <*@example.org>", None),
            ("Alice <a,b>", None),
            ("Alice <a b>", None),
            ("Alice <alice@example.org> ", None),
        ];
        for (by, address) in table {
            assert_eq!(principal(by).as_deref(), address, "{by}");
        }
    }
}
