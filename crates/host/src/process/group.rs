//! A started process together with everything in its process group.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};

use proctor_core::test_outcome::Exit;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

/// Killed and reaped on every way out.
pub(super) struct Group {
    child: Child,
}

impl Group {
    /// Takes the command by value: it holds the pipes' writing ends, which have to be closed here
    /// or the readers would never see an end.
    pub(super) fn spawn(mut command: Command) -> std::io::Result<Self> {
        Ok(Self {
            child: command.spawn()?,
        })
    }

    /// The process's id, which is its group's as well.
    pub(super) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Kills the process and everything in its group. Only until it is reaped: afterwards the id
    /// may be somebody else's.
    pub(super) fn kill(&self) {
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
