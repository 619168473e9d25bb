//! What the tests of the gates share: the ids of a small suite, and how a verdict is looked at.

use super::{Baseline, Disposition, Verdict};
use crate::test_outcome::Ending;

pub(super) const NEW: &str = "tests/test_new.py";
pub(super) const A: &str = "tests/test_new.py::a";
pub(super) const B: &str = "tests/test_new.py::b";
pub(super) const OLD: &str = "tests/test_old.py::old";

/// A base commit at which these tests passed.
pub(super) fn baseline(ids: &[&str]) -> Baseline {
    let ids = ids.iter();
    ids.map(|id| ((*id).to_owned(), Ending::Passed)).collect()
}

/// The rules that refused, in their order.
pub(super) fn rules(verdict: &Verdict) -> Vec<&str> {
    let reasons = verdict.reasons.iter();
    reasons.map(|reason| reason.rule.as_str()).collect()
}

#[track_caller]
pub(super) fn assert_accepted(verdict: &Verdict) {
    assert_eq!(
        verdict.disposition(),
        Disposition::Accepted,
        "{:?}",
        verdict.reasons
    );
}
