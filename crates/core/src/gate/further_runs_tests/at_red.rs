//! What a red concludes from stubs and twins.

use super::{Red, assertion, checks};
use crate::gate::testing::{A, B, NEW, OLD, assert_accepted, baseline, rules};
use crate::gate::{Disposition, RedRule, Rule, TwinKind, TwinRun, Weakness};
use crate::test_outcome::testing::Run;

#[test]
fn what_the_files_say_is_refused_with_its_line() {
    let mut red = Red::new(Run::default().passes(OLD).fails(A, assertion()).exits(1));
    let weakness = |rule: &str, line| Weakness {
        rule: rule.to_owned().into(),
        line,
        message: "is wrong".to_owned(),
        order: None,
        certain: false,
    };
    let file = &mut red.analysis.files[0];
    file.tests[1].problems = vec![weakness("no_oracle", 7)];
    file.problems = vec![weakness("duplicate_name", 9)];
    file.removed = vec!["gone".to_owned()];
    let verdict = red.judge();
    assert_eq!(verdict.disposition(), Disposition::Revise);
    let seen: Vec<_> = verdict
        .reasons
        .iter()
        .map(|reason| (reason.rule.as_str(), reason.test.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(
        seen,
        [
            ("duplicate_name", NEW),
            ("removed_test", "tests/test_new.py::gone"),
            ("no_oracle", B),
        ]
    );
    assert_eq!(verdict.reasons[2].message, "line 7: is wrong");
}

#[test]
fn a_failed_assertion_excuses_a_doubt_and_nothing_that_is_certain() {
    for (certain, expected) in [(false, Disposition::Accepted), (true, Disposition::Revise)] {
        let mut red = Red::new(Run::default().passes(OLD).fails(A, assertion()).exits(1));
        red.analysis.files[0].tests.truncate(1);
        red.analysis.files[0].tests[0].problems = vec![Weakness {
            rule: Rule::NoOracle,
            line: 7,
            message: "is wrong".to_owned(),
            order: None,
            certain,
        }];
        assert_eq!(red.judge().disposition(), expected, "{certain}");
    }
}

#[test]
fn a_changed_test_is_a_new_one_and_is_noted() {
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .fails("tests/test_new.py::a", assertion())
            .exits(1),
    );
    red.analysis.files[0].tests[0].existed = true;
    let changed_before = baseline(&[OLD, A]);
    let verdict = red.judge_against(&changed_before);
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        verdict.notes,
        ["changes existing tests: tests/test_new.py::a"]
    );
}

#[test]
fn a_test_that_passes_already_needs_a_twin_that_fails() {
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .fails(A, assertion())
            .passes(B)
            .exits(1),
    );
    assert_eq!(rules(&red.judge()), ["passes_already"]);
    red.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    assert_eq!(red.needs(), (false, TwinKind::ALL.to_vec()));
    red.analysis.files[0].twins.remove(&TwinKind::Changed);
    let fails = Run::default().fails(B, assertion()).exits(1);
    red.twins = vec![TwinRun {
        kind: TwinKind::Negated,
        observation: &fails,
        apart: &[],
    }];
    let verdict = red.judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        verdict.notes,
        ["passes already, before any implementation: tests/test_new.py::b"]
    );
    red.rule = RedRule::All;
    assert_eq!(rules(&red.judge()), ["passes_already"]);
}

#[test]
fn a_test_that_passes_already_and_has_no_twin_has_to_notice_a_mistake_in_the_source() {
    let passing = || Run::default().passes(OLD).fails(A, assertion()).passes(B);
    let red = Red::new(passing().exits(1));
    let judged = |red: &Red<'_>, noticing: &[&str]| {
        red.with(&baseline(&[OLD]), |suite| {
            let asked: Vec<String> = suite
                .in_question(&red.twins)
                .into_iter()
                .map(str::to_owned)
                .collect();
            let noticing = noticing.iter().map(|id| (*id).to_owned()).collect();
            (asked, suite.with_noticing(noticing).judge(&red.twins))
        })
    };
    let (asked, verdict) = judged(&red, &[B]);
    assert_eq!(asked, [B]);
    assert_accepted(&verdict);
    assert!(checks(&verdict).contains(
        &"held: tests that pass already and have no twin: 1, each notices a mistake in the source it executes".to_owned()
    ));
    // One that was tried and noticed nothing, and one that was not tried.
    for noticing in [&[][..], &[A]] {
        let (_, verdict) = judged(&red, noticing);
        assert_eq!(rules(&verdict), ["passes_already"]);
    }
    // Nothing is asked of a test with a twin that fails, where something else refuses, or where all have to fail.
    let fails = Run::default().fails(B, assertion()).exits(1);
    let mut with_twin = Red::new(passing().exits(1));
    with_twin.analysis.files[0].twins = [(TwinKind::Negated, String::new())].into();
    with_twin.twins = vec![TwinRun {
        kind: TwinKind::Negated,
        observation: &fails,
        apart: &[],
    }];
    let mut without_oracle = Red::new(passing().exits(1));
    without_oracle.analysis.files[0].tests[1].problems = vec![Weakness {
        rule: "no_oracle".to_owned().into(),
        line: 7,
        message: "is wrong".to_owned(),
        order: None,
        certain: false,
    }];
    let mut all = Red::new(passing().exits(1));
    all.rule = RedRule::All;
    for red in [with_twin, without_oracle, all] {
        let (asked, _) = judged(&red, &[]);
        assert!(asked.is_empty(), "{asked:?}");
    }
    let all_pass = Red::new(Run::default().passes(OLD).passes(A).passes(B).exits(0));
    let (asked, verdict) = judged(&all_pass, &[A, B]);
    assert!(asked.is_empty());
    assert_eq!(rules(&verdict), ["nothing_fails"]);
}
