//! The green gate: does everything pass that has to, and was everything run?
//!
//! A green is judged in steps. [`judge_suite`] looks at one run of the whole suite and either refuses or hands out
//! the [`Reruns`] of old tests that fail, which may be chance. [`SeenSuite::settle`] refuses what is not, or
//! names the [`FurtherRuns`] that a passing suite still owes: the new tests in the opposite order, without the
//! source change, existing tests as they were, and twins. Only [`FurtherRuns::judge`] can accept, and it takes
//! all of them: a run that was not made, did not end in time or cannot be read is refused or named
//! "unverified", never passed over.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::first_line;
use super::exit_code_router::route_green;
use super::findings::{Findings, readable};
use super::rerun::Reruns;
use super::seal::IntactSeal;
use super::test_files::TestFiles;
use super::twins::Originals;
use super::{
    Analysis, Baseline, CheckName, FlagKind, Rule, SourceFlag, TwinKind, TwinRun, Verdict,
};
use crate::pytest::is_test_module;
use crate::test_outcome::{Ending, Observation, Report, Summary, file_of, function_of};

/// One run of the whole suite on the judged tree, and what it is held against.
#[derive(Debug, Clone, Copy)]
pub struct GreenSuite<'a> {
    /// The run.
    pub observation: &'a Observation,
    /// The suite at the base commit.
    pub baseline: &'a Baseline,
    /// The sealed test files, unchanged in the judged tree.
    pub seal: &'a IntactSeal,
    /// Those of them that the base has too.
    pub existing: &'a [String],
    /// `[test] paths`: what lies below them belongs to the tests too.
    pub test_paths: &'a [String],
    /// What those files say.
    pub analysis: &'a Analysis,
    /// New tests that passed at red already.
    pub passed_at_red: &'a BTreeSet<String>,
    /// Tests, and files of them, that failed at red.
    pub failed_at_red: &'a BTreeSet<String>,
    /// Test files that the design lists: what they hold may be changed on purpose.
    pub listed_tests: &'a [String],
}

/// The runs that [`FurtherRuns`] asked for.
#[derive(Debug, Clone, Copy)]
pub struct GreenRuns<'a> {
    /// The new tests in the opposite order.
    pub reversed: &'a Observation,
    /// The new tests without the source change.
    pub without_change: &'a Observation,
    /// Existing tests that were changed, as they were at the base commit, if there are any.
    pub as_they_were: Option<&'a Observation>,
    /// The new tests' twins, of every kind that there is.
    pub twins: &'a [TwinRun<'a>],
}

/// A suite that passes. Whether it is a valid green depends on further runs.
#[must_use = "a passing suite is not a verdict"]
pub struct FurtherRuns<'a> {
    judge: Judge<'a>,
}

/// A suite that was run once. What it shows may depend on tests that are in doubt.
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
    /// What tests that are in doubt still owe.
    pub fn reruns(&mut self) -> &mut Reruns {
        &mut self.reruns
    }

    /// The suite without its doubts. What was not run again is refused.
    pub fn settle(mut self) -> Result<FurtherRuns<'a>, Verdict> {
        let flaky = self.judge.findings.judge_reruns(self.reruns);
        self.judge.exit_is_explained(flaky.len());
        let judge = self.judge.unless_refused()?;
        Ok(FurtherRuns { judge })
    }
}

