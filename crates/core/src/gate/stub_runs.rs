//! The result of stubs at red.
//!
//! A test that waits for a module or a name fails at once, and the rest of it stays unseen. Against a stub that only
//! raises it shows whether it tests anything: a test that uses the stub and passes there would pass against anything.
//! Against a stub that accepts everything it shows what lies behind its first failure. Failures caused by the stub mean
//! nothing; those that only the test can fix refuse it.

use std::collections::BTreeSet;

use super::cause::When;
use super::red::Judge;
use super::{CheckName, Rule};
use crate::remark::Remark;
use crate::test_outcome::{Ending, Observation, Report, Summary, file_of};

/// The new tests again, with stubs for the missing code.
#[derive(Debug, Clone, Copy)]
pub struct StubRuns<'a> {
    /// Stubs that only raise.
    pub raising: &'a Observation,
    /// Stubs that go along with everything.
    pub answering: &'a Observation,
}

/// Which of the two runs is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Raising,
    Answering,
}

impl<'a> Judge<'a> {
    /// Judges the runs against stubs of tests that wait for code.
    pub(super) fn against_stubs(&mut self, runs: &StubRuns<'a>) {
        const CHECK: CheckName = CheckName::Stubs;
        let before = self.findings.reasons();
        let mut refused = BTreeSet::new();
        let raising = match runs.raising.complete() {
            Ok(report) => report,
            Err(problem) => {
                let detail = format!("whether the new tests fail against stubs: {problem}");
                // That `import *` brings a name was not seen.
                for (subject, message) in std::mem::take(&mut self.starred) {
                    self.findings
                        .refuse(Rule::NameError, Some(subject), message);
                }
                return self.findings.unverified(CHECK, detail);
            }
        };
        self.observe_assertions(raising);
        self.files_against_stubs(raising);
        for summary in raising.summaries() {
            if self.waits(summary.id) {
                self.judge_against(Stage::Raising, raising, &summary, &mut refused);
            }
        }
        match runs.answering.complete() {
            Ok(report) => {
                self.observe_assertions(report);
                for summary in report.summaries() {
                    if self.waits(summary.id) && !refused.contains(summary.id) {
                        self.judge_against(Stage::Answering, report, &summary, &mut refused);
                    }
                }
            }
            Err(problem) => self.findings.note(format!(
                "what lies behind the first failure of the new tests was not seen: {problem}"
            )),
        }
        if self.findings.reasons() == before {
            self.findings
                .held(CHECK, "the new tests fail against stubs that only raise");
        } else {
            let detail = "a new test passes against a stub, or cannot pass whatever the code does";
            self.findings.refused(CHECK, detail);
        }
    }

    /// Whether stubs say something about this test.
    fn waits(&self, id: &str) -> bool {
        let apart = self.lacking.contains(id) || self.starred.contains_key(id);
        apart || (self.absent.contains(file_of(id)) && self.is_new(id))
    }

    fn judge_against(
        &mut self,
        stage: Stage,
        report: &'a Report,
        summary: &Summary<'a>,
        refused: &mut BTreeSet<&'a str>,
    ) {
        let (id, ending) = (summary.id, summary.ending);
        if self.is_not_run_here(id, ending) {
            return;
        }
        let used = report.used_stubs.contains(id);
        let fault = match (ending, summary.raised) {
            (Ending::Failed | Ending::Error, Some((phase, raised))) => {
                self.project.fault(When::Test(phase), raised, used)
            }
            (Ending::Passed, _) if stage == Stage::Raising => {
                return self.passes_against_stub(id, report, refused);
            }
            // By a mark, or before it reached the code.
            (Ending::Skipped, _) if !used => {
                Some((Rule::Skipped, "is skipped; a new test has to run".into()))
            }
            (Ending::Xfailed | Ending::Xpassed, _) => Some((
                Rule::Xfail,
                "is marked as expected to fail; a new test has to fail plainly".into(),
            )),
            _ => None,
        };
        if let Some((rule, message)) = fault {
            self.findings.test(id, ending, rule.as_str());
            self.findings.refuse(rule, Some(id), message);
            refused.insert(id);
        } else if stage == Stage::Raising && self.absent.contains(file_of(id)) {
            self.failing.insert(id);
            let reason = "cannot be collected yet; fails against a stub";
            self.findings.test(id, ending, reason);
        }
    }

    /// A test that passes because it does not use the missing code is one that passes already.
    fn passes_against_stub(
        &mut self,
        id: &'a str,
        report: &Report,
        refused: &mut BTreeSet<&'a str>,
    ) {
        if self.absent.contains(file_of(id)) && !report.knew_stubs.contains(id) {
            return self.passes_already(id);
        }
        let ending = Ending::Passed;
        self.findings.test(id, ending, "passes against a stub");
        self.findings.refuse(
            Rule::PassesAgainstStub,
            Some(id),
            Remark::from("passes against a stub that does nothing but raise")
                .so("it has to fail unless the code does what the document asks for"),
        );
        refused.insert(id);
    }

    /// Files that could not be collected: with stubs they can, and have tests.
    fn files_against_stubs(&mut self, report: &'a Report) {
        for file in self.absent.clone() {
            // One that only loads such a file has no new tests.
            if !self.wrote(file) {
                continue;
            }
            let mut errors = report.errors.iter();
            if let Some(error) = errors.find(|error| file_of(&error.file) == file) {
                // A function called while the file is loaded may well be a stub.
                let fault = self.project.fault(When::Collection, &error.raised, true);
                if let Some((rule, message)) = fault {
                    self.findings.refuse(rule, Some(file), message);
                }
                continue;
            }
            // From now on its tests are judged in its place.
            self.failing.remove(file);
            let mut skipped = report.skipped_files.iter();
            if let Some(skipped) = skipped.find(|skipped| file_of(&skipped.file) == file) {
                if self.is_file_not_run_here(file, &skipped.reason) {
                    continue;
                }
                let message = format!(
                    "the whole file is skipped ({}); new tests have to run",
                    skipped.reason
                );
                self.findings.refuse(Rule::Skipped, Some(file), message);
            } else if !report.collected.iter().any(|id| file_of(id) == file) {
                let message = "the runner finds no test in this file once it can be loaded";
                self.findings
                    .refuse(Rule::NothingCollected, Some(file), message);
            }
        }
        for id in &report.deselected {
            if self.waits(id) {
                let message = "is deselected; a new test has to run";
                self.findings.refuse(Rule::Deselected, Some(id), message);
            }
        }
    }
}
