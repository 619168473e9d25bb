//! Keys, certificates and signatures in OpenSSH's formats, read from bytes.
//!
//! Reading believes nothing: every length is checked, nothing may be left over, and what is read is not yet true. Whether a
//! signature fits its key is asked of the host with [`Signature::challenge`].

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

/// Why bytes are no key or signature that is understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SshError {
    /// It ends too early, or something is left over.
    #[error("it is cut off, or too long")]
    Length,
    /// Not what it says.
    #[error("it is malformed")]
    Malformed,
    /// A kind that is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
}
