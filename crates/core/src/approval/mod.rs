//! Approvals that third parties can check: the signed statement, its signer, and whether it counts.
//!
//! A person signs a [`Statement`] about one git tree on one base commit as an SSH signature in the [`NAMESPACE`]. This
//! module reads statements, signatures ([`ssh`]), the [`Signers`] that a commit names and the keys that are
//! [`Revoked`], and concludes in [`policy`] whether a commit is approved, or the [`Reason`] why not. The cryptography
//! is the host's.
//!
//! Nothing here decides who is trusted: signers and policy are always those of a commit's first parent, so that a
//! commit never has a say in who approves it.

mod calendar;
mod evidence;
mod judging;
pub mod policy;
mod reason;
mod revoked;
mod sha1;
mod signers;
pub mod ssh;
mod statement;

pub use evidence::{EVIDENCE_FILE, Evidence, GateEvidence, UnreadableEvidence};
pub use judging::{Evaluated, Setting, Stored, evaluate};
pub use policy::{Accepted, Author, Demand, UserPresence, enough};
pub use reason::Reason;
pub use revoked::{Revoked, UnreadableRevocations};
pub use signers::{NotASigner, SignerLine, Signers};
pub use statement::{SignedApproval, Statement, UnreadableStatement};

/// The namespace that an approval is signed for. A signature of the same key for something else, such as a commit, is
/// not an approval.
pub const NAMESPACE: &str = "approval@proctor";

/// The file in a repository that lists the signers.
pub const SIGNERS_FILE: &str = ".proctor/allowed_signers";

/// Whose keys do not count any more, in a repository.
pub const REVOKED_FILE: &str = ".proctor/revoked_signers";
