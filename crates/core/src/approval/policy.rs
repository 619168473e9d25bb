//! What makes an approval count, and how many are needed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ssh::{Certificate, PublicKey, Signature};
use super::{NAMESPACE, Reason, Revoked, Signers};

/// How sure it is that a person was at the key when it signed.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum UserPresence {
    /// Nothing shows it: any program that can reach the key can sign.
    None,
    /// The hardware attests that its owner touched it.
    #[default]
    Touch,
    /// The hardware attests a touch and that the user proved by PIN or fingerprint to be its owner.
    Verified,
}

impl UserPresence {
    /// What a signature proves, once it is known to be the key's.
    pub fn shown_by(signature: &Signature) -> Self {
        if !signature.key.material.is_in_hardware() {
            return Self::None;
        }
        match signature.flags() {
            (true, true) => Self::Verified,
            (true, false) => Self::Touch,
            // Verified without a touch: no real key does that, so nothing is known.
            (false, _) => Self::None,
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Touch => "touch",
            Self::Verified => "verified",
        }
    }
}

/// A repository's requirements at some commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// How sure it has to be that a person was there.
    pub presence: UserPresence,
    /// How many people have to approve.
    pub approvers: usize,
    /// Whether a commit's author may be one of them.
    pub author_may_approve: bool,
}

impl Default for Demand {
    fn default() -> Self {
        Self {
            presence: UserPresence::default(),
            approvers: 1,
            author_may_approve: true,
        }
    }
}

/// The people that a commit names. Both are unverified claims of its creator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author<'a> {
    /// The author's address.
    pub author: &'a str,
    /// The committer's address.
    pub committer: &'a str,
}

impl Author<'_> {
    fn is(&self, principal: &str) -> bool {
        self.author.eq_ignore_ascii_case(principal)
            || self.committer.eq_ignore_ascii_case(principal)
    }
}

/// An approval that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The signer's address.
    pub by: String,
    /// How sure it is that they were there.
    pub presence: UserPresence,
    /// Their key's fingerprint.
    pub key: String,
    /// When, by their clock.
    pub at: i64,
}

/// Whether a key may approve as this person now. The caller knows that the key made the signature, and that the
/// authority made the certificate.
pub(super) fn may_approve(
    signers: &Signers,
    revoked: &[&Revoked],
    signature: &Signature,
    principal: &str,
    moment: i64,
) -> Result<(), Reason> {
    let (key, certificate) = (&signature.key, signature.certificate.as_ref());
    let by = || principal.to_owned();
    let trusted = certificate.map_or(key, |certificate| &certificate.authority);
    let of_key: Vec<_> = signers
        .lines
        .iter()
        .filter(|line| line.is_authority == certificate.is_some() && line.key == *trusted)
        .collect();
    if of_key.is_empty() {
        let key = trusted.fingerprint();
        return Err(Reason::Stranger { by: by(), key });
    }
    let named: Vec<_> = of_key
        .iter()
        .filter(|line| line.is_authority || !line.has_wildcard())
        .collect();
    if named.is_empty() {
        let line = of_key[0].number;
        return Err(Reason::Wildcard { by: by(), line });
    }
    let theirs: Vec<_> = named
        .into_iter()
        .filter(|line| line.names(principal))
        .collect();
    if theirs.is_empty() {
        let owner = of_key[0].principals.join(",");
        return Err(Reason::OtherPerson { by: by(), owner });
    }
    let allowed: Vec<_> = theirs
        .into_iter()
        .filter(|line| line.may_sign(NAMESPACE))
        .collect();
    if allowed.is_empty() {
        return Err(Reason::SignerNamespaces { by: by() });
    }
    let begun: Vec<_> = allowed
        .into_iter()
        .filter(|line| line.valid_after.is_none_or(|from| from <= moment))
        .collect();
    if begun.is_empty() {
        return Err(Reason::NotYetValid { by: by() });
    }
    if !begun
        .iter()
        .any(|line| line.valid_before.is_none_or(|until| moment < until))
    {
        return Err(Reason::Expired { by: by() });
    }
    if let Some(certificate) = certificate {
        may_certify(certificate, principal, moment)?;
    }
    if revoked.iter().any(|list| list.has(key, certificate)) {
        let key = PublicKey::fingerprint(key);
        return Err(Reason::Revoked { by: by(), key });
    }
    Ok(())
}

