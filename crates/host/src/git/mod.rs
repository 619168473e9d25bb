//! Git, called in one hardened way.
//!
//! A repository is code: attributes name filter programs, configuration names hooks, pagers and
//! drivers. [`Repository`] therefore never lets git discover anything after the first look: every call
//! gets an emptied environment, explicit directories, a private index and flags that switch off what
//! could run a planted program (`invocation.rs` says why for each). Trees are made from bytes that
//! Proctor holds, not from what git finds in a directory.
//!
//! libgit2 and gitoxide were considered: both would add a second opinion about what a repository means;
//! the git program is the one that the user will look at the result with.

mod checkout;
mod contents;
mod discover;
mod durable;
mod error;
mod identity;
mod init;
mod invocation;
mod merge;
mod notice;
mod objects;
mod own_changes;
mod private_index;
mod reviewed;
mod snapshot;
mod untracked;
mod worktree;

pub use discover::Discovery;
pub use error::GitError;
pub use identity::Person;
pub use invocation::Repository;
pub use merge::{MergeOutcome, MergeRequest};
pub use objects::{Change, ChangedFile, Entries};
pub use own_changes::{Head, OwnCommit, OwnCommitError};
pub use proctor_core::review_gate::FileMode;
pub use snapshot::{Snapshot, SnapshotError};
pub use worktree::{WorktreeError, WorktreeRemoval, resolved};
