//! The green gate's rules, one row each.

use super::testing::{A, NEW, OLD, assert_accepted, baseline, judge_green, rules};
use super::{Analysis, Baseline, Disposition, Verdict, WithoutChange};
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Ending, Exit, Observation, Outcome, Phase, Raised, SkippedFile};

fn judge(observation: &Observation, baseline: &Baseline) -> Verdict {
    let analysis = Analysis::default();
    judge_green(
        observation,
        baseline,
        &analysis,
        &[],
        WithoutChange::SeenAtRed,
    )
}

fn good() -> Run {
    Run::default().passes(A).passes(OLD)
}

/// The same without the test of the base commit.
fn without_old() -> Run {
    Run::default().passes(A)
}

fn failing() -> Raised {
    raised(&["AssertionError"], "assert 1 == 2", NEW)
}

#[test]
fn everything_passing_is_accepted() {
    let verdict = judge(&good().exits(0), &baseline(&[OLD]));
    assert_accepted(&verdict);
    assert_eq!(verdict.tests.len(), 1);
    assert_eq!(verdict.tests[0].outcome.as_str(), "passed");
}

#[test]
fn anything_less_goes_back() {
    let old = || Run::default().passes(OLD);
    let mut deselected = old();
    deselected.report.deselected.push(A.to_owned());
    let mut skipped_file = old();
    skipped_file.report.skipped_files.push(SkippedFile {
        file: NEW.to_owned(),
        reason: "no".to_owned(),
    });
    let table = [
        (old().fails(A, failing()), 1, "test_fails"),
        (
            old().ends(A, Phase::Setup, Outcome::Failed, Some(failing())),
            1,
            "test_fails",
        ),
        (
            old().ends(A, Phase::Teardown, Outcome::Failed, Some(failing())),
            1,
            "test_fails",
        ),
        (
            old().ends(A, Phase::Call, Outcome::Skipped, None),
            0,
            "skipped",
        ),
        (
            old().ends(A, Phase::Call, Outcome::Xfailed, None),
            0,
            "xfail",
        ),
        (
            old().ends(A, Phase::Call, Outcome::Xpassed, None),
            0,
            "xfail",
        ),
        (old().collected_only(A), 0, "not_run"),
        (
            old().collection_error(NEW, failing()),
            1,
            "collection_error",
        ),
        (old(), 0, "nothing_collected"),
        (deselected, 0, "deselected"),
        (skipped_file, 0, "skipped"),
        (
            good().passes("tests/test_extra.py::x"),
            0,
            "unexpected_test",
        ),
        (
            good().collection_error("tests/test_other.py", failing()),
            1,
            "collection_error",
        ),
        (Run::default().passes(A), 0, "baseline_missing"),
        (
            Run::default().passes(A).fails(OLD, failing()),
            1,
            "baseline_broken",
        ),
        (good(), 1, "records_disagree"),
        (good(), 6, "records_disagree"),
    ];
    for (run, code, rule) in table {
        let verdict = judge(&run.exits(code), &baseline(&[OLD]));
        assert_eq!(verdict.disposition(), Disposition::Revise, "{rule}");
        assert_eq!(rules(&verdict), [rule]);
    }
}

#[test]
fn old_failures_do_not_block_and_are_noted() {
    let mut before = baseline(&[OLD]);
    let bad = "tests/test_old.py::bad".to_owned();
    before.tests.insert(bad, Ending::Failed.into());
    before.uncollectable = ["tests/test_broken.py".to_owned()].into();
    let run = good()
        .fails("tests/test_old.py::bad", failing())
        .collection_error("tests/test_broken.py", failing());
    let verdict = judge(&run.exits(1), &before);
    assert_accepted(&verdict);
    assert!(
        verdict.notes[0].contains("fail still"),
        "{:?}",
        verdict.notes
    );
}

#[test]
fn a_renumbered_case_of_a_known_function_is_no_unexpected_test() {
    let before = baseline(&["tests/test_old.py::p[a0]"]);
    let run = || Run::default().passes(A);
    let verdict = judge(&run().passes("tests/test_old.py::p[a1]").exits(0), &before);
    assert_accepted(&verdict);
    let verdict = judge(
        &run().fails("tests/test_old.py::p[a1]", failing()).exits(1),
        &before,
    );
    assert_eq!(rules(&verdict), ["test_fails"]);
}

