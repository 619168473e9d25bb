//! Why a file was not read or written.

use std::io;
use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use rustix::io::Errno;
use thiserror::Error;

/// Why a file was not read or written. Except for [`FileError::Indeterminate`], nothing changed.
#[derive(Debug, Error)]
pub enum FileError {
    /// A component of the path, or the file itself, is a symbolic link.
    #[error("{path} is or leads through a symbolic link")]
    Symlink {
        /// The path in question.
        path: String,
    },
    /// It is a directory, a device, a pipe or a socket, or leads through something that is not a directory.
    #[error("{path} is not a regular file")]
    NotRegular {
        /// The path in question.
        path: String,
    },
    /// The file has a second name, which would change with it.
    #[error("{path} has more than one hard link")]
    HardLinked {
        /// The path in question.
        path: String,
    },
    /// There is something at that path already.
    #[error("{path} exists already and is left as it is")]
    Exists {
        /// The path in question.
        path: String,
    },
    /// The file was written to after its content was read.
    #[error("{path} was changed by another program meanwhile and is left as it is")]
    ChangedMeanwhile {
        /// The path in question.
        path: String,
    },
    /// There is nothing at that path.
    #[error("{path} does not exist")]
    Missing {
        /// The path in question.
        path: String,
    },
    /// Another filesystem is mounted on the way.
    #[error("{path} is on another filesystem than the root")]
    OtherFilesystem {
        /// The path in question.
        path: String,
    },
    /// The new content is in place, or the file gone, but the disk did not confirm it.
    #[error(
        "{path} was changed, but it is not certain that this survives a power failure: {source}"
    )]
    Indeterminate {
        /// The path in question.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The system refused.
    #[error("{path} cannot be read or written: {source}")]
    Io {
        /// The path in question.
        path: String,
        /// The system's error.
        source: io::Error,
    },
}

impl Explained for FileError {
    fn kind(&self) -> Kind {
        match self {
            Self::Io { .. } | Self::Missing { .. } | Self::Indeterminate { .. } => {
                Kind::Environment
            }
            Self::ChangedMeanwhile { .. } => Kind::Refused,
            Self::Exists { .. }
            | Self::Symlink { .. }
            | Self::NotRegular { .. }
            | Self::HardLinked { .. }
            | Self::OtherFilesystem { .. } => Kind::Safety,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Io { .. } => {
                    "free some disk space or fix the permissions; the file is as it was"
                }
                Self::Missing { .. } => "put it back, or name a file that is there",
                Self::Indeterminate { .. } => {
                    "look at the file before you go on; `proctor log --format json` names the ref that keeps what was replaced"
                }
                Self::ChangedMeanwhile { .. } => {
                    "nothing was written; look at the file as it is now and run the command again"
                }
                Self::Exists { .. } => "edit it, or move it away and run the command again",
                Self::Symlink { .. }
                | Self::NotRegular { .. }
                | Self::HardLinked { .. }
                | Self::OtherFilesystem { .. } => {
                    "nothing was written; name a regular file inside the repository"
                }
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for FileError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(FileError {
            FileError::Symlink { .. } => FileError::Symlink { path: "PATH".to_owned() },
            FileError::NotRegular { .. } => FileError::NotRegular { path: "PATH".to_owned() },
            FileError::HardLinked { .. } => FileError::HardLinked { path: "PATH".to_owned() },
            FileError::Exists { .. } => FileError::Exists { path: "PATH".to_owned() },
            FileError::ChangedMeanwhile { .. } => FileError::ChangedMeanwhile { path: "PATH".to_owned() },
            FileError::Missing { .. } => FileError::Missing { path: "PATH".to_owned() },
            FileError::OtherFilesystem { .. } => FileError::OtherFilesystem { path: "PATH".to_owned() },
            FileError::Indeterminate { .. } => FileError::Indeterminate { path: "PATH".to_owned(), source: io::Error::other("REASON") },
            FileError::Io { .. } => FileError::Io { path: "PATH".to_owned(), source: io::Error::other("REASON") },
        })
    }
}

/// A directory or file of Proctor's own, such as evidence or a recording, cannot be written.
#[derive(Debug, Error)]
#[error("{} cannot be written: {source}", path.display())]
pub struct OwnFileError {
    /// The file's path.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl OwnFileError {
    /// For `map_err`, where this is about one file.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self {
            path: path.clone(),
            source,
        }
    }

    #[cfg(feature = "samples")]
    pub(crate) fn sample() -> Self {
        Self {
            path: "PATH".into(),
            source: io::Error::other("REASON"),
        }
    }
}

impl Explained for OwnFileError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec!["free some disk space or fix the permissions; nothing was lost".to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for OwnFileError {
    fn samples() -> Vec<Self> {
        vec![Self::sample()]
    }
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
