//! Several changes as one.
//!
//! Every new content is on the disk under a temporary name before the first file changes, so a full disk
//! is noticed while nothing has happened yet. If a change fails nevertheless, those before it are taken
//! back. What a killed process leaves half done, a run does again from its journal.

use std::io;
use std::os::fd::OwnedFd;

use proctor_core::context::ProjectPath;
use rustix::fs::{AtFlags, FileType, Gid, Mode, Stat, Uid};
use rustix::io::Errno;

use super::error::{FileError, system};
use super::root::{Root, entry};
use super::temporary::{Attributes, Temporary, sweep};
use crate::crash_point::crash_point;

/// A change to one file.
#[derive(Debug, Clone, Copy)]
pub enum FileChange<'a> {
    /// Make or replace it.
    Write {
        /// Where.
        path: &'a ProjectPath,
        /// What it is to hold.
        content: &'a [u8],
        /// Whether a new file may be executed; an existing one keeps its mode.
        executable: bool,
    },
    /// Remove it; one that is gone already is no error.
    Remove {
        /// Which.
        path: &'a ProjectPath,
    },
}

/// A change that is ready to be made.
struct Ready<'a> {
    path: &'a ProjectPath,
    directory: OwnedFd,
    /// The new content; none if the file goes.
    temporary: Option<Temporary>,
    /// What is there now.
    before: Option<(Vec<u8>, Attributes)>,
}

/// A change that was made: where, and what was there before.
type Done<'a> = (&'a ProjectPath, OwnedFd, Option<(Vec<u8>, Attributes)>);

impl Root {
    /// Makes all changes or, on any error but [`FileError::Indeterminate`], none.
    pub fn apply(&self, changes: &[FileChange<'_>]) -> Result<(), FileError> {
        let mut ready: Vec<Ready<'_>> = Vec::new();
        for change in changes {
            ready.extend(self.prepare(change, changes.len() > 1)?);
        }
        let mut done: Vec<Done<'_>> = Vec::new();
        for Ready {
            path,
            directory,
            temporary,
            before,
        } in ready
        {
            let outcome = match temporary {
                Some(temporary) => temporary.put(path.file_name()),
                None => rustix::fs::unlinkat(&directory, path.file_name(), AtFlags::empty()),
            };
            if let Err(errno) = outcome {
                let error = system(path.as_str())(errno);
                return Err(self.take_back(done).err().unwrap_or(error));
            }
            done.push((path, directory, before));
            // What is thrown away anyway needs no such test.
            if self.durable {
                crash_point("one file written");
            }
        }
        done.iter()
            .try_for_each(|(path, directory, _)| self.confirm(directory, path))
    }

    /// Makes a file that is not there yet; what is there stays as it is.
    pub fn create(&self, path: &ProjectPath, content: &[u8]) -> Result<(), FileError> {
        let directory = self.parent_of(path, true)?;
        sweep(&directory);
        let temporary =
            Temporary::write(&directory, content, Attributes::of_new(false), self.durable)
                .map_err(|source| FileError::Io {
                    path: path.to_string(),
                    source,
                })?;
        temporary
            .put_new(path.file_name())
            .map_err(|errno| match errno {
                Errno::EXIST => FileError::Exists {
                    path: path.to_string(),
                },
                other => system(path.as_str())(other),
            })?;
        self.confirm(&directory, path)
    }

    /// Everything short of the change itself.
    fn prepare<'a>(
        &self,
        change: &FileChange<'a>,
        may_be_taken_back: bool,
    ) -> Result<Option<Ready<'a>>, FileError> {
        let (path, new) = match change {
            FileChange::Write {
                path,
                content,
                executable,
            } => (*path, Some((*content, *executable))),
            FileChange::Remove { path } => (*path, None),
        };
        let directory = match self.parent_of(path, new.is_some()) {
            Err(FileError::Missing { .. }) if new.is_none() => return Ok(None),
            other => other?,
        };
        let existing = match entry(&directory, path)? {
            None if new.is_none() => return Ok(None),
            None => None,
            Some(stat) => Some(replaceable(path, &stat)?),
        };
        let before = match existing {
            Some(attributes) if may_be_taken_back => Some((self.read(path, u64::MAX)?, attributes)),
            _ => None,
        };
        let temporary = match new {
            None => None,
            Some((content, executable)) => {
                if self.durable {
                    sweep(&directory);
                }
                let attributes = existing.unwrap_or(Attributes::of_new(executable));
                let written = Temporary::write(&directory, content, attributes, self.durable);
                Some(written.map_err(|source| FileError::Io {
                    path: path.to_string(),
                    source,
                })?)
            }
        };
        Ok(Some(Ready {
            path,
            directory,
            temporary,
            before,
        }))
    }

    /// Puts back what was there, newest change first.
    fn take_back(&self, done: Vec<Done<'_>>) -> Result<(), FileError> {
        for (path, directory, before) in done.into_iter().rev() {
            let back = match before {
                Some((content, attributes)) => {
                    Temporary::write(&directory, &content, attributes, self.durable)
                        .and_then(|temporary| Ok(temporary.put(path.file_name())?))
                }
                None => rustix::fs::unlinkat(&directory, path.file_name(), AtFlags::empty())
                    .map_err(io::Error::from),
            };
            back.map_err(|source| FileError::Indeterminate {
                path: path.to_string(),
                source,
            })?;
            self.confirm(&directory, path)?;
        }
        Ok(())
    }

    /// Waits until the disk has a directory's latest change, if that matters.
    fn confirm(&self, directory: &OwnedFd, path: &ProjectPath) -> Result<(), FileError> {
        if !self.durable {
            return Ok(());
        }
        rustix::fs::fsync(directory).map_err(|errno| FileError::Indeterminate {
            path: path.to_string(),
            source: errno.into(),
        })
    }
}

/// What a replaced file keeps of its mode: not set-user-id, set-group-id or sticky.
const PERMISSIONS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// What to keep, if the entry is one that may be replaced.
pub(super) fn replaceable(path: &ProjectPath, stat: &Stat) -> Result<Attributes, FileError> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_nlink > 1 => Err(FileError::HardLinked {
            path: path.to_string(),
        }),
        FileType::RegularFile => Ok(Attributes {
            mode: Mode::from_raw_mode(stat.st_mode) & PERMISSIONS,
            owner: Some((Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid))),
        }),
        FileType::Symlink => Err(FileError::Symlink {
            path: path.to_string(),
        }),
        _ => Err(FileError::NotRegular {
            path: path.to_string(),
        }),
    }
}
