//! A change of source alone: tests that passed still pass, and tests that pass execute the changed lines.
//!
//! A test that executes a line does not necessarily check it. [Mutants](crate::mutants) show that afterwards; they
//! inform, this refuses.

use std::collections::BTreeSet;

use super::findings::Findings;
use super::green::Judge;
use super::{Blind, BlindAgain, CheckName, Disposition, Rule, Verdict};
use crate::dialect::is_compiled;
use crate::mutants::SourceLines;
use crate::test_outcome::{Ending, Observation, Report, Trace};

/// A suite that passes as it did, with a change that brings no tests.
#[must_use = "a passing suite is not a verdict"]
pub struct PassingSuite<'a> {
    judge: Judge<'a>,
}

/// The changed lines, and what was observed of them.
#[derive(Debug, Clone, Copy)]
pub struct ChangeSeen<'a> {
    /// The suite without the values that its tests expect.
    pub blind: Blind<'a>,
    /// Tests that did not hold there, if there are any.
    pub blind_again: Option<BlindAgain<'a>>,
    /// The suite once more, watched line by line.
    pub traced: &'a Observation,
    /// The changed lines of Python files.
    pub sources: &'a [SourceLines],
    /// The other files that differ.
    pub data: &'a [DataFile],
    /// Files of which lines are gone, and how many.
    pub removed: &'a [(String, usize)],
}

/// A file that is not Python: it can be read, not executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Relative to the tree.
    pub path: String,
    /// Whether it lies among source, where code that reads it can be tested.
    pub in_source: bool,
}

impl<'a> PassingSuite<'a> {
    pub(super) fn of(judge: Judge<'a>) -> Self {
        Self { judge }
    }

    /// The tests that pass, in this run and in the one that was watched.
    pub fn passing(&self, traced: &Observation) -> BTreeSet<String> {
        let passed = |observation: &Observation| -> BTreeSet<String> {
            let summaries = observation.report.as_ref().map(Report::summaries);
            let summaries = summaries.into_iter().flatten();
            summaries
                .filter(|summary| summary.ending == Ending::Passed)
                .map(|summary| summary.id.to_owned())
                .collect()
        };
        let (now, watched) = (passed(self.judge.suite.observation), passed(traced));
        now.intersection(&watched).cloned().collect()
    }

    /// The files of tests that hold in their process and not outside of it: they are to be judged blind again, and at
    /// the base.
    pub fn files_to_judge_again(&self, blind: Blind<'_>) -> Vec<&str> {
        self.judge.files_to_judge_again(blind)
    }

    /// The verdict. This is the one place that accepts a refactor.
    pub fn judge(mut self, seen: &ChangeSeen<'_>) -> Verdict {
        let passing = self.passing(seen.traced);
        self.judge.holds_blind(seen.blind, seen.blind_again);
        let findings = &mut self.judge.findings;
        let mut doubts = Findings::default();
        match seen.traced.complete() {
            Ok(report) => {
                findings.compare_runner(seen.traced, self.judge.suite.baseline);
                let lines = Lines {
                    trace: &report.trace,
                    passing: &passing,
                };
                lines.of_python(seen, findings, &mut doubts);
                lines.of_data(seen, findings, &mut doubts);
            }
            Err(problem) => {
                let message =
                    format!("which lines the tests execute could not be observed: {problem}");
                doubts.refuse(Rule::LinesUnverified, None, message.clone());
                findings.unverified(CheckName::ExecutedLines, message);
            }
        }
        for (path, lines) in seen.removed {
            let detail = format!("what {lines} lines did that are gone from {path}");
            findings.unverified(CheckName::RemovedLines, detail);
        }
        let suite = self.judge.suite;
        let mut verdict = self
            .judge
            .findings
            .conclude(suite.observation, suite.baseline);
        let doubts = doubts.verdict(Disposition::Escalate, None).reasons;
        if verdict.is_accepted() && !doubts.is_empty() {
            verdict.disposition = Disposition::Escalate;
        }
        verdict.reasons.extend(doubts);
        verdict
    }
}

/// The lines executed by tests that pass.
struct Lines<'a> {
    trace: &'a Trace,
    passing: &'a BTreeSet<String>,
}

