//! Running a project's tests with its own pytest, and having Python files read.
//!
//! pytest's own report is not enough, so a plugin of ours is loaded that writes one record per event to a stream that
//! only Proctor reads. A project without a pytest can be given a [`managed_environment`].

mod analyst;
mod blind;
mod environment;
mod limit;
mod managed;
mod mutator;
mod packages;
mod programs;
mod run;

use super::{Inquiry, RunOutcome, RunnerError, TestCommand, Variant, Watched};

pub use analyst::{PythonReader, ReadError};
pub use blind::{Cut, CutFile, CutSource, Marker};
pub use environment::{
    PythonSearch, editable_packages, find_python, judged_environment, own_python, verify_pytest,
};
pub(super) use environment::{pytest_command, start_environment};
pub use limit::TestLimit;
pub use managed::managed_environment;
pub use packages::installed;
pub use programs::CompiledPrograms;
pub use run::PytestRun;
