//! Tests that were stopped because they did not end.

use super::{
    FailureKind, JUnit, Location, Observation, Outcome, Phase, Raised, Report, TestRecord,
};

/// A test that was stopped, while the others of its suite were run without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedTest {
    /// The runner's own id of it.
    pub id: String,
    /// How long it had.
    pub seconds: u64,
    /// Where it was: the deepest frame that lies in the tree.
    pub place: Location,
    /// All frames of all threads.
    pub stack: String,
}

impl StoppedTest {
    /// A description for people.
    pub fn words(&self) -> String {
        let Self {
            id, seconds, place, ..
        } = self;
        let (path, line) = (&place.path, place.line);
        format!("{id} does not end within {seconds} s and was stopped in {path} line {line}")
    }

    fn record(&self) -> TestRecord {
        TestRecord {
            id: self.id.clone(),
            phase: Phase::Call,
            outcome: Outcome::Failed,
            raised: Some(Raised {
                kind: FailureKind::Other,
                class: "Timeout".to_owned(),
                message: format!("did not end within {} s", self.seconds),
                crash: Some(self.place.clone()),
                text: self.stack.clone(),
                ..Raised::default()
            }),
            attempt: 1,
            subtest: false,
        }
    }
}

impl Observation {
    /// The same with tests that were stopped in runs before: they failed.
    #[must_use]
    pub fn with_stopped(mut self, stopped: &[StoppedTest]) -> Self {
        let Ok(report) = &mut self.report else {
            return self;
        };
        if stopped.is_empty() {
            return self;
        }
        // The JUnit report has not seen them either; where it agreed, it still does.
        let agreed = self
            .junit
            .as_ref()
            .is_ok_and(|junit| junit.disagreement(report).is_none());
        for test in stopped {
            report.collected.push(test.id.clone());
            report.records.push(test.record());
        }
        if agreed {
            self.junit = Ok(witness(report));
        }
        self
    }
}

fn witness(report: &Report) -> JUnit {
    JUnit::from_records(report, &report.summaries())
}

#[cfg(test)]
mod tests {
    use super::StoppedTest;
    use crate::test_outcome::testing::Run;
    use crate::test_outcome::{Ending, Exit, JUnitError, Location};

    fn stopped(id: &str) -> StoppedTest {
        StoppedTest {
            id: id.to_owned(),
            seconds: 10,
            place: Location {
                path: "m.py".to_owned(),
                line: 3,
            },
            stack: "File m.py".to_owned(),
        }
    }

    #[test]
    fn a_test_that_was_stopped_failed_where_it_was() {
        let run = Run::default().passes("t.py::a").exits(0);
        let seen = run.with_stopped(&[stopped("t.py::b")]);
        let report = seen.report.as_ref().expect("readable");
        let summaries = report.summaries();
        assert_eq!(summaries[1].ending, Ending::Failed);
        let (_, raised) = summaries[1].raised.expect("says why");
        assert_eq!(raised.message, "did not end within 10 s");
        assert_eq!(raised.crash.as_ref().map(|place| place.line), Some(3));
        assert_eq!(seen.junit_disagreement(report), None);
    }

    #[test]
    fn a_witness_that_disagrees_still_does() {
        let mut run = Run::default().passes("t.py::a").exits(0);
        run.junit = Err(JUnitError::Missing);
        let seen = run.with_stopped(&[stopped("t.py::b")]);
        assert!(seen.junit.is_err());
        let unreadable = Run::without_report(Exit::TimedOut);
        let seen = unreadable.clone().with_stopped(&[stopped("t.py::b")]);
        assert_eq!(seen, unreadable);
    }
}
