//! Files beneath one directory, reached without following links.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use proctor_core::context::ProjectPath;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use thiserror::Error;

/// Why a file was not read or written. Except for [`FileError::Indeterminate`], nothing changed.
#[derive(Debug, Error)]
pub enum FileError {
    /// A component of the path, or the file itself, is a symbolic link.
    #[error("{path} is or leads through a symbolic link")]
    Symlink {
        /// The path.
        path: String,
    },
    /// It is a directory, a device, a pipe or a socket, or leads through something that is no directory.
    #[error("{path} is not a regular file")]
    NotRegular {
        /// The path.
        path: String,
    },
    /// The file has a second name, which would change with it.
    #[error("{path} has more than one hard link")]
    HardLinked {
        /// The path.
        path: String,
    },
    /// There is nothing at that path.
    #[error("{path} does not exist")]
    Missing {
        /// The path.
        path: String,
    },
    /// The new content is in place, or the file gone, but the disk did not confirm it.
    #[error(
        "{path} was changed, but it is not certain that this survives a power failure: {source}"
    )]
    Indeterminate {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

fn system(path: &str) -> impl Fn(Errno) -> FileError + '_ {
    move |errno| match errno {
        Errno::LOOP => FileError::Symlink {
            path: path.to_owned(),
        },
        // Opening a socket, or a device without a driver, is answered with the latter.
        Errno::NOTDIR | Errno::NXIO => FileError::NotRegular {
            path: path.to_owned(),
        },
        Errno::NOENT => FileError::Missing {
            path: path.to_owned(),
        },
        other => FileError::Io {
            path: path.to_owned(),
            source: other.into(),
        },
    }
}

/// A directory that files are read and written beneath.
#[derive(Debug)]
pub struct Root {
    directory: OwnedFd,
    path: PathBuf,
    /// Whether what is written has to survive a power failure.
    durable: bool,
}

const DIRECTORY: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::RDONLY);

