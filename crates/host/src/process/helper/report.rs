//! The stage inside bubblewrap: starts the program and tells how it ended.
//!
//! Bubblewrap turns a signal into the exit code 128 and more, so a crash could not be told from a
//! program that chose such a code. This stage sees the difference and writes it to the socket that
//! it was started with.

use std::io::{Error, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

use super::super::handover;
use super::Words;

/// The stage's name.
pub(in super::super) const REPORT_STAGE: &str = "report";

/// How a program ended, on its way between two processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// It chose an exit code.
    Code(u8),
    /// A signal ended it.
    Signal(i32),
}

impl Report {
    fn of(status: ExitStatus) -> Self {
        match status.signal() {
            Some(signal) => Self::Signal(signal),
            // The system keeps no more than eight bits.
            None => Self::Code(
                status
                    .code()
                    .and_then(|code| u8::try_from(code).ok())
                    .unwrap_or(1),
            ),
        }
    }

    fn send(self, mut socket: &UnixStream) -> Result<(), Error> {
        let text = match self {
            Self::Code(code) => format!("code {code}"),
            Self::Signal(signal) => format!("signal {signal}"),
        };
        socket.write_all(text.as_bytes())
    }

    /// Reads a report; none if the program was never started or its end was not seen.
    pub(super) fn receive(socket: &UnixStream) -> Option<Self> {
        let mut text = String::new();
        socket.take(64).read_to_string(&mut text).ok()?;
        match text.split_once(' ')? {
            ("code", number) => number.parse().ok().map(Self::Code),
            ("signal", number) => number.parse().ok().map(Self::Signal),
            _ => None,
        }
    }
}

/// Starts the program with fewer rights, waits for it and reports.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that starts processes"
)]
pub(super) fn report(words: &Words) -> Result<u8, Error> {
    let (program, arguments) = words.command()?;
    let socket = handover::own_socket()?;
    let stdin = handover::take(&socket)?;
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        super::super::sandbox::deny_system_calls(super::super::sandbox::Filter::Namespaced)?;
    }
    let status = Command::new(program)
        .args(arguments)
        .stdin(stdin)
        // Signals that the job sends to its own group are not meant for this process.
        .process_group(0)
        .status()?;
    Report::of(status).send(&socket)?;
    Ok(0)
}
