//! Tests that passed at the base commit and fail now, run again: is it the change, or chance?
//!
//! A flaky test blames whichever change comes next. That it is flaky shows only without the change: it is excused if it
//! is seen to fail at the base commit as well, and to pass with the change. Code that makes an old test fail sometimes
//! is never excused by the base, and code that makes it fail always does not pass.
//!
//! The code of a test is flaky regardless of its parameters: one case of sixty may fail once in a hundred runs. So at
//! the base all cases of the test are run, and any failure among them shows it.

use std::collections::{BTreeMap, BTreeSet};

use super::Rule;
use super::findings::Findings;
use crate::test_outcome::{Ending, Observation, function_of};

/// More tests than this do not fail by chance together.
const MOST_TESTS: usize = 5;
/// How often they are run with the change, unless every one has passed before.
const WITH_CHANGE: usize = 3;
/// How often they are run at the base commit, unless every one has failed before: a test that seldom fails needs
/// several runs to show it.
const AT_BASE: usize = 10;

/// Where tests are to be run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerunOn {
    /// The tree that is judged.
    Judged,
    /// The base commit.
    Base,
}

/// A test that passed at the base commit and fails in the suite.
#[derive(Debug)]
pub(super) struct Doubt {
    pub(super) id: String,
    pub(super) ending: Ending,
    /// The refusal, unless it is excused.
    pub(super) message: String,
}

/// The reruns that such tests still need, alone, each in a process of its own; none where there is no such test.
#[derive(Debug, Default)]
pub struct Reruns {
    doubts: Vec<Doubt>,
    with_change: Tally,
    at_base: Tally,
}

/// The results in one place.
#[derive(Debug, Default)]
struct Tally {
    runs: usize,
    passed: BTreeMap<String, usize>,
    failed: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts the outcome of each of these in one run; `is_of` says which tests belong to one.
    fn take(
        &mut self,
        ids: &[String],
        observation: &Observation,
        is_of: impl Fn(&str, &str) -> bool,
    ) {
        self.runs += 1;
        // A run that says nothing excuses nothing.
        let Ok(report) = observation.complete() else {
            return;
        };
        let summaries = report.summaries();
        for id in ids {
            let own = || summaries.iter().filter(|summary| is_of(summary.id, id));
            if own().any(|summary| matches!(summary.ending, Ending::Failed | Ending::Error)) {
                *self.failed.entry(id.clone()).or_default() += 1;
            } else if own().any(|summary| summary.ending == Ending::Passed) {
                *self.passed.entry(id.clone()).or_default() += 1;
            }
        }
    }
}

fn times(counted: &BTreeMap<String, usize>, id: &str) -> usize {
    counted.get(id).copied().unwrap_or_default()
}

impl Reruns {
    /// Whether there is no suspect test.
    pub fn is_empty(&self) -> bool {
        self.doubts.is_empty()
    }

    fn ids(&self) -> Vec<String> {
        self.doubts.iter().map(|doubt| doubt.id.clone()).collect()
    }

    /// The tests to run: the suspect ones, at the base with all their cases.
    pub fn selection(&self, place: RerunOn) -> Vec<String> {
        let mut selection = self.ids();
        if place == RerunOn::Base {
            for id in &mut selection {
                id.truncate(function_of(id).len());
            }
            selection.dedup();
        }
        selection
    }

    /// Where they are to be run next; none when enough was seen.
    pub fn next(&self) -> Option<RerunOn> {
        let all = |seen: &BTreeMap<String, usize>| {
            let mut doubts = self.doubts.iter();
            doubts.all(|doubt| seen.contains_key(&doubt.id))
        };
        if !all(&self.with_change.passed) {
            let again = self.with_change.runs < WITH_CHANGE;
            return again.then_some(RerunOn::Judged);
        }
        let again = !all(&self.at_base.failed) && self.at_base.runs < AT_BASE;
        again.then_some(RerunOn::Base)
    }

