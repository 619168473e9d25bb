//! Clients of four model services, over one HTTP crate.
//!
//! `endpoint` knows a service's address and key, `wire` its messages, `transport` carries it, `stream` takes the answer
//! apart, `exchange` is one question and its answer, `fault` tells failures apart, `dialect` learns from refusals, and
//! `patience` decides how often and how long. [`ServiceModel`] puts them together. Why no ready-made client:
//! `docs/decisions`.

mod dialect;
mod endpoint;
mod exchange;
mod failure;
mod fault;
mod patience;
mod proxy;
mod stream;
mod transport;
mod wire;

use std::time::{Duration, Instant};

use proctor_core::generation::{ModelReply, USUAL_OUTPUT_TOKENS};

use super::{Cleared, Destination, Model, ModelError, News, Request, most_input};
use crate::process::{Environment, Interrupt};
use crate::settings::{ModelSettings, Price};
use dialect::Dialect;
use endpoint::Endpoint;
use fault::Fault;
use patience::Patience;
use stream::Framing;
use transport::{Stopped, Transport};
use wire::{Incoming, Question, Tokens};

pub use failure::ServiceFailure;
pub use fault::FaultKind;

/// A reply's token limit after others were cut off, where none is configured.
const MOST_OUTPUT_TOKENS: u64 = 65_536;

/// A service that people call by its vendor's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// `anthropic:NAME`
    Anthropic,
    /// `openai:NAME`, and servers that speak the same language
    OpenAi,
    /// `gemini:NAME`
    Gemini,
    /// `ollama:NAME`
    Ollama,
}

impl Service {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Ollama];

    /// Its name in a `--model` value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    fn framing(self) -> Framing {
        match self {
            Self::Ollama => Framing::Lines,
            _ => Framing::Events,
        }
    }
}

/// A model at a service.
#[derive(Debug)]
pub(super) struct ServiceModel {
    name: String,
    endpoint: Endpoint,
    transport: Transport,
    patience: Patience,
    dialect: Dialect,
    /// The most tokens of a first reply.
    usual: u64,
    /// The most tokens of a reply, however many were cut off before it.
    most: u64,
    stream: bool,
    price: Option<Price>,
    interrupt: Interrupt,
    answered_by: Option<String>,
}

impl ServiceModel {
    /// Finds the service's address. A missing key is an error only when a request is made: a user who only reviews
    /// needs none.
    pub(super) fn find(
        service: Service,
        name: &str,
        settings: &ModelSettings,
        environment: &Environment,
        interrupt: Interrupt,
    ) -> Result<Self, ServiceFailure> {
        let word = service.word();
        let endpoint = Endpoint::find(service, environment)
            .map_err(|bad| ServiceFailure::variable(word, bad.name, bad.problem))?;
        let mut patience = Patience::default();
        if let Some(seconds) = settings.idle_timeout_seconds {
            patience.idle = Duration::from_secs(seconds);
        }
        if let Some(seconds) = settings.timeout_seconds {
            patience.total = Duration::from_secs(seconds);
        }
        let stream = settings.stream.unwrap_or(true);
        if !stream {
            // Nothing comes before all of it does.
            patience.idle = patience.total;
        }
        let proxy = endpoint
            .proxy(environment)
            .map_err(|bad| ServiceFailure::variable(word, bad.name, bad.problem))?;
        let transport = Transport::new(environment, proxy, &patience)
            .map_err(|problem| ServiceFailure::certificates(word, &problem))?;
        let configured = settings.prices.get(&format!("{word}:{name}")).copied();
        // Another provider's server has other prices.
        let usual = || Price::usual(service, name).filter(|_| endpoint.has_usual_prices());
        Ok(Self {
            name: name.to_owned(),
            price: configured.or_else(usual),
            dialect: Dialect::new(endpoint.official),
            endpoint,
            transport,
            patience,
            usual: settings.max_output_tokens.unwrap_or(USUAL_OUTPUT_TOKENS),
            most: settings.max_output_tokens.unwrap_or(MOST_OUTPUT_TOKENS),
            stream,
            interrupt,
            answered_by: None,
        })
    }

    /// A reply's token limit: twice as much after each that was cut off.
    fn limit(&self, cut_off: u32) -> u64 {
        let raised = self.usual.saturating_mul(1 << cut_off.min(16));
        self.dialect
            .within_ceiling(raised.min(self.most.max(self.usual)))
    }

    fn failure(&self, fault: Fault, tries: u32) -> ServiceFailure {
        let without_key = |text| self.endpoint.without_key(text);
        let fault = Fault {
            message: without_key(fault.message),
            request_id: fault.request_id.map(without_key),
            ..fault
        };
        ServiceFailure::of(self.endpoint.service, &self.endpoint.host, &fault, tries)
    }

