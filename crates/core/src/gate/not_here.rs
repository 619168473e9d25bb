//! New tests that cannot run where they are judged.
//!
//! A test for a later Python, another system or a library that is not installed is skipped here by any change. The
//! condition is read in the test file and evaluated where no project code runs; the test has to be seen skipped as
//! well, at red and at green. It is not judged, which is reported; it never counts as failed or passed. A skip for any
//! other reason stays refused, and so does a scaffold most of which does not run.

use std::collections::BTreeSet;

use super::findings::Findings;
use super::{Analysis, Baseline, FlagKind, Rule, SourceFlag, green, red};
use crate::test_outcome::{Ending, Observation, Summary, file_of, function_of};

impl Analysis {
    /// The condition by which a test, or its whole file, does not run here.
    fn not_here(&self, id: &str) -> Option<&str> {
        let test = self.test(id).and_then(|test| test.not_here.as_deref());
        test.or_else(|| self.file_not_here(file_of(id)))
    }

    fn file_not_here(&self, file: &str) -> Option<&str> {
        let mut files = self.files.iter();
        let file = files.find(|analysed| analysed.path == file)?;
        file.not_here.as_deref()
    }
}

impl Baseline {
    /// Whether a test, or any case of it, ran at the base commit: then it can.
    fn ran(&self, id: &str) -> bool {
        let function = function_of(id);
        let mut tests = self.tests.iter();
        tests.any(|(other, test)| {
            function_of(other) == function
                && !matches!(test.ending, Ending::Skipped | Ending::Deselected)
        })
    }

    /// Whether any test of a file did.
    fn ran_file(&self, file: &str) -> bool {
        let mut tests = self.tests.iter();
        tests.any(|(id, test)| file_of(id) == file && test.ending != Ending::Deselected)
    }
}

impl Findings {
    /// A file that is skipped as a whole, by a condition that no code of the project has a part in.
    pub(super) fn file_is_not_run_here(
        &mut self,
        file: &str,
        reason: &str,
        baseline: &Baseline,
        analysis: &Analysis,
    ) -> bool {
        let Some(why) = analysis
            .file_not_here(file)
            .filter(|_| !baseline.ran_file(file))
        else {
            return false;
        };
        self.not_run_here(file, why);
        self.note(format!("{file} is skipped as a whole: {reason}"));
        true
    }

    fn not_run_here(&mut self, id: &str, why: &str) {
        self.test(id, Ending::Skipped, format!("not run here: {why}"));
        self.note(format!("{id} is not run here ({why}) and is not judged"));
    }
}

impl red::Judge<'_> {
    /// Whether a new test is left out by where it is judged.
    pub(super) fn is_not_run_here(&mut self, id: &str, ending: Ending) -> bool {
        let (analysis, baseline) = (self.evidence.analysis, self.evidence.baseline);
        let why = analysis.not_here(id).filter(|_| ending == Ending::Skipped);
        let Some(why) = why.filter(|_| !baseline.ran(id)) else {
            return false;
        };
        let function = function_of(id).to_owned();
        if self.not_run_here.insert(function, why.to_owned()).is_none() {
            self.findings.not_run_here(id, why);
        }
        true
    }

    /// The same for a file that is skipped as a whole.
    pub(super) fn is_file_not_run_here(&mut self, file: &str, reason: &str) -> bool {
        let (analysis, baseline) = (self.evidence.analysis, self.evidence.baseline);
        let known = self.not_run_here.contains_key(file);
        if known
            || !self
                .findings
                .file_is_not_run_here(file, reason, baseline, analysis)
        {
            return known;
        }
        let tests = analysis
            .each_test()
            .filter(|(analysed, test)| analysed.path == file && test.new);
        for (_, test) in tests {
            let id = format!("{file}::{}", test.name);
            self.not_run_here.insert(id, String::new());
        }
        let why = analysis.file_not_here(file).unwrap_or_default();
        self.not_run_here.insert(file.to_owned(), why.to_owned());
        true
    }

    /// Tests that do not run show nothing, so most have to run.
    pub(super) fn most_are_run(&mut self) {
        let failing: BTreeSet<&str> = self.failing.iter().map(|id| function_of(id)).collect();
        let left_out = self
            .not_run_here
            .keys()
            .filter(|id| id.contains("::"))
            .count();
        if left_out > failing.len() && self.findings.is_clean() {
            let message = format!(
                "new tests that do not run here: {left_out}, and only {} fail; most of what is asked for has to be seen",
                failing.len()
            );
            self.findings.refuse(Rule::Skipped, None, message);
        }
    }

    pub(super) fn not_run_flags(&self) -> Vec<SourceFlag> {
        let analysis = self.evidence.analysis;
        let reasons = self.not_run_here.iter().filter(|(_, why)| !why.is_empty());
        reasons
            .map(|(id, why)| SourceFlag {
                path: file_of(id).to_owned(),
                line: analysis.test(id).map_or(1, |test| test.line),
                flag: FlagKind::NotRunHere,
                what: why.clone(),
            })
            .collect()
    }
}