#[test]
fn an_example_in_the_changes_documentation_is_no_unexpected_test() {
    let examples = [
        "src/shop/__init__.py::shop.total",
        "first.py::first",
        "docs/usage.rst::usage.rst",
    ];
    for id in examples {
        let verdict = judge(&good().passes(id).exits(0), &baseline(&[OLD]));
        assert_eq!(verdict.disposition(), Disposition::Accepted, "{id}");
        assert!(verdict.notes[0].contains(id), "{:?}", verdict.notes);
        let verdict = judge(&good().fails(id, failing()).exits(1), &baseline(&[OLD]));
        assert_eq!(rules(&verdict), ["test_fails"], "{id}");
    }
    for id in [
        "src/shop/checks.py::test_total",
        "src/shop/checks.py::test_total[a.b]",
        "src/shop/checks.py::TestShop::test_total",
    ] {
        let verdict = judge(&good().passes(id).exits(0), &baseline(&[OLD]));
        assert_eq!(rules(&verdict), ["unexpected_test"], "{id}");
    }
}

#[test]
fn needing_a_second_attempt_is_noted() {
    let mut run = Run::default().ends(A, Phase::Call, Outcome::Rerun, Some(failing()));
    let mut again = Run::default().passes(A).report.records;
    for record in &mut again {
        record.attempt = 2;
    }
    run.report.records.extend(again);
    let verdict = judge(&run.passes(OLD).exits(0), &baseline(&[OLD]));
    assert_eq!(verdict.disposition(), Disposition::Accepted);
    assert!(
        verdict.notes[0].contains("attempt 2"),
        "{:?}",
        verdict.notes
    );
}

#[test]
fn no_report_is_never_green() {
    for code in 0..=7 {
        let verdict = judge(&Run::without_report(Exit::Code(code)), &baseline(&[OLD]));
        let expected = if code == 2 || code == 3 {
            Disposition::Escalate
        } else {
            Disposition::Revise
        };
        assert_eq!(verdict.disposition(), expected, "exit code {code}");
        assert_eq!(verdict.reasons.len(), 1);
    }
    for exit in [Exit::TimedOut, Exit::Signal(9)] {
        let verdict = judge(&Run::without_report(exit), &baseline(&[OLD]));
        assert_eq!(verdict.disposition(), Disposition::Revise);
        assert_eq!(verdict.exit_code, None);
    }
}

#[test]
fn what_the_base_commit_left_out_must_not_fail_now() {
    let said = || raised(&[], "why", "tests/test_old.py");
    let ends = |phase, outcome| without_old().ends(OLD, phase, outcome, Some(said()));
    let (failed, passed) = (
        || ends(Phase::Call, Outcome::Failed),
        || without_old().passes(OLD),
    );
    let skipped = || ends(Phase::Setup, Outcome::Skipped);
    let xfailed = || ends(Phase::Call, Outcome::Xfailed);
    // The runner says why only where the mark is strict.
    let strict = || ends(Phase::Call, Outcome::Xpassed);
    let table: [(Ending, Run, i32, Option<&str>); 13] = [
        (Ending::Skipped, failed(), 1, Some("baseline_broken")),
        (Ending::Xfailed, failed(), 1, Some("baseline_broken")),
        (Ending::Deselected, failed(), 1, Some("baseline_broken")),
        (Ending::NotRun, failed(), 1, Some("baseline_broken")),
        (Ending::Passed, skipped(), 0, Some("baseline_broken")),
        (Ending::Passed, xfailed(), 0, Some("baseline_broken")),
        (Ending::Xfailed, strict(), 1, Some("xfail")),
        (Ending::Xpassed, strict(), 1, None),
        (Ending::Skipped, skipped(), 0, None),
        (Ending::Skipped, passed(), 0, None),
        (Ending::Xfailed, xfailed(), 0, None),
        (Ending::Failed, failed(), 1, None),
        (Ending::Failed, passed(), 0, None),
    ];
    for (then, run, code, rule) in table {
        let mut before = Baseline::default();
        before.tests.insert(OLD.to_owned(), then.into());
        let verdict = judge(&run.exits(code), &before);
        assert_eq!(
            rules(&verdict).first().copied(),
            rule,
            "{then}: {verdict:?}"
        );
        if rule.is_some() {
            let line = verdict.tests.iter().find(|test| test.id == OLD);
            assert_eq!(line.and_then(|line| line.base_outcome), Some(then));
        }
    }
}

