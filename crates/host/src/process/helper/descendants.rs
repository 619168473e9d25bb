//! Ending everything that a process started, however far it went away.
//!
//! The caller inherits orphans, so its descendants are a tree in `/proc`. Killing a process makes its children the
//! caller's own, and they are found by the next look. A process is killed through a descriptor that is checked after it
//! was opened: its id may belong to another process by now.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, wait,
};

/// After this long, the rest cannot be killed: it belongs to another user.
const LONGEST: Duration = Duration::from_secs(4);
/// Between two looks if nothing ends.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// Kills and reaps all descendants; `ended` becomes readable when a child ends.
pub(super) fn end_all(mut ended: &UnixStream) {
    let started = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => continue,
            Ok(None) if started.elapsed() < LONGEST => {}
            Ok(None) | Err(_) => return,
        }
        for (pid, birth) in descendants() {
            kill(pid, birth);
        }
        let _ = poll(&mut [PollFd::new(ended, PollFlags::IN)], Some(&PAUSE));
        let _ = ended.read(&mut [0; 4096]);
    }
}

/// Ids and times of birth of everything below this process that still runs.
fn descendants() -> Vec<(Pid, u64)> {
    let mut children: BTreeMap<i32, Vec<(Pid, u64)>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.parse().ok());
        if let Some(pid) = pid.and_then(Pid::from_raw)
            && let Some((parent, birth)) = parent_and_birth(pid)
        {
            children.entry(parent).or_default().push((pid, birth));
        }
    }
    let mut found = Vec::new();
    let mut open = vec![getpid().as_raw_nonzero().get()];
    while let Some(parent) = open.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            open.push(child.0.as_raw_nonzero().get());
            found.push(child);
        }
    }
    found
}

/// The fourth and the twenty-second field of a process's state; the second one is a name in
/// brackets that may hold anything.
fn parent_and_birth(pid: Pid) -> Option<(i32, u64)> {
    let bytes = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let birth = fields.nth(17)?.parse().ok()?;
    Some((parent, birth))
}

fn kill(pid: Pid, birth: u64) {
    let descriptor = pidfd_open(pid, PidfdFlags::empty());
    if parent_and_birth(pid).is_none_or(|(_, now)| now != birth) {
        return;
    }
    let sent = descriptor.and_then(|descriptor| pidfd_send_signal(descriptor, Signal::KILL));
    // Old kernels do not have it, and a sandbox around Proctor may not allow it. Other errors mean
    // that the process is gone, or that it is not ours to kill.
    if matches!(sent, Err(Errno::NOSYS | Errno::PERM)) {
        let _ = kill_process(pid, Signal::KILL);
    }
}
