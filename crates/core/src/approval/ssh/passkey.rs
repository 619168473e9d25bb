//! Passkeys: a browser's answer about one, as keys and signatures in OpenSSH's formats.
//!
//! A browser lets a page have any bytes signed, as a challenge. If those are the bytes that SSH signs in the place of a
//! content, the answer is an SSH signature, only packed differently.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use sha2::{Digest as _, Sha256, Sha512};
use thiserror::Error;

use super::key::SK_ECDSA;
use super::signature::{MAGIC, TOUCHED, WEBAUTHN, armoured, envelope};
use super::wire::put_string;
use super::{KeyMaterial, PublicKey, Reader, SshError};

/// The relying party of our passkeys: pages of this machine, on any port.
pub const RELYING_PARTY: &str = "localhost";

/// An authenticator's flag: its data includes a new key.
const ATTESTED: u8 = 0x40;
/// An authenticator's flag: extensions follow.
const EXTENDED: u8 = 0x80;

/// How ES256 keys begin in the only form that authenticators may give them, and the bytes between the two numbers.
const COSE_START: &[u8] = &[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20];
const COSE_MIDDLE: &[u8] = &[0x22, 0x58, 0x20];

/// Why a browser's answer is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAPasskey {
    /// Not in the form that browsers have.
    #[error("what the browser said cannot be read: {0}")]
    Form(#[from] SshError),
    /// Made for another page or another question.
    #[error("it was made for another page, or for another question")]
    Elsewhere,
    /// The user did not touch the authenticator.
    #[error("the key was not touched")]
    Untouched,
    /// Of a kind that SSH signatures do not have.
    #[error("its key is not of the kind ES256")]
    OtherKind,
}

/// The challenge that a page has to pass so that the answer is a signature of this content.
pub fn passkey_challenge(namespace: &str, content: &[u8]) -> Vec<u8> {
    envelope(namespace, "sha512", &Sha512::digest(content))
}

/// The browser's record of what it told the authenticator.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(rename = "crossOrigin", default)]
    cross_origin: bool,
}

impl ClientData {
    fn check(
        bytes: &[u8],
        kind: &str,
        challenge: &[u8],
        origin: &str,
    ) -> Result<Self, NotAPasskey> {
        let read: Self = serde_json::from_slice(bytes).map_err(|_| SshError::Malformed)?;
        let is_ours = read.kind == kind
            && read.challenge == URL_SAFE_NO_PAD.encode(challenge)
            && read.origin == origin
            && !read.cross_origin;
        if is_ours {
            Ok(read)
        } else {
            Err(NotAPasskey::Elsewhere)
        }
    }
}

/// Reads the header of every authenticator's data: relying party, flags, signature counter.
fn header(reader: &mut Reader<'_>) -> Result<(u8, u32), NotAPasskey> {
    if reader.bytes(32)? != Sha256::digest(RELYING_PARTY.as_bytes()).as_slice() {
        return Err(NotAPasskey::Elsewhere);
    }
    let flags = reader.byte()?;
    if flags & TOUCHED == 0 {
        return Err(NotAPasskey::Untouched);
    }
    Ok((flags, reader.u32()?))
}

/// A browser's answer when a passkey signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// The authenticator's data about itself.
    pub authenticator_data: Vec<u8>,
    /// The browser's data about the page.
    pub client_data: Vec<u8>,
    /// The signature of both.
    pub signature: Vec<u8>,
}

