//! One run of a test runner, as the host saw it.

use super::{Exit, ExitMeaning, JUnit, JUnitError, Raised, Report, Unreadable};
use crate::secrets::{mask_secrets, mask_values};

/// How the process ended, its report and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// How the runner's process ended.
    pub exit: Exit,
    /// The runner's meaning of that code.
    pub meaning: ExitMeaning,
    /// How long it was allowed to take.
    pub timeout_seconds: u64,
    /// The report, or why there is none that can be believed.
    pub report: Result<Report, Unreadable>,
    /// The runner's JUnit report, or why there is none.
    pub junit: Result<JUnit, JUnitError>,
    /// The runner's output, with its middle left out if it was long.
    pub output: String,
}

impl Observation {
    /// Where the JUnit report disagrees with the records.
    pub(crate) fn junit_disagreement(&self, report: &Report) -> Option<String> {
        match &self.junit {
            Ok(junit) => junit.disagreement(report),
            Err(problem) => Some(problem.to_string()),
        }
    }

    /// The same with a mark in place of every secret, wherever the tests printed, raised or named it. Everything kept,
    /// shown or sent is made from this. `confidential` are values that are known to be secrets, whatever their shape.
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
