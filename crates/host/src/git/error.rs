//! Git's errors.

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

use crate::process::{ProcessError, ToolOutput};

/// A failure of git.
#[derive(Debug, Error)]
pub enum GitError {
    /// It refused.
    #[error("git {command} failed: {message}")]
    Failed {
        /// The subcommand's name.
        command: String,
        /// Its last words, on one line.
        message: String,
    },
    /// It could not be run.
    #[error("git cannot be run: {0}")]
    Process(#[from] ProcessError),
    /// It answered something that cannot be understood.
    #[error("git {command} answered something unexpected: {answer:?}")]
    Unexpected {
        /// The subcommand's name.
        command: String,
        /// The answer's beginning.
        answer: String,
    },
    /// A private file of ours for it, or one of its own, could not be made, read or flushed.
    #[error("a file that git needs cannot be read or written: {0}")]
    File(#[from] std::io::Error),
}

impl Explained for GitError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Failed { .. } => {
                    "fix what git complains about and run the command again; nothing was lost"
                }
                Self::Unexpected { .. } => {
                    "see which git that is with `git --version`, and put another one first on PATH; nothing was lost"
                }
                Self::Process(_) => "check that git is installed and can be started",
                Self::File(_) => {
                    "free some disk space or fix the permissions, also those of TMPDIR; nothing was lost"
                }
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for GitError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(GitError {
            GitError::Failed { .. } => GitError::sample(),
            GitError::Process(_) => GitError::Process(ProcessError::System {
                action: "start",
                program: "PROGRAM".into(),
                source: std::io::Error::other("REASON"),
            }),
            GitError::Unexpected { .. } => GitError::Unexpected { command: "COMMAND".to_owned(), answer: "ANSWER".to_owned() },
            GitError::File(_) => GitError::File(std::io::Error::other("REASON")),
        })
    }
}

#[cfg(feature = "samples")]
impl GitError {
    /// A sample for other errors' samples.
    pub(crate) fn sample() -> Self {
        Self::Failed {
            command: "COMMAND".to_owned(),
            message: "REASON".to_owned(),
        }
    }
}

pub(super) fn failure(command: &str, output: &ToolOutput) -> GitError {
    let message = String::from_utf8_lossy(&output.stderr);
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = match (message.as_str(), output.signal, output.code) {
        (_, Some(signal), _) => format!("it was killed by signal {signal}"),
        ("", _, Some(code)) => format!("exit code {code}"),
        _ => message,
    };
    GitError::Failed {
        command: command.to_owned(),
        message: message.chars().take(400).collect(),
    }
}

pub(super) fn unexpected(command: &str, answer: &[u8]) -> GitError {
    let answer = String::from_utf8_lossy(answer).chars().take(120).collect();
    GitError::Unexpected {
        command: command.to_owned(),
        answer,
    }
}
