//! Signing with a passkey: the interface to the code that shows the person a page.

use std::time::Duration;

use proctor_core::approval::ssh::{
    Assertion, NotAPasskey, PublicKey, Signature, passkey_challenge,
};
use proctor_core::approval::{NAMESPACE, SignerLine, Signers, Statement};
use proctor_core::object_id::CommitId;
use thiserror::Error;

use super::{Roster, SignError, holds, signers_at};
use crate::git::{Person, Repository};

/// Code that can show the person a page that asks for a passkey.
pub trait PasskeyHolder {
    /// Whether only a passkey approves there, whatever the settings.
    fn passkey_only(&self) -> bool;

    /// Has the person's passkey sign; the armoured signature. A missing touch, a refusal and a closed page are errors.
    fn have_signed(&mut self, order: &PasskeyOrder<'_>) -> Result<String, SignError>;
}

/// Why a browser's answer does not approve. The page shows it, and the person may try again.
#[derive(Debug, Error)]
pub enum NotAccepted {
    /// It is not a signature of this.
    #[error("this does not approve: {0}")]
    Form(#[from] NotAPasskey),
    /// Not the person's passkey.
    #[error("none of the passkeys that are listed for you signed this")]
    OtherPasskey,
    /// It would not count.
    #[error(transparent)]
    WouldNotCount(#[from] SignError),
}

/// The content for a passkey to sign.
pub struct PasskeyOrder<'a> {
    /// The approved statement, to be shown.
    pub statement: &'a Statement,
    /// The bytes that the page asks the authenticator to sign.
    pub challenge: Vec<u8>,
    /// The credential ids of the person's passkeys; none: any that the authenticator has for us.
    pub credentials: Vec<Vec<u8>>,
    /// Whether a PIN or a finger is asked for.
    pub must_verify: bool,
    /// How long the person may take.
    pub longest: Duration,
    pub(super) accept: &'a dyn Fn(&Assertion, &str) -> Result<String, NotAccepted>,
}

impl PasskeyOrder<'_> {
    /// Checks the browser's answer, as a verifier will; the armoured signature. `origin` is the page that asked.
    pub fn accept(&self, assertion: &Assertion, origin: &str) -> Result<String, NotAccepted> {
        (self.accept)(assertion, origin)
    }
}

/// A passkey that is listed under a person's address.
#[derive(Debug, Clone)]
pub(super) struct ListedPasskey {
    pub(super) key: PublicKey,
    pub(super) credential: Option<Vec<u8>>,
}

/// The passkeys of a person: as the base lists them or, where it names no one yet, as the checkout does.
pub(super) fn listed_passkeys(
    repository: &Repository,
    base: Option<&CommitId>,
    person: &Person,
) -> Result<Vec<ListedPasskey>, SignError> {
    let signers = match base {
        Some(base) => signers_at(repository, base)?.0,
        None => None,
    };
    let in_checkout = || Roster::read(repository.top()).map(|roster| roster.signers());
    let signers = signers.or_else(|| in_checkout().ok()).unwrap_or_default();
    let found = passkeys_of(&signers, &person.email);
    if found.is_empty() {
        let by = person.email.clone();
        return Err(SignError::NoPasskey { by });
    }
    Ok(found)
}

fn passkeys_of(signers: &Signers, principal: &str) -> Vec<ListedPasskey> {
    let is_theirs = |line: &&SignerLine| {
        line.key.is_local_passkey()
            && !line.is_authority
            && !line.has_wildcard()
            && line.names(principal)
            && line.may_sign(NAMESPACE)
    };
    let theirs = signers.lines.iter().filter(is_theirs);
    let listed = theirs.map(|line| ListedPasskey {
        key: line.key.clone(),
        credential: line.credential(),
    });
    listed.collect()
}

/// The credential ids that the authenticator may look for: none as soon as one of the passkeys does not say.
pub(super) fn credentials_of(passkeys: &[ListedPasskey]) -> Vec<Vec<u8>> {
    let all: Option<Vec<Vec<u8>>> = passkeys.iter().map(|it| it.credential.clone()).collect();
    all.unwrap_or_default()
}

/// The signature of one of these keys that an assertion is; which key it was is found by trying.
pub(super) fn signature_of(
    assertion: &Assertion,
    passkeys: &[ListedPasskey],
    text: &str,
    origin: &str,
) -> Result<String, NotAccepted> {
    let challenge = passkey_challenge(NAMESPACE, text.as_bytes());
    for passkey in passkeys {
        let armoured = assertion.armoured(&passkey.key, NAMESPACE, &challenge, origin)?;
        let signature = Signature::parse(armoured.as_bytes());
        let signed = signature
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|signature| signature.challenge(text.as_bytes()));
        if signed.is_ok_and(|signed| holds(&signed)) {
            return Ok(armoured);
        }
    }
    Err(NotAccepted::OtherPasskey)
}
