//! The name of a verdict on a change, and the next step.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Baseline, ChangeKind, Check, CheckName, CheckOutcome, Disposition, Rule, Verdict};
use crate::mutants::{MutantReport, MutantRule};
use crate::test_outcome::function_of;

/// A verdict's public name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// The new tests fail, for a reason that an implementation removes.
    ValidRed,
    /// They do not.
    InvalidRed,
    /// Everything passes that has to.
    ValidGreen,
    /// It does not.
    InvalidGreen,
    /// The new tests pass, can fail and notice mistakes.
    ValidTests,
    /// They do not.
    InvalidTests,
    /// Tests that passed still pass, and tests execute the changed lines.
    ValidRefactor,
    /// It does not, or they do not.
    InvalidRefactor,
    /// There is nothing that tests could cover.
    Neutral,
    /// A person has to decide.
    NeedsPerson,
    /// There is no difference.
    NothingChanged,
}

impl VerdictWord {
    /// The word for a red.
    pub fn red(verdict: &Verdict) -> Self {
        Self::either(verdict, Self::ValidRed, Self::InvalidRed)
    }

    /// The word for a green.
    pub fn green(verdict: &Verdict) -> Self {
        Self::either(verdict, Self::ValidGreen, Self::InvalidGreen)
    }

    /// The word for a change that was judged by its kind. A refusal outranks a question to a person.
    pub fn change(kind: ChangeKind, verdict: &Verdict) -> Self {
        match (kind, verdict.disposition()) {
            (ChangeKind::Nothing, _) => Self::NothingChanged,
            (ChangeKind::Neutral, Disposition::Accepted) => Self::Neutral,
            (_, Disposition::Escalate) | (ChangeKind::Removal, Disposition::Accepted) => {
                Self::NeedsPerson
            }
            (ChangeKind::Behaviour, Disposition::Accepted) => Self::ValidGreen,
            (
                ChangeKind::Behaviour | ChangeKind::Removal,
                Disposition::Revise | Disposition::Reopen,
            ) => Self::InvalidGreen,
            (ChangeKind::Tests, Disposition::Accepted) => Self::ValidTests,
            (ChangeKind::Tests, Disposition::Revise | Disposition::Reopen) => Self::InvalidTests,
            (ChangeKind::Refactor, Disposition::Accepted) => Self::ValidRefactor,
            (
                ChangeKind::Refactor | ChangeKind::Neutral,
                Disposition::Revise | Disposition::Reopen,
            ) => Self::InvalidRefactor,
        }
    }

    fn either(verdict: &Verdict, valid: Self, invalid: Self) -> Self {
        if verdict.is_accepted() {
            valid
        } else {
            invalid
        }
    }

    /// The name for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::ValidRed => "valid red",
            Self::InvalidRed => "not a valid red",
            Self::ValidGreen => "valid green",
            Self::InvalidGreen => "not a valid green",
            Self::ValidTests => "valid tests",
            Self::InvalidTests => "not valid tests",
            Self::ValidRefactor => "valid refactor",
            Self::InvalidRefactor => "not a valid refactor",
            Self::Neutral => "neutral",
            Self::NeedsPerson => "a person has to decide",
            Self::NothingChanged => "nothing changed",
        }
    }

    /// The name as a sentence.
    pub fn sentence(self) -> String {
        match self {
            Self::NothingChanged | Self::NeedsPerson => self.words().to_owned(),
            Self::ValidTests | Self::InvalidTests => format!("these are {}", self.words()),
            _ => format!("this is {}", self.words()),
        }
    }

    /// Whether the work continues.
    pub fn is_good(self) -> bool {
        matches!(
            self,
            Self::ValidRed
                | Self::ValidGreen
                | Self::ValidTests
                | Self::ValidRefactor
                | Self::Neutral
        )
    }

    /// The next step, in one sentence.
    pub fn next(self, verdict: &Verdict) -> &'static str {
        let has = |rule: &Rule| verdict.reasons.iter().any(|reason| reason.rule == *rule);
        match self {
            Self::ValidRed => "implement what the new tests ask for, then run `proctor gate green`",
            Self::ValidGreen | Self::ValidTests | Self::ValidRefactor => {
                "have a person look at it: `proctor review`"
            }
            Self::Neutral => "nothing was run; have a person read it: `proctor review`",
            Self::NothingChanged => "change something, or name another base with `--base REV`",
            Self::NeedsPerson => "have a person look at what is named: `proctor review`",
            Self::InvalidGreen if has(&Rule::NoNewTests) => {
                "write tests for it, or have it judged by its kind: `proctor gate change`"
            }
            Self::InvalidRefactor if has(&Rule::UntestedChange) => {
                "write tests that execute the lines that are named, then run `proctor gate change`"
            }
            Self::InvalidTests if has(&Rule::KillsNoMutant) => {
                "have the tests that are named ask for the right value, then run `proctor gate change`"
            }
            Self::InvalidGreen if has(&Rule::NothingFails) => {
                "commit the tests and the source one after the other, and run `proctor gate change` on each"
            }
            _ if has(&Rule::MutantSurvives) => {
                "write tests that notice the mistakes that are named, then run the gate again"
            }
            Self::InvalidRed | Self::InvalidGreen | Self::InvalidTests | Self::InvalidRefactor => {
                "fix the problems above and run the gate again"
            }
        }
    }
}

