//! What goes wrong with whoever replies.

use proctor_host::model::{ModelError, ServiceFailure, SpecError};

use super::{Failure, Kind};

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        let failure = Self::new(Kind::Usage, error.to_string());
        match error {
            SpecError::Missing => failure.hint(
                "name one with --model (such as `anthropic:NAME` or `script:FILE`), PROCTOR_MODEL or `[model] default`",
            ),
            SpecError::Unknown(_) => failure.hint(
                "known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM",
            ),
            SpecError::NoName(_) => failure.hint("write SERVICE:NAME, with the name that the service has for the model"),
            SpecError::Service(error) => error.into(),
            SpecError::NoProgram(_) => {
                failure.hint("give a program on PATH, or a path from the current directory")
            }
            SpecError::Script(_) => failure.hint("a script is JSON Lines: one object with a `text` a line"),
        }
    }
}

impl From<ServiceFailure> for Failure {
    fn from(error: ServiceFailure) -> Self {
        Self::new(Kind::Environment, error.to_string()).hint(error.hint())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let environment = Self::new(Kind::Environment, error.to_string());
        match error {
            ModelError::Service(error) => error.into(),
            ModelError::Interrupted => Self {
                kind: Kind::Interrupted,
                ..environment
            },
            ModelError::NoScriptedReply { .. } => {
                environment.hint("add a line for it to the script")
            }
            ModelError::Program { .. } | ModelError::Process(_) => {
                environment.hint("nothing was lost; the question is asked again on resume")
            }
        }
    }
}
