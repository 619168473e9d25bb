//! The next content of a file that git guards: the process that created `NAME.lock` may change `NAME`, by renaming the
//! first to the second.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// A lock, and the file's next content; released when dropped.
#[derive(Debug)]
pub(crate) struct LockFile {
    target: PathBuf,
    lock: PathBuf,
    file: File,
    in_place: bool,
}

impl LockFile {
    /// Takes the lock of a file; `None` if another process has it.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that writes files"
    )]
    pub(crate) fn take(target: &Path) -> io::Result<Option<Self>> {
        let mut lock = target.as_os_str().to_owned();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let file = match File::create_new(&lock) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            other => other?,
        };
        let taken = Self {
            target: target.to_owned(),
            lock,
            file,
            in_place: false,
        };
        // A repository that several users share has rights of its own.
        if let Ok(facts) = target.metadata() {
            taken.file.set_permissions(facts.permissions())?;
        }
        Ok(Some(taken))
    }

    /// The content that the file gets.
    pub(crate) fn fill(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)?;
        self.file.sync_all()
    }

    /// Makes it the file.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that writes files"
    )]
    pub(crate) fn put(mut self) -> io::Result<()> {
        std::fs::rename(&self.lock, &self.target)?;
        self.in_place = true;
        Ok(())
    }
}

impl Drop for LockFile {
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that removes files"
    )]
    fn drop(&mut self) {
        if !self.in_place {
            let _ = std::fs::remove_file(&self.lock);
        }
    }
}
