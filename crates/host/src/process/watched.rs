//! Jobs: processes that are not trusted to end, to be quiet or to clean up.
//!
//! One thread reads the output, one waits for the end, and both report to the caller's thread, which alone decides. The
//! waiting thread looks at the end without reaping, so the process's id, which is also its group's, cannot be reused
//! while the group is being killed.
//!
//! A process that left the group with `setsid` is ended by the supervisor in the helper. A job that was started plainly
//! has none; a process that leaves its group survives, but cannot make Proctor wait.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Seek, Write, pipe};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use proctor_core::test_outcome::Exit;

use super::call::Call;
use super::capture::Collector;
use super::group::{Group, wait_without_reaping};
use super::lines::LineSplitter;
use super::reader::{Message, Stream, read_stream};
use super::{Captured, Finished, Interrupt, Job, Launcher, ProcessError, locate};

/// How often the interrupt flag is looked at while nothing else happens.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);
/// How long output is still read after the process ended and its group was killed.
const DRAIN_TIME: Duration = Duration::from_millis(500);
/// Chunks in flight; with the chunk size, the bound on memory that is not yet looked at.
const CHUNKS_IN_FLIGHT: usize = 16;

/// Runs a job to its end, or to the end of its time.
///
/// Complete lines go to `on_line` as they arrive, of both streams when they are kept apart.
pub fn watch(
    job: &Job,
    launcher: &Launcher,
    interrupt: &Interrupt,
    on_line: &mut dyn FnMut(&str),
) -> Result<Finished, ProcessError> {
    let call = Call::of(&job.program, &job.arguments);
    let finished = followed(job, launcher, interrupt, on_line);
    match &finished {
        Ok(Finished { exit, .. }) => call.ended(&words(*exit)),
        Err(error) => call.ended(error),
    }
    finished
}

fn words(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit status: {code}"),
        Exit::Signal(signal) => format!("signal: {signal}"),
        Exit::TimedOut => "timed out".to_owned(),
    }
}

fn followed(
    job: &Job,
    launcher: &Launcher,
    interrupt: &Interrupt,
    on_line: &mut dyn FnMut(&str),
) -> Result<Finished, ProcessError> {
    let started = Instant::now();
    let failed = |action| move |source| ProcessError::system(action, &job.program, source);
    let program = locate(&job.program, &job.directory, &job.environment)?;
    let (stdin, records) = standard_input(job).map_err(failed("prepare the input of"))?;
    let (rest_reader, rest_writer) = pipe().map_err(failed("start"))?;
    let (stop_reader, stop_writer) = pipe().map_err(failed("start"))?;
    let mut command = launcher.command(job, &program)?;
    let mut streams: Vec<(Stream, Box<dyn Readable>)> = vec![(Stream::Rest, Box::new(rest_reader))];
    if let Some(records) = records {
        streams.push((Stream::Records, Box::new(records)));
    }
    let stdout = if job.separate_stdout {
        let (reader, writer) = pipe().map_err(failed("start"))?;
        streams.push((Stream::Stdout, Box::new(reader)));
        writer
    } else {
        rest_writer.try_clone().map_err(failed("start"))?
    };
    command.stdout(stdout).stderr(rest_writer);
    let supervised = launcher.helper.is_some();
    let group = Group::spawn(command, stdin, supervised).map_err(failed("start"))?;

    let mut watcher = Watcher::new(job, interrupt, streams.len());
    let (ending, status) = thread::scope(|scope| {
        // Owned in here, so that a panicking `on_line` kills the job before threads are joined.
        let mut group = group;
        let id = group.id();
        let (sender, receiver) = sync_channel(CHUNKS_IN_FLIGHT);
        let stop_reader = &stop_reader;
        for (stream, reader) in streams {
            let sender = sender.clone();
            scope.spawn(move || read_stream(stream, reader, stop_reader, &sender));
        }
        scope.spawn(move || {
            wait_without_reaping(id);
            let _ = sender.send(Message::Exited);
        });
        let ending = watcher.follow(&receiver, started, on_line);
        group.kill();
        watcher.drain(&receiver, on_line);
        // Both let the threads go: the receiver those that send, the pipe those that read.
        drop(receiver);
        drop(stop_writer);
        (ending, group.reap())
    });
    let ended = status.map_err(failed("wait for"))?;
    let exit = match ending {
        Ending::Interrupted => return Err(ProcessError::Interrupted),
        Ending::TimedOut => Exit::TimedOut,
        Ending::Exited => ended,
    };
    let (stdout, output, records) = watcher.finish(on_line);
    Ok(Finished {
        exit,
        stdout,
        output,
        records,
        elapsed: started.elapsed(),
    })
}