impl Assertion {
    /// The armoured signature, if it answers this challenge and the key made it; whether it did is asked of
    /// [`Signature::challenge`](super::Signature::challenge).
    pub fn armoured(
        &self,
        key: &PublicKey,
        namespace: &str,
        challenge: &[u8],
        origin: &str,
    ) -> Result<String, NotAPasskey> {
        ClientData::check(&self.client_data, "webauthn.get", challenge, origin)?;
        let mut reader = Reader::new(&self.authenticator_data);
        let (flags, counter) = header(&mut reader)?;
        let extensions = reader.bytes(reader.left())?;
        if flags & ATTESTED != 0 || (flags & EXTENDED != 0) == extensions.is_empty() {
            return Err(SshError::Malformed.into());
        }
        let mut raw = Vec::new();
        put_string(&mut raw, WEBAUTHN.as_bytes());
        put_string(&mut raw, &numbers(&self.signature)?);
        raw.push(flags);
        raw.extend_from_slice(&counter.to_be_bytes());
        for part in [origin.as_bytes(), &self.client_data, extensions] {
            put_string(&mut raw, part);
        }
        let mut blob = MAGIC.to_vec();
        blob.extend_from_slice(&1_u32.to_be_bytes());
        for part in [key.blob(), namespace.as_bytes(), b"", b"sha512", &raw] {
            put_string(&mut blob, part);
        }
        Ok(armoured(&blob))
    }
}

/// The two numbers of a signature, from the form that browsers give to the one that SSH has: the numbers themselves are
/// written alike.
fn numbers(signature: &[u8]) -> Result<Vec<u8>, SshError> {
    let mut reader = Reader::new(signature);
    let part = |reader: &mut Reader<'_>, kind: u8| {
        let found = reader.byte()?;
        // Lengths of more than a byte begin with a higher one.
        let length = usize::from(reader.byte()?);
        if found == kind && length < 0x80 {
            Ok(length)
        } else {
            Err(SshError::Malformed)
        }
    };
    if part(&mut reader, 0x30)? != reader.left() {
        return Err(SshError::Length);
    }
    let mut both = Vec::new();
    for _ in 0..2 {
        let length = part(&mut reader, 2)?;
        put_string(&mut both, reader.bytes(length)?);
    }
    reader.end()?;
    Ok(both)
}

/// A passkey that a browser has just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPasskey {
    /// Its public half.
    pub key: PublicKey,
    /// The id by which the authenticator finds it.
    pub credential: Vec<u8>,
}

impl NewPasskey {
    /// Reads a browser's answer after it created one, for this challenge of this page.
    pub fn read(
        authenticator_data: &[u8],
        client_data: &[u8],
        challenge: &[u8],
        origin: &str,
    ) -> Result<Self, NotAPasskey> {
        ClientData::check(client_data, "webauthn.create", challenge, origin)?;
        let mut reader = Reader::new(authenticator_data);
        let (flags, _) = header(&mut reader)?;
        if flags & ATTESTED == 0 {
            return Err(SshError::Malformed.into());
        }
        // The authenticator's model.
        reader.bytes(16)?;
        let length = usize::from(reader.byte()?) << 8 | usize::from(reader.byte()?);
        let credential = reader.bytes(length)?.to_vec();
        if reader.bytes(COSE_START.len())? != COSE_START {
            return Err(NotAPasskey::OtherKind);
        }
        let mut point = vec![4];
        point.extend_from_slice(reader.bytes(32)?);
        if reader.bytes(COSE_MIDDLE.len())? != COSE_MIDDLE {
            return Err(NotAPasskey::OtherKind);
        }
        point.extend_from_slice(reader.bytes(32)?);
        if flags & EXTENDED == 0 {
            reader.end()?;
        }
        let mut blob = Vec::new();
        for part in [
            SK_ECDSA.as_bytes(),
            b"nistp256",
            &point,
            RELYING_PARTY.as_bytes(),
        ] {
            put_string(&mut blob, part);
        }
        let key = PublicKey::parse(&blob)?;
        Ok(Self { key, credential })
    }
}