impl FurtherRuns<'_> {
    /// Test files that hold existing tests which were changed, and what existing tests may stand on: they are also run
    /// as they were.
    pub fn changed_files(&self) -> Vec<&str> {
        let support = self.judge.suite.support();
        let tests = self.judge.suite.analysis.files_with_changed_tests();
        tests.into_iter().chain(support).collect()
    }

    /// The files whose tests the further runs are about.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.judge.new.iter().map(|id| file_of(id)).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Whether every existing test is to be run as it was, because something was changed that any may stand on.
    pub fn changes_support(&self) -> bool {
        self.judge.suite.support().next().is_some()
    }

    /// The kinds of twins that are to be run.
    pub fn twins(&self) -> Vec<TwinKind> {
        let analysis = self.judge.suite.analysis;
        let kinds = TwinKind::ALL.into_iter();
        kinds.filter(|kind| analysis.has_twins(*kind)).collect()
    }

    /// The twins of a run that have to be run apart from the others, because they speak against their tests.
    pub fn twins_to_run_apart(&self, run: &TwinRun<'_>) -> Vec<&str> {
        originals(self.judge.suite, &self.judge.new).against(run)
    }

    /// Existing tests whose expectation the design has changed, for the review.
    pub fn changed_expectations(&self, as_they_were: Option<&Observation>) -> Vec<SourceFlag> {
        let report = as_they_were.and_then(|observation| observation.complete().ok());
        let changed = report.map(|report| self.judge.no_longer_held(report));
        let changed = changed.into_iter().flatten();
        let meant = changed.filter(|(id, _)| self.judge.is_meant(id));
        let analysis = self.judge.suite.analysis;
        meant
            .filter_map(|(id, _)| {
                let test = analysis.definition(id)?;
                Some(SourceFlag {
                    path: analysis.file_of_definition(id).to_owned(),
                    line: test.line,
                    flag: FlagKind::ChangesExpectation,
                    what: test.versions(),
                })
            })
            .collect()
    }

    /// The verdict. This is the one place that accepts a green.
    pub fn judge(mut self, runs: &GreenRuns<'_>) -> Verdict {
        self.all_were_made(runs);
        let judge = &mut self.judge;
        judge.stays_green(runs.reversed);
        judge.red_without_the_change(runs.without_change);
        judge.no_test_was_weakened(runs.as_they_were);
        judge.twins_fail(runs.twins);
        let suite = judge.suite;
        let findings = self.judge.findings;
        findings.conclude(suite.observation, suite.baseline)
    }

    /// A run that is owed and missing refuses, whatever the others say.
    fn all_were_made(&mut self, runs: &GreenRuns<'_>) {
        let mut missing = Vec::new();
        if !self.changed_files().is_empty() && runs.as_they_were.is_none() {
            missing.push("the changed tests as they were".to_owned());
        }
        for kind in self.twins() {
            if !runs.twins.iter().any(|run| run.kind == kind) {
                missing.push(format!("the twins {}", kind.words()));
            }
        }
        for what in missing {
            let message = format!("{what} were not run; without them nothing is accepted");
            self.judge.findings.refuse(Rule::RunMissing, None, message);
        }
    }
}

impl<'a> GreenSuite<'a> {
    /// What existing tests may stand on and was changed: helpers, fixtures, data.
    fn support(&self) -> impl Iterator<Item = &'a str> {
        let existing = self.existing.iter().map(String::as_str);
        existing.filter(|file| !is_test_module(file))
    }

    /// Whether an existing test fails without the source change because of what it stands on.
    fn changed_by_support(&self, id: &str) -> bool {
        self.support().next().is_some()
            && self.failed_at_red.contains(id)
            && self.baseline.contains(id)
    }
}

/// What the twins of these tests are held against.
fn originals<'a>(suite: GreenSuite<'a>, passed: &'a [&'a str]) -> Originals<'a> {
    Originals {
        passed,
        analysis: suite.analysis,
        test_files: TestFiles {
            written: suite.seal.files(),
            paths: suite.test_paths,
        },
    }
}

const NO_NEW_TESTS: &str = "there are no new tests";

