//! What happens to a run, from event to event.

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::workflow::{Choice, Effect, Event, LintResult, Run, Stage, State, step};

use crate::{
    at_green_gate, commit, decided, gate, implemented, path, ready_to_scaffold, replied, tree,
    walk, written,
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
            assert_eq!(run.feedback(), Some("because"));
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
        reason: "cut off".to_owned(),
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
        reason: "ambiguous".to_owned(),
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
        reason: "malformed".to_owned(),
    };
    let run = walk(ready_to_implement(), &[replied(), unreadable]);
    assert!(run.changes_were_unreadable());
    assert_eq!(run.implement().current(), 2);
    let run = walk(run, &[replied(), written(&["src/a.py"], '2')]);
    assert!(!run.changes_were_unreadable());
}
