//! Temporary files beside their targets: written, confirmed by the disk, then renamed.
//!
//! A process that is killed leaves its temporary file behind. The next writer in the same directory removes it: a file
//! that is still being written is locked, so only strays can be removed.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FlockOperation, Gid, Mode, OFlags, Uid, flock};
use rustix::io::Errno;

const PREFIX: &[u8] = b".proctor-";
const SUFFIX: &[u8] = b".tmp";

/// A file's attributes besides its content.
#[derive(Debug, Clone, Copy)]
pub(super) enum Attributes {
    /// Those of a new file: its maker's, with the rights that the maker's mask leaves of these.
    New(Mode),
    /// Those of the file that is replaced.
    Kept { mode: Mode, owner: Uid, group: Gid },
}

impl Attributes {
    /// Those of a new file.
    pub(super) fn of_new(executable: bool) -> Self {
        Self::New(Mode::from(if executable { 0o777 } else { 0o666 }))
    }
}

/// A temporary file; removed when dropped, unless it was put in its place.
#[derive(Debug)]
pub(super) struct Temporary {
    directory: OwnedFd,
    name: String,
    /// Holds the lock.
    file: File,
    in_place: bool,
}

impl Temporary {
    /// Writes a temporary file in a directory.
    pub(super) fn write(
        directory: &OwnedFd,
        content: &[u8],
        attributes: Attributes,
        durable: bool,
    ) -> io::Result<Self> {
        let name = name();
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = match attributes {
            Attributes::New(mode) => mode,
            // Until it has its own: the replaced file may be private.
            Attributes::Kept { .. } => Mode::from(0o600),
        };
        let handle = rustix::fs::openat(directory, &name, flags, mode)?;
        let mut temporary = Self {
            directory: directory.try_clone()?,
            name,
            file: File::from(handle),
            in_place: false,
        };
        let file = &mut temporary.file;
        if durable {
            flock(&*file, FlockOperation::NonBlockingLockExclusive)?;
        }
        file.write_all(content)?;
        if let Attributes::Kept { mode, owner, group } = attributes {
            // Only root can give a file away, and others only to a group of their own; as with every
            // editor the content counts more than whose it is.
            let _ = rustix::fs::fchown(&*file, Some(owner), Some(group))
                .or_else(|_| rustix::fs::fchown(&*file, None, Some(group)));
            rustix::fs::fchmod(&*file, mode)?;
        }
        if durable {
            file.sync_all()?;
        }
        Ok(temporary)
    }

    /// Makes it the file of this name.
    pub(super) fn put(mut self, name: &str) -> Result<(), Errno> {
        rustix::fs::renameat(&self.directory, &self.name, &self.directory, name)?;
        self.in_place = true;
        Ok(())
    }

    /// The same unless there is something of this name already, whenever it came there.
    pub(super) fn put_new(mut self, name: &str) -> Result<(), Errno> {
        let directory = &self.directory;
        match rename_beside(directory, &self.name, name) {
            // The file system has no such call, but a second name cannot replace anything either; the first one goes
            // when this is dropped.
            Err(Errno::INVAL | Errno::NOSYS) => {
                rustix::fs::linkat(directory, &self.name, directory, name, AtFlags::empty())
            }
            other => {
                self.in_place = other.is_ok();
                other
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.in_place {
            let _ = rustix::fs::unlinkat(&self.directory, &self.name, AtFlags::empty());
        }
    }
}

/// Renames a file within a directory, never over another.
#[cfg(target_os = "linux")]
fn rename_beside(directory: &OwnedFd, old: &str, new: &str) -> Result<(), Errno> {
    use rustix::fs::{RenameFlags, renameat_with};
    renameat_with(directory, old, directory, new, RenameFlags::NOREPLACE)
}

#[cfg(not(target_os = "linux"))]
fn rename_beside(_directory: &OwnedFd, _old: &str, _new: &str) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// Removes temporary files of killed processes from a directory. Nothing depends on it, so errors are ignored.
pub(super) fn sweep(directory: &OwnedFd) {
    let Ok(entries) = Dir::read_from(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !is_ours(name.to_bytes()) {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(handle) = rustix::fs::openat(directory, name, flags, Mode::empty()) else {
            continue;
        };
        if flock(&handle, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = rustix::fs::unlinkat(directory, name, AtFlags::empty());
        }
    }
}

fn is_ours(name: &[u8]) -> bool {
    let middle = name
        .strip_prefix(PREFIX)
        .and_then(|name| name.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| middle.len() == 16 && middle.iter().all(u8::is_ascii_hexdigit))
}

fn name() -> String {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's hasher is keyed at random; no other source of randomness is needed.
    let number = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    format!(".proctor-{number:016x}.tmp")
}
