//! The suite compared with the base commit: tests that passed have to pass, and skipped tests are told apart.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::{BaseTest, LeftOut, left_over};
use super::cause::first_line;
use super::findings::Findings;
use super::rerun::Doubt;
use super::{Analysis, Baseline, Rule};
use crate::test_outcome::{Ending, Report, Summary, file_of, function_of};

impl Findings {
    /// Every test that passed at the base commit has to be there and pass; none may fail that did not fail there.
    ///
    /// `uncollected` are files whose tests may be missing because the new code does not exist yet. Tests that were
    /// changed are judged as new ones.
    pub(super) fn compare_with_baseline(
        &mut self,
        report: &Report,
        summaries: &[Summary<'_>],
        baseline: &Baseline,
        uncollected: &BTreeSet<&str>,
        is_changed: impl Fn(&str) -> bool,
    ) {
        let now: BTreeMap<&str, &Summary<'_>> = summaries
            .iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let cases_now = cases(now.keys().copied());
        let cases_then = cases(baseline.ids());
        let unchanged = baseline.tests.iter();
        for (id, then) in unchanged.filter(|(id, _)| !is_changed(id)) {
            if let Some(summary) = now.get(id.as_str()) {
                self.compare_test(summary, then);
                continue;
            }
            if then.ending != Ending::Passed || uncollected.contains(file_of(id)) {
                continue;
            }
            let function = function_of(id);
            if function != id && cases_now.get(function) >= cases_then.get(function) {
                self.note(format!(
                    "{id} is gone, but {function} has as many cases as before"
                ));
            } else {
                self.missing_from_baseline(id, report);
            }
        }
    }

    fn compare_test(&mut self, summary: &Summary<'_>, then: &BaseTest) {
        let (id, ending) = (summary.id, summary.ending);
        let was = ended(then.ending);
        let seen = summary.raised.map_or_else(String::new, |(_, raised)| {
            format!(": {}", first_line(raised))
        });
        let (rule, message) = match (then.ending, ending) {
            // A test that fails at the base is not the change's fault, whatever its outcome.
            (Ending::Failed | Ending::Error, _) => return,
            (Ending::Passed, Ending::Passed) => {
                let Some(reason) = left_over(&summary.excuses, &then.excuses) else {
                    return;
                };
                let message =
                    format!("{was}, and a part of it does not have to hold now ({reason})");
                (Rule::BaselineBroken, message)
            }
            (Ending::Passed, Ending::Failed | Ending::Error) => {
                return self.doubt(Doubt {
                    id: id.to_owned(),
                    ending,
                    message: format!("{was} and is {ending} now{seen}"),
                });
            }
            (Ending::Passed, _) => {
                let message = format!("{was} and is {ending} now{seen}");
                (Rule::BaselineBroken, message)
            }
            (_, Ending::Failed | Ending::Error) => {
                (Rule::BaselineBroken, format!("{was} and fails now{seen}"))
            }
            (then, Ending::Xpassed) if summary.is_failure() && then != Ending::Xpassed => {
                let message = format!(
                    "{was} and passes now, which its strict mark makes a failure; take the mark away"
                );
                (Rule::Xfail, message)
            }
            _ => return,
        };
        self.test(id, ending, was);
        self.refuse(rule, Some(id), message);
    }

    fn missing_from_baseline(&mut self, id: &str, report: &Report) {
        let deselected = report.deselected.iter().any(|other| other == id);
        let (ending, message) = if deselected {
            let message = "ran at the base commit and is deselected now";
            (Ending::Deselected, message)
        } else if report.errors.iter().any(|error| error.file == file_of(id)) {
            let message = "passed at the base commit and its file can no longer be collected";
            (Ending::NotRun, message)
        } else {
            let message = "passed at the base commit and is gone now; existing tests have to stay";
            (Ending::NotRun, message)
        };
        self.test(id, ending, ended(Ending::Passed));
        self.refuse(Rule::BaselineMissing, Some(id), message);
    }

    /// Whether a new or changed test needs no further look: it is skipped as at the base commit, or it skips more of
    /// itself than there, which is refused.
    pub(super) fn leaves_itself_out(&mut self, summary: &Summary<'_>, baseline: &Baseline) -> bool {
        let (id, ending) = (summary.id, summary.ending);
        match baseline.left_out(summary) {
            LeftOut::AsAtBase => {
                let reason = format!("is {ending} for the same reason as at the base commit");
                self.note(format!("{id} {reason}; it says nothing about the change"));
                self.test(id, ending, reason);
                true
            }
            LeftOut::More(reason) if ending == Ending::Passed => {
                let message = format!(
                    "a part of it does not have to hold ({reason}); a new test has to hold as a whole"
                );
                let rule = if reason.starts_with(Ending::Skipped.as_str()) {
                    Rule::Skipped
                } else {
                    Rule::Xfail
                };
                self.test(id, ending, message.clone());
                self.refuse(rule, Some(id), message);
                true
            }
            LeftOut::More(_) | LeftOut::Nothing => false,
        }
    }

    /// Tests that were collected and not run. The options are the base commit's own while a tree is judged: tests that
    /// they deselect there are not the change's doing, nor is a new test that they deselect like others before. Such a
    /// test counts for nothing.
    pub(super) fn deselected(
        &mut self,
        report: &Report,
        baseline: &Baseline,
        analysis: &Analysis,
        is_written: impl Fn(&str) -> bool,
    ) {
        let base_deselects = baseline.ending_as(Ending::Deselected).next().is_some();
        let (mut left_out, mut new) = (0, 0);
        for id in &report.deselected {
            let message = match baseline.outcome(id) {
                Some(Ending::Deselected) => {
                    left_out += 1;
                    continue;
                }
                Some(_) if analysis.is_changed(id) => {
                    "ran at the base commit and is deselected now"
                }
                // Missed by the comparison with the baseline.
                Some(_) => continue,
                None if !is_written(file_of(id)) => continue,
                None if base_deselects => {
                    new += 1;
                    self.test(id, Ending::Deselected, NOT_RUN);
                    continue;
                }
                None => "is deselected; a new test has to run",
            };
            self.test(id, Ending::Deselected, Rule::Deselected);
            self.refuse(Rule::Deselected, Some(id), message);
        }
        if left_out > 0 {
            self.note(format!(
                "tests that the project's own options deselect, here and at the base: {left_out}"
            ));
        }
        if new > 0 {
            self.note(format!("new tests that are {NOT_RUN}: {new}"));
        }
    }

    /// Whether a file is skipped as a whole for the reason that it gave at the base commit.
    pub(super) fn is_skipped_as_at_base(
        &mut self,
        file: &str,
        reason: &str,
        baseline: &Baseline,
    ) -> bool {
        let same = baseline.skipped_files.get(file).map(String::as_str) == Some(reason);
        if same {
            self.test(file, Ending::Skipped, "skipped as at the base commit");
            self.note(format!(
                "{file} is skipped as a whole, as at the base commit ({reason}); its tests are not judged"
            ));
        }
        same
    }
}

const NOT_RUN: &str = "not run, because the project's own options deselect them";

/// A test's outcome at the base commit, in words.
fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::Passed => "passed at the base commit",
        Ending::Failed => "failed at the base commit",
        Ending::Error => "could not be set up or taken down at the base commit",
        Ending::Skipped => "was skipped at the base commit",
        Ending::Xfailed => "failed at the base commit as expected",
        Ending::Xpassed => "passed at the base commit against its mark",
        Ending::Deselected => "was deselected at the base commit",
        Ending::NotRun => "was not run to its end at the base commit",
    }
}

fn cases<'a>(ids: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut cases = BTreeMap::new();
    for id in ids {
        *cases.entry(function_of(id)).or_default() += 1;
    }
    cases
}