struct Judge<'a> {
    suite: GreenSuite<'a>,
    report: &'a Report,
    findings: Findings,
    known_functions: BTreeSet<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(suite: GreenSuite<'a>, report: &'a Report) -> Self {
        Self {
            suite,
            report,
            findings: Findings::default(),
            known_functions: suite.baseline.ids().map(function_of).collect(),
            new: Vec::new(),
        }
    }

    /// What one run of the whole suite shows.
    fn suite(&mut self, summaries: &[Summary<'a>]) {
        let (baseline, analysis) = (self.suite.baseline, self.suite.analysis);
        for summary in summaries {
            let by_support = self.suite.changed_by_support(summary.id);
            if baseline.contains(summary.id) && !analysis.is_changed(summary.id) && !by_support {
                continue;
            }
            if self.findings.leaves_itself_out(summary, baseline) {
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
        if self.suite.seal.files().is_empty() {
            self.findings
                .note("there are no new tests; that nothing broke is all that was judged");
        } else if self.new.is_empty() && self.findings.is_clean() {
            self.findings.refuse(
                Rule::NothingCollected,
                None,
                "none of the new tests was run",
            );
        }
        self.findings
            .compare_runner(self.suite.observation, baseline);
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

    /// The endings of the new tests in another run.
    fn endings<'r>(&self, report: &'r Report) -> BTreeMap<&'r str, Ending> {
        let summaries = report.summaries().into_iter();
        summaries
            .map(|summary| (summary.id, summary.ending))
            .filter(|(id, _)| self.new.contains(id))
            .collect()
    }

    /// The new tests pass in the opposite order too.
    fn stays_green(&mut self, reversed: &Observation) {
        const CHECK: CheckName = CheckName::OppositeOrder;
        if self.new.is_empty() {
            return self.findings.not_applicable(CHECK, NO_NEW_TESTS);
        }
        let report = match reversed.complete() {
            Ok(report) => report,
            Err(problem) => {
                let message =
                    format!("the new tests pass, but not in the opposite order: {problem}");
                self.findings.refuse(Rule::Unstable, None, message);
                return self.findings.refused(CHECK, problem.to_string());
            }
        };
        self.findings.compare_runner(reversed, self.suite.baseline);
        let endings = self.endings(report);
        let mut unstable = 0;
        for id in self.new.clone() {
            // An id that is made of the time or of an address has another name each time.
            let seen = endings.get(id).copied().or_else(|| {
                let function = function_of(id);
                let mut others = endings.iter();
                let same = |other: &str| function_of(other) == function && function != other;
                others
                    .find(|(other, _)| same(other))
                    .map(|(_, ending)| *ending)
            });
            if seen != Some(Ending::Passed) {
                unstable += 1;
                let ending = seen.unwrap_or(Ending::NotRun);
                self.findings.refuse(
                    Rule::Unstable,
                    Some(id),
                    format!(
                        "passed, and is {ending} when the new tests are run again in another order; \
                         a test must not depend on others, on time or on chance"
                    ),
                );
            }
        }
        if unstable == 0 {
            self.findings
                .held(CHECK, "the new tests pass in the opposite order too");
        } else {
            self.findings
                .refused(CHECK, format!("{unstable} new tests do not pass"));
        }
    }

    /// Taking the change out restores the red.
    fn red_without_the_change(&mut self, without: &Observation) {
        const CHECK: CheckName = CheckName::WithoutChange;
        if self.new.is_empty() {
            return self.findings.not_applicable(CHECK, NO_NEW_TESTS);
        }
        // Nothing of the change is in this run, so a crash or an endless loop is the old code's; it shows no
        // pass, and no failure either.
        let report = match without.complete() {
            Ok(report) => report,
            Err(problem) => {
                let detail = format!("whether the new tests fail without the change: {problem}");
                return self.findings.unverified(CHECK, detail);
            }
        };
        let passing: Vec<&str> = self
            .endings(report)
            .into_iter()
            .filter(|(id, ending)| {
                *ending == Ending::Passed && !self.suite.passed_at_red.contains(*id)
            })
            .map(|(id, _)| id)
            .collect();
        for id in &passing {
            self.findings.refuse(
                Rule::PassesWithoutChange,
                Some(id),
                "passes without the source change as well, although it failed before; what it \
                 passes by is not in the change",
            );
        }
        if passing.is_empty() {
            self.findings
                .held(CHECK, "without the source change the new tests fail again");
        } else {
            let detail = format!("{} new tests pass without the source change", passing.len());
            self.findings.refused(CHECK, detail);
        }
    }

    /// An existing test that was changed, and holds before as well as after the change, did not have to be
    /// changed; if the test as it was no longer holds, it was made weaker to hide that.
    fn no_test_was_weakened(&mut self, as_they_were: Option<&Observation>) {
        const CHECK: CheckName = CheckName::ChangedTests;
        let Some(observation) = as_they_were else {
            return self
                .findings
                .not_applicable(CHECK, "no existing test was changed");
        };
        let report = match observation.complete() {
            Ok(report) => report,
            Err(problem) => {
                let message = format!(
                    "the changed tests as they were at the base commit cannot be judged with the \
                     change: {problem}"
                );
                self.findings.refuse(Rule::EarlierUnreadable, None, message);
                return self.findings.refused(CHECK, problem.to_string());
            }
        };
        let mut weakened = 0;
        let no_longer_held = self.no_longer_held(report);
        for (id, ending) in &no_longer_held {
            if !self.passed_at_red(id) {
                self.findings
                    .note(format!("{id} was changed; as it was it is {ending} now"));
            } else if self.is_meant(id) {
                self.findings.note(format!(
                    "{id}: changed expectation; as it was it is {ending} with the source change"
                ));
            } else {
                weakened += 1;
                self.findings.refuse(
                    Rule::WeakenedTest,
                    Some(id),
                    format!(
                        "was changed although it passes without the source change, and is {ending} with \
                         it as it was; the change breaks what the test held. Where that is meant, the design \
                         of a run has to list the test file"
                    ),
                );
            }
        }
        if weakened == 0 {
            let changed = self.changed_tests().count();
            let holding = changed - no_longer_held.len();
            let detail = format!(
                "changed tests: {holding} of {changed} hold as they were at the base commit"
            );
            self.findings.held(CHECK, detail);
        } else {
            let detail = format!("{weakened} changed tests were made weaker");
            self.findings.refused(CHECK, detail);
        }
    }

    /// Existing tests that were changed, or may be by what they stand on, and passed at the base commit.
    fn changed_tests(&self) -> impl Iterator<Item = &'a str> {
        let (baseline, analysis) = (self.suite.baseline, self.suite.analysis);
        let any = self.suite.support().next().is_some();
        let passed = baseline.passed();
        passed.filter(move |id| any || analysis.is_changed(id))
    }

    /// Whether an existing test passed as it is now, without the source change.
    fn passed_at_red(&self, id: &str) -> bool {
        if self.suite.analysis.is_changed(id) {
            return self.suite.passed_at_red.contains(id);
        }
        let failed = self.suite.failed_at_red;
        !failed.contains(id) && !failed.contains(file_of(id))
    }

    /// Those of them that do not pass as they were.
    fn no_longer_held(&self, as_they_were: &Report) -> Vec<(&'a str, Ending)> {
        let summaries = as_they_were.summaries().into_iter();
        let now: BTreeMap<&str, Ending> = summaries
            .map(|summary| (summary.id, summary.ending))
            .collect();
        let ending = |id: &str| now.get(id).copied().unwrap_or(Ending::NotRun);
        self.changed_tests()
            .map(|id| (id, ending(id)))
            .filter(|(_, ending)| *ending != Ending::Passed)
            .collect()
    }

    /// Whether the design lists the file of a test, or what it stands on.
    fn is_meant(&self, id: &str) -> bool {
        let file = self.suite.analysis.file_of_definition(id);
        let listed = |file: &str| self.suite.listed_tests.iter().any(|listed| listed == file);
        let by_support = !self.suite.analysis.is_changed(id);
        listed(file) || by_support && self.suite.support().any(listed)
    }

    /// The new tests' twins fail.
    fn twins_fail(&mut self, twins: &[TwinRun<'_>]) {
        if twins.is_empty() {
            let why = if self.new.is_empty() {
                NO_NEW_TESTS
            } else {
                "no new test has an assertion that can be turned"
            };
            return self.findings.not_applicable(CheckName::Twins, why);
        }
        for run in twins {
            let apart = run.apart.iter().map(|apart| &apart.observation);
            for observation in std::iter::once(run.observation).chain(apart) {
                self.findings
                    .compare_runner(observation, self.suite.baseline);
            }
        }
        let new = self.new.clone();
        let verdict = self
            .findings
            .compare_with_twins(originals(self.suite, &new), twins);
        verdict.report(&mut self.findings);
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

    /// A test that neither the base commit nor the sealed files have.
    fn unexpected(&mut self, summary: &Summary<'_>) {
        let id = summary.id;
        let renamed_case = self.known_functions.contains(function_of(id));
        if renamed_case && summary.ending == Ending::Passed {
            self.findings
                .note(format!("{id} is a case that the base commit did not have"));
        } else if is_doctest(id) && summary.ending == Ending::Passed {
            // Honest code brings examples in its documentation. Nothing is concluded from them.
            self.findings.note(format!(
                "{id} is an example in the documentation that came with the change"
            ));
        } else if renamed_case || is_doctest(id) {
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
        let failing = failing.count() + self.report.errors.len();
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

/// Whether an id is that of an example in documentation: it has the dotted name of what is documented, or
/// the name of a text file, where a test has the name of a function.
pub(super) fn is_doctest(id: &str) -> bool {
    let Some((file, name)) = id.split_once("::") else {
        return false;
    };
    let file_name = file.rsplit('/').next().unwrap_or(file);
    let dotted = name.split('.').all(|part| {
        !part.is_empty()
            && part
                .chars()
                .all(|character| character.is_alphanumeric() || character == '_')
    });
    name == file_name
        || file_name.strip_suffix(".py") == Some(name)
        || (dotted && name.contains('.'))
}
