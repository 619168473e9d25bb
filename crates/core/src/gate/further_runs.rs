//! The further runs that a passing suite needs to be a valid green, and their results.

use std::collections::BTreeMap;

use super::case_names::CaseNames;
use super::green::Judge;
use super::{
    AloneRun, Blind, BlindAgain, CheckName, FlagKind, Rule, SourceFlag, TwinKind, TwinRun, Verdict,
    Verified,
};
use crate::test_outcome::{Ending, Observation, Report, file_of, function_of};

/// The runs that [`FurtherRuns`] asked for.
#[derive(Debug, Clone, Copy)]
pub struct GreenRuns<'a> {
    /// The suite without the values that its tests expect.
    pub blind: Blind<'a>,
    /// Old tests that did not hold there, if there are any.
    pub blind_again: Option<BlindAgain<'a>>,
    /// New tests whose answer is in another test, without the others.
    pub alone: &'a [AloneRun<'a>],
    /// The new tests in the opposite order.
    pub reversed: &'a Observation,
    /// The new tests without the source change.
    pub without_change: WithoutChange<'a>,
    /// Existing tests that were changed, as they were at the base commit, if there are any.
    pub as_they_were: Option<&'a Observation>,
    /// The twins of the new tests that were not verified blind, of every kind that there is.
    pub twins: &'a [TwinRun<'a>],
}

