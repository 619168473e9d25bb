//! `--model`: which model, in one word.

use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

use super::agent::AgentModel;
use super::command::CommandModel;
use super::service::ServiceModel;
use super::suggestion::suggestion;
use super::{Agent, Model, Script, ScriptError, Service, ServiceFailure};
use crate::process::{Environment, Interrupt, Launcher};
use crate::settings::ModelSettings;

/// The values of `--model`.
const KNOWN_FORMS: &str = "anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], \
                           gemini-cli[:NAME], script:FILE, command:PROGRAM";

/// A model's name, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSpec {
    /// `script:FILE`
    Script(PathBuf),
    /// `command:PROGRAM`
    Command(Vec<String>),
    /// `anthropic:NAME` and its like
    Service {
        /// The service.
        service: Service,
        /// The model's name there.
        name: String,
    },
    /// `claude-cli[:NAME]` and its like
    Agent {
        /// The agent.
        agent: Agent,
        /// The model's name there; the agent's own choice if there is none.
        name: Option<String>,
    },
    /// The replies of `proctor demo`; `AGENTOS_MOCK_LLM=1` means those in Python.
    BuiltIn(Story),
}

/// The language that the demo tells its story in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Story {
    /// With pytest.
    #[default]
    Python,
    /// With vitest.
    TypeScript,
}

