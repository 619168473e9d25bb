//! What a suite that passes still owes before it is a valid green, and what those runs say.

use std::collections::BTreeMap;

use super::green::Judge;
use super::{CheckName, FlagKind, Rule, SourceFlag, TwinKind, TwinRun, Verdict};
use crate::test_outcome::{Ending, Observation, Report, file_of, function_of};

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

impl<'a> FurtherRuns<'a> {
    pub(super) fn of(judge: Judge<'a>) -> Self {
        Self { judge }
    }

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
        self.judge.suite.originals(&self.judge.new).against(run)
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

const NO_NEW_TESTS: &str = "there are no new tests";

impl<'a> Judge<'a> {
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
        let originals = self.suite.originals(&new);
        let verdict = self.findings.compare_with_twins(originals, twins);
        verdict.report(&mut self.findings);
    }
}
