//! The stage that is the job's parent: it waits for the job and ends its leftover processes.
//!
//! A process that calls `setsid` leaves every group that could be killed by one call. The supervisor has asked to
//! inherit orphans, so every process that the job started stays its descendant, and at the end it kills descendants
//! until it has none. It does so too when Proctor closes the leash or dies. It ends like the job: with the same exit
//! code, or the same signal.

use std::io::{Error, Read};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};
use signal_hook::consts::{
    SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
};

use super::super::handover;
use super::super::sandbox::Limits;
use super::report::Report;
use super::{Words, invalid};

/// The stage's name.
pub(in super::super) const SUPERVISE_STAGE: &str = "supervise";
/// Says that the program is bubblewrap and that the job's end comes as a [`Report`].
pub(in super::super) const REPORT_OPTION: &str = "--report";

/// The job is in this process's group, so that one call can kill both; signals that the job sends to its own group are
/// not meant for this process.
const MEANT_FOR_THE_JOB: [i32; 9] = [
    SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
];

pub(super) fn supervise(words: &Words) -> Result<u8, Error> {
    // Descriptors that Proctor was started with, as some terminals leave them open: no sandbox takes them back.
    close_fds::set_fds_cloexec(3, &[]);
    let leash = handover::own_socket()?;
    rustix::process::setsid()?;
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
        set_child_subreaper(Some(rustix::process::getpid()))?;
        // No process can inspect this one, and it leaves no core when it repeats a job's crash.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    }
    for signal in MEANT_FOR_THE_JOB {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let (ended, notice) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(SIGCHLD, notice)?;
    ended.set_nonblocking(true)?;

    let stdin = handover::take(&leash)
        .map_err(|_| invalid("the process that asked for this job is gone"))?;
    Limits::from_words(words).apply()?;
    let (main, reports) = start(words, stdin)?;
    let status = follow(main, &leash, &ended)?;
    #[cfg(target_os = "linux")]
    super::descendants::end_all(&ended);
    match (status, reports) {
        (None, _) => Ok(1),
        (Some(status), None) => end_like(reported(status)),
        (Some(_), Some(reports)) => end_like(
            Report::receive(&reports)
                .ok_or_else(|| Error::other("the sandbox did not start the program"))?,
        ),
    }
}

/// Starts the program. With bubblewrap between, the job's standard input goes through a socket of
/// its own, on which the report comes back.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that starts processes"
)]
fn start(words: &Words, stdin: std::os::fd::OwnedFd) -> Result<(Pid, Option<UnixStream>), Error> {
    let (program, arguments) = words.command()?;
    let mut command = Command::new(program);
    command.args(arguments);
    let reports = if words.option(REPORT_OPTION).is_some() {
        let (ours, theirs) = UnixStream::pair()?;
        handover::give(&ours, &stdin)?;
        command.stdin(std::os::fd::OwnedFd::from(theirs));
        Some(ours)
    } else {
        command.stdin(stdin);
        None
    };
    let child = command.spawn()?;
    // The copies in `command` and `child` end here: the job alone decides how long its standard
    // input stays open. The child is waited for by its id.
    Ok((Pid::from_child(&child), reports))
}

/// Waits for the program; nothing if the leash was let go first.
fn follow(
    main: Pid,
    mut leash: &UnixStream,
    mut ended: &UnixStream,
) -> Result<Option<WaitStatus>, Error> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == main => return Ok(Some(status)),
            // An orphan that this process inherited.
            Ok(Some(_)) | Err(Errno::INTR) => continue,
            Ok(None) => {}
            Err(error) => return Err(error.into()),
        }
        let mut wanted = [
            PollFd::new(leash, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        match poll(&mut wanted, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let let_go = !wanted[0].revents().is_empty();
        if let_go && leash.read(&mut [0]).is_ok_and(|length| length == 0) {
            return Ok(None);
        }
        // Emptied, so that the next end is noticed.
        let _ = ended.read(&mut [0; 64]);
    }
}

fn reported(status: WaitStatus) -> Report {
    match status.terminating_signal() {
        Some(signal) => Report::Signal(signal),
        None => Report::Code(
            status
                .exit_status()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(1),
        ),
    }
}

/// Ends this process as the job ended.
fn end_like(report: Report) -> Result<u8, Error> {
    let signal = match report {
        Report::Code(code) => return Ok(code),
        Report::Signal(signal) => signal,
    };
    // Returns for signals that it does not know or considers harmless; raising those ends this process, which does not
    // handle them.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    signal_hook::low_level::raise(signal)?;
    Ok(u8::try_from(128 + signal).unwrap_or(u8::MAX))
}
