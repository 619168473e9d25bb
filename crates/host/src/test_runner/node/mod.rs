//! Running a project's tests with vitest, jest or node's own runner.
//!
//! All three run the judged code in processes of its own. Proctor's reporter sits in the one that starts them, which
//! never loads that code: it makes the run by terms that only it receives, and writes one record per event to a stream
//! that only Proctor reads.

mod account;
mod find;
mod installed;
mod managed;
mod package;
mod packages;
mod programs;
mod run;
mod script;

use super::{Inquiry, RunOutcome, RunnerError, TestLimit, Variant};

pub use find::{NodeCommand, NodeSearch, find_runner, named_runner, node_command};
pub use installed::installed_modules;
pub use managed::managed_packages;
pub use packages::{farm, readable};
pub use run::NodeRun;
