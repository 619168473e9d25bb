//! Keys, certificates and signatures in OpenSSH's formats, read from bytes.
//!
//! Reading believes nothing: every length is checked, nothing may be left over, and what is read is not yet true. Whether a
//! signature fits its key is asked of the host with [`Signature::challenge`].

mod certificate;
mod key;
mod signature;
mod wire;

pub use certificate::Certificate;
pub use key::{Curve, KeyMaterial, PublicKey};
pub use signature::{RawSignature, Signature, SignedBytes, armoured};

pub(super) use key::decoded;
#[cfg(test)]
pub(super) use key::tests;
pub(super) use wire::Reader;

use thiserror::Error;

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
