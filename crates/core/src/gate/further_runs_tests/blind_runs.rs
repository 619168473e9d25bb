//! What a green concludes from blind runs.

use super::{Green, assertion, blind, checks};
use crate::gate::testing::{A, B, NEW, OLD, assert_accepted, rules};
use crate::gate::{BlindPlace, By, CheckName, Judgement, TwinKind};
use crate::test_outcome::Exit;
use crate::test_outcome::testing::Run;

#[test]
fn a_test_that_passes_and_does_not_hold_blind_is_refused() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    green.blind = Some(blind(&[(A, Held), (B, Failed), (OLD, Held)]));
    let verdict = green.judge();
    assert_eq!(rules(&verdict), ["blind_fails"]);
    assert_eq!(verdict.reasons[0].test.as_deref(), Some(B));
    assert!(verdict.reasons[0].message.contains("line 7: 1 == 2"));
    // Runs that would change nothing are not asked for, and no check is listed for them.
    let made: Vec<CheckName> = verdict.checks.iter().map(|check| check.name).collect();
    assert!(!made.contains(&CheckName::Twins), "{made:?}");
    // One that is missing, or is skipped, confirms nothing about the code either.
    green.blind = Some(blind(&[(A, Held), (OLD, Held)]));
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
    let mut skipped = blind(&[(A, Held), (B, Held), (OLD, Held)]);
    skipped.1.tests[1].judgement = Judgement::NotJudged;
    skipped.1.tests[1].reason = Some("it is skipped".to_owned());
    green.blind = Some(skipped);
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
}

#[test]
fn a_blind_run_that_cannot_be_believed_is_refused() {
    let held = || {
        blind(&[
            (A, Judgement::Held),
            (B, Judgement::Held),
            (OLD, Judgement::Held),
        ])
    };
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.blind = Some((Run::without_report(exit), held().1));
        assert_eq!(rules(&green.judge()), ["blind_unreadable"], "{exit:?}");
    }
    let mut green = Green::honest();
    let mut forged = held();
    forged
        .1
        .problems
        .push("a record of a place that does not exist".to_owned());
    green.blind = Some(forged);
    assert_eq!(rules(&green.judge()), ["blind_unreadable"]);
}

#[test]
fn an_old_test_that_does_not_hold_blind_is_judged_again_and_at_the_base() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    green.blind = Some(blind(&[(A, Held), (B, Held), (OLD, Failed)]));
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let table = [
        // It holds at the base: the change lies to it.
        (Failed, Held, true),
        // It held the second time: chance.
        (Held, Held, false),
        // It does not hold at the base either: the mechanism cannot judge it.
        (Failed, Failed, false),
    ];
    for (judged, base, refused) in table {
        green.blind_again = Some((blind(&[(OLD, judged)]), blind(&[(OLD, base)])));
        let verdict = green.judge();
        assert_eq!(rules(&verdict) == ["blind_fails"], refused, "{verdict:?}");
        assert_eq!(verdict.is_accepted(), !refused);
    }
}

#[test]
fn a_test_whose_answer_stands_in_another_has_to_hold_without_it() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    let mut seen = blind(&[(A, Held), (B, Held), (OLD, Held)]);
    seen.1.places.push(BlindPlace {
        id: A.to_owned(),
        place: 2,
        path: NEW.to_owned(),
        line: 7,
        judgement: Held,
        by: Some(By::Visible),
        in_process: false,
        reason: None,
        visits: 1,
    });
    green.blind = Some(seen);
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    green.alone = Some((blind(&[(A, Held)]), None));
    assert_accepted(&green.judge());
    // It was read in the other test.
    let passes = Run::default().passes(A).exits(0);
    green.alone = Some((blind(&[(A, Failed)]), Some(passes)));
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
    // It needs the other test, whatever its text.
    let fails = Run::default().fails(A, assertion()).exits(1);
    green.alone = Some((blind(&[(A, Failed)]), Some(fails)));
    let verdict = green.judge();
    assert_accepted(&verdict);
    assert!(
        verdict
            .notes
            .iter()
            .any(|note| note.contains("depends on other tests"))
    );
}

#[test]
fn only_what_is_not_verified_blind_needs_a_twin() {
    use Judgement::{Held, NotJudged};
    let mut green = Green::honest();
    green.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    green.twins.clear();
    green.blind = Some(blind(&[(A, Held), (B, Held), (OLD, Held)]));
    let verdict = green.judge();
    assert_eq!(rules(&verdict), [""; 0]);
    assert_eq!(
        checks(&verdict)[0],
        "held: judged blind: 2 of 2 new tests give what they expect, compared outside of their process"
    );
    assert_eq!(
        checks(&verdict)[4],
        "not_applicable: every new test was judged blind"
    );
    green.blind = Some(blind(&[(A, Held), (B, NotJudged), (OLD, Held)]));
    assert_eq!(rules(&green.judge()), ["run_missing", "run_missing"]);
}
