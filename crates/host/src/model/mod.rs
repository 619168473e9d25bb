//! Who writes the code: a model behind one trait.
//!
//! A model gets a prompt and gives a text. It has no tools, no files and no say about what happens to
//! its answer. Whatever is sent to one has passed [`clear`]: nothing else makes what [`Model::send`] takes.

mod command;
mod egress;
mod recording;
mod script;
mod spec;

use proctor_core::context::ProjectPath;
use proctor_core::generation::Prompt;
use proctor_core::workflow::ModelReply;
use thiserror::Error;

use crate::process::ProcessError;

pub use egress::{Cleared, clear};
pub use recording::record;
pub use script::{Script, ScriptError};
pub use spec::{ModelSpec, SpecError};

/// What a model is asked for.
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
    /// What for.
    pub asking: Asking<'a>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The whole question.
    pub prompt: &'a Prompt,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The script has nothing for this question.
    #[error("the model script {script} has no unused reply for {question}")]
    NoScriptedReply {
        /// The file.
        script: String,
        /// Stage, path, attempt.
        question: String,
    },
    /// The program failed.
    #[error("the model program {program} failed: {problem}")]
    Program {
        /// Which.
        program: String,
        /// Its exit and last words.
        problem: String,
    },
    /// A person interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// Where a prompt goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Nowhere: replies come from a file.
    Nowhere,
    /// To a program on this machine, which may send it on.
    Program(String),
}

/// Something that answers questions.
pub trait Model {
    /// The request exactly as it would be sent.
    fn serialise(&self, request: &Request<'_>) -> String;

    /// Sends what [`clear`] let pass, and waits for the whole answer.
    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError>;

    /// Where the question goes.
    fn destination(&self) -> Destination;
}
