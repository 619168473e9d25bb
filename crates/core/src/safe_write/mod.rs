//! Writing without losing anything: what a write would do, and who has to agree.
//!
//! A [`Proposal`] is one write, looked at before it happens: it knows the file as it is, the content that
//! would be there afterwards and the strategy that leads from one to the other. Whether a person has to be
//! asked follows from the existing lines ([`LINES_REPLACED_FREELY`](crate::permission::LINES_REPLACED_FREELY)) and
//! the name, what the flags allow from [`Autonomy`](crate::permission::Autonomy); host and terminal only obey.

mod proposal;
mod record;

pub use proposal::{Content, Proposal, Way, sha256};
pub use record::{Act, AuditRecord};
