//! Test files of JavaScript and TypeScript, read without running them.

mod analysis;
#[cfg(test)]
mod analysis_tests;
mod digest;
mod edits;
mod file;
mod flow;
mod helpers;
mod oracle;
mod removable;
mod source;
mod tests;
mod turning;
mod twins;
mod weaknesses;
mod words;

pub use analysis::analyse;
pub use removable::{RemovableTest, removable_tests};
