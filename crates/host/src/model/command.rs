//! `command:PROGRAM`: the prompt on its standard input, the reply on its standard output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::generation::ends_with_end_marker;
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::test_outcome::Exit;

use super::{Cleared, Destination, Model, ModelError, Request, SpecError};
use crate::process::{
    Environment, Finished, Interrupt, Job, Launcher, ProcessError, find_program, variable, watch,
};

/// Models think for a while, but not for ever.
const TIME_LIMIT: Duration = Duration::from_mins(20);
/// Larger than any reply that could be used.
const REPLY_BYTES: usize = 8 * 1024 * 1024;

/// A program that answers.
#[derive(Debug)]
pub(super) struct CommandModel {
    words: Vec<String>,
    launcher: Launcher,
    environment: Environment,
    interrupt: Interrupt,
}

impl CommandModel {
    /// The program, looked for now rather than when the first question is asked.
    pub(super) fn find(
        words: Vec<String>,
        launcher: Launcher,
        environment: Environment,
        interrupt: Interrupt,
    ) -> Result<Self, SpecError> {
        let program = words.first().cloned().unwrap_or_default();
        let path = variable(&environment, "PATH")
            .unwrap_or_default()
            .to_owned();
        if find_program(Path::new(&program), &path, Path::new("/")).is_none() {
            return Err(SpecError::NoProgram(program));
        }
        Ok(Self {
            words,
            launcher,
            environment,
            interrupt,
        })
    }

    /// Runs the program with this on its standard input.
    pub(super) fn run(&self, input: &str) -> Result<Finished, ModelError> {
        let program = self.words.first().cloned().unwrap_or_default();
        // A place of its own: the program has no business in the user's checkout.
        let directory = tempfile::Builder::new()
            .prefix("proctor-model-")
            .tempdir()
            .map_err(|error| ModelError::Program {
                program: program.clone(),
                problem: error.to_string(),
            })?;
        let mut job = Job::new(PathBuf::from(&program), directory.path(), TIME_LIMIT);
        job.arguments = self.words.iter().skip(1).map(Into::into).collect();
        job.environment.clone_from(&self.environment);
        job.input = Some(input.as_bytes().to_vec());
        job.capture_bytes = REPLY_BYTES;
        job.separate_stdout = true;
        match watch(&job, &self.launcher, &self.interrupt, &mut |_| {}) {
            Err(ProcessError::Interrupted) => Err(ModelError::Interrupted),
            other => Ok(other?),
        }
    }
}

impl Model for CommandModel {
    fn serialise(&self, request: &Request<'_>) -> String {
        request.prompt.text().to_owned()
    }

    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError> {
        let finished = self.run(request.sent())?;
        let program = self.words.first().cloned().unwrap_or_default();
        if finished.exit != Exit::Code(0) {
            let words = finished.output.text();
            let last = words.lines().rev().find(|line| !line.trim().is_empty());
            let problem = match last {
                Some(last) => format!("{}: {}", finished.exit, last.trim()),
                None => finished.exit.to_string(),
            };
            return Err(ModelError::Program { program, problem });
        }
        let text = finished.stdout.text();
        // Nothing else tells a reply that was cut off from a whole one.
        let stop_reason = if ends_with_end_marker(&text) {
            StopReason::EndTurn
        } else {
            StopReason::MaxTokens
        };
        Ok(ModelReply {
            text,
            stop_reason,
            input_tokens: 0,
            output_tokens: 0,
            cached_tokens: 0,
            // Only the program knows.
            cost_micro_usd: None,
            script_line: None,
            seen: Vec::new(),
            asked_for_changes: false,
        })
    }

    fn destination(&self) -> Destination {
        Destination::Program(self.words.join(" "))
    }
}
