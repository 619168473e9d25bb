//! Old tests that were run once, without the values that they expect, and need no second run.
//!
//! A test that passes there, and all of whose values were compared outside of its process, would tell the same again with
//! its expected values in sight, and whatever it said then would count for less. Under the guard an agent waits for
//! the verdict, so such tests are not run again. The others are: those with an assertion that was left to the process, that
//! were skipped, that failed, or that have another name when they are cut.
//!
//! Only whole files are settled, because some tests of a file may depend on others of it.

use std::collections::{BTreeMap, BTreeSet};

use super::Baseline;
use super::blind::{BlindRun, Judgement};
use super::test_files::support;
use crate::test_outcome::{
    Ending, Exit, ExitMeaning, JUnit, Observation, Report, Summary, file_of, function_of,
};

/// Files of old tests that need no second run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledTests {
    files: BTreeSet<String>,
    tests: usize,
}

impl SettledTests {
    /// Of a run of the whole suite. `sealed` are the test files of the change: tests in them are run again, and a file
    /// beside them that holds no tests may matter to every other. If few are settled, none is: a run of the whole suite is
    /// as quick.
    pub fn of(blind: BlindRun<'_>, baseline: &Baseline, sealed: &[String]) -> Self {
        let Some(report) = usable(blind).filter(|_| support(sealed).next().is_none()) else {
            return Self::default();
        };
        let judged: BTreeMap<&str, _> = {
            let tests = blind.report.tests.iter();
            tests.map(|test| (test.id.as_str(), test)).collect()
        };
        let is_settled = |summary: &Summary<'_>| {
            let base = baseline.tests.get(summary.id);
            let passed_before =
                base.is_some_and(|base| base.ending == Ending::Passed && base.excuses.is_empty());
            let held = judged.get(summary.id).is_some_and(|test| {
                test.judgement == Judgement::Held && test.not_judged == 0 && test.reason.is_none()
            });
            let whole = summary.excuses.is_empty()
                && summary.attempts <= 1
                && !report.with_passing_parts.contains(summary.id)
                && !report.definitions.contains_key(function_of(summary.id));
            passed_before && held && whole && summary.ending == Ending::Passed
        };
        let summaries = report.summaries();
        let mut open: BTreeSet<&str> = sealed.iter().map(String::as_str).collect();
        open.extend(report.deselected.iter().map(|id| file_of(id)));
        open.extend(report.errors.iter().map(|error| file_of(&error.file)));
        open.extend(report.skipped_files.iter().map(|it| file_of(&it.file)));
        let unsettled = summaries.iter().filter(|summary| !is_settled(summary));
        open.extend(unsettled.map(|summary| file_of(summary.id)));
        let there: BTreeSet<&str> = summaries.iter().map(|summary| summary.id).collect();
        let gone = baseline.ids().filter(|id| !there.contains(id));
        open.extend(gone.map(file_of));
        let settled = summaries
            .iter()
            .map(|summary| file_of(summary.id))
            .filter(|file| !open.contains(file));
        let settled: Vec<&str> = settled.collect();
        if settled.len() * 2 < baseline.ids().count() {
            return Self::default();
        }
        Self {
            tests: settled.len(),
            files: settled.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files that are to be run with their expected values; none if that is the whole suite.
    pub fn others(&self, blind: BlindRun<'_>, sealed: &[String]) -> Option<Vec<String>> {
        let report = usable(blind).filter(|_| !self.is_empty())?;
        let ids = report.collected.iter().chain(&report.deselected);
        let errors = report.errors.iter().map(|error| &error.file);
        let skipped = report.skipped_files.iter().map(|skipped| &skipped.file);
        let files = ids.chain(errors).chain(skipped).map(|id| file_of(id));
        let files: BTreeSet<&str> = files.chain(sealed.iter().map(String::as_str)).collect();
        let files = files.into_iter().filter(|file| !self.files.contains(*file));
        Some(files.map(str::to_owned).collect())
    }

    /// The suite: these tests as they were run blind, the others as they were run with their expected values.
    pub fn joined(&self, blind: BlindRun<'_>, others: Observation) -> Observation {
        let Some(report) = usable(blind).filter(|_| !self.is_empty()) else {
            return others;
        };
        let is_settled = |id: &str| self.files.contains(file_of(id));
        let report = Report {
            collected: {
                let ids = report.collected.iter();
                ids.filter(|id| is_settled(id)).cloned().collect()
            },
            records: {
                let records = report.records.iter();
                let records = records.filter(|record| is_settled(&record.id));
                records.cloned().collect()
            },
            written_at: {
                let lines = report.written_at.iter();
                let lines = lines.filter(|(id, _)| is_settled(id));
                lines.map(|(id, line)| (id.clone(), *line)).collect()
            },
            finished_exit: Some(0),
            import_roots: report.import_roots.clone(),
            plugins: report.plugins.clone(),
            ..Report::default()
        };
        let settled = Observation {
            exit: Exit::Code(0),
            meaning: ExitMeaning::Passed,
            timeout_seconds: others.timeout_seconds,
            junit: Ok(JUnit {
                passed: self.tests,
                ..JUnit::default()
            }),
            report: Ok(report),
            output: String::new(),
        };
        Observation::joined(vec![others.clone(), settled]).unwrap_or(others)
    }

    /// For a person who reads the verdict.
    pub fn note(&self) -> Option<String> {
        (!self.is_empty()).then(|| {
            format!(
                "{} old tests were run once, without the values that they expect, which were compared outside of \
                 their process; `proctor gate green` runs them again with them",
                self.tests
            )
        })
    }
}

/// The report of a run from which something can be concluded about every test.
fn usable(blind: BlindRun<'_>) -> Option<&Report> {
    let whole = blind.whole && blind.problem().is_none();
    let report = blind.observation.report.as_ref().ok().filter(|_| whole)?;
    report.unhandled.is_empty().then_some(report)
}

#[cfg(test)]
mod tests {
    use super::SettledTests;
    use crate::gate::{Baseline, BlindReport, BlindRun, BlindTest, Judgement};
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Ending, Observation, Outcome, Phase};

