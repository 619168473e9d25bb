//! The helper: Proctor starting itself to prepare a job's process from the inside.
//!
//! Some things can only be done by a process to itself, between its start and the job's program:
//! leaving the terminal's session, asking to die with the parent, giving up rights. The usual way
//! is a hook between fork and exec, which needs unsafe code. Instead the binary is started a
//! second time with [`HELPER_WORD`] as its first argument, does these things in ordinary code and
//! then becomes the job's program.
//!
//! Leaving the session is not cosmetic: a process that shares the terminal can type the word
//! APPROVE into it. The Landlock level of the sandbox will live here too: the helper restricts
//! itself just before it becomes the program.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first argument that tells the binary to be the helper.
pub const HELPER_WORD: &str = "__exec";

/// How jobs are started.
#[derive(Debug, Clone, Default)]
pub struct Launcher {
    /// The binary that answers to [`HELPER_WORD`]; without it, jobs are started plainly, in a
    /// process group of their own but in the same session.
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

    /// The command that starts `program`; environment, directory and streams are still to be set.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that starts processes"
    )]
    pub(super) fn command(&self, program: &Path, arguments: &[OsString]) -> Command {
        let Some(helper) = &self.helper else {
            let mut command = Command::new(program);
            command.args(arguments).process_group(0);
            return command;
        };
        // No process group here: a group leader cannot become a session leader.
        let mut command = Command::new(helper);
        command
            .arg(HELPER_WORD)
            .arg(std::process::id().to_string())
            .arg("--")
            .arg(program)
            .args(arguments);
        command
    }
}

/// What the binary does when its first argument is [`HELPER_WORD`]; `arguments` are the ones after
/// it: `PARENT_PID -- PROGRAM ARGUMENT…`.
///
/// On success this process has become the program, so only an error ever returns. The binary
/// prints it and exits with 127.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that starts processes"
)]
pub fn helper_main(arguments: impl IntoIterator<Item = OsString>) -> Error {
    let mut arguments = arguments.into_iter();
    let parent = arguments
        .next()
        .and_then(|word| word.into_string().ok())
        .and_then(|word| word.parse::<i32>().ok());
    let separator = arguments.next();
    let (Some(parent), Some("--"), Some(program)) = (
        parent,
        separator.as_deref().and_then(std::ffi::OsStr::to_str),
        arguments.next(),
    ) else {
        return Error::new(
            ErrorKind::InvalidInput,
            "expected PARENT_PID -- PROGRAM ARGUMENT…",
        );
    };
    match prepare(parent) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(error) => error,
    }
}

fn prepare(parent: i32) -> Result<(), Error> {
    rustix::process::setsid()?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // The parent may have died before the signal was asked for; then nobody watches this job.
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    if now == Some(parent) {
        Ok(())
    } else {
        Err(Error::other("the process that asked for this job is gone"))
    }
}
