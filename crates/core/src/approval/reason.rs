//! Why a commit is not approved.

use crate::gate::VerdictWord;
use crate::object_id::{CommitId, TreeId};

/// One way in which an approval does not count, or is missing. In the order in which they are found: a later one came
/// closer to an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// No one approved its tree.
    NoApproval,
    /// It is the first commit, so no earlier commit names signers.
    NoParent,
    /// The settings that it goes by cannot be read.
    Settings(String),
    /// The revoked keys cannot be determined.
    Revocations(String),
    /// Statement or signature are missing.
    Incomplete,
    /// The signature cannot be read.
    UnreadableSignature(String),
    /// It was made for something else.
    OtherNamespace(String),
    /// The key did not make it, or the statement was changed.
    BadSignature,
    /// The signed bytes are not a statement.
    UnreadableStatement(String),
    /// It is kept under another statement's name.
    Misplaced,
    /// It is about another tree.
    OtherTree(TreeId),
    /// It is about this tree on another commit.
    OtherBase(Option<CommitId>),
    /// It does not name its signer.
    NoPrincipal(String),
    /// No signers are configured yet.
    NoSigners,
    /// The key belongs to none of the signers.
    Stranger {
        /// The claimed signer.
        by: String,
        /// The key's fingerprint.
        key: String,
    },
    /// The key's line has a pattern instead of a person.
    Wildcard {
        /// The claimed signer.
        by: String,
        /// The line in `allowed_signers`.
        line: usize,
    },
    /// The key is another person's.
    OtherPerson {
        /// The claimed signer.
        by: String,
        /// Whose key it is.
        owner: String,
    },
    /// The key may sign other things, but no approvals.
    SignerNamespaces {
        /// The signer.
        by: String,
    },
    /// The certificate does not count.
    Certificate {
        /// The signer.
        by: String,
        /// The reason.
        why: String,
    },
    /// The key counts later only.
    NotYetValid {
        /// The signer.
        by: String,
    },
    /// The key does not count any more.
    Expired {
        /// The signer.
        by: String,
    },
    /// The key is revoked.
    Revoked {
        /// The signer.
        by: String,
        /// The key's fingerprint.
        key: String,
    },
    /// A key in a file, where a touch is asked for.
    NotInHardware {
        /// The signer.
        by: String,
    },
    /// A hardware key signed without a touch.
    NotTouched {
        /// The signer.
        by: String,
    },
    /// A hardware key that did not ask for a PIN or a finger.
    NotVerified {
        /// The signer.
        by: String,
    },
    /// The author approved it, which is not allowed.
    ByAuthor {
        /// The author.
        by: String,
    },
    /// The evidence is not beside the statement.
    EvidenceMissing,
    /// It differs from the signed evidence.
    EvidenceChanged,
    /// It is about something else.
    EvidenceOther,
    /// More people have to approve.
    TooFew {
        /// How many did.
        have: usize,
        /// How many have to.
        want: usize,
    },
    /// Judged again here, it does not hold.
    Rejudged {
        /// The verdict in the evidence.
        claim: Option<VerdictWord>,
        /// The verdict reached here.
        found: VerdictWord,
    },
}

