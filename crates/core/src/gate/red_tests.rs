//! The red gate's rules, one row each.

use super::testing::{A, B, NEW, OLD, assert_accepted, baseline, rules};
use super::{
    Analysis, Baseline, Disposition, RedRule, RedScope, RedSuite, StubRuns, Verdict, judge_scaffold,
};
use crate::dialect::Declared;
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Ending, Exit, Observation, Outcome, Phase, Raised, SkippedFile};

fn judge(observation: &Observation, baseline: &Baseline) -> Verdict {
    judge_within(observation, baseline, RedScope::Suite)
}

fn judge_within(observation: &Observation, baseline: &Baseline, scope: RedScope) -> Verdict {
    let declared =
        Declared::from_paths(&["app/new.py".to_owned(), "src/pkg/__init__.py".to_owned()]);
    let test_files = [NEW.to_owned(), "tests/conftest.py".to_owned()];
    let analysis = Analysis::default();
    let suite = judge_scaffold(&RedSuite {
        observation,
        baseline,
        scope,
        test_files: &test_files,
        existing: &[],
        test_paths: &[],
        declared: &declared,
        analysis: &analysis,
        rule: RedRule::Any,
    });
    // Tests that wait for code can be collected with stubs, and fail there.
    let stub = raised(&["Stub", "Exception"], "proctor: f is a stub", "app/new.py");
    let stubbed = Run::default().fails(B, stub).exits(1);
    suite.map_or_else(
        |refused| refused,
        |suite| {
            let suite = suite.settle();
            let suite = if suite.needs_stubs() {
                suite.with_stubs(StubRuns {
                    raising: &stubbed,
                    answering: &stubbed,
                })
            } else {
                suite
            };
            suite.judge(&[])
        },
    )
}

fn missing(module: &str) -> Raised {
    Raised {
        missing_module: Some(module.to_owned()),
        ..raised(&["ModuleNotFoundError", "ImportError"], "no module", NEW)
    }
}

fn lacks(class: &str, owner: &str, path: Option<&str>, is_module: bool) -> Raised {
    Raised {
        owner: Some(owner.to_owned()),
        owner_path: path.map(str::to_owned),
        owner_is_module: is_module,
        ..raised(&[class], "cannot import name 'x'", NEW)
    }
}

/// The raised error, and the rule that refuses it; none if it is a good red.
fn causes() -> Vec<(Raised, Option<&'static str>)> {
    vec![
        (raised(&["AssertionError"], "assert 1 == 2", NEW), None),
        (
            raised(&["Failed"], "DID NOT RAISE <class 'ValueError'>", NEW),
            None,
        ),
        (raised(&["Failed"], "", NEW), Some("bare_fail")),
        (raised(&["NotImplementedError"], "", "app/core.py"), None),
        (
            raised(&["TypeError"], "unexpected keyword argument", NEW),
            None,
        ),
        (raised(&["KeyError"], "'x'", NEW), None),
        (
            raised(&["NameError"], "name 'x' is not defined", NEW),
            Some("name_error"),
        ),
        (
            raised(&["NameError"], "name 'x' is not defined", "app/core.py"),
            None,
        ),
        (
            raised(&["UnboundLocalError", "NameError"], "x", NEW),
            Some("name_error"),
        ),
        (
            raised(&["SyntaxError"], "invalid syntax", NEW),
            Some("syntax_error"),
        ),
        (
            raised(&["IndentationError", "SyntaxError"], "x", NEW),
            Some("syntax_error"),
        ),
        (
            raised(&["SyntaxError"], "invalid syntax", "app/core.py"),
            None,
        ),
        (missing("app.new"), None),
        (missing("app"), None),
        (missing("pkg"), None),
        (missing("requests"), Some("undeclared_import")),
        (missing("app.other"), Some("undeclared_import")),
        (
            lacks("ImportError", "app.core", Some("app/core.py"), true),
            None,
        ),
        (lacks("ImportError", "pkg", None, true), None),
        (
            lacks("ImportError", "json", None, true),
            Some("undeclared_import"),
        ),
        (
            lacks(
                "ImportError",
                "tests.helpers",
                Some("tests/helpers.py"),
                true,
            ),
            Some("undeclared_import"),
        ),
        (
            lacks("AttributeError", "app.core", Some("app/core.py"), true),
            None,
        ),
        (
            lacks(
                "AttributeError",
                "app.core.Thing",
                Some("app/core.py"),
                false,
            ),
            None,
        ),
        (
            lacks("AttributeError", "math", None, true),
            Some("missing_attribute"),
        ),
        (lacks("AttributeError", "NoneType", None, false), None),
    ]
}

