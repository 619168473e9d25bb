//! The only writer.
//!
//! A [`Root`] holds its directory open and reaches files beneath it without ever going through a
//! symbolic link, so that a name checked by [`ProjectPath`](proctor_core::path::ProjectPath) cannot be
//! made to mean another place between the check and the write. Writes are atomic and durable, and several
//! of them are one: all files change or none ([`Root::apply`]).

mod context;
mod error;
mod expand;
mod lock_file;
mod overlay;
mod root;
mod temporary;
mod transaction;

#[cfg(feature = "samples")]
pub(crate) use context::sample_problems;
pub use context::{ContextArguments, load_context};
pub use error::{FileError, OwnFileError};
pub use expand::matching;
pub(crate) use lock_file::LockFile;
pub(crate) use overlay::{overlay, strip};
pub use root::{Root, Turn};
pub use transaction::{Expected, FileChange};

use std::io;
use std::path::Path;

/// Replaces or makes a file that belongs to Proctor or was named by the user: evidence, recordings.
/// Atomic; for the repository's own files use [`Root`].
pub fn write_own(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// How many bytes the user may still write where `path` is or would be; `None` if the system does not say.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let facts = rustix::fs::statvfs(existing(path)).ok()?;
    Some(facts.f_bavail.saturating_mul(facts.f_frsize))
}

/// Whether `path` can be written to, or made; nothing is written to find out.
pub fn is_writable(path: &Path) -> bool {
    let directory = existing(path);
    directory.is_dir() && rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).is_ok()
}

/// The nearest existing ancestor.
fn existing(path: &Path) -> &Path {
    let there = path.ancestors().find(|ancestor| ancestor.exists());
    there.unwrap_or(Path::new("/"))
}

/// Removes a file that Proctor made.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that removes files"
)]
pub fn remove_own(path: &Path) -> io::Result<()> {
    std::fs::remove_file(path)
}

/// Removes a directory that Proctor made, with everything in it, even directories that something which
/// ran there has closed to its own user.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that removes files"
)]
pub fn remove_own_directory(path: &Path) -> io::Result<()> {
    let removed = match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_directories(path)?;
            std::fs::remove_dir_all(path)
        }
        other => other,
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives the user back every directory below `path`, links not followed.
fn open_directories(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if path.symlink_metadata()?.is_dir() {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        for entry in std::fs::read_dir(path)? {
            open_directories(&entry?.path())?;
        }
    }
    Ok(())
}
