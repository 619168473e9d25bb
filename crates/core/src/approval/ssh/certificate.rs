//! Certificates: a key, whose it is and for how long, signed by an authority.

use super::key::{ALGORITHMS, KeyMaterial, shown};
use super::wire::put_string;
use super::{PublicKey, RawSignature, Reader, SshError};

/// A certificate as it was read; the authority's signature is not checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The certified key.
    pub key: PublicKey,
    /// The authority's number for it.
    pub serial: u64,
    /// The authority's name for it.
    pub id: String,
    /// The key's owners.
    pub principals: Vec<String>,
    /// From when it counts, in seconds since 1970.
    pub valid_after: u64,
    /// Until when it counts, in seconds since 1970.
    pub valid_before: u64,
    /// Whether it is for a person, not for a host.
    pub is_for_a_person: bool,
    /// Whether it demands a PIN or a finger.
    pub demands_verification: bool,
    /// A restriction that cannot be checked here, if there is one.
    pub restriction: Option<String>,
    /// The authority's key.
    pub authority: PublicKey,
    /// The bytes that the authority signed.
    pub signed: Vec<u8>,
    /// The authority's signature.
    pub signature: RawSignature,
}

/// The suffix of certificate types, before the part about where the name was made.
const SUFFIX: &str = "-cert-v01@openssh.com";

impl Certificate {
    /// The kind of the certified key, if a name is that of a kind of certificate.
    fn kind_of(name: &str) -> Option<&'static str> {
        let plain = name.strip_suffix(SUFFIX)?;
        let stem = |known: &str| known.strip_suffix("@openssh.com").unwrap_or(known) == plain;
        ALGORITHMS.into_iter().find(|known| stem(known))
    }

    /// Whether a public key's binary form is a certificate's.
    pub(super) fn is_one(blob: &[u8]) -> bool {
        let name = Reader::new(blob).text();
        name.is_ok_and(|name| name.ends_with(SUFFIX))
    }

    /// Reads the binary form.
    pub fn parse(blob: &[u8]) -> Result<Self, SshError> {
        let mut reader = Reader::new(blob);
        let name = reader.text()?;
        let algorithm = Self::kind_of(name).ok_or_else(|| SshError::Unsupported(shown(name)))?;
        reader.string()?;
        let before = reader.left();
        let material = KeyMaterial::read(algorithm, &mut reader)?;
        let start = blob.len() - before;
        let fields = &blob[start..start + before - reader.left()];
        let mut key = Vec::new();
        put_string(&mut key, algorithm.as_bytes());
        key.extend_from_slice(fields);
        let serial = reader.u64()?;
        let kind = reader.u32()?;
        let id = reader.text()?.to_owned();
        let principals = texts(reader.string()?)?;
        let (valid_after, valid_before) = (reader.u64()?, reader.u64()?);
        let (demands_verification, restriction) = critical_options(reader.string()?)?;
        // Extensions only concern logging in.
        reader.string()?;
        reader.string()?;
        let authority = PublicKey::parse(reader.string()?)?;
        let signed = blob[..blob.len() - reader.left()].to_vec();
        let signature = RawSignature::parse(reader.string()?)?;
        reader.end()?;
        Ok(Self {
            key: PublicKey::of_parts(algorithm, material, key),
            serial,
            id,
            principals,
            valid_after,
            valid_before,
            is_for_a_person: kind == 1,
            demands_verification,
            restriction,
            authority,
            signed,
            signature,
        })
    }
}

fn texts(bytes: &[u8]) -> Result<Vec<String>, SshError> {
    let mut reader = Reader::new(bytes);
    let mut found = Vec::new();
    while !reader.is_empty() {
        found.push(reader.text()?.to_owned());
    }
    Ok(found)
}

/// Whether verification is demanded, and a restriction that is not understood.
fn critical_options(bytes: &[u8]) -> Result<(bool, Option<String>), SshError> {
    let mut reader = Reader::new(bytes);
    let (mut verification, mut restriction) = (false, None);
    while !reader.is_empty() {
        let name = reader.text()?;
        reader.string()?;
        if name == "verify-required" {
            verification = true;
        } else {
            restriction = Some(shown(name));
        }
    }
    Ok((verification, restriction))
}