    /// Takes one run of them.
    pub fn observe(&mut self, place: RerunOn, observation: &Observation) {
        let ids = self.ids();
        match place {
            RerunOn::Judged => self
                .with_change
                .take(&ids, observation, |one, id| one == id),
            RerunOn::Base => self.at_base.take(&ids, observation, |one, id| {
                function_of(one) == function_of(id)
            }),
        }
    }
}

impl Findings {
    /// The reruns for the suspect tests. Where something else is refused already, or they are too many to fail by
    /// chance, they are refused at once.
    pub(super) fn reruns(&mut self) -> Reruns {
        let doubts = self.take_doubts();
        if self.is_clean() && doubts.len() <= MOST_TESTS {
            return Reruns {
                doubts,
                ..Reruns::default()
            };
        }
        for doubt in doubts {
            // One that is judged as a new test was refused as such.
            if self.has_refused(&Rule::TestFails, &doubt.id) {
                continue;
            }
            self.test(&doubt.id, doubt.ending, "passed at the base commit");
            self.refuse(Rule::BaselineBroken, Some(&doubt.id), doubt.message);
        }
        Reruns::default()
    }

    /// Tells chance from change; returns the tests that are excused.
    pub(super) fn judge_reruns(&mut self, reruns: Reruns) -> BTreeSet<String> {
        let (with_change, at_base) = (&reruns.with_change, &reruns.at_base);
        let mut excused = BTreeSet::new();
        for doubt in reruns.doubts {
            let id = doubt.id.as_str();
            let passed = times(&with_change.passed, id);
            let failed_at_base = times(&at_base.failed, id);
            if passed == 0 {
                let message = format!(
                    "{}; it does not pass alone either, in {} runs",
                    doubt.message, with_change.runs
                );
                self.test(id, doubt.ending, "passed at the base commit");
                self.refuse(Rule::BaselineBroken, Some(id), message);
            } else if failed_at_base == 0 {
                let message = format!(
                    "{}; it passes alone in {passed} of {} runs and is never seen to fail at the base commit, in {} \
                     runs: the change makes it unstable",
                    doubt.message, with_change.runs, at_base.runs
                );
                self.test(id, doubt.ending, "passed at the base commit");
                self.refuse(Rule::Unstable, Some(id), message);
            } else {
                self.note(format!(
                    "{id} is flaky: it, or another case of it, fails in {failed_at_base} of {} runs at the base commit, \
                     and it passes in {passed} of {} with the change; its failure is not counted",
                    at_base.runs, with_change.runs
                ));
                self.test(id, doubt.ending, "flaky, at the base commit as well");
                excused.insert(doubt.id);
            }
        }
        excused
    }
}

