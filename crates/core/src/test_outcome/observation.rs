//! One run of a test runner, as the host saw it.

use super::{Exit, JUnit, JUnitError, Raised, Report, Unreadable};
use crate::secrets::{mask_secrets, mask_values};

/// How the process ended, what it reported and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// How the runner's process ended.
    pub exit: Exit,
    /// The report, or why there is none that can be believed.
    pub report: Result<Report, Unreadable>,
    /// The runner's JUnit report, or why there is none.
    pub junit: Result<JUnit, JUnitError>,
    /// What the runner printed, with its middle left out if it was long.
    pub output: String,
}

/// Why nothing can be concluded from a further run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Incomplete {
    #[error("the run did not end in time")]
    TimedOut,
    #[error("the run was killed by signal {0}")]
    Killed(i32),
    #[error("the run exited with {exit}, but its records say {records}")]
    Disagrees { exit: i32, records: i32 },
    #[error("the run left no records that can be believed: {0}")]
    Unreadable(Unreadable),
}

impl Observation {
    /// The report, if the process came to its own end and the report agrees with it.
    pub(crate) fn complete(&self) -> Result<&Report, Incomplete> {
        let code = match self.exit {
            Exit::Code(code) => code,
            Exit::TimedOut => return Err(Incomplete::TimedOut),
            Exit::Signal(signal) => return Err(Incomplete::Killed(signal)),
        };
        let report = self.report.as_ref();
        let report = report.map_err(|problem| Incomplete::Unreadable(problem.clone()))?;
        if report.finished_exit == Some(code) {
            return Ok(report);
        }
        Err(Incomplete::Disagrees {
            exit: code,
            records: report.finished_exit.unwrap_or_default(),
        })
    }

    /// What the JUnit report says otherwise than the records.
    pub(crate) fn junit_disagreement(&self, report: &Report) -> Option<String> {
        match &self.junit {
            Ok(junit) => junit.disagreement(report),
            Err(problem) => Some(problem.to_string()),
        }
    }

    /// The same with a mark in the place of every secret, wherever the tests printed, raised or named it.
    /// What is kept, shown and sent is made from this. `confidential` are values that are known to be secrets, whatever
    /// they look like.
    #[must_use]
    pub fn masked(mut self, confidential: &[String]) -> Self {
        let mask = |text: &mut String| {
            mask_values(text, confidential);
            if let std::borrow::Cow::Owned(masked) = mask_secrets(text) {
                *text = masked;
            }
        };
        let mask_raised = |raised: &mut Raised| {
            mask(&mut raised.message);
            mask(&mut raised.text);
        };
        mask(&mut self.output);
        match &mut self.report {
            Err(problem) => problem.text_mut().into_iter().for_each(mask),
            Ok(report) => {
                let ids = report.collected.iter_mut().chain(&mut report.deselected);
                ids.for_each(mask);
                for record in &mut report.records {
                    mask(&mut record.id);
                    record.raised.iter_mut().for_each(mask_raised);
                }
                for error in &mut report.errors {
                    mask_raised(&mut error.raised);
                }
                for file in &mut report.skipped_files {
                    mask(&mut file.reason);
                }
            }
        }
        self
    }
}