impl Lines<'_> {
    /// Whether one of these is a test that passes, or the loading of a module.
    fn count(&self, tests: &BTreeSet<&str>) -> bool {
        let mut tests = tests.iter();
        tests.any(|test| test.is_empty() || self.passing.contains(*test))
    }

    fn of_python(&self, seen: &ChangeSeen<'_>, findings: &mut Findings, doubts: &mut Findings) {
        const CHECK: CheckName = CheckName::ExecutedLines;
        let (mut all, mut executed) = (0, 0);
        for source in seen.sources {
            if let Some(problem) = &source.error {
                let message = format!("cannot be read, so no test can execute it: {problem}");
                findings.refuse_at(Rule::UntestedChange, &source.path, None, message);
                continue;
            }
            let mut missed = BTreeSet::new();
            let mut wanted = BTreeSet::new();
            for needed in &source.needed {
                wanted.insert(needed.line);
                let tests = self.trace.tests_at(&source.path, &needed.seen_at);
                if !self.count(&tests) {
                    missed.insert(needed.line);
                }
            }
            all += wanted.len();
            executed += wanted.len() - missed.len();
            let Some(first) = missed.first().copied() else {
                continue;
            };
            let lines = ranges(&missed);
            if let Some(why) = self.trace.lost() {
                let message =
                    format!("whether a test executes {lines} could not be observed: {why}");
                doubts.refuse_at(Rule::LinesUnverified, &source.path, Some(first), message);
            } else {
                let message = format!("no test that passes executes {lines}");
                findings.refuse_at(Rule::UntestedChange, &source.path, Some(first), message);
            }
        }
        let detail = format!("{executed} of {all} changed lines are executed by tests that pass");
        if all == 0 {
            findings.not_applicable(CHECK, "no line was changed that could be executed");
        } else if executed == all {
            findings.held(CHECK, detail);
        } else if self.trace.lost().is_some() {
            findings.unverified(CHECK, detail);
        } else {
            findings.refused(CHECK, detail);
        }
    }

    fn of_data(&self, seen: &ChangeSeen<'_>, findings: &mut Findings, doubts: &mut Findings) {
        for file in seen.data {
            let path = &file.path;
            if is_compiled(path) {
                let message = "is compiled, so its code cannot be read; a person has to look";
                doubts.refuse_at(Rule::UnreadFile, path, None, message);
            } else if self.count(&self.trace.openers(path)) {
                findings.note(format!("{path} is read by tests that pass"));
            } else if file.in_source {
                let message = "lies among the source, and no test that passes reads it";
                findings.refuse_at(Rule::UntestedChange, path, None, message);
            } else {
                let message = "is read by no test, so nothing speaks for it; a person has to look";
                doubts.refuse_at(Rule::UnreadFile, path, None, message);
            }
        }
    }
}

/// Lines for people: `line 3`, `lines 3 to 5 and 9`.
fn ranges(lines: &BTreeSet<u32>) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => found.push((*line, *line)),
        }
    }
    let words: Vec<String> = found
        .iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!("{noun} {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::testing::{OLD, baseline, rules};
    use crate::gate::{Analysis, GreenSuite, IntactSeal, judge_suite};
    use crate::mutants::NeededLine;
    use crate::path::ProjectPath;
    use crate::test_outcome::testing::Run;

    fn source(lines: &[u32]) -> SourceLines {
        SourceLines {
            path: "app.py".to_owned(),
            needed: lines
                .iter()
                .map(|line| NeededLine {
                    line: *line,
                    seen_at: vec![i64::from(*line)],
                })
                .collect(),
            ..SourceLines::default()
        }
    }

    fn judge(traced: Run, lines: &[u32], data: &[DataFile]) -> Verdict {
        let observation = Run::default().passes(OLD).exits(0);
        let no_files: &[ProjectPath] = &[];
        let seal = IntactSeal::check::<Vec<u8>>(no_files, &[], &[]).unwrap();
        let baseline = baseline(&[OLD]);
        let (analysis, none) = (Analysis::default(), BTreeSet::new());
        let suite = judge_suite(&GreenSuite {
            observation: &observation,
            baseline: &baseline,
            seal: &seal,
            existing: &[],
            test_paths: &[],
            analysis: &analysis,
            passed_at_red: &none,
            failed_at_red: &none,
            listed_tests: &[],
        });
        let Ok(suite) = suite else {
            panic!("the suite passes")
        };
        let Ok(suite) = suite.settle_alone() else {
            panic!("the suite passes")
        };
        suite.judge(&ChangeSeen {
            blind: Blind::Impossible("this is not about it"),
            blind_again: None,
            traced: &traced.exits(0),
            sources: &[source(lines)],
            data,
            removed: &[],
        })
    }

    #[test]
    fn every_changed_line_is_executed_by_a_test_that_passes_or_by_loading() {
        let mut run = Run::default().passes(OLD);
        run.report.trace.executed(OLD, "app.py", [3]);
        run.report.trace.executed("", "app.py", [1]);
        run.report
            .trace
            .executed("tests/other.py::x", "app.py", [9]);
        assert!(judge(run.clone(), &[1, 3], &[]).is_accepted());
        let refused = judge(run, &[1, 3, 7, 8, 9], &[]);
        assert_eq!(rules(&refused), ["untested_change"]);
        let reason = &refused.reasons[0];
        assert_eq!(reason.line, Some(7));
        assert_eq!(reason.message, "no test that passes executes lines 7 to 9");
    }

    #[test]
    fn what_could_not_be_observed_is_for_a_person() {
        let mut run = Run::default().passes(OLD);
        run.report.trace.loses("the project took it over");
        let verdict = judge(run, &[3], &[]);
        assert_eq!(verdict.disposition(), Disposition::Escalate);
        assert_eq!(rules(&verdict), ["lines_unverified"]);
    }

    #[test]
    fn data_has_to_be_read() {
        let file = |path: &str, in_source| DataFile {
            path: path.to_owned(),
            in_source,
        };
        let mut run = Run::default().passes(OLD);
        run.report.trace.opens(OLD, "app/a.json");
        let run = || run.clone();
        assert!(judge(run(), &[], &[file("app/a.json", true)]).is_accepted());
        let refused = judge(run(), &[], &[file("app/b.json", true)]);
        assert_eq!(refused.disposition(), Disposition::Revise);
        let asked = judge(run(), &[], &[file("Makefile", false)]);
        assert_eq!(asked.disposition(), Disposition::Escalate);
        assert_eq!(rules(&asked), ["unread_file"]);
        let mut run = run();
        run.report.trace.opens(OLD, "app/a.pyc");
        let compiled = judge(run, &[], &[file("app/a.pyc", true)]);
        assert_eq!(compiled.disposition(), Disposition::Escalate);
    }
}
