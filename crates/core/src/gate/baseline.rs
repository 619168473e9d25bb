//! The suite at the base commit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::pytest::{exit_meaning, exit_words};
use crate::test_outcome::{Ending, Exit, ExitMeaning, Observation, Summary, Unreadable};

/// The suite at the base commit, before anything was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Ids that passed; they have to pass at green as well.
    pub passed: BTreeSet<String>,
    /// Ids that were there but did not pass; remembered, and do not block.
    pub not_passed: BTreeSet<String>,
    /// Files that could not be collected.
    pub uncollectable: BTreeSet<String>,
    /// Plugins of the runner that its environment brought: the only ones that are loaded later.
    #[serde(default)]
    pub plugins: Vec<String>,
    /// Parts of the runner that the project changes already.
    #[serde(default)]
    pub tampered: BTreeSet<String>,
    /// Whether the JUnit report tells another story already, or there is none.
    #[serde(default)]
    pub without_junit: bool,
}

/// Why nothing can be compared with the base commit. No model can repair a suite that does not even start, so
/// a person is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It was killed when its time was up.
    #[error("the test suite at the base commit did not end in time")]
    TimedOut,
    /// A signal ended it.
    #[error("the test suite at the base commit was killed by signal {0}")]
    Killed(i32),
    /// Its records cannot be believed.
    #[error(
        "the test suite at the base commit exited with {code} ({meaning}) and its records are not \
         usable: {problem}"
    )]
    Unreadable {
        /// The exit code.
        code: i32,
        /// What it means.
        meaning: &'static str,
        /// What is wrong with the records.
        problem: Unreadable,
    },
    /// Exit code and records differ.
    #[error("the test suite at the base commit exited with {code}, but its records say {records}")]
    Disagrees {
        /// The process's exit code.
        code: i32,
        /// The one in the records.
        records: i32,
    },
    /// The runner ran no tests.
    #[error("the test suite at the base commit exited with {code}: {meaning}")]
    NotRun {
        /// The exit code.
        code: i32,
        /// What it means.
        meaning: &'static str,
    },
    /// Code was loaded from elsewhere.
    #[error("`{module}` was loaded from {file}, not from the tree that is judged")]
    WrongTree {
        /// The module.
        module: String,
        /// Where it came from.
        file: String,
    },
}

#[cfg(feature = "samples")]
impl BaselineError {
    /// For the samples of errors.
    pub fn sample() -> Self {
        Self::NotRun {
            code: 4,
            meaning: "REASON",
        }
    }
}

impl Baseline {
    /// What the base commit's own run says.
    ///
    /// Failing tests and files that cannot be collected are ordinary: they are remembered and do
    /// not block. No tests at all is an empty baseline.
    pub fn from_observation(observation: &Observation) -> Result<Self, BaselineError> {
        let code = match observation.exit {
            Exit::Code(code) => code,
            Exit::TimedOut => return Err(BaselineError::TimedOut),
            Exit::Signal(signal) => return Err(BaselineError::Killed(signal)),
        };
        let meaning = exit_words(code);
        let report = observation.report.as_ref().map_err(|problem| {
            let problem = problem.clone();
            BaselineError::Unreadable {
                code,
                meaning,
                problem,
            }
        })?;
        if report.finished_exit != Some(code) {
            let records = report.finished_exit.unwrap_or_default();
            return Err(BaselineError::Disagrees { code, records });
        }
        let broken = match exit_meaning(code) {
            ExitMeaning::InternalError | ExitMeaning::UsageError => true,
            ExitMeaning::Interrupted => report.errors.is_empty(),
            _ => false,
        };
        if broken {
            return Err(BaselineError::NotRun { code, meaning });
        }
        if let Some((module, file)) = report.foreign_modules.first_key_value() {
            let (module, file) = (module.clone(), file.clone());
            return Err(BaselineError::WrongTree { module, file });
        }
        let (passed, not_passed): (Vec<_>, Vec<_>) = report
            .summaries()
            .into_iter()
            .partition(|summary| summary.ending == Ending::Passed);
        let ids = |summaries: Vec<Summary<'_>>| {
            summaries
                .iter()
                .map(|summary| summary.id.to_owned())
                .collect()
        };
        Ok(Self {
            passed: ids(passed),
            not_passed: ids(not_passed),
            uncollectable: report
                .errors
                .iter()
                .map(|error| error.file.clone())
                .collect(),
            plugins: report.plugins.clone(),
            tampered: report.tampered.clone(),
            without_junit: observation.junit_disagreement(report).is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Exit, Outcome, Phase};

    #[test]
    fn passes_failures_and_uncollectable_files_are_told_apart() {
        let run = Run::default()
            .passes("t.py::a")
            .fails("t.py::b", raised(&["AssertionError"], "no", "t.py"))
            .ends("t.py::c", Phase::Setup, Outcome::Skipped, None)
            .collection_error("u.py", raised(&["ValueError"], "no", "u.py"));
        let baseline = Baseline::from_observation(&run.exits(1)).expect("a baseline");
        assert!(baseline.passed.iter().eq(["t.py::a"]));
        assert!(baseline.not_passed.iter().eq(["t.py::b", "t.py::c"]));
        assert!(baseline.uncollectable.iter().eq(["u.py"]));
    }

    #[test]
    fn no_tests_are_an_empty_baseline() {
        let baseline = Baseline::from_observation(&Run::default().exits(5));
        assert_eq!(baseline, Ok(Baseline::default()));
    }

    #[test]
    fn a_suite_that_does_not_run_is_no_baseline() {
        let mut wrong_tree = Run::default().passes("t.py::a").exits(0);
        if let Ok(report) = &mut wrong_tree.report {
            report
                .foreign_modules
                .insert("app".to_owned(), "/elsewhere/app.py".to_owned());
        }
        let mut disagreeing = Run::default().passes("t.py::a").exits(0);
        disagreeing.exit = Exit::Code(1);
        let table = [
            (Run::without_report(Exit::TimedOut), "did not end in time"),
            (Run::without_report(Exit::Signal(11)), "killed by signal 11"),
            (Run::without_report(Exit::Code(4)), "error in conftest.py"),
            (Run::without_report(Exit::Code(0)), "not usable"),
            (Run::default().exits(4), "exited with 4"),
            (Run::default().exits(3), "internal error"),
            (Run::default().exits(2), "interrupted"),
            (wrong_tree, "/elsewhere/app.py"),
            (disagreeing, "records say 0"),
        ];
        for (observation, expected) in table {
            let error = Baseline::from_observation(&observation).expect_err("no baseline");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
