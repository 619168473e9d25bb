//! Having a person sign what they approved.

use proctor_core::approval::{
    Author, Demand, Evidence, REVOKED_FILE, Reason, Revoked, SIGNERS_FILE, Setting, SignedApproval,
    Signers, Statement, Stored, evaluate,
};
use proctor_core::object_id::{CommitId, TreeId};

use super::{SignError, SigningKey, holds};
use crate::crash_point::crash_point;
use crate::git::{GitError, Person, Repository};
use crate::run_data::{keep_approval, kept_approvals};
use crate::settings::{ApprovalSettings, SignMode};
use crate::surroundings::Surroundings;
use crate::workspace::{CommittedSettingsError, settings_at};

/// What a commit's approvals go by: the settings of the commit before it.
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

/// Who may approve what is based on a commit; none where it names nobody.
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
}

/// What is about to be signed, once the person approves: everything that could be looked at before was.
#[derive(Debug)]
pub struct Signing<'a> {
    desk: SigningDesk<'a>,
    key: SigningKey,
    fingerprint: String,
    settings: ApprovalSettings,
    base: Option<CommitId>,
}

/// What a person approved.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'a> {
    /// The tree.
    pub tree: &'a TreeId,
    /// The branch that it is for.
    pub branch: &'a str,
    /// The run that made it.
    pub run: Option<&'a str>,
    /// What was known about it.
    pub evidence: &'a Evidence,
    /// The last record of the audit trail.
    pub trail: Option<&'a str>,
    /// Who approved.
    pub person: &'a Person,
    /// When.
    pub at: i64,
}

impl<'a> SigningDesk<'a> {
    /// Gets ready to sign what is based on a commit; nothing where its settings ask for no signature. A key that cannot be
    /// found, or cannot show a touch that is asked for, is an error now: nobody should read a diff in vain.
    pub fn prepare(&self, base: Option<&CommitId>) -> Result<Option<Signing<'a>>, SignError> {
        let settings = policy_at(self.repository, base)?;
        if settings.sign == SignMode::Off {
            return Ok(None);
        }
        self.with(settings, base).map(Some)
    }

    /// The same, whatever the settings say about signing: the person asked for a signature.
    pub fn prepare_always(&self, base: Option<&CommitId>) -> Result<Signing<'a>, SignError> {
        self.with(policy_at(self.repository, base)?, base)
    }

    fn with(
        &self,
        settings: ApprovalSettings,
        base: Option<&CommitId>,
    ) -> Result<Signing<'a>, SignError> {
        let key = SigningKey::find(self.repository, &settings, self.surroundings)?;
        if self.surroundings.find_program("ssh-keygen").is_none() {
            return Err(SignError::NoSshKeygen);
        }
        let public = key.public()?;
        let in_hardware = public.material.is_in_hardware();
        let demand = settings.demand();
        if !in_hardware && demand.presence > proctor_core::approval::UserPresence::None {
            let person = self.repository.person()?;
            let by = person.map_or_else(String::new, |person| person.email);
            return Err(SignError::WouldNotCount {
                reason: Box::new(Reason::NotInHardware { by }),
                base: base.cloned(),
            });
        }
        Ok(Signing {
            desk: *self,
            key,
            fingerprint: public.fingerprint(),
            settings,
            base: base.cloned(),
        })
    }
}

impl Signing<'_> {
    /// What people call the key.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Has the person sign, looks at the signature as whoever verifies it will, and keeps it. What they have signed before
    /// and was not committed, because something went wrong in between, needs no second signature.
    pub fn sign(&self, approved: &Approved<'_>) -> Result<SignedApproval, SignError> {
        if let Some(kept) = self.kept(approved)? {
            return Ok(kept);
        }
        let statement = Statement {
            tree: approved.tree.clone(),
            base: self.base.clone(),
            branch: approved.branch.to_owned(),
            run: approved.run.map(str::to_owned),
            evidence: approved.evidence.digest(),
            trail: approved.trail.map(str::to_owned),
            by: approved.person.to_string(),
            at: approved.at,
            proctor: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let text = statement.to_text();
        let signature = self.key.sign(&text, self.desk.surroundings)?;
        let signed = SignedApproval {
            statement: text,
            signature,
            evidence: approved.evidence.to_text(),
        };
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
            let is_same = statement.base == self.base
                && statement.by == by
                && statement.evidence == approved.evidence.digest();
            if is_same && self.check(&signed, approved).is_ok() {
                return Ok(Some(signed));
            }
        }
        Ok(None)
    }

    /// Whether it will count. Where nobody is named yet there is nothing to compare with, and others may have to approve,
    /// too; neither is this person's mistake.
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
            // Who is asked here may be the author; others can approve as well.
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
