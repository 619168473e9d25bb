//! The stories of a run, from event to event.

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::workflow::{
    Asker, Choice, Effect, Event, LintResult, Run, Stage, State, Waiting, step,
};

use crate::{
    at_green_gate, commit, decided, gate, implemented, implemented_as, path, ready_to_scaffold,
    replied, tree, walk, written, written_beside,
};

#[test]
fn tests_that_pass_at_red_send_the_run_back_and_the_third_time_park_it() {
    let mut run = ready_to_scaffold();
    for attempt in 1..=3 {
        assert_eq!(run.effect(), Effect::AskForTests { attempt });
        run = walk(
            run,
            &[
                replied(),
                written(&["tests/test_a.py"], '1'),
                Event::RedJudged(gate('1', Disposition::Revise)),
            ],
        );
    }
    assert!(matches!(run.state(), State::Parked(_)), "{:?}", run.state());
    assert_eq!(run.scaffold().asked(), 3);
    let run = step(&run, &Event::Resumed).expect("a person may go on");
    assert_eq!(run.effect(), Effect::AskForTests { attempt: 4 });
}

#[test]
fn failing_implementations_are_retried_and_the_third_parks_the_run() {
    let mut run = at_green_gate();
    for round in 1..=3 {
        assert!(
            matches!(run.effect(), Effect::JudgeGreen(_)),
            "round {round}"
        );
        run = step(&run, &Event::GreenJudged(gate('2', Disposition::Revise))).expect("judged");
        if round < 3 {
            assert_eq!(
                run.feedback().map(|said| said.words.as_str()),
                Some("because")
            );
            run = implemented(run);
        }
    }
    assert!(matches!(run.state(), State::Parked(_)));
    assert_eq!(run.stage(), Stage::GreenGate);
}

#[test]
fn lint_complaints_without_attempts_left_go_to_the_person() {
    let complaints = Event::Linted(LintResult::Complaints {
        command: "ruff".to_owned(),
        output: "E1".to_owned(),
        known: 0,
    });
    let mut run = at_green_gate();
    for round in 1..=3 {
        run = walk(
            run,
            &[
                Event::GreenJudged(gate('2', Disposition::Accepted)),
                complaints.clone(),
            ],
        );
        if round < 3 {
            run = implemented(run);
        }
    }
    assert_eq!(run.effect(), Effect::AskPerson { tree: tree('2') });
}

#[test]
fn a_file_that_an_earlier_reply_brought_is_not_asked_for_again_in_that_round() {
    let run = walk(
        ready_to_scaffold(),
        &[
            replied(),
            written(&["tests/test_a.py"], '1'),
            Event::RedJudged(gate('1', Disposition::Accepted)),
            replied(),
            written(&["src/a.py", "src/b.py"], '2'),
        ],
    );
    assert_eq!(
        run.effect(),
        Effect::DeleteFile {
            path: path("src/old.py")
        }
    );
}

#[test]
fn a_moved_base_voids_green_and_approval_and_takes_a_new_baseline() {
    let run = walk(
        at_green_gate(),
        &[
            Event::GreenJudged(gate('2', Disposition::Accepted)),
            Event::Linted(LintResult::Absent),
            decided('2', Choice::Approve),
            Event::BaseMoved {
                tip: commit('d'),
                tree: tree('1'),
                base_tree: Some(tree('0')),
            },
        ],
    );
    assert_eq!(run.effect(), Effect::TakeBaseline);
    assert!(run.approval().is_none());
    assert_eq!(run.base(), &commit('d'));
    let run = walk(
        run,
        &[
            Event::BaselineTaken {
                baseline: Baseline::default(),
            },
            Event::GreenJudged(gate('1', Disposition::Accepted)),
            Event::Linted(LintResult::Absent),
        ],
    );
    assert_eq!(run.effect(), Effect::AskPerson { tree: tree('1') });
    assert!(step(&run, &decided('2', Choice::Approve)).is_err());
}

fn cut_off() -> Event {
    Event::ReplyCutOff {
        reason: "cut off".into(),
    }
}

fn ready_to_implement() -> Run {
    walk(
        ready_to_scaffold(),
        &[
            replied(),
            written(&["tests/test_a.py"], '1'),
            Event::RedJudged(gate('1', Disposition::Accepted)),
        ],
    )
}

