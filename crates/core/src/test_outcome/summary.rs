//! From phases to tests: the final outcome of each test.

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
    /// It was found and left out by the runner's options.
    Deselected,
    /// It was collected, but not all of its phases were run. An outcome from a journal of another version that this one
    /// does not know counts as this: at least it is not a pass.
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
            Self::Deselected => "deselected",
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
    /// Why it, or parts of it, did not have to hold: the reasons of skips and of expected failures.
    pub(crate) excuses: Vec<String>,
}

impl Summary<'_> {
    /// Whether the runner counts it as a failure. It does so for a test that passes despite a strict mark.
    pub(crate) fn is_failure(&self) -> bool {
        match self.ending {
            Ending::Failed | Ending::Error => true,
            Ending::Xpassed => self.raised.is_some(),
            _ => false,
        }
    }
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

/// The file of an id.
pub(crate) fn file_of(id: &str) -> &str {
    id.split("::").next().unwrap_or(id)
}

/// The id without its parameters: inserting a case renumbers its neighbours, but the function
/// stays.
pub(crate) fn function_of(id: &str) -> &str {
    // Parameters may hold anything, `::` and brackets included; file names rarely hold a bracket.
    let names = id.find("::").unwrap_or(0);
    match id[names..].find('[') {
        Some(bracket) if id.ends_with(']') && is_name(&id[names..names + bracket]) => {
            &id[..names + bracket]
        }
        _ => id,
    }
}

/// Whether the text before a bracket is a function's name; elsewhere titles are free text.
fn is_name(names: &str) -> bool {
    let name = names.rsplit("::").next().unwrap_or(names);
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(is_letter)
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
    // A failure decides, even that of a part; otherwise the test's own first phase that is not a pass. A part's skip or
    // expected failure is not the test's outcome.
    let own = || last.iter().filter(|record| !record.subtest);
    let deciding = last
        .iter()
        .find(|record| matches!(record.outcome, Outcome::Failed | Outcome::Rerun))
        .or_else(|| own().find(|record| record.outcome != Outcome::Passed));
    let part_xfailed = last
        .iter()
        .any(|record| record.subtest && record.outcome == Outcome::Xfailed);
    let ran = |phase| own().any(|record| record.phase == phase);
    let ending = match deciding.map(|record| (record.outcome, record.phase)) {
        Some((Outcome::Failed | Outcome::Rerun, Phase::Call)) => Ending::Failed,
        Some((Outcome::Failed | Outcome::Rerun, _)) => Ending::Error,
        Some((Outcome::Skipped, _)) => Ending::Skipped,
        Some((Outcome::Xfailed, _)) => Ending::Xfailed,
        // The mark covers every part.
        Some((Outcome::Xpassed, _)) if part_xfailed => Ending::Xfailed,
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
        excuses: last.iter().filter_map(|record| excuse(record)).collect(),
    }
}

/// Why a phase or a part did not have to hold.
fn excuse(record: &TestRecord) -> Option<String> {
    let word = match record.outcome {
        Outcome::Skipped => Ending::Skipped,
        Outcome::Xfailed => Ending::Xfailed,
        Outcome::Xpassed if record.subtest => Ending::Xpassed,
        _ => return None,
    };
    let reason = record.raised.as_ref().map_or("", |raised| &raised.message);
    Some(format!("{word}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::{Ending, function_of, summarise};
    use crate::test_outcome::testing::{Run, raised};
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
                    subtest: false,
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
    fn a_part_of_a_test_decides_only_by_failing() {
        let said = || raised(&[], "why", "t.py");
        let passes = || Run::default().passes("t.py::a");
        let expected = || Run::default().ends("t.py::a", Phase::Call, Outcome::Xpassed, None);
        let table = [
            (
                passes().part(Outcome::Skipped, said()),
                Ending::Passed,
                "skipped: why",
            ),
            (
                passes().part(Outcome::Xfailed, said()),
                Ending::Passed,
                "xfailed: why",
            ),
            (passes().part(Outcome::Failed, said()), Ending::Failed, ""),
            (
                expected().part(Outcome::Xfailed, said()),
                Ending::Xfailed,
                "xfailed: why",
            ),
            (expected(), Ending::Xpassed, ""),
        ];
        for (run, ending, excuse) in table {
            let summaries = run.report.summaries();
            assert_eq!(summaries[0].ending, ending);
            assert_eq!(summaries[0].excuses.join(", "), excuse);
        }
    }

    #[test]
    fn parameters_are_not_part_of_the_function() {
        assert_eq!(function_of("t.py::test_a[1-x]"), "t.py::test_a");
        assert_eq!(function_of("t.py::C::test_a[a::b[0]]"), "t.py::C::test_a");
        assert_eq!(function_of("t.py::test_a"), "t.py::test_a");
        assert_eq!(function_of("a[1]/t.py::test_a"), "a[1]/t.py::test_a");
        assert_eq!(function_of("a.ts::g > reads [x]"), "a.ts::g > reads [x]");
    }
}
