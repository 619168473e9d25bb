//! Failures as a user meets them: a kind, one sentence, hints. Printed once, in `main`.
//!
//! Every failure comes from a typed error that is [`Explained`] where it is defined: kind, sentence, hints, and a
//! sample of every variant from which `docs/troubleshooting.md` is made. The commands' own failures have one type for
//! each kind: [`Misuse`], [`Refused`], [`Unanswered`], [`Unsafe`], [`Obstacle`], [`Bug`], [`Interruption`].

use proctor_core::failure::Explained;
pub(crate) use proctor_core::failure::Kind;
use proctor_core::secrets::mask_secrets;
use serde::Serialize;
use serde_json::{Value, json};

use crate::wire;

mod bug;
mod interruption;
mod misuse;
mod obstacle;
mod refused;
#[cfg(test)]
mod tests;
mod unanswered;
mod unsafe_request;

pub(crate) use bug::Bug;
pub(crate) use interruption::Interruption;
pub(crate) use misuse::Misuse;
pub(crate) use obstacle::{FREE_SPACE, Obstacle};
pub(crate) use refused::Refused;
pub(crate) use unanswered::{Matter, Unanswered};
pub(crate) use unsafe_request::Unsafe;

/// A failure that a user sees.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
    /// Fields that the JSON document has besides the error.
    pub(crate) details: Value,
    /// A person's own answer was carried out; see [`Explained::is_answer`].
    pub(crate) is_answer: bool,
}

impl<E: Explained> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            kind: error.kind(),
            // A message may quote a program's last output; secrets that may be sent must still not be printed.
            message: mask_secrets(&error.to_string()).into_owned(),
            hints: error.hints(),
            details: json!({}),
            is_answer: error.is_answer(),
        }
    }
}

impl Failure {
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn details(mut self, details: impl Serialize) -> Self {
        self.details = wire::value(&details);
        self
    }

    /// The remedies: its own hints, else the general one for its kind.
    pub(crate) fn hints(&self) -> Vec<&str> {
        if self.hints.is_empty() {
            return vec![self.kind.hint()];
        }
        self.hints.iter().map(String::as_str).collect()
    }

    /// The one JSON document of a failed command.
    pub(crate) fn to_json(&self) -> Value {
        let hint = self.hints().join("; ");
        wire::failed(self.kind.key(), &self.message, &hint, &self.details)
    }
}
