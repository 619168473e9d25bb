//! The red gate: do the new tests fail, and for a reason that an implementation removes?

use std::collections::BTreeSet;

use super::cause::{Cause, Project, When};
use super::findings::{Findings, readable};
use super::summary::{Ending, Summary, file_of};
use super::test_names::is_test_module;
use super::{Baseline, Declared, Observation, Report, Verdict};
use crate::workflow::exit_code_router::route_red;

/// What the red gate judges.
#[derive(Debug, Clone, Copy)]
pub struct RedEvidence<'a> {
    /// One run of the whole suite, with the new tests and without an implementation.
    pub observation: &'a Observation,
    /// The same suite without the new tests.
    pub baseline: &'a Baseline,
    /// The files that the scaffold wrote, relative to the tree.
    pub test_files: &'a [String],
    /// What the design is going to bring.
    pub declared: &'a Declared,
}

/// Judges a red run.
pub fn judge_red(evidence: &RedEvidence<'_>) -> Verdict {
    let exit = evidence.observation.exit;
    let report = match readable(evidence.observation, route_red) {
        Ok(report) => report,
        Err(verdict) => return verdict,
    };
    let summaries = report.summaries();
    let mut judge = Judge {
        evidence,
        report,
        project: Project {
            declared: evidence.declared,
            import_roots: &report.import_roots,
            test_files: evidence.test_files,
        },
        findings: Findings::default(),
        failing: 0,
        passing: Vec::new(),
    };
    for summary in &summaries {
        if judge.is_new(summary.id) {
            judge.new_test(summary);
        }
    }
    let uncollected = judge.collection_errors();
    judge.files_without_tests();
    judge
        .findings
        .compare_with_baseline(report, &summaries, evidence.baseline, &uncollected);
    judge.something_fails();
    judge.findings.conclude(exit)
}

struct Judge<'a> {
    evidence: &'a RedEvidence<'a>,
    report: &'a Report,
    project: Project<'a>,
    findings: Findings,
    /// How many new tests, or files of them, fail for a good reason.
    failing: usize,
    passing: Vec<&'a str>,
}

impl<'a> Judge<'a> {
    fn is_new(&self, id: &str) -> bool {
        self.wrote(file_of(id)) && !self.evidence.baseline.contains(id)
    }

    fn wrote(&self, file: &str) -> bool {
        self.evidence
            .test_files
            .iter()
            .any(|written| written == file)
    }

    fn new_test(&mut self, summary: &Summary<'a>) {
        let (id, name) = (summary.id, summary.ending.name());
        let (rule, message) = match (summary.ending, summary.raised) {
            (Ending::Passed, _) => {
                self.findings.test(id, name, "passes already");
                self.passing.push(id);
                return;
            }
            (Ending::Failed | Ending::Error, Some((phase, raised))) => {
                let cause = self.project.cause(When::Test(phase), raised);
                return self.failure(id, name, cause);
            }
            (Ending::Failed | Ending::Error, None) => {
                let cause = Cause::Doubtful("failed without saying why".to_owned());
                return self.failure(id, name, cause);
            }
            (Ending::Skipped, _) => ("skipped", "is skipped; a new test has to run"),
            (Ending::Xfailed | Ending::Xpassed, _) => (
                "xfail",
                "is marked as expected to fail; a new test has to fail plainly",
            ),
            (Ending::NotRun, _) => ("not_run", "was collected and not run to its end"),
        };
        self.findings.test(id, name, message);
        self.findings.refuse(rule, Some(id), message);
    }

    fn failure(&mut self, id: &str, outcome: &str, cause: Cause) {
        match cause {
            Cause::Mendable(phrase) => {
                self.failing += 1;
                self.findings.test(id, outcome, phrase);
            }
            Cause::Doubtful(phrase) => {
                self.failing += 1;
                self.findings.note(format!("{id}: in doubt, {phrase}"));
                self.findings.test(id, outcome, phrase);
            }
            Cause::Unmendable { rule, message } => {
                self.findings.test(id, outcome, rule);
                self.findings.refuse(rule, Some(id), message);
            }
        }
    }

    /// Judges files that could not be collected; returns those whose old tests are excused.
    fn collection_errors(&mut self) -> BTreeSet<&'a str> {
        let mut uncollected = BTreeSet::new();
        for error in &self.report.errors {
            let file = file_of(&error.file);
            if !self.wrote(file) {
                // Old tests in it are missed by the comparison with the baseline; one that never
                // could be collected is none of this run's business.
                continue;
            }
            let failing = self.failing;
            let cause = self.project.cause(When::Collection, &error.raised);
            self.failure(&error.file, "error", cause);
            if self.failing > failing && uncollected.insert(file) {
                let old = self
                    .evidence
                    .baseline
                    .ids()
                    .filter(|id| file_of(id) == file)
                    .count();
                if old > 0 {
                    self.findings.note(format!(
                        "{file} cannot be collected without the implementation; its {old} earlier \
                         tests have to pass at green"
                    ));
                }
            }
        }
        uncollected
    }

    /// A test file of which nothing was seen says nothing.
    fn files_without_tests(&mut self) {
        for skipped in &self.report.skipped_files {
            if self.wrote(file_of(&skipped.file)) {
                self.findings
                    .test(&skipped.file, "skipped", "the whole file is skipped");
                self.findings.refuse(
                    "skipped",
                    Some(&skipped.file),
                    format!(
                        "the whole file is skipped ({}); new tests have to run",
                        skipped.reason
                    ),
                );
            }
        }
        let seen: BTreeSet<&str> = (self.report.collected.iter().map(String::as_str))
            .chain(self.report.errors.iter().map(|error| error.file.as_str()))
            .chain(
                self.report
                    .skipped_files
                    .iter()
                    .map(|skipped| skipped.file.as_str()),
            )
            .map(file_of)
            .collect();
        for id in &self.report.deselected {
            if self.is_new(id) {
                self.findings.refuse(
                    "deselected",
                    Some(id),
                    "is deselected; a new test has to run",
                );
            }
        }
        for file in self.evidence.test_files {
            if is_test_module(file) && !seen.contains(file.as_str()) {
                self.findings.refuse(
                    "nothing_collected",
                    Some(file),
                    "the runner finds no test in this file",
                );
            }
        }
    }

    fn something_fails(&mut self) {
        if !self.passing.is_empty() && self.failing > 0 {
            let ids = self.passing.join(", ");
            self.findings
                .note(format!("passes already, before any implementation: {ids}"));
        }
        if self.failing > 0 || !self.findings.is_clean() {
            return;
        }
        if self.passing.is_empty() {
            self.findings.refuse(
                "nothing_collected",
                None,
                "the runner finds no new test in the files that were written",
            );
        } else {
            self.findings.refuse(
                "nothing_fails",
                None,
                "every new test passes without an implementation; at least one has to fail for \
                 what is missing",
            );
        }
    }
}
