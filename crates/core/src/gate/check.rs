//! A gate's checks beyond the suite itself.

use serde::{Deserialize, Serialize};

/// One check and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Recorded")]
pub struct Check {
    /// The check's name.
    pub name: CheckName,
    /// Whether it was made, and its result.
    pub outcome: CheckOutcome,
    /// One phrase for people.
    pub detail: String,
}

/// The checks that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// Tests that could not be collected fail against stubs.
    Stubs,
    /// The tests' expected values, compared outside their process.
    Blind,
    /// Twins of the new tests fail.
    Twins,
    /// The new tests pass in the opposite order.
    OppositeOrder,
    /// The new tests fail without the source change.
    WithoutChange,
    /// Existing tests that were changed, as they were.
    ChangedTests,
    /// Changed lines are executed by tests that pass.
    ExecutedLines,
    /// The behaviour of removed lines: no test can execute them.
    RemovedLines,
    /// Tests notice mistakes that are put into the source.
    Mutants,
    /// A check in the journal of an earlier version, which kept only its words.
    Earlier,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// It was made and supports the work.
    Held,
    /// It was made and contradicts the work.
    Refused,
    /// It was tried and gave no answer.
    Unverified,
    /// There was nothing to check.
    NotApplicable,
}

/// A check as a journal has it; earlier versions kept one phrase for a check that held.
#[derive(Deserialize)]
#[serde(untagged)]
enum Recorded {
    Phrase(String),
    Check {
        name: CheckName,
        outcome: CheckOutcome,
        detail: String,
    },
}

impl From<Recorded> for Check {
    fn from(recorded: Recorded) -> Self {
        match recorded {
            Recorded::Phrase(detail) => Self {
                name: CheckName::Earlier,
                outcome: CheckOutcome::Held,
                detail,
            },
            Recorded::Check {
                name,
                outcome,
                detail,
            } => Self {
                name,
                outcome,
                detail,
            },
        }
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.outcome {
            CheckOutcome::Held | CheckOutcome::Refused => formatter.write_str(&self.detail),
            CheckOutcome::Unverified => write!(formatter, "unverified: {}", self.detail),
            CheckOutcome::NotApplicable => write!(formatter, "not applicable: {}", self.detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_of_an_earlier_journal_is_a_check_that_held() {
        let read: Vec<Check> = serde_json::from_str(
            r#"["it held", {"name":"twins","outcome":"unverified","detail":"0 of 2"}]"#,
        )
        .unwrap();
        assert_eq!(read[0].outcome, CheckOutcome::Held);
        assert_eq!(read[0].detail, "it held");
        assert_eq!(read[1].name, CheckName::Twins);
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Check>>(&written).unwrap(), read);
    }
}
