//! Signatures of files, as `ssh-keygen -Y sign` writes them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256, Sha512};

use super::key::{decoded, shown};
use super::wire::put_string;
use super::{Certificate, Curve, KeyMaterial, PublicKey, Reader, SshError};

pub(super) const MAGIC: &[u8] = b"SSHSIG";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// The kind of signature that a browser has a passkey make.
pub(super) const WEBAUTHN: &str = "webauthn-sk-ecdsa-sha2-nistp256@openssh.com";

/// More than any signature has.
const LARGEST: usize = 64 * 1024;

/// A hardware key's flag: the user touched it.
pub(super) const TOUCHED: u8 = 0x01;
/// A hardware key's flag: the user proved by PIN or fingerprint to be its owner.
const VERIFIED: u8 = 0x04;
/// A passkey's flag: its data is about a new key, which a signature's never is.
const ATTESTED: u8 = 0x40;
/// A passkey's flag: extensions follow.
const EXTENDED: u8 = 0x80;

/// A signature of a file, as it was read; nothing in it is known to be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The key that claims to have made it.
    pub key: PublicKey,
    /// The certificate that came in the key's place, if one did.
    pub certificate: Option<Certificate>,
    /// The namespace it was made for.
    pub namespace: String,
    hash: Hash,
    raw: RawSignature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hash {
    Sha256,
    Sha512,
}

/// A signature alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawSignature {
    /// The 64 bytes of an Ed25519 signature.
    Ed25519(Vec<u8>),
    /// Two numbers of the curve's width, one after the other.
    Ecdsa(Curve, Vec<u8>),
    /// PKCS #1 with SHA-256, or with SHA-512.
    Rsa {
        /// Whether it is SHA-512.
        is_sha512: bool,
        /// The signature's bytes.
        bytes: Vec<u8>,
    },
    /// A hardware key's signature.
    Security {
        /// Ed25519 or ECDSA P-256, as above.
        inner: Box<RawSignature>,
        /// Whether the user was present.
        flags: u8,
        /// How often it has signed.
        counter: u32,
        /// The browser's additions.
        browser: Option<Browser>,
    },
}

/// A browser's additions to a passkey's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// The page that asked.
    origin: String,
    /// The bytes that were signed in the place of the message.
    client_data: Vec<u8>,
    extensions: Vec<u8>,
}

/// The claim to be verified cryptographically: that the key made this signature of these bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedBytes<'a> {
    /// The key's components.
    pub key: &'a KeyMaterial,
    /// The bytes that it claims to sign.
    pub message: Vec<u8>,
    /// The signature: never that of a hardware key, whose own bytes are part of the message.
    pub signature: &'a RawSignature,
}

impl RawSignature {
    /// Reads the binary form.
    pub(super) fn parse(blob: &[u8]) -> Result<Self, SshError> {
        let mut reader = Reader::new(blob);
        let name = reader.text()?;
        let signature = match name {
            "ssh-ed25519" => ed25519(reader.string()?)?,
            "ecdsa-sha2-nistp256" => ecdsa(Curve::P256, reader.string()?)?,
            "ecdsa-sha2-nistp384" => ecdsa(Curve::P384, reader.string()?)?,
            "rsa-sha2-256" | "rsa-sha2-512" => Self::Rsa {
                is_sha512: name == "rsa-sha2-512",
                bytes: reader.string()?.to_vec(),
            },
            "sk-ssh-ed25519@openssh.com" => {
                let inner = Box::new(ed25519(reader.string()?)?);
                Self::Security {
                    inner,
                    flags: reader.byte()?,
                    counter: reader.u32()?,
                    browser: None,
                }
            }
            "sk-ecdsa-sha2-nistp256@openssh.com" => {
                let inner = Box::new(ecdsa(Curve::P256, reader.string()?)?);
                Self::Security {
                    inner,
                    flags: reader.byte()?,
                    counter: reader.u32()?,
                    browser: None,
                }
            }
            WEBAUTHN => {
                let inner = Box::new(ecdsa(Curve::P256, reader.string()?)?);
                Self::Security {
                    inner,
                    flags: reader.byte()?,
                    counter: reader.u32()?,
                    browser: Some(Browser {
                        origin: reader.text()?.to_owned(),
                        client_data: reader.string()?.to_vec(),
                        extensions: reader.string()?.to_vec(),
                    }),
                }
            }
            // With SHA-1 among them.
            _ => return Err(SshError::Unsupported(shown(name))),
        };
        reader.end()?;
        Ok(signature)
    }

