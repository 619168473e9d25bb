//! New tests whose answer is in another test.
//!
//! Where an expected value was cut out, the same value may still be read elsewhere: as an input, or in another test.
//! Code that looks through its callers finds it there. Such tests are run once more in a process in which the other
//! tests have no bodies; a value in their own code or in that of their helpers stays.

use std::collections::BTreeSet;

use super::blind::{Blind, BlindReport, By, Judgement};
use super::findings::Findings;
use super::{CheckName, Rule};
use crate::test_outcome::{Ending, Observation, Report, function_of};

/// Tests that were judged blind without the other tests.
#[derive(Debug, Clone, Copy)]
pub struct AloneRun<'a> {
    /// How they were judged.
    pub blind: Blind<'a>,
    /// The same with their expected values, if something did not hold: a test that needs the others fails here as well.
    pub whole: Option<&'a Observation>,
}

impl BlindReport {
    /// The tests that hold by an expected value which can be read elsewhere in the cut files.
    pub fn answered_elsewhere(&self) -> BTreeSet<&str> {
        let places = self.places.iter();
        places
            .filter(|place| place.judgement == Judgement::Held && place.by == Some(By::Visible))
            .map(|place| function_of(&place.id))
            .collect()
    }

    /// The tests that do not hold, with the reason.
    fn not_holding(&self) -> impl Iterator<Item = (&str, String)> {
        let tests = self.tests.iter();
        tests
            .filter(|test| test.does_not_hold())
            .map(|test| (function_of(&test.id), self.reason(test)))
    }
}

impl AloneRun<'_> {
    /// Whether there is something that may be the tests' own dependence on each other.
    pub fn is_in_doubt(&self) -> bool {
        let run = self.blind.usable();
        run.is_some_and(|run| run.report.not_holding().next().is_some())
    }

    /// Whether a test passes alone with everything that it expects in it.
    fn passes_whole(&self, function: &str) -> bool {
        let report = self.whole.and_then(|whole| whole.complete().ok());
        let summaries = report.map(Report::summaries);
        let mut own = summaries
            .iter()
            .flatten()
            .filter(|summary| function_of(summary.id) == function)
            .peekable();
        own.peek().is_some() && own.all(|summary| summary.ending == Ending::Passed)
    }
}

impl Blind<'_> {
    /// Those of these tests that are to be run without the others.
    pub(super) fn answered_elsewhere(&self, new: &[&str]) -> Vec<String> {
        let Some(run) = self.usable() else {
            return Vec::new();
        };
        let new: BTreeSet<&str> = new.iter().map(|id| function_of(id)).collect();
        let visible = run.report.answered_elsewhere();
        visible
            .intersection(&new)
            .map(|&one| one.to_owned())
            .collect()
    }
}

impl Findings {
    /// Tests that hold only where another test reveals their expected values.
    pub(super) fn compare_alone(&mut self, runs: &[AloneRun<'_>]) {
        let mut refused = BTreeSet::new();
        for run in runs {
            let Some(blind) = run.blind.usable() else {
                self.note(
                    "tests whose answer stands in another test could not be judged without it",
                );
                continue;
            };
            for (function, reason) in blind.report.not_holding() {
                if run.passes_whole(function) {
                    if refused.insert(function) {
                        let message = format!(
                            "passes, but not by what the code gives: without the other tests, in which its answer can be \
                             read, {reason}"
                        );
                        self.refuse(Rule::BlindFails, Some(function), message);
                    }
                } else {
                    self.note(format!(
                        "{function}: depends on other tests, one of which says what it expects"
                    ));
                }
            }
        }
        if !refused.is_empty() {
            let detail = format!(
                "{} tests give what they expect only while another test says it",
                refused.len()
            );
            self.refused(CheckName::Blind, detail);
        }
    }
}
