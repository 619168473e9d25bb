//! The wish to stop, as a flag that loops look at.
//!
//! A signal handler may do almost nothing, so it only sets a flag; waiting code checks it and ends in order: children
//! killed, the journal consistent, exit code 130.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The exit code of an interrupted Proctor.
const INTERRUPTED: i32 = 130;

/// How long a wish to stop may go unnoticed; a signal cannot wake a waiting thread.
const GLANCE: Duration = Duration::from_millis(20);

/// Whether the person, or the system, asked Proctor to stop. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over SIGINT, SIGTERM and SIGHUP for the rest of the process's life.
    ///
    /// A second SIGINT ends the process at once: a user who presses Ctrl-C twice does not want to wait.
    pub fn install() -> std::io::Result<Self> {
        let interrupt = Self::default();
        // Registered first: handlers run in this order, so the first SIGINT finds the flag unset.
        signal_hook::flag::register_conditional_shutdown(
            SIGINT,
            INTERRUPTED,
            Arc::clone(&interrupt.flag),
        )?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&interrupt.flag))?;
        }
        Ok(interrupt)
    }

    /// A flag that no signal sets; [`set`](Self::set) still does.
    pub fn never() -> Self {
        Self::default()
    }

    /// Whether stopping was asked for.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }

    /// Waits, but not beyond a wish to stop; whether there was one.
    pub fn wait(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if self.is_set() || left.is_zero() {
                return self.is_set();
            }
            std::thread::park_timeout(left.min(GLANCE));
        }
    }

    /// Asks for stopping, as a signal would.
    pub fn set(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }
}