impl Verdict {
    /// The verdict on a change that is neutral.
    pub fn neutral(paths: &[String]) -> Self {
        let mut verdict = Self::bare(Disposition::Accepted);
        verdict.notes.push(format!(
            "nothing imports, collects or reads {}; nothing was run",
            paths.join(", ")
        ));
        verdict
    }

    /// The verdict on no change at all.
    pub fn nothing_changed() -> Self {
        let mut verdict = Self::bare(Disposition::Revise);
        verdict.reason(Rule::NothingChanged, None, "nothing differs from the base");
        verdict
    }

    /// The verdict of a green gate on a change without tests.
    pub fn no_new_tests() -> Self {
        let mut verdict = Self::bare(Disposition::Revise);
        let message = "no test file differs from the base, so nothing says what the change is for; nothing was run";
        verdict.reason(Rule::NoNewTests, None, message);
        verdict
    }

    /// The verdict on a change in which these tests and test files of the base commit are gone.
    pub fn removal<'a>(
        tests: impl IntoIterator<Item = &'a str>,
        files: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut verdict = Self::bare(Disposition::Escalate);
        for id in tests {
            let message = "is a test of the base commit and is gone; a person has to decide whether it may go";
            verdict.reason(Rule::RemovedTest, Some(id), message);
        }
        for path in files {
            let message = "belongs to the tests of the base commit and is gone; a person has to decide whether it may go";
            verdict.reason(Rule::RemovedTestFile, Some(path), message);
        }
        verdict
    }

    /// The verdict on test files that hold no new test, whose suite passed as before. Existing tests may depend on
    /// `support`.
    #[must_use]
    pub fn without_new_tests(mut self, support: &[String]) -> Self {
        self.reasons.clear();
        self.disposition = Disposition::Accepted;
        for path in support {
            let message =
                "is what existing tests may stand on, and no new test speaks for the change";
            self.reason(Rule::ChangedSupport, Some(path), message);
            self.disposition = Disposition::Escalate;
        }
        self.notes
            .push("no test is another than at the base commit; what passed passes".to_owned());
        self
    }

    /// The verdict of a green gate on tests alone: nothing was taken out again.
    #[must_use]
    pub fn of_tests_alone(mut self) -> Self {
        let without = |check: &&mut Check| check.name == CheckName::WithoutChange;
        if let Some(check) = self.checks.iter_mut().find(without) {
            check.outcome = CheckOutcome::NotApplicable;
            "there is no source change".clone_into(&mut check.detail);
        }
        self
    }

    /// Whether missing tests of the base commit are the only reason against it.
    pub fn is_about_removed_tests(&self) -> bool {
        let gone = |rule: &Rule| matches!(rule, Rule::RemovedTest | Rule::BaselineMissing);
        !self.reasons.is_empty() && self.reasons.iter().all(|reason| gone(&reason.rule))
    }

    /// Cases of tests in this verdict that the base commit has and that are gone, where a test has fewer than before.
    pub fn gone_cases(&self, baseline: &Baseline) -> Vec<String> {
        let here: BTreeSet<&str> = self.tests.iter().map(|test| test.id.as_str()).collect();
        let functions: BTreeSet<&str> = here.iter().map(|id| function_of(id)).collect();
        let mut gone = Vec::new();
        for function in functions {
            let cases = |id: &&str| function_of(id) == function;
            let before: Vec<&str> = baseline.ids().filter(cases).collect();
            if before.len() > here.iter().copied().filter(cases).count() {
                let missing = before.into_iter().filter(|id| !here.contains(id));
                gone.extend(missing.map(str::to_owned));
            }
        }
        gone
    }

    /// The verdict where mutants are switched off.
    #[must_use]
    pub fn unasked(mut self) -> Self {
        self.checks.push(Check {
            name: CheckName::Mutants,
            outcome: CheckOutcome::Unverified,
            detail: "whether the new tests notice mistakes in the source: `[test] mutants` is off"
                .to_owned(),
        });
        self
    }

    /// Whether this is the only reason against it.
    pub fn is_only_about(&self, rule: &Rule) -> bool {
        !self.reasons.is_empty() && self.reasons.iter().all(|reason| reason.rule == *rule)
    }

    /// Adds the mutants' results; where the settings demand it, survivors send the tests back to their author.
    #[must_use]
    pub fn with_mutants(mut self, report: Option<MutantReport>, rule: MutantRule) -> Self {
        let survivors = report.iter().flat_map(|report| &report.survived);
        if rule == MutantRule::Demand && self.is_accepted() {
            for survivor in survivors {
                let message = format!("no test notices it: {}", survivor.what);
                self.reason(Rule::MutantSurvives, None, message);
                if let Some(reason) = self.reasons.last_mut() {
                    reason.path = Some(survivor.path.clone());
                    reason.line = Some(survivor.line);
                }
            }
            if !self.reasons.is_empty() {
                self.disposition = Disposition::Reopen;
            }
        }
        self.mutants = report;
        self
    }

    fn bare(disposition: Disposition) -> Self {
        super::findings::Findings::default().verdict(disposition, None)
    }

    fn reason(&mut self, rule: Rule, test: Option<&str>, message: impl Into<String>) {
        let mut findings = super::findings::Findings::default();
        findings.refuse(rule, test, message);
        let told = findings.verdict(Disposition::Revise, None);
        self.reasons.extend(told.reasons);
    }
}

