//! The green gate: does everything pass that has to, and was everything run?
//!
//! A green is judged in steps. [`judge_suite`] looks at one run of the whole suite and either refuses or hands out the
//! [`Reruns`] of old tests that fail, which may be chance. [`SeenSuite::settle`] refuses real failures, or names the
//! [`FurtherRuns`] that a passing suite still needs: the new tests in the opposite order, without the source change,
//! existing tests in their old form, and twins. Only [`FurtherRuns::judge`] can accept, and it takes all of them: a run
//! that was not made, did not end in time or cannot be read is refused or named "unverified", never ignored.

use std::collections::BTreeSet;

use super::cause::{Project, When, first_line};
use super::exit_code_router::route_green;
use super::findings::{Findings, readable};
use super::further_runs::FurtherRuns;
use super::refactor::PassingSuite;
use super::rerun::Reruns;
use super::seal::IntactSeal;
use super::test_files::{TestFiles, support};
use super::twins::Originals;
use super::{Analysis, Baseline, Rule, Verdict};
use crate::dialect::Declared;
use crate::remark::Remark;
use crate::test_outcome::{Ending, Observation, Raised, Report, Summary, file_of, function_of};

/// One run of the whole suite on the judged tree, and the facts it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct GreenSuite<'a> {
    /// The suite's run.
    pub observation: &'a Observation,
    /// The suite at the base commit.
    pub baseline: &'a Baseline,
    /// The sealed test files, unchanged in the judged tree.
    pub seal: &'a IntactSeal,
    /// Those of them that the base has too.
    pub existing: &'a [String],
    /// `[test] paths`: files below them belong to the tests too.
    pub test_paths: &'a [String],
    /// The analysis of those files.
    pub analysis: &'a Analysis,
    /// New tests that passed at red already.
    pub passed_at_red: &'a BTreeSet<String>,
    /// Tests, and files of them, that failed at red.
    pub failed_at_red: &'a BTreeSet<String>,
    /// Test files that the design lists: their tests may be changed on purpose.
    pub listed_tests: &'a [String],
}

/// A suite that was run once. Its result may depend on suspect tests.
#[must_use = "a suite that was run once is not a verdict"]
pub struct SeenSuite<'a> {
    judge: Judge<'a>,
    reruns: Reruns,
}

/// Judges the run of the whole suite. The error is the verdict on a suite that is refused: no other run could
/// change it.
pub fn judge_suite<'a>(suite: &GreenSuite<'a>) -> Result<SeenSuite<'a>, Verdict> {
    let report = readable(suite.observation, route_green)?;
    let mut judge = Judge::new(*suite, report);
    judge.suite(&report.summaries());
    let reruns = judge.findings.reruns();
    Ok(SeenSuite {
        judge: judge.unless_refused()?,
        reruns,
    })
}

impl<'a> SeenSuite<'a> {
    /// The reruns that suspect tests still need.
    pub fn reruns(&mut self) -> &mut Reruns {
        &mut self.reruns
    }

    /// The suite with its suspect tests settled. Those that were not run again are refused.
    pub fn settle(mut self) -> Result<FurtherRuns<'a>, Verdict> {
        let flaky = self.judge.findings.judge_reruns(self.reruns);
        self.judge.exit_is_explained(flaky.len());
        Ok(FurtherRuns::of(self.judge.unless_refused()?))
    }

    /// The same for a change that brings no tests.
    pub fn settle_alone(mut self) -> Result<PassingSuite<'a>, Verdict> {
        let flaky = self.judge.findings.judge_reruns(self.reruns);
        self.judge.exit_is_explained(flaky.len());
        Ok(PassingSuite::of(self.judge.unless_refused()?))
    }
}

impl<'a> GreenSuite<'a> {
    /// Changed support files that existing tests may depend on.
    pub(super) fn support(&self) -> impl Iterator<Item = &'a str> {
        support(self.existing)
    }

    /// Whether an existing test fails without the source change because of a support file.
    fn changed_by_support(&self, id: &str) -> bool {
        self.support().next().is_some()
            && self.failed_at_red.contains(id)
            && self.baseline.contains(id)
    }

    /// The facts that the twins of these tests are compared with.
    pub(super) fn originals<'t>(&self, passed: &'t [&'t str]) -> Originals<'t>
    where
        'a: 't,
    {
        Originals {
            passed,
            analysis: self.analysis,
            test_files: TestFiles {
                written: self.seal.files(),
                paths: self.test_paths,
            },
        }
    }
}

