//! The runner's own report on its tests, beside the reporter's records.
//!
//! vitest and jest write JSON in the end, node counts. Only the outcomes of single tests are taken from it, never the
//! runner's conclusion: vitest calls a run a success in which a worker died.

use std::collections::{BTreeMap, BTreeSet};
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
    location: Option<Place>,
}

#[derive(Deserialize)]
struct Place {
    line: u32,
    #[serde(default)]
    column: u32,
}

/// How many tests ended in which way. `report` says which of them were expected to fail, and which ones the run was about if
/// `is_selection`.
pub(super) fn counts(
    text: &str,
    tree: &Path,
    report: Option<&Report>,
    is_selection: bool,
) -> Result<JUnit, JUnitError> {
    let account = serde_json::from_str(&with_whole_characters(text));
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
    let expected = report.map(expected_to_fail).unwrap_or_default();
    let wanted: Option<BTreeSet<&str>> = report
        .filter(|_| is_selection)
        .map(|report| report.collected.iter().map(String::as_str).collect());
    let mut counts = JUnit::default();
    let mut numbers = BTreeMap::new();
    for mut file in files {
        let path = Path::new(&file.name);
        let path = path.strip_prefix(tree).unwrap_or(path).display();
        // As the reporter numbers tests that share a name.
        file.assertion_results.sort_by_key(Test::place);
        let mut failed = 0;
        for test in &file.assertion_results {
            let id = numbered(&mut numbers, format!("{path}::{}", test.titles()));
            if wanted
                .as_ref()
                .is_some_and(|wanted| !wanted.contains(id.as_str()))
            {
                continue;
            }
            match test.status.as_str() {
                // A runner calls it a pass.
                "passed" if expected.contains(id.as_str()) => counts.skipped += 1,
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

/// JavaScript writes half a surrogate pair as an escape, which is not valid JSON elsewhere; the reporter writes a mark
/// in its place.
fn with_whole_characters(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let first = unit(escape);
        let second = first.and_then(|_| unit(escape.get(6..)?));
        let (kept, length) = match (first, second) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (escape.get(..12), 12),
            (Some(0xD800..=0xDFFF), _) => (Some("\\ufffd"), 6),
            // The escaped character may itself be a backslash.
            _ => {
                let length = escape
                    .char_indices()
                    .nth(2)
                    .map_or(escape.len(), |(at, _)| at);
                (escape.get(..length), length)
            }
        };
        whole.push_str(kept.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    whole.push_str(rest);
    whole
}

/// The number in an escape such as `\u00e4`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

impl Test {
    fn place(&self) -> (u32, u32) {
        let place = self.location.as_ref();
        place.map_or((0, 0), |place| (place.line, place.column))
    }

    fn titles(&self) -> String {
        let titles = self.ancestor_titles.iter().chain([&self.title]);
        let titles: Vec<&str> = titles
            .map(String::as_str)
            .filter(|title| !title.is_empty())
            .collect();
        titles.join(" > ")
    }
}

/// The id of the next test of this name.
fn numbered(numbers: &mut BTreeMap<String, u32>, name: String) -> String {
    let number = numbers.entry(name.clone()).or_default();
    *number += 1;
    if *number == 1 {
        name
    } else {
        format!("{name} #{number}")
    }
}

fn expected_to_fail(report: &Report) -> BTreeSet<&str> {
    let records = report.records.iter();
    records
        .filter(|record| record.phase == Phase::Call && record.outcome == Outcome::Xfailed)
        .map(|record| record.id.as_str())
        .collect()
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
    fn half_a_character_is_read_as_a_mark() {
        for (text, expected) in [
            (r#""\ud800""#, r#""\ufffd""#),
            (r#""\udc00 \ud800""#, r#""\ufffd \ufffd""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud800 \u00e4 \n""#, r#""\\ud800 \u00e4 \n""#),
            (r#""\ud800\u0041""#, r#""\ufffd\u0041""#),
            ("\\", "\\"),
            ("\\ud8ä", "\\ud8ä"),
        ] {
            assert_eq!(with_whole_characters(text), expected);
        }
    }

    #[test]
    fn what_is_no_account_is_none() {
        for text in ["", "{", "[]", r#"{"testResults": 1}"#] {
            let counts = counts(text, Path::new("/t"), None, false);
            assert!(matches!(counts, Err(JUnitError::Malformed(_))), "{text}");
        }
    }
}
