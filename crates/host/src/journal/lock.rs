//! One process per run.
//!
//! The lock is the kernel's, on an open file: it goes with the process, however that ends, so neither a crash nor a
//! reboot leaves a false holder. The holder's process id is written into the file for the message only; it is never
//! trusted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

/// Held while a process works on a run.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

/// The remedy where the journal or a lock beside it cannot be written.
pub(super) const UNWRITABLE: &str =
    "check that the git directory can be written and the disk is not full; nothing was changed";

/// Why the lock was not given.
#[derive(Debug, Error)]
pub enum RunLockError {
    /// Another process has it.
    #[error("another proctor process{holder} is working on run {run}")]
    Held {
        /// The run's id.
        run: String,
        /// ` (process 123)`, if known.
        holder: String,
    },
    /// The lock file could not be opened.
    #[error("cannot lock run {run}: {source}")]
    Unavailable {
        /// The run's id.
        run: String,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Explained for RunLockError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Held { .. } => {
                    "wait for it to end, or stop it; a crashed process holds no lock"
                }
                Self::Unavailable { .. } => UNWRITABLE,
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for RunLockError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(RunLockError {
            RunLockError::Held { .. } => RunLockError::Held { run: "RUN".to_owned(), holder: " (process NUMBER)".to_owned() },
            RunLockError::Unavailable { .. } => RunLockError::Unavailable { run: "RUN".to_owned(), source: std::io::Error::other("REASON") },
        })
    }
}

/// How often a lock is tried that may only be looked at, and how long in between.
const LOOKS: u32 = 5;
const LOOK: std::time::Duration = std::time::Duration::from_millis(10);

/// A process that only checks a lock holds it for that moment, and must not count as a holder.
fn patiently(file: &File) -> Result<(), TryLockError> {
    for _ in 1..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::park_timeout(LOOK),
            other => return other,
        }
    }
    file.try_lock()
}

impl RunLock {
    /// Whether a process has the lock. Asking makes no file and leaves nothing in one.
    pub(super) fn is_held(directory: &Path, run: &str) -> bool {
        let opened = File::open(directory.join(format!("{run}.lock")));
        opened.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the lock or names its holder; waits only for the duration of a check.
    pub(super) fn take(directory: &Path, run: &str) -> Result<Self, RunLockError> {
        let unavailable = |source| RunLockError::Unavailable {
            run: run.to_owned(),
            source,
        };
        std::fs::create_dir_all(directory).map_err(unavailable)?;
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(directory.join(format!("{run}.lock")))
            .map_err(unavailable)?;
        match patiently(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                let holder = text.trim().parse::<u32>();
                let holder = holder.map_or(String::new(), |id| format!(" (process {id})"));
                return Err(RunLockError::Held {
                    run: run.to_owned(),
                    holder,
                });
            }
            Err(TryLockError::Error(source)) => return Err(unavailable(source)),
        }
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "{}", std::process::id());
        Ok(Self { _file: file })
    }
}
