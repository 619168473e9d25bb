//! Running new tests without the code that they ask for, where some of them may not end.
//!
//! Code that waits or loops for ever is fixed like any other, and its test hangs until it is. So a new test that does
//! not end within its limit, in existing code, fails; the others are observed in a further run without it. One that
//! hangs in its own code is not such a test: then the suite is run as usual, with its time limit as a whole.

use std::path::Path;

use proctor_core::dialect::is_test_file;
use proctor_core::gate::{Analysis, Baseline};
use proctor_core::path::ProjectPath;
use proctor_core::pytest::stopped_in;
use proctor_core::test_outcome::{Observation, StoppedTest, Unreadable};

use super::GateError;
use super::arbiter::{Sitting, Wanted};
use super::parts::Carried;
use crate::test_runner::TestLimit;

/// The least that a test gets, in seconds.
const SHORTEST: u64 = 10;
/// It gets this part of the whole suite's time limit, if that is more.
const PART: u64 = 30;
/// More tests than this are not stopped one after the other.
const MOST_STOPPED: usize = 8;

/// The facts that tell new tests from others.
pub(super) struct NewTests<'a> {
    pub(super) files: &'a [ProjectPath],
    pub(super) analysis: &'a Analysis,
    pub(super) baseline: &'a Baseline,
}

impl NewTests<'_> {
    fn contain(&self, id: &str) -> bool {
        let file = self.analysis.file_of_definition(id);
        self.has_file(file) && (!self.baseline.contains(id) || self.analysis.is_changed(id))
    }

    fn has_file(&self, file: &str) -> bool {
        self.files.iter().any(|written| written.as_str() == file)
    }
}

impl Sitting<'_, '_> {
    /// Runs the selection; returns also the new tests that were stopped. In the observation they failed.
    pub(super) fn run_stopping(
        &mut self,
        wanted: &Wanted<'_>,
        new: &NewTests<'_>,
    ) -> Result<(Observation, Vec<StoppedTest>), GateError> {
        let most = self.arbiter.settings.test.timeout_seconds;
        let began = self.evidence.elapsed_ms();
        let mut stopped: Vec<StoppedTest> = Vec::new();
        while stopped.len() <= MOST_STOPPED && self.evidence.elapsed_ms() - began < most * 1000 {
            let limit = TestLimit {
                without: stopped.iter().map(|test| test.id.clone()).collect(),
                ..self.test_limit()
            };
            let Carried {
                observation,
                stopped: stack,
                ..
            } = self.run_within(wanted, Some(&limit))?;
            let running = match &observation.report {
                Err(Unreadable::Unfinished { running }) => running.clone(),
                Ok(_) | Err(_) => None,
            };
            let Some(stack) = stack else {
                return Ok((observation.with_stopped(&stopped), stopped));
            };
            if observation.report.is_ok() {
                self.evidence
                    .remark("every test was run; what kept the process from its end was stopped");
                return Ok((observation.with_stopped(&stopped), stopped));
            }
            let Some(test) = self.stopped_in_source(running, stack, new) else {
                break;
            };
            self.evidence.remark(&test.words());
            stopped.push(test);
        }
        self.evidence
            .remark("what does not end does so in no new test, or not in the code under test");
        Ok((self.run(wanted)?, Vec::new()))
    }

    /// The limit for one test.
    pub(super) fn test_limit(&self) -> TestLimit {
        let whole = self.arbiter.settings.test.timeout_seconds;
        TestLimit {
            seconds: whole.min(SHORTEST.max(whole / PART)),
            ..TestLimit::default()
        }
    }

    /// The test that was running, if it is a new one that was in the code under test.
    fn stopped_in_source(
        &self,
        running: Option<String>,
        stack: String,
        new: &NewTests<'_>,
    ) -> Option<StoppedTest> {
        let id = running.filter(|id| new.contain(id))?;
        let tree = std::fs::canonicalize(self.directory());
        let tree = tree.as_deref().unwrap_or(Path::new("/"));
        let place = stopped_in(&stack, tree.to_str()?)?;
        let in_test =
            new.has_file(&place.path) || is_test_file(&place.path, &self.arbiter.test_paths);
        (!in_test).then(|| StoppedTest {
            id,
            seconds: self.test_limit().seconds,
            place,
            stack,
        })
    }
}
