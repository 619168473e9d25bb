//! Files that git has written are not on the disk yet: measured, a commit is lost when the power fails within seconds.
//! This module flushes the few files that matter, objects before the ref that names them.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use super::GitError;

/// Flushes a file or directory; `false` if there is none.
pub(super) fn flush(path: &Path) -> Result<bool, GitError> {
    match File::open(path) {
        Ok(file) => {
            file.sync_all()?;
            Ok(true)
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Flushes everything on the file system of this directory.
pub(super) fn flush_everything(directory: &Path) -> Result<(), GitError> {
    let directory = File::open(directory)?;
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(&directory).map_err(std::io::Error::from)?;
    #[cfg(not(target_os = "linux"))]
    rustix::fs::fsync(&directory).map_err(std::io::Error::from)?;
    Ok(())
}