#[test]
fn a_failure_counts_if_an_implementation_removes_it() {
    for (raised, rule) in causes() {
        let seen = format!("{raised:?}");
        let verdict = judge(
            &Run::default().fails(A, raised).exits(1),
            &Baseline::default(),
        );
        assert_eq!(rules(&verdict).first().copied(), rule, "{seen}");
        assert_eq!(verdict.tests.len(), 1, "{seen}");
    }
}

#[test]
fn a_file_that_cannot_be_collected_is_judged_by_the_same_question() {
    let table = [
        (missing("app.new"), None),
        (missing("nowhere"), Some("undeclared_import")),
        (
            lacks("ImportError", "app.core", Some("app/core.py"), true),
            None,
        ),
        (
            raised(&["SyntaxError"], "invalid syntax", NEW),
            Some("syntax_error"),
        ),
        (
            raised(&["NameError"], "name 'x' is not defined", NEW),
            Some("name_error"),
        ),
        (raised(&["ValueError"], "no", NEW), Some("collection_error")),
        (
            raised(&["Failed"], "duplicate parametrization", NEW),
            Some("collection_error"),
        ),
        (raised(&["RuntimeError"], "bug", "app/core.py"), None),
    ];
    for (raised, rule) in table {
        let seen = format!("{raised:?}");
        let run = Run::default().passes(OLD).collection_error(NEW, raised);
        let verdict = judge(&run.exits(1), &baseline(&[OLD]));
        assert_eq!(rules(&verdict).first().copied(), rule, "{seen}");
        assert_eq!(
            (
                verdict.tests[0].id.as_str(),
                verdict.tests[0].outcome.as_str()
            ),
            (NEW, "error")
        );
    }
}

#[test]
fn set_up_may_fail_only_for_what_is_missing() {
    let missing_fixture = "_pytest.fixtures.FixtureLookupError";
    let table = [
        (
            raised(&["ValueError"], "no", "tests/conftest.py"),
            Some("fixture_error"),
        ),
        (
            raised(&["AssertionError"], "no", NEW),
            Some("fixture_error"),
        ),
        (
            raised(
                &[missing_fixture, "LookupError"],
                "fixture 'x' not found",
                NEW,
            ),
            Some("fixture_missing"),
        ),
        (missing("app.new"), None),
        (missing("nowhere"), Some("undeclared_import")),
        (raised(&["RuntimeError"], "bug", "app/core.py"), None),
    ];
    for (raised, rule) in table {
        for phase in [Phase::Setup, Phase::Teardown] {
            let seen = format!("{phase:?} {raised:?}");
            let run = Run::default().ends(A, phase, Outcome::Failed, Some(raised.clone()));
            let verdict = judge(&run.exits(1), &Baseline::default());
            assert_eq!(rules(&verdict).first().copied(), rule, "{seen}");
            assert_eq!(verdict.tests[0].outcome.as_str(), "error", "{seen}");
        }
    }
}

