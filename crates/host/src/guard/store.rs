//! A session on the disk. Only one event at a time has it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::PathBuf;
use std::time::Duration;

use proctor_core::guard::Session;
use proctor_core::object_id::TreeId;

use super::GuardError;
use crate::files::{OwnFileError, write_own};
use crate::gate::Place;
use crate::run_data::guard_directory;

/// The interval for checking whether another process is done.
const GLANCE: Duration = Duration::from_millis(15);

/// A session, locked. The lock is the kernel's: it goes with the process.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    _lock: File,
}

impl SessionFile {
    /// Waits until no other process has it.
    pub(super) fn lock(place: Place<'_>) -> Result<Self, GuardError> {
        let directory = guard_directory(place.repository);
        let path = directory.join("session.json");
        let failed = |path: &PathBuf| OwnFileError::at(path);
        std::fs::create_dir_all(&directory).map_err(failed(&directory))?;
        let lock = directory.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock)
            .map_err(failed(&lock))?;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if !place.interrupt.wait(GLANCE) => {}
                Err(TryLockError::WouldBlock) => {
                    let error = std::io::Error::from(std::io::ErrorKind::Interrupted);
                    return Err(failed(&lock)(error).into());
                }
                Err(TryLockError::Error(error)) => return Err(failed(&lock)(error).into()),
            }
        }
        Ok(Self { path, _lock: file })
    }

    /// The stored session; a change without one is open. An unreadable session is discarded, so tests come first again.
    pub(super) fn read(&self, head: &TreeId) -> Session {
        let text = std::fs::read(&self.path).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_else(|_| Session::new(head.clone()))
    }

    pub(super) fn write(&self, session: &Session) -> Result<(), GuardError> {
        let text = serde_json::to_vec_pretty(session).unwrap_or_default();
        let written = write_own(&self.path, &text);
        Ok(written.map_err(OwnFileError::at(&self.path))?)
    }
}
