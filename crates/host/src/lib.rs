//! The outside world, one folder per thing, obeying the rules of `proctor-core`.

pub mod approval;
pub mod clock;
pub mod crash_point;
pub mod driver;
pub mod files;
pub mod gate;
pub mod git;
pub mod guard;
pub mod journal;
pub mod local_page;
pub mod model;
pub mod notification;
pub mod preparation;
pub mod process;
pub mod project;
pub mod run_data;
pub mod safe_write;
pub mod settings;
pub mod surroundings;
pub mod test_runner;
pub mod trust;
pub mod working_changes;
pub mod workspace;
