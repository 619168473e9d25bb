//! How far the change in a checkout is.

use serde::{Deserialize, Serialize};

use crate::gate::VerdictWord;
use crate::object_id::{BlobId, CommitId, TreeId};
use crate::path::ProjectPath;

/// The guard's state for the change in one checkout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The tree of the commit that the change is measured against.
    pub base: TreeId,
    /// The permitted work.
    pub work: Work,
    /// The tests of the accepted red, as they were judged.
    pub seal: Seal,
    /// Whether test files were written since the seal; they are judged before the next source file.
    pub fresh_tests: bool,
    /// The last tree that was accepted, if nothing was edited since.
    pub green: Option<Green>,
    /// Whether the last green is committed and nothing was edited since.
    pub committed: bool,
    /// How often in a row the agent was not allowed to end.
    pub blocks: u32,
    /// The commit from which on all have to be judged.
    pub since: Option<CommitId>,
}

/// The permitted work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Tests come first.
    Open,
    /// Source alone changes; existing tests have to execute every line of it.
    Refactoring,
    /// A red was accepted: source may be written, the sealed tests may not.
    Sealed,
    /// A sealed file is not as it was judged.
    Broken,
    /// A person has switched the guard off here.
    Off,
}

/// Where a session is, as people are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// See [`Work::Open`].
    Open,
    /// See [`Work::Refactoring`].
    Refactoring,
    /// See [`Work::Sealed`].
    Sealed,
    /// Everything that differs was accepted.
    Green,
    /// That is committed.
    Committed,
    /// See [`Work::Broken`].
    Broken,
    /// See [`Work::Off`].
    Off,
}

impl Stage {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Refactoring => "refactoring",
            Self::Sealed => "sealed",
            Self::Green => "green",
            Self::Committed => "committed",
            Self::Broken => "broken",
            Self::Off => "off",
        }
    }
}

/// An accepted tree and its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Green {
    /// The accepted tree.
    pub tree: TreeId,
    /// The verdict's name.
    pub word: VerdictWord,
}

/// Test files as they were when their red was accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal(pub Vec<SealedFile>);

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedFile {
    /// Where it is.
    pub path: ProjectPath,
    /// Its content, in git.
    pub blob: BlobId,
    /// The digest of the same, for a quick look at the file.
    pub sha256: String,
}

impl Seal {
    /// Whether a file is sealed.
    pub fn holds(&self, path: &str) -> bool {
        self.0.iter().any(|file| file.path.as_str() == path)
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sealed files whose current digest, which `now` returns, differs.
    pub fn drifted(&self, now: impl Fn(&ProjectPath) -> Option<String>) -> Vec<SealedFile> {
        let files = self.0.iter();
        files
            .filter(|file| now(&file.path).as_ref() != Some(&file.sha256))
            .cloned()
            .collect()
    }
}

impl Session {
    /// The beginning of a change.
    pub fn new(base: TreeId) -> Self {
        Self {
            base,
            work: Work::Open,
            seal: Seal::default(),
            fresh_tests: false,
            green: None,
            committed: false,
            blocks: 0,
            since: None,
        }
    }

    /// Where it is.
    pub fn stage(&self) -> Stage {
        match self.work {
            Work::Off => Stage::Off,
            Work::Broken => Stage::Broken,
            _ if self.green.is_some() => Stage::Green,
            Work::Sealed => Stage::Sealed,
            Work::Refactoring => Stage::Refactoring,
            Work::Open if self.committed => Stage::Committed,
            Work::Open => Stage::Open,
        }
    }

    /// The next change begins: another tree is committed.
    pub(super) fn moved_to(self, head: &TreeId) -> Self {
        let committed = self.green.is_some_and(|green| green.tree == *head);
        Self {
            work: match self.work {
                Work::Off => Work::Off,
                _ => Work::Open,
            },
            committed,
            blocks: self.blocks,
            since: self.since,
            ..Self::new(head.clone())
        }
    }

    /// A person lets the tests be written again, or switches the guard on again.
    #[must_use]
    pub fn reopened(self, head: &TreeId) -> Self {
        Self {
            since: None,
            ..Self::new(head.clone())
        }
    }

    /// A person switches the guard off.
    #[must_use]
    pub fn off(self) -> Self {
        Self {
            work: Work::Off,
            ..self
        }
    }
}
