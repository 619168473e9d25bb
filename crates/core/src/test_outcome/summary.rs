//! From phases to tests: what one test came to in the end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Outcome, Phase, Raised, Report, TestRecord};

/// How a whole test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Set-up, call and tear-down all passed.
    Passed,
    /// The call failed.
    Failed,
    /// Set-up or tear-down failed.
    Error,
    /// It asked to be skipped.
    Skipped,
    /// It failed, as its mark said.
    Xfailed,
    /// It passed, though its mark said that it would fail.
    Xpassed,
    /// It was collected, but not all of its phases were run. What a journal of another version says and this one
    /// does not know counts as this: at least it is no pass.
    #[serde(other)]
    NotRun,
}

impl Ending {
    /// The name outside.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
            Self::Xfailed => "xfailed",
            Self::Xpassed => "xpassed",
            Self::NotRun => "not_run",
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// One test of a report.
#[derive(Debug)]
pub(crate) struct Summary<'a> {
    pub(crate) id: &'a str,
    pub(crate) ending: Ending,
    /// The phase and the exception that decided the ending.
    pub(crate) raised: Option<(Phase, &'a Raised)>,
    pub(crate) attempts: u32,
}

impl Report {
    /// Every collected test in order, judged by its last attempt.
    pub(crate) fn summaries(&self) -> Vec<Summary<'_>> {
        let mut by_id: BTreeMap<&str, Vec<&TestRecord>> = BTreeMap::new();
        for record in &self.records {
            by_id.entry(&record.id).or_default().push(record);
        }
        self.collected
            .iter()
            .map(|id| summarise(id, by_id.get(id.as_str()).map_or(&[], Vec::as_slice)))
            .collect()
    }
}

/// The file that an id lies in.
pub(crate) fn file_of(id: &str) -> &str {
    id.split("::").next().unwrap_or(id)
}

/// The id without its parameters: inserting a case renumbers its neighbours, but the function
/// stays.
pub(crate) fn function_of(id: &str) -> &str {
    // Parameters may hold anything, `::` and brackets included; file names rarely hold a bracket.
    let names = id.find("::").unwrap_or(0);
    match id[names..].find('[') {
        Some(bracket) if id.ends_with(']') => &id[..names + bracket],
        _ => id,
    }
}

fn summarise<'a>(id: &'a str, records: &[&'a TestRecord]) -> Summary<'a> {
    let attempts = records
        .iter()
        .map(|record| record.attempt)
        .max()
        .unwrap_or(0);
    let last: Vec<&TestRecord> = records
        .iter()
        .copied()
        .filter(|record| record.attempt == attempts)
        .collect();
    // The first that is not a pass decides, a failure before anything else: sub-tests report
    // several calls under one id.
    let deciding = last
        .iter()
        .find(|record| matches!(record.outcome, Outcome::Failed | Outcome::Rerun))
        .or_else(|| last.iter().find(|record| record.outcome != Outcome::Passed));
    let ran = |phase| last.iter().any(|record| record.phase == phase);
    let ending = match deciding.map(|record| (record.outcome, record.phase)) {
        Some((Outcome::Failed | Outcome::Rerun, Phase::Call)) => Ending::Failed,
        Some((Outcome::Failed | Outcome::Rerun, _)) => Ending::Error,
        Some((Outcome::Skipped, _)) => Ending::Skipped,
        Some((Outcome::Xfailed, _)) => Ending::Xfailed,
        Some((Outcome::Xpassed, _)) => Ending::Xpassed,
        Some((Outcome::Passed, _)) | None
            if ran(Phase::Setup) && ran(Phase::Call) && ran(Phase::Teardown) =>
        {
            Ending::Passed
        }
        Some((Outcome::Passed, _)) | None => Ending::NotRun,
    };
    Summary {
        id,
        ending,
        raised: deciding.and_then(|record| Some((record.phase, record.raised.as_ref()?))),
        attempts,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, function_of, summarise};
    use crate::test_outcome::{Outcome, Phase, TestRecord};

    #[test]
    fn an_ending_is_its_name_and_an_unknown_name_is_no_pass() {
        for ending in [Ending::Passed, Ending::Xfailed, Ending::NotRun] {
            let json = format!("\"{ending}\"");
            assert_eq!(serde_json::to_string(&ending).expect("plain data"), json);
            assert_eq!(
                serde_json::from_str::<Ending>(&json).expect("a name"),
                ending
            );
        }
        let unknown = serde_json::from_str::<Ending>("\"from_the_future\"");
        assert_eq!(unknown.expect("any name is read"), Ending::NotRun);
    }

    #[test]
    fn a_pass_needs_all_three_phases() {
        use Outcome::{Failed, Passed, Skipped, Xfailed, Xpassed};
        use Phase::{Call, Setup, Teardown};
        let table: &[(&[(Phase, Outcome)], Ending)] = &[
            (
                &[(Setup, Passed), (Call, Passed), (Teardown, Passed)],
                Ending::Passed,
            ),
            (&[(Setup, Passed), (Call, Passed)], Ending::NotRun),
            (&[(Setup, Passed), (Teardown, Passed)], Ending::NotRun),
            (&[], Ending::NotRun),
            (&[(Setup, Failed), (Teardown, Passed)], Ending::Error),
            (
                &[(Setup, Passed), (Call, Passed), (Teardown, Failed)],
                Ending::Error,
            ),
            (
                &[(Setup, Passed), (Call, Failed), (Teardown, Passed)],
                Ending::Failed,
            ),
            (&[(Setup, Skipped), (Teardown, Passed)], Ending::Skipped),
            (
                &[(Setup, Passed), (Call, Skipped), (Teardown, Passed)],
                Ending::Skipped,
            ),
            (
                &[(Setup, Passed), (Call, Xfailed), (Teardown, Passed)],
                Ending::Xfailed,
            ),
            (
                &[(Setup, Passed), (Call, Xpassed), (Teardown, Passed)],
                Ending::Xpassed,
            ),
            (
                &[
                    (Setup, Passed),
                    (Call, Failed),
                    (Call, Passed),
                    (Teardown, Passed),
                ],
                Ending::Failed,
            ),
        ];
        for (phases, expected) in table {
            let records: Vec<TestRecord> = phases
                .iter()
                .map(|(phase, outcome)| TestRecord {
                    id: "t.py::a".to_owned(),
                    phase: *phase,
                    outcome: *outcome,
                    raised: None,
                    attempt: 1,
                })
                .collect();
            let records: Vec<&TestRecord> = records.iter().collect();
            assert_eq!(
                summarise("t.py::a", &records).ending,
                *expected,
                "{phases:?}"
            );
        }
    }

    #[test]
    fn parameters_are_not_part_of_the_function() {
        assert_eq!(function_of("t.py::test_a[1-x]"), "t.py::test_a");
        assert_eq!(function_of("t.py::C::test_a[a::b[0]]"), "t.py::C::test_a");
        assert_eq!(function_of("t.py::test_a"), "t.py::test_a");
        assert_eq!(function_of("a[1]/t.py::test_a"), "a[1]/t.py::test_a");
    }
}
