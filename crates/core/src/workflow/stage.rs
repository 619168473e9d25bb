//! A run's stage, and what it waits for.

use serde::{Deserialize, Serialize};

use crate::generation::Hold;
use crate::object_id::CommitId;

/// The eight stages, N0 to N7, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The design document and context are read, the worktree made, the baseline taken.
    LoadContext,
    /// The model writes test files and nothing else.
    Scaffold,
    /// The real runner shows that the new tests fail for a good reason.
    RedGate,
    /// The model writes the files of the design document, one by one.
    Implement,
    /// The real runner shows that everything passes on the judged tree.
    GreenGate,
    /// The project's linter looks at the changed files.
    Lint,
    /// A person looks at the whole diff.
    Review,
    /// Exactly the approved tree is committed and merged.
    Merge,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 8] = [
        Self::LoadContext,
        Self::Scaffold,
        Self::RedGate,
        Self::Implement,
        Self::GreenGate,
        Self::Lint,
        Self::Review,
        Self::Merge,
    ];

    /// The number by which the design knows it, `N0` to `N7`.
    pub fn node(self) -> &'static str {
        match self {
            Self::LoadContext => "N0",
            Self::Scaffold => "N1",
            Self::RedGate => "N2",
            Self::Implement => "N3",
            Self::GreenGate => "N4",
            Self::Lint => "N5",
            Self::Review => "N6",
            Self::Merge => "N7",
        }
    }

    /// The name that people read.
    pub fn title(self) -> &'static str {
        match self {
            Self::LoadContext => "LoadContext",
            Self::Scaffold => "Scaffold",
            Self::RedGate => "RedGate",
            Self::Implement => "Implement",
            Self::GreenGate => "GreenGate",
            Self::Lint => "Lint",
            Self::Review => "Review",
            Self::Merge => "Merge",
        }
    }

    /// The name in JSON and in the journal.
    pub fn key(self) -> &'static str {
        match self {
            Self::LoadContext => "load_context",
            Self::Scaffold => "scaffold",
            Self::RedGate => "red_gate",
            Self::Implement => "implement",
            Self::GreenGate => "green_gate",
            Self::Lint => "lint",
            Self::Review => "review",
            Self::Merge => "merge",
        }
    }
}

/// Whether the run continues without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There is an effect to perform.
    Running,
    /// A person is needed; nothing happens until one resumes or aborts the run.
    Parked(Waiting),
    /// The approved tree is on the base branch.
    Merged(CommitId),
    /// A person ended it; nothing was merged.
    Aborted,
}

impl State {
    /// The name in JSON.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Parked(_) => "parked",
            Self::Merged(_) => "merged",
            Self::Aborted => "aborted",
        }
    }

    /// Whether nothing but cleaning up is left to do.
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Merged(_) | Self::Aborted)
    }
}

/// What a parked run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waiting {
    /// The diff review gate needs a person at a terminal.
    Review,
    /// The model used all its attempts.
    Attempts {
        /// Why the last one was refused.
        last_reason: String,
    },
    /// The model said that it cannot do this.
    GaveUp {
        /// In the model's words.
        reason: String,
    },
    /// The tests are at fault, and the attempts for tests are spent.
    Tests {
        /// Why they are.
        reason: String,
    },
    /// The model has called the tests wrong more often than it may.
    Disputed {
        /// In the model's words.
        reason: String,
    },
    /// The red gate refused tests that a person wrote.
    OwnTests {
        /// The reason.
        reason: String,
    },
    /// A gate could not be judged, and asking the model again would not help.
    Judgement {
        /// The obstacle.
        reason: String,
    },
    /// The next request holds something that may not leave, or too much.
    Request(Hold),
    /// An existing file would be replaced, which a person has to allow.
    Write {
        /// The file and the numbers, as one sentence.
        reason: String,
    },
    /// A file was changed in the worktree after the model was asked about it.
    Worktree {
        /// The file, and how to continue.
        reason: String,
    },
    /// The base branch moved and its changes clash with the run's.
    Conflict {
        /// The files that clash.
        files: Vec<String>,
    },
    /// The base branch is checked out with local changes that the merge would overwrite.
    Checkout {
        /// Why it cannot follow.
        reason: String,
    },
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Review => formatter.write_str("a person's decision at the diff review gate"),
            Self::Attempts { last_reason } => {
                write!(
                    formatter,
                    "a person: all attempts are spent ({last_reason})"
                )
            }
            Self::GaveUp { reason } => {
                write!(formatter, "a person: the model gave up ({reason})")
            }
            Self::Tests { reason } => write!(
                formatter,
                "a person: the tests are at fault and all attempts at them are spent ({reason})"
            ),
            Self::Disputed { reason } => write!(
                formatter,
                "a person: the model says again that the tests are wrong ({reason})"
            ),
            Self::OwnTests { reason } => write!(
                formatter,
                "a person: the red gate refused the tests from the worktree ({reason})"
            ),
            Self::Judgement { reason } => {
                write!(
                    formatter,
                    "a person: the tests could not be judged ({reason})"
                )
            }
            Self::Request(hold) => {
                write!(
                    formatter,
                    "a person: the model was not asked, because {hold}"
                )
            }
            Self::Write { reason } => write!(formatter, "a person's permission: {reason}"),
            Self::Worktree { reason } => write!(formatter, "a person: {reason}"),
            Self::Conflict { files } => write!(
                formatter,
                "a person: the base branch changed the same lines of {}",
                files.join(", ")
            ),
            Self::Checkout { reason } => write!(formatter, "a free checkout: {reason}"),
        }
    }
}
