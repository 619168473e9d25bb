//! The red gate: do the new tests fail, and for a reason that an implementation removes?

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cause::{Cause, Project, When};
use super::exit_code_router::route_red;
use super::findings::{Findings, readable};
use super::green::is_doctest;
use super::rerun::Reruns;
use super::stub_runs::StubRuns;
use super::test_files::TestFiles;
use super::twins::Originals;
use super::{
    Analysis, Baseline, CheckName, Disposition, FlagKind, Rule, SourceFlag, TwinKind, TwinRun,
    Verdict,
};
use crate::pytest::{Declared, is_test_module};
use crate::test_outcome::{
    Ending, FailureKind, Observation, Outcome, Report, Summary, file_of, function_of,
};

/// One run of the whole suite with the new tests and without an implementation, and what it is held against.
#[derive(Debug, Clone, Copy)]
pub struct RedSuite<'a> {
    /// The run.
    pub observation: &'a Observation,
    /// The same suite without the new tests.
    pub baseline: &'a Baseline,
    /// The files that the scaffold wrote, relative to the tree.
    pub test_files: &'a [String],
    /// Those of them that the base has too.
    pub existing: &'a [String],
    /// `[test] paths`: what lies below them belongs to the tests too.
    pub test_paths: &'a [String],
    /// What the design is going to bring.
    pub declared: &'a Declared,
    /// What those files say.
    pub analysis: &'a Analysis,
    /// How many of the new tests have to fail.
    pub rule: RedRule,
}

impl<'a> RedSuite<'a> {
    /// What existing tests may stand on and was changed: helpers, fixtures, data.
    fn support(&self) -> impl Iterator<Item = &'a str> {
        let existing = self.existing.iter().map(String::as_str);
        existing.filter(|file| !is_test_module(file))
    }

    fn test_files(&self) -> TestFiles<'a> {
        TestFiles {
            written: self.test_files,
            paths: self.test_paths,
        }
    }
}

/// How many of the new tests have to fail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RedRule {
    /// At least one; a test that passes already has to be able to fail.
    #[default]
    Any,
    /// Every one.
    All,
}

/// A suite that was looked at. Whether it is a valid red may depend on further runs.
#[must_use = "a suite that was looked at is not a verdict"]
pub struct RedRuns<'a> {
    judge: Judge<'a>,
    /// How many reasons the files alone gave.
    told: usize,
    /// Whether runs against stubs are wanted.
    stubs: bool,
    /// Whether they were taken.
    taken: bool,
}

/// Judges the run of the whole suite. The error is the verdict on a run that cannot be judged at all.
pub fn judge_scaffold<'a>(suite: &RedSuite<'a>) -> Result<SeenScaffold<'a>, Verdict> {
    let report = readable(suite.observation, route_red)
        .map_err(|verdict| with_what_the_files_say(verdict, suite.analysis))?;
    let mut judge = Judge::new(*suite, report);
    judge.findings.what_the_files_say(suite.analysis);
    let told = judge.findings.reasons();
    judge.suite(&report.summaries());
    let reruns = judge.findings.reruns();
    Ok(SeenScaffold {
        judge,
        reruns,
        told,
    })
}

/// A suite that was run once. What it shows may depend on old tests that are in doubt.
#[must_use = "a suite that was run once is not a verdict"]
pub struct SeenScaffold<'a> {
    judge: Judge<'a>,
    reruns: Reruns,
    /// How many reasons the files alone gave.
    told: usize,
}

impl<'a> SeenScaffold<'a> {
    /// What tests that are in doubt still owe.
    pub fn reruns(&mut self) -> &mut Reruns {
        &mut self.reruns
    }

    /// The suite without its doubts. What was not run again is refused.
    pub fn settle(self) -> RedRuns<'a> {
        let mut judge = self.judge;
        judge.findings.judge_reruns(self.reruns);
        RedRuns {
            stubs: judge.findings.reasons() == self.told && judge.waits_for_code(),
            taken: false,
            told: self.told,
            judge,
        }
    }
}

impl<'a> RedRuns<'a> {
    /// Tests that wait for a module or a name: whether they test anything, and what lies behind their first
    /// failure, shows only against stubs.
    pub fn needs_stubs(&self) -> bool {
        self.stubs
    }

