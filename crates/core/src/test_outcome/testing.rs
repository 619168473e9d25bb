//! Builds observations for the tests of this folder.

use super::{
    CollectionError, Exit, JUnit, JUnitError, Location, Observation, Outcome, Phase, Raised,
    Report, TestRecord, Unreadable,
};
use crate::pytest::{exit_meaning, kind_of};

/// A run of a suite in the making.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    pub(crate) report: Report,
}

impl Run {
    pub(crate) fn passes(self, id: &str) -> Self {
        self.ends(id, Phase::Call, Outcome::Passed, None)
    }

    pub(crate) fn fails(self, id: &str, raised: Raised) -> Self {
        self.ends(id, Phase::Call, Outcome::Failed, Some(raised))
    }

    /// Collects a test whose phases pass, but for `phase`, which ends like this.
    pub(crate) fn ends(
        mut self,
        id: &str,
        phase: Phase,
        outcome: Outcome,
        mut raised: Option<Raised>,
    ) -> Self {
        self.report.collected.push(id.to_owned());
        for each in [Phase::Setup, Phase::Call, Phase::Teardown] {
            let here = each == phase;
            let skipped = phase == Phase::Setup && each == Phase::Call;
            if skipped && outcome != Outcome::Passed {
                continue;
            }
            self.report.records.push(TestRecord {
                id: id.to_owned(),
                phase: each,
                outcome: if here { outcome } else { Outcome::Passed },
                raised: if here { raised.take() } else { None },
                attempt: 1,
                subtest: false,
            });
        }
        self
    }

    /// A part of the test that was collected last ends like this.
    pub(crate) fn part(mut self, outcome: Outcome, raised: Raised) -> Self {
        let id = self.report.collected.last().cloned().unwrap_or_default();
        self.report.has_subtests = true;
        self.report.records.push(TestRecord {
            id,
            phase: Phase::Call,
            outcome,
            raised: Some(raised),
            attempt: 1,
            subtest: true,
        });
        self
    }

    pub(crate) fn collected_only(mut self, id: &str) -> Self {
        self.report.collected.push(id.to_owned());
        self
    }

    pub(crate) fn collection_error(mut self, file: &str, raised: Raised) -> Self {
        self.report.errors.push(CollectionError {
            file: file.to_owned(),
            raised,
        });
        self
    }

    pub(crate) fn exits(mut self, code: i32) -> Observation {
        self.report.finished_exit = Some(code);
        Observation {
            exit: Exit::Code(code),
            meaning: exit_meaning(Exit::Code(code)),
            timeout_seconds: 300,
            junit: Ok(JUnit::from_records(&self.report, &self.report.summaries())),
            report: Ok(self.report),
            output: "raw output\n".to_owned(),
        }
    }

    pub(crate) fn without_report(exit: Exit) -> Observation {
        Observation {
            exit,
            meaning: exit_meaning(exit),
            timeout_seconds: 300,
            report: Err(Unreadable::Unfinished { running: None }),
            junit: Err(JUnitError::Missing),
            output: "raw output\n".to_owned(),
        }
    }
}

/// An exception of these classes whose deepest frame in the tree is in `path`.
pub(crate) fn raised(classes: &[&str], message: &str, path: &str) -> Raised {
    Raised {
        kind: kind_of(classes),
        class: classes
            .first()
            .map_or_else(String::new, |class| (*class).to_owned()),
        message: message.to_owned(),
        crash: Some(Location {
            path: path.to_owned(),
            line: 3,
        }),
        text: format!("{path}:3: {message}"),
        ..Raised::default()
    }
}