#[cfg(test)]
mod tests {
    use super::{AT_BASE, RerunOn, WITH_CHANGE};
    use crate::gate::Rule;
    use crate::gate::findings::Findings;
    use crate::gate::rerun::Doubt;
    use crate::gate::testing::{OLD, baseline};
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Ending, Exit, Observation};

    fn in_doubt(number: usize) -> Findings {
        let mut findings = Findings::default();
        for number in 0..number {
            findings.doubt(Doubt {
                id: format!("{OLD}{}", "x".repeat(number)),
                ending: Ending::Failed,
                message: "passed and is failed now".to_owned(),
            });
        }
        findings
    }

    fn passing() -> Observation {
        Run::default().passes(OLD).exits(0)
    }

    fn failing() -> Observation {
        let exception = raised(&["AssertionError"], "no", OLD);
        Run::default().fails(OLD, exception).exits(1)
    }

    /// Makes the required reruns, with these runs in turn; returns how many were made and the rule.
    fn judged(with_change: &[Observation], at_base: &[Observation]) -> (usize, usize, String) {
        let mut findings = in_doubt(1);
        let mut reruns = findings.reruns();
        let (mut with_change, mut at_base) = (with_change.iter(), at_base.iter());
        let (mut on_judged, mut on_base) = (0, 0);
        while let Some(place) = reruns.next() {
            let run = match place {
                RerunOn::Judged => with_change.next(),
                RerunOn::Base => at_base.next(),
            };
            let Some(run) = run else { break };
            match place {
                RerunOn::Judged => on_judged += 1,
                RerunOn::Base => on_base += 1,
            }
            reruns.observe(place, run);
        }
        let excused = findings.judge_reruns(reruns);
        let verdict = findings.conclude(&failing(), &baseline(&[OLD]));
        assert_eq!(verdict.is_accepted(), excused.contains(OLD));
        let rules = crate::gate::testing::rules(&verdict).join(" ");
        (on_judged, on_base, rules)
    }

    #[test]
    fn a_test_is_excused_only_by_failing_without_the_change() {
        let none = || Run::without_report(Exit::TimedOut);
        let row = |now: &[Observation], then: &[Observation]| judged(now, then);
        let flaky = row(&[failing(), passing()], &[passing(), failing()]);
        assert_eq!(flaky, (2, 2, String::new()));
        // It never passes with the change, whatever its result at the base.
        let broken = row(&[failing(), failing(), failing()], &[failing()]);
        assert_eq!(broken, (WITH_CHANGE, 0, "baseline_broken".to_owned()));
        // The base is never seen to fail.
        let steady: Vec<Observation> = (0..AT_BASE + 5).map(|_| passing()).collect();
        let unstable = row(&[passing()], &steady);
        assert_eq!(unstable, (1, AT_BASE, "unstable".to_owned()));
        // A run that was not made, or has no result, excuses nothing.
        assert_eq!(row(&[passing()], &[]), (1, 0, "unstable".to_owned()));
        let silent = row(&[passing()], &[none(), none()]);
        assert_eq!(silent, (1, 2, "unstable".to_owned()));
        assert_eq!(row(&[], &[]), (0, 0, "baseline_broken".to_owned()));
    }

    #[test]
    fn another_case_that_fails_at_the_base_shows_that_the_test_does_so_by_chance() {
        let (case, other) = (format!("{OLD}[1]"), format!("{OLD}[2]"));
        let fails = |id: &str| {
            let exception = raised(&["AssertionError"], "no", id);
            Run::default().fails(id, exception).exits(1)
        };
        let judged = |with_change: &Observation, at_base: &Observation| {
            let mut findings = Findings::default();
            findings.doubt(Doubt {
                id: case.clone(),
                ending: Ending::Failed,
                message: "passed and is failed now".to_owned(),
            });
            let mut reruns = findings.reruns();
            assert_eq!(
                reruns.selection(RerunOn::Judged),
                std::slice::from_ref(&case)
            );
            assert_eq!(reruns.selection(RerunOn::Base), [OLD]);
            reruns.observe(RerunOn::Judged, with_change);
            reruns.observe(RerunOn::Base, at_base);
            findings.judge_reruns(reruns).contains(&case)
        };
        let passes = Run::default().passes(&case).exits(0);
        assert!(judged(&passes, &fails(&other)));
        // Another test's failure, or another case's pass with the change, says nothing.
        let unlike = format!("{OLD}_of_something_else");
        assert!(!judged(&passes, &fails(&unlike)));
        let other_passes = Run::default().passes(&other).exits(0);
        assert!(!judged(&other_passes, &fails(&other)));
    }

    #[test]
    fn many_tests_do_not_fail_by_chance() {
        assert_eq!(in_doubt(5).reruns().ids().len(), 5);
        let mut many = in_doubt(6);
        assert!(many.reruns().next().is_none());
        assert_eq!(many.reasons(), 6);
    }

    #[test]
    fn nothing_is_run_again_for_what_is_refused_anyway() {
        let mut findings = in_doubt(1);
        findings.refuse(Rule::TestFails, None, "no");
        assert!(findings.reruns().next().is_none());
        assert_eq!(findings.reasons(), 2);
    }
}
