//! Public keys.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest as _, Sha256};

use super::{Reader, SshError};

/// A public key that this version can check signatures of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// Exactly the bytes of its encoding, which revocations and lists compare.
    blob: Vec<u8>,
    algorithm: &'static str,
    /// The key's numbers.
    pub material: KeyMaterial,
}

/// Elliptic curves of NIST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    /// NIST P-256.
    P256,
    /// NIST P-384.
    P384,
}

impl Curve {
    /// How many bytes a number has.
    pub fn width(self) -> usize {
        match self {
            Self::P256 => 32,
            Self::P384 => 48,
        }
    }
}

/// A key's components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyMaterial {
    /// Ed25519, in a file or an agent.
    Ed25519([u8; 32]),
    /// ECDSA, in a file or an agent; the point, uncompressed.
    Ecdsa(Curve, Vec<u8>),
    /// RSA, in a file or an agent: exponent and modulus.
    Rsa(Vec<u8>, Vec<u8>),
    /// Ed25519 inside a hardware key, for this application.
    SecurityEd25519([u8; 32], String),
    /// ECDSA P-256 inside a hardware key or a passkey, for this application.
    SecurityEcdsa(Vec<u8>, String),
}

impl KeyMaterial {
    /// Whether it is in hardware that can ask for a touch.
    pub fn is_in_hardware(&self) -> bool {
        matches!(self, Self::SecurityEd25519(..) | Self::SecurityEcdsa(..))
    }

    /// Reads the fields after the name of the algorithm.
    pub(super) fn read(algorithm: &str, reader: &mut Reader<'_>) -> Result<Self, SshError> {
        let point = |reader: &mut Reader<'_>, curve: Curve, name: &str| {
            if reader.text()? != name {
                return Err(SshError::Malformed);
            }
            let point = reader.string()?;
            // Uncompressed, as OpenSSH writes it.
            if point.len() != 1 + 2 * curve.width() || point[0] != 4 {
                return Err(SshError::Malformed);
            }
            Ok(point.to_vec())
        };
        let plain = |reader: &mut Reader<'_>| -> Result<[u8; 32], SshError> {
            reader.string()?.try_into().map_err(|_| SshError::Malformed)
        };
        Ok(match algorithm {
            ED25519 => Self::Ed25519(plain(reader)?),
            P256 => Self::Ecdsa(Curve::P256, point(reader, Curve::P256, "nistp256")?),
            P384 => Self::Ecdsa(Curve::P384, point(reader, Curve::P384, "nistp384")?),
            RSA => {
                let exponent = reader.positive()?.to_vec();
                Self::Rsa(exponent, reader.positive()?.to_vec())
            }
            SK_ED25519 => Self::SecurityEd25519(plain(reader)?, reader.text()?.to_owned()),
            SK_ECDSA => Self::SecurityEcdsa(
                point(reader, Curve::P256, "nistp256")?,
                reader.text()?.to_owned(),
            ),
            _ => return Err(SshError::Unsupported(shown(algorithm))),
        })
    }
}

const ED25519: &str = "ssh-ed25519";
const P256: &str = "ecdsa-sha2-nistp256";
const P384: &str = "ecdsa-sha2-nistp384";
const RSA: &str = "ssh-rsa";
const SK_ED25519: &str = "sk-ssh-ed25519@openssh.com";
pub(super) const SK_ECDSA: &str = "sk-ecdsa-sha2-nistp256@openssh.com";

/// The kinds of key that are supported.
pub(super) const ALGORITHMS: [&str; 6] = [ED25519, P256, P384, RSA, SK_ED25519, SK_ECDSA];

/// A name from elsewhere, short enough for a message.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(60).collect()
}

/// The bytes of a key's text form.
pub(in crate::approval) fn decoded(text: &str) -> Result<Vec<u8>, SshError> {
    STANDARD.decode(text).map_err(|_| SshError::Malformed)
}

impl PublicKey {
    /// Reads the binary form.
    pub fn parse(blob: &[u8]) -> Result<Self, SshError> {
        let mut reader = Reader::new(blob);
        let name = reader.text()?;
        let algorithm = ALGORITHMS.into_iter().find(|known| *known == name);
        let algorithm = algorithm.ok_or_else(|| SshError::Unsupported(shown(name)))?;
        let material = KeyMaterial::read(algorithm, &mut reader)?;
        reader.end()?;
        Ok(Self {
            blob: blob.to_vec(),
            algorithm,
            material,
        })
    }

    /// Reads the text form of `.pub` files: algorithm, base64 and perhaps a comment.
    pub fn parse_text(line: &str) -> Result<Self, SshError> {
        let mut words = line.split_ascii_whitespace();
        let (Some(name), Some(text)) = (words.next(), words.next()) else {
            return Err(SshError::Malformed);
        };
        let key = Self::parse(&decoded(text)?)?;
        if key.algorithm == name {
            Ok(key)
        } else {
            Err(SshError::Malformed)
        }
    }

    pub(super) fn of_parts(algorithm: &'static str, material: KeyMaterial, blob: Vec<u8>) -> Self {
        Self {
            blob,
            algorithm,
            material,
        }
    }

    /// The binary form.
    pub fn blob(&self) -> &[u8] {
        &self.blob
    }

    /// The text form: algorithm and base64.
    pub fn text(&self) -> String {
        format!("{} {}", self.algorithm, STANDARD.encode(&self.blob))
    }

    /// OpenSSH's name for its type.
    pub fn algorithm(&self) -> &'static str {
        self.algorithm
    }

    /// The fingerprint that people compare: `SHA256:` and 43 characters.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(&self.blob);
        format!("SHA256:{}", STANDARD_NO_PAD.encode(digest))
    }
}

#[cfg(test)]
pub(in crate::approval) mod tests {
    use super::*;

    /// Made with `ssh-keygen -t ed25519`; the private half is nowhere.
    pub(in crate::approval) const ALICE: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIiv/QF6cZ2OH9gNgsRn2zplS4tk4xFkD75qpYHj5Cg1 alice";

    #[test]
    fn a_key_is_read_and_written_the_same() {
        let key = PublicKey::parse_text(ALICE).unwrap();
        assert_eq!(key.algorithm(), "ssh-ed25519");
        assert!(ALICE.starts_with(&key.text()));
        assert!(key.fingerprint().starts_with("SHA256:"));
        assert_eq!(key.fingerprint().len(), 50);
    }

    #[test]
    fn what_is_cut_off_too_long_or_of_another_kind_is_refused() {
        let blob = PublicKey::parse_text(ALICE).unwrap().blob().to_vec();
        for end in 0..blob.len() {
            assert!(PublicKey::parse(&blob[..end]).is_err(), "{end}");
        }
        let longer = [&blob[..], &[0]].concat();
        assert_eq!(PublicKey::parse(&longer), Err(SshError::Length));
        let other = ALICE.replace("ssh-ed25519 ", "ssh-rsa ");
        assert_eq!(PublicKey::parse_text(&other), Err(SshError::Malformed));
        let mut unknown = blob.clone();
        unknown[4] = b'x';
        assert!(matches!(
            PublicKey::parse(&unknown),
            Err(SshError::Unsupported(_))
        ));
        assert!(PublicKey::parse_text("ssh-ed25519").is_err());
        assert!(PublicKey::parse_text("ssh-ed25519 !!!!").is_err());
    }
}
