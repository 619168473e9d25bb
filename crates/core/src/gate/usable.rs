//! Whether a run can be judged by its report at all: one rule for the base commit, for the suite and for every
//! further run.

use crate::test_outcome::{Exit, ExitMeaning, Observation, Report, Unreadable};

/// Why nothing can be concluded from a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It was killed when its time was up.
    #[error("the run did not end within {seconds} s")]
    TimedOut {
        /// How long it had.
        seconds: u64,
    },
    /// A signal ended it.
    #[error("the run was killed by signal {0}")]
    Killed(i32),
    /// Its records cannot be believed.
    #[error("the run exited with {code} ({}) and its records are not usable: {problem}", .meaning.words())]
    NoReport {
        /// The exit code.
        code: i32,
        /// The exit's meaning.
        meaning: ExitMeaning,
        /// The problem with the records.
        problem: Unreadable,
    },
    /// Exit code and records differ.
    #[error("the run exited with {code}, but its records say {records}")]
    Disagrees {
        /// The process's exit code.
        code: i32,
        /// The one in the records.
        records: i32,
    },
    /// Code was loaded from elsewhere.
    #[error("the run loaded `{module}` from {file}, not from the tree that is judged")]
    WrongTree {
        /// The module's name.
        module: String,
        /// Where it came from.
        file: String,
    },
    /// The runner broke off, or ran no tests.
    #[error("the run exited with {code}: {}", .meaning.words())]
    NotRun {
        /// The exit code.
        code: i32,
        /// The exit's meaning.
        meaning: ExitMeaning,
    },
}

impl Observation {
    /// The report, if the process exited on its own, the report agrees with it and is about the judged tree.
    pub(super) fn complete(&self) -> Result<&Report, Unusable> {
        let code = match self.exit {
            Exit::Code(code) => code,
            Exit::TimedOut => {
                let seconds = self.timeout_seconds;
                return Err(Unusable::TimedOut { seconds });
            }
            Exit::Signal(signal) => return Err(Unusable::Killed(signal)),
        };
        let report = self.report.as_ref().map_err(|problem| Unusable::NoReport {
            code,
            meaning: self.meaning,
            problem: problem.clone(),
        })?;
        if report.finished_exit != Some(code) {
            let records = report.finished_exit.unwrap_or_default();
            return Err(Unusable::Disagrees { code, records });
        }
        if let Some((module, file)) = report.foreign_modules.first_key_value() {
            let (module, file) = (module.clone(), file.clone());
            return Err(Unusable::WrongTree { module, file });
        }
        let meaning = self.meaning;
        match meaning {
            // Files that cannot be collected end a run like this as well.
            ExitMeaning::Interrupted if !report.errors.is_empty() => Ok(report),
            ExitMeaning::Interrupted | ExitMeaning::InternalError | ExitMeaning::UsageError => {
                Err(Unusable::NotRun { code, meaning })
            }
            _ => Ok(report),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Exit, Observation};

    #[test]
    fn only_a_run_that_came_to_its_end_says_anything() {
        let mut wrong_tree = Run::default().passes("t.py::a").exits(0);
        if let Ok(report) = &mut wrong_tree.report {
            report
                .foreign_modules
                .insert("app".to_owned(), "/elsewhere/app.py".to_owned());
        }
        let mut disagreeing = Run::default().passes("t.py::a").exits(0);
        disagreeing.exit = Exit::Code(1);
        let table = [
            (Run::without_report(Exit::TimedOut), "within 300 s"),
            (Run::without_report(Exit::Signal(11)), "killed by signal 11"),
            (
                Run::without_report(Exit::Code(4)),
                "error in its configuration",
            ),
            (Run::without_report(Exit::Code(0)), "not usable"),
            (Run::default().exits(4), "exited with 4"),
            (Run::default().exits(3), "internal error"),
            (Run::default().exits(2), "interrupted"),
            (wrong_tree, "/elsewhere/app.py"),
            (disagreeing, "records say 0"),
        ];
        for (observation, expected) in table {
            let error = observation.complete().expect_err("says nothing");
            assert!(error.to_string().contains(expected), "{error}");
        }
        let says = |observation: Observation| observation.complete().is_ok();
        let uncollected = || raised(&["ValueError"], "no", "t.py");
        assert!(says(
            Run::default()
                .collection_error("t.py", uncollected())
                .exits(2)
        ));
        assert!(says(Run::default().exits(5)));
    }
}
