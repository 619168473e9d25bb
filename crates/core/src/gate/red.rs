//! The red gate: do the new tests fail, and for a reason that an implementation removes?

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cause::Project;
use super::exit_code_router::route_red;
use super::findings::{Findings, readable};
use super::rerun::Reruns;
use super::stub_runs::StubRuns;
use super::test_files::{TestFiles, support};
use super::twins::{Originals, TwinVerdict};
use super::{
    Analysis, Baseline, CheckName, Disposition, RedScope, Rule, SourceFlag, TwinKind, TwinRun,
    Verdict,
};
use crate::dialect::Declared;
use crate::remark::Remark;
use crate::test_outcome::{Ending, Observation, Report, file_of, function_of};

/// One run of the whole suite with the new tests and without an implementation, and the facts it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct RedSuite<'a> {
    /// The suite's run.
    pub observation: &'a Observation,
    /// The same suite without the new tests.
    pub baseline: &'a Baseline,
    /// Which tests were run.
    pub scope: RedScope,
    /// The files that the scaffold wrote, relative to the tree.
    pub test_files: &'a [String],
    /// Those of them that the base has too.
    pub existing: &'a [String],
    /// `[test] paths`: files below them belong to the tests too.
    pub test_paths: &'a [String],
    /// The files that the design is going to bring.
    pub declared: &'a Declared,
    /// The analysis of those files.
    pub analysis: &'a Analysis,
    /// How many of the new tests have to fail.
    pub rule: RedRule,
}