#[test]
fn a_cut_off_reply_spends_no_attempt_and_the_third_in_a_row_parks_the_run() {
    let run = walk(
        ready_to_implement(),
        &[replied(), cut_off(), replied(), cut_off()],
    );
    assert_eq!(*run.state(), State::Running);
    assert_eq!((run.implement().current(), run.implement().asked()), (1, 2));
    assert_eq!(run.refusal(), Some("cut off"));
    let refused = Event::ReplyRefused {
        reason: "ambiguous".into(),
    };
    let later = walk(run.clone(), &[replied(), refused]);
    assert_eq!(
        (later.implement().current(), later.implement().cut_off()),
        (2, 0)
    );
    let parked = walk(run, &[replied(), cut_off()]);
    assert!(matches!(parked.state(), State::Parked(_)));
    let resumed = walk(parked, &[Event::Resumed]);
    assert_eq!(resumed.implement().cut_off(), 0);
    assert!(matches!(resumed.effect(), Effect::AskForFile { .. }));
}

#[test]
fn files_of_a_round_become_the_candidate_together() {
    let before = ready_to_implement();
    let some = walk(before.clone(), &[replied(), written(&["src/a.py"], '2')]);
    assert_eq!(some.tree(), before.tree());
    assert_eq!(some.working_tree(), Some(&tree('2')));
    assert_eq!(some.source_files(), []);
    let all = walk(
        some,
        &[
            replied(),
            written(&["src/b.py"], '0'),
            written(&["src/old.py"], '1'),
        ],
    );
    assert_eq!(all.stage(), Stage::GreenGate);
    assert_eq!(all.tree(), Some(&tree('1')));
    assert_eq!(all.staged(), None);
    assert_eq!(all.source_files().len(), 3);
}

#[test]
fn changes_that_cannot_be_read_are_remembered_until_a_reply_is_used() {
    let unreadable = Event::ChangesUnreadable {
        reason: "malformed".into(),
    };
    let run = walk(ready_to_implement(), &[replied(), unreadable]);
    assert!(run.changes_were_unreadable());
    assert_eq!(run.implement().current(), 2);
    let run = walk(run, &[replied(), written(&["src/a.py"], '2')]);
    assert!(!run.changes_were_unreadable());
}

fn disputed() -> Event {
    Event::TestsDisputed {
        reason: "cube(3) is 27".to_owned(),
    }
}

fn accepted_red(of: char) -> Event {
    Event::RedJudged(gate(of, Disposition::Accepted))
}

fn at_review() -> Run {
    walk(
        at_green_gate(),
        &[
            Event::GreenJudged(gate('2', Disposition::Accepted)),
            Event::Linted(LintResult::Absent),
        ],
    )
}

fn comment(text: &str) -> Event {
    let text = text.to_owned();
    decided('2', Choice::Comment { text })
}

#[test]
fn tests_at_fault_go_back_within_the_attempts_at_tests_and_the_implementation_is_kept() {
    let run = walk(
        at_green_gate(),
        &[Event::GreenJudged(gate('2', Disposition::Reopen))],
    );
    assert_eq!(run.effect(), Effect::AskForTests { attempt: 2 });
    assert!(run.sealed().is_none(), "the seal is lifted");
    assert_eq!(run.set_aside(), Some(&tree('2')));
    assert_eq!(run.wish().map(|wish| wish.words.as_str()), Some("because"));
    let run = walk(
        run,
        &[
            replied(),
            written_beside(&["tests/test_a.py"], '3', Some('4')),
        ],
    );
    let Effect::JudgeRed(order) = run.effect() else {
        panic!("{:?}", run.effect());
    };
    assert_eq!(
        order.tree,
        tree('3'),
        "red is judged without the implementation"
    );
    let run = walk(run, &[accepted_red('3')]);
    let Effect::JudgeGreen(order) = run.effect() else {
        panic!("{:?}", run.effect());
    };
    assert_eq!(order.tree, tree('4'));
    assert_eq!(order.sealed.tree, tree('3'));
    assert_eq!(run.first_sealed().map(|it| &it.tree), Some(&tree('1')));
    assert_eq!(run.reopenings()[0].by, Asker::Gate);
    // Source written for other tests costs no attempt when it does not fit.
    let run = walk(run, &[Event::GreenJudged(gate('4', Disposition::Revise))]);
    assert_eq!(
        (run.stage(), run.implement().current()),
        (Stage::Implement, 1)
    );
}