impl PublicKey {
    /// Whether it is one that pages of this machine can ask for.
    pub fn is_local_passkey(&self) -> bool {
        matches!(&self.material, KeyMaterial::SecurityEcdsa(_, party) if party == RELYING_PARTY)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ORIGIN: &str = "http://localhost:8123";

    fn client_data(kind: &str, challenge: &[u8], more: &str) -> Vec<u8> {
        let challenge = URL_SAFE_NO_PAD.encode(challenge);
        format!(
            "{{\"type\":\"{kind}\",\"challenge\":\"{challenge}\",\"origin\":\"{ORIGIN}\"{more}}}"
        )
        .into_bytes()
    }

    /// An authenticator's data about a key that it has just created.
    fn made(flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(RELYING_PARTY.as_bytes()).to_vec();
        data.push(flags);
        data.extend_from_slice(&[0; 4 + 16]);
        data.extend_from_slice(&[0, 3, 7, 8, 9]);
        data.extend_from_slice(COSE_START);
        data.extend_from_slice(&[1; 32]);
        data.extend_from_slice(COSE_MIDDLE);
        data.extend_from_slice(&[2; 32]);
        data
    }

    fn read(data: &[u8], client_data: &[u8]) -> Result<NewPasskey, NotAPasskey> {
        NewPasskey::read(data, client_data, b"question", ORIGIN)
    }

    #[test]
    fn a_new_passkey_is_a_key_of_this_machine_s_pages() {
        let asked = client_data("webauthn.create", b"question", ",\"crossOrigin\":false");
        let passkey = read(&made(0x41), &asked).unwrap();
        assert!(passkey.key.is_local_passkey());
        assert!(passkey.key.material.is_in_hardware());
        assert_eq!(passkey.credential, [7, 8, 9]);
        // With extensions, which say nothing here.
        let longer = [&made(0xc1)[..], &[0xa0]].concat();
        assert_eq!(read(&longer, &asked), Ok(passkey));
    }

    #[test]
    fn what_is_cut_off_changed_or_of_another_question_is_no_passkey() {
        let asked = client_data("webauthn.create", b"question", "");
        let good = made(0x41);
        assert!(read(&good, &asked).is_ok());
        for end in 0..good.len() {
            assert!(read(&good[..end], &asked).is_err(), "{end}");
        }
        let longer = [&good[..], &[0]].concat();
        assert!(read(&longer, &asked).is_err());
        assert_eq!(read(&made(0x40), &asked), Err(NotAPasskey::Untouched));
        assert!(read(&made(0x01), &asked).is_err());
        let mut other_party = good.clone();
        other_party[0] ^= 1;
        assert_eq!(read(&other_party, &asked), Err(NotAPasskey::Elsewhere));
        // ES384 in its place.
        let mut other_kind = good.clone();
        other_kind[32 + 1 + 4 + 16 + 5 + 4] = 0x38;
        assert_eq!(read(&other_kind, &asked), Err(NotAPasskey::OtherKind));
        for wrong in [
            client_data("webauthn.get", b"question", ""),
            client_data("webauthn.create", b"another", ""),
            client_data("webauthn.create", b"question", ",\"crossOrigin\":true"),
        ] {
            assert_eq!(read(&good, &wrong), Err(NotAPasskey::Elsewhere));
        }
        let elsewhere = NewPasskey::read(&good, &asked, b"question", "http://localhost:1");
        assert_eq!(elsewhere, Err(NotAPasskey::Elsewhere));
        assert!(read(&good, b"{}").is_err());
    }

    #[test]
    fn the_numbers_of_a_signature_have_one_form() {
        let good = [0x30, 7, 2, 1, 5, 2, 2, 0, 0x81];
        assert_eq!(
            numbers(&good).unwrap(),
            [0, 0, 0, 1, 5, 0, 0, 0, 2, 0, 0x81]
        );
        for wrong in [
            &good[..8],
            &[0x31, 7, 2, 1, 5, 2, 2, 0, 0x81][..],
            &[0x30, 6, 2, 1, 5, 2, 2, 0, 0x81],
            &[0x30, 8, 2, 1, 5, 2, 2, 0, 0x81, 0],
            &[0x30, 0x81, 7, 2, 1, 5, 2, 2, 0, 0x81],
            &[0x30, 3, 2, 1, 5],
            &[],
        ] {
            assert!(numbers(wrong).is_err(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            data in proptest::collection::vec(any::<u8>(), 0..200),
            tail in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            let asked = client_data("webauthn.create", b"question", "");
            let _ = read(&data, &asked);
            let mut from_us = made(0xc1);
            from_us.truncate(60);
            from_us.extend_from_slice(&tail);
            let _ = read(&from_us, &asked);
            let _ = numbers(&data);
        }
    }
}
