//! Secrets in names and in text, and the marks that take their place.
//!
//! [`secret_name`] refuses a file before it is opened; [`AllowedSecrets`] looks for secrets in the text that would be
//! sent, except for those that a person allowed. Text that will be kept or shown is masked where it comes in.

mod allowed;
mod content;
mod line_mask;
mod name;

pub use allowed::AllowedSecrets;
pub use content::{
    Fingerprint, NotAFingerprint, SecretFinding, find_secrets, mask_secrets, mask_values,
};
pub use line_mask::LineMask;
pub use name::secret_name;
