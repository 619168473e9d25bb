//! What the runner itself says about its tests, beside what the witness saw.
//!
//! vitest and jest write JSON in the end, node counts. Only what became of single tests is taken from it, never what the
//! runner concludes: vitest calls a run a success in which a worker died.

use std::collections::BTreeMap;
use std::path::Path;

use proctor_core::test_outcome::{JUnit, JUnitError, Outcome, Phase, Report};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(untagged)]
enum Account {
    #[serde(rename_all = "camelCase")]
    Files { test_results: Vec<File> },
    Counts {
        passed: usize,
        failed: usize,
        skipped: usize,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    status: String,
    assertion_results: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
}

/// Names of tests, without the numbers of those that share one, and how many there are.
type Names = BTreeMap<String, usize>;

/// How many tests ended in which way. `report` says which of them were expected to fail, and which ones the run was about if
/// `is_selection`.
pub(super) fn counts(
    text: &str,
    tree: &Path,
    report: Option<&Report>,
    is_selection: bool,
) -> Result<JUnit, JUnitError> {
    let account = serde_json::from_str(text);
    let files = match account.map_err(|error| JUnitError::Malformed(error.to_string()))? {
        Account::Files { test_results } => test_results,
        Account::Counts {
            passed,
            failed,
            skipped,
        } => {
            return Ok(JUnit {
                passed,
                failed,
                skipped,
            });
        }
    };
    let mut expected = report.map(expected_to_fail).unwrap_or_default();
    let mut wanted = report.filter(|_| is_selection).map(collected);
    let mut counts = JUnit::default();
    for file in files {
        let path = Path::new(&file.name);
        let path = path.strip_prefix(tree).unwrap_or(path).display();
        let mut failed = 0;
        for test in file.assertion_results {
            let titles = test.ancestor_titles.into_iter().chain([test.title]);
            let titles: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
            let name = format!("{path}::{}", titles.join(" > "));
            if wanted.as_mut().is_some_and(|wanted| !take(wanted, &name)) {
                continue;
            }
            match test.status.as_str() {
                // A runner calls it a pass.
                "passed" if take(&mut expected, &name) => counts.skipped += 1,
                "passed" => counts.passed += 1,
                "failed" => failed += 1,
                _ => counts.skipped += 1,
            }
        }
        // It failed outside of its tests.
        if failed == 0 && file.status == "failed" {
            failed = 1;
        }
        counts.failed += failed;
    }
    Ok(counts)
}

/// Takes one of a name away, if there is one.
fn take(names: &mut Names, name: &str) -> bool {
    match names.get_mut(name) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

fn expected_to_fail(report: &Report) -> Names {
    let records = report.records.iter();
    let expected =
        records.filter(|record| record.phase == Phase::Call && record.outcome == Outcome::Xfailed);
    names(expected.map(|record| record.id.as_str()))
}

fn collected(report: &Report) -> Names {
    names(report.collected.iter().map(String::as_str))
}

fn names<'a>(ids: impl Iterator<Item = &'a str>) -> Names {
    let mut names = Names::new();
    for id in ids {
        let name = match id.rsplit_once(" #") {
            Some((name, number)) if number.parse::<u32>().is_ok() => name,
            _ => id,
        };
        *names.entry(name.to_owned()).or_default() += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::test_outcome::TestRecord;

    fn file(status: &str, tests: &[(&str, &str)]) -> String {
        let tests: Vec<String> = tests
            .iter()
            .map(|(title, status)| {
                format!(r#"{{"ancestorTitles": ["a"], "title": "{title}", "status": "{status}"}}"#)
            })
            .collect();
        let tests = tests.join(",");
        format!(
            r#"{{"success": true, "testResults": [{{"name": "/t/x.test.js", "status": "{status}", "assertionResults": [{tests}]}}]}}"#
        )
    }

    fn read(text: &str, report: Option<&Report>, is_selection: bool) -> (usize, usize, usize) {
        let counts = counts(text, Path::new("/t"), report, is_selection).expect("readable");
        (counts.passed, counts.failed, counts.skipped)
    }

    #[test]
    fn tests_are_counted_by_what_became_of_them() {
        let tests = [
            ("p", "passed"),
            ("f", "failed"),
            ("s", "pending"),
            ("t", "todo"),
        ];
        assert_eq!(read(&file("failed", &tests), None, false), (1, 1, 2));
        assert_eq!(read(&file("passed", &tests[..1]), None, false), (1, 0, 0));
        assert_eq!(read(&file("failed", &tests[..1]), None, false), (1, 1, 0));
        assert_eq!(read(&file("failed", &[]), None, false), (0, 1, 0));
        let counted = r#"{"passed": 3, "failed": 1, "skipped": 2}"#;
        assert_eq!(read(counted, None, false), (3, 1, 2));
    }

    #[test]
    fn a_pass_that_was_expected_to_fail_is_none() {
        let record = TestRecord {
            id: "x.test.js::a > p #2".to_owned(),
            phase: Phase::Call,
            outcome: Outcome::Xfailed,
            raised: None,
            attempt: 1,
            subtest: false,
        };
        let report = Report {
            records: vec![record],
            ..Report::default()
        };
        let text = file(
            "passed",
            &[("p", "passed"), ("p", "passed"), ("q", "passed")],
        );
        assert_eq!(read(&text, Some(&report), false), (2, 0, 1));
    }

    #[test]
    fn of_a_selection_only_what_was_selected_counts() {
        let report = Report {
            collected: vec!["x.test.js::a > p".to_owned()],
            ..Report::default()
        };
        let text = file(
            "passed",
            &[("p", "passed"), ("p", "passed"), ("q", "passed")],
        );
        assert_eq!(read(&text, Some(&report), true), (1, 0, 0));
        assert_eq!(read(&text, Some(&report), false), (3, 0, 0));
    }

    #[test]
    fn what_is_no_account_is_none() {
        for text in ["", "{", "[]", r#"{"testResults": 1}"#] {
            let counts = counts(text, Path::new("/t"), None, false);
            assert!(matches!(counts, Err(JUnitError::Malformed(_))), "{text}");
        }
    }
}
