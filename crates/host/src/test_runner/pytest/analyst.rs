//! Having files read by the project's own Python, without running any of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::gate::{Analysis, FlagKind, SourceFlag, SourceText};
use proctor_core::test_outcome::Exit;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::RunnerError;
use super::environment::{ends_in_python, start_environment};
use super::programs::{CompiledPrograms, Program, start};
use crate::process::{Confinement, Environment, Interrupt, Job, Launcher, watch};

/// Longer than a file of this size takes; a parser that hangs must not hang the gate.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// In bytes.
const PIECE: usize = 100_000;
/// More of them get no more time.
const MOST_PIECES: u32 = 9;
/// The answer repeats the files twice.
const ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// The project's Python, as a reader.
#[derive(Debug, Clone)]
pub struct PythonReader<'a> {
    /// The words that start it, or the runner beside it.
    pub command: &'a [OsString],
    /// Proctor's own environment; only the variables that start Python are taken from it.
    pub environment: &'a Environment,
    /// How jobs are started.
    pub launcher: &'a Launcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The sandbox, and its hidden paths. A reader needs only its interpreter and that one's library.
    pub confinement: Option<Confinement>,
    /// Its programs, if they are compiled.
    pub programs: Option<&'a CompiledPrograms>,
}

/// Why files could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The reader could not be run at all.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// It ran and failed, which is often due to the files.
    #[error("{exit:?} {last_line}")]
    Failed {
        /// How its process ended.
        exit: Exit,
        /// The last that it printed.
        last_line: String,
    },
    /// Its answer has another shape.
    #[error(transparent)]
    Answer(#[from] serde_json::Error),
}

impl PythonReader<'_> {
    /// The analysis of test files.
    pub fn analyse(&self, files: &[SourceText]) -> Result<Analysis, ReadError> {
        self.ask(Program::Analyst, &json!({ "files": files }))
    }

    /// Facts in source files that a person should look at. Files that crash the reader are to be looked at themselves.
    pub fn flags(
        &self,
        tests: &[SourceText],
        sources: &[SourceText],
    ) -> Result<Vec<SourceFlag>, RunnerError> {
        #[derive(Deserialize)]
        struct Answer {
            flags: Vec<SourceFlag>,
        }
        let request = json!({ "tests": tests, "sources": sources });
        match self.ask(Program::SourceReader, &request) {
            Ok(Answer { flags }) => Ok(flags),
            Err(ReadError::Runner(error)) => Err(error),
            Err(problem @ (ReadError::Failed { .. } | ReadError::Answer(_))) => {
                let unread = |source: &SourceText| SourceFlag {
                    path: source.path.clone(),
                    line: 1,
                    flag: FlagKind::NotRead,
                    what: problem.to_string(),
                };
                Ok(sources.iter().map(unread).collect())
            }
        }
    }

    pub(super) fn ask<T: DeserializeOwned>(
        &self,
        program: Program,
        request: &Value,
    ) -> Result<T, ReadError> {
        let (script, mut input) = start(self.programs, program);
        input.extend(request.to_string().into_bytes());
        Ok(serde_json::from_slice(&self.run(script, input)?)?)
    }

    /// The words that start its Python.
    pub(super) fn python(&self) -> Vec<OsString> {
        python_of(self.command)
    }

    /// A script's answer to this input.
    pub(super) fn run(&self, script: [OsString; 2], input: Vec<u8>) -> Result<Vec<u8>, ReadError> {
        let mut words = self.python().into_iter();
        let program = words.next().ok_or(RunnerError::NoPython)?;
        let mut job = Job::new(program, Path::new("/"), time_limit(input.len()));
        job.arguments = words.collect();
        // Isolated, and without site-packages: nothing of the project takes part.
        job.arguments.extend(["-I", "-S"].map(OsString::from));
        job.arguments.extend(script);
        job.environment = start_environment(self.environment);
        job.input = Some(input);
        job.capture_bytes = ANSWER_BYTES;
        job.separate_stdout = true;
        job.confinement.clone_from(&self.confinement);
        let finished = watch(&job, self.launcher, self.interrupt, &mut |_| {})
            .map_err(RunnerError::Process)?;
        if finished.exit != Exit::Code(0) || !finished.stdout.is_complete() {
            let output = finished.output.text();
            let last_line = output.lines().last().unwrap_or_default().to_owned();
            return Err(ReadError::Failed {
                exit: finished.exit,
                last_line,
            });
        }
        Ok(finished.stdout.bytes())
    }
}

/// How long reading this many bytes may take: files of ten thousand lines are honest, on a busy machine too.
fn time_limit(bytes: usize) -> Duration {
    let pieces = u32::try_from(bytes / PIECE).unwrap_or(u32::MAX);
    TIME_LIMIT * (1 + pieces.min(MOST_PIECES))
}

/// The words that start the Python of a test command: the command itself, or the one beside its pytest.
fn python_of(command: &[OsString]) -> Vec<OsString> {
    if ends_in_python(command) {
        return command.to_vec();
    }
    let beside = command
        .first()
        .map(|word| PathBuf::from(word).with_file_name("python"))
        .filter(|python| python.is_file());
    vec![beside.map_or_else(|| "python3".into(), PathBuf::into_os_string)]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::time_limit;

    #[test]
    fn large_files_get_more_time_and_nothing_gets_more_than_ten_minutes() {
        assert_eq!(time_limit(2_000), Duration::from_mins(1));
        assert_eq!(time_limit(850_000), Duration::from_mins(9));
        assert_eq!(time_limit(usize::MAX), Duration::from_mins(10));
    }
}
