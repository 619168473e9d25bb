//! Jobs: processes that are not trusted to end, to be quiet or to clean up.
//!
//! One thread reads the output, one waits for the end, and both report to the caller's thread,
//! which alone decides. The waiting thread looks at the end without reaping, so the process's id,
//! which is also its group's, cannot be given to anybody else while the group is being killed.
//!
//! What left the group with `setsid` survives the kill; only a process namespace, the sandbox's
//! strongest level, catches it. It cannot make Proctor wait, though.

use std::io::{Seek, Write, pipe};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use proctor_core::test_outcome::Exit;

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
    let started = Instant::now();
    let failed = |action| move |source| ProcessError::system(action, &job.program, source);
    let program = locate(&job.program, &job.directory, &job.environment)?;
    let stdin = input_file(job.input.as_deref()).map_err(failed("prepare the input of"))?;
    let (rest_reader, rest_writer) = pipe().map_err(failed("start"))?;
    let (stop_reader, stop_writer) = pipe().map_err(failed("start"))?;
    let mut command = launcher.command(&program, &job.arguments);
    command
        .env_clear()
        .envs(job.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&job.directory)
        .stdin(stdin);
    let mut streams = vec![(Stream::Rest, rest_reader)];
    let stdout = if job.separate_stdout {
        let (reader, writer) = pipe().map_err(failed("start"))?;
        streams.push((Stream::Stdout, reader));
        writer
    } else {
        rest_writer.try_clone().map_err(failed("start"))?
    };
    command.stdout(stdout).stderr(rest_writer);
    let group = Group::spawn(command).map_err(failed("start"))?;

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
    let (stdout, output) = watcher.finish(on_line);
    Ok(Finished {
        exit,
        stdout,
        output,
        elapsed: started.elapsed(),
    })
}

/// Input as an unlinked file instead of a pipe: nothing has to feed it, so nothing can block when
/// the job does not read it.
fn input_file(input: Option<&[u8]>) -> std::io::Result<Stdio> {
    let Some(bytes) = input else {
        return Ok(Stdio::null());
    };
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(Stdio::from(file))
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

    /// Takes what is still on its way after the kill, for a short time.
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
                };
                collector.push(&bytes);
                lines.push(&bytes, on_line);
            }
        }
    }

    fn finish(mut self, on_line: &mut dyn FnMut(&str)) -> (Captured, Captured) {
        self.stdout.1.finish(on_line);
        self.rest.1.finish(on_line);
        (self.stdout.0.finish(), self.rest.0.finish())
    }
}
