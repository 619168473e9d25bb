//! Parts of a new test that are skipped while others hold.
//!
//! A test that goes through several backends in subtests skips those that are not installed. That is not the change's
//! doing if the very same parts are skipped without it: then the others decide, and the skipped ones are reported. A
//! part that is skipped because of the change, and a test of which nothing is left, stay refused.

use std::collections::BTreeSet;

use super::Rule;
use super::baseline::left_over;
use super::green::Judge;
use crate::test_outcome::{Ending, Observation, Outcome, Report, Summary};

impl Judge<'_> {
    /// Whether a test that the base does not have passes, with some of its parts skipped and others seen to pass.
    pub(super) fn leaves_parts_out(&self, summary: &Summary<'_>) -> bool {
        let skipped = Ending::Skipped.as_str();
        summary.ending == Ending::Passed
            && !summary.excuses.is_empty()
            && summary.excuses.iter().all(|why| why.starts_with(skipped))
            && self.report.with_passing_parts.contains(summary.id)
            && !self.suite.baseline.contains(summary.id)
    }

    /// A part that is skipped with the change has to be skipped without it.
    pub(super) fn parts_are_left_out_without_the_change(&mut self, without: &Observation) {
        let before = without.complete().ok();
        for id in std::mem::take(&mut self.partly) {
            let now = skipped_parts(self.report, id);
            let then = before.map_or_else(Vec::new, |report| skipped_parts(report, id));
            if let Some(part) = left_over(&now, &then) {
                let message = format!(
                    "a part of it is skipped with the change and was not seen to be without it ({part}); a new test \
                     has to hold as a whole"
                );
                self.findings.refuse(Rule::Skipped, Some(id), message);
            } else {
                let parts: BTreeSet<&String> = now.iter().collect();
                let parts: Vec<&str> = parts.into_iter().map(String::as_str).collect();
                self.findings.note(format!(
                    "{id}: parts of it do not run here, with the change or without, and are not judged: {}",
                    parts.join(", ")
                ));
            }
        }
    }
}

/// Every skipped part of a test: which one it is, and why.
fn skipped_parts(report: &Report, id: &str) -> Vec<String> {
    let records = report.records.iter();
    let parts = records
        .filter(|record| record.subtest && record.outcome == Outcome::Skipped && record.id == id);
    parts
        .map(|record| {
            let raised = record.raised.as_ref();
            raised.map_or_else(String::new, |raised| raised.text.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::gate::testing::{A, NEW, assert_accepted, baseline, judge_green, rules};
    use crate::gate::{Analysis, Baseline, Verdict, WithoutChange};
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Exit, Observation, Outcome, Phase, Raised};

    fn skipped(part: &str) -> Raised {
        Raised {
            text: format!("{part}: not installed"),
            ..raised(&[], "not installed", NEW)
        }
    }

    /// The new test with these parts skipped.
    fn with_parts(outcome: Outcome, parts: &[&str]) -> Run {
        let failed = (outcome == Outcome::Failed).then(|| raised(&["ValueError"], "no", NEW));
        let run = Run::default().ends(A, Phase::Call, outcome, failed);
        let skip = |run: Run, part: &&str| run.part(Outcome::Skipped, skipped(part));
        parts.iter().fold(run, skip)
    }

    fn passing(parts: &[&str]) -> Observation {
        let mut run = with_parts(Outcome::Passed, parts);
        run.report.with_passing_parts.insert(A.to_owned());
        run.exits(0)
    }

    fn judge(now: &Observation, without: &Observation, base: &Baseline) -> Verdict {
        let without = WithoutChange::Run(without);
        judge_green(now, base, &Analysis::default(), &[], without)
    }

    #[test]
    fn parts_that_are_skipped_without_the_change_too_are_said_and_not_judged() {
        let without = with_parts(Outcome::Failed, &["fast", "small"]).exits(1);
        let verdict = judge(&passing(&["fast"]), &without, &baseline(&[]));
        assert_accepted(&verdict);
        assert!(
            verdict.notes[0].contains("fast: not installed"),
            "{:?}",
            verdict.notes
        );
    }

    #[test]
    fn the_change_must_not_have_parts_skipped() {
        let failed = |parts: &[&str]| with_parts(Outcome::Failed, parts).exits(1);
        let mut nothing_passes = passing(&["fast"]);
        if let Ok(report) = &mut nothing_passes.report {
            report.with_passing_parts.clear();
        }
        let table = [
            // Another one, for the same reason.
            (passing(&["fast", "plain"]), failed(&["fast"])),
            (passing(&["plain"]), failed(&["fast"])),
            (passing(&["fast", "fast"]), failed(&["fast"])),
            (nothing_passes, failed(&["fast"])),
            // A run without a result excuses nothing.
            (passing(&["fast"]), Run::without_report(Exit::TimedOut)),
        ];
        for (now, without) in table {
            assert_eq!(
                rules(&judge(&now, &without, &baseline(&[]))),
                ["skipped"],
                "{now:?}"
            );
        }
    }

    #[test]
    fn a_test_of_the_base_leaves_out_what_it_did() {
        let without = with_parts(Outcome::Failed, &["fast"]).exits(1);
        let verdict = judge(&passing(&["fast"]), &without, &baseline(&[A]));
        assert!(rules(&verdict).contains(&"baseline_broken"), "{verdict:?}");
    }
}
