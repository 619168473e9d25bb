//! What is asked of a model, and what its replies mean.
//!
//! [`prompts`] words the questions. [`parse_files`] reads a reply that brings whole files. It never
//! guesses: a reply that could be read in two ways is [`Malformed`], and the message is written for the
//! model that has to send it again. [`Rules`] says which of the files may be written at which stage.

mod egress;
mod fence;
mod file_role;
mod label;
mod prompt;
pub mod prompts;
mod reply;

pub use egress::{HeldSecret, Hold, MAX_REQUEST_TOKENS, check_request};
pub use file_role::{AllowedFile, Rules, is_test_configuration, is_test_file};
pub use prompt::{Prompt, Source};
pub use reply::{FileContent, Malformed, Reply, ends_with_end_marker, parse_files};
