//! Files beneath one directory, reached without following links.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use proctor_core::path::ProjectPath;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat, flock};
use rustix::io::Errno;

use super::error::{FileError, system};
use super::transaction::{Expected, FileChange, replaceable};

/// A directory that files are read and written beneath.
#[derive(Debug)]
pub struct Root {
    directory: OwnedFd,
    path: PathBuf,
    /// Whether written files have to survive a power failure.
    pub(super) durable: bool,
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

    /// The directory that holds `path`, opened beneath the root.
    pub(super) fn parent_of(&self, path: &ProjectPath, make: bool) -> Result<OwnedFd, FileError> {
        let failed = system(path.as_str());
        match self.beneath(path.parent().unwrap_or(".")) {
            Ok(directory) => Ok(directory),
            // An older kernel, or one whose guard does not know the call. And a path reported on another filesystem may
            // also have been moved away at this moment, which the walk tells apart.
            Err(Errno::NOSYS | Errno::PERM | Errno::XDEV) => self.walk(path, make),
            Err(Errno::NOENT) if make => self.walk(path, make),
            Err(errno) => Err(failed(errno)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn beneath(&self, _directory: &str) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }

    /// One call that the kernel answers without following a link, leaving the root or its filesystem.
    #[cfg(target_os = "linux")]
    fn beneath(&self, directory: &str) -> Result<OwnedFd, Errno> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH
            | ResolveFlags::NO_SYMLINKS
            | ResolveFlags::NO_MAGICLINKS
            | ResolveFlags::NO_XDEV;
        // Refusing links is the kernel's part here; asked for twice it answers less clearly.
        let flags = DIRECTORY.difference(OFlags::NOFOLLOW);
        loop {
            let opened =
                rustix::fs::openat2(&self.directory, directory, flags, Mode::empty(), resolve);
            // A rename somewhere in the tree made the kernel unsure; it wants to be asked again.
            match opened {
                Err(Errno::AGAIN | Errno::INTR) => {}
                other => return other,
            }
        }
    }

    /// The same component by component, making directories that are missing.
    fn walk(&self, path: &ProjectPath, make: bool) -> Result<OwnedFd, FileError> {
        let failed = system(path.as_str());
        let mut directory = self.directory.try_clone().map_err(|source| FileError::Io {
            path: path.to_string(),
            source,
        })?;
        let device = rustix::fs::fstat(&directory).map_err(&failed)?.st_dev;
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
            if rustix::fs::fstat(&directory).map_err(&failed)?.st_dev != device {
                return Err(failed(Errno::XDEV));
            }
        }
        Ok(directory)
    }

    /// The kind of entry at `path`, links not followed.
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
        read(&directory, path, limit)
    }

    /// How many bytes a file has.
    pub fn size(&self, path: &ProjectPath) -> Result<u64, FileError> {
        let directory = self.parent_of(path, false)?;
        let stat = entry(&directory, path)?;
        Ok(stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0)))
    }

    /// The same of a file that may be replaced: a regular one with a single name.
    pub fn read_replaceable(&self, path: &ProjectPath, limit: u64) -> Result<Vec<u8>, FileError> {
        let directory = self.parent_of(path, false)?;
        let stat = entry(&directory, path)?.ok_or_else(|| FileError::Missing {
            path: path.to_string(),
        })?;
        replaceable(path, &stat)?;
        read(&directory, path, limit)
    }

    /// Puts `content` at `path`: all of it or, on any error, none. Missing directories are made.
    pub fn write(
        &self,
        path: &ProjectPath,
        content: &[u8],
        executable: bool,
    ) -> Result<(), FileError> {
        self.apply(&[FileChange::Write {
            path,
            content,
            expected: Expected::Anything,
            executable,
        }])
    }

    /// The same, if the file is still as the caller saw it: `before`, or missing.
    pub fn write_over(
        &self,
        path: &ProjectPath,
        before: Option<&[u8]>,
        content: &[u8],
    ) -> Result<(), FileError> {
        self.apply(&[FileChange::Write {
            path,
            content,
            expected: Expected::seen(before),
            executable: false,
        }])
    }

    /// Waits until no other Proctor process is between reading and writing a file here; others wait until this is
    /// dropped. Where the file system has no such locks no process waits, and a changed file is noticed all the same
    /// when it is written.
    pub fn take_turn(&self) -> Turn<'_> {
        let _ = flock(&self.directory, FlockOperation::LockExclusive);
        Turn(self)
    }

    /// Removes a regular file; a missing one is not an error.
    pub fn remove(&self, path: &ProjectPath) -> Result<(), FileError> {
        self.apply(&[FileChange::Remove { path }])
    }

    /// Removes the parent directories of `path`, from the innermost on, as far as they are empty.
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
}

/// Keeps other Proctor processes from writing; see [`Root::take_turn`].
#[derive(Debug)]
pub struct Turn<'a>(&'a Root);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let _ = flock(&self.0.directory, FlockOperation::Unlock);
    }
}

/// A regular file in a directory, to be read.
fn open(directory: &OwnedFd, path: &ProjectPath) -> Result<File, FileError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let failed = system(path.as_str());
    let handle =
        rustix::fs::openat(directory, path.file_name(), flags, Mode::empty()).map_err(&failed)?;
    let stat = rustix::fs::fstat(&handle).map_err(&failed)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(FileError::NotRegular {
            path: path.to_string(),
        });
    }
    Ok(File::from(handle))
}

/// The content of a regular file in a directory; at most `limit` bytes and one more.
fn read(directory: &OwnedFd, path: &ProjectPath, limit: u64) -> Result<Vec<u8>, FileError> {
    let mut content = Vec::new();
    open(directory, path)?
        .take(limit.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(unreadable(path))?;
    Ok(content)
}

/// Whether a regular file in a directory has this content, without holding it a second time.
pub(super) fn holds(
    directory: &OwnedFd,
    path: &ProjectPath,
    content: &[u8],
) -> Result<bool, FileError> {
    let mut file = open(directory, path)?;
    let mut buffer = vec![0; PIECE];
    let mut rest = content;
    loop {
        let count = file.read(&mut buffer).map_err(unreadable(path))?;
        if count == 0 {
            return Ok(rest.is_empty());
        }
        match rest.strip_prefix(&buffer[..count]) {
            Some(left) => rest = left,
            None => return Ok(false),
        }
    }
}

/// As much as is compared at a time.
const PIECE: usize = 1 << 16;

fn unreadable(path: &ProjectPath) -> impl Fn(io::Error) -> FileError + '_ {
    |source| FileError::Io {
        path: path.to_string(),
        source,
    }
}

/// The entry at a path, links not followed.
pub(super) fn entry(directory: &OwnedFd, path: &ProjectPath) -> Result<Option<Stat>, FileError> {
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
