//! Having a person sign their approval.

use proctor_core::approval::NAMESPACE;
use proctor_core::approval::ssh::{Assertion, passkey_challenge};
use proctor_core::approval::{
    Author, Demand, Evidence, REVOKED_FILE, Reason, Revoked, SIGNERS_FILE, Setting, SignedApproval,
    Signers, Statement, Stored, UserPresence, evaluate,
};
use proctor_core::object_id::{CommitId, TreeId};

use super::passkey::{ListedPasskey, credentials_of, listed_passkeys, signature_of};
use super::signing_key::LONGEST;
use super::{PasskeyHolder, PasskeyOrder, SignError, SigningKey, holds};
use crate::crash_point::crash_point;
use crate::git::{GitError, Person, Repository};
use crate::journal::TrailEnds;
use crate::run_data::{keep_approval, kept_approvals};
use crate::settings::{ApprovalSettings, SignMode};
use crate::surroundings::Surroundings;
use crate::workspace::{CommittedSettingsError, settings_at};

/// The policy for a commit's approvals: the settings of the commit before it.
pub fn policy_at(
    repository: &Repository,
    base: Option<&CommitId>,
) -> Result<ApprovalSettings, CommittedSettingsError> {
    let Some(base) = base else {
        return Ok(ApprovalSettings::default());
    };
    let tree = repository.objects().tree_of(base)?;
    let settings = settings_at(repository, &tree)?;
    Ok(settings.protective().approval.clone())
}

/// The signers for commits based on a commit; none where it names none.
pub fn signers_at(
    repository: &Repository,
    base: &CommitId,
) -> Result<(Option<Signers>, Option<Vec<u8>>), GitError> {
    let names = [SIGNERS_FILE, REVOKED_FILE].map(|path| format!("{base}:{path}"));
    let mut files = repository.objects().files_named(&names)?.into_iter();
    let (signers, revoked) = (files.next().flatten(), files.next().flatten());
    let signers = signers.map(|bytes| Signers::parse(&String::from_utf8_lossy(&bytes)));
    Ok((signers, revoked))
}

/// Where approvals are signed.
#[derive(Debug, Clone, Copy)]
pub struct SigningDesk<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// Where the key is named and OpenSSH found.
    pub surroundings: &'a Surroundings,
    /// Whether only a passkey is accepted, whatever the settings.
    pub passkey_only: bool,
}

/// The person's means of signing.
#[derive(Debug)]
enum Means {
    /// OpenSSH asks for it.
    Key(SigningKey),
    /// A page asks for one of these.
    Passkeys(Vec<ListedPasskey>),
}

/// A signature about to be made, once the person approves: everything that could be checked before was.
#[derive(Debug)]
pub struct Signing<'a> {
    desk: SigningDesk<'a>,
    means: Means,
    fingerprint: String,
    settings: ApprovalSettings,
    base: Option<CommitId>,
}

/// A person's approval.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'a> {
    /// The approved tree.
    pub tree: &'a TreeId,
    /// The branch that it is for.
    pub branch: &'a str,
    /// The run that made it.
    pub run: Option<&'a str>,
    /// The evidence about it.
    pub evidence: &'a Evidence,
    /// The ends of the audit trail.
    pub trail: Option<&'a TrailEnds>,
    /// The approver.
    pub person: &'a Person,
    /// The time.
    pub at: i64,
}

impl<'a> SigningDesk<'a> {
    /// Prepares to sign an approval based on a commit; none where its settings require no signature. A key that cannot
    /// be found, or cannot prove a required touch, is an error now: no one should read a diff in vain.
    pub fn prepare(&self, base: Option<&CommitId>) -> Result<Option<Signing<'a>>, SignError> {
        let settings = policy_at(self.repository, base)?;
        if settings.sign == SignMode::Off && !self.passkey_only {
            return Ok(None);
        }
        self.with(settings, base).map(Some)
    }

    /// The same, whatever the settings for signing: the person asked for a signature.
    pub fn prepare_always(&self, base: Option<&CommitId>) -> Result<Signing<'a>, SignError> {
        self.with(policy_at(self.repository, base)?, base)
    }

    fn with(
        &self,
        settings: ApprovalSettings,
        base: Option<&CommitId>,
    ) -> Result<Signing<'a>, SignError> {
        if self.passkey_only || settings.sign == SignMode::Passkey {
            return self.with_passkeys(settings, base);
        }
        let key = SigningKey::find(self.repository, &settings, self.surroundings)?;
        if self.surroundings.find_program("ssh-keygen").is_none() {
            return Err(SignError::NoSshKeygen);
        }
        let public = key.public()?;
        let in_hardware = public.material.is_in_hardware();
        let demand = settings.demand();
        if !in_hardware && demand.presence > UserPresence::None {
            let person = self.repository.person()?;
            let by = person.map_or_else(String::new, |person| person.email);
            return Err(SignError::WouldNotCount {
                reason: Box::new(Reason::NotInHardware { by }),
                base: base.cloned(),
            });
        }
        Ok(Signing {
            desk: *self,
            means: Means::Key(key),
            fingerprint: public.fingerprint(),
            settings,
            base: base.cloned(),
        })
    }

    fn with_passkeys(
        &self,
        settings: ApprovalSettings,
        base: Option<&CommitId>,
    ) -> Result<Signing<'a>, SignError> {
        let person = self.repository.person()?;
        let no_passkey = || SignError::NoPasskey { by: String::new() };
        let passkeys = listed_passkeys(self.repository, base, &person.ok_or_else(no_passkey)?)?;
        let prints: Vec<String> = passkeys.iter().map(|it| it.key.fingerprint()).collect();
        Ok(Signing {
            desk: *self,
            means: Means::Passkeys(passkeys),
            fingerprint: prints.join(" or "),
            settings,
            base: base.cloned(),
        })
    }
}

