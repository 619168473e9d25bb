//! What a gate has found so far, and the checks that both gates make.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::first_line;
use super::{
    Analysis, Baseline, Check, CheckName, CheckOutcome, Disposition, Reason, Rule, TestLine,
    Verdict,
};
use crate::pytest::{exit_meaning, exit_words};
use crate::test_outcome::{
    Ending, Exit, ExitMeaning, Observation, Report, Summary, file_of, function_of,
};

/// A verdict in the making.
#[derive(Debug, Default)]
pub(super) struct Findings {
    tests: Vec<TestLine>,
    reasons: Vec<Reason>,
    checks: Vec<Check>,
    notes: Vec<String>,
}

impl Findings {
    pub(super) fn test(&mut self, id: &str, outcome: Ending, reason: impl Into<String>) {
        self.tests.push(TestLine {
            id: id.to_owned(),
            outcome,
            reason: reason.into(),
        });
    }

    pub(super) fn refuse(&mut self, rule: Rule, test: Option<&str>, message: impl Into<String>) {
        self.reasons.push(Reason {
            rule,
            test: test.map(str::to_owned),
            message: message.into(),
        });
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// A check that was made and found right.
    pub(super) fn held(&mut self, name: CheckName, detail: impl Into<String>) {
        self.checked(name, CheckOutcome::Held, detail);
    }

    /// A check that speaks against the work; the reasons say how.
    pub(super) fn refused(&mut self, name: CheckName, detail: impl Into<String>) {
        self.checked(name, CheckOutcome::Refused, detail);
    }

    /// A check that gave no answer, which alone refuses nothing.
    pub(super) fn unverified(&mut self, name: CheckName, detail: impl Into<String>) {
        self.checked(name, CheckOutcome::Unverified, detail);
    }

    /// A check for which there is nothing to look at.
    pub(super) fn not_applicable(&mut self, name: CheckName, detail: impl Into<String>) {
        self.checked(name, CheckOutcome::NotApplicable, detail);
    }

    fn checked(&mut self, name: CheckName, outcome: CheckOutcome, detail: impl Into<String>) {
        self.checks.push(Check {
            name,
            outcome,
            detail: detail.into(),
        });
    }

    /// How many reasons there are so far.
    pub(super) fn reasons(&self) -> usize {
        self.reasons.len()
    }

    /// Whether nothing was refused so far.
    pub(super) fn is_clean(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Accepted if nothing was refused, otherwise back to the model.
    pub(super) fn conclude(self, exit: Exit) -> Verdict {
        let disposition = if self.reasons.is_empty() {
            Disposition::Accepted
        } else {
            Disposition::Revise
        };
        self.verdict(disposition, exit.code())
    }

    pub(super) fn verdict(self, disposition: Disposition, exit_code: Option<i32>) -> Verdict {
        Verdict {
            disposition,
            exit_code,
            tests: self.tests,
            reasons: self.reasons,
            checks: self.checks,
            notes: self.notes,
        }
    }

    /// Every test that passed at the base commit has to be there and pass.
    ///
    /// `uncollected` are files whose tests may be missing because the new code is not there yet.
    pub(super) fn compare_with_baseline(
        &mut self,
        report: &Report,
        summaries: &[Summary<'_>],
        baseline: &Baseline,
        uncollected: &BTreeSet<&str>,
        analysis: &Analysis,
    ) {
        let now: BTreeMap<&str, &Summary<'_>> = summaries
            .iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let cases_now = cases(now.keys().copied());
        let cases_then = cases(baseline.ids());
        // A test whose code was changed is judged as a new one.
        for id in baseline.passed.iter().filter(|id| !analysis.is_changed(id)) {
            let Some(summary) = now.get(id.as_str()) else {
                if uncollected.contains(file_of(id)) {
                    continue;
                }
                let function = function_of(id);
                if function != id && cases_now.get(function) >= cases_then.get(function) {
                    self.note(format!(
                        "{id} is gone, but {function} has as many cases as before"
                    ));
                } else {
                    self.missing_from_baseline(id, report);
                }
                continue;
            };
            if summary.ending != Ending::Passed {
                let seen = summary.raised.map_or_else(String::new, |(_, raised)| {
                    format!(": {}", first_line(raised))
                });
                let ending = summary.ending;
                self.test(id, ending, "passed at the base commit");
                self.refuse(
                    Rule::BaselineBroken,
                    Some(id),
                    format!("passed at the base commit and is {ending} now{seen}"),
                );
            }
        }
    }

    /// The runner is what it was before the project's code was loaded, and its JUnit report tells the same
    /// as the records, except for what was otherwise at the base commit already.
    pub(super) fn compare_runner(&mut self, observation: &Observation, baseline: &Baseline) {
        let Ok(report) = &observation.report else {
            return;
        };
        if let Some(disagreement) = observation.junit_disagreement(report)
            && !baseline.without_junit
        {
            self.refuse(Rule::ReportsDisagree, None, disagreement);
        }
        let changed: Vec<&str> = report
            .tampered
            .difference(&baseline.tampered)
            .map(String::as_str)
            .collect();
        if !changed.is_empty() {
            let shown = changed[..changed.len().min(5)].join(", ");
            self.refuse(
                Rule::RunnerTampered,
                None,
                format!("the code changes the runner that judges it: {shown}"),
            );
        }
    }

    fn missing_from_baseline(&mut self, id: &str, report: &Report) {
        self.test(id, Ending::NotRun, "passed at the base commit");
        let message = if report.deselected.iter().any(|other| other == id) {
            "ran at the base commit and is deselected now"
        } else if report.errors.iter().any(|error| error.file == file_of(id)) {
            "passed at the base commit and its file can no longer be collected"
        } else {
            "passed at the base commit and is gone now; existing tests have to stay"
        };
        self.refuse(Rule::BaselineMissing, Some(id), message);
    }
}

impl Baseline {
    /// Every id that was there.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.passed
            .iter()
            .chain(&self.not_passed)
            .map(String::as_str)
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.passed.contains(id) || self.not_passed.contains(id)
    }
}

fn cases<'a>(ids: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut cases = BTreeMap::new();
    for id in ids {
        *cases.entry(function_of(id)).or_default() += 1;
    }
    cases
}

/// The report, if the run as a whole can be judged by it; otherwise the verdict.
///
/// `route` decides where there is no readable report, from the exit code alone.
pub(super) fn readable(
    observation: &Observation,
    route: fn(ExitMeaning) -> Disposition,
) -> Result<&Report, Verdict> {
    let exit = observation.exit;
    let mut findings = Findings::default();
    let report = match (&observation.report, exit) {
        (Ok(report), Exit::Code(_)) => report,
        (report, _) => {
            let problem = match report {
                Ok(_) => "it wrote its report".to_owned(),
                Err(problem) => problem.to_string(),
            };
            let meaning = exit.code().map(exit_meaning);
            let disposition = meaning.map_or(Disposition::Revise, route);
            if disposition == Disposition::Accepted {
                findings.note(format!("decided from the exit code alone: {problem}"));
            } else {
                findings.reasons.push(reason_without_report(exit, &problem));
            }
            return Err(findings.verdict(disposition, exit.code()));
        }
    };
    let code = exit.code().unwrap_or_default();
    if report.finished_exit != Some(code) {
        findings.refuse(
            Rule::RecordsDisagree,
            None,
            format!(
                "the runner's process exited with {code}, but its records say {}",
                report.finished_exit.unwrap_or_default()
            ),
        );
        return Err(findings.verdict(Disposition::Revise, exit.code()));
    }
    if let Some((module, file)) = report.foreign_modules.first_key_value() {
        findings.refuse(
            Rule::WrongTree,
            None,
            format!("`{module}` was loaded from {file}, not from the tree that is judged"),
        );
        return Err(findings.verdict(Disposition::Escalate, exit.code()));
    }
    let (disposition, rule) = match exit_meaning(code) {
        ExitMeaning::Interrupted if report.errors.is_empty() => {
            (Disposition::Escalate, Rule::Interrupted)
        }
        ExitMeaning::InternalError => (Disposition::Escalate, Rule::InternalError),
        ExitMeaning::UsageError => (Disposition::Revise, Rule::UsageError),
        _ => return Ok(report),
    };
    findings.refuse(
        rule,
        None,
        format!("the runner exited with {code}: {}", exit_words(code)),
    );
    Err(findings.verdict(disposition, exit.code()))
}

/// The reason for a run that gave no readable report.
fn reason_without_report(exit: Exit, problem: &str) -> Reason {
    let (rule, message) = match exit {
        Exit::TimedOut => (
            Rule::Timeout,
            format!("the tests did not end within their time and were killed ({problem})"),
        ),
        Exit::Signal(signal) => (
            Rule::Killed,
            format!("the test run was killed by signal {signal} ({problem})"),
        ),
        Exit::Code(code) if exit_meaning(code) == ExitMeaning::Passed => (
            Rule::NoReport,
            format!(
                "the runner exited with {code} but its records are not usable: {problem}; nothing may \
                 end the process before the runner does"
            ),
        ),
        Exit::Code(code) => (
            match exit_meaning(code) {
                ExitMeaning::UsageError => Rule::UsageError,
                ExitMeaning::NothingCollected => Rule::NothingCollected,
                _ => Rule::NoReport,
            },
            format!(
                "the runner exited with {code} ({}): {problem}",
                exit_words(code)
            ),
        ),
    };
    Reason {
        rule,
        test: None,
        message,
    }
}