    /// Takes the runs against stubs.
    pub fn with_stubs<'b>(self, runs: StubRuns<'b>) -> RedRuns<'b>
    where
        'a: 'b,
    {
        let mut suite: RedRuns<'b> = self;
        suite.judge.against_stubs(&runs);
        suite.taken = true;
        suite
    }

    /// The kinds of twins that are to be run, because of tests that pass already: whether they can fail at all
    /// shows only there.
    pub fn twins(&self) -> Vec<TwinKind> {
        let judge = &self.judge;
        let wanted = judge.findings.reasons() == self.told
            && !judge.failing.is_empty()
            && !judge.passing.is_empty();
        let kinds = TwinKind::ALL.into_iter();
        kinds
            .filter(|kind| wanted && judge.evidence.analysis.has_twins(*kind))
            .collect()
    }

    /// The twins of a run that have to be run apart from the others, because they speak against their tests.
    pub fn twins_to_run_apart(&self, run: &TwinRun<'_>) -> Vec<&str> {
        let judge = &self.judge;
        let originals = Originals {
            passed: &judge.passing,
            analysis: judge.evidence.analysis,
            test_files: judge.project.test_files,
        };
        originals.against(run)
    }

    /// What existing tests stand on and was changed, for the review.
    pub fn support_flags(&self) -> Vec<SourceFlag> {
        self.judge.support_flags()
    }

    /// Whether the twins have to be run with stubs in place, because some of them cannot be collected without.
    pub fn twins_need_stubs(&self) -> bool {
        let mut passing = self.judge.passing.iter();
        passing.any(|id| self.judge.absent.contains(file_of(id)))
    }

    /// The verdict. This is the one place that accepts a red, the fallback for a run without a report apart.
    pub fn judge(mut self, twins: &[TwinRun<'_>]) -> Verdict {
        if !self.stubs {
            let detail = "every new test can be collected";
            let findings = &mut self.judge.findings;
            findings.not_applicable(CheckName::Stubs, detail);
        } else if !self.taken {
            self.missing("the new tests were not run against stubs");
        }
        for kind in self.twins() {
            if !twins.iter().any(|run| run.kind == kind) {
                self.missing("the twins of the new tests were not run");
            }
        }
        let judge = &mut self.judge;
        judge.tests_without_an_oracle();
        judge.passing_already(twins);
        judge.something_fails();
        let suite = judge.evidence;
        let findings = self.judge.findings;
        findings.conclude(suite.observation, suite.baseline)
    }

    fn missing(&mut self, what: &str) {
        let message = format!("{what}; without that nothing is accepted");
        self.judge.findings.refuse(Rule::RunMissing, None, message);
    }
}

/// A run that cannot be judged may well be explained by its files, and those can be mended.
fn with_what_the_files_say(mut verdict: Verdict, analysis: &Analysis) -> Verdict {
    let mut findings = Findings::default();
    findings.what_the_files_say(analysis);
    findings.tests_without_an_oracle(analysis, &BTreeSet::new());
    if !findings.is_clean() {
        let told = findings.verdict(Disposition::Revise, None);
        verdict.reasons.splice(0..0, told.reasons);
        verdict.disposition = Disposition::Revise;
    }
    verdict
}

