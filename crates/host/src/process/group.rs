//! A started process together with everything that it started.

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};

use proctor_core::test_outcome::Exit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

use super::handover;

/// How long a supervisor may take to end the job's processes.
const LONGEST_ENDING: Timespec = Timespec {
    tv_sec: 6,
    tv_nsec: 0,
};

/// Killed and reaped on every way out.
pub(super) struct Group {
    child: Child,
    /// To the supervisor: closing it ends the job.
    leash: Option<UnixStream>,
}

impl Group {
    /// Takes the command by value: it holds the pipes' writing ends, which have to be closed here
    /// or the readers would never see an end. A supervised process gets the job's standard input
    /// by its leash.
    pub(super) fn spawn(
        mut command: Command,
        stdin: impl AsFd + Into<std::process::Stdio>,
        supervised: bool,
    ) -> std::io::Result<Self> {
        if !supervised {
            let child = command.stdin(stdin).spawn()?;
            return Ok(Self { child, leash: None });
        }
        let (leash, theirs) = UnixStream::pair()?;
        command.stdin(std::os::fd::OwnedFd::from(theirs));
        let child = command.spawn()?;
        // A supervisor that is already gone says by its exit code why.
        let _ = handover::give(&leash, stdin);
        Ok(Self {
            child,
            leash: Some(leash),
        })
    }

    /// The process's id, which is its group's as well.
    pub(super) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Ends the process and everything it started. Only until it is reaped: afterwards the id may belong to another
    /// process.
    pub(super) fn kill(&mut self) {
        if let Some(leash) = self.leash.take() {
            let _ = leash.shutdown(std::net::Shutdown::Write);
            // Closed from the other side when the supervisor is gone, and the job before it.
            let mut wanted = [PollFd::new(&leash, PollFlags::IN)];
            while matches!(poll(&mut wanted, Some(&LONGEST_ENDING)), Err(Errno::INTR)) {}
        }
        // Errors mean that nothing is left to kill. The process itself is named as well because
        // the helper leads no group before its first steps are done.
        let _ = kill_process_group(self.id(), Signal::KILL);
        let _ = kill_process(self.id(), Signal::KILL);
    }

    /// Waits for the process and gives its id back to the system.
    pub(super) fn reap(&mut self) -> std::io::Result<Exit> {
        let status = self.child.wait()?;
        Ok(match status.code() {
            Some(code) => Exit::Code(code),
            None => Exit::Signal(status.signal().unwrap_or_default()),
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Finds a live process only when the caller panicked.
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// Returns when the process ended, leaving it for [`Group::reap`].
pub(super) fn wait_without_reaping(id: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(id), options), Err(Errno::INTR)) {}
}
