//! The words after a file's name at review.

use crate::gate::FlagKind;

/// A fact about a file that a reviewer should notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A test file; informs and warns of nothing.
    Test,
    /// It did not exist before; warns only of a long one.
    New,
    /// It is gone.
    Deleted,
    /// Most of it went and little is left in its place.
    Replaced,
    /// More than half as many lines differ as it had.
    MajorChange,
    /// Its content is not text.
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
    /// A list inside the git directory hides it from `git status`.
    Excluded,
    /// It has characters that a reader does not see.
    HiddenCharacters,
    /// Its name or something new in it looks like a secret.
    Secret,
    /// A gate's flag.
    Gate(FlagKind),
}

impl Label {
    /// Every label but those of the gates.
    const OWN: [Self; 16] = [
        Self::Test,
        Self::New,
        Self::Deleted,
        Self::Replaced,
        Self::MajorChange,
        Self::Binary,
        Self::Symlink,
        Self::Submodule,
        Self::Mode,
        Self::Protected,
        Self::TestConfig,
        Self::OutsideLld,
        Self::OddName,
        Self::Excluded,
        Self::HiddenCharacters,
        Self::Secret,
    ];

    /// Every label.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::OWN
            .into_iter()
            .chain(FlagKind::ALL.into_iter().map(Self::Gate))
    }

    /// As shown, and as written in JSON.
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
            Self::Excluded => "EXCLUDED",
            Self::HiddenCharacters => "HIDDEN-CHARACTERS",
            Self::Secret => "SECRET",
            Self::Gate(kind) => kind.label(),
        }
    }

    /// Its meaning, in plain words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Test => "is a test",
            Self::New => "was not there before; flagged if it has more than 100 lines",
            Self::Deleted => "is gone",
            Self::Replaced => "lost most of its lines, and few came in their place",
            Self::MajorChange => "differs in more than half as many lines as it had",
            Self::Binary => "is not text, so its content cannot be shown",
            Self::Symlink => "is or was a symbolic link",
            Self::Submodule => "is or was a commit of another repository",
            Self::Mode => "became executable, or is another kind of thing than before",
            Self::Protected => "is executed or obeyed by tools automatically, because of its name",
            Self::TestConfig => "configures the test runner",
            Self::OutsideLld => "is not in the design document's list of files",
            Self::OddName => "has a name that would not be accepted from a model",
            Self::Excluded => "is hidden from `git status` by a list inside the git directory",
            Self::HiddenCharacters => "has characters that a reader does not see",
            Self::Secret => "looks like a secret, by its name or by something new in it",
            Self::Gate(kind) => kind.words(),
        }
    }

    /// Whether it alone asks for a closer look.
    pub fn warns(self) -> bool {
        !matches!(self, Self::Test | Self::New)
    }
}
