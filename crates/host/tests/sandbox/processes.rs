//! How a job ends, and its leftovers.

use std::fs::File;
use std::time::Duration;

use proctor_core::test_outcome::Exit;

use crate::world::{World, run};

pub(crate) fn exit_codes_and_signals_are_told_as_they_were(world: &World) {
    for code in [0, 1, 7, 127, 139, 255] {
        let job = world.job("sh".as_ref(), &["-c", &format!("exit {code}")]);
        assert_eq!(run(&job).exit, Exit::Code(code));
    }
    for signal in [2, 6, 9, 11, 13, 15, 29, 34] {
        let script = format!("kill -{signal} $$; exit 3");
        let job = world.job("bash".as_ref(), &["-c", &script]);
        assert_eq!(run(&job).exit, Exit::Signal(signal), "signal {signal}");
    }
}

/// Starts an orphaned process, in a session of its own, that holds a lock.
const DAEMON: &str = "
import fcntl
def daemon():
    ready, told = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            lock = open(root + '/scratch/lock', 'w')
            fcntl.flock(lock, fcntl.LOCK_EX)
            for number in range(1, 65):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            os.write(told, b'x')
            os.closerange(0, 3)
            while True:
                signal.pause()
        os._exit(0)
    os.read(ready, 1)
    print('daemon', flush=True)
";

/// No process holds the lock any more, at once and not after a while.
fn lock_is_free(world: &World) {
    let lock = File::open(world.root.join("scratch/lock")).expect("the job made it");
    lock.try_lock().expect("what held the lock is gone");
}

pub(crate) fn a_daemon_is_gone_when_the_job_has_ended(world: &World) {
    assert_eq!(world.printed(&format!("{DAEMON}\ndaemon()")), "daemon\n");
    lock_is_free(world);
}

pub(crate) fn a_daemon_is_gone_when_the_time_is_up(world: &World) {
    let mut job = world.python(&format!("{DAEMON}\ndaemon()\nwhile True: signal.pause()"));
    // Python has to have started the daemon by then.
    job.timeout = Duration::from_secs(10);
    let finished = run(&job);
    assert_eq!(finished.exit, Exit::TimedOut);
    assert_eq!(finished.output.text(), "daemon\n");
    lock_is_free(world);
}

/// A bounded one: a tree of processes, each in a session of its own, whose leaves never stop
/// starting others.
pub(crate) fn a_fork_bomb_ends_with_the_job(world: &World) {
    world.printed(
        "
import fcntl
ready, told = os.pipe()
open(root + '/scratch/lock', 'w')
def grow(depth):
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            fcntl.flock(os.open(root + '/scratch/lock', os.O_RDWR), fcntl.LOCK_SH)
            os.write(told, b'x')
            if depth:
                grow(depth - 1)
            while True:
                if os.fork() == 0:
                    os.setsid()
                    os._exit(0)
                os.wait()
grow(2)
seen = 0
while seen < 39:
    seen += len(os.read(ready, 39))",
    );
    lock_is_free(world);
}

pub(crate) fn a_signal_to_its_own_group_ends_only_the_job(world: &World) {
    let text = world.printed(
        "
signal.signal(signal.SIGTERM, lambda *_: print('caught', flush=True))
os.kill(0, signal.SIGTERM)
os.killpg(os.getpgrp(), signal.SIGTERM)",
    );
    assert_eq!(text, "caught\ncaught\n");
}

pub(crate) fn files_and_memory_have_limits(world: &World) {
    let mut job = world.python(
        "
import resource
try:
    with open(root + '/scratch/large', 'wb') as file:
        file.write(b'x' * (2 << 20))
except OSError as error:
    print(error.strerror)
try:
    bytearray(1 << 30)
except MemoryError:
    print('no memory')
print(resource.getrlimit(resource.RLIMIT_CORE))
print(resource.getrlimit(resource.RLIMIT_NPROC)[1] != resource.RLIM_INFINITY)",
    );
    let limits = &mut job.confinement.as_mut().expect("it is confined").limits;
    limits.file_size = Some(1 << 20);
    limits.memory = Some(1 << 29);
    let text = run(&job).output.text();
    assert_eq!(text, "File too large\nno memory\n(0, 0)\nTrue\n");
    let large = std::fs::metadata(world.root.join("scratch/large")).expect("the job made it");
    assert_eq!(large.len(), 1 << 20);
}

/// The system counts everybody's processes but root's.
pub(crate) fn the_number_of_processes_has_a_limit(world: &World) {
    if rustix::process::getuid().is_root() {
        return;
    }
    let mut job = world.python(
        "
for _ in range(1000):
    try:
        if os.fork() == 0:
            while True: signal.pause()
    except BlockingIOError:
        print('enough')
        break",
    );
    let limits = &mut job.confinement.as_mut().expect("it is confined").limits;
    limits.processes = Some(300);
    assert_eq!(run(&job).output.text(), "enough\n");
}

pub(crate) fn a_hundred_megabytes_of_output_stay_within_the_capture(world: &World) {
    let mut job = world.python("for _ in range(1000): sys.stdout.write('x' * 100_000)");
    job.capture_bytes = 1000;
    let finished = run(&job);
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(finished.output.omitted(), 100_000_000 - 1000);
}
