//! Tests that come without any source change: whether they check the existing source.

use super::{Check, CheckName, CheckOutcome, Disposition, Reason, Rule, Verdict};
use crate::test_outcome::file_of;

/// The result of mutants of the source that a new test executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking {
    /// The test's id.
    pub id: String,
    /// How many mutants it was run against.
    pub tried: usize,
    /// How many more there would have been, had there been more time.
    pub left_out: usize,
    /// Whether one of its assertions noticed one.
    pub notices: bool,
    /// Whether it runs code where it is not traced.
    pub elsewhere: bool,
}

impl Verdict {
    /// Refuses tests that notice no mistake in the code they execute. Mutants that could not be tried are named.
    #[must_use]
    pub fn with_asking(mut self, tests: &[Asking]) -> Self {
        if !self.is_accepted() {
            return self;
        }
        for test in tests.iter().filter(|test| !test.notices) {
            let (rule, message) = match (test.tried, test.left_out) {
                (0, 0) if test.elsewhere => {
                    self.notes.push(format!(
                        "{}: unverified, what it runs in another process is not watched",
                        test.id
                    ));
                    continue;
                }
                (_, 1..) => {
                    self.notes.push(format!(
                        "{}: unverified, the time was up before it noticed a mistake in the source",
                        test.id
                    ));
                    continue;
                }
                (0, 0) => (
                    Rule::ExecutesNoSource,
                    "executes nothing of the project's source, so it holds nothing about it"
                        .to_owned(),
                ),
                (tried, 0) => (
                    Rule::KillsNoMutant,
                    format!(
                        "none of its assertions notices any of {tried} mistakes that were put into the source it \
                         executes"
                    ),
                ),
            };
            self.reasons.push(Reason {
                rule,
                path: Some(file_of(&test.id).to_owned()),
                test: Some(test.id.clone()),
                line: None,
                message,
                order: None,
            });
        }
        let noticing = tests.iter().filter(|test| test.notices).count();
        let outcome = if !self.reasons.is_empty() {
            self.disposition = Disposition::Revise;
            CheckOutcome::Refused
        } else if noticing == tests.len() {
            CheckOutcome::Held
        } else {
            CheckOutcome::Unverified
        };
        self.checks.push(Check {
            name: CheckName::Mutants,
            outcome,
            detail: format!(
                "{noticing} of {} new tests notice a mistake in the source they execute",
                tests.len()
            ),
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::testing::rules;

    fn judge(tried: usize, left_out: usize, notices: bool, elsewhere: bool) -> Verdict {
        let verdict = Verdict::neutral(&[]);
        verdict.with_asking(&[Asking {
            id: "tests/test_a.py::a".to_owned(),
            tried,
            left_out,
            notices,
            elsewhere,
        }])
    }

    #[test]
    fn a_test_has_to_notice_something_unless_nothing_could_be_tried() {
        assert!(judge(3, 0, true, false).is_accepted());
        assert_eq!(rules(&judge(3, 0, false, false)), ["kills_no_mutant"]);
        assert_eq!(rules(&judge(0, 0, false, false)), ["executes_no_source"]);
        for doubtful in [judge(0, 0, false, true), judge(3, 2, false, false)] {
            assert!(doubtful.is_accepted());
            assert_eq!(doubtful.checks[0].outcome, CheckOutcome::Unverified);
        }
    }
}
