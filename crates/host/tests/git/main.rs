//! Proctor and the git program, on real repositories.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

mod discovery;
mod hardening;
mod materialising;
mod merging;
mod reading;
mod trees;
mod worktree;
mod world;
