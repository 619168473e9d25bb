//! The JUnit report, as an independent record beside the exit code and the records.
//!
//! It says less than the records (no exception, no phase, no reliable id), but it is written by code of
//! pytest's own at the end of the run. It can only refuse: where it tells another story, one of the two was
//! tampered with.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::summary::{Ending, Summary};
use super::{JUnitError, Phase, Report};

/// How many tests ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JUnit {
    /// Neither failed nor skipped.
    pub passed: usize,
    /// Failed, or their set-up, tear-down or collection did.
    pub failed: usize,
    /// Skipped, or expected to fail.
    pub skipped: usize,
}

/// Reads the report.
pub fn parse_junit(text: &str) -> Result<JUnit, JUnitError> {
    let mut reader = Reader::from_str(text);
    let mut counts = JUnit::default();
    // The facts seen so far inside the current test.
    let mut case = JUnit::default();
    let mut closed = false;
    loop {
        let event = reader
            .read_event()
            .map_err(|error| JUnitError::Malformed(error.to_string()))?;
        match event {
            Event::Start(tag) if tag.name().as_ref() == "testcase" => case = JUnit::default(),
            Event::Empty(tag) if tag.name().as_ref() == "testcase" => counts.passed += 1,
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "failure" | "error" => case.failed = 1,
                "skipped" => case.skipped = 1,
                _ => {}
            },
            Event::End(tag) if tag.name().as_ref() == "testcase" => {
                *match case {
                    JUnit { failed: 1.., .. } => &mut counts.failed,
                    JUnit { skipped: 1.., .. } => &mut counts.skipped,
                    _ => &mut counts.passed,
                } += 1;
            }
            Event::End(tag) if tag.name().as_ref() == "testsuites" => closed = true,
            Event::Eof => break,
            _ => {}
        }
    }
    if closed {
        Ok(counts)
    } else {
        Err(JUnitError::CutOff)
    }
}

impl JUnit {
    /// The same, from the records.
    pub(crate) fn from_records(report: &Report, summaries: &[Summary<'_>]) -> Self {
        let mut counts = Self {
            failed: report.errors.len(),
            ..Self::default()
        };
        for summary in summaries {
            match summary.ending {
                Ending::Passed => counts.passed += 1,
                Ending::Failed | Ending::Error => counts.failed += 1,
                Ending::Skipped | Ending::Xfailed => counts.skipped += 1,
                Ending::Xpassed | Ending::Deselected | Ending::NotRun => {}
            }
        }
        counts
    }

    /// Where it disagrees with the records.
    pub(crate) fn disagreement(&self, report: &Report) -> Option<String> {
        let summaries = report.summaries();
        let records = Self::from_records(report, &summaries);
        let mut endings = summaries.iter().map(|summary| summary.ending);
        // These are a pass, a failure or nothing there, depending on how they came about, and no pass here.
        if endings.any(|ending| matches!(ending, Ending::Xpassed | Ending::NotRun)) {
            return None;
        }
        // A test that is run again, or has sub-tests, is one test here and several cases there.
        let exact = !report.has_subtests && !runs_a_call_twice(report);
        let differs =
            (self.failed > 0) != (records.failed > 0) || (exact && self.passed != records.passed);
        differs.then(|| {
            format!(
                "the JUnit report has {} passed and {} failed, the records have {} and {}",
                self.passed, self.failed, records.passed, records.failed
            )
        })
    }
}

fn runs_a_call_twice(report: &Report) -> bool {
    let mut seen = BTreeSet::new();
    let calls = report.records.iter();
    calls
        .filter(|record| record.phase == Phase::Call)
        .any(|record| !seen.insert(record.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{JUnit, parse_junit};
    use crate::test_outcome::testing::{Run, raised};

    fn of(cases: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><testsuites><testsuite name=\"pytest\">{cases}\
             </testsuite></testsuites>"
        )
    }

    #[test]
    fn cases_are_counted_by_what_is_inside_them() {
        let cases = "<testcase name=\"a\"/>\
             <testcase name=\"b\"><failure message=\"m\">text &lt;failure&gt;</failure></testcase>\
             <testcase name=\"c\"><system-out>failure</system-out></testcase>\
             <testcase name=\"d\"><skipped/></testcase>\
             <testcase name=\"e\"><skipped/><error/></testcase>";
        let counts = JUnit {
            passed: 2,
            failed: 2,
            skipped: 1,
        };
        assert_eq!(parse_junit(&of(cases)), Ok(counts));
        assert_eq!(parse_junit(&of("")), Ok(JUnit::default()));
    }

    #[test]
    fn what_is_no_whole_report_is_none() {
        let whole = of("<testcase name=\"a\"/>");
        for text in ["", "no", &whole[..whole.len() - 14], "<testsuites><a></b>"] {
            assert!(parse_junit(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn another_number_of_passes_or_a_hidden_failure_is_a_disagreement() {
        let assertion = || raised(&["AssertionError"], "no", "test_a.py");
        let counts = |passed, failed| JUnit {
            passed,
            failed,
            skipped: 0,
        };
        let green = Run::default().passes("test_a.py::a").passes("test_a.py::b");
        assert_eq!(counts(2, 0).disagreement(&green.report), None);
        assert!(counts(1, 0).disagreement(&green.report).is_some());
        assert!(counts(2, 1).disagreement(&green.report).is_some());
        let red = Run::default().fails("test_a.py::a", assertion());
        assert_eq!(counts(0, 2).disagreement(&red.report), None);
        assert!(counts(1, 0).disagreement(&red.report).is_some());
        // Run again, or with sub-tests.
        let twice = green.passes("test_a.py::a");
        assert_eq!(counts(9, 0).disagreement(&twice.report), None);
    }
}
