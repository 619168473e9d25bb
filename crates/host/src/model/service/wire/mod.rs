//! The messages to and from each service: one file per service.
//!
//! A reply comes in pieces, each a JSON document; [`Incoming`] is their result so far. A service that answers in one
//! piece although a stream was asked for is read by the same code.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

use proctor_core::generation::StopReason;
use proctor_core::generation::ends_with_end_marker;
use serde_json::Value;

use super::Service;
use super::dialect::Dialect;
use super::fault::{Fault, FaultKind};

/// Larger than any reply that could be used.
const REPLY_BYTES: usize = 8 * 1024 * 1024;

/// One request, before it is put as a service wants it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) model: &'a str,
    /// The part of the prompt that all requests of a run share.
    pub(super) stable: &'a str,
    pub(super) rest: &'a str,
    /// The most tokens that may come back.
    pub(super) limit: u64,
    /// Whether the reply is to come in pieces.
    pub(super) stream: bool,
    pub(super) dialect: Dialect,
}

/// Tokens of one call, as the service counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    /// All that was sent, kept or not.
    pub(super) input: u64,
    pub(super) output: u64,
    /// Of the input: found in the service's cache.
    pub(super) cache_read: u64,
    /// Of the input: put into the service's cache.
    pub(super) cache_written: u64,
}

impl std::ops::AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_written += other.cache_written;
    }
}

/// Why a service says that it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// The model had finished.
    Finished,
    /// The reply is cut off.
    Limit,
    /// The model declined, in these words if it wrote nothing else.
    Declined(String),
    /// The service stopped it, for this reason.
    Filtered(String),
}

/// A reply so far.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) text: String,
    pub(super) stop: Option<Stop>,
    /// Whether the service said that nothing more comes.
    pub(super) ended: bool,
    pub(super) tokens: Tokens,
    /// The model that answers, by the service's own name for it.
    pub(super) model: Option<String>,
}

/// The path below the base address.
pub(super) fn path(service: Service, model: &str, stream: bool) -> String {
    match service {
        Service::Anthropic => "/v1/messages".to_owned(),
        Service::OpenAi => "/chat/completions".to_owned(),
        Service::Gemini => gemini::path(model, stream),
        Service::Ollama => "/api/chat".to_owned(),
    }
}

/// The request's body.
pub(super) fn body(service: Service, question: &Question<'_>) -> Value {
    match service {
        Service::Anthropic => anthropic::body(question),
        Service::OpenAi => openai::body(question),
        Service::Gemini => gemini::body(question),
        Service::Ollama => ollama::body(question),
    }
}

impl Incoming {
    /// Takes in one piece of a stream.
    pub(super) fn piece(&mut self, service: Service, payload: &str) -> Result<(), Fault> {
        if payload.trim() == "[DONE]" {
            self.ended = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(payload)
            .map_err(|_| Fault::again(FaultKind::Malformed, "a piece of the reply is not JSON"))?;
        self.value(service, &value)
    }

    fn value(&mut self, service: Service, value: &Value) -> Result<(), Fault> {
        if let Value::Array(values) = value {
            return values
                .iter()
                .try_for_each(|value| self.value(service, value));
        }
        if let Some(fault) = Fault::in_stream(value) {
            return Err(fault);
        }
        match service {
            Service::Anthropic => anthropic::absorb(self, value),
            Service::OpenAi => openai::absorb(self, value),
            Service::Gemini => gemini::absorb(self, value),
            Service::Ollama => ollama::absorb(self, value),
        }
        if self.text.len() > REPLY_BYTES {
            let message = format!("the reply is larger than {REPLY_BYTES} bytes");
            return Err(Fault::never(FaultKind::Malformed, message));
        }
        Ok(())
    }

    fn say(&mut self, text: &Value) {
        self.text.push_str(text.as_str().unwrap_or_default());
    }

    fn named(&mut self, model: &Value) {
        if let Some(model) = model.as_str() {
            self.model = Some(model.to_owned());
        }
    }

    /// The conclusion, now that nothing more comes. Counted tokens outweigh the claimed reason: some servers report a
    /// reply that was cut off as complete.
    pub(super) fn concluded(self, limit: u64) -> Result<(String, StopReason), Fault> {
        let cut_off = self.tokens.output >= limit;
        match self.stop {
            Some(Stop::Declined(reason)) => {
                let text = if self.text.trim().is_empty() {
                    reason
                } else {
                    self.text
                };
                Ok((text, StopReason::Refusal))
            }
            Some(Stop::Filtered(reason)) => {
                let text = match self.text.trim() {
                    "" => reason,
                    text => format!("{reason}; until then: {text}"),
                };
                Ok((text, StopReason::Refusal))
            }
            Some(Stop::Limit) => Ok((self.text, StopReason::MaxTokens)),
            _ if cut_off => Ok((self.text, StopReason::MaxTokens)),
            Some(Stop::Finished) if self.text.trim().is_empty() => {
                Err(Fault::again(FaultKind::Empty, "the reply is empty"))
            }
            // The end event may be missing: all of the text comes before the reason.
            Some(Stop::Finished) => Ok((self.text, StopReason::EndTurn)),
            None if !self.ended => {
                let message = "the reply ended before its end";
                Err(Fault::again(FaultKind::Connection, message))
            }
            // An end without a reason: then only the reply itself can tell.
            None if ends_with_end_marker(&self.text) => Ok((self.text, StopReason::EndTurn)),
            None => Ok((self.text, StopReason::MaxTokens)),
        }
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
