//! Asking a program for its identity: confined, because it is unknown before it has answered.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use proctor_core::test_outcome::Exit;

use super::RunnerError;
use super::pytest::start_environment;
use crate::process::{
    Confinement, Environment, Interrupt, Job, Launcher, Sandbox, SandboxLevel, SandboxMode, watch,
};

/// A tool that builds an environment first has not been asked to.
const TIME_LIMIT: Duration = Duration::from_mins(2);

/// How a program is asked.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry<'a> {
    /// Proctor's own environment; only the variables that start Python are taken from it.
    pub environment: &'a Environment,
    /// How jobs are started.
    pub launcher: &'a Launcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The sandbox that tests would run in.
    pub mode: SandboxMode,
}

/// The program's answer.
pub(super) struct Answer {
    pub(super) success: bool,
    pub(super) printed: String,
    pub(super) complaints: String,
}

impl Inquiry<'_> {
    /// Runs it to its end. It sees the directory that it is asked in and can write nothing.
    pub(super) fn ask(
        &self,
        program: &Path,
        arguments: Vec<OsString>,
        directory: &Path,
    ) -> Result<Answer, RunnerError> {
        let scratch = tempfile::Builder::new()
            .prefix("proctor-ask-")
            .tempdir()
            .map_err(|error| RunnerError::file("write", &std::env::temp_dir(), error))?;
        let sandbox = Sandbox::choose(self.mode, self.launcher, self.environment)?;
        let mut job = Job::new(program, directory, TIME_LIMIT);
        job.arguments = arguments;
        job.environment = start_environment(self.environment);
        for (name, value) in [
            ("TMPDIR", scratch.path().as_os_str()),
            ("PYTHONDONTWRITEBYTECODE", "1".as_ref()),
            ("PYTHONSAFEPATH", "1".as_ref()),
            // Its cache cannot be written to.
            ("UV_NO_CACHE", "1".as_ref()),
        ] {
            job.environment.push((name.into(), value.to_owned()));
        }
        job.separate_stdout = true;
        job.confinement = (sandbox.level() != SandboxLevel::Off).then(|| Confinement {
            writable: vec![scratch.path().to_owned()],
            ..Confinement::new(sandbox)
        });
        let finished = watch(&job, self.launcher, self.interrupt, &mut |_| {})?;
        Ok(Answer {
            success: finished.exit == Exit::Code(0),
            printed: finished.stdout.text(),
            complaints: finished.output.text(),
        })
    }
}
