//! Git, called in one hardened way.
//!
//! A repository is code: attributes name filter programs, configuration names hooks, pagers and drivers. [`Repository`]
//! therefore never lets git discover anything after the first look: every call gets an emptied environment, explicit
//! directories, a private index and flags that switch off anything that could run a planted program (`invocation.rs`
//! says why for each). Trees are made from bytes that Proctor holds, not from files that git finds in a directory.
//!
//! A repository hands out one value for each subject: [`Objects`], [`Refs`], [`Checkout`], [`Worktrees`] and
//! [`Merging`]. Nothing here knows about runs.
//!
//! libgit2 and gitoxide were considered: both would add a second interpretation of a repository; the user will look at
//! the result with the git program.

mod checkout;
mod discover;
mod durable;
mod error;
mod identity;
mod init;
mod invocation;
mod merging;
mod objects;
mod private_index;
mod refs;
mod repository;
mod worktrees;

pub use checkout::{Checkout, Head, OwnCommit, OwnCommitError, Snapshot, SnapshotError};
pub use discover::Discovery;
pub use error::GitError;
pub use identity::{CommitMessage, Person};
pub use merging::{MergeOutcome, MergeRequest, Merging};
pub use objects::{Change, ChangedFile, Entries, LineCommit, Objects};
pub use proctor_core::file_mode::FileMode;
pub use refs::Refs;
pub use repository::Repository;
pub use worktrees::{WorktreeError, WorktreeRemoval, Worktrees, resolved};
