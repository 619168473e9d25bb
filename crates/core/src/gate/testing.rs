//! Shared by the tests of the gates: the ids of a small suite, and ways to look at a verdict.

use std::collections::BTreeSet;

use super::{
    Analysis, Baseline, Blind, Disposition, GreenRuns, GreenSuite, IntactSeal, SeenSuite, Verdict,
    WithoutChange, judge_suite,
};
use crate::test_outcome::{Ending, Observation};

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

/// A suite with the new file whose further runs have nothing to say besides the one without the change.
pub(super) fn judge_green(
    now: &Observation,
    baseline: &Baseline,
    analysis: &Analysis,
    failed_at_red: &[&str],
    without_change: WithoutChange<'_>,
) -> Verdict {
    judge_suite(&GreenSuite {
        observation: now,
        baseline,
        seal: &IntactSeal::of(&[NEW]),
        existing: &[],
        test_paths: &[],
        analysis,
        passed_at_red: &BTreeSet::new(),
        failed_at_red: &failed_at_red.iter().map(|id| (*id).to_owned()).collect(),
        listed_tests: &[],
    })
    .and_then(SeenSuite::settle)
    .map_or_else(
        |refused| refused,
        |further| {
            let runs = GreenRuns {
                blind: Blind::Impossible("this is not about it"),
                blind_again: None,
                alone: &[],
                reversed: now,
                without_change,
                as_they_were: None,
                twins: &[],
            };
            further.judge(&runs).0
        },
    )
}
