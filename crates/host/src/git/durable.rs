//! What git has written is not on the disk yet: measured, a commit is lost when the power fails within
//! seconds. Here the few files that matter are flushed, objects before the ref that names them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use proctor_core::object_id::CommitId;

use super::GitError;
use super::invocation::Repository;
use super::private_index::PrivateIndex;

impl Repository {
    /// Flushes the objects of a commit that none of `known` leads to. Objects in packs are left out: git
    /// flushes packs by itself.
    pub(super) fn flush_objects(&self, commit: &CommitId, known: &[&str]) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        let listing = self
            .call(&index, "rev-list")
            .arguments(["--objects", "--no-object-names", commit.as_str(), "--not"])
            .arguments(known.iter().copied())
            .text()?;
        let objects = self.common.join("objects");
        let mut directories = BTreeSet::new();
        for id in listing.lines().filter(|id| id.len() > 2) {
            let directory = objects.join(&id[..2]);
            if flush(&directory.join(&id[2..]))? {
                directories.insert(directory);
            }
        }
        for directory in &directories {
            flush(directory)?;
        }
        flush(&objects)?;
        Ok(())
    }

    /// Flushes one loose object; one in a pack is left to git.
    pub(super) fn flush_object(&self, id: &str) -> Result<(), GitError> {
        let directory = self.common.join("objects").join(&id[..2]);
        if flush(&directory.join(&id[2..]))? {
            flush(&directory)?;
        }
        Ok(())
    }

    /// Flushes a ref that was just written, and the directories that lead to it.
    pub(super) fn flush_reference(&self, reference: &str) -> Result<(), GitError> {
        let file = self.common.join(reference);
        if !flush(&file)? {
            // Refs are kept some other way (one table for all of them); flush everything there is.
            return self.flush_everything();
        }
        for directory in file.ancestors().skip(1) {
            flush(directory)?;
            if directory == self.common {
                break;
            }
        }
        Ok(())
    }

    fn flush_everything(&self) -> Result<(), GitError> {
        let directory = File::open(&self.common)?;
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(&directory).map_err(std::io::Error::from)?;
        #[cfg(not(target_os = "linux"))]
        rustix::fs::fsync(&directory).map_err(std::io::Error::from)?;
        Ok(())
    }
}

/// Flushes a file or directory; `false` if there is none.
fn flush(path: &Path) -> Result<bool, GitError> {
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
