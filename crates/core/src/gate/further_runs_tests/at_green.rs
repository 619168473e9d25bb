//! What a green concludes from a second order, the reverted change and the records of them all.

use std::collections::BTreeSet;

use super::{Green, Red, assertion, checks, missing_module};
use crate::gate::testing::{A, B, NEW, OLD, baseline, rules};
use crate::gate::{Baseline, Disposition, TwinKind};
use crate::test_outcome::testing::Run;
use crate::test_outcome::{Exit, Observation};

#[test]
fn honest_code_is_green_and_what_was_verified_is_noted() {
    let verdict = Green::honest().judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        checks(&verdict),
        [
            "unverified: judged blind: no test, nothing can be cut",
            "held: the new tests pass in the opposite order too",
            "held: without the source change the new tests fail again",
            "not_applicable: no existing test was changed",
            "held: twins: 2 of 2 new tests fail when their assertions are turned",
        ]
    );
    assert_eq!(verdict.notes, [""; 0]);
}

#[test]
fn a_test_of_parts_is_as_good_as_they_are_and_one_without_any_is_unverified() {
    let part = format!("{A} > part");
    for (has_part, of, unverified) in [(true, 2, 0), (false, 2, 1)] {
        let mut green = Green::honest();
        let mut tests = vec![A, B];
        if has_part {
            tests = vec![A, part.as_str()];
            green.analysis.files[0].tests[1].name = "a > part".to_owned();
        }
        let first = &mut green.analysis.files[0].tests[0];
        first.holds_parts = true;
        first.places.clear();
        let [one, two] = [tests[0], tests[1]];
        green.observation = Run::default().passes(OLD).passes(one).passes(two).exits(0);
        green.reversed = Run::default().passes(two).passes(one).exits(0);
        let twin = || Run::default().passes(one).fails(two, assertion()).exits(1);
        green.twins = TwinKind::ALL.map(|kind| (kind, twin())).into();
        let verdict = green.judge();
        assert_eq!(rules(&verdict), [""; 0]);
        let verified = verdict.verified;
        let counted = (verified.of, verified.unverified);
        assert_eq!(
            counted,
            (of - usize::from(has_part), unverified),
            "{verdict:?}"
        );
    }
}

#[test]
fn a_test_that_depends_on_its_order_is_refused() {
    let mut green = Green::honest();
    green.reversed = Run::default().passes(B).fails(A, assertion()).exits(1);
    let verdict = green.judge();
    assert_eq!(rules(&verdict), ["unstable"]);
    assert_eq!(verdict.reasons[0].test.as_deref(), Some(A));
    green.reversed = Run::default().passes(B).exits(0);
    assert_eq!(rules(&green.judge()), ["unstable"]);
}

#[test]
fn a_test_that_passes_without_the_change_is_refused_unless_it_did_before() {
    let mut green = Green::honest();
    green.without_change = Run::default().fails(A, assertion()).passes(B).exits(1);
    assert_eq!(rules(&green.judge()), ["passes_without_change"]);
    green.passed_at_red.insert(B.to_owned());
    assert_eq!(rules(&green.judge()), [""; 0]);
}

#[test]
fn a_changed_test_that_holds_on_both_sides_has_to_hold_as_it_was() {
    let before = baseline(&[OLD, A]);
    let judge = |earlier: &Observation, passed_at_red: &[&str]| {
        let mut green = Green::honest();
        green.analysis.files[0].tests[0].existed = true;
        green.passed_at_red = passed_at_red.iter().map(|id| (*id).to_owned()).collect();
        green.as_they_were = Some(earlier.clone());
        green.judge_against(&before)
    };
    let holds = Run::default().passes(A).exits(0);
    let fails = Run::default().fails(A, assertion()).exits(1);
    let gone = Run::default().exits(5);
    assert_eq!(rules(&judge(&holds, &[A])), [""; 0]);
    assert_eq!(rules(&judge(&fails, &[A])), ["weakened_test"]);
    assert_eq!(rules(&judge(&gone, &[A])), ["weakened_test"]);
    let unreadable = Run::without_report(Exit::Code(0));
    assert_eq!(rules(&judge(&unreadable, &[A])), ["earlier_unreadable"]);
    let verdict = judge(&fails, &[]);
    assert_eq!(rules(&verdict), [""; 0]);
    assert_eq!(
        verdict.notes,
        ["tests/test_new.py::a was changed; as it was it is failed now"]
    );
    let mut meant = Green::honest();
    meant.analysis.files[0].tests[0].existed = true;
    meant.passed_at_red = BTreeSet::from([A.to_owned()]);
    meant.as_they_were = Some(fails);
    meant.listed_tests = vec![NEW.to_owned()];
    let verdict = meant.judge_against(&before);
    assert_eq!(rules(&verdict), [""; 0]);
    assert!(verdict.notes[0].contains("changed expectation"));
}

