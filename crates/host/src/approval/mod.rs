//! Signed approvals outside of the rules: whether a key made a signature, having a person sign, and verifying a
//! repository's history.
//!
//! [`proctor_core::approval`] decides which approvals count. OpenSSH is asked to sign, because agents, hardware keys
//! and passphrases are its own, and never to verify: it accepts a hardware key's signature even without a touch. A
//! browser is asked to have a passkey sign; the page that does so is not known here, only its [`PasskeyHolder`].

mod arithmetic;
mod error;
mod passkey;
mod range;
mod roster;
mod signing;
mod signing_key;
mod trail;
mod verify_error;
mod verifying;

pub use arithmetic::holds;
pub use error::SignError;
pub use passkey::{NotAccepted, PasskeyHolder, PasskeyOrder};
pub use range::{Push, Range, guarded_branches, read_revoked, read_signers};
pub use roster::{Roster, RosterError};
pub use signing::{Approved, Signing, SigningDesk, policy_at, signers_at};
pub use signing_key::SigningKey;
pub use trail::TrailWitness;
pub use verify_error::VerifyError;
pub use verifying::{Verification, VerifiedCommit};