impl Root {
    /// Holds `path` open; its own name may lead through links, which the user chose.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
        let directory = rustix::fs::open(path, flags, Mode::empty())?;
        Ok(Self {
            directory,
            path: path.to_owned(),
            durable: true,
        })
    }

    /// The same for a directory that is thrown away: writes are atomic, but the disk is not waited for.
    pub fn open_scratch(path: &Path) -> io::Result<Self> {
        Ok(Self {
            durable: false,
            ..Self::open(path)?
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that holds `path`, opened component by component.
    fn parent_of(&self, path: &ProjectPath, make: bool) -> Result<OwnedFd, FileError> {
        let failed = system(path.as_str());
        let mut directory = self.directory.try_clone().map_err(|source| FileError::Io {
            path: path.to_string(),
            source,
        })?;
        let components: Vec<&str> = path.components().collect();
        for component in &components[..components.len().saturating_sub(1)] {
            if make {
                match rustix::fs::mkdirat(&directory, *component, Mode::from(0o755)) {
                    // The new directory's own name is the parent's content.
                    Ok(()) if self.durable => rustix::fs::fsync(&directory).map_err(&failed)?,
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(errno) => return Err(failed(errno)),
                }
            }
            directory = open_directory(directory.as_fd(), component).map_err(&failed)?;
        }
        Ok(directory)
    }

    /// What is at `path`, links not followed.
    pub fn kind(&self, path: &ProjectPath) -> Result<FileType, FileError> {
        let directory = self.parent_of(path, false)?;
        let stat = entry(&directory, path)?.ok_or_else(|| FileError::Missing {
            path: path.to_string(),
        })?;
        Ok(FileType::from_raw_mode(stat.st_mode))
    }

    /// The content of a regular file; at most `limit` bytes and one more, so that a caller can tell a
    /// file that is too large without reading it all.
    pub fn read(&self, path: &ProjectPath, limit: u64) -> Result<Vec<u8>, FileError> {
        let directory = self.parent_of(path, false)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let failed = system(path.as_str());
        let handle = rustix::fs::openat(&directory, path.file_name(), flags, Mode::empty())
            .map_err(&failed)?;
        let stat = rustix::fs::fstat(&handle).map_err(&failed)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(FileError::NotRegular {
                path: path.to_string(),
            });
        }
        let mut content = Vec::new();
        File::from(handle)
            .take(limit.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(|source| FileError::Io {
                path: path.to_string(),
                source,
            })?;
        Ok(content)
    }

    /// Puts `content` at `path`: all of it or, on any error, none. Missing directories are made.
    pub fn write(
        &self,
        path: &ProjectPath,
        content: &[u8],
        executable: bool,
    ) -> Result<(), FileError> {
        let directory = self.parent_of(path, true)?;
        let mode = match entry(&directory, path)? {
            None if executable => Mode::from(0o755),
            None => Mode::from(0o644),
            Some(stat) => replaceable(path, &stat)?,
        };
        let failed = system(path.as_str());
        let io_failed = |source| FileError::Io {
            path: path.to_string(),
            source,
        };
        let temporary = temporary_name();
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(&directory, &temporary, flags, Mode::from(0o600))
            .map_err(&failed)?;
        let written =
            write_through(File::from(handle), content, mode, self.durable).map_err(io_failed);
        let renamed = written.and_then(|()| {
            rustix::fs::renameat(&directory, &temporary, &directory, path.file_name())
                .map_err(&failed)
        });
        if let Err(error) = renamed {
            let _ = rustix::fs::unlinkat(&directory, &temporary, AtFlags::empty());
            return Err(error);
        }
        self.confirm(&directory, path)
    }

    /// Removes a regular file; one that is gone already is no error.
    pub fn remove(&self, path: &ProjectPath) -> Result<(), FileError> {
        let directory = match self.parent_of(path, false) {
            Err(FileError::Missing { .. }) => return Ok(()),
            other => other?,
        };
        let Some(stat) = entry(&directory, path)? else {
            return Ok(());
        };
        replaceable(path, &stat)?;
        let failed = system(path.as_str());
        rustix::fs::unlinkat(&directory, path.file_name(), AtFlags::empty()).map_err(&failed)?;
        self.confirm(&directory, path)
    }

    /// Removes the directories that `path` lies in, from the innermost on, as far as they are empty.
    pub fn remove_empty_parents(&self, path: &ProjectPath) -> Result<(), FileError> {
        let mut inner = path.parent();
        while let Some(name) = inner {
            let Ok(directory) = ProjectPath::parse(name) else {
                return Ok(());
            };
            let above = self.parent_of(&directory, false)?;
            match rustix::fs::unlinkat(&above, directory.file_name(), AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => {
                    inner = name.rsplit_once('/').map(|(parent, _)| parent);
                }
                Err(_) => return Ok(()),
            }
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

fn entry(directory: &OwnedFd, path: &ProjectPath) -> Result<Option<Stat>, FileError> {
    match rustix::fs::statat(directory, path.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(system(path.as_str())(errno)),
    }
}

fn open_directory(parent: BorrowedFd<'_>, component: &str) -> Result<OwnedFd, Errno> {
    match rustix::fs::openat(parent, component, DIRECTORY, Mode::empty()) {
        // Linux answers ENOTDIR for a link that is not followed; tell the two apart.
        Err(Errno::NOTDIR) => {
            let stat = rustix::fs::statat(parent, component, AtFlags::SYMLINK_NOFOLLOW)?;
            let is_link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
            Err(if is_link { Errno::LOOP } else { Errno::NOTDIR })
        }
        other => other,
    }
}

/// What a replaced file keeps of its mode: not set-user-id, set-group-id or sticky.
const PERMISSIONS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// The permission bits to keep, if the entry is one that may be replaced.
fn replaceable(path: &ProjectPath, stat: &Stat) -> Result<Mode, FileError> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_nlink > 1 => Err(FileError::HardLinked {
            path: path.to_string(),
        }),
        FileType::RegularFile => Ok(Mode::from_raw_mode(stat.st_mode) & PERMISSIONS),
        FileType::Symlink => Err(FileError::Symlink {
            path: path.to_string(),
        }),
        _ => Err(FileError::NotRegular {
            path: path.to_string(),
        }),
    }
}

fn write_through(mut file: File, content: &[u8], mode: Mode, durable: bool) -> io::Result<()> {
    file.write_all(content)?;
    rustix::fs::fchmod(&file, mode)?;
    if durable { file.sync_all() } else { Ok(()) }
}

fn temporary_name() -> String {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's hasher is keyed at random; no other source of randomness is needed.
    let number = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    format!(".proctor-{number:016x}.tmp")
}
