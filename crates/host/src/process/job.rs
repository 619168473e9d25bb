//! What a watched process is given and what it leaves.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use proctor_core::test_outcome::Exit;

use super::{Captured, Environment};

/// How much of a job's output is kept unless the job says otherwise.
pub const DEFAULT_CAPTURE_BYTES: usize = 1_000_000;

/// One process to be watched.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program: a path, or a name to be found on the environment's `PATH`.
    pub program: PathBuf,
    /// Its arguments, without its own name.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Environment,
    /// Where it starts.
    pub directory: PathBuf,
    /// What it may read; without it, its standard input is empty.
    pub input: Option<Vec<u8>>,
    /// How long it may take.
    pub timeout: Duration,
    /// How much of each stream is kept.
    pub capture_bytes: usize,
    /// Whether standard output is kept apart from standard error.
    pub separate_stdout: bool,
}

impl Job {
    /// A job with an empty environment, no input and the default capture.
    pub fn new(
        program: impl Into<PathBuf>,
        directory: impl Into<PathBuf>,
        timeout: Duration,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: directory.into(),
            input: None,
            timeout,
            capture_bytes: DEFAULT_CAPTURE_BYTES,
            separate_stdout: false,
        }
    }
}

/// How a job ended and what it said.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How the process ended.
    pub exit: Exit,
    /// Standard output, if the job keeps it apart; empty otherwise.
    pub stdout: Captured,
    /// Everything else it printed, in the order it was printed.
    pub output: Captured,
    /// How long it took.
    pub elapsed: Duration,
}
