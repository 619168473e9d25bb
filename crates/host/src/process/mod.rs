//! The only place that starts processes.
//!
//! Three kinds of child exist. An [`Attended`] one talks to the person (`ssh-keygen`). A [`Tool`] is trusted (git, a
//! virtual environment's maker): it is waited for and its output is kept whole. A [`Job`] is not (tests, linters,
//! command models): it is watched by [`watch`], with a time limit, a bounded capture and everything that it started
//! ended with it. All get an argument list, never a shell line, and exactly the environment that they were given. A
//! [`Launcher`] says whether a job is started through the re-executed helper, which takes the terminal away from it,
//! and a [`Confinement`] what it may see and change.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

mod attended;
mod call;
mod capture;
mod editor;
mod group;
mod handover;
mod helper;
mod interrupt;
mod job;
mod launch;
mod lines;
mod lookup;
mod reader;
mod sandbox;
mod tool;
mod watched;

pub use attended::{Attended, AttendedEnd};
pub use capture::Captured;
pub use editor::Editor;
pub use helper::{HELPER_WORD, helper_main};
pub use interrupt::Interrupt;
pub use job::{DEFAULT_CAPTURE_BYTES, Finished, Job, RecordStream};
pub use launch::Launcher;
pub use lookup::find_program;
pub use sandbox::{
    Confinement, LevelError, Limits, Sandbox, SandboxError, SandboxLevel, SandboxMode,
};
pub use tool::{Tool, ToolOutput, joined};
pub use watched::watch;

/// The variables a child gets: all of them, in order, and no others.
pub type Environment = Vec<(OsString, OsString)>;

/// Why a process gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program is nowhere on the child's search path, or the file does not exist.
    #[error("program not found: {}", program.display())]
    NotFound {
        /// The program as it was asked for.
        program: PathBuf,
    },
    /// The directory to start in does not exist.
    #[error("directory to run in not found: {}", directory.display())]
    NoDirectory {
        /// The directory as it was given.
        directory: PathBuf,
    },
    /// The person asked Proctor to stop; the process was killed.
    #[error("interrupted")]
    Interrupted,
    /// A job has to be confined, and there is no helper to do it.
    #[error("a job cannot be confined without proctor's own helper")]
    NoHelper,
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", program.display())]
    System {
        /// The failed action: `start`, `read from`, `wait for`, `prepare the input of`.
        action: &'static str,
        /// The program it was being done with.
        program: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
}

impl ProcessError {
    fn system(action: &'static str, program: &Path, source: std::io::Error) -> Self {
        Self::System {
            action,
            program: program.to_owned(),
            source,
        }
    }
}

/// The value of one variable in an environment list; the last one counts, as for a child.
pub fn variable<'a>(environment: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    environment
        .iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.as_os_str())
}

/// Finds program and directory before anything is started, so that a missing one is told apart
/// from a program that fails.
fn locate(
    program: &Path,
    directory: &Path,
    environment: &[(OsString, OsString)],
) -> Result<PathBuf, ProcessError> {
    if !directory.is_dir() {
        return Err(ProcessError::NoDirectory {
            directory: directory.to_owned(),
        });
    }
    let path = variable(environment, "PATH").unwrap_or_default();
    find_program(program, path, directory).ok_or_else(|| ProcessError::NotFound {
        program: program.to_owned(),
    })
}