    const OLD: [&str; 4] = ["a.py::one", "a.py::two", "b.py::one", "c.py::one"];

    fn baseline() -> Baseline {
        let tests = OLD.iter();
        let tests = tests.map(|id| ((*id).to_owned(), Ending::Passed));
        tests.collect()
    }

    fn held(id: &str) -> BlindTest {
        BlindTest {
            id: id.to_owned(),
            judgement: Judgement::Held,
            reason: None,
            held: 1,
            telling: 1,
            failed: 0,
            not_judged: 0,
        }
    }

    fn all_held() -> Vec<BlindTest> {
        OLD.iter().map(|id| held(id)).collect()
    }

    fn suite() -> Run {
        let old = OLD.iter();
        let run = old.fold(Run::default(), |run, id| run.passes(id));
        run.passes("new.py::new")
    }

    /// The files that are run again, or none if the whole suite is.
    fn run_again(
        observation: &Observation,
        tests: Vec<BlindTest>,
        baseline: &Baseline,
        sealed: &[&str],
    ) -> Option<Vec<String>> {
        let report = BlindReport {
            tests,
            ..BlindReport::default()
        };
        let blind = BlindRun {
            observation,
            report: &report,
            whole: true,
        };
        let sealed: Vec<String> = sealed.iter().map(|file| (*file).to_owned()).collect();
        SettledTests::of(blind, baseline, &sealed).others(blind, &sealed)
    }

    fn files(files: &[&str]) -> Vec<String> {
        files.iter().map(|file| (*file).to_owned()).collect()
    }

    #[test]
    fn old_tests_that_pass_and_hold_outside_are_not_run_again() {
        let again = run_again(&suite().exits(0), all_held(), &baseline(), &["test_new.py"]);
        assert_eq!(again, Some(files(&["new.py", "test_new.py"])));
        let none = run_again(&suite().exits(0), Vec::new(), &baseline(), &[]);
        assert_eq!(none, None);
    }

