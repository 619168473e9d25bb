//! What may enter a run and what may leave it.
//!
//! [`ProjectPath`] is the gate for names: only its validator builds one, so an unchecked name
//! cannot reach a writer. [`secret_name`] and the limits decide which context files may be sent to
//! a model; [`AllowedSecrets`] looks for secrets in the text that would be sent, except for those that
//! a person let through. All of it works on names and bytes that the host has read; links and file
//! types are the host's observations and arrive here as [`ContextProblem`]s of its making.

mod allowed_secrets;
mod limits;
mod line_mask;
mod problem;
mod project_path;
mod protected_name;
mod secret_content;
mod secret_name;
mod tokens;

pub use allowed_secrets::AllowedSecrets;
pub(crate) use limits::largest_first;
pub use limits::{
    ContextFile, MAX_FILE_BYTES, MAX_TOTAL_TOKENS, Portion, check_content, check_total, text_of,
};
pub use line_mask::LineMask;
pub use problem::{ContextProblem, ProblemKind};
pub use project_path::{PathProblem, ProjectPath};
pub use secret_content::{
    Fingerprint, NotAFingerprint, SecretFinding, find_secrets, mask_secrets, mask_values,
};
pub use secret_name::secret_name;
pub use tokens::count_tokens;
