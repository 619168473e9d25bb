//! What a linter's exit code and output mean.
//!
//! A linter is asked about the files that a run changed, and its answer is held against what it says about
//! the same files at the base: a project that has always had complaints must not have them laid at the
//! model's door. Findings are compared by file and wording, not by line, because lines move.

mod finding;
mod judge;
mod linter;

pub use finding::Finding;
pub use judge::{LintRun, Voice, judge_lint};
pub use linter::{Linter, is_lint_configuration};
