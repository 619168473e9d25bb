//! A gate's verdict, in one shape for a run and for `proctor gate`.

use proctor_core::gate::{Check, Reason, SourceFlag, TestLine, Verdict, VerdictWord};
use proctor_core::workflow::GateRun;
use serde::Serialize;

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

/// The grounds of a verdict.
#[derive(Serialize)]
pub(super) struct Grounds<'a> {
    pub(super) checks: &'a [Check],
    pub(super) notes: &'a [String],
    pub(super) runs: &'a [GateRun],
    pub(super) flags: &'a [SourceFlag],
    pub(super) sandbox: Option<String>,
}
