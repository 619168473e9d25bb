//! The result of one run of the whole suite at red: which tests are new, which fail and why, and the effect on others.

use std::collections::BTreeSet;

use super::cause::{Cause, When};
use super::red::Judge;
use super::{FlagKind, RedScope, Rule, SourceFlag};
use crate::dialect::is_test_module;
use crate::test_outcome::{Ending, FailureKind, Outcome, Report, Summary, file_of, function_of};

impl<'a> Judge<'a> {
    /// Judges one run of the whole suite.
    pub(super) fn suite(&mut self, summaries: &[Summary<'a>]) {
        self.observe_assertions(self.report);
        self.observe_what_raises(self.report);
        for summary in summaries {
            if self.is_new(summary.id) {
                self.new_test(summary);
            }
        }
        self.absent = self.collection_errors();
        self.files_without_tests();
        self.findings
            .compare_runner(self.evidence.observation, self.evidence.baseline);
        self.findings
            .nothing_is_unhandled(self.report, self.evidence.baseline, |raised| {
                raised.kind == FailureKind::Assertion
            });
        // The base has nothing of what was run.
        if self.evidence.scope == RedScope::NewFiles {
            return;
        }
        let by_support = self.changed_by_support(summaries);
        let analysis = self.evidence.analysis;
        self.findings.compare_with_baseline(
            self.report,
            summaries,
            self.evidence.baseline,
            &self.absent,
            |id| analysis.is_changed(id) || by_support.contains(id),
        );
    }

    /// Existing tests that fail because of changed files that they depend on, helpers or data: nothing else differs
    /// from the base here. They have to pass at green.
    fn changed_by_support(&mut self, summaries: &[Summary<'a>]) -> BTreeSet<&'a str> {
        let (baseline, analysis) = (self.evidence.baseline, self.evidence.analysis);
        let support: Vec<&str> = self.evidence.support().collect();
        let mut changed = BTreeSet::new();
        if support.is_empty() {
            return changed;
        }
        for summary in summaries.iter().filter(|summary| summary.is_failure()) {
            let id = summary.id;
            let passed = baseline.outcome(id) == Some(Ending::Passed);
            let Some((phase, raised)) = summary.raised.filter(|_| passed) else {
                continue;
            };
            let cause = self.project.cause(When::Test(phase), raised);
            if !analysis.is_changed(id) && !matches!(cause, Cause::Unmendable { .. }) {
                self.failure(id, summary.ending, cause);
                changed.insert(id);
            }
        }
        if !changed.is_empty() {
            self.findings.note(format!(
                "changes existing tests by {}: {} fail without an implementation",
                support.join(", "),
                changed.len()
            ));
        }
        changed
    }

    /// The same as flags for the review.
    pub(super) fn support_flags(&self) -> Vec<SourceFlag> {
        let analysis = self.evidence.analysis;
        let old = |id: &&&str| self.evidence.baseline.contains(id) && !analysis.is_changed(id);
        let changed = self.failing.iter().filter(old).count();
        let support = self.evidence.support().filter(|_| changed > 0);
        support
            .map(|file| SourceFlag {
                path: file.to_owned(),
                line: 1,
                flag: FlagKind::ChangesTest,
                what: format!("tests that fail by it: {changed}"),
            })
            .collect()
    }

    /// Keeps which tests were seen to assert something, regardless of their code.
    pub(super) fn observe_assertions(&mut self, report: &'a Report) {
        let asserted = report.records.iter().filter(|record| {
            record.raised.as_ref().is_some_and(|raised| {
                raised.kind == FailureKind::Assertion && self.project.raised_in_test(raised)
            })
        });
        self.asserted
            .extend(asserted.map(|record| function_of(&record.id)));
    }

    /// A test that fails because existing code raises demands that it does not: that can tell right from wrong, though
    /// little.
    fn observe_what_raises(&mut self, report: &'a Report) {
        for record in &report.records {
            let raised = record.raised.as_ref();
            if record.outcome == Outcome::Failed
                && raised.is_some_and(|raised| self.project.raised_in_source(raised))
            {
                self.asserted.insert(function_of(&record.id));
            }
        }
    }

    pub(super) fn is_new(&self, id: &str) -> bool {
        let analysis = self.evidence.analysis;
        (self.wrote(file_of(id)) || self.wrote(analysis.file_of_definition(id)))
            && (!self.evidence.baseline.contains(id) || self.evidence.analysis.is_changed(id))
    }

    pub(super) fn wrote(&self, file: &str) -> bool {
        self.evidence
            .test_files
            .iter()
            .any(|written| written == file)
    }

    fn new_test(&mut self, summary: &Summary<'a>) {
        let (id, ending) = (summary.id, summary.ending);
        let baseline = self.evidence.baseline;
        if self.is_not_run_here(id, ending) || self.findings.leaves_itself_out(summary, baseline) {
            return;
        }
        let (rule, message) = match (summary.ending, summary.raised) {
            (Ending::Passed, _) => return self.passes_already(id),
            (Ending::Failed | Ending::Error, Some((phase, raised))) => {
                let cause = self.project.cause(When::Test(phase), raised);
                if raised.is_of_missing_code() && !matches!(cause, Cause::Unmendable { .. }) {
                    self.lacking.insert(id);
                }
                return self.failure(id, ending, cause);
            }
            (Ending::Failed | Ending::Error, None) => {
                let cause = Cause::Doubtful("failed without saying why".to_owned());
                return self.failure(id, ending, cause);
            }
            (Ending::Skipped, _) => (Rule::Skipped, "is skipped; a new test has to run"),
            (Ending::Xfailed | Ending::Xpassed, _) => (
                Rule::Xfail,
                "is marked as expected to fail; a new test has to fail plainly",
            ),
            (Ending::NotRun | Ending::Deselected, _) => {
                (Rule::NotRun, "was collected and not run to its end")
            }
        };
        self.findings.test(id, ending, message);
        self.findings.refuse(rule, Some(id), message);
    }

    /// A new test that passes before any implementation.
    pub(super) fn passes_already(&mut self, id: &'a str) {
        if self.evidence.analysis.is_example(id) {
            // An example in a documentation. Nothing is concluded from it.
            let reason = "an example that is right already";
            return self.findings.test(id, Ending::Passed, reason);
        }
        self.findings.test(id, Ending::Passed, "passes already");
        self.passing.push(id);
    }

    fn failure(&mut self, id: &'a str, outcome: Ending, cause: Cause) {
        match cause {
            Cause::Mendable(phrase) => {
                self.failing.insert(id);
                self.findings.test(id, outcome, phrase);
            }
            Cause::Unmendable {
                rule: Rule::NameError,
                message,
            } if self.takes_every_name(file_of(id)) => {
                self.failing.insert(id);
                let phrase = "uses a name that `import *` has to bring";
                self.findings.test(id, outcome, phrase);
                self.starred.insert(id, message);
            }
            Cause::Doubtful(phrase) => {
                self.failing.insert(id);
                self.findings.note(format!("{id}: in doubt, {phrase}"));
                self.findings.test(id, outcome, phrase);
            }
            Cause::Unmendable { rule, message } => {
                self.findings.test(id, outcome, rule.as_str());
                // A problem already found in the file is not reported again.
                if !self.findings.has_refused(&rule, function_of(id)) {
                    self.findings.refuse(rule, Some(id), message);
                }
            }
        }
    }

    /// Whether `import *` in this file may bring names that do not exist yet.
    fn takes_every_name(&self, file: &str) -> bool {
        let declared = self.evidence.declared;
        let mut files = self.evidence.analysis.files.iter();
        files.any(|analysed| {
            let mut stars = analysed.stars.iter();
            analysed.path == file
                && stars.any(|module| declared.is_open() || self.project.provides(module))
        })
    }

    /// Judges files that could not be collected; returns those whose old tests are excused.
    fn collection_errors(&mut self) -> BTreeSet<&'a str> {
        let mut uncollected = BTreeSet::new();
        for error in &self.report.errors {
            let file = file_of(&error.file);
            let cause = self.project.cause(When::Collection, &error.raised);
            let excused = if self.wrote(file) {
                let failing = self.failing.len();
                self.failure(&error.file, Ending::Error, cause);
                self.failing.len() > failing
            } else {
                // An unchanged file may load a new one, which cannot be loaded yet. Otherwise its old tests are missed
                // by the comparison with the baseline; one that never could be collected does not concern this run.
                let crash = error.raised.crash.as_ref();
                let excused = crash.is_some_and(|crash| self.wrote(&crash.path))
                    && !matches!(cause, Cause::Unmendable { .. });
                if excused {
                    let reason = "loads a test file that cannot be loaded yet";
                    self.findings.test(file, Ending::Error, reason);
                }
                excused
            };
            if excused && uncollected.insert(file) {
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
        let (baseline, analysis) = (self.evidence.baseline, self.evidence.analysis);
        for skipped in &self.report.skipped_files {
            let (file, reason) = (&skipped.file, &skipped.reason);
            if self.wrote(file_of(file))
                && !self.is_file_not_run_here(file, reason)
                && !self.findings.is_skipped_as_at_base(file, reason, baseline)
            {
                self.findings
                    .test(&skipped.file, Ending::Skipped, "the whole file is skipped");
                self.findings.refuse(
                    Rule::Skipped,
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
            .chain(self.report.deselected.iter().map(String::as_str))
            // Another file may take its tests in, and run them.
            .chain(self.report.definitions.values().map(String::as_str))
            .map(file_of)
            .collect();
        let written = self.evidence.test_files;
        let is_written = |file: &str| written.iter().any(|written| written == file);
        self.findings
            .deselected(self.report, baseline, analysis, is_written);
        for file in self.evidence.test_files {
            if is_test_module(file) && !seen.contains(file.as_str()) {
                self.findings.refuse(
                    Rule::NothingCollected,
                    Some(file),
                    "the runner finds no test in this file",
                );
            }
        }
    }
}
