//! The green gate: does everything pass that has to, and was everything run?
//!
//! Judged here is what one run of the whole suite shows. Whether the sealed bytes are the same,
//! whether taking the change out restores the red and whether the tests' twins fail are facts of
//! other runs; the arbiter asks for them separately.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::first_line;
use super::exit_code_router::route_green;
use super::findings::{Findings, readable};
use super::test_files::TestFiles;
use super::{Analysis, Baseline, TwinRun, Verdict};
use crate::test_outcome::{Ending, Observation, Report, Summary, file_of, function_of};

/// What the green gate judges.
#[derive(Debug, Clone, Copy)]
pub struct GreenEvidence<'a> {
    /// One run of the whole suite on the judged tree.
    pub observation: &'a Observation,
    /// The suite at the base commit.
    pub baseline: &'a Baseline,
    /// The sealed test files, relative to the tree.
    pub sealed_files: &'a [String],
    /// `[test] paths`: what lies below them belongs to the tests too.
    pub test_paths: &'a [String],
    /// What those files say.
    pub analysis: &'a Analysis,
    /// New tests that passed at red already.
    pub passed_at_red: &'a BTreeSet<String>,
    /// The new tests once more, in another order.
    pub again: Option<&'a Observation>,
    /// The new tests without the source change.
    pub reverted: Option<&'a Observation>,
    /// Existing tests that were changed, as they were at the base commit.
    pub earlier: Option<&'a Observation>,
    /// The new tests' twins.
    pub twins: &'a [TwinRun<'a>],
}

/// Whether the suite alone is green: only then is the rest worth its time.
pub fn is_green_so_far(evidence: &GreenEvidence<'_>) -> bool {
    let Ok(report) = readable(evidence.observation, route_green) else {
        return false;
    };
    let mut judge = Judge::new(evidence, report);
    judge.suite(&report.summaries());
    judge.findings.is_clean()
}

/// Judges a green run.
pub fn judge_green(evidence: &GreenEvidence<'_>) -> Verdict {
    let exit = evidence.observation.exit;
    let report = match readable(evidence.observation, route_green) {
        Ok(report) => report,
        Err(verdict) => return verdict,
    };
    let mut judge = Judge::new(evidence, report);
    judge.suite(&report.summaries());
    if judge.findings.is_clean() {
        judge.stays_green();
        judge.red_without_the_change();
        judge.no_test_was_weakened();
        judge.twins_fail();
    }
    judge.findings.conclude(exit)
}

