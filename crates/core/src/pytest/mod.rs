//! Everything that knows pytest, or the language of its tests.
//!
//! Its report and its exit codes are turned into the records of [`test_outcome`](crate::test_outcome). This module also
//! knows which files pytest collects and which configure it, which names act on it, and the name and stub of a Python
//! module that is not written yet.

mod configuration;
mod declared;
mod doctest;
mod encoding;
mod exit_code;
mod file_names;
mod missing_module;
mod own_names;
mod prompt;
mod raised;
mod shadowing;
mod stack;
mod stub;

pub use configuration::held_pyproject;
pub(crate) use declared::makes_importable;
pub(crate) use doctest::may_be_doctest;
pub(crate) use encoding::foreign_encoding;
pub use exit_code::exit_meaning;
pub use file_names::{is_test_configuration, is_test_file};
pub(crate) use file_names::{is_test_module, only_supports_tests};
pub use missing_module::place_of_module;
pub use own_names::{CONFIGURING, fits, own_test_names};
pub(crate) use prompt::TESTS_WANTED;
#[cfg(test)]
pub(crate) use raised::kind_of;
pub(crate) use raised::nothing_runs_it;
pub use raised::parse_report;
pub(crate) use shadowing::is_compiled;
pub use shadowing::{acts_on_runner, is_cache};
pub use stack::stopped_in;
pub use stub::with_stubs;