/// Why a name is not a model.
#[derive(Debug, Error)]
pub enum SpecError {
    /// No model was named.
    #[error("no model is chosen")]
    Missing,
    /// Not one of ours.
    #[error("{0:?} names no model")]
    Unknown(String),
    /// A service without the name of a model.
    #[error("{0:?} names no model of that service")]
    NoName(String),
    /// The service cannot be asked.
    #[error(transparent)]
    Service(#[from] ServiceFailure),
    /// The program does not exist.
    #[error("the model program {0:?} cannot be found")]
    NoProgram(String),
    /// The script cannot be used.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl Explained for SpecError {
    fn kind(&self) -> Kind {
        match self {
            Self::Service(error) => error.kind(),
            _ => Kind::Usage,
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Missing => format!(
                "name one with --model (such as `{}` or `claude-cli`), PROCTOR_MODEL or `[model] default`",
                Service::Anthropic.example()
            ),
            Self::Unknown(text) => {
                let meant = suggestion(text).map(|meant| format!("did you mean `{meant}`?"));
                let known = format!("known forms: {KNOWN_FORMS}");
                return meant.into_iter().chain([known]).collect();
            }
            Self::NoName(text) => {
                let word = text.split(':').next().unwrap_or_default();
                let service = Service::ALL.into_iter().find(|it| it.word() == word);
                let example = service.map_or("claude-cli:opus", Service::example);
                format!("add the name that it has for the model, such as `{example}`")
            }
            Self::Service(error) => return error.hints(),
            Self::NoProgram(program) => {
                match Agent::ALL.into_iter().find(|it| it.program() == program) {
                    Some(agent) => format!(
                        "install it with `{}` and sign in once, or name another model with --model",
                        agent.installation()
                    ),
                    None => {
                        "give a program on PATH, or a path from the current directory".to_owned()
                    }
                }
            }
            Self::Script(_) => "a script is JSON Lines: one object with a `text` a line".to_owned(),
        };
        vec![hint]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for SpecError {
    fn samples() -> Vec<Self> {
        let mut samples = proctor_core::samples!(SpecError {
            SpecError::Missing => SpecError::Missing,
            SpecError::Unknown(_) => SpecError::Unknown("SPEC".to_owned()),
            SpecError::NoName(_) => SpecError::NoName("openai:".to_owned()),
            SpecError::Service(_) => SpecError::Service(ServiceFailure::sample()),
            SpecError::NoProgram(_) => SpecError::NoProgram("PROGRAM".to_owned()),
            SpecError::Script(_) => SpecError::Script(ScriptError::sample()),
        });
        samples.extend(Agent::ALL.map(|agent| SpecError::NoProgram(agent.program().to_owned())));
        samples
    }
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
            "built-in" => match rest {
                "" => Ok(Self::BuiltIn(Story::Python)),
                "typescript" => Ok(Self::BuiltIn(Story::TypeScript)),
                _ => Err(SpecError::Unknown(text.to_owned())),
            },
            other if let Some(agent) = Agent::ALL.into_iter().find(|it| it.word() == other) => {
                let name = text.split_once(':').map(|(_, name)| name.to_owned());
                if name
                    .as_deref()
                    .is_some_and(|name| !is_name(name) || name.starts_with('-'))
                {
                    return Err(SpecError::NoName(text.to_owned()));
                }
                Ok(Self::Agent { agent, name })
            }
            other => {
                let known = Service::ALL.into_iter().find(|it| it.word() == other);
                let service = known.ok_or_else(|| SpecError::Unknown(text.to_owned()))?;
                if !is_name(rest) {
                    return Err(SpecError::NoName(text.to_owned()));
                }
                let name = rest.to_owned();
                Ok(Self::Service { service, name })
            }
        }
    }

    /// The same as text, so that a resumed run finds its model again.
    pub fn to_text(&self) -> String {
        match self {
            Self::Script(path) => format!("script:{}", path.display()),
            Self::Command(words) => format!("command:{}", shell_words::join(words)),
            Self::Service { service, name } => format!("{}:{name}", service.word()),
            Self::Agent { agent, name: None } => agent.word().to_owned(),
            Self::Agent {
                agent,
                name: Some(name),
            } => format!("{}:{name}", agent.word()),
            Self::BuiltIn(Story::Python) => "built-in".to_owned(),
            Self::BuiltIn(Story::TypeScript) => "built-in:typescript".to_owned(),
        }
    }

    /// The model itself. `used` are the script lines that the run has used already.
    pub fn open(
        &self,
        built_in: &str,
        used: &[usize],
        settings: &ModelSettings,
        launcher: &Launcher,
        environment: &Environment,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn Model>, SpecError> {
        Ok(match self {
            Self::Script(path) => Box::new(Script::read(path, used, interrupt.clone())?),
            Self::BuiltIn(_) => {
                let name = "the built-in script";
                Box::new(Script::parse(name, built_in, used, interrupt.clone())?.repeating())
            }
            Self::Command(words) => Box::new(CommandModel::find(
                words.clone(),
                launcher.clone(),
                environment.clone(),
                interrupt.clone(),
            )?),
            Self::Agent { agent, name } => Box::new(AgentModel::find(
                *agent,
                name.as_deref(),
                settings.prices.get(&self.to_text()).copied(),
                launcher.clone(),
                environment.clone(),
                interrupt.clone(),
            )?),
            Self::Service { service, name } => Box::new(ServiceModel::find(
                *service,
                name,
                settings,
                environment,
                interrupt.clone(),
            )?),
        })
    }
}

/// Names become part of addresses and messages.
fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@+".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed) && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_named_with_a_model_and_found_again_by_its_text() {
        for text in [
            "anthropic:claude-sonnet-4-5",
            "openai:org/model.v2@latest",
            "gemini:gemini-2.5-pro",
            "ollama:qwen3:8b",
            "claude-cli",
            "codex-cli:o4-mini",
        ] {
            let spec = ModelSpec::parse(text, Path::new("/")).expect("a model");
            assert_eq!(spec.to_text(), text);
        }
        for text in [
            "anthropic",
            "openai:",
            "gemini:a b",
            "gemini:a?b",
            "ollama:../x",
            "gemini-cli:",
            "claude-cli:--x",
        ] {
            let error = ModelSpec::parse(text, Path::new("/")).expect_err("no model");
            assert!(matches!(error, SpecError::NoName(_)), "{text}: {error}");
        }
    }
}
