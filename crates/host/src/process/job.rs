//! A watched process's input and result.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use proctor_core::test_outcome::Exit;

use super::{Captured, Confinement, Environment};

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
    /// Its standard input; empty without it.
    pub input: Option<Vec<u8>>,
    /// Where it writes records for Proctor alone; a job has this or an input.
    pub stream: Option<RecordStream>,
    /// How long it may take.
    pub timeout: Duration,
    /// How much of each stream is kept.
    pub capture_bytes: usize,
    /// Whether standard output is kept apart from standard error.
    pub separate_stdout: bool,
    /// The paths it may see and change; without it, all that its user may.
    pub confinement: Option<Confinement>,
}

/// A way for a job to tell Proctor something that is not output.
///
/// It is a socket without a name: the job cannot read back, change or remove anything written to it. The job finds it
/// as its standard input, because every wrapper around a program hands that on; many close all others. It can be read
/// once, and then gives a word that the reader begins its records with, so that no other code in the job can write one.
#[derive(Debug, Clone)]
pub struct RecordStream {
    /// The environment variable with the descriptor's number.
    pub variable: OsString,
    /// How much is read; more is not a report but an attack on memory.
    pub longest: usize,
    /// The word that the job reads there.
    pub word: String,
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
            stream: None,
            timeout,
            capture_bytes: DEFAULT_CAPTURE_BYTES,
            separate_stdout: false,
            confinement: None,
        }
    }
}

/// How a job ended, and its output.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How the process ended.
    pub exit: Exit,
    /// Standard output, if the job keeps it apart; empty otherwise.
    pub stdout: Captured,
    /// Everything else it printed, in the order it was printed.
    pub output: Captured,
    /// Its records, if the job has a stream for them; incomplete if there were too many.
    pub records: Captured,
    /// How long it took.
    pub elapsed: Duration,
}
