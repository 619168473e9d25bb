//! The meaning of a linter's exit code and output.
//!
//! A linter checks the files that a run changed, and its findings are compared with those in the same files at the
//! base: the model must not be blamed for findings that the project has always had. Findings are compared by file and
//! wording, not by line, because lines move.

mod finding;
mod judge;
mod linter;

pub use finding::Finding;
pub use judge::{LintRun, Voice, judge_lint};
pub use linter::{Linter, is_lint_configuration};
