//! The kind of object that a name in a tree refers to.

/// How git records an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileMode {
    /// An ordinary file.
    Regular,
    /// A file that may be executed.
    Executable,
    /// A symbolic link.
    Symlink,
    /// Another repository's commit.
    Submodule,
}

impl FileMode {
    /// As git writes it.
    pub fn octal(self) -> &'static str {
        match self {
            Self::Regular => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
        }
    }

    /// Reads git's notation; `None` for a directory.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "100644" | "100664" => Some(Self::Regular),
            "100755" => Some(Self::Executable),
            "120000" => Some(Self::Symlink),
            "160000" => Some(Self::Submodule),
            _ => None,
        }
    }

    /// Whether its content is a file's.
    pub fn is_file(self) -> bool {
        matches!(self, Self::Regular | Self::Executable)
    }
}
