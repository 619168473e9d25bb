//! A gate's findings so far, and the checks that both gates make.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::cause::first_line;
use super::rerun::Doubt;
use super::{
    Baseline, Check, CheckName, CheckOutcome, Disposition, Reason, Rule, TestLine, Unusable,
    Verdict, Verified,
};
use crate::remark::Remark;
use crate::test_outcome::{Ending, ExitMeaning, Observation, Raised, Report, file_of};

/// A verdict in the making.
#[derive(Debug, Default)]
pub(super) struct Findings {
    tests: Vec<TestLine>,
    reasons: Vec<Reason>,
    checks: Vec<Check>,
    notes: Vec<String>,
    verified: Verified,
    doubts: Vec<Doubt>,
    /// Whether one of the reasons lies in the tests themselves.
    tests_at_fault: bool,
}

impl Findings {
    /// A test that fails and passed at the base commit: it is run again before it is judged.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        self.doubts.push(doubt);
    }

    pub(super) fn take_doubts(&mut self) -> Vec<Doubt> {
        std::mem::take(&mut self.doubts)
    }

    pub(super) fn test(&mut self, id: &str, outcome: Ending, reason: impl Into<String>) {
        self.tests.push(TestLine {
            id: id.to_owned(),
            outcome,
            base_outcome: None,
            reason: reason.into(),
        });
    }

    pub(super) fn refuse(&mut self, rule: Rule, test: Option<&str>, said: impl Into<Remark>) {
        let said = said.into();
        self.reasons.push(Reason {
            rule,
            test: test.map(str::to_owned),
            path: test.map(|test| file_of(test).to_owned()),
            line: None,
            message: said.fact().to_owned(),
            order: said.order().map(str::to_owned),
        });
    }

    /// The same, for a reason that lies in the test: no change of anything else removes it.
    pub(super) fn refuse_test(&mut self, rule: Rule, test: &str, said: impl Into<Remark>) {
        self.refuse(rule, Some(test), said);
        self.tests_at_fault = true;
    }

    /// The same about a place in a file.
    pub(super) fn refuse_at(
        &mut self,
        rule: Rule,
        path: &str,
        line: Option<u32>,
        said: impl Into<Remark>,
    ) {
        let said = said.into();
        self.reasons.push(Reason {
            rule,
            test: None,
            path: Some(path.to_owned()),
            line,
            message: said.fact().to_owned(),
            order: said.order().map(str::to_owned),
        });
    }

    /// The last reason is about this line.
    pub(super) fn at_line(&mut self, line: u32) {
        if let Some(reason) = self.reasons.last_mut() {
            reason.line = Some(line);
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// How many of the new tests were shown to be able to fail.
    pub(super) fn verified(&mut self, verified: Verified) {
        self.verified = verified;
    }

    /// A check that was made and found right.
    pub(super) fn held(&mut self, name: CheckName, detail: impl Into<String>) {
        self.checked(name, CheckOutcome::Held, detail);
    }

    /// A check that contradicts the work; the reasons say how.
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

    /// Whether a rule refused this test or file already.
    pub(super) fn has_refused(&self, rule: &Rule, test: &str) -> bool {
        let mut reasons = self.reasons.iter();
        reasons.any(|reason| reason.rule == *rule && reason.test.as_deref() == Some(test))
    }

    /// How many reasons there are so far.
    pub(super) fn reasons(&self) -> usize {
        self.reasons.len()
    }

    /// Whether nothing was refused so far.
    pub(super) fn is_clean(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Accepted if nothing was refused, otherwise back to the model: to the tests if they are at fault.
    pub(super) fn conclude(mut self, suite: &Observation, baseline: &Baseline) -> Verdict {
        for test in &mut self.tests {
            test.base_outcome = baseline.outcome(&test.id);
        }
        let disposition = if self.reasons.is_empty() {
            Disposition::Accepted
        } else if self.tests_at_fault {
            Disposition::Reopen
        } else {
            Disposition::Revise
        };
        self.verdict(disposition, suite.exit.code())
    }

    pub(super) fn verdict(self, disposition: Disposition, exit_code: Option<i32>) -> Verdict {
        Verdict {
            disposition,
            exit_code,
            tests: self.tests,
            reasons: self.reasons,
            checks: self.checks,
            notes: self.notes,
            stopped: BTreeSet::new(),
            verified: self.verified,
            mutants: None,
        }
    }

    /// The runner is unmodified since before the project's code was loaded, and its JUnit report agrees with the
    /// records, except for differences that the base commit already has.
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
                format!("the code changes the runner that judges it, or what tests use: {shown}"),
            );
        }
    }

    /// There are no uncaught errors outside tests, except for those of the base commit. At red only assertions are
    /// refused, which were not awaited; any other error may be the subject of the change.
    pub(super) fn nothing_is_unhandled(
        &mut self,
        report: &Report,
        baseline: &Baseline,
        is_refused: impl Fn(&Raised) -> bool,
    ) {
        for raised in &report.unhandled {
            let words = first_line(raised);
            if baseline.unhandled.contains(words) {
                continue;
            }
            let words = format!(
                "an error is raised outside of any test and not caught, {}: {words}",
                raised.class()
            );
            if is_refused(raised) {
                let remark =
                    Remark::from(words).so("await or return every promise that a test is about");
                self.refuse(Rule::Unhandled, None, remark);
            } else {
                self.note(words);
            }
        }
    }
}