struct Judge<'a> {
    evidence: &'a GreenEvidence<'a>,
    report: &'a Report,
    findings: Findings,
    known_functions: BTreeSet<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(evidence: &'a GreenEvidence<'a>, report: &'a Report) -> Self {
        Self {
            evidence,
            report,
            findings: Findings::default(),
            known_functions: evidence.baseline.ids().map(function_of).collect(),
            new: Vec::new(),
        }
    }

    /// What one run of the whole suite shows.
    fn suite(&mut self, summaries: &[Summary<'a>]) {
        let (baseline, analysis) = (self.evidence.baseline, self.evidence.analysis);
        for summary in summaries {
            if baseline.contains(summary.id) && !analysis.is_changed(summary.id) {
                continue;
            }
            if self.sealed(file_of(summary.id)) {
                self.new.push(summary.id);
                self.new_test(summary);
            } else {
                self.unexpected(summary);
            }
        }
        self.left_out();
        if self.evidence.sealed_files.is_empty() {
            self.findings
                .note("there are no new tests; that nothing broke is all that was judged");
        } else if self.new.is_empty() && self.findings.is_clean() {
            self.findings.refuse(
                "nothing_collected",
                None,
                "none of the new tests was collected",
            );
        }
        self.findings
            .compare_runner(self.evidence.observation, baseline);
        self.findings.compare_with_baseline(
            self.report,
            summaries,
            baseline,
            &BTreeSet::new(),
            analysis,
        );
        self.exit_is_explained(summaries);
    }

    /// The endings of the new tests in another run of them; none if that run has no report.
    fn endings(&self, observation: &'a Observation) -> BTreeMap<&'a str, Ending> {
        let summaries = observation.report.as_ref().map(Report::summaries);
        summaries
            .unwrap_or_default()
            .into_iter()
            .map(|summary| (summary.id, summary.ending))
            .filter(|(id, _)| self.new.contains(id))
            .collect()
    }

    /// The new tests pass in another order too.
    fn stays_green(&mut self) {
        let Some(again) = self.evidence.again else {
            return;
        };
        self.findings.compare_runner(again, self.evidence.baseline);
        let endings = self.endings(again);
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
                let ending = seen.map_or("not_run", Ending::name);
                self.findings.refuse(
                    "unstable",
                    Some(id),
                    format!(
                        "passed, and is {ending} when the new tests are run again in another order; \
                         a test must not depend on others, on time or on chance"
                    ),
                );
            }
        }
        if self.findings.is_clean() {
            self.findings
                .check("the new tests pass in the opposite order too");
        }
    }

    /// Taking the change out restores the red.
    fn red_without_the_change(&mut self) {
        let Some(reverted) = self.evidence.reverted else {
            return;
        };
        let endings = self.endings(reverted);
        let passing: Vec<&str> = endings
            .into_iter()
            .filter(|(id, ending)| {
                *ending == Ending::Passed && !self.evidence.passed_at_red.contains(*id)
            })
            .map(|(id, _)| id)
            .collect();
        for id in &passing {
            self.findings.refuse(
                "passes_without_change",
                Some(id),
                "passes without the source change as well, although it failed before; what it \
                 passes by is not in the change",
            );
        }
        if passing.is_empty() {
            self.findings
                .check("without the source change the new tests fail again");
        }
    }

    /// An existing test that was changed, and holds before as well as after the change, did not have to be
    /// changed; if the test as it was no longer holds, it was made weaker to hide that.
    fn no_test_was_weakened(&mut self) {
        let Some(Ok(report)) = self.evidence.earlier.map(|run| &run.report) else {
            return;
        };
        let summaries = report.summaries().into_iter();
        let now: BTreeMap<&str, Ending> = summaries
            .map(|summary| (summary.id, summary.ending))
            .collect();
        let (baseline, analysis) = (self.evidence.baseline, self.evidence.analysis);
        for id in baseline.passed.iter().filter(|id| analysis.is_changed(id)) {
            let ending = now
                .get(id.as_str())
                .map_or("not_run", |ending| ending.name());
            if ending == Ending::Passed.name() {
                continue;
            }
            if self.evidence.passed_at_red.contains(id) {
                self.findings.refuse(
                    "weakened_test",
                    Some(id),
                    format!(
                        "was changed although it passes without the source change, and is {ending} with \
                         it as it was; the change breaks what the test held"
                    ),
                );
            } else {
                self.findings
                    .note(format!("{id} was changed; as it was it is {ending} now"));
            }
        }
    }

    /// The new tests' twins fail.
    fn twins_fail(&mut self) {
        if self.evidence.twins.is_empty() {
            return;
        }
        let (analysis, twins) = (self.evidence.analysis, self.evidence.twins);
        for run in twins {
            let observation = run.observation;
            self.findings
                .compare_runner(observation, self.evidence.baseline);
        }
        let test_files = TestFiles {
            written: self.evidence.sealed_files,
            paths: self.evidence.test_paths,
        };
        let verdict = self
            .findings
            .compare_with_twins(&self.new, analysis, test_files, twins);
        verdict.report(&mut self.findings);
    }

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
        } else if is_doctest(id) && summary.ending == Ending::Passed {
            // Honest code brings examples in its documentation. Nothing is concluded from them.
            self.findings.note(format!(
                "{id} is an example in the documentation that came with the change"
            ));
        } else if renamed_case || is_doctest(id) {
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

/// Whether an id is that of an example in documentation: it has the dotted name of what is documented, or
/// the name of a text file, where a test has the name of a function.
fn is_doctest(id: &str) -> bool {
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
