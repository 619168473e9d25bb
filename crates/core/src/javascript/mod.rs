//! Everything that knows JavaScript and TypeScript, and the runners of their tests: vitest, jest and node's own.
//!
//! Files are read by syntax tree, never by running them. What a runner reports is turned into the records of
//! [`test_outcome`](crate::test_outcome).

mod file_names;
mod parsing;
mod prompt;

pub use parsing::is_javascript;
pub(crate) use prompt::tests_wanted;
mod reading;

pub use reading::analyse;