impl<'a> RedSuite<'a> {
    /// Changed support files that existing tests may depend on.
    pub(super) fn support(&self) -> impl Iterator<Item = &'a str> {
        support(self.existing)
    }

    /// The facts that the twins of these tests are compared with.
    fn originals<'t>(&self, passed: &'t [&'t str]) -> Originals<'t>
    where
        'a: 't,
    {
        Originals {
            passed,
            analysis: self.analysis,
            test_files: self.test_files(),
        }
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
    /// All of them.
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
    /// Tests that pass already and were seen to notice a mistake in the source.
    noticing: BTreeSet<String>,
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

/// A suite that was run once. Its result may depend on old suspect tests.
#[must_use = "a suite that was run once is not a verdict"]
pub struct SeenScaffold<'a> {
    judge: Judge<'a>,
    reruns: Reruns,
    /// How many reasons the files alone gave.
    told: usize,
}

impl<'a> SeenScaffold<'a> {
    /// The reruns that suspect tests still need.
    pub fn reruns(&mut self) -> &mut Reruns {
        &mut self.reruns
    }

    /// The suite with its suspect tests settled. Those that were not run again are refused.
    pub fn settle(self) -> RedRuns<'a> {
        let mut judge = self.judge;
        judge.findings.judge_reruns(self.reruns);
        RedRuns {
            stubs: judge.findings.reasons() == self.told && judge.waits_for_code(),
            taken: false,
            told: self.told,
            noticing: BTreeSet::new(),
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

    /// The new tests whose twins are to be run: those that pass already. Others may not even end yet.
    pub fn tests_with_twins(&self) -> &[&'a str] {
        &self.judge.passing
    }

    /// The twins of a run that have to be run apart from the others, because they contradict their tests.
    pub fn twins_to_run_apart(&self, run: &TwinRun<'_>) -> Vec<&str> {
        let judge = &self.judge;
        judge.evidence.originals(&judge.passing).against(run)
    }

    /// The new tests that pass already and of which neither a twin nor another case shows that they could fail: that
    /// something does not raise has no twin. They are to be run against mistakes in the source that they execute.
    pub fn in_question(&self, twins: &[TwinRun<'_>]) -> Vec<&'a str> {
        let judge = &self.judge;
        let mut findings = Findings::default();
        findings.tests_without_an_oracle(judge.evidence.analysis, &judge.asserted);
        let originals = judge.evidence.originals(&judge.passing);
        let verdict = findings.compare_with_twins(originals, twins);
        let settled = judge.evidence.rule == RedRule::All
            || judge.failing.is_empty()
            || !(judge.findings.is_clean() && findings.is_clean());
        let mut tests = judge.without_proof(&verdict);
        // Without stubs a file that waits for code cannot be loaded, and with them a mistake is not the only difference.
        tests.retain(|id| !settled && !judge.absent.contains(file_of(id)));
        tests
    }

    /// Takes the tests that noticed a mistake by their own assertion.
    pub fn with_noticing(self, noticing: BTreeSet<String>) -> Self {
        Self { noticing, ..self }
    }

    /// Changed support files that existing tests depend on, for the review.
    pub fn support_flags(&self) -> Vec<SourceFlag> {
        self.judge.support_flags()
    }

    /// New tests that do not run here, for the review.
    pub fn not_run_flags(&self) -> Vec<SourceFlag> {
        self.judge.not_run_flags()
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
        judge.passing_already(twins, &self.noticing);
        judge.something_fails();
        judge.most_are_run();
        let suite = judge.evidence;
        let findings = self.judge.findings;
        findings.conclude(suite.observation, suite.baseline)
    }

    fn missing(&mut self, what: &str) {
        let message = format!("{what}; without that nothing is accepted");
        self.judge.findings.refuse(Rule::RunMissing, None, message);
    }
}

/// A run that cannot be judged may well be explained by its files, and those can be fixed.
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
    pub(super) report: &'a Report,
    pub(super) project: Project<'a>,
    pub(super) findings: Findings,
    /// New tests, or files of them, that fail for a good reason.
    pub(super) failing: BTreeSet<&'a str>,
    pub(super) passing: Vec<&'a str>,
    /// Files that cannot be collected because something is missing.
    pub(super) absent: BTreeSet<&'a str>,
    /// Tests that fail because a module or a name is missing.
    pub(super) lacking: BTreeSet<&'a str>,
    /// Tests and files with an undefined name that `import *` may bring, and the problem if it does not.
    pub(super) starred: BTreeMap<&'a str, Remark>,
    /// Test functions of which a failed assertion was seen.
    pub(super) asserted: BTreeSet<&'a str>,
    /// New test functions that do not run where they are judged, and why.
    pub(super) not_run_here: BTreeMap<String, String>,
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
            not_run_here: BTreeMap::new(),
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

    /// A new test that passes already is accepted only if it could fail.
    fn passing_already(&mut self, twins: &[TwinRun<'_>], noticing: &BTreeSet<String>) {
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
        let originals = self.evidence.originals(&passing);
        let verdict = self.findings.compare_with_twins(originals, twins);
        verdict.report(&mut self.findings);
        let without_proof = self.without_proof(&verdict);
        let mut asked = without_proof.iter();
        let refused = asked.find(|id| !noticing.contains(**id));
        if let Some(id) = refused.filter(|_| self.findings.is_clean()) {
            self.findings.refuse(
                Rule::PassesAlready,
                Some(id),
                "passes before any implementation, and nothing shows that it could fail",
            );
        } else if !without_proof.is_empty() && self.findings.is_clean() {
            self.findings.held(
                CheckName::Mutants,
                format!(
                    "tests that pass already and have no twin: {}, each notices a mistake in the source it executes",
                    without_proof.len()
                ),
            );
        }
    }

    /// The tests that pass already and that neither a twin nor another case shows to be able to fail.
    fn without_proof(&self, twins: &TwinVerdict<'_>) -> Vec<&'a str> {
        let passing = self.passing.iter().copied();
        passing
            .filter(|id| {
                let excused = self.another_case_fails(id) || self.was_opaque(id);
                !twins.is_verified(id) && !excused
            })
            .collect()
    }

    /// Whether the same test was seen to fail with other parameters, so that it is one that can.
    fn another_case_fails(&self, id: &str) -> bool {
        let function = function_of(id);
        let mut failing = self.failing.iter();
        function != id && failing.any(|other| function_of(other) == function)
    }

    /// Whether it passed at the base commit and could not be shown to fail there either: then the change of it, or of
    /// its support files, took nothing away.
    fn was_opaque(&self, id: &str) -> bool {
        let test = self.evidence.analysis.test(id);
        test.is_some_and(|test| test.base_oracles == Some(0))
            && self.evidence.baseline.outcome(id) == Some(Ending::Passed)
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
        if self.passing.is_empty() && !self.not_run_here.is_empty() {
            self.findings.refuse(
                Rule::Skipped,
                None,
                "none of the new tests runs here; at least one has to fail for what is missing",
            );
        } else if self.passing.is_empty() {
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
