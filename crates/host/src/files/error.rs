//! Why a file was not read or written.

use std::io;

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
    /// There is something at that path already.
    #[error("{path} exists already and is left as it is")]
    Exists {
        /// The path.
        path: String,
    },
    /// Somebody wrote to the file after its content was looked at.
    #[error("{path} was changed by somebody else meanwhile and is left as it is")]
    ChangedMeanwhile {
        /// The path.
        path: String,
    },
    /// There is nothing at that path.
    #[error("{path} does not exist")]
    Missing {
        /// The path.
        path: String,
    },
    /// Another filesystem is mounted on the way.
    #[error("{path} is on another filesystem than the root")]
    OtherFilesystem {
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
    #[error("{path} cannot be read or written: {source}")]
    Io {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

pub(super) fn system(path: &str) -> impl Fn(Errno) -> FileError + '_ {
    move |errno| match errno {
        Errno::LOOP => FileError::Symlink {
            path: path.to_owned(),
        },
        // Opening a socket, or a device without a driver, is answered with the latter.
        Errno::NOTDIR | Errno::NXIO => FileError::NotRegular {
            path: path.to_owned(),
        },
        Errno::XDEV => FileError::OtherFilesystem {
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
