//! The author of the code: a model behind one trait.
//!
//! A model gets a prompt and gives a text. It has no tools, no files and no say in the use of its answer. Every request
//! has passed [`clear`]: nothing else creates the type that [`Model::send`] takes.

mod agent;
mod command;
mod egress;
mod price;
mod recording;
mod script;
mod service;
mod spec;
mod suggestion;

use std::time::Duration;

use proctor_core::failure::{Explained, Kind};
use proctor_core::generation::ModelReply;
use proctor_core::generation::Prompt;
use proctor_core::path::ProjectPath;
use proctor_core::tokens::count_tokens;
use thiserror::Error;

use crate::process::ProcessError;

pub use agent::Agent;
pub use egress::{Cleared, clear};
pub use recording::record;
pub use script::{Script, ScriptError};
pub use service::{FaultKind, Service, ServiceFailure};
pub use spec::{ModelSpec, SpecError, Story};

/// The subject of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking<'a> {
    /// Test files.
    Scaffold,
    /// One file.
    Implement(&'a ProjectPath),
}

impl Asking<'_> {
    /// The stage's name in a script.
    pub fn stage(&self) -> &'static str {
        match self {
            Self::Scaffold => "scaffold",
            Self::Implement(_) => "implement",
        }
    }

    /// The file's name in a script.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Scaffold => None,
            Self::Implement(path) => Some(path.as_str()),
        }
    }
}

/// One question to a model.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Its subject.
    pub asking: Asking<'a>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// How many replies to this question were cut off: a service is then allowed a longer one.
    pub cut_off: u32,
    /// The whole question.
    pub prompt: &'a Prompt,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The script has nothing for this question.
    #[error("the model script {script} has no unused reply for {question}")]
    NoScriptedReply {
        /// The script's path.
        script: String,
        /// Stage, path, attempt.
        question: String,
    },
    /// The program failed.
    #[error("the model program {program} failed: {problem}")]
    Program {
        /// The program's name.
        program: String,
        /// Its exit and last words.
        problem: String,
    },
    /// The service failed.
    #[error(transparent)]
    Service(#[from] ServiceFailure),
    /// A person interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The program could not be run.
    #[error("the model program cannot be run: {0}")]
    Process(#[from] ProcessError),
}

impl Explained for ModelError {
    fn kind(&self) -> Kind {
        match self {
            Self::Interrupted => Kind::Interrupted,
            Self::Service(error) => error.kind(),
            _ => Kind::Environment,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Interrupted => return Vec::new(),
                Self::Service(error) => return error.hints(),
                Self::NoScriptedReply { .. } => "add a line for it to the script",
                Self::Program { .. } | Self::Process(_) => {
                    "nothing was lost; the question is asked again on resume"
                }
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for ModelError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(ModelError {
            ModelError::NoScriptedReply { .. } => ModelError::NoScriptedReply {
                script: "PATH".to_owned(),
                question: "QUESTION".to_owned(),
            },
            ModelError::Program { .. } => ModelError::Program { program: "PROGRAM".to_owned(), problem: "REASON".to_owned() },
            ModelError::Service(_) => ModelError::Service(ServiceFailure::sample()),
            ModelError::Interrupted => ModelError::Interrupted,
            ModelError::Process(_) => ModelError::Process(ProcessError::NotFound { program: "PROGRAM".into() }),
        })
    }
}

/// Where a prompt goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Nowhere: replies come from a file.
    Nowhere,
    /// To a program on this machine, which may send it on.
    Program(String),
    /// To a model service.
    Service {
        /// The model's name.
        name: String,
        /// Host and port.
        host: String,
        /// Whether no one on the way can read it.
        encrypted: bool,
        /// Whether it is on this machine.
        local: bool,
    },
}

/// Events while a model answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// This much of the reply has arrived.
    Arrived {
        /// Approximately.
        tokens: usize,
        /// Since the answer began.
        since: Duration,
    },
    /// A try failed; the next one begins after a wait.
    Retrying {
        /// The reason.
        problem: String,
        /// The time until the next attempt.
        wait: Duration,
    },
}

/// Something that answers questions.
pub trait Model {
    /// The request exactly as it would be sent.
    fn serialise(&self, request: &Request<'_>) -> String;

    /// Sends a cleared request, and waits for the whole answer.
    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError>;

    /// The same, reporting progress meanwhile. A model that answers at once reports nothing.
    fn send_telling(
        &mut self,
        request: &Cleared<'_>,
        tell: &mut dyn FnMut(News),
    ) -> Result<ModelReply, ModelError> {
        let _ = tell;
        self.send(request)
    }

    /// Whether it could be asked now, as far as that is known without asking.
    fn ready(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// The most that a request can cost, in millionths of a dollar; `None` if unknown. A script is free, and the cost
    /// of a person's own program is between the person and the program.
    fn most_micro_usd(&self, request: &Cleared<'_>) -> Option<u64> {
        let _ = request;
        Some(0)
    }

    /// The most tokens that a request can use, both ways; 0 where they are not counted.
    fn most_tokens(&self, request: &Cleared<'_>) -> u64 {
        let _ = request;
        0
    }

    /// The model that answered last, by the service's own name for it.
    fn answered_by(&self) -> Option<&str> {
        None
    }

    /// Where the question goes.
    fn destination(&self) -> Destination;
}

/// Tokens of a request by any vocabulary; some count nearly a third more than ours.
fn most_input(request: &Cleared<'_>) -> u64 {
    let tokens = count_tokens(request.sent()) as u64;
    tokens + tokens / 3
}
