//! Secrets in text that would be sent to a language model.
//!
//! A false alarm stops a user's work, a miss gives a key away. So a value counts as a secret if it has the shape that a
//! provider gives its keys, or occurs in a secret's place and looks randomly generated; examples, placeholders and
//! hashes do not. Secrets that are encoded, split or as simple as a word are not found.
//!
//! The text may be source, test output or either of them within a JSON text, where line ends and
//! quotes are escaped; a secret has the same fingerprint in all of them.

mod assignment;
mod credentials;
mod entropy;
mod fingerprint;
mod key_block;
mod mask;
mod notation;
mod placeholder;
mod random_value;
mod rules;
mod scan;
mod secret_word;
mod segment;
mod web_token;

use std::ops::Range;

pub use fingerprint::{Fingerprint, NotAFingerprint};
pub(super) use mask::mask_findings;
pub use mask::{mask_secrets, mask_values};
pub use scan::find_secrets;

/// One thing that looks like a secret. It never carries the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretFinding {
    /// The rule that found it, such as `aws-access-key-id`.
    pub rule: &'static str,
    /// Its description, in words that fit after "this looks like".
    pub description: &'static str,
    /// The bytes of the secret.
    pub range: Range<usize>,
    /// Its name from now on.
    pub fingerprint: Fingerprint,
}
