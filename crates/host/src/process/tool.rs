//! Trusted tools, such as git: run to the end, everything they say is kept.
//!
//! There is no time limit and no output cap, because half of a git object is worse than none.
//! Anything that runs generated code is a job and goes through `watch` instead.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;

use super::{Environment, ProcessError, locate};

/// One call of a trusted program.
#[derive(Debug, Clone)]
pub struct Tool {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Environment,
    directory: PathBuf,
    input: Vec<u8>,
}

/// What a tool left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// Its exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Everything it printed.
    pub stdout: Vec<u8>,
    /// Everything it complained about.
    pub stderr: Vec<u8>,
}

impl ToolOutput {
    /// Whether the tool ended with code 0.
    pub fn success(&self) -> bool {
        self.code == Some(0)
    }
}

impl Tool {
    /// A call of `program` in `directory`, without arguments, environment or input.
    pub fn new(program: impl Into<PathBuf>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: directory.into(),
            input: Vec::new(),
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds several arguments.
    #[must_use]
    pub fn arguments<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds one variable to the environment, which starts empty.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Adds several variables to the environment.
    #[must_use]
    pub fn variables(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.environment.extend(variables);
        self
    }

    /// Gives the tool something to read; without it, its standard input is empty.
    #[must_use]
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// The program, for messages.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs the tool to its end.
    pub fn capture(&self) -> Result<ToolOutput, ProcessError> {
        let (stdout, output) = self.stream(read_all)?;
        Ok(ToolOutput { stdout, ..output })
    }

    /// Runs the tool to its end while `read` takes what it prints; nothing of that is in the output.
    ///
    /// It gets a process group of its own: a Ctrl-C at the terminal must not end git in the middle
    /// of a merge. Output is read while input is written, so neither side can block the other.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that starts processes"
    )]
    pub fn stream<T>(
        &self,
        read: impl FnOnce(ChildStdout) -> io::Result<T>,
    ) -> Result<(T, ToolOutput), ProcessError> {
        let program = locate(&self.program, &self.directory, &self.environment)?;
        let failed = |action| move |source| ProcessError::system(action, &self.program, source);
        let mut child = Command::new(program)
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.directory)
            .stdin(if self.input.is_empty() {
                Stdio::null()
            } else {
                Stdio::piped()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed("start"))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (printed, stderr) = thread::scope(|scope| {
            // A tool that does not read its input to the end says so by its exit code.
            scope.spawn(|| stdin.map(|mut pipe| pipe.write_all(&self.input)));
            let complaints = scope.spawn(|| stderr.map_or(Ok(Vec::new()), read_all));
            let printed = stdout.map_or_else(|| Err(io::ErrorKind::BrokenPipe.into()), read);
            (printed, joined(complaints))
        });
        let status = child.wait().map_err(failed("wait for"))?;
        let output = ToolOutput {
            code: status.code(),
            signal: status.signal(),
            stdout: Vec::new(),
            stderr: stderr.map_err(failed("read from"))?,
        };
        Ok((printed.map_err(failed("read from"))?, output))
    }
}

fn read_all(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a thread found out; its panic is ours.
pub fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
