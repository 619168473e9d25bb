//! The machine follows its table in every reachable state.

use std::collections::{HashSet, VecDeque};

use proctor_core::workflow::{
    Attempts, Effect, Event, From, Run, Stage, State, TRANSITIONS, To, Waiting, mermaid, step,
};

use crate::{all_events, new_run};

fn position(run: &Run) -> Option<From> {
    match run.state() {
        State::Running => Some(From::At(run.stage())),
        State::Parked(_) => Some(From::ParkedAt(run.stage())),
        State::Merged(_) | State::Aborted => None,
    }
}

fn leads_to(before: &Run, to: To, after: &Run) -> bool {
    match to {
        To::Go(stage) => after.stage() == stage && *after.state() == State::Running,
        To::Park => after.stage() == before.stage() && matches!(after.state(), State::Parked(_)),
        To::Merged => matches!(after.state(), State::Merged(_)),
        To::Aborted => *after.state() == State::Aborted,
    }
}

/// The facts that distinguish two runs for the machine; text, totals and history do not.
fn essence(run: &Run) -> String {
    let left = |attempts: Attempts| attempts.granted() + 1 - attempts.current();
    format!(
        "{:?} {:?} {} {:?} {:?} {:?} {:?} {:?} {} {} {:?}",
        run.stage(),
        std::mem::discriminant(run.state()),
        asked(&run.effect()),
        waiting(run),
        run.tree(),
        left(run.scaffold()),
        (left(run.implement()), run.attempts_here().cut_off()),
        run.approval().map(|approval| &approval.tree),
        run.baseline().is_some(),
        run.green()
            .is_some_and(|green| Some(&green.tree) == run.tree()),
        (
            run.offered().is_some(),
            run.set_aside().is_some(),
            run.tests_are_a_persons(),
            run.sealed().is_some(),
        )
    )
}

fn waiting(run: &Run) -> Option<std::mem::Discriminant<Waiting>> {
    match run.state() {
        State::Parked(waiting) => Some(std::mem::discriminant(waiting)),
        _ => None,
    }
}

/// The effect, without the number of the attempt and without earlier text.
fn asked(effect: &Effect) -> String {
    match effect {
        Effect::AskForTests { .. } => "tests".to_owned(),
        Effect::AskForFile { path, .. } => path.to_string(),
        Effect::JudgeRed(_) => "red".to_owned(),
        Effect::JudgeGreen(_) => "green".to_owned(),
        Effect::Lint { .. } => "lint".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Walks every run that some history can reach, and tries every event on each.
fn explore(mut visit: impl FnMut(&Run, &Event, Option<&Run>)) {
    let events = all_events();
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([new_run()]);
    while let Some(run) = queue.pop_front() {
        for event in &events {
            let after = step(&run, event).ok();
            visit(&run, event, after.as_ref());
            let Some(after) = after else { continue };
            if seen.insert(essence(&after)) {
                queue.push_back(after);
            }
        }
    }
}

#[test]
fn every_step_is_a_row_of_the_table_and_every_row_is_taken() {
    let mut taken = vec![false; TRANSITIONS.len()];
    let mut steps = 0_u32;
    explore(|before, event, after| {
        let Some(after) = after else { return };
        steps += 1;
        if matches!(event, Event::WorktreeRemoved { .. }) {
            assert!(before.state().has_ended());
            assert_eq!(after.effect(), Effect::Rest);
            return;
        }
        if matches!(
            event,
            Event::SecretAllowed { .. } | Event::ModelChosen { .. }
        ) {
            assert!(!before.state().has_ended());
            assert_eq!(essence(after), essence(before));
            return;
        }
        let from = position(before).expect("an ended run accepts nothing but its removal");
        let rows: Vec<_> = TRANSITIONS
            .iter()
            .enumerate()
            .filter(|(_, row)| row.from == from && leads_to(before, row.to, after))
            .collect();
        assert!(!rows.is_empty(), "{from:?} on {event:?} led to {after:?}");
        for (index, _) in rows {
            taken[index] = true;
        }
    });
    assert!(steps > 1_000, "only {steps} steps were explored");
    for (index, row) in TRANSITIONS.iter().enumerate() {
        assert!(taken[index], "no history takes {row:?}");
    }
}

#[test]
fn a_running_run_always_has_something_to_do_and_others_rest_or_clean_up() {
    explore(|run, _, _| match run.state() {
        State::Running => assert_ne!(run.effect(), Effect::Rest, "{run:?}"),
        State::Parked(_) => assert_eq!(run.effect(), Effect::Rest),
        State::Merged(_) | State::Aborted => {
            let expected = if run.worktree_removed() {
                Effect::Rest
            } else {
                Effect::RemoveWorktree
            };
            assert_eq!(run.effect(), expected);
        }
    });
}

#[test]
fn attempts_never_exceed_what_was_granted() {
    explore(|run, _, _| {
        for attempts in [run.scaffold(), run.implement()] {
            assert!(attempts.current() <= attempts.granted() + 1, "{run:?}");
            if *run.state() == State::Running {
                let asking = matches!(
                    run.effect(),
                    Effect::AskForTests { .. } | Effect::AskForFile { .. }
                );
                let here = if run.stage() == Stage::Scaffold {
                    run.scaffold()
                } else {
                    run.implement()
                };
                assert!(!(asking && here.are_spent()), "{run:?}");
            }
        }
    });
}

#[test]
fn the_table_has_one_row_for_each_signal_at_each_place() {
    let mut keys = HashSet::new();
    for row in TRANSITIONS {
        assert!(
            keys.insert(format!("{:?}{:?}", row.from, row.on)),
            "{row:?}"
        );
    }
}

#[test]
fn the_diagram_has_an_arrow_for_every_row() {
    let arrows = mermaid()
        .lines()
        .filter(|line| line.contains("-->"))
        .count();
    assert_eq!(arrows, TRANSITIONS.len() + 3);
    assert!(mermaid().contains("Review --> Merge : APPROVE"));
}
