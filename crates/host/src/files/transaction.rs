//! Several changes as one.
//!
//! Every new content is on the disk under a temporary name before the first file changes, so a full disk is noticed
//! while nothing has happened yet. If a change fails nevertheless, those before it are undone. Work that a killed
//! process left half done is repeated by a run from its journal.

use std::io;
use std::os::fd::OwnedFd;

use proctor_core::path::ProjectPath;
use rustix::fs::{AtFlags, FileType, Gid, Mode, Stat, Uid};
use rustix::io::Errno;

use super::error::{FileError, system};
use super::root::{Root, entry, holds};
use super::temporary::{Attributes, Temporary, sweep};
use crate::crash_point::crash_point;

/// The state of a path that a write requires.
#[derive(Debug, Clone, Copy)]
pub enum Expected<'a> {
    /// Any state: only Proctor writes there.
    Anything,
    /// Nothing: a file that appeared meanwhile stays.
    Nothing,
    /// A file with this content: another program's changes meanwhile stay.
    Content(&'a [u8]),
}

impl<'a> Expected<'a> {
    /// The file as the caller saw it: its content, or that there was none.
    pub fn seen(before: Option<&'a [u8]>) -> Self {
        before.map_or(Self::Nothing, Self::Content)
    }
}

/// A change to one file.
#[derive(Debug, Clone, Copy)]
pub enum FileChange<'a> {
    /// Make or replace it.
    Write {
        /// The file's path.
        path: &'a ProjectPath,
        /// Its new content.
        content: &'a [u8],
        /// Its state until then.
        expected: Expected<'a>,
        /// Whether a new file may be executed; an existing one keeps its mode.
        executable: bool,
    },
    /// Remove it; a missing file is not an error.
    Remove {
        /// The file's path.
        path: &'a ProjectPath,
    },
}

/// A change that is ready to be made.
struct Ready<'a> {
    path: &'a ProjectPath,
    directory: OwnedFd,
    /// The new content and the state it replaces; none if the file is removed.
    new: Option<(Temporary, Expected<'a>)>,
    /// The current content.
    before: Option<(Vec<u8>, Attributes)>,
}

/// A change that was made: where, and the old content.
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
            new,
            before,
        } in ready
        {
            let outcome = match new {
                Some((temporary, expected)) => put(&directory, path, temporary, expected),
                None => rustix::fs::unlinkat(&directory, path.file_name(), AtFlags::empty())
                    .map_err(system(path.as_str())),
            };
            if let Err(error) = outcome {
                return Err(self.take_back(done).err().unwrap_or(error));
            }
            done.push((path, directory, before));
            // Temporary files need no such test.
            if self.durable {
                crash_point("one file written");
            }
        }
        done.iter()
            .try_for_each(|(path, directory, _)| self.confirm(directory, path))
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
                expected,
                executable,
            } => (*path, Some((*content, *expected, *executable))),
            FileChange::Remove { path } => (*path, None),
        };
        let directory = match self.parent_of(path, new.is_some()) {
            Err(FileError::Missing { .. }) if new.is_none() => return Ok(None),
            other => other?,
        };
        let existing = match (entry(&directory, path)?, new) {
            (None, None) => return Ok(None),
            (None, Some(_)) => None,
            (Some(_), Some((_, Expected::Nothing, _))) => {
                return Err(FileError::Exists {
                    path: path.to_string(),
                });
            }
            (Some(stat), _) => Some(replaceable(path, &stat)?),
        };
        let before = match existing {
            Some(attributes) if may_be_taken_back => Some((self.read(path, u64::MAX)?, attributes)),
            _ => None,
        };
        let new = match new {
            None => None,
            Some((content, expected, executable)) => {
                if self.durable {
                    sweep(&directory);
                }
                let attributes = existing.unwrap_or(Attributes::of_new(executable));
                let written = Temporary::write(&directory, content, attributes, self.durable);
                let temporary = written.map_err(|source| FileError::Io {
                    path: path.to_string(),
                    source,
                })?;
                Some((temporary, expected))
            }
        };
        Ok(Some(Ready {
            path,
            directory,
            new,
            before,
        }))
    }

    /// Restores the old contents, newest change first.
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

/// The last step: the new content replaces the expected state, and nothing else.
fn put(
    directory: &OwnedFd,
    path: &ProjectPath,
    temporary: Temporary,
    expected: Expected<'_>,
) -> Result<(), FileError> {
    match expected {
        Expected::Anything => {}
        Expected::Nothing => {
            return temporary
                .put_new(path.file_name())
                .map_err(|errno| match errno {
                    Errno::EXIST => FileError::Exists {
                        path: path.to_string(),
                    },
                    other => system(path.as_str())(other),
                });
        }
        Expected::Content(content) => {
            let as_seen = match holds(directory, path, content) {
                Err(FileError::Missing { .. }) => false,
                other => other?,
            };
            if !as_seen {
                return Err(FileError::ChangedMeanwhile {
                    path: path.to_string(),
                });
            }
        }
    }
    temporary
        .put(path.file_name())
        .map_err(system(path.as_str()))
}

/// The permission bits that a replaced file keeps: not set-user-id, set-group-id or sticky.
const PERMISSIONS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// The attributes to keep, if the entry is one that may be replaced.
pub(super) fn replaceable(path: &ProjectPath, stat: &Stat) -> Result<Attributes, FileError> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_nlink > 1 => Err(FileError::HardLinked {
            path: path.to_string(),
        }),
        FileType::RegularFile => Ok(Attributes::Kept {
            mode: Mode::from_raw_mode(stat.st_mode) & PERMISSIONS,
            owner: Uid::from_raw(stat.st_uid),
            group: Gid::from_raw(stat.st_gid),
        }),
        FileType::Symlink => Err(FileError::Symlink {
            path: path.to_string(),
        }),
        _ => Err(FileError::NotRegular {
            path: path.to_string(),
        }),
    }
}
