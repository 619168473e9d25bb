//! The journal: events, durably, in order.
//!
//! One SQLite database under the git common directory. A run is its events; they are committed and flushed before
//! anything follows from them. Events and other notable acts are records of one chain per repository: each record's
//! hash covers the one before it, so a changed, removed or inserted record is found by [`Journal::verify`]. A chain
//! cannot show that records are missing at its very end; nothing kept in the same place could.

mod chain;
mod lock;
mod naming;
mod reading;
mod runs;
mod schema;
mod store;

pub use chain::{Broken, Chain, Record, TrailEnds};
pub use lock::{RunLock, RunLockError};
pub use runs::{NewRun, RunId, RunRow};
pub use store::{Journal, JournalError};