    /// A service that does not count leaves the cost unknown, except where nothing costs anything.
    fn cost(&self, tokens: Tokens) -> Option<u64> {
        let counted = tokens != Tokens::default() || self.endpoint.service == Service::Ollama;
        self.price.filter(|_| counted).map(|price| {
            price.micro_usd(
                tokens.input,
                tokens.cache_read,
                tokens.cache_written,
                tokens.output,
            )
        })
    }
}

impl Model for ServiceModel {
    fn serialise(&self, request: &Request<'_>) -> String {
        let (stable, rest) = request.prompt.split_stable();
        let question = Question {
            model: &self.name,
            stable,
            rest,
            limit: self.limit(request.cut_off),
            stream: self.stream,
            dialect: self.dialect,
        };
        wire::body(self.endpoint.service, &question).to_string()
    }

    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError> {
        self.send_telling(request, &mut |_| {})
    }

    fn send_telling(
        &mut self,
        request: &Cleared<'_>,
        tell: &mut dyn FnMut(News),
    ) -> Result<ModelReply, ModelError> {
        self.ready()?;
        let deadline = Instant::now() + self.patience.total;
        let mut tokens = Tokens::default();
        let mut tries = 0;
        let mut failed: Vec<FaultKind> = Vec::new();
        let mut renewed: Option<Cleared<'_>> = None;
        loop {
            tries += 1;
            let limit = self.limit(request.cut_off());
            let mut incoming = Incoming::default();
            let sent = renewed.as_ref().unwrap_or(request).sent();
            let ended = self.exchange(sent, &mut incoming, deadline, tell);
            // A try that failed half-way was counted by the service as well.
            tokens += incoming.tokens;
            if let Some(model) = incoming.model.take() {
                self.answered_by = Some(self.endpoint.without_key(model));
            }
            let concluded = match ended {
                Ok(()) => incoming.concluded(limit),
                Err(Stopped::Fault(fault)) => Err(fault),
                Err(Stopped::Interrupted) => return Err(ModelError::Interrupted),
            };
            let fault = match concluded {
                Ok((text, stop_reason)) => {
                    return Ok(ModelReply {
                        text: self.endpoint.without_quoted_key(text),
                        stop_reason,
                        input_tokens: tokens.input,
                        output_tokens: tokens.output,
                        cached_tokens: tokens.cache_read,
                        cost_micro_usd: self.cost(tokens),
                        script_line: None,
                        seen: Vec::new(),
                        asked_for_changes: false,
                    });
                }
                Err(fault) => fault,
            };
            if self.dialect.learn(&fault, limit, self.usual)
                && let Ok(put_again) = request.again(self)
            {
                renewed = Some(put_again);
                tries -= 1;
                continue;
            }
            failed.push(fault.kind);
            let alike = failed.iter().filter(|kind| **kind == fault.kind).count();
            let alike = u32::try_from(alike).unwrap_or(u32::MAX);
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(wait) = self.patience.wait(&fault, tries, alike, left, chance()) else {
                return Err(self.failure(fault, tries).into());
            };
            let problem = self.failure(fault, 1).to_string();
            tell(News::Retrying { problem, wait });
            if self.interrupt.wait(wait) {
                return Err(ModelError::Interrupted);
            }
        }
    }

    fn ready(&self) -> Result<(), ModelError> {
        match self.endpoint.missing_key() {
            None => Ok(()),
            Some(names) => Err(ServiceFailure::no_key(self.endpoint.service.word(), names).into()),
        }
    }

    fn most_micro_usd(&self, request: &Cleared<'_>) -> Option<u64> {
        let input = most_input(request);
        let limit = self.limit(request.cut_off());
        self.price
            .map(|price| price.micro_usd(input, 0, input, limit))
    }

    fn most_tokens(&self, request: &Cleared<'_>) -> u64 {
        most_input(request) + self.limit(request.cut_off())
    }

    fn answered_by(&self) -> Option<&str> {
        self.answered_by.as_deref()
    }

    fn destination(&self) -> Destination {
        Destination::Service {
            name: self.endpoint.service.word().to_owned(),
            host: self.endpoint.host.clone(),
            encrypted: self.endpoint.url("").starts_with("https:"),
            local: self.endpoint.local,
        }
    }
}

/// Between 0 and 1.
fn chance() -> f64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's hasher is keyed at random, which is random enough for a wait.
    let number = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    f64::from(u32::try_from(number >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
