//! One run of a test runner, as the host saw it.

use super::{Exit, ExitMeaning, JUnit, JUnitError, Raised, Report, Unreadable};
use crate::secrets::{mask_secrets, mask_values};

/// How the process ended, what it reported and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// How the runner's process ended.
    pub exit: Exit,
    /// What the runner says with that code.
    pub meaning: ExitMeaning,
    /// How long it was allowed to take.
    pub timeout_seconds: u64,
    /// The report, or why there is none that can be believed.
    pub report: Result<Report, Unreadable>,
    /// The runner's JUnit report, or why there is none.
    pub junit: Result<JUnit, JUnitError>,
    /// What the runner printed, with its middle left out if it was long.
    pub output: String,
}

impl Observation {
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