pub(super) struct Judge<'a> {
    pub(super) evidence: RedSuite<'a>,
    report: &'a Report,
    pub(super) project: Project<'a>,
    pub(super) findings: Findings,
    /// New tests, or files of them, that fail for a good reason.
    pub(super) failing: BTreeSet<&'a str>,
    pub(super) passing: Vec<&'a str>,
    /// Files that cannot be collected because of what is missing.
    pub(super) absent: BTreeSet<&'a str>,
    /// Tests that fail because a module or a name is missing.
    pub(super) lacking: BTreeSet<&'a str>,
    /// Tests and files in which a name is not defined that `import *` may bring, and what is wrong if it does not.
    pub(super) starred: BTreeMap<&'a str, String>,
    /// Test functions of which a failed assertion was seen.
    asserted: BTreeSet<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(evidence: RedSuite<'a>, report: &'a Report) -> Self {
        Self {
            evidence,
            report,
            project: Project {
                declared: evidence.declared,
                import_roots: &report.import_roots,
                test_files: evidence.test_files(),
            },
            findings: Findings::default(),
            failing: BTreeSet::new(),
            passing: Vec::new(),
            absent: BTreeSet::new(),
            lacking: BTreeSet::new(),
            starred: BTreeMap::new(),
            asserted: BTreeSet::new(),
        }
    }

    /// What one run of the whole suite shows.
    fn suite(&mut self, summaries: &[Summary<'a>]) {
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

    /// Existing tests that fail by what was changed in files that they stand on, helpers or data: nothing else
    /// differs from the base here. They have to pass at green.
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
    fn support_flags(&self) -> Vec<SourceFlag> {
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

    /// Keeps which tests were seen to assert something, whatever their code looks like.
    pub(super) fn observe_assertions(&mut self, report: &'a Report) {
        let asserted = report.records.iter().filter(|record| {
            record.raised.as_ref().is_some_and(|raised| {
                raised.kind == FailureKind::Assertion && self.project.raised_in_test(raised)
            })
        });
        self.asserted
            .extend(asserted.map(|record| function_of(&record.id)));
    }

    /// A test that fails because code which is there raises asks that it does not: that can tell right from wrong,
    /// though little.
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

    fn tests_without_an_oracle(&mut self) {
        self.findings
            .tests_without_an_oracle(self.evidence.analysis, &self.asserted);
    }

    /// Whether something fails only because a module or a name is missing.
    fn waits_for_code(&self) -> bool {
        !(self.absent.is_empty() && self.lacking.is_empty() && self.starred.is_empty())
    }

    /// Whether `import *` in this file may bring names that are not there yet.
    fn takes_every_name(&self, file: &str) -> bool {
        let declared = self.evidence.declared;
        let mut files = self.evidence.analysis.files.iter();
        files.any(|analysed| {
            let mut stars = analysed.stars.iter();
            analysed.path == file
                && stars.any(|module| declared.is_open() || self.project.provides(module))
        })
    }

    /// A new test that passes already is let through only if it could fail.
    fn passing_already(&mut self, twins: &[TwinRun<'_>]) {
        if self.failing.is_empty() || self.passing.is_empty() {
            return;
        }
        if self.evidence.rule == RedRule::All {
            for id in std::mem::take(&mut self.passing) {
                self.findings.refuse(
                    Rule::PassesAlready,
                    Some(id),
                    "passes before any implementation; `[test] red = \"all\"` wants every new test to fail",
                );
            }
            return;
        }
        if !self.findings.is_clean() {
            return;
        }
        let passing = self.passing.clone();
        let originals = Originals {
            passed: &passing,
            analysis: self.evidence.analysis,
            test_files: self.project.test_files,
        };
        let verdict = self.findings.compare_with_twins(originals, twins);
        verdict.report(&mut self.findings);
        for id in &self.passing {
            if !verdict.is_verified(id) && self.findings.is_clean() {
                self.findings.refuse(
                    Rule::PassesAlready,
                    Some(id),
                    "passes before any implementation, and nothing shows that it could fail",
                );
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
        if self.findings.leaves_itself_out(summary, baseline) {
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
        if is_doctest(id) {
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
                // What was read in the file already is not told again.
                if !self.findings.has_refused(&rule, function_of(id)) {
                    self.findings.refuse(rule, Some(id), message);
                }
            }
        }
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
                // A file that nobody touched may load one that was written, which cannot be loaded yet. Otherwise
                // its old tests are missed by the comparison with the baseline; one that never could be collected
                // is none of this run's business.
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

    fn something_fails(&mut self) {
        if !self.passing.is_empty() && !self.failing.is_empty() {
            let ids = self.passing.join(", ");
            self.findings
                .note(format!("passes already, before any implementation: {ids}"));
        }
        if !self.failing.is_empty() || !self.findings.is_clean() {
            return;
        }
        if self.passing.is_empty() {
            self.findings.refuse(
                Rule::NothingCollected,
                None,
                "no new test was run in the files that were written",
            );
        } else {
            self.findings.refuse(
                Rule::NothingFails,
                None,
                "every new test passes without an implementation; at least one has to fail for \
                 what is missing",
            );
        }
    }
}
