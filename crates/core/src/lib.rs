//! Proctor's rules.
//!
//! Everything here is a pure function over plain values: no files, no processes, no clock, no environment. The host
//! crate observes the world and obeys the rules' conclusions; see [`workflow`] for the machine that ties them together.

pub mod approval;
pub mod dialect;
pub mod diff;
pub mod edit;
pub mod failure;
pub mod file_mode;
pub mod gate;
pub mod generation;
pub mod guard;
pub mod held_out;
mod hidden_characters;
pub mod imports;
pub mod javascript;
pub mod javascript_reader;
pub mod limits;
pub mod lint;
pub mod lld;
pub mod merge;
pub mod mutants;
pub mod object_id;
pub mod path;
pub mod permission;
pub mod pytest;
pub mod remark;
pub mod review_gate;
pub mod safe_write;
pub mod secrets;
mod sections;
pub mod stubs;
pub mod syntax;
pub mod test_outcome;
pub mod tokens;
pub mod visible;
pub mod workflow;
