//! How a job's process is started.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::helper::{HELPER_WORD, REPORT_OPTION, SUPERVISE_STAGE};
use super::{Job, ProcessError};

/// How jobs are started.
#[derive(Debug, Clone, Default)]
pub struct Launcher {
    /// The binary that answers to [`HELPER_WORD`]; without it, jobs are started plainly, in a
    /// process group of their own but in the same session, and cannot be confined.
    pub helper: Option<PathBuf>,
}

impl Launcher {
    /// Starts jobs without a helper.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Starts jobs through `helper`.
    pub fn through(helper: impl Into<PathBuf>) -> Self {
        Self {
            helper: Some(helper.into()),
        }
    }

    /// The command that starts a job; its streams are still to be set.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that starts processes"
    )]
    pub(super) fn command(&self, job: &Job, program: &Path) -> Result<Command, ProcessError> {
        let mut command = match &self.helper {
            Some(helper) => {
                // No process group here: a group leader cannot become a session leader.
                let mut command = Command::new(helper);
                command.args(supervised(job, helper, program));
                command
            }
            None if job.confinement.is_some() => return Err(ProcessError::NoHelper),
            None => {
                let mut command = Command::new(program);
                command.args(&job.arguments).process_group(0);
                command
            }
        };
        command
            .env_clear()
            .envs(job.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&job.directory);
        if let Some(stream) = &job.stream {
            // Standard input, the one descriptor that every wrapper hands on.
            command.env(&stream.variable, "0");
        }
        Ok(command)
    }
}

/// The arguments of the helper that starts a job.
fn supervised(job: &Job, helper: &Path, program: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![HELPER_WORD.into(), SUPERVISE_STAGE.into()];
    let Some(confinement) = &job.confinement else {
        words.extend(["--".into(), program.into()]);
        words.extend_from_slice(&job.arguments);
        return words;
    };
    words.extend(confinement.limits.words());
    if confinement.sandbox.reports() {
        words.extend([REPORT_OPTION.into(), "yes".into()]);
    }
    words.push("--".into());
    let (sandbox, directory) = (&confinement.sandbox, &job.directory);
    words.extend(sandbox.wrap(confinement, helper, directory, program, &job.arguments));
    words
}
