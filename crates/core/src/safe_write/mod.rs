//! Writing without losing anything: the effect of a write, and whose consent it needs.
//!
//! A [`Proposal`] is one write, inspected before it happens: it knows the file as it is, the content that would be
//! there afterwards and the strategy or the changes that lead from one to the other. Its [`Concern`] says why a person
//! has to agree: the file has more than [`LINES_REPLACED_FREELY`](crate::permission::LINES_REPLACED_FREELY) lines and
//! may lose most of them, or tools act on its name. The flags' permissions follow from
//! [`Autonomy`](crate::permission::Autonomy). `proctor write`, `proctor apply` and a run's driver obey the same rule.

mod concern;
mod proposal;
mod record;

pub use concern::Concern;
pub use proposal::{Content, Proposal, Way, sha256};
pub use record::{Act, AuditRecord};