/// Whether a certificate of a trusted authority is this person's, now.
fn may_certify(certificate: &Certificate, principal: &str, moment: i64) -> Result<(), Reason> {
    let by = || principal.to_owned();
    let wrong = |why: &str| {
        Err(Reason::Certificate {
            by: by(),
            why: why.to_owned(),
        })
    };
    if !certificate.is_for_a_person {
        return wrong("it is a host's");
    }
    if let Some(restriction) = &certificate.restriction {
        return wrong(&format!("it is restricted by {restriction}"));
    }
    if !certificate.principals.iter().any(|name| name == principal) {
        return Err(Reason::OtherPerson {
            by: by(),
            owner: certificate.principals.join(","),
        });
    }
    let moment = u64::try_from(moment).unwrap_or(0);
    if moment < certificate.valid_after {
        return Err(Reason::NotYetValid { by: by() });
    }
    if moment >= certificate.valid_before {
        return Err(Reason::Expired { by: by() });
    }
    Ok(())
}

/// Whether the key showed as much of a person as is asked for.
pub(super) fn shows_enough(
    signature: &Signature,
    demand: UserPresence,
    principal: &str,
) -> Result<UserPresence, Reason> {
    let shown = UserPresence::shown_by(signature);
    let of_certificate = signature.certificate.as_ref();
    let demand = match of_certificate {
        Some(certificate) if certificate.demands_verification => UserPresence::Verified,
        _ => demand,
    };
    let by = principal.to_owned();
    match demand {
        demand if shown >= demand => Ok(shown),
        _ if !signature.key.material.is_in_hardware() => Err(Reason::NotInHardware { by }),
        UserPresence::Verified if shown == UserPresence::Touch => Err(Reason::NotVerified { by }),
        _ => Err(Reason::NotTouched { by }),
    }
}

/// Whether the signer is not the author, where that is required.
pub(super) fn may_be_author(
    demand: &Demand,
    author: Author<'_>,
    principal: &str,
) -> Result<(), Reason> {
    if demand.author_may_approve || !author.is(principal) {
        Ok(())
    } else {
        Err(Reason::ByAuthor {
            by: principal.to_owned(),
        })
    }
}

/// Whether as many people approved as are required. No one counts twice, neither by a second key nor by a second name.
pub fn enough(mut accepted: Vec<Accepted>, demand: &Demand) -> Result<Vec<Accepted>, Reason> {
    let (mut people, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let mut counted = Vec::new();
    // Of several approvals of one person it does not matter which one counts, but always the same one does.
    accepted.sort_by(|one, other| (&one.by, &one.key).cmp(&(&other.by, &other.key)));
    for approval in accepted {
        let person = approval.by.to_ascii_lowercase();
        if people.contains(&person) || keys.contains(&approval.key) {
            continue;
        }
        people.insert(person);
        keys.insert(approval.key.clone());
        counted.push(approval);
    }
    if counted.len() < demand.approvers {
        return Err(Reason::TooFew {
            have: counted.len(),
            want: demand.approvers,
        });
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(by: &str, key: &str) -> Accepted {
        Accepted {
            by: by.to_owned(),
            presence: UserPresence::Touch,
            key: key.to_owned(),
            at: 0,
        }
    }

    #[test]
    fn no_one_counts_twice() {
        let two = Demand {
            approvers: 2,
            ..Demand::default()
        };
        let table = [
            (vec![accepted("a", "1"), accepted("b", "2")], true),
            (vec![accepted("a", "1"), accepted("a", "2")], false),
            (vec![accepted("a", "1"), accepted("A", "2")], false),
            (vec![accepted("a", "1"), accepted("b", "1")], false),
            (
                vec![accepted("a", "1"), accepted("a", "2"), accepted("b", "3")],
                true,
            ),
            (vec![accepted("a", "1")], false),
            (vec![], false),
        ];
        for (approvals, wanted) in table {
            let words = format!("{approvals:?}");
            assert_eq!(enough(approvals, &two).is_ok(), wanted, "{words}");
        }
    }

    #[test]
    fn an_author_approves_only_where_they_may() {
        let author = Author {
            author: "Alice@example.org",
            committer: "forge@example.org",
        };
        let strict = Demand {
            author_may_approve: false,
            ..Demand::default()
        };
        let may = |demand: &Demand, who: &str| may_be_author(demand, author, who).is_ok();
        assert!(may(&Demand::default(), "alice@example.org"));
        assert!(!may(&strict, "alice@example.org"));
        assert!(!may(&strict, "forge@example.org"));
        assert!(may(&strict, "bob@example.org"));
    }
}