    /// The claim to verify so that `key` made this signature of `message`.
    pub fn challenge<'a>(
        &'a self,
        key: &'a KeyMaterial,
        message: Vec<u8>,
    ) -> Result<SignedBytes<'a>, SshError> {
        let (message, signature) = match (self, key) {
            (Self::Ed25519(_), KeyMaterial::Ed25519(_))
            | (Self::Rsa { .. }, KeyMaterial::Rsa(..)) => (message, self),
            (Self::Ecdsa(one, _), KeyMaterial::Ecdsa(other, _)) if one == other => (message, self),
            (
                Self::Security {
                    inner,
                    flags,
                    counter,
                    browser,
                },
                KeyMaterial::SecurityEd25519(_, application)
                | KeyMaterial::SecurityEcdsa(_, application),
            ) => {
                let (is_ed25519, wants_ed25519) = (
                    matches!(**inner, Self::Ed25519(_)),
                    matches!(key, KeyMaterial::SecurityEd25519(..)),
                );
                if is_ed25519 != wants_ed25519 {
                    return Err(SshError::Malformed);
                }
                let mut signed = Sha256::digest(application.as_bytes()).to_vec();
                signed.push(*flags);
                signed.extend_from_slice(&counter.to_be_bytes());
                match browser {
                    Some(browser) => browser.append(*flags, &message, &mut signed)?,
                    None => signed.extend_from_slice(&Sha256::digest(&message)),
                }
                (signed, &**inner)
            }
            _ => return Err(SshError::Malformed),
        };
        Ok(SignedBytes {
            key,
            message,
            signature,
        })
    }
}

impl Browser {
    /// A browser signs its own data about the page, in which the message is the challenge.
    fn append(&self, flags: u8, message: &[u8], signed: &mut Vec<u8>) -> Result<(), SshError> {
        if self.origin.contains('"')
            || flags & ATTESTED != 0
            || (flags & EXTENDED != 0) == self.extensions.is_empty()
        {
            return Err(SshError::Malformed);
        }
        let start = format!(
            "{{\"type\":\"webauthn.get\",\"challenge\":\"{}\",\"origin\":\"{}\"",
            URL_SAFE_NO_PAD.encode(message),
            self.origin
        );
        let rest = self.client_data.strip_prefix(start.as_bytes());
        match rest {
            Some([b',', ..] | [b'}']) => {}
            _ => return Err(SshError::Malformed),
        }
        signed.extend_from_slice(&self.extensions);
        signed.extend_from_slice(&Sha256::digest(&self.client_data));
        Ok(())
    }
}

fn ed25519(bytes: &[u8]) -> Result<RawSignature, SshError> {
    if bytes.len() == 64 {
        Ok(RawSignature::Ed25519(bytes.to_vec()))
    } else {
        Err(SshError::Malformed)
    }
}

/// Two numbers, each of which may be shorter than the curve's width.
fn ecdsa(curve: Curve, bytes: &[u8]) -> Result<RawSignature, SshError> {
    let mut reader = Reader::new(bytes);
    let mut fixed = Vec::new();
    for _ in 0..2 {
        let number = reader.positive()?;
        let missing = curve.width().checked_sub(number.len());
        let missing = missing.ok_or(SshError::Malformed)?;
        fixed.resize(fixed.len() + missing, 0);
        fixed.extend_from_slice(number);
    }
    reader.end()?;
    Ok(RawSignature::Ecdsa(curve, fixed))
}

impl Signature {
    /// Reads the armoured text.
    pub fn parse(text: &[u8]) -> Result<Self, SshError> {
        if text.len() > LARGEST {
            return Err(SshError::Length);
        }
        let text = std::str::from_utf8(text).map_err(|_| SshError::Malformed)?;
        let body = text.trim_ascii().strip_prefix(BEGIN);
        let body = body.and_then(|rest| rest.strip_suffix(END));
        let body = body.ok_or(SshError::Malformed)?;
        let letters: String = body.split_ascii_whitespace().collect();
        Self::parse_blob(&decoded(&letters)?)
    }

    fn parse_blob(blob: &[u8]) -> Result<Self, SshError> {
        let mut reader = Reader::new(blob);
        if reader.bytes(MAGIC.len())? != MAGIC {
            return Err(SshError::Malformed);
        }
        let version = reader.u32()?;
        if version != 1 {
            return Err(SshError::Unsupported(format!("version {version}")));
        }
        let key = reader.string()?;
        let (key, certificate) = if Certificate::is_one(key) {
            let certificate = Certificate::parse(key)?;
            (certificate.key.clone(), Some(certificate))
        } else {
            (PublicKey::parse(key)?, None)
        };
        let namespace = reader.text()?.to_owned();
        // Reserved for later versions; it is part of the signed bytes, where it is empty.
        if !reader.string()?.is_empty() {
            return Err(SshError::Malformed);
        }
        let hash = match reader.text()? {
            "sha256" => Hash::Sha256,
            "sha512" => Hash::Sha512,
            other => return Err(SshError::Unsupported(shown(other))),
        };
        let raw = RawSignature::parse(reader.string()?)?;
        reader.end()?;
        Ok(Self {
            key,
            certificate,
            namespace,
            hash,
            raw,
        })
    }