/// The report, if the run as a whole can be judged by it; otherwise the verdict.
///
/// `route` decides where there is no readable report, from the exit code alone.
pub(super) fn readable(
    observation: &Observation,
    route: fn(ExitMeaning) -> Disposition,
) -> Result<&Report, Verdict> {
    let problem = match observation.complete() {
        Ok(report) => return Ok(report),
        Err(problem) => problem,
    };
    let mut findings = Findings::default();
    let (disposition, rule) = match &problem {
        Unusable::TimedOut { .. } => (Disposition::Revise, Rule::Timeout),
        Unusable::Killed(_) => (Disposition::Revise, Rule::Killed),
        Unusable::Disagrees { .. } => (Disposition::Revise, Rule::RecordsDisagree),
        Unusable::WrongTree { .. } => (Disposition::Escalate, Rule::WrongTree),
        Unusable::NoReport { meaning, .. } => {
            let rule = match meaning {
                ExitMeaning::UsageError => Rule::UsageError,
                ExitMeaning::NothingCollected => Rule::NothingCollected,
                _ => Rule::NoReport,
            };
            (route(*meaning), rule)
        }
        Unusable::NotRun { meaning, .. } => match meaning {
            ExitMeaning::UsageError => (Disposition::Revise, Rule::UsageError),
            ExitMeaning::Interrupted => (Disposition::Escalate, Rule::Interrupted),
            _ => (Disposition::Escalate, Rule::InternalError),
        },
    };
    if disposition == Disposition::Accepted {
        findings.note(format!("decided from the exit code alone: {problem}"));
    } else {
        findings.refuse(rule, None, unusable_words(observation, &problem));
    }
    Err(findings.verdict(disposition, observation.exit.code()))
}

/// Why a run cannot be judged, with help for finding out more.
fn unusable_words(observation: &Observation, problem: &Unusable) -> String {
    let where_it_was = |words: &mut String| {
        if let Err(unreadable) = &observation.report {
            let _ = write!(words, " ({unreadable})");
        }
    };
    let mut words = problem.to_string();
    match problem {
        Unusable::TimedOut { .. } => {
            words.push_str(" and was killed");
            where_it_was(&mut words);
            words.push_str("; `timeout_seconds` in `[test]` of proctor.toml sets this limit");
        }
        Unusable::Killed(_) => where_it_was(&mut words),
        Unusable::NoReport {
            meaning: ExitMeaning::Passed,
            ..
        } => {
            words.push_str("; nothing may end the process before the runner does");
        }
        _ => {}
    }
    words
}
