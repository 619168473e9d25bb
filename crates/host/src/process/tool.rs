//! Trusted tools, such as git: run to the end, everything they say is kept.
//!
//! There is no time limit and no output cap, because half of a git object is worse than none.
//! Anything that runs generated code is a job and goes through `watch` instead.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::call::Call;
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

/// A tool that was started.
struct Running {
    child: Child,
    call: Call,
}

/// A tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// Its exit code, if it exited.
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
    ///
    /// One thread reads everything: for a short program another thread would cost more than the program.
    pub fn capture(&self) -> Result<ToolOutput, ProcessError> {
        let mut running = self.start()?;
        let child = &mut running.child;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let pipes = [stdout.map(OwnedFd::from), stderr.map(OwnedFd::from)];
        let read = thread::scope(|scope| {
            self.feed(scope, stdin);
            read_pipes(pipes)
        });
        let output = self.ended(running)?;
        let [stdout, stderr] = read.map_err(self.failed("read from"))?;
        Ok(ToolOutput {
            stdout,
            stderr,
            ..output
        })
    }

    /// Runs the tool to its end while `read` consumes its output, which the result then lacks.
    pub fn stream<T>(
        &self,
        read: impl FnOnce(ChildStdout) -> io::Result<T>,
    ) -> Result<(T, ToolOutput), ProcessError> {
        let mut running = self.start()?;
        let child = &mut running.child;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (printed, stderr) = thread::scope(|scope| {
            self.feed(scope, stdin);
            let complaints = scope.spawn(|| stderr.map_or(Ok(Vec::new()), read_all));
            let printed = stdout.map_or_else(|| Err(io::ErrorKind::BrokenPipe.into()), read);
            (printed, joined(complaints))
        });
        let output = ToolOutput {
            stderr: stderr.map_err(self.failed("read from"))?,
            ..self.ended(running)?
        };
        Ok((printed.map_err(self.failed("read from"))?, output))
    }

    fn start(&self) -> Result<Running, ProcessError> {
        let call = Call::of(&self.program, &self.arguments);
        match self.spawn() {
            Ok(child) => Ok(Running { child, call }),
            Err(error) => {
                call.ended(&error);
                Err(error)
            }
        }
    }

    /// It gets a process group of its own: a Ctrl-C at the terminal must not end git in the middle of a merge.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that starts processes"
    )]
    fn spawn(&self) -> Result<Child, ProcessError> {
        let program = locate(&self.program, &self.directory, &self.environment)?;
        Command::new(program)
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
            .map_err(self.failed("start"))
    }

    /// Writes the input, beside the reader of the output: neither side can block the other. A tool that does not read
    /// it to the end shows so by its exit code.
    fn feed<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        stdin: Option<ChildStdin>,
    ) {
        let Some(mut pipe) = stdin else {
            return;
        };
        if self.input.len() <= ALWAYS_FITS {
            let _ = pipe.write_all(&self.input);
        } else {
            scope.spawn(move || pipe.write_all(&self.input));
        }
    }

    fn ended(&self, mut running: Running) -> Result<ToolOutput, ProcessError> {
        let status = running.child.wait().map_err(self.failed("wait for"))?;
        running.call.ended(&status);
        Ok(ToolOutput {
            code: status.code(),
            signal: status.signal(),
            stdout: Vec::new(),
            stderr: Vec::new(),
        })
    }

    fn failed(&self, action: &'static str) -> impl Fn(io::Error) -> ProcessError {
        move |source| ProcessError::system(action, &self.program, source)
    }
}

/// As much as is read at a time, and as a pipe usually holds.
const PIECE: usize = 1 << 16;

/// The least that every pipe takes without a reader: a page.
const ALWAYS_FITS: usize = 4096;

fn read_all(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Everything from two pipes, in any order.
fn read_pipes(mut pipes: [Option<OwnedFd>; 2]) -> io::Result<[Vec<u8>; 2]> {
    let mut buffer = vec![0; PIECE];
    let mut contents = [Vec::new(), Vec::new()];
    while pipes.iter().any(Option::is_some) {
        let mut polled: Vec<PollFd<'_>> = pipes
            .iter()
            .flatten()
            .map(|pipe| PollFd::new(pipe, PollFlags::IN))
            .collect();
        match poll(&mut polled, None) {
            Err(Errno::INTR) => continue,
            other => other?,
        };
        let mut ready = polled.iter().map(|fd| !fd.revents().is_empty());
        let ready = [0, 1].map(|number| pipes[number].is_some() && ready.next() == Some(true));
        for number in [0, 1].into_iter().filter(|number| ready[*number]) {
            let Some(pipe) = &pipes[number] else { continue };
            match rustix::io::read(pipe, &mut buffer[..]) {
                Ok(0) => pipes[number] = None,
                Ok(count) => contents[number].extend_from_slice(&buffer[..count]),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(contents)
}

/// A thread's result; its panic is ours.
pub fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