#[test]
fn tests_that_come_back_unchanged_are_not_questioned_again() {
    let again = [
        Event::GreenJudged(gate('2', Disposition::Reopen)),
        replied(),
        written_beside(&["tests/test_a.py"], '1', Some('2')),
        accepted_red('1'),
        Event::GreenJudged(gate('2', Disposition::Reopen)),
    ];
    let run = walk(at_green_gate(), &again);
    assert_eq!(run.stage(), Stage::Implement);
    assert!(run.sealed().is_some());
}

#[test]
fn tests_at_fault_without_attempts_left_wait_for_a_person_who_grants_more() {
    let mut run = at_green_gate();
    for (number, of) in [(2, '3'), (3, '4')] {
        run = walk(run, &[Event::GreenJudged(gate('2', Disposition::Reopen))]);
        assert_eq!(run.effect(), Effect::AskForTests { attempt: number });
        let tests = [
            replied(),
            written_beside(&["tests/test_a.py"], of, Some('2')),
        ];
        run = walk(walk(run, &tests), &[accepted_red(of)]);
    }
    let run = walk(run, &[Event::GreenJudged(gate('2', Disposition::Reopen))]);
    assert!(
        matches!(run.state(), State::Parked(Waiting::Tests { reason }) if reason == "because"),
        "{:?}",
        run.state()
    );
    let run = walk(run, &[Event::Resumed]);
    assert_eq!(run.effect(), Effect::AskForTests { attempt: 4 });
    assert_eq!(run.wish().map(|wish| wish.words.as_str()), Some("because"));
}

#[test]
fn a_model_calls_the_tests_wrong_once_by_itself_and_then_through_a_person() {
    let run = walk(ready_to_implement(), &[replied(), disputed()]);
    assert_eq!(run.effect(), Effect::AskForTests { attempt: 2 });
    assert_eq!(run.reopenings()[0].by, Asker::Model);
    let again = [
        replied(),
        written(&["tests/test_a.py"], '3'),
        accepted_red('3'),
        replied(),
        disputed(),
    ];
    let run = walk(run, &again);
    assert!(
        matches!(run.state(), State::Parked(Waiting::Disputed { reason }) if reason == "cube(3) is 27"),
        "{:?}",
        run.state()
    );
    assert!(run.sealed().is_some(), "nothing is opened without a person");
    let stays = walk(run.clone(), &[Event::Resumed]);
    assert!(matches!(stays.effect(), Effect::AskForFile { .. }));
    assert!(
        stays
            .feedback()
            .expect("they are told")
            .words
            .contains("stay")
    );
    let opened = Event::TestsReopened {
        text: "cube(3) is 27 indeed".to_owned(),
        by: "P <p@example.org>".to_owned(),
    };
    let run = walk(run, &[opened]);
    assert!(matches!(run.effect(), Effect::AskForTests { .. }));
    assert_eq!(
        run.reopenings()[1].by,
        Asker::Person("P <p@example.org>".to_owned())
    );
}

#[test]
fn a_comment_that_names_a_test_file_leads_to_the_tests_and_what_it_says_of_others_is_not_lost() {
    let to_source = walk(at_review(), &[comment("src/a.py:1: rename it")]);
    assert_eq!(to_source.stage(), Stage::Implement);
    assert!(to_source.sealed().is_some(), "the tests stay sealed");
    let tests = [
        replied(),
        written_beside(&["tests/test_a.py"], '3', Some('4')),
        accepted_red('3'),
    ];
    let alone = walk(at_review(), &[comment("tests/test_a.py:1: ask for more")]);
    assert_eq!(alone.stage(), Stage::Scaffold);
    assert!(alone.reopenings()[0].after_green);
    assert_eq!(walk(alone, &tests).stage(), Stage::GreenGate);
    let both = "tests/test_a.py:1: ask for more\nsrc/a.py:1: rename it";
    let run = walk(walk(at_review(), &[comment(both)]), &tests);
    assert!(matches!(run.effect(), Effect::AskForFile { .. }));
    assert_eq!(run.feedback().map(|said| said.words.as_str()), Some(both));
    assert_eq!(run.tree(), Some(&tree('4')), "the implementation is there");
}