#[test]
fn a_part_that_is_skipped_now_and_was_not_is_a_broken_test() {
    let said = |reason: &str| raised(&[], reason, "tests/test_old.py");
    let run = |reasons: &[&str]| {
        let passing = without_old().passes(OLD);
        let parts = reasons.iter();
        parts.fold(passing, |run, reason| {
            run.part(Outcome::Skipped, said(reason))
        })
    };
    let mut before = Baseline::from_observation(&run(&["two"]).exits(0)).expect("a baseline");
    before.tests.remove(A);
    for (parts, rule) in [
        (&["two"][..], None),
        (&[], None),
        (&["three"], Some("baseline_broken")),
        (&["two", "two"], Some("baseline_broken")),
    ] {
        let verdict = judge(&run(parts).exits(0), &before);
        assert_eq!(rules(&verdict).first().copied(), rule, "{parts:?}");
    }
    // A test that the base does not have holds as a whole.
    let new = Run::default().passes(OLD).passes(A);
    let new = new.part(Outcome::Skipped, said("two"));
    assert_eq!(rules(&judge(&new.exits(0), &before)), ["skipped"]);
}

#[test]
fn a_failure_that_lies_in_the_test_sends_the_tests_back() {
    let old = || Run::default().passes(OLD);
    let wrong_call = |owner: Option<&str>, path: Option<&str>| Raised {
        owner: owner.map(str::to_owned),
        owner_path: path.map(str::to_owned),
        ..raised(&["TypeError"], "f() takes 1 positional argument", NEW)
    };
    let undefined = |message: &str, path: &str| raised(&["NameError"], message, path);
    let missing_fixture = raised(&["_pytest.fixtures.FixtureLookupError"], "fixture 'x'", NEW);
    let set_up = |raised| old().ends(A, Phase::Setup, Outcome::Failed, Some(raised));
    let name = "name 'x' is not defined";
    let table = [
        (old().fails(A, undefined(name, NEW)), Some("name_error")),
        (
            set_up(undefined(name, "tests/conftest.py")),
            Some("name_error"),
        ),
        (
            old().collection_error(NEW, undefined(name, NEW)),
            Some("name_error"),
        ),
        (set_up(missing_fixture), Some("fixture_missing")),
        (
            set_up(raised(&["KeyError"], "'x'", NEW)),
            Some("fixture_error"),
        ),
        (
            old().fails(A, wrong_call(Some("f"), None)),
            Some("wrong_call"),
        ),
        (
            old().fails(A, wrong_call(Some("f"), Some(NEW))),
            Some("wrong_call"),
        ),
        // Its honest neighbours: the code may do something about these.
        (old().fails(A, undefined(name, "app/new.py")), None),
        (
            old().fails(A, undefined("cannot access local variable 'x'", NEW)),
            None,
        ),
        (set_up(failing()), None),
        (set_up(raised(&["KeyError"], "'x'", "app/new.py")), None),
        (old().fails(A, raised(&["KeyError"], "'x'", NEW)), None),
        (old().fails(A, wrong_call(None, None)), None),
        (
            old().fails(A, wrong_call(Some("f"), Some("app/new.py"))),
            None,
        ),
        (
            old().fails(
                A,
                raised(&["ModuleNotFoundError"], "No module named 'x'", NEW),
            ),
            None,
        ),
    ];
    for (run, rule) in table {
        let verdict = judge(&run.clone().exits(1), &baseline(&[OLD]));
        let expected = match rule {
            Some(rule) => {
                assert_eq!(rules(&verdict), [rule], "{run:?}");
                Disposition::Reopen
            }
            None => Disposition::Revise,
        };
        assert_eq!(verdict.disposition(), expected, "{run:?}");
    }
}

#[test]
fn an_uncaught_error_goes_back_unless_the_base_has_it() {
    let with_error = || {
        let mut run = good();
        run.report.unhandled.push(failing());
        run.exits(1)
    };
    let base = baseline(&[OLD]);
    assert_eq!(rules(&judge(&with_error(), &base)), ["unhandled_error"]);
    let mut same = Run::default().passes(OLD);
    same.report.unhandled.push(failing());
    let same = Baseline::from_observation(&same.exits(1)).expect("can be judged");
    assert_accepted(&judge(&with_error(), &same));
}
