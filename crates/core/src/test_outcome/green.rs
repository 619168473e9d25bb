//! The green gate: does everything pass that has to, and was everything run?
//!
//! Judged here is what one run of the whole suite shows. Whether the sealed bytes are the same,
//! whether taking the change out restores the red and whether the tests' twins fail are facts of
//! other runs; the arbiter asks for them separately.

use std::collections::BTreeSet;

use super::cause::first_line;
use super::findings::{Findings, readable};
use super::summary::{Ending, Summary, file_of, function_of};
use super::{Baseline, Observation, Report, Verdict};
use crate::workflow::exit_code_router::route_green;

/// What the green gate judges.
#[derive(Debug, Clone, Copy)]
pub struct GreenEvidence<'a> {
    /// One run of the whole suite on the judged tree.
    pub observation: &'a Observation,
    /// The suite at the base commit.
    pub baseline: &'a Baseline,
    /// The sealed test files, relative to the tree.
    pub sealed_files: &'a [String],
}

/// Judges a green run.
pub fn judge_green(evidence: &GreenEvidence<'_>) -> Verdict {
    let exit = evidence.observation.exit;
    let report = match readable(evidence.observation, route_green) {
        Ok(report) => report,
        Err(verdict) => return verdict,
    };
    let summaries = report.summaries();
    let mut judge = Judge {
        evidence,
        report,
        findings: Findings::default(),
        known_functions: evidence.baseline.ids().map(function_of).collect(),
    };
    let mut new_tests = 0;
    for summary in &summaries {
        if evidence.baseline.contains(summary.id) {
            continue;
        }
        if judge.sealed(file_of(summary.id)) {
            new_tests += 1;
            judge.new_test(summary);
        } else {
            judge.unexpected(summary);
        }
    }
    judge.left_out();
    if new_tests == 0 && judge.findings.is_clean() {
        judge.findings.refuse(
            "nothing_collected",
            None,
            "none of the new tests was collected",
        );
    }
    judge
        .findings
        .compare_with_baseline(report, &summaries, evidence.baseline, &BTreeSet::new());
    judge.exit_is_explained(&summaries);
    judge.findings.conclude(exit)
}

struct Judge<'a> {
    evidence: &'a GreenEvidence<'a>,
    report: &'a Report,
    findings: Findings,
    known_functions: BTreeSet<&'a str>,
}

impl Judge<'_> {
    fn sealed(&self, file: &str) -> bool {
        self.evidence
            .sealed_files
            .iter()
            .any(|sealed| sealed == file)
    }

    fn new_test(&mut self, summary: &Summary<'_>) {
        let (id, name) = (summary.id, summary.ending.name());
        if summary.ending == Ending::Passed {
            if summary.attempts > 1 {
                self.findings
                    .note(format!("{id} passed only at attempt {}", summary.attempts));
            }
            return self.findings.test(id, name, "");
        }
        let (rule, message) = match (summary.ending, summary.raised) {
            (Ending::Failed | Ending::Error, Some((_, raised))) => (
                "test_fails",
                format!(
                    "still fails with {}: {}",
                    raised.class(),
                    first_line(raised)
                ),
            ),
            (Ending::Skipped, _) => ("skipped", "is skipped instead of passing".to_owned()),
            (Ending::Xfailed | Ending::Xpassed, _) => {
                ("xfail", "is expected to fail instead of passing".to_owned())
            }
            (Ending::NotRun, _) => (
                "not_run",
                "was collected and not run to its end; something stopped the run".to_owned(),
            ),
            _ => ("test_fails", "still fails".to_owned()),
        };
        self.findings.test(id, name, message.clone());
        self.findings.refuse(rule, Some(id), message);
    }

    /// A test that neither the base commit nor the sealed files have.
    fn unexpected(&mut self, summary: &Summary<'_>) {
        let id = summary.id;
        let renamed_case = self.known_functions.contains(function_of(id));
        if renamed_case && summary.ending == Ending::Passed {
            self.findings
                .note(format!("{id} is a case that the base commit did not have"));
        } else if renamed_case {
            self.new_test(summary);
        } else {
            self.findings
                .test(id, summary.ending.name(), "not a sealed test");
            self.findings.refuse(
                "unexpected_test",
                Some(id),
                "is neither a test of the base commit nor a sealed one",
            );
        }
    }

    /// New tests that were found and not run, and files that could not be read.
    fn left_out(&mut self) {
        for id in &self.report.deselected {
            if self.sealed(file_of(id)) && !self.evidence.baseline.contains(id) {
                self.findings.test(id, "not_run", "deselected");
                self.findings
                    .refuse("deselected", Some(id), "is deselected instead of run");
            }
        }
        for skipped in &self.report.skipped_files {
            if self.sealed(file_of(&skipped.file)) {
                self.findings
                    .test(&skipped.file, "skipped", "the whole file is skipped");
                self.findings
                    .refuse("skipped", Some(&skipped.file), "the whole file is skipped");
            }
        }
        for error in &self.report.errors {
            let file = file_of(&error.file);
            if self.evidence.baseline.uncollectable.contains(&error.file) && !self.sealed(file) {
                continue;
            }
            let raised = &error.raised;
            self.findings.test(&error.file, "error", raised.class());
            self.findings.refuse(
                "collection_error",
                Some(&error.file),
                format!(
                    "cannot be collected, {}: {}",
                    raised.class(),
                    first_line(raised)
                ),
            );
        }
    }

    /// An exit code other than 0 needs a failure that was there at the base commit already.
    fn exit_is_explained(&mut self, summaries: &[Summary<'_>]) {
        let code = self.evidence.observation.exit.code().unwrap_or_default();
        if !self.findings.is_clean() {
            return;
        }
        let failing = summaries
            .iter()
            .filter(|summary| matches!(summary.ending, Ending::Failed | Ending::Error))
            .count();
        let old = failing + self.report.errors.len();
        if (code == 0) != (old == 0) {
            self.findings.refuse(
                "records_disagree",
                None,
                format!("the runner exited with {code}, but {old} of its records are failures"),
            );
        } else if old > 0 {
            self.findings.note(format!(
                "{old} tests or files that failed at the base commit fail still"
            ));
        }
    }
}
