//! The diff review gate: the facts that a person has to notice before a change is approved.
//!
//! The host reads both versions of every changed file and asks git how many lines differ; a [`FileReport`] is the
//! result. Nothing here decides for the person: a flag only says where to look.

mod installed;
mod label;
mod lock_file;
mod measure;
mod report;

pub use installed::installed_directories;
pub use label::Label;
pub use lock_file::is_lock_file;
pub use measure::{Measure, REVIEW_RATIO};
pub use report::{FileReport, ReportedFile, ReviewedFile, Status, Version, in_reading_order};
