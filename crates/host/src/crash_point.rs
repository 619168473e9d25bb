//! Places at which a test may end the process.
//!
//! Compiled to nothing unless the `crash-points` feature is on, which only the tests' build turns on.
//! With `PROCTOR_CRASH_AT=N` the N-th point that is passed kills the process as `kill -9` would; with
//! `PROCTOR_PANIC_AT=NAME` the program panics at the point of that name.

/// Marks a place between two steps that a crash must not be able to harm.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub fn crash_point(_name: &str) {}

/// Marks a place between two steps that a crash must not be able to harm.
#[cfg(feature = "crash-points")]
pub fn crash_point(name: &str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Target {
        killed_at: Option<u32>,
        panics_at: Option<String>,
    }

    static TARGET: OnceLock<Target> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);
    #[expect(
        clippy::disallowed_methods,
        reason = "a test hook, absent from released binaries"
    )]
    let target = TARGET.get_or_init(|| Target {
        killed_at: std::env::var("PROCTOR_CRASH_AT")
            .ok()
            .and_then(|text| text.parse().ok()),
        panics_at: std::env::var("PROCTOR_PANIC_AT").ok(),
    });
    let passed = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
    if target.killed_at == Some(passed) {
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
    assert!(
        target.panics_at.as_deref() != Some(name),
        "a test wants it at {name:?}"
    );
}
