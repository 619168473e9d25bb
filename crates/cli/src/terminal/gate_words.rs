//! A gate's observations, counted and put into words.

use proctor_core::gate::{Baseline, Reason, TestLine, Verdict};
use proctor_core::mutants::MutantReport;
use proctor_core::test_outcome::Ending;

use super::text::{counted, phrase};

/// The two gates that run tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// New tests have to fail.
    Red,
    /// Everything has to pass.
    Green,
}

/// New tests by their outcome and, where the baseline is known, the earlier ones; empty if the
/// verdict names no test.
pub(super) fn counts(gate: Gate, verdict: &Verdict, baseline: Option<&Baseline>) -> String {
    if verdict.tests.is_empty() {
        return String::new();
    }
    let is_earlier = |test: &&TestLine| baseline.is_some_and(|it| it.contains(&test.id));
    let (earlier, new): (Vec<&TestLine>, Vec<&TestLine>) =
        verdict.tests.iter().partition(is_earlier);
    // A file that cannot be loaded is in the list under its own name.
    let (tests, files): (Vec<&TestLine>, Vec<&TestLine>) =
        new.into_iter().partition(|test| test.id.contains("::"));
    let count = |outcomes: &[Ending]| {
        tests
            .iter()
            .filter(|test| outcomes.contains(&test.outcome))
            .count()
    };
    let (failing, passing) = (
        count(&[Ending::Failed, Ending::Error]),
        count(&[Ending::Passed]),
    );
    let others = tests.len() - failing - passing;
    let mut parts = Vec::new();
    let mut say = |number: usize, noun: &str, one: &str, many: &str| {
        if number > 0 {
            let verb = if number == 1 { one } else { many };
            parts.push(format!("{} {verb}", counted(number, noun)));
        }
    };
    say(failing, "new test", "fails", "fail");
    match gate {
        Gate::Red => {
            let (one, many) = ("cannot be loaded yet", "cannot be loaded yet");
            say(files.len(), "new test file", one, many);
            say(passing, "new test", "passes already", "pass already");
        }
        Gate::Green => {
            let (one, many) = ("cannot be loaded", "cannot be loaded");
            say(files.len(), "test file", one, many);
            say(passing, "new test", "passes", "pass");
        }
    }
    say(others, "new test", "was not run", "were not run");
    let broken = earlier
        .iter()
        .filter(|test| test.outcome != Ending::Passed)
        .count();
    let (one, many) = ("no longer passes", "no longer pass");
    say(broken, "earlier test", one, many);
    let unseen = |id: &str| {
        files
            .iter()
            .any(|file| id.starts_with(&format!("{}::", file.id)))
    };
    let passed_before = baseline.map_or(0, |it| it.passed().filter(|id| !unseen(id)).count());
    let kept = passed_before.saturating_sub(broken);
    say(kept, "earlier test", "still passes", "still pass");
    parts.join(", ")
}

/// The mutants' result: how many were noticed, and which were not.
pub(crate) fn mutant_lines(report: Option<&MutantReport>) -> Vec<String> {
    let Some(report) = report else {
        return Vec::new();
    };
    let survivors = report.survived.iter();
    let survivors = survivors.map(|survivor| format!("  not noticed: {survivor}"));
    std::iter::once(report.to_string())
        .chain(survivors)
        .collect()
}

/// One reason as one line.
pub(super) fn reason(reason: &Reason) -> String {
    match &reason.test {
        Some(test) if !reason.message.contains(test.as_str()) => {
            phrase(&format!("{test}: {}", reason.message))
        }
        _ => phrase(&reason.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::sample::verdict;

    fn baseline(passed: &[&str]) -> Baseline {
        let passed = passed.iter();
        passed
            .map(|id| ((*id).to_owned(), Ending::Passed))
            .collect()
    }

    #[test]
    fn red_counts_what_fails_and_what_still_passes() {
        let verdict = verdict(&[("t.py::a", "failed"), ("t.py::b", "passed")], &[]);
        assert_eq!(
            counts(
                Gate::Red,
                &verdict,
                Some(&baseline(&["o.py::x", "o.py::y"]))
            ),
            "1 new test fails, 1 new test passes already, 2 earlier tests still pass"
        );
    }

    #[test]
    fn tests_in_a_file_that_cannot_be_loaded_are_not_said_to_pass() {
        let verdict = verdict(&[("t.py", "error")], &[]);
        assert_eq!(
            counts(
                Gate::Red,
                &verdict,
                Some(&baseline(&["t.py::old", "o.py::x"]))
            ),
            "1 new test file cannot be loaded yet, 1 earlier test still passes"
        );
    }

    #[test]
    fn green_counts_what_broke() {
        let verdict = verdict(&[("t.py::a", "passed"), ("o.py::x", "failed")], &[]);
        assert_eq!(
            counts(Gate::Green, &verdict, Some(&baseline(&["o.py::x"]))),
            "1 new test passes, 1 earlier test no longer passes"
        );
    }

    #[test]
    fn without_tests_nothing_is_claimed() {
        let verdict = verdict(&[], &[]);
        assert_eq!(counts(Gate::Green, &verdict, Some(&baseline(&["a"]))), "");
    }
}
