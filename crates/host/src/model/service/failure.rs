//! A service's failure as a person meets it: one sentence and the remedy.

use std::fmt::Write as _;

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

use super::Service;
use super::fault::{Fault, FaultKind};
use super::transport::CertificateError;

/// How much of a service's own words is quoted.
const QUOTED: usize = 300;

/// Why a service gave no reply. Its words never hold a key.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct ServiceFailure {
    message: String,
    hint: String,
}

impl Explained for ServiceFailure {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![self.hint.clone()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for ServiceFailure {
    fn samples() -> Vec<Self> {
        let faults = proctor_core::samples!(FaultKind {
            FaultKind::Key => FaultKind::Key,
            FaultKind::Billing => FaultKind::Billing,
            FaultKind::NotFound => FaultKind::NotFound,
            FaultKind::ContextOverflow => FaultKind::ContextOverflow,
            FaultKind::BadRequest => FaultKind::BadRequest,
            FaultKind::RateLimit => FaultKind::RateLimit,
            FaultKind::Unavailable => FaultKind::Unavailable,
            FaultKind::Redirected => FaultKind::Redirected,
            FaultKind::Connection => FaultKind::Connection,
            FaultKind::Certificate => FaultKind::Certificate,
            FaultKind::Stalled => FaultKind::Stalled,
            FaultKind::Malformed => FaultKind::Malformed,
            FaultKind::Empty => FaultKind::Empty,
        });
        let met = faults.into_iter().map(|kind| {
            let words = match kind {
                FaultKind::Key => "401 REASON",
                FaultKind::Billing => "402 REASON",
                FaultKind::NotFound => "404 REASON",
                FaultKind::ContextOverflow => "413 REASON",
                FaultKind::BadRequest => "400 REASON",
                FaultKind::RateLimit => "429 REASON",
                FaultKind::Unavailable => "500 REASON",
                FaultKind::Redirected => "307 REASON",
                _ => "REASON",
            };
            Self::met(Service::Anthropic, "HOST", kind, words)
        });
        let scheme = "has to begin with http:// or https://";
        let unusable = [
            Self::sample(),
            Self::variable("ollama", "OLLAMA_HOST", scheme),
            Self::certificates(
                "ollama",
                &CertificateError::File(std::io::Error::other("REASON")),
            ),
        ];
        met.chain(unusable).collect()
    }
}

impl ServiceFailure {
    #[cfg(feature = "samples")]
    pub(in crate::model) fn sample() -> Self {
        Self::no_key("anthropic", &["ANTHROPIC_API_KEY"])
    }

    pub(super) fn no_key(service: &str, variables: &[&str]) -> Self {
        let names = variables.join(" or ");
        Self {
            message: format!("{service} needs a key, and {names} is not set"),
            hint: format!(
                "export {}=…; keys are taken from the environment only",
                variables.first().copied().unwrap_or_default()
            ),
        }
    }

    pub(super) fn variable(service: &str, name: &str, problem: &str) -> Self {
        Self {
            message: format!("{service} cannot be used: {name} {problem}"),
            hint: format!("fix {name} in your environment"),
        }
    }

    pub(super) fn certificates(service: &str, problem: &CertificateError) -> Self {
        Self {
            message: format!("{service} cannot be used: SSL_CERT_FILE cannot be read: {problem}"),
            hint: "name a file of certificates in PEM form, or unset SSL_CERT_FILE".to_owned(),
        }
    }

    pub(super) fn of(service: Service, host: &str, fault: &Fault, tries: u32) -> Self {
        let mut failure = Self::met(service, host, fault.kind, &fault.message);
        if let Some(id) = &fault.request_id {
            let _ = write!(failure.message, " (request id {})", quoted(id));
        }
        if tries > 1 {
            let _ = write!(failure.message, ", after {tries} tries");
        }
        failure
    }

    /// The error for a person when a service fails like this; `words` are the service's own.
    pub fn met(service: Service, host: &str, kind: FaultKind, words: &str) -> Self {
        let word = service.word();
        let verb = match kind {
            FaultKind::Connection => "cannot be reached",
            FaultKind::Certificate => "cannot be trusted",
            FaultKind::Stalled => "stopped answering",
            FaultKind::Malformed | FaultKind::Empty => "sent nothing usable",
            _ => "answered",
        };
        let joint = if verb == "answered" { " " } else { ": " };
        Self {
            message: format!("{word} at {host} {verb}{joint}{}", quoted(words)),
            hint: hint(service, kind),
        }
    }
}

/// Not too long, and nothing that acts on a terminal.
fn quoted(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_control())
        .take(QUOTED)
        .collect()
}

fn hint(service: Service, kind: FaultKind) -> String {
    let word = service.word();
    let variables = service.key_variables().join(" or ");
    match kind {
        FaultKind::Key => format!("check {variables} and what that key may use"),
        FaultKind::Billing => format!("the account at {word} has nothing left to spend; nothing was lost"),
        FaultKind::NotFound => match service {
            Service::Ollama => "`ollama pull NAME` fetches a model".to_owned(),
            _ => format!("check the name after `{word}:` and the base address"),
        },
        FaultKind::ContextOverflow => {
            "abort the run and start again with less context, or with a model that has a larger window".to_owned()
        }
        FaultKind::BadRequest => {
            "the service does not take this request; a smaller `[model] max_output_tokens` may help".to_owned()
        }
        FaultKind::RateLimit => "wait a while, or ask the service for a higher limit; nothing was lost".to_owned(),
        FaultKind::Redirected => "proctor follows no redirects; set the base address to where the service is".to_owned(),
        FaultKind::Connection if service == Service::Ollama => {
            "start it with `ollama serve`, or set OLLAMA_HOST".to_owned()
        }
        FaultKind::Connection => "check the network, the base address and proxy variables; nothing was lost".to_owned(),
        FaultKind::Certificate => {
            "if a proxy has its own certificates, name their file with SSL_CERT_FILE".to_owned()
        }
        FaultKind::Stalled => {
            "nothing was lost; `[model] idle_timeout_seconds` and `timeout_seconds` set the limits".to_owned()
        }
        FaultKind::Unavailable | FaultKind::Malformed | FaultKind::Empty => {
            "nothing was lost; the question is asked again on resume".to_owned()
        }
    }
}