#[test]
fn a_new_test_that_is_not_run_plainly_is_refused_even_beside_a_failing_one() {
    let good = || Run::default().fails(A, raised(&["AssertionError"], "no", NEW));
    let mut deselected = good();
    deselected.report.deselected.push(B.to_owned());
    let mut skipped_file = good();
    skipped_file.report.skipped_files.push(SkippedFile {
        file: "tests/conftest.py".to_owned(),
        reason: "no".to_owned(),
    });
    let table = [
        (
            good().ends(B, Phase::Setup, Outcome::Skipped, None),
            "skipped",
        ),
        (
            good().ends(B, Phase::Call, Outcome::Skipped, None),
            "skipped",
        ),
        (good().ends(B, Phase::Call, Outcome::Xfailed, None), "xfail"),
        (good().ends(B, Phase::Call, Outcome::Xpassed, None), "xfail"),
        (good().collected_only(B), "not_run"),
        (deselected, "deselected"),
        (skipped_file, "skipped"),
    ];
    for (run, rule) in table {
        let verdict = judge(&run.exits(1), &Baseline::default());
        assert_eq!(rules(&verdict), [rule]);
        assert_eq!(verdict.disposition(), Disposition::Revise);
    }
}

#[test]
fn doubts_are_accepted_and_noted() {
    let verdict = judge(
        &Run::default()
            .fails(A, raised(&["KeyError"], "'x'", NEW))
            .exits(1),
        &Baseline::default(),
    );
    assert_eq!(verdict.disposition(), Disposition::Accepted);
    assert!(verdict.notes[0].contains("in doubt"), "{:?}", verdict.notes);
}

#[test]
fn a_scaffold_in_which_nothing_fails_is_refused() {
    let verdict = judge(&Run::default().passes(A).exits(0), &Baseline::default());
    assert_eq!(rules(&verdict), ["nothing_fails"]);
    let verdict = judge(&Run::default().exits(5), &Baseline::default());
    assert_eq!(rules(&verdict), ["nothing_collected"]);
    let verdict = judge(&Run::default().passes(OLD).exits(0), &baseline(&[OLD]));
    assert_eq!(rules(&verdict), ["nothing_collected"]);
}

#[test]
fn what_passed_at_the_base_commit_still_has_to() {
    let failing = || raised(&["AssertionError"], "no", NEW);
    let good = || Run::default().fails(A, failing());
    let mut deselected = good();
    deselected.report.deselected.push(OLD.to_owned());
    let table = [
        (good().passes(OLD), None),
        (good().fails(OLD, failing()), Some("baseline_broken")),
        (
            good().ends(OLD, Phase::Call, Outcome::Skipped, None),
            Some("baseline_broken"),
        ),
        (good(), Some("baseline_missing")),
        (deselected, Some("baseline_missing")),
        (
            good().collection_error("tests/test_old.py", failing()),
            Some("baseline_missing"),
        ),
    ];
    for (run, rule) in table {
        let verdict = judge(&run.exits(1), &baseline(&[OLD]));
        assert_eq!(rules(&verdict).first().copied(), rule);
    }
}

#[test]
fn what_failed_at_the_base_commit_does_not_block() {
    let failing = || raised(&["AssertionError"], "no", NEW);
    let before = Baseline {
        tests: [(OLD.to_owned(), Ending::Failed.into())].into(),
        uncollectable: ["tests/test_broken.py".to_owned()].into(),
        ..Baseline::default()
    };
    let run = Run::default()
        .fails(A, failing())
        .fails(OLD, failing())
        .collection_error("tests/test_broken.py", failing());
    assert_eq!(
        judge(&run.exits(1), &before).disposition,
        Disposition::Accepted
    );
}

#[test]
fn old_tests_of_a_file_that_waits_for_the_implementation_are_excused() {
    let run = Run::default().collection_error(NEW, missing("app.new"));
    let verdict = judge(&run.exits(1), &baseline(&[A]));
    assert_accepted(&verdict);
    assert!(
        verdict.notes[0].contains("1 earlier tests"),
        "{:?}",
        verdict.notes
    );
}

#[test]
fn renumbered_cases_of_a_known_function_are_no_loss() {
    let failing = raised(&["AssertionError"], "no", NEW);
    let run = Run::default()
        .fails(A, failing)
        .passes("tests/test_old.py::p[0]")
        .passes("tests/test_old.py::p[2]");
    let before = baseline(&["tests/test_old.py::p[0]", "tests/test_old.py::p[1]"]);
    assert_eq!(
        judge(&run.clone().exits(1), &before).disposition,
        Disposition::Accepted
    );
    let before = baseline(&[
        "tests/test_old.py::p[0]",
        "tests/test_old.py::p[1]",
        "tests/test_old.py::p[2]",
    ]);
    assert_eq!(rules(&judge(&run.exits(1), &before)), ["baseline_missing"]);
}

