//! The words that stand behind a file's name at review.

use crate::test_outcome::FlagKind;

/// What a person should notice about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A test file; says what it is and warns of nothing.
    Test,
    /// It was not there before; warns only of a long one.
    New,
    /// It is gone.
    Deleted,
    /// Most of it went and little is left in its place.
    Replaced,
    /// More than half as many lines differ as it had.
    MajorChange,
    /// Its content is no text.
    Binary,
    /// It is or was a symbolic link.
    Symlink,
    /// It is or was another repository's commit.
    Submodule,
    /// It became executable, or is another kind of thing than before.
    Mode,
    /// Its name carries execution.
    Protected,
    /// It configures the test runner.
    TestConfig,
    /// The design document does not list it.
    OutsideLld,
    /// Its name would not be accepted from a model.
    OddName,
    /// It has characters that a reader does not see.
    HiddenCharacters,
    /// What a gate saw in it.
    Gate(FlagKind),
}

impl Label {
    /// As it is shown, and as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Test => "TEST",
            Self::New => "NEW",
            Self::Deleted => "DELETED",
            Self::Replaced => "REPLACED",
            Self::MajorChange => "MAJOR-CHANGE",
            Self::Binary => "BINARY",
            Self::Symlink => "SYMLINK",
            Self::Submodule => "SUBMODULE",
            Self::Mode => "MODE",
            Self::Protected => "PROTECTED",
            Self::TestConfig => "TEST-CONFIG",
            Self::OutsideLld => "OUTSIDE-LLD",
            Self::OddName => "ODD-NAME",
            Self::HiddenCharacters => "HIDDEN-CHARACTERS",
            Self::Gate(kind) => kind.label(),
        }
    }

    /// Whether it alone asks for a closer look.
    pub fn warns(self) -> bool {
        !matches!(self, Self::Test | Self::New)
    }
}