impl Signing<'_> {
    /// The key's name for people.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Has the person sign, checks the signature as a verifier will, and keeps it. An approval that was signed before
    /// and not committed, because of a failure in between, needs no second signature.
    pub fn sign(
        &self,
        approved: &Approved<'_>,
        holder: &mut dyn PasskeyHolder,
    ) -> Result<SignedApproval, SignError> {
        if let Some(kept) = self.kept(approved)? {
            return Ok(kept);
        }
        let statement = Statement {
            tree: approved.tree.clone(),
            base: self.base.clone(),
            branch: approved.branch.to_owned(),
            run: approved.run.map(str::to_owned),
            evidence: approved.evidence.digest(),
            trail: approved.trail.map(|trail| trail.last.clone()),
            trail_start: approved.trail.map(|trail| trail.first.clone()),
            by: approved.person.to_string(),
            at: approved.at,
            proctor: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let text = statement.to_text();
        let signed = |signature: String| SignedApproval {
            statement: text.clone(),
            signature,
            evidence: approved.evidence.to_text(),
        };
        let signature = match &self.means {
            Means::Key(key) => key.sign(&text, self.desk.surroundings)?,
            Means::Passkeys(passkeys) => holder.have_signed(&PasskeyOrder {
                statement: &statement,
                challenge: passkey_challenge(NAMESPACE, text.as_bytes()),
                credentials: credentials_of(passkeys),
                must_verify: self.settings.presence == UserPresence::Verified,
                longest: LONGEST,
                // While the page still waits for the answer: a person who took the wrong passkey takes another.
                accept: &|assertion: &Assertion, origin: &str| {
                    let signature = signature_of(assertion, passkeys, &text, origin)?;
                    self.check(&signed(signature.clone()), approved)?;
                    Ok(signature)
                },
            })?,
        };
        let signed = signed(signature);
        self.check(&signed, approved)?;
        keep_approval(self.desk.repository, approved.tree, &signed)?;
        crash_point("signed");
        Ok(signed)
    }

    /// An approval of the same by the same person that still counts.
    fn kept(&self, approved: &Approved<'_>) -> Result<Option<SignedApproval>, SignError> {
        let by = approved.person.to_string();
        for signed in kept_approvals(self.desk.repository, approved.tree)? {
            let Ok(statement) = Statement::parse(signed.statement.as_bytes()) else {
                continue;
            };
            let start = approved.trail.map(|trail| &trail.first);
            // An approval signed in another clone belongs to that clone's trail.
            let is_same = statement.base == self.base
                && statement.trail_start.as_ref() == start
                && statement.by == by
                && statement.evidence == approved.evidence.digest();
            if is_same && self.check(&signed, approved).is_ok() {
                return Ok(Some(signed));
            }
        }
        Ok(None)
    }

    /// Whether it will count. Where no signers are named yet there is nothing to compare with, and others may have to
    /// approve, too; neither is this person's mistake.
    fn check(&self, signed: &SignedApproval, approved: &Approved<'_>) -> Result<(), SignError> {
        let (signers, revoked) = match &self.base {
            Some(base) => signers_at(self.desk.repository, base)?,
            None => (None, None),
        };
        let revoked = revoked.map(|bytes| Revoked::parse(&bytes)).transpose();
        let would_not_count = |reason: Reason| SignError::WouldNotCount {
            reason: Box::new(reason),
            base: self.base.clone(),
        };
        let revoked =
            revoked.map_err(|why| would_not_count(Reason::Revocations(why.to_string())))?;
        let demand = Demand {
            // The person asked here may be the author; others can approve as well.
            author_may_approve: true,
            ..self.settings.demand()
        };
        let email = approved.person.email.as_str();
        let setting = Setting {
            tree: approved.tree,
            base: self.base.as_ref(),
            author: Author {
                author: email,
                committer: email,
            },
            signers: signers.as_ref(),
            revoked: &revoked.iter().collect::<Vec<_>>(),
            demand: &demand,
            not_before: approved.at,
            now: approved.at,
            must_be_valid_now: true,
        };
        let stored = Stored::of(signed);
        match evaluate(&stored, &setting, &holds) {
            Ok(_) | Err(Reason::NoSigners) => Ok(()),
            Err(reason) => Err(would_not_count(reason)),
        }
    }
}