#[test]
fn tests_of_a_persons_own_go_to_the_red_gate_and_no_model_rewrites_them_unasked() {
    let taken = Event::TestsTaken {
        by: "P <p@example.org>".to_owned(),
        paths: vec![path("tests/test_a.py")],
        tree: tree('3'),
        carried: Some(tree('4')),
    };
    let run = walk(at_review(), &[taken]);
    let Effect::JudgeRed(order) = run.effect() else {
        panic!("{:?}", run.effect());
    };
    assert_eq!(order.tree, tree('3'));
    let good = walk(run.clone(), &[accepted_red('3')]);
    assert_eq!(
        (good.stage(), good.tree()),
        (Stage::GreenGate, Some(&tree('4')))
    );
    let refused = walk(run, &[Event::RedJudged(gate('3', Disposition::Revise))]);
    assert!(matches!(
        refused.state(),
        State::Parked(Waiting::OwnTests { .. })
    ));
    let given = walk(refused, &[Event::Resumed]);
    assert!(matches!(given.effect(), Effect::AskForTests { .. }));
}

#[test]
fn a_green_that_was_accepted_stays_on_offer_until_the_base_moves() {
    let mut run = walk(at_review(), &[comment("do better")]);
    for _ in 0..3 {
        run = implemented_as(run, '3');
        run = walk(run, &[Event::GreenJudged(gate('3', Disposition::Revise))]);
    }
    assert!(matches!(run.state(), State::Parked(_)));
    assert_eq!(run.offered(), Some(&tree('2')));
    let wrong = Event::GreenRecalled { tree: tree('1') };
    assert!(step(&run, &wrong).is_err());
    let run = walk(run, &[Event::GreenRecalled { tree: tree('2') }]);
    assert_eq!(run.effect(), Effect::AskPerson { tree: tree('2') });
    assert!(run.approval().is_none());
    let run = walk(run, &[decided('2', Choice::Approve)]);
    assert!(matches!(run.effect(), Effect::Merge(_)));
    let moved = Event::BaseMoved {
        tip: commit('d'),
        tree: tree('1'),
        base_tree: Some(tree('0')),
    };
    assert_eq!(walk(run, &[moved]).offered(), None);
}

#[test]
fn a_green_is_no_longer_on_offer_once_the_same_tree_was_refused() {
    let run = implemented(walk(at_review(), &[comment("do better")]));
    assert_eq!(run.offered(), Some(&tree('2')));
    for refusal in [Disposition::Revise, Disposition::Escalate] {
        let refused = walk(run.clone(), &[Event::GreenJudged(gate('2', refusal))]);
        assert_eq!(refused.offered(), None, "{refusal:?}");
    }
}

#[test]
fn a_recalled_green_has_the_tests_that_it_was_green_with() {
    let run = walk(at_review(), &[comment("tests/test_a.py:1: ask for more")]);
    let others = [
        replied(),
        written_beside(&["tests/test_a.py"], '3', Some('4')),
        accepted_red('3'),
        Event::GreenJudged(gate('4', Disposition::Escalate)),
    ];
    let run = walk(run, &others);
    assert_eq!(run.sealed().map(|it| &it.tree), Some(&tree('3')));
    let run = walk(run, &[Event::GreenRecalled { tree: tree('2') }]);
    assert_eq!(run.sealed().map(|it| &it.tree), Some(&tree('1')));
    assert!(run.reopenings().is_empty(), "these tests were never opened");
}

#[test]
fn a_comment_of_an_earlier_version_leads_where_it_led_then() {
    let journalled = serde_json::json!({
        "event": "person_decided",
        "tree": tree('2').to_string(),
        "choice": {"choice": "comment", "text": "tests/test_a.py:1: no"},
        "by": "P <p@example.org>",
        "at": 0,
    });
    let event: Event = serde_json::from_value(journalled).expect("an earlier journal's event");
    assert_eq!(walk(at_review(), &[event]).stage(), Stage::Implement);
}
