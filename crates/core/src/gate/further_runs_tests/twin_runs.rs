//! What a green concludes from twins.

use std::collections::BTreeMap;

use super::{Green, assertion, checks};
use crate::gate::testing::{A, B, NEW, OLD, rules};
use crate::gate::{Apart, Disposition, TwinKind};
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Exit, Outcome, Phase};

#[test]
fn a_twin_that_passes_makes_the_verdict_worthless() {
    for kind in TwinKind::ALL {
        let mut green = Green::honest();
        let mut run = Run::default().passes(A).fails(B, assertion());
        run.report.reached.insert(A.to_owned());
        green.twins.insert(kind, run.exits(1));
        let verdict = green.judge();
        assert_eq!(rules(&verdict), ["twin_passes"], "{kind:?}");
        assert_eq!(verdict.reasons[0].test.as_deref(), Some(A));
    }
}

#[test]
fn a_twin_that_says_nothing_leaves_the_test_unverified() {
    let other = || raised(&["TypeError", "Exception"], "no", NEW);
    let fails_for_another_reason = || {
        Run::default()
            .fails(A, other())
            .fails(B, assertion())
            .exits(1)
    };
    let never_comes_to_a_changed_place = || Run::default().passes(A).fails(B, assertion()).exits(1);
    let silent = [
        (fails_for_another_reason(), fails_for_another_reason()),
        (fails_for_another_reason(), never_comes_to_a_changed_place()),
    ];
    for (negated, changed) in silent {
        let mut green = Green::honest();
        green.twins = BTreeMap::from([(TwinKind::Negated, negated), (TwinKind::Changed, changed)]);
        let verdict = green.judge();
        assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
        assert_eq!(
            checks(&verdict)[4],
            "held: twins: 1 of 2 new tests fail when their assertions are turned"
        );
        assert!(verdict.notes[0].starts_with("tests/test_new.py::a: unverified, "));
    }
}

#[test]
fn a_test_none_of_whose_cases_comes_to_an_assertion_holds_nothing() {
    const CASES: [&str; 2] = ["tests/test_new.py::b[1]", "tests/test_new.py::b[2]"];
    let judge = |idle: &[&str], turned_whole: bool| {
        let mut green = Green::honest();
        let [first, second] = CASES;
        let suite = || Run::default().passes(A).passes(first).passes(second);
        let failing = || {
            let run = Run::default().fails(A, assertion());
            run.fails(first, assertion()).fails(second, assertion())
        };
        let mut negated = failing();
        negated.report.ended = idle.iter().map(|id| (*id).to_owned()).collect();
        green.analysis.files[0].tests[1].turned_whole = turned_whole;
        green.observation = suite().passes(OLD).exits(0);
        green.reversed = suite().exits(0);
        green.without_change = failing().exits(1);
        green.twins = BTreeMap::from([(TwinKind::Negated, negated.exits(1))]);
        green.judge()
    };
    let verdict = judge(&CASES, true);
    assert_eq!(rules(&verdict), ["reaches_no_assertion"], "{verdict:?}");
    assert_eq!(
        verdict.reasons[0].test.as_deref(),
        Some("tests/test_new.py::b")
    );
    // One case may just ask that nothing is raised, and something that is not inverted may be the assertion.
    for verdict in [judge(&CASES[..1], true), judge(&CASES, false)] {
        assert_eq!(rules(&verdict), [""; 0]);
        assert!(verdict.notes[0].ends_with("unverified, comes to none of its assertions"));
    }
}

#[test]
fn a_negated_twin_fails_by_an_assertion_of_its_own_or_gives_the_code_away() {
    let from_source = |class: &str| raised(&[class, "Exception"], "no", "app/new.py");
    let table = [
        (Run::default().passes(A), "twin_passes"),
        (
            Run::default().fails(A, from_source("TypeError")),
            "twin_differs",
        ),
        (
            Run::default().fails(A, from_source("AssertionError")),
            "twin_differs",
        ),
        (
            Run::default().ends(A, Phase::Call, Outcome::Skipped, None),
            "twin_differs",
        ),
        (Run::default(), "twin_differs"),
        (
            Run::default().collection_error(NEW, from_source("RuntimeError")),
            "twin_differs",
        ),
    ];
    for (run, rule) in table {
        let mut green = Green::honest();
        let run = run.fails(B, assertion()).exits(1);
        green.twins.insert(TwinKind::Negated, run);
        let verdict = green.judge();
        assert_eq!(rules(&verdict), [rule], "{verdict:?}");
    }
}

#[test]
fn a_changed_twin_is_asked_only_whether_it_came_to_its_comparison() {
    let in_source = raised(&["ValueError", "Exception"], "no", "app/new.py");
    let run = || {
        Run::default()
            .fails(A, in_source.clone())
            .fails(B, assertion())
    };
    let mut green = Green::honest();
    green.twins.insert(TwinKind::Changed, run().exits(1));
    assert_eq!(rules(&green.judge()), ["twin_differs"]);
    let mut came = run();
    came.report.reached.insert(A.to_owned());
    green.twins.insert(TwinKind::Changed, came.exits(1));
    assert_eq!(rules(&green.judge()), [""; 0]);
}

#[test]
fn twins_that_end_behind_the_runners_back_or_not_in_time_are_refused() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        let twin = Run::without_report(exit);
        green.twins.insert(TwinKind::Negated, twin);
        let verdict = green.judge();
        assert_eq!(rules(&verdict), ["twin_unreadable"], "{exit:?}");
        assert!(checks(&verdict)[4].starts_with("refused: "), "{exit:?}");
    }
}

#[test]
fn a_twin_that_passes_because_of_what_another_left_behind_is_heard_alone() {
    let company = || Run::default().fails(A, assertion()).passes(B).exits(1);
    let mut green = Green::honest();
    green.twins = TwinKind::ALL.map(|kind| (kind, company())).into();
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
    let apart = |run: Run, code| Apart {
        ids: vec![B.to_owned()],
        observation: run.exits(code),
    };
    green.apart = vec![apart(Run::default().passes(B), 0)];
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
    green.apart = vec![apart(Run::default().fails(B, assertion()), 1)];
    let verdict = green.judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    // Alone it has to fail by its own assertion, not by nothing being there.
    green.apart = vec![apart(Run::default(), 5)];
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
}