#[cfg(test)]
mod tests {
    use Disposition::{Accepted, Escalate, Revise};

    use super::ChangeKind as Kind;
    use super::*;
    use crate::mutants::Survivor;

    #[test]
    fn the_kind_and_the_disposition_make_the_word() {
        let word = |kind, disposition| VerdictWord::change(kind, &Verdict::bare(disposition));
        let table = [
            (Kind::Behaviour, Accepted, "valid green", true),
            (Kind::Behaviour, Revise, "not a valid green", false),
            (Kind::Tests, Accepted, "valid tests", true),
            (Kind::Tests, Revise, "not valid tests", false),
            (Kind::Tests, Escalate, "a person has to decide", false),
            (Kind::Refactor, Accepted, "valid refactor", true),
            (Kind::Refactor, Revise, "not a valid refactor", false),
            (Kind::Refactor, Escalate, "a person has to decide", false),
            (Kind::Neutral, Accepted, "neutral", true),
            (Kind::Removal, Escalate, "a person has to decide", false),
            (Kind::Nothing, Revise, "nothing changed", false),
        ];
        for (kind, disposition, words, good) in table {
            let word = word(kind, disposition);
            assert_eq!((word.words(), word.is_good()), (words, good));
        }
    }

    #[test]
    fn a_survivor_refuses_only_where_that_is_demanded() {
        let report = || {
            Some(MutantReport {
                made: 2,
                killed: 1,
                survived: vec![Survivor {
                    path: "app.py".to_owned(),
                    line: 3,
                    what: "`+` became `-`".to_owned(),
                }],
                left_out: 0,
            })
        };
        let accepted = || Verdict::bare(Disposition::Accepted);
        let told = accepted().with_mutants(report(), MutantRule::Report);
        assert!(told.is_accepted() && told.mutants.is_some());
        let refused = accepted().with_mutants(report(), MutantRule::Demand);
        assert_eq!(refused.disposition(), Disposition::Reopen);
        assert_eq!(refused.reasons[0].rule, Rule::MutantSurvives);
        assert_eq!(refused.reasons[0].line, Some(3));
    }

    #[test]
    fn cases_that_are_gone_are_named_unless_as_many_came() {
        let baseline = crate::gate::testing::baseline(&["t.py::a[1]", "t.py::a[2]", "t.py::b"]);
        let gone = |ids: &[&str]| {
            let mut findings = crate::gate::findings::Findings::default();
            for id in ids {
                findings.test(id, crate::test_outcome::Ending::Passed, "");
            }
            let verdict = findings.verdict(Disposition::Accepted, None);
            verdict.gone_cases(&baseline)
        };
        assert_eq!(gone(&["t.py::a[1]"]), ["t.py::a[2]"]);
        assert_eq!(gone(&["t.py::a[1]", "t.py::a[3]"]), [""; 0]);
        assert_eq!(gone(&["t.py::c"]), [""; 0]);
    }

    #[test]
    fn tests_that_are_gone_are_named() {
        let verdict = Verdict::removal(["tests/test_a.py::old"], ["tests/test_b.py"]);
        let named: Vec<_> = verdict
            .reasons
            .iter()
            .map(|reason| reason.test.as_deref())
            .collect();
        assert_eq!(
            named,
            [Some("tests/test_a.py::old"), Some("tests/test_b.py")]
        );
        assert_eq!(verdict.disposition(), Disposition::Escalate);
    }
}
