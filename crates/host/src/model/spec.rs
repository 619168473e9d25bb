//! `--model`: which model, in one word.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::command::CommandModel;
use super::{Model, Script, ScriptError};
use crate::process::{Environment, Interrupt, Launcher};

/// The services whose clients are not part of this version.
const NOT_YET: &[&str] = &[
    "anthropic",
    "openai",
    "gemini",
    "ollama",
    "claude-cli",
    "codex-cli",
    "gemini-cli",
];

/// A model's name, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSpec {
    /// `script:FILE`
    Script(PathBuf),
    /// `command:PROGRAM`
    Command(Vec<String>),
    /// `AGENTOS_MOCK_LLM=1`: the replies of `proctor demo`.
    BuiltIn,
}

/// Why a name is no model.
#[derive(Debug, Error)]
pub enum SpecError {
    /// Nobody said which.
    #[error("no model is chosen")]
    Missing,
    /// Not one of ours.
    #[error("{0:?} names no model")]
    Unknown(String),
    /// One of ours, but later.
    #[error("this version has no client for {0} yet")]
    NotYet(String),
    /// The program is not there.
    #[error("the model program {0:?} cannot be found")]
    NoProgram(String),
    /// The script cannot be used.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl ModelSpec {
    /// Reads a `--model` value; relative paths are relative to `directory`.
    pub fn parse(text: &str, directory: &Path) -> Result<Self, SpecError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "script" if !rest.is_empty() => Ok(Self::Script(directory.join(rest))),
            "command" if !rest.is_empty() => {
                let mut words =
                    shell_words::split(rest).map_err(|_| SpecError::Unknown(text.to_owned()))?;
                // A program is started in a directory of its own; a path is meant from here.
                match words.first_mut() {
                    Some(program) if program.contains('/') => {
                        *program = directory.join(&*program).to_string_lossy().into_owned();
                    }
                    Some(_) => {}
                    None => return Err(SpecError::Unknown(text.to_owned())),
                }
                Ok(Self::Command(words))
            }
            "built-in" => Ok(Self::BuiltIn),
            known if NOT_YET.contains(&known) => Err(SpecError::NotYet(known.to_owned())),
            _ => Err(SpecError::Unknown(text.to_owned())),
        }
    }

    /// The same as text, so that a resumed run finds its model again.
    pub fn to_text(&self) -> String {
        match self {
            Self::Script(path) => format!("script:{}", path.display()),
            Self::Command(words) => format!("command:{}", shell_words::join(words)),
            Self::BuiltIn => "built-in".to_owned(),
        }
    }

    /// The model itself. `used` are the script lines that the run has used already.
    pub fn open(
        &self,
        built_in: &str,
        used: &[usize],
        launcher: &Launcher,
        environment: &Environment,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, SpecError> {
        Ok(match self {
            Self::Script(path) => Box::new(Script::read(path, used, interrupt.clone())?),
            Self::BuiltIn => Box::new(Script::parse(
                "the built-in script",
                built_in,
                used,
                interrupt.clone(),
            )?),
            Self::Command(words) => Box::new(CommandModel::find(
                words.clone(),
                launcher.clone(),
                environment.clone(),
                interrupt.clone(),
            )?),
        })
    }
}