impl green::Judge<'_> {
    /// Whether a new test is left out by where it is judged, as it was at red.
    pub(super) fn is_not_run_here(&mut self, summary: &Summary<'_>) -> bool {
        let (analysis, baseline) = (self.suite.analysis, self.suite.baseline);
        let id = summary.id;
        let ran_at_red =
            self.suite.failed_at_red.contains(id) || self.suite.passed_at_red.contains(id);
        let why = analysis
            .not_here(id)
            .filter(|_| summary.ending == Ending::Skipped);
        let Some(why) = why.filter(|_| !baseline.ran(id) && !ran_at_red) else {
            return false;
        };
        self.findings.not_run_here(id, why);
        true
    }

    /// A new test that is skipped without the change and runs with it was never seen to fail.
    pub(super) fn nothing_runs_that_was_left_out(&mut self, without: &Observation) {
        let Ok(report) = without.complete() else {
            return;
        };
        let baseline = self.suite.baseline;
        let summaries = report.summaries().into_iter();
        let skipped: BTreeSet<&str> = summaries
            .filter(|summary| summary.ending == Ending::Skipped)
            .map(|summary| summary.id)
            .collect();
        let skipped_files = report
            .skipped_files
            .iter()
            .map(|skipped| skipped.file.as_str());
        let skipped_files: BTreeSet<&str> = skipped_files
            .filter(|file| !baseline.skipped_files.contains_key(*file))
            .collect();
        for id in self.new.clone() {
            if !baseline.contains(id)
                && (skipped.contains(id) || skipped_files.contains(file_of(id)))
            {
                let message = "is skipped without the change and runs with it, so it was never seen to fail; a new \
                               test has to run in both";
                self.findings.refuse(Rule::Skipped, Some(id), message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::Declared;
    use crate::gate::testing::{A, B, NEW, OLD, assert_accepted, baseline, judge_green, rules};
    use crate::gate::{
        AnalysedFile, AnalysedTest, Analysis, Baseline, RedRule, RedScope, RedSuite, Verdict,
        WithoutChange, judge_scaffold,
    };
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Observation, Outcome, Phase, SkippedFile};

    /// New tests, of which those that are named do not run here.
    fn analysis(tests: &[&str], not_here: &[&str]) -> Analysis {
        let test = |name: &&str| AnalysedTest {
            name: (*name).to_owned(),
            line: 4,
            new: true,
            not_here: not_here.contains(name).then(|| "another system".to_owned()),
            ..AnalysedTest::default()
        };
        Analysis {
            files: vec![AnalysedFile {
                path: NEW.to_owned(),
                tests: tests.iter().map(test).collect(),
                ..AnalysedFile::default()
            }],
            ..Analysis::default()
        }
    }

    fn failing(run: Run) -> Run {
        run.fails(A, raised(&["AssertionError"], "no", NEW))
    }

    fn skipping(run: Run, id: &str) -> Run {
        let said = raised(&[], "not here", NEW);
        run.ends(id, Phase::Setup, Outcome::Skipped, Some(said))
    }

    fn red(observation: &Observation, analysis: &Analysis, base: &Baseline) -> Verdict {
        judge_scaffold(&RedSuite {
            observation,
            baseline: base,
            scope: RedScope::Suite,
            test_files: &[NEW.to_owned()],
            existing: &[],
            test_paths: &[],
            declared: &Declared::default(),
            analysis,
            rule: RedRule::Any,
        })
        .map_or_else(|refused| refused, |suite| suite.settle().judge(&[]))
    }

    fn green(now: &Observation, without: &Observation, at_red: &[&str]) -> Verdict {
        let (base, analysis) = (baseline(&[]), analysis(&["a", "b"], &["b"]));
        judge_green(now, &base, &analysis, at_red, WithoutChange::Run(without))
    }

    #[test]
    fn a_test_for_another_place_is_said_and_not_judged() {
        let seen = skipping(failing(Run::default()), B).exits(1);
        let verdict = red(&seen, &analysis(&["a", "b"], &["b"]), &baseline(&[]));
        assert_accepted(&verdict);
        assert!(!verdict.passed().contains(B) && !verdict.failed().contains(B));
        assert!(
            verdict
                .notes
                .iter()
                .any(|note| note.contains("another system"))
        );
        let now = skipping(Run::default().passes(A), B).exits(0);
        assert_accepted(&green(&now, &seen, &[A]));
    }

    #[test]
    fn any_other_skip_is_refused() {
        let seen = skipping(failing(Run::default()), B).exits(1);
        let by_something_else = analysis(&["a", "b"], &[]);
        assert_eq!(
            rules(&red(&seen, &by_something_else, &baseline(&[]))),
            ["skipped"]
        );
        // It ran at the base, in another case even.
        let left_out = analysis(&["a", "b"], &["b"]);
        let base = baseline(&[&format!("{B}[1]")]);
        assert!(rules(&red(&seen, &left_out, &base)).contains(&"skipped"));
        // It ran at red.
        let now = skipping(Run::default().passes(A), B).exits(0);
        assert_eq!(rules(&green(&now, &seen, &[A, B])), ["skipped"]);
    }

    #[test]
    fn most_new_tests_have_to_run() {
        let seen = skipping(skipping(failing(Run::default()), B), "tests/test_new.py::c");
        let left_out = analysis(&["a", "b", "c"], &["b", "c"]);
        assert_eq!(
            rules(&red(&seen.exits(1), &left_out, &baseline(&[]))),
            ["skipped"]
        );
        let nothing = skipping(Run::default().passes(OLD), B).exits(0);
        let left_out = analysis(&["b"], &["b"]);
        let verdict = red(&nothing, &left_out, &baseline(&[OLD]));
        assert_eq!(rules(&verdict), ["skipped"]);
    }

    #[test]
    fn what_runs_only_with_the_change_was_never_seen_to_fail() {
        let now = Run::default().passes(A).passes(B).exits(0);
        let without = skipping(failing(Run::default()), B).exits(1);
        assert_eq!(rules(&green(&now, &without, &[A])), ["skipped"]);
        let mut without = Run::default();
        without.report.skipped_files.push(SkippedFile {
            file: NEW.to_owned(),
            reason: "no module".to_owned(),
        });
        let verdict = green(&now, &without.exits(5), &[]);
        assert_eq!(rules(&verdict), ["skipped", "skipped"]);
    }
}