impl Reason {
    /// The word for scripts.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NoApproval => "no_approval",
            Self::NoParent => "no_parent",
            Self::Settings(_) => "settings_unreadable",
            Self::Revocations(_) => "revocations_unreadable",
            Self::Incomplete => "approval_incomplete",
            Self::UnreadableSignature(_) => "signature_unreadable",
            Self::OtherNamespace(_) => "other_namespace",
            Self::BadSignature => "bad_signature",
            Self::UnreadableStatement(_) => "statement_unreadable",
            Self::Misplaced => "misplaced",
            Self::OtherTree(_) => "other_tree",
            Self::OtherBase(_) => "other_base",
            Self::NoPrincipal(_) => "no_principal",
            Self::NoSigners => "no_signers",
            Self::Stranger { .. } => "stranger",
            Self::Wildcard { .. } => "wildcard_principal",
            Self::OtherPerson { .. } => "other_person",
            Self::SignerNamespaces { .. } => "signer_namespaces",
            Self::Certificate { .. } => "certificate",
            Self::NotYetValid { .. } => "not_yet_valid",
            Self::Expired { .. } => "expired",
            Self::Revoked { .. } => "revoked",
            Self::NotInHardware { .. } => "not_in_hardware",
            Self::NotTouched { .. } => "not_touched",
            Self::NotVerified { .. } => "not_verified",
            Self::ByAuthor { .. } => "by_author",
            Self::EvidenceMissing => "evidence_missing",
            Self::EvidenceChanged => "evidence_changed",
            Self::EvidenceOther => "evidence_other",
            Self::TooFew { .. } => "too_few",
            Self::Rejudged { .. } => "rejudged",
        }
    }

    /// How close it came to an approval: of several, the closest is reported.
    pub fn progress(&self) -> u8 {
        match self {
            Self::NoApproval | Self::NoParent | Self::Settings(_) | Self::Revocations(_) => 0,
            Self::Incomplete => 1,
            Self::UnreadableSignature(_) => 2,
            Self::OtherNamespace(_) => 3,
            Self::BadSignature => 4,
            Self::UnreadableStatement(_) => 5,
            Self::Misplaced => 6,
            Self::OtherTree(_) => 7,
            Self::OtherBase(_) => 8,
            Self::NoPrincipal(_) => 9,
            Self::NoSigners => 10,
            Self::Stranger { .. } => 11,
            Self::Wildcard { .. } => 12,
            Self::OtherPerson { .. } => 13,
            Self::SignerNamespaces { .. } => 14,
            Self::Certificate { .. } => 15,
            Self::NotYetValid { .. } => 16,
            Self::Expired { .. } => 17,
            Self::Revoked { .. } => 18,
            Self::NotInHardware { .. } | Self::NotTouched { .. } => 19,
            Self::NotVerified { .. } => 20,
            Self::ByAuthor { .. } => 21,
            Self::EvidenceMissing | Self::EvidenceChanged | Self::EvidenceOther => 22,
            Self::TooFew { .. } => 23,
            Self::Rejudged { .. } => 24,
        }
    }

    /// What to do about it, where `commit` is the one that is not approved and `fetch` the command that fetches approvals.
    pub fn hint(&self, commit: &CommitId, fetch: &str) -> String {
        let again = format!("`proctor review --commit {}`", commit.short());
        match self {
            Self::NoApproval => format!(
                "have it approved with {again}, or fetch what is there: `{fetch}`"
            ),
            Self::NoParent => {
                "leave the first commit out of the range, or name who may approve it with --signers FILE".to_owned()
            }
            Self::Settings(_) => "fix proctor.toml in an approved commit, or start the range after it".to_owned(),
            Self::Revocations(_) => {
                "write a list of public keys, or a key revocation list, as `ssh-keygen -k` makes it".to_owned()
            }
            Self::Incomplete => {
                format!("fetch it again with `{fetch}`, or approve again with {again}")
            }
            Self::UnreadableSignature(_)
            | Self::OtherNamespace(_)
            | Self::BadSignature
            | Self::UnreadableStatement(_)
            | Self::Misplaced
            | Self::NoPrincipal(_)
            | Self::EvidenceMissing
            | Self::EvidenceChanged
            | Self::EvidenceOther => format!("have it approved again with {again}"),
            Self::OtherTree(_) => format!("what was approved is not what is committed; have it looked at with {again}"),
            Self::OtherBase(_) => {
                format!("it was approved on another commit, and no one saw the two together; have it approved here with {again}")
            }
            Self::NoSigners => {
                "name who may approve with `proctor keys add` and commit it, or with --signers FILE".to_owned()
            }
            Self::Stranger { .. } => {
                "have a listed signer approve it, or have the key added by an approved commit before this one: `proctor keys add`".to_owned()
            }
            Self::Wildcard { .. } => {
                "name each person on a line of their own: only the key of a certificate authority may have a pattern".to_owned()
            }
            Self::OtherPerson { .. } => {
                "sign under the address that the key is listed with: `git config user.email` sets it, `proctor keys list` shows it".to_owned()
            }
            Self::SignerNamespaces { .. } => {
                "list the key with namespaces=\"approval@proctor\", as `proctor keys add` does".to_owned()
            }
            Self::Certificate { .. } => {
                format!("get a user certificate for this address and approve again with {again}")
            }
            Self::NotYetValid { .. } | Self::Expired { .. } => {
                format!("have a signer approve it whose key counts now, with {again}")
            }
            Self::Revoked { .. } => {
                format!("have a signer approve it whose key is not revoked, with {again}")
            }
            Self::NotInHardware { .. } => {
                "sign with a hardware key (`ssh-keygen -t ed25519-sk`), or have an approved commit set `[approval] presence = \"none\"` first".to_owned()
            }
            Self::NotTouched { .. } => {
                format!("sign with a key that asks for a touch, made without `-O no-touch-required`, and approve again with {again}")
            }
            Self::NotVerified { .. } => {
                format!("sign with a key that asks for a PIN or a finger, made with `-O verify-required`, and approve again with {again}")
            }
            Self::ByAuthor { .. } => format!("have another person approve it with {again}"),
            Self::TooFew { .. } => format!("have others approve it, too, with {again}"),
            Self::Rejudged { .. } => {
                format!("see what was found with `proctor gate change --commit {}`", commit.short())
            }
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoApproval => formatter.write_str("no one approved this tree"),
            Self::NoParent => formatter.write_str(
                "it is the first commit, so no one is listed before it who could approve it",
            ),
            Self::Settings(why) => write!(
                formatter,
                "the settings of its first parent cannot be used: {why}"
            ),
            Self::Revocations(why) => {
                write!(formatter, "it is unknown which keys are revoked: {why}")
            }
            Self::Incomplete => formatter.write_str("an approval has no statement or no signature"),
            Self::UnreadableSignature(why) => {
                write!(formatter, "the signature cannot be read: {why}")
            }
            Self::OtherNamespace(name) => write!(
                formatter,
                "the signature was made for {name:?}, not for approvals"
            ),
            Self::BadSignature => formatter.write_str("the signature does not fit the statement"),
            Self::UnreadableStatement(why) => {
                write!(formatter, "the statement cannot be read: {why}")
            }
            Self::Misplaced => {
                formatter.write_str("an approval is kept under the name of another one")
            }
            Self::OtherTree(tree) => write!(
                formatter,
                "the approval is about another tree, {}",
                tree.short()
            ),
            Self::OtherBase(Some(base)) => write!(
                formatter,
                "this tree was approved on {}, not on its first parent",
                base.short()
            ),
            Self::OtherBase(None) => formatter
                .write_str("this tree was approved as a first commit, not on its first parent"),
            Self::NoPrincipal(by) => write!(formatter, "{by:?} signs without an address"),
            Self::NoSigners => formatter.write_str("its first parent lists no one who may approve"),
            Self::Stranger { by, key } => write!(
                formatter,
                "signed as {by} with {key}, which is not the key of an approver"
            ),
            Self::Wildcard { by, line } => write!(
                formatter,
                "signed as {by} with a key that line {line} of the signers gives to a pattern"
            ),
            Self::OtherPerson { by, owner } => {
                write!(formatter, "signed as {by} with the key of {owner}")
            }
            Self::SignerNamespaces { by } => {
                write!(formatter, "the key of {by} may not sign approvals")
            }
            Self::Certificate { by, why } => {
                write!(formatter, "the certificate of {by} does not count: {why}")
            }
            Self::NotYetValid { by } => write!(formatter, "the key of {by} was not valid yet"),
            Self::Expired { by } => write!(formatter, "the key of {by} has expired"),
            Self::Revoked { by, key } => write!(formatter, "the key of {by}, {key}, is revoked"),
            Self::NotInHardware { by } => write!(
                formatter,
                "{by} signed with a key in a file, which cannot show that a person was there"
            ),
            Self::NotTouched { by } => write!(
                formatter,
                "{by}'s hardware key signed without being touched"
            ),
            Self::NotVerified { by } => write!(
                formatter,
                "{by}'s hardware key signed without a PIN or a finger"
            ),
            Self::ByAuthor { by } => write!(formatter, "{by} approved their own commit"),
            Self::EvidenceMissing => {
                formatter.write_str("the evidence that was signed is not there")
            }
            Self::EvidenceChanged => formatter.write_str("the evidence is not what was signed"),
            Self::EvidenceOther => formatter.write_str("the evidence is about something else"),
            Self::TooFew { have, want } => write!(formatter, "{have} of {want} people approved it"),
            Self::Rejudged {
                claim: Some(claim),
                found,
            } => {
                write!(
                    formatter,
                    "approved as {}, but judged again here: {}",
                    claim.words(),
                    found.words()
                )
            }
            Self::Rejudged { claim: None, found } => {
                write!(formatter, "judged again here: {}", found.words())
            }
        }
    }
}