/// The result of the new tests without the source change.
#[derive(Debug, Clone, Copy)]
pub enum WithoutChange<'a> {
    /// The red was judged on this very tree.
    SeenAtRed,
    /// The base has moved since, so they were run again.
    Run(&'a Observation),
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

    /// The same, unless new tests fail blind: that refuses the change whatever the other runs would show, so they are
    /// not made.
    pub fn unless_refused_blind(
        mut self,
        blind: Blind<'_>,
        reversed: &Observation,
    ) -> Result<Self, Verdict> {
        let judge = &mut self.judge;
        let Some(run) = blind.usable() else {
            return Ok(self);
        };
        let failing = judge
            .findings
            .refuse_failing_blind(run, judge.report, &judge.new);
        if failing == 0 {
            return Ok(self);
        }
        let suite = judge.suite;
        judge.findings.refused_blind(failing);
        judge
            .findings
            .compare_runner(run.observation, suite.baseline);
        judge.stays_green(reversed);
        Err(self
            .judge
            .findings
            .conclude(suite.observation, suite.baseline))
    }

    /// Test files with changed existing tests, and support files that existing tests may depend on: they are also run
    /// in their old form.
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

    /// Whether every existing test is to be run in its old form, because a changed file may affect any of them.
    pub fn changes_support(&self) -> bool {
        self.judge.suite.support().next().is_some()
    }

    /// The files of old tests that hold in their process and not outside of it: they are to be judged blind again, and
    /// at the base.
    pub fn files_to_judge_again(&self, blind: Blind<'_>) -> Vec<&str> {
        self.judge.files_to_judge_again(blind)
    }

    /// The new tests that are to be run blind without the others, by name: another test reveals their expected values.
    pub fn tests_to_run_alone(&self, blind: Blind<'_>) -> Vec<String> {
        blind.answered_elsewhere(&self.judge.new)
    }

    /// The new tests whose twins are to be run: those that are not verified blind.
    pub fn tests_with_twins(&self, blind: Blind<'_>) -> Vec<&'a str> {
        let verified = blind.verified(self.judge.report, &self.judge.new);
        let new = self.judge.new.iter().copied();
        new.filter(|id| !verified.contains(id) && !self.judge.is_made_of_parts(id))
            .collect()
    }

    /// Whether the new tests have to be run without the change even if the red was judged on this very tree: a part
    /// that is skipped with the change has to be skipped without it.
    pub fn needs_run_without_change(&self) -> bool {
        !self.judge.partly.is_empty() || self.judge.suite.analysis.leaves_anything_out()
    }

    /// The kinds of twins that are to be run.
    pub fn twins(&self, blind: Blind<'_>) -> Vec<TwinKind> {
        if self.tests_with_twins(blind).is_empty() {
            return Vec::new();
        }
        let analysis = self.judge.suite.analysis;
        let kinds = TwinKind::ALL.into_iter();
        kinds.filter(|kind| analysis.has_twins(*kind)).collect()
    }

    /// The twins of a run that have to be run apart from the others, because they contradict their tests.
    pub fn twins_to_run_apart(&self, blind: Blind<'_>, run: &TwinRun<'_>) -> Vec<String> {
        let tests = self.tests_with_twins(blind);
        let against = self.judge.suite.originals(&tests).against(run).into_iter();
        against.map(str::to_owned).collect()
    }

    /// New tests that nothing, or not enough, outside their process confirms, for the review.
    fn test_flags(&self, flag: FlagKind, tests: &[&str]) -> Vec<SourceFlag> {
        let analysis = self.judge.suite.analysis;
        let mut flags: Vec<SourceFlag> = tests
            .iter()
            .map(|id| SourceFlag {
                path: analysis.file_of_definition(id).to_owned(),
                line: analysis.definition(id).map_or(1, |test| test.line),
                flag,
                what: function_of(id).to_owned(),
            })
            .collect();
        flags.dedup();
        flags
    }

    /// Existing tests whose expectation the design has changed, for the review.
    fn changed_expectations(&self, as_they_were: Option<&Observation>) -> Vec<SourceFlag> {
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

    /// The verdict, and the facts in the tests that a person should look at. This is the one place that accepts a
    /// green.
    pub fn judge(mut self, runs: &GreenRuns<'_>) -> (Verdict, Vec<SourceFlag>) {
        self.all_were_made(runs);
        let with_twins = self.tests_with_twins(runs.blind);
        let mut flags = self.changed_expectations(runs.as_they_were);
        let judge = &mut self.judge;
        judge.holds_blind(runs.blind, runs.blind_again);
        judge.findings.compare_alone(runs.alone);
        judge.stays_green(runs.reversed);
        judge.red_without_the_change(runs.without_change);
        if let WithoutChange::Run(without) = runs.without_change {
            judge.parts_are_left_out_without_the_change(without);
            judge.nothing_runs_that_was_left_out(without);
        }
        judge.no_test_was_weakened(runs.as_they_were);
        let unverified = judge.twins_fail(runs, &with_twins);
        flags.extend(self.test_flags(FlagKind::Unverified, &unverified));
        let left = runs
            .blind
            .left_to_process(self.judge.report, &self.judge.new);
        let left: Vec<&str> = left
            .into_iter()
            .filter(|id| !unverified.contains(id))
            .collect();
        flags.extend(self.test_flags(FlagKind::NotCompared, &left));
        let suite = self.judge.suite;
        let findings = self.judge.findings;
        (findings.conclude(suite.observation, suite.baseline), flags)
    }

    /// A required run that is missing refuses, whatever the others show.
    fn all_were_made(&mut self, runs: &GreenRuns<'_>) {
        let mut missing = Vec::new();
        let seen_at_red = matches!(runs.without_change, WithoutChange::SeenAtRed);
        if self.needs_run_without_change() && seen_at_red {
            missing.push("the new tests without the change".to_owned());
        }
        if !self.changed_files().is_empty() && runs.as_they_were.is_none() {
            missing.push("the changed tests as they were".to_owned());
        }
        if !self.tests_to_run_alone(runs.blind).is_empty() && runs.alone.is_empty() {
            missing.push("the tests whose answer stands in another test".to_owned());
        }
        for kind in self.twins(runs.blind) {
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
        let names = CaseNames::of_reversed(self.report, report);
        let summaries = report.summaries().into_iter();
        let endings: BTreeMap<&str, Ending> = summaries
            .map(|summary| (summary.id, summary.ending))
            .collect();
        let mut unstable = 0;
        for id in self.new.clone() {
            let seen = names.get(id).and_then(|name| endings.get(name)).copied();
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
    fn red_without_the_change(&mut self, without: WithoutChange<'_>) {
        const CHECK: CheckName = CheckName::WithoutChange;
        const HELD: &str = "without the source change the new tests fail again";
        if self.new.is_empty() {
            return self.findings.not_applicable(CHECK, NO_NEW_TESTS);
        }
        let without = match without {
            WithoutChange::Run(observation) => observation,
            // Everything but the change is the same tree, so it would be the same run.
            WithoutChange::SeenAtRed => {
                let detail = "without the source change the new tests fail: that was the red";
                return self.findings.held(CHECK, detail);
            }
        };
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
            self.findings.held(CHECK, HELD);
        } else {
            let detail = format!("{} new tests pass without the source change", passing.len());
            self.findings.refused(CHECK, detail);
        }
    }

    /// An existing test that was changed, and holds before as well as after the change, did not have to be changed; if
    /// the old test no longer holds, it was weakened to hide that.
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

    /// Existing tests that were changed, or may be affected by a changed file, and passed at the base commit.
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

    /// Whether the design lists the file of a test, or a file that it depends on.
    fn is_meant(&self, id: &str) -> bool {
        let file = self.suite.analysis.file_of_definition(id);
        let listed = |file: &str| self.suite.listed_tests.iter().any(|listed| listed == file);
        let by_support = !self.suite.analysis.is_changed(id);
        listed(file) || by_support && self.suite.support().any(listed)
    }

    /// The files of old tests that hold in their process and not outside of it.
    pub(super) fn files_to_judge_again(&self, blind: Blind<'_>) -> Vec<&'a str> {
        let doubted = blind.doubted(self.report, &self.new, self.suite.baseline);
        let mut files: Vec<&str> = doubted.into_iter().map(file_of).collect();
        files.dedup();
        files
    }

    /// The tests' expected values are the actual ones, compared outside their process.
    pub(super) fn holds_blind(&mut self, blind: Blind<'_>, again: Option<BlindAgain<'_>>) {
        if let Blind::Run(run) = blind {
            self.findings
                .compare_runner(run.observation, self.suite.baseline);
        }
        let (new, baseline) = (self.new.clone(), self.suite.baseline);
        self.findings
            .compare_blind(blind, again, self.report, &new, baseline);
    }

    /// Whether a test consists only of the tests inside it, which exist and are judged themselves.
    fn is_made_of_parts(&self, id: &str) -> bool {
        let is_part = |other: &String| {
            let rest = other.strip_prefix(id);
            rest.is_some_and(|rest| rest.starts_with(" > "))
        };
        let analysed = self.suite.analysis.test(id);
        analysed.is_some_and(|test| test.holds_parts) && self.report.collected.iter().any(is_part)
    }

    /// The twins of the new tests that were not verified blind fail. Returns the tests that nothing verifies.
    fn twins_fail(&mut self, runs: &GreenRuns<'_>, tests: &[&'a str]) -> Vec<&'a str> {
        let telling = runs.blind.telling(self.report, tests);
        let verdict = if runs.twins.is_empty() {
            let why = if self.new.is_empty() {
                NO_NEW_TESTS
            } else if tests.is_empty() {
                "every new test was judged blind"
            } else {
                "no new test has an assertion that can be turned"
            };
            self.findings.not_applicable(CheckName::Twins, why);
            None
        } else {
            for run in runs.twins {
                let apart = run.apart.iter().map(|apart| &apart.observation);
                for observation in std::iter::once(run.observation).chain(apart) {
                    self.findings
                        .compare_runner(observation, self.suite.baseline);
                }
            }
            let originals = self.suite.originals(tests);
            let verdict = self.findings.compare_with_twins(originals, runs.twins);
            verdict.report(&mut self.findings);
            Some(verdict)
        };
        let by_twin = |id: &str| verdict.as_ref().is_some_and(|twins| twins.is_verified(id));
        let of = self.new.iter().filter(|id| !self.is_made_of_parts(id));
        let of = of.count();
        let left = tests.iter().copied().filter(|id| !telling.contains(id));
        let (by_twin, unverified): (Vec<&str>, Vec<&str>) = left.partition(|id| by_twin(id));
        self.findings.verified(Verified {
            of,
            blind: of - by_twin.len() - unverified.len(),
            twin: by_twin.len(),
            unverified: unverified.len(),
        });
        if !unverified.is_empty() {
            self.findings.note(format!(
                "{} of {of} new tests could be verified",
                of - unverified.len()
            ));
        }
        unverified
    }
}