pub(super) struct Judge<'a> {
    pub(super) suite: GreenSuite<'a>,
    pub(super) report: &'a Report,
    pub(super) findings: Findings,
    known_functions: BTreeSet<&'a str>,
    /// The tests that are judged as new ones.
    pub(super) new: Vec<&'a str>,
    /// Those of them that leave parts of themselves out.
    pub(super) partly: Vec<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(suite: GreenSuite<'a>, report: &'a Report) -> Self {
        Self {
            suite,
            report,
            findings: Findings::default(),
            known_functions: suite.baseline.ids().map(function_of).collect(),
            new: Vec::new(),
            partly: Vec::new(),
        }
    }

    /// Judges one run of the whole suite.
    fn suite(&mut self, summaries: &[Summary<'a>]) {
        let (baseline, analysis) = (self.suite.baseline, self.suite.analysis);
        for summary in summaries {
            let by_support = self.suite.changed_by_support(summary.id);
            if baseline.contains(summary.id) && !analysis.is_changed(summary.id) && !by_support {
                continue;
            }
            if self.is_not_run_here(summary) {
                continue;
            }
            if self.leaves_parts_out(summary) {
                self.partly.push(summary.id);
            } else if self.findings.leaves_itself_out(summary, baseline) {
                continue;
            }
            if by_support
                || self.sealed(file_of(summary.id))
                || self.sealed(analysis.file_of_definition(summary.id))
            {
                self.new.push(summary.id);
                self.new_test(summary);
            } else {
                self.unexpected(summary);
            }
        }
        self.left_out();
        let sealed = !self.suite.seal.files().is_empty();
        if sealed && self.new.is_empty() && self.findings.is_clean() {
            self.findings.refuse(
                Rule::NothingCollected,
                None,
                "none of the new tests was run",
            );
        }
        self.findings
            .compare_runner(self.suite.observation, baseline);
        self.findings
            .nothing_is_unhandled(self.report, baseline, |_| true);
        self.findings.compare_with_baseline(
            self.report,
            summaries,
            baseline,
            &BTreeSet::new(),
            |id| analysis.is_changed(id),
        );
    }

    /// Itself, or the verdict where something was refused.
    fn unless_refused(self) -> Result<Self, Verdict> {
        if self.findings.is_clean() {
            return Ok(self);
        }
        let suite = self.suite;
        Err(self.findings.conclude(suite.observation, suite.baseline))
    }

    fn sealed(&self, file: &str) -> bool {
        let mut sealed = self.suite.seal.files().iter();
        sealed.any(|sealed| sealed == file)
    }

    fn new_test(&mut self, summary: &Summary<'_>) {
        let (id, ending) = (summary.id, summary.ending);
        if summary.ending == Ending::Passed {
            if summary.attempts > 1 {
                self.findings
                    .note(format!("{id} passed only at attempt {}", summary.attempts));
            }
            return self.findings.test(id, ending, "");
        }
        let failed = matches!(ending, Ending::Failed | Ending::Error);
        let fault = summary
            .raised
            .filter(|_| failed)
            .and_then(|(phase, raised)| self.fault(When::Test(phase), raised));
        if let Some((rule, message)) = fault {
            self.findings.test(id, ending, message.fact());
            return self.findings.refuse_test(rule, id, message);
        }
        let (rule, message) = match (summary.ending, summary.raised) {
            (Ending::Failed | Ending::Error, Some((_, raised))) => (
                Rule::TestFails,
                format!(
                    "still fails with {}: {}",
                    raised.class(),
                    first_line(raised)
                ),
            ),
            (Ending::Skipped, _) => (Rule::Skipped, "is skipped instead of passing".to_owned()),
            (Ending::Xfailed | Ending::Xpassed, _) => (
                Rule::Xfail,
                "is expected to fail instead of passing".to_owned(),
            ),
            (Ending::NotRun | Ending::Deselected, _) => (
                Rule::NotRun,
                "was collected and not run to its end; something stopped the run".to_owned(),
            ),
            _ => (Rule::TestFails, "still fails".to_owned()),
        };
        self.findings.test(id, ending, message.clone());
        self.findings.refuse(rule, Some(id), message);
    }

    /// Why a failure lies in the tests, if it does.
    fn fault(&self, when: When, raised: &Raised) -> Option<(Rule, Remark)> {
        let project = Project {
            // The source may still bring a missing import.
            declared: &Declared::default().and_perhaps_more(),
            import_roots: &[],
            test_files: TestFiles {
                written: self.suite.seal.files(),
                paths: self.suite.test_paths,
            },
        };
        project.fault_at_green(when, raised)
    }

    /// A test that neither the base commit nor the sealed files have.
    fn unexpected(&mut self, summary: &Summary<'_>) {
        let id = summary.id;
        let is_example = self.suite.analysis.is_example(id);
        let renamed_case = self.known_functions.contains(function_of(id));
        if renamed_case && summary.ending == Ending::Passed {
            self.findings
                .note(format!("{id} is a case that the base commit did not have"));
        } else if is_example && summary.ending == Ending::Passed {
            // Honest code brings examples in its documentation. Nothing is concluded from them.
            self.findings.note(format!(
                "{id} is an example in the documentation that came with the change"
            ));
        } else if renamed_case || is_example {
            self.new_test(summary);
        } else {
            self.findings.test(id, summary.ending, "not a sealed test");
            self.findings.refuse(
                Rule::UnexpectedTest,
                Some(id),
                "is neither a test of the base commit nor a sealed one",
            );
        }
    }

    /// New tests that were found and not run, and files that could not be read.
    fn left_out(&mut self) {
        let (baseline, analysis) = (self.suite.baseline, self.suite.analysis);
        let sealed = self.suite.seal.files();
        let is_sealed = |file: &str| sealed.iter().any(|sealed| sealed == file);
        self.findings
            .deselected(self.report, baseline, analysis, is_sealed);
        for skipped in &self.report.skipped_files {
            let (file, reason) = (&skipped.file, &skipped.reason);
            if is_sealed(file_of(file))
                && !self
                    .findings
                    .file_is_not_run_here(file, reason, baseline, analysis)
                && !self.findings.is_skipped_as_at_base(file, reason, baseline)
            {
                self.findings
                    .test(&skipped.file, Ending::Skipped, "the whole file is skipped");
                self.findings.refuse(
                    Rule::Skipped,
                    Some(&skipped.file),
                    "the whole file is skipped",
                );
            }
        }
        for error in &self.report.errors {
            let file = file_of(&error.file);
            if self.suite.baseline.uncollectable.contains(&error.file) && !self.sealed(file) {
                continue;
            }
            let raised = &error.raised;
            self.findings
                .test(&error.file, Ending::Error, raised.class());
            if let Some((rule, message)) = self.fault(When::Collection, raised) {
                self.findings.refuse_test(rule, &error.file, message);
                continue;
            }
            self.findings.refuse(
                Rule::CollectionError,
                Some(&error.file),
                format!(
                    "cannot be collected, {}: {}",
                    raised.class(),
                    first_line(raised)
                ),
            );
        }
    }

    /// An exit code other than 0 needs a failure that was there at the base commit already, or a flaky test.
    fn exit_is_explained(&mut self, flaky: usize) {
        let code = self.suite.observation.exit.code().unwrap_or_default();
        if !self.findings.is_clean() {
            return;
        }
        let summaries = self.report.summaries();
        let failing = summaries.iter().filter(|summary| summary.is_failure());
        let failing = failing.count() + self.report.errors.len() + self.report.unhandled.len();
        let old = failing.saturating_sub(flaky);
        if (code == 0) != (failing == 0) {
            self.findings.refuse(
                Rule::RecordsDisagree,
                None,
                format!("the runner exited with {code}, but {failing} of its records are failures"),
            );
        } else if old > 0 {
            self.findings.note(format!(
                "{old} tests or files that failed at the base commit fail still"
            ));
        }
    }
}