/// A stream for the threads to read.
trait Readable: Read + AsFd + Send {}

impl<T: Read + AsFd + Send> Readable for T {}

/// The job's standard input: nothing, an unlinked file, or the record stream, whose other end is
/// returned with it.
///
/// Input is a file instead of a pipe: nothing has to feed it, so nothing can block when the job
/// does not read it.
fn standard_input(job: &Job) -> std::io::Result<(OwnedFd, Option<UnixStream>)> {
    match (&job.input, &job.stream) {
        (None, None) => Ok((File::open("/dev/null")?.into(), None)),
        (Some(bytes), None) => {
            let mut file = tempfile::tempfile()?;
            file.write_all(bytes)?;
            file.rewind()?;
            Ok((file.into(), None))
        }
        (None, Some(stream)) => {
            let (mut ours, theirs) = UnixStream::pair()?;
            // The kernel keeps so short a word until it is read.
            ours.write_all(stream.word.as_bytes())?;
            ours.shutdown(std::net::Shutdown::Write)?;
            Ok((theirs.into(), Some(ours)))
        }
        (Some(_), Some(_)) => Err(Error::new(
            ErrorKind::InvalidInput,
            "a job has an input or a record stream",
        )),
    }
}

enum Ending {
    Exited,
    TimedOut,
    Interrupted,
}

/// The caller's side: takes messages, keeps output, watches the clock and the flag.
struct Watcher<'a> {
    interrupt: &'a Interrupt,
    timeout: Duration,
    open: usize,
    exited: bool,
    stdout: (Collector, LineSplitter),
    rest: (Collector, LineSplitter),
    records: Collector,
}

impl<'a> Watcher<'a> {
    fn new(job: &Job, interrupt: &'a Interrupt, open: usize) -> Self {
        let side = || (Collector::new(job.capture_bytes), LineSplitter::default());
        Self {
            interrupt,
            timeout: job.timeout,
            open,
            exited: false,
            stdout: side(),
            rest: side(),
            records: Collector::new(job.stream.as_ref().map_or(0, |stream| stream.longest)),
        }
    }

    /// Follows the job until it ended or has to.
    fn follow(
        &mut self,
        messages: &Receiver<Message>,
        started: Instant,
        on_line: &mut dyn FnMut(&str),
    ) -> Ending {
        while !self.exited {
            if self.interrupt.is_set() {
                return Ending::Interrupted;
            }
            let left = self.timeout.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Ending::TimedOut;
            }
            match messages.recv_timeout(left.min(INTERRUPT_INTERVAL)) {
                Ok(message) => self.take(message, on_line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ending::Exited
    }

    /// Takes the output still in transit after the kill, for a short time.
    fn drain(&mut self, messages: &Receiver<Message>, on_line: &mut dyn FnMut(&str)) {
        let started = Instant::now();
        while self.open > 0 || !self.exited {
            let left = DRAIN_TIME.saturating_sub(started.elapsed());
            match messages.recv_timeout(left) {
                Ok(message) if !left.is_zero() => self.take(message, on_line),
                _ => break,
            }
        }
    }

    fn take(&mut self, message: Message, on_line: &mut dyn FnMut(&str)) {
        match message {
            Message::Exited => self.exited = true,
            Message::Closed => self.open -= 1,
            Message::Chunk(stream, bytes) => {
                let (collector, lines) = match stream {
                    Stream::Stdout => &mut self.stdout,
                    Stream::Rest => &mut self.rest,
                    Stream::Records => return self.records.push(&bytes),
                };
                collector.push(&bytes);
                lines.push(&bytes, on_line);
            }
        }
    }

    fn finish(mut self, on_line: &mut dyn FnMut(&str)) -> (Captured, Captured, Captured) {
        self.stdout.1.finish(on_line);
        self.rest.1.finish(on_line);
        (
            self.stdout.0.finish(),
            self.rest.0.finish(),
            self.records.finish(),
        )
    }
}