#[test]
fn without_a_report_the_exit_code_routes() {
    let table = [
        (Exit::Code(1), Disposition::Accepted, None),
        (Exit::Code(0), Disposition::Revise, Some("no_report")),
        (Exit::Code(4), Disposition::Revise, Some("usage_error")),
        (
            Exit::Code(5),
            Disposition::Revise,
            Some("nothing_collected"),
        ),
        (Exit::Code(2), Disposition::Escalate, Some("no_report")),
        (Exit::Code(3), Disposition::Escalate, Some("no_report")),
        (Exit::TimedOut, Disposition::Revise, Some("timeout")),
        (Exit::Signal(11), Disposition::Revise, Some("killed")),
    ];
    for (exit, disposition, rule) in table {
        let verdict = judge(&Run::without_report(exit), &Baseline::default());
        assert_eq!(verdict.disposition(), disposition, "{exit:?}");
        assert_eq!(rules(&verdict).first().copied(), rule, "{exit:?}");
        assert_eq!(
            verdict
                .notes
                .iter()
                .any(|note| note.contains("decided from the exit code alone")),
            disposition == Disposition::Accepted
        );
    }
}

#[test]
fn a_run_that_contradicts_itself_or_breaks_is_not_judged_by_its_tests() {
    let good = || Run::default().fails(A, raised(&["AssertionError"], "no", NEW));
    let mut disagreeing = good().exits(1);
    disagreeing.exit = Exit::Code(0);
    let mut elsewhere = good();
    elsewhere
        .report
        .foreign_modules
        .insert("app".to_owned(), "/main/app/__init__.py".to_owned());
    let mut late = good().exits(1);
    late.exit = Exit::TimedOut;
    let table = [
        (disagreeing, Disposition::Revise, "records_disagree"),
        (elsewhere.exits(1), Disposition::Escalate, "wrong_tree"),
        (good().exits(2), Disposition::Escalate, "interrupted"),
        (good().exits(3), Disposition::Escalate, "internal_error"),
        (good().exits(4), Disposition::Revise, "usage_error"),
        (late, Disposition::Revise, "timeout"),
    ];
    for (observation, disposition, rule) in table {
        let verdict = judge(&observation, &Baseline::default());
        assert_eq!(
            (verdict.disposition(), rules(&verdict)),
            (disposition, vec![rule])
        );
    }
}

#[test]
fn an_assertion_that_is_not_awaited_is_refused_and_another_error_is_noted() {
    let with = |class: &str| {
        let mut run = Run::default().fails(A, raised(&["AssertionError"], "no", NEW));
        run.report.unhandled.push(raised(&[class], "late", NEW));
        judge(&run.exits(1), &baseline(&[]))
    };
    assert_eq!(rules(&with("AssertionError")), ["unhandled_error"]);
    let noted = with("ValueError");
    assert_accepted(&noted);
    assert!(noted.notes.iter().any(|note| note.contains("late")));
}

#[test]
fn a_run_of_new_files_alone_is_judged_with_what_the_base_tells() {
    let base: Baseline = [
        (OLD.to_owned(), Ending::Passed),
        ("tests/test_old.py::slow".to_owned(), Ending::Deselected),
    ]
    .into_iter()
    .collect();
    let mut run = Run::default().fails(A, raised(&["AssertionError"], "assert 1 == 2", NEW));
    run.report.deselected.push(B.to_owned());
    let run = run.exits(1);
    // The old test was not asked to run, and the base's options deselect the new one like another.
    assert_accepted(&judge_within(&run, &base, RedScope::NewFiles));
    let whole = judge_within(&run, &base, RedScope::Suite);
    assert_eq!(rules(&whole), ["baseline_missing"]);
    // Options that deselect nothing at the base are not an excuse.
    let alone = judge_within(&run, &baseline(&[OLD]), RedScope::NewFiles);
    assert_eq!(rules(&alone), ["deselected"]);
}
