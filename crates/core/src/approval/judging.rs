//! One stored approval, judged for one commit.

use super::ssh::{Signature, SignedBytes};
use super::{
    Accepted, Author, Demand, Evidence, NAMESPACE, Reason, Revoked, SignedApproval, Signers,
    Statement, policy,
};
use crate::object_id::{CommitId, TreeId};
use crate::safe_write::sha256;

/// An approval as stored in a repository; files may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stored {
    /// The last part of its name: the beginning of the statement's digest.
    pub name: String,
    /// The signed bytes.
    pub statement: Option<Vec<u8>>,
    /// The armoured signature.
    pub signature: Option<Vec<u8>>,
    /// The bytes of `evidence.json`.
    pub evidence: Option<Vec<u8>>,
}

impl Stored {
    /// As many digits of the digest as a name has.
    pub const NAME_DIGITS: usize = 16;

    /// A signed approval as it will be stored.
    pub fn of(signed: &SignedApproval) -> Self {
        let mut name = signed.digest();
        name.truncate(Self::NAME_DIGITS);
        Self {
            name,
            statement: Some(signed.statement.clone().into_bytes()),
            signature: Some(signed.signature.clone().into_bytes()),
            evidence: Some(signed.evidence.clone().into_bytes()),
        }
    }
}

/// A commit and the signers who may approve it, all taken from its first parent, nothing from the commit itself.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The commit's tree.
    pub tree: &'a TreeId,
    /// Its first parent.
    pub base: Option<&'a CommitId>,
    /// The author and committer that it names.
    pub author: Author<'a>,
    /// The signers who may approve; none if the repository never named any.
    pub signers: Option<&'a Signers>,
    /// Whose keys do not count.
    pub revoked: &'a [&'a Revoked],
    /// The repository's requirements.
    pub demand: &'a Demand,
    /// The first moment at which it can have been approved: when its base was made.
    pub not_before: i64,
    /// The moment now.
    pub now: i64,
    /// Whether keys have to be valid now, not when they signed.
    pub must_be_valid_now: bool,
}

impl Setting<'_> {
    /// The moment at which a key has to be valid. The statement's own time is only its signer's word, so the moment is
    /// never before the base existed and never later than now.
    fn moment(&self, at: i64) -> i64 {
        if self.must_be_valid_now {
            self.now
        } else {
            at.max(self.not_before).min(self.now)
        }
    }
}

/// Whether an approval counts.
pub type Evaluated = Result<(Accepted, Evidence), Reason>;

/// Judges an approval. `holds` says whether a key made a signature; everything else is decided here.
///
/// The statement is read only after its bytes are known to be signed.
pub fn evaluate(
    stored: &Stored,
    setting: &Setting<'_>,
    holds: &dyn Fn(&SignedBytes<'_>) -> bool,
) -> Evaluated {
    let (Some(statement_bytes), Some(signature)) = (&stored.statement, &stored.signature) else {
        return Err(Reason::Incomplete);
    };
    let unreadable = |error: super::ssh::SshError| Reason::UnreadableSignature(error.to_string());
    let signature = Signature::parse(signature).map_err(unreadable)?;
    if signature.namespace != NAMESPACE {
        let namespace = signature.namespace.chars().take(60).collect();
        return Err(Reason::OtherNamespace(namespace));
    }
    let challenge = signature.challenge(statement_bytes).map_err(unreadable)?;
    if !holds(&challenge) {
        return Err(Reason::BadSignature);
    }
    let statement = Statement::parse(statement_bytes)
        .map_err(|error| Reason::UnreadableStatement(error.to_string()))?;
    if sha256(statement_bytes).get(..Stored::NAME_DIGITS) != Some(&stored.name) {
        return Err(Reason::Misplaced);
    }
    if statement.tree != *setting.tree {
        return Err(Reason::OtherTree(statement.tree));
    }
    if statement.base.as_ref() != setting.base {
        return Err(Reason::OtherBase(statement.base));
    }
    let principal = statement.principal();
    let principal = principal.ok_or_else(|| Reason::NoPrincipal(statement.by.clone()))?;
    let signers = setting.signers.ok_or(Reason::NoSigners)?;
    if let Some(certificate) = &signature.certificate {
        let signed = certificate.signed.clone();
        let challenge = certificate
            .signature
            .challenge(&certificate.authority.material, signed);
        if !challenge.is_ok_and(|challenge| holds(&challenge)) {
            return Err(Reason::Certificate {
                by: principal.to_owned(),
                why: "its authority did not sign it".to_owned(),
            });
        }
    }
    let moment = setting.moment(statement.at);
    policy::may_approve(signers, setting.revoked, &signature, principal, moment)?;
    let presence = policy::shows_enough(&signature, setting.demand.presence, principal)?;
    policy::may_be_author(setting.demand, setting.author, principal)?;
    let evidence = stored.evidence.as_ref().ok_or(Reason::EvidenceMissing)?;
    if sha256(evidence) != statement.evidence {
        return Err(Reason::EvidenceChanged);
    }
    let evidence = Evidence::parse(evidence).ok();
    let about_this = |it: &Evidence| it.tree == statement.tree && it.base == statement.base;
    let evidence = evidence.filter(about_this).ok_or(Reason::EvidenceOther)?;
    let accepted = Accepted {
        by: principal.to_owned(),
        presence,
        key: signature.key.fingerprint(),
        at: statement.at,
    };
    Ok((accepted, evidence))
}
