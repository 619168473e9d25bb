//! Keys, certificates and signatures in OpenSSH's formats, read from bytes.
//!
//! Reading trusts nothing: every length is checked, nothing may be left over, and a parsed signature is not yet a
//! verified one. The host checks whether a signature fits its key, with [`Signature::challenge`].

mod certificate;
mod key;
mod passkey;
mod signature;
mod wire;

pub use certificate::Certificate;
pub use key::{Curve, KeyMaterial, PublicKey};
pub use passkey::{Assertion, NewPasskey, NotAPasskey, RELYING_PARTY, passkey_challenge};
pub use signature::{RawSignature, Signature, SignedBytes, armoured};

pub(super) use key::decoded;
#[cfg(test)]
pub(super) use key::tests;
pub(super) use wire::Reader;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use thiserror::Error;

/// Bytes as a page's script has them: base64 in its form for addresses.
pub fn to_page(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes that a page's script sent.
pub fn from_page(text: &str) -> Result<Vec<u8>, SshError> {
    let bytes = URL_SAFE_NO_PAD.decode(text);
    bytes.map_err(|_| SshError::Malformed)
}

/// Why bytes cannot be read as a key or signature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SshError {
    /// It ends too early, or something is left over.
    #[error("it is cut off, or too long")]
    Length,
    /// The content contradicts its declared form.
    #[error("it is malformed")]
    Malformed,
    /// A kind that is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
}
