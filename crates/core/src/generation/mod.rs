//! Requests to a model, and the meaning of its replies.
//!
//! [`prompts`] words the questions. [`parse_reply`] reads a reply that brings whole files or changes of
//! files. It never guesses: a reply that could be read in two ways is [`Malformed`], and the message is written for the
//! model that has to send it again. [`Rules`] says which of the files may be written at which stage.

mod egress;
mod file_role;
mod model_reply;
mod prompt;
pub mod prompts;
mod reply;
mod strategy;
mod truncation;

pub use egress::{
    HeldSecret, Hold, MAX_REQUEST_TOKENS, check_budget, check_request, check_tokens, dollars,
};
pub use file_role::{AllowedFile, NotAllowed, Rules};
pub use model_reply::{ModelReply, SeenFile, StopReason};
pub use prompt::{Prompt, Source};
pub use reply::{Body, RepliedFile, Reply, ends_with_end_marker, parse_reply};
pub use strategy::{
    Circumstances, LARGE_BYTES, LARGE_LINES, Strategy, USUAL_OUTPUT_TOKENS, is_large,
};
pub use truncation::{ask_for_less, is_cut_off};

pub use crate::sections::Malformed;
