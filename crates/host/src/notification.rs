//! Calling a person by a command of their own.
//!
//! The command is a courtesy: it runs beside the run, which neither waits for it at a question nor minds how it ends.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use proctor_core::test_outcome::Exit;
use proctor_core::visible;

use crate::process::{Environment, Interrupt, Job, Launcher, watch};

/// How long the command may take.
const LIMIT: Duration = Duration::from_secs(10);

/// A notification to a person, as variables for the command.
#[derive(Debug, Clone)]
pub struct Notice {
    /// `PROCTOR_RUN`
    pub run: String,
    /// `PROCTOR_ISSUE`
    pub issue: String,
    /// `PROCTOR_STAGE`
    pub stage: String,
    /// `PROCTOR_STATE`
    pub state: String,
    /// `PROCTOR_WAITING_FOR`
    pub waiting_for: String,
    /// `PROCTOR_REPOSITORY`
    pub repository: PathBuf,
}

impl Notice {
    fn variables(&self) -> Environment {
        let texts = [
            ("PROCTOR_RUN", &self.run),
            ("PROCTOR_ISSUE", &self.issue),
            ("PROCTOR_STAGE", &self.stage),
            ("PROCTOR_STATE", &self.state),
            ("PROCTOR_WAITING_FOR", &self.waiting_for),
        ];
        // A notification command prints them.
        let texts = texts.map(|(name, value)| (name.into(), OsString::from(visible::line(value))));
        let repository = self.repository.clone().into_os_string();
        texts
            .into_iter()
            .chain([("PROCTOR_REPOSITORY".into(), repository)])
            .collect()
    }
}

/// A command that is under way.
#[derive(Debug)]
pub struct Notification {
    thread: JoinHandle<Option<String>>,
}

impl Notification {
    /// Starts the command in the repository, with the person's environment; nothing if there is none.
    pub fn send(
        command: &[String],
        notice: &Notice,
        environment: &Environment,
        launcher: &Launcher,
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let (program, arguments) = command.split_first()?;
        let mut job = Job::new(
            in_repository(program, &notice.repository),
            &notice.repository,
            LIMIT,
        );
        job.arguments = arguments.iter().map(Into::into).collect();
        job.environment = [environment.clone(), notice.variables()].concat();
        Some(Self::start(job, launcher.clone(), interrupt.clone()))
    }

    fn start(job: Job, launcher: Launcher, interrupt: Interrupt) -> Self {
        let thread = std::thread::spawn(move || {
            let ended = watch(&job, &launcher, &interrupt, &mut |_| {});
            match ended.map(|finished| finished.exit) {
                Ok(Exit::Code(0)) => None,
                Ok(Exit::TimedOut) => {
                    let limit = job.timeout.as_secs_f64();
                    Some(format!("it took more than {limit} seconds"))
                }
                Ok(exit) => Some(exit.to_string()),
                Err(error) => Some(error.to_string()),
            }
        });
        Self { thread }
    }

    /// Waits for its end; the error, if there was one.
    pub fn finish(self) -> Option<String> {
        self.thread
            .join()
            .unwrap_or_else(|_| Some("it could not be watched".to_owned()))
    }
}

/// A path in the settings is meant from the repository's root.
fn in_repository(program: &str, repository: &Path) -> PathBuf {
    if program.contains('/') {
        repository.join(program)
    } else {
        program.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_ended_and_said() {
        let mut job = Job::new("/bin/sleep", "/", Duration::from_millis(50));
        job.arguments = vec!["600".into()];
        let notification = Notification::start(job, Launcher::plain(), Interrupt::default());
        let problem = notification.finish();
        assert_eq!(problem.as_deref(), Some("it took more than 0.05 seconds"));
    }

    #[test]
    fn nothing_is_run_without_a_command() {
        let notice = Notice {
            run: String::new(),
            issue: String::new(),
            stage: String::new(),
            state: String::new(),
            waiting_for: String::new(),
            repository: "/".into(),
        };
        let none = Notification::send(
            &[],
            &notice,
            &Vec::new(),
            &Launcher::plain(),
            &Interrupt::default(),
        );
        assert!(none.is_none());
    }
}
