//! Test files of JavaScript and TypeScript, read without running them.

mod analysis;
#[cfg(test)]
mod analysis_tests;
#[cfg(test)]
mod blind_tests;
mod cells;
mod cut;
mod cutting;
mod digest;
mod edits;
mod expected;
mod file;
mod flag_tables;
mod flags;
mod flow;
mod hard_coded;
mod helpers;
mod judging;
mod oracle;
mod referee;
mod removable;
mod source;
mod tests;
mod turning;
mod twins;
mod value;
mod weaknesses;
mod words;

pub use analysis::analyse;
pub use cut::{CutTests, Sealed, cut};
pub use flags::flags;
pub use referee::referee;
pub use removable::{RemovableTest, removable_tests};
