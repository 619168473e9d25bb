//! What git says when it says no.

use thiserror::Error;

use crate::process::{ProcessError, ToolOutput};

/// Git could not do what was asked.
#[derive(Debug, Error)]
pub enum GitError {
    /// It said no.
    #[error("git {command} failed: {message}")]
    Failed {
        /// The subcommand.
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
        /// The subcommand.
        command: String,
        /// The answer's beginning.
        answer: String,
    },
    /// A private file of ours for it, or one of its own, could not be made, read or flushed.
    #[error("a file that git needs cannot be read or written: {0}")]
    File(#[from] std::io::Error),
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