#[test]
fn a_runner_that_was_changed_in_any_run_is_refused_unless_the_base_does_the_same() {
    let changed = |mut observation: Observation| {
        if let Ok(report) = &mut observation.report {
            report.tampered.insert("TestReport.outcome".to_owned());
        }
        observation
    };
    let mut green = Green::honest();
    green.reversed = changed(green.reversed);
    assert_eq!(rules(&green.judge()), ["runner_tampered"]);
    let mut green = Green::honest();
    let twin = green.twins.remove(&TwinKind::Negated).expect("a twin");
    green.twins.insert(TwinKind::Negated, changed(twin));
    assert_eq!(rules(&green.judge()), ["runner_tampered"]);
    let red = Red::new(changed(
        Run::default()
            .passes(OLD)
            .fails(A, assertion())
            .fails(B, assertion())
            .exits(1),
    ));
    assert_eq!(rules(&red.judge()), ["runner_tampered"]);
    let same_before = Baseline {
        tampered: BTreeSet::from(["TestReport.outcome".to_owned()]),
        ..baseline(&[OLD])
    };
    let verdict = red.judge_against(&same_before);
    assert_eq!(rules(&verdict), [""; 0]);
}

#[test]
fn the_opposite_order_has_to_come_to_its_end() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.reversed = Run::without_report(exit);
        assert_eq!(rules(&green.judge()), ["unstable"], "{exit:?}");
    }
}

#[test]
fn records_without_the_runners_own_end_are_not_believed() {
    let unfinished = |mut observation: Observation| {
        if let Ok(report) = &mut observation.report {
            report.finished_exit = None;
        }
        observation
    };
    let mut green = Green::honest();
    green.reversed = unfinished(green.reversed);
    assert_eq!(rules(&green.judge()), ["unstable"]);
    let mut green = Green::honest();
    let twin = green.twins.remove(&TwinKind::Negated).expect("a twin");
    green.twins.insert(TwinKind::Negated, unfinished(twin));
    assert_eq!(rules(&green.judge()), ["twin_unreadable"]);
}

#[test]
fn a_run_without_the_change_that_says_nothing_is_named_and_not_listed_as_held() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.without_change = Run::without_report(exit);
        let verdict = green.judge();
        assert_eq!(verdict.disposition(), Disposition::Accepted);
        assert!(checks(&verdict)[2].starts_with("unverified: "), "{exit:?}");
    }
}

#[test]
fn a_run_that_is_owed_and_was_not_made_refuses() {
    let mut green = Green::honest();
    green.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    assert_eq!(rules(&green.judge()), [""; 0]);
    green.twins.remove(&TwinKind::Changed);
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let mut green = Green::honest();
    green.analysis.files[0].tests[0].existed = true;
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .collection_error(NEW, missing_module())
            .exits(1),
    );
    assert_eq!(rules(&red.judge()), ["run_missing"]);
    let late = || Run::without_report(Exit::TimedOut);
    red.stubbed = Some((late(), late()));
    let verdict = red.judge();
    assert_eq!(rules(&verdict), [""; 0]);
    assert!(checks(&verdict)[0].starts_with("unverified: "));
}

#[test]
fn an_existing_test_that_changed_data_made_fail_has_to_be_there_at_green() {
    let data = || "tests/data.txt".to_owned();
    let mut green = Green::honest();
    green.existing = vec![data()];
    green.failed_at_red = BTreeSet::from([OLD.to_owned()]);
    green.as_they_were = Some(Run::default().passes(OLD).exits(0));
    let run = || Run::default().passes(A).passes(B);
    green.observation = run().exits(0);
    assert_eq!(rules(&green.judge()), ["baseline_missing"]);
    green.observation = run().fails(OLD, assertion()).exits(1);
    assert_eq!(rules(&green.judge()), ["test_fails"]);
}
