//! The parameters and the result of one run of tests, for every runner.

use std::time::Duration;

use proctor_core::test_outcome::{Observation, TwinKind};

use super::Marker;

/// How a run differs from an ordinary one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Variant {
    /// It does not.
    #[default]
    Plain,
    /// The tests in the opposite order.
    Reversed,
    /// The tests until the first one fails.
    FirstFailure,
    /// The test files are the cut ones of a [`Cut`](super::Cut) with this marker: values are sent out.
    Blind(Marker),
    /// Some are its marked ones, in the opposite order: the same values are sent out.
    Marked(Marker),
    /// Some test files are twins of this kind.
    Turned(TwinKind),
}

impl Variant {
    pub(super) fn marker(self) -> Option<Marker> {
        match self {
            Self::Plain | Self::Reversed | Self::FirstFailure | Self::Turned(_) => None,
            Self::Blind(marker) | Self::Marked(marker) => Some(marker),
        }
    }

    /// The kind of the twins, if they are some.
    pub(super) fn turned(self) -> Option<TwinKind> {
        match self {
            Self::Turned(kind) => Some(kind),
            _ => None,
        }
    }

    pub(super) fn is_reversed(self) -> bool {
        matches!(self, Self::Reversed | Self::Marked(_))
    }
}

/// Which files of the tree are watched line by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Watched {
    /// None: watching takes time.
    #[default]
    Nothing,
    /// These files.
    Files(Vec<String>),
    /// Every file of the runner's language.
    Everything,
}

/// The result of a run.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    /// For the rules to judge.
    pub observation: Observation,
    /// The command, as a person would type it.
    pub command: String,
    /// How long it took.
    pub elapsed: Duration,
    /// All that the reporter wrote where values are sent, for the referee; empty otherwise.
    pub sent: String,
    /// The activity when a test was stopped, if one was.
    pub stopped: Option<String>,
}
