//! Trusted programs that talk to the person at the terminal themselves, such as `ssh-keygen` about a passphrase or a
//! touch.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::call::Call;
use super::{Environment, ProcessError, locate};

/// One call of such a program. It keeps the terminal and Proctor's process group, or it could not read from there.
#[derive(Debug, Clone)]
pub struct Attended {
    /// The program's path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// All variables that it gets.
    pub environment: Environment,
    /// Where it is started.
    pub directory: PathBuf,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttendedEnd {
    /// With code 0.
    Well,
    /// With this code, or by a signal.
    Badly(Option<i32>),
    /// It got no answer and was killed.
    TimedOut,
}

impl Attended {
    /// Runs it to its end, or kills it after `limit`. Its messages go to standard error as they come; its standard
    /// output is not kept.
    pub fn run(&self, limit: Duration) -> Result<AttendedEnd, ProcessError> {
        let failed = |action| move |source| ProcessError::system(action, &self.program, source);
        let program = locate(&self.program, &self.directory, &self.environment)?;
        let call = Call::of(&self.program, &self.arguments);
        #[expect(
            clippy::disallowed_methods,
            reason = "this module is the place that starts processes"
        )]
        let mut command = Command::new(program);
        let mut child = command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.directory)
            .stdin(Stdio::inherit())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(failed("start"))?;
        let pid = Pid::from_child(&child);
        let (tell, ended) = mpsc::channel();
        let (status, timed_out) = std::thread::scope(|scope| {
            let waiting = scope.spawn(move || {
                let status = child.wait();
                // The receiver is gone once the time is up.
                let _ = tell.send(());
                status
            });
            let timed_out = ended.recv_timeout(limit).is_err();
            if timed_out {
                // It may have ended this very moment.
                let _ = kill_process(pid, Signal::TERM);
            }
            (super::joined(waiting), timed_out)
        });
        let status = status.map_err(failed("wait for"))?;
        call.ended(&status);
        Ok(match status.code() {
            Some(0) => AttendedEnd::Well,
            _ if timed_out => AttendedEnd::TimedOut,
            code => AttendedEnd::Badly(code),
        })
    }
}
