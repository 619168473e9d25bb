//! A gate's verdict, in one shape for a run and for `proctor gate`.

use proctor_core::gate::{Check, Reason, SourceFlag, TestLine, Verdict};
use proctor_core::workflow::GateRun;
use serde::Serialize;

/// What a verdict is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum VerdictWord {
    ValidRed,
    InvalidRed,
    ValidGreen,
    InvalidGreen,
}

impl VerdictWord {
    pub(super) fn red(verdict: &Verdict) -> Self {
        if verdict.is_accepted() {
            Self::ValidRed
        } else {
            Self::InvalidRed
        }
    }

    pub(super) fn green(verdict: &Verdict) -> Self {
        if verdict.is_accepted() {
            Self::ValidGreen
        } else {
            Self::InvalidGreen
        }
    }
}

/// The verdict itself.
#[derive(Serialize)]
pub(super) struct Conclusion<'a> {
    verdict: VerdictWord,
    tests: &'a [TestLine],
    reasons: &'a [Reason],
}

impl<'a> Conclusion<'a> {
    pub(super) fn new(word: VerdictWord, verdict: &'a Verdict) -> Self {
        Self {
            verdict: word,
            tests: &verdict.tests,
            reasons: &verdict.reasons,
        }
    }
}

/// What it rests on.
#[derive(Serialize)]
pub(super) struct Grounds<'a> {
    pub(super) checks: &'a [Check],
    pub(super) notes: &'a [String],
    pub(super) runs: &'a [GateRun],
    pub(super) flags: &'a [SourceFlag],
    pub(super) sandbox: String,
}
