//! Whose keys do not count any more: a list of keys, or OpenSSH's key revocation list.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::sha1::sha1;
use super::ssh::{Certificate, PublicKey, Reader, SshError, decoded};

/// The first bytes of a key revocation list.
const MAGIC: &[u8] = b"SSHKRL\n\0";

/// Why the revoked keys cannot be determined. Then no approval counts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnreadableRevocations {
    /// A line of a list is not a key.
    #[error("line {0} is not a public key")]
    Line(usize),
    /// The binary form is damaged, or of a kind that is not supported.
    #[error("{0}")]
    List(#[from] SshError),
}

/// The revoked keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revoked {
    /// Keys by their encoding.
    keys: BTreeSet<Vec<u8>>,
    /// Keys by the SHA-256 of their encoding.
    fingerprints: BTreeSet<Vec<u8>>,
    /// Keys by the SHA-1 of their encoding.
    old_fingerprints: BTreeSet<Vec<u8>>,
    certificates: Vec<RevokedCertificates>,
}

/// Certificates of one authority, or of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct RevokedCertificates {
    authority: Option<Vec<u8>>,
    serials: Vec<(u64, u64)>,
    ids: BTreeSet<String>,
}

impl Revoked {
    /// Reads either form.
    pub fn parse(bytes: &[u8]) -> Result<Self, UnreadableRevocations> {
        if bytes.starts_with(MAGIC) {
            return Ok(Self::parse_binary(bytes)?);
        }
        let mut revoked = Self::default();
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let text = std::str::from_utf8(line).ok();
            let blob = text.and_then(|text| {
                let mut words = text.split_ascii_whitespace();
                let (name, key) = (words.next()?, decoded(words.next()?).ok()?);
                // A key of a kind that cannot sign here is revoked all the same.
                (Reader::new(&key).text().ok()? == name).then_some(key)
            });
            let blob = blob.ok_or(UnreadableRevocations::Line(index + 1))?;
            revoked.keys.insert(blob);
        }
        Ok(revoked)
    }

    fn parse_binary(bytes: &[u8]) -> Result<Self, SshError> {
        let mut reader = Reader::new(bytes);
        reader.bytes(MAGIC.len())?;
        let version = reader.u32()?;
        if version != 1 {
            return Err(SshError::Unsupported(format!("version {version}")));
        }
        // Its number, creation time, flags and a reserved field; then a comment.
        reader.bytes(24)?;
        reader.string()?;
        reader.string()?;
        let mut revoked = Self::default();
        while !reader.is_empty() {
            let kind = reader.byte()?;
            let mut section = Reader::new(reader.string()?);
            match kind {
                1 => revoked.certificates.push(certificates(section)?),
                2 => {
                    while !section.is_empty() {
                        revoked.keys.insert(section.string()?.to_vec());
                    }
                }
                5 => {
                    while !section.is_empty() {
                        revoked.fingerprints.insert(section.string()?.to_vec());
                    }
                }
                3 => {
                    while !section.is_empty() {
                        revoked.old_fingerprints.insert(section.string()?.to_vec());
                    }
                }
                // The list's own signature is not checked: only approved commits can change the file.
                4 => {}
                // Of a later version: its revocations would be ignored.
                other => {
                    return Err(SshError::Unsupported(format!("a section of kind {other}")));
                }
            }
        }
        Ok(revoked)
    }

    /// Whether a key, or the certificate that it came with, is revoked.
    pub fn has(&self, key: &PublicKey, certificate: Option<&Certificate>) -> bool {
        if self.has_key(key) {
            return true;
        }
        let Some(certificate) = certificate else {
            return false;
        };
        let by_certificate = |list: &RevokedCertificates| {
            let of = list.authority.as_deref();
            let serials = &list.serials;
            of.is_none_or(|of| of == certificate.authority.blob())
                && (list.ids.contains(&certificate.id)
                    || serials.iter().any(|(first, last)| {
                        // Serial 0 means that there is none.
                        certificate.serial != 0 && (*first..=*last).contains(&certificate.serial)
                    }))
        };
        self.has_key(&certificate.authority) || self.certificates.iter().any(by_certificate)
    }

    fn has_key(&self, key: &PublicKey) -> bool {
        let blob = key.blob();
        self.keys.contains(blob)
            || self.fingerprints.contains(&Sha256::digest(blob).to_vec())
            || (!self.old_fingerprints.is_empty()
                && self.old_fingerprints.contains(sha1(blob).as_slice()))
    }
}

fn certificates(mut section: Reader<'_>) -> Result<RevokedCertificates, SshError> {
    let authority = section.string()?;
    section.string()?;
    let mut found = RevokedCertificates {
        authority: (!authority.is_empty()).then(|| authority.to_vec()),
        ..RevokedCertificates::default()
    };
    while !section.is_empty() {
        let kind = section.byte()?;
        let mut part = Reader::new(section.string()?);
        match kind {
            0x20 => {
                while !part.is_empty() {
                    let serial = part.u64()?;
                    found.serials.push((serial, serial));
                }
            }
            0x21 => {
                found.serials.push((part.u64()?, part.u64()?));
                part.end()?;
            }
            0x22 => {
                let first = part.u64()?;
                let bits = part.string()?;
                part.end()?;
                for (index, byte) in bits.iter().rev().enumerate() {
                    for bit in (0..8_u64).filter(|bit| byte & (1 << bit) != 0) {
                        let serial = first.saturating_add(index as u64 * 8 + bit);
                        found.serials.push((serial, serial));
                    }
                }
            }
            0x23 => {
                while !part.is_empty() {
                    found.ids.insert(part.text()?.to_owned());
                }
            }
            other => {
                return Err(SshError::Unsupported(format!("a section of kind {other}")));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ssh::tests::ALICE;
    use super::*;

    fn alice() -> PublicKey {
        PublicKey::parse_text(ALICE).unwrap()
    }

    #[test]
    fn a_list_revokes_its_keys_and_no_others() {
        let revoked = Revoked::parse(format!("# gone\n\n{ALICE}\n").as_bytes()).unwrap();
        assert!(revoked.has(&alice(), None));
        let none = Revoked::parse(b"# none\n").unwrap();
        assert!(!none.has(&alice(), None));
    }

    #[test]
    fn a_line_that_is_no_key_fails_the_whole_list() {
        let text = format!("{ALICE}\nssh-ed25519 AAAA\n");
        assert_eq!(
            Revoked::parse(text.as_bytes()),
            Err(UnreadableRevocations::Line(2))
        );
    }

    #[test]
    fn a_cut_off_list_or_one_with_unknown_sections_is_refused() {
        let mut list = MAGIC.to_vec();
        list.extend_from_slice(&1_u32.to_be_bytes());
        list.extend_from_slice(&[0; 24]);
        list.extend_from_slice(&[0; 8]);
        assert_eq!(Revoked::parse(&list), Ok(Revoked::default()));
        for end in MAGIC.len()..list.len() {
            assert!(Revoked::parse(&list[..end]).is_err(), "{end}");
        }
        for kind in [0, 255, 9] {
            let more = [&list[..], &[kind, 0, 0, 0, 0]].concat();
            assert!(Revoked::parse(&more).is_err(), "{kind}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Revoked::parse(&bytes);
            let _ = Revoked::parse(&[MAGIC, &bytes].concat());
        }
    }
}
