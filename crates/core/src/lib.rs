//! Proctor's rules.
//!
//! Everything here is a pure function over plain values: no files, no processes, no clock, no
//! environment.

pub mod context;
pub mod diff;
mod hidden_characters;
pub mod lld;