    #[test]
    fn a_file_with_a_test_that_says_less_is_run_again() {
        let but = |change: fn(&mut BlindTest)| {
            let mut tests = all_held();
            change(&mut tests[3]);
            tests
        };
        for tests in [
            but(|test| test.judgement = Judgement::NotJudged),
            but(|test| test.judgement = Judgement::Failed),
            but(|test| test.not_judged = 1),
            but(|test| test.reason = Some("it did not end".to_owned())),
            all_held()[..3].to_vec(),
        ] {
            let again = run_again(&suite().exits(0), tests, &baseline(), &[]);
            assert_eq!(again, Some(files(&["c.py", "new.py"])));
        }
        let skipped = |run: Run| run.ends("c.py::two", Phase::Setup, Outcome::Skipped, None);
        let failing = raised(&["AssertionError"], "no", "c.py");
        for (run, code) in [
            (skipped(suite()), 0),
            (suite().fails("c.py::two", failing.clone()), 1),
            (suite().passes("c.py::unknown"), 0),
            (suite().collection_error("c.py", failing), 1),
        ] {
            let again = run_again(&run.exits(code), all_held(), &baseline(), &[]);
            assert_eq!(again, Some(files(&["c.py", "new.py"])));
        }
        // One that is gone, one that did not pass before, one that is written in another file.
        let more: Baseline = OLD
            .iter()
            .chain(&["c.py::gone"])
            .map(|id| ((*id).to_owned(), Ending::Passed))
            .collect();
        let again = run_again(&suite().exits(0), all_held(), &more, &[]);
        assert_eq!(again, Some(files(&["c.py", "new.py"])));
        let mut less = baseline();
        less.tests
            .insert("c.py::one".to_owned(), Ending::Failed.into());
        let again = run_again(&suite().exits(0), all_held(), &less, &[]);
        assert_eq!(again, Some(files(&["c.py", "new.py"])));
        let mut inherited = suite();
        let written = ("c.py::one".to_owned(), "base.py::one".to_owned());
        inherited.report.definitions.extend([written]);
        let again = run_again(&inherited.exits(0), all_held(), &baseline(), &[]);
        assert_eq!(again, Some(files(&["c.py", "new.py"])));
    }

    #[test]
    fn where_a_helper_is_changed_or_little_is_settled_the_whole_suite_is_run() {
        let whole = |sealed: &[&str], tests: Vec<BlindTest>| {
            run_again(&suite().exits(0), tests, &baseline(), sealed)
        };
        assert_eq!(whole(&["conftest.py"], all_held()), None);
        assert_eq!(whole(&["tests/helper.py"], all_held()), None);
        assert_eq!(whole(&[], vec![held("c.py::one")]), None);
        assert_eq!(
            whole(&["test_new.py"], all_held()[..2].to_vec()).map(|it| it.len()),
            Some(4)
        );
    }

    #[test]
    fn the_suite_is_what_both_runs_tell_together() {
        let (run, report) = (
            suite().exits(0),
            BlindReport {
                tests: all_held(),
                ..BlindReport::default()
            },
        );
        let blind = BlindRun {
            observation: &run,
            report: &report,
            whole: true,
        };
        let settled = SettledTests::of(blind, &baseline(), &[]);
        let passing = Run::default().passes("new.py::new").exits(0);
        let joined = settled.joined(blind, passing);
        let whole = joined.complete().expect("both can be believed");
        assert_eq!(whole.summaries().len(), OLD.len() + 1);
        assert_eq!(joined.junit_disagreement(whole), None);
        assert_eq!(joined.exit.code(), Some(0));
        let failing = raised(&["AssertionError"], "no", "new.py");
        let failing = Run::default().fails("new.py::new", failing).exits(1);
        assert_eq!(settled.joined(blind, failing).exit.code(), Some(1));
        assert!(
            settled
                .note()
                .is_some_and(|note| note.starts_with("4 old tests"))
        );
    }

    #[test]
    fn nothing_is_settled_by_a_run_that_cannot_be_believed() {
        let report = BlindReport {
            tests: all_held(),
            ..BlindReport::default()
        };
        let problem = BlindReport {
            problems: vec!["it cannot be read".to_owned()],
            ..report.clone()
        };
        let complete = suite().exits(0);
        let mut unhandled = suite();
        unhandled.report.unhandled = vec![raised(&["Error"], "no", "app.py")];
        let unhandled = unhandled.exits(0);
        for (observation, report, whole) in [
            (&complete, &problem, true),
            (&complete, &report, false),
            (&unhandled, &report, true),
        ] {
            let blind = BlindRun {
                observation,
                report,
                whole,
            };
            assert!(SettledTests::of(blind, &baseline(), &[]).is_empty());
        }
    }
}