    /// The claim to verify so that the key signed this content.
    pub fn challenge(&self, content: &[u8]) -> Result<SignedBytes<'_>, SshError> {
        let (name, digest) = match self.hash {
            Hash::Sha256 => ("sha256", Sha256::digest(content).to_vec()),
            Hash::Sha512 => ("sha512", Sha512::digest(content).to_vec()),
        };
        let message = envelope(&self.namespace, name, &digest);
        self.raw.challenge(&self.key.material, message)
    }

    /// Whether the hardware attests that the user touched it, and proved their identity. Never for keys in files.
    pub fn flags(&self) -> (bool, bool) {
        match &self.raw {
            RawSignature::Security { flags, .. } => (flags & TOUCHED != 0, flags & VERIFIED != 0),
            _ => (false, false),
        }
    }
}

/// The bytes that are signed in the place of a content.
pub(super) fn envelope(namespace: &str, hash: &str, digest: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for part in [namespace.as_bytes(), b"", hash.as_bytes(), digest] {
        put_string(&mut bytes, part);
    }
    bytes
}

/// The armour around a signature's binary form.
pub fn armoured(blob: &[u8]) -> String {
    use base64::engine::general_purpose::STANDARD;
    let letters = STANDARD.encode(blob);
    let mut text = format!("{BEGIN}\n");
    for line in letters.as_bytes().chunks(70) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text.push_str(END);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::key::tests::ALICE;
    use super::*;

    fn blob(namespace: &str, hash: &str, raw: &[u8]) -> Vec<u8> {
        let key = PublicKey::parse_text(ALICE).unwrap();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&1_u32.to_be_bytes());
        for part in [key.blob(), namespace.as_bytes(), b"", hash.as_bytes(), raw] {
            put_string(&mut bytes, part);
        }
        bytes
    }

    fn plain() -> Vec<u8> {
        let mut raw = Vec::new();
        put_string(&mut raw, b"ssh-ed25519");
        put_string(&mut raw, &[7; 64]);
        raw
    }

    #[test]
    fn a_signature_is_read_from_its_armour() {
        let text = armoured(&blob("approval@proctor", "sha512", &plain()));
        let signature = Signature::parse(text.as_bytes()).unwrap();
        assert_eq!(signature.namespace, "approval@proctor");
        assert_eq!(signature.flags(), (false, false));
        let windows = text.replace('\n', "\r\n");
        assert_eq!(Signature::parse(windows.as_bytes()), Ok(signature));
    }

    #[test]
    fn what_is_changed_in_its_shape_is_refused() {
        let good = blob("approval@proctor", "sha512", &plain());
        for end in 0..good.len() {
            let text = armoured(&good[..end]);
            assert!(Signature::parse(text.as_bytes()).is_err(), "{end}");
        }
        let longer = armoured(&[&good[..], &[0]].concat());
        assert_eq!(Signature::parse(longer.as_bytes()), Err(SshError::Length));
        let old = armoured(&blob("approval@proctor", "sha1", &plain()));
        assert!(matches!(
            Signature::parse(old.as_bytes()),
            Err(SshError::Unsupported(_))
        ));
        let mut rsa = Vec::new();
        put_string(&mut rsa, b"ssh-rsa");
        put_string(&mut rsa, &[1; 256]);
        let weak = armoured(&blob("approval@proctor", "sha512", &rsa));
        assert!(matches!(
            Signature::parse(weak.as_bytes()),
            Err(SshError::Unsupported(_))
        ));
    }

    #[test]
    fn a_signature_of_another_kind_than_its_key_has_no_challenge() {
        let mut raw = Vec::new();
        put_string(&mut raw, b"sk-ssh-ed25519@openssh.com");
        put_string(&mut raw, &[7; 64]);
        raw.push(TOUCHED);
        raw.extend_from_slice(&9_u32.to_be_bytes());
        let text = armoured(&blob("approval@proctor", "sha512", &raw));
        let signature = Signature::parse(text.as_bytes()).unwrap();
        assert_eq!(signature.challenge(b"x"), Err(SshError::Malformed));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Signature::parse(&bytes);
            let _ = Signature::parse(armoured(&bytes).as_bytes());
            let _ = PublicKey::parse(&bytes);
            let _ = Certificate::parse(&bytes);
        }
    }
}
