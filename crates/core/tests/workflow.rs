//! The machine against its table, and principle four against arbitrary histories.

use std::collections::{BTreeSet, HashSet, VecDeque};

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::generation::Hold;
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::lld::{ChangeType, PlannedFile};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::test_outcome::SandboxLevel;
use proctor_core::workflow::{
    Choice, ContextLoaded, Decision, Effect, Event, From, GateResult, LintResult, Run, Stage,
    Started, State, TRANSITIONS, To, mermaid, step,
};
use proptest::prelude::*;

fn tree(digit: char) -> TreeId {
    TreeId::parse(&digit.to_string().repeat(40)).expect("forty digits")
}

fn commit(digit: char) -> CommitId {
    CommitId::parse(&digit.to_string().repeat(40)).expect("forty digits")
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).expect("a plain path")
}

fn planned(text: &str, change: ChangeType) -> PlannedFile {
    PlannedFile {
        path: path(text),
        change,
        description: String::new(),
    }
}

fn new_run() -> Run {
    Run::new(Started {
        issue: "87".to_owned(),
        base_branch: "main".to_owned(),
        base: commit('b'),
        autonomy: Autonomy::default(),
    })
}

fn gate(of: char, disposition: Disposition) -> GateResult {
    GateResult {
        tree: tree(of),
        verdict: serde_json::from_value(serde_json::json!({
            "disposition": disposition,
            "exit_code": 1,
            "tests": [],
            "reasons": [{"rule": "rule", "test": null, "message": "because"}],
            "checks": [],
            "notes": [],
        }))
        .expect("a verdict as a journal has it"),
        feedback: "because".to_owned(),
        evidence: String::new(),
        command: String::new(),
        elapsed_ms: 0,
        runs: Vec::new(),
        flags: Vec::new(),
        sandbox: Some(SandboxLevel::Off),
    }
}

fn decided(of: char, choice: Choice) -> Event {
    Event::PersonDecided(Decision {
        tree: tree(of),
        choice,
        by: "P <p@example.org>".to_owned(),
        at: 0,
        place: String::new(),
        evidence: String::new(),
    })
}

fn written(paths: &[&str], of: char) -> Event {
    Event::FilesWritten {
        paths: paths.iter().map(|text| path(text)).collect(),
        tree: tree(of),
    }
}

/// Every kind of event, with every verdict and, where a tree matters, several trees.
fn all_events() -> Vec<Event> {
    let text = || "words".to_owned();
    let mut events = vec![
        Event::ContextLoaded(ContextLoaded {
            sources: vec![
                planned("src/a.py", ChangeType::Modify),
                planned("src/b.py", ChangeType::Add),
                planned("src/old.py", ChangeType::Delete),
            ],
            tests: Vec::new(),
            tokens: 1,
        }),
        Event::WorktreeCreated { tree: tree('0') },
        Event::BaselineTaken {
            baseline: Baseline::default(),
        },
        Event::ModelReplied(ModelReply {
            text: text(),
            stop_reason: StopReason::EndTurn,
            input_tokens: 1,
            output_tokens: 1,
            cached_tokens: 0,
            cost_micro_usd: Some(0),
            script_line: None,
            seen: Vec::new(),
            asked_for_changes: false,
        }),
        Event::RequestHeld(Hold::Secrets {
            secrets: Vec::new(),
        }),
        Event::SecretAllowed {
            fingerprint: "0123456789ab".parse().expect("twelve digits"),
        },
        Event::ReplyRefused { reason: text() },
        Event::ChangesUnreadable { reason: text() },
        Event::ReplyCutOff { reason: text() },
        Event::FileChanged { reason: text() },
        Event::GaveUp { reason: text() },
        Event::WriteNeedsPerson { reason: text() },
        Event::Linted(LintResult::Absent),
        Event::Linted(LintResult::Clean {
            command: text(),
            known: 0,
        }),
        Event::Linted(LintResult::Unusable {
            command: text(),
            reason: text(),
        }),
        Event::Linted(LintResult::Complaints {
            command: text(),
            output: text(),
            known: 0,
        }),
        Event::NobodyToAsk,
        Event::MergeConflicted {
            files: vec![text()],
        },
        Event::CheckoutBusy { reason: text() },
        Event::Merged {
            commit: commit('c'),
        },
        Event::Resumed,
        Event::Aborted,
        Event::WorktreeRemoved { rescue: None },
    ];
    for of in ['0', '1', '2'] {
        events.push(written(&["src/a.py"], of));
        events.push(written(&["src/b.py"], of));
        events.push(written(&["src/old.py"], of));
        events.push(written(&["src/a.py", "src/b.py", "src/old.py"], of));
        events.push(Event::BaseMoved {
            tip: commit('d'),
            tree: tree(of),
        });
        for disposition in [
            Disposition::Accepted,
            Disposition::Revise,
            Disposition::Escalate,
        ] {
            events.push(Event::RedJudged(gate(of, disposition)));
            events.push(Event::GreenJudged(gate(of, disposition)));
        }
        events.push(decided(of, Choice::Approve));
        events.push(decided(of, Choice::Comment { text: text() }));
        events.push(decided(of, Choice::Reject { reason: text() }));
        events.push(decided(of, Choice::Abort));
    }
    events
}

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

/// What distinguishes two runs for the machine; text and totals do not.
fn essence(run: &Run) -> String {
    format!(
        "{:?} {} {:?} {:?} {:?} {:?} {:?} {} {}",
        run.stage(),
        run.state().key(),
        run.effect(),
        run.tree(),
        (
            run.scaffold().current(),
            run.scaffold().granted(),
            run.scaffold().cut_off()
        ),
        (
            run.implement().current(),
            run.implement().granted(),
            run.implement().cut_off()
        ),
        run.approval().map(|approval| &approval.tree),
        run.baseline().is_some(),
        run.green()
            .is_some_and(|green| Some(&green.tree) == run.tree()),
    )
}

/// Walks every run that some history of bounded counters can reach, and tries every event on each.
fn explore(mut visit: impl FnMut(&Run, &Event, Option<&Run>)) {
    let events = all_events();
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([new_run()]);
    while let Some(run) = queue.pop_front() {
        for event in &events {
            let after = step(&run, event).ok();
            visit(&run, event, after.as_ref());
            let Some(after) = after else { continue };
            // A person may grant attempts for ever; two grants show all there is to see.
            let bounded = after.scaffold().granted() <= 6 && after.implement().granted() <= 6;
            if bounded && seen.insert(essence(&after)) {
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
        if matches!(event, Event::SecretAllowed { .. }) {
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

fn walk(run: Run, events: &[Event]) -> Run {
    events.iter().fold(run, |run, event| {
        step(&run, event).expect("a legal history")
    })
}

fn replied() -> Event {
    all_events().remove(3)
}

fn ready_to_scaffold() -> Run {
    walk(new_run(), &all_events()[..3])
}

fn at_green_gate() -> Run {
    let run = walk(
        ready_to_scaffold(),
        &[
            replied(),
            written(&["tests/test_a.py"], '1'),
            Event::RedJudged(gate('1', Disposition::Accepted)),
        ],
    );
    implemented(run)
}

fn implemented(mut run: Run) -> Run {
    while run.stage() == Stage::Implement {
        let event = match run.effect() {
            Effect::AskForFile { .. } => replied(),
            Effect::ApplyReply => {
                let file = run.current_file().expect("a file is being asked for");
                written(&[file.path.as_str()], '2')
            }
            Effect::DeleteFile { path } => written(&[path.as_str()], '2'),
            other => panic!("{other:?}"),
        };
        run = step(&run, &event).expect("a legal history");
    }
    run
}

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

/// What an auditor who knows nothing of the machine would write down.
#[derive(Default)]
struct Auditor {
    red: bool,
    green: BTreeSet<String>,
    approved: Option<String>,
}

impl Auditor {
    fn note(&mut self, event: &Event) {
        match event {
            Event::RedJudged(result) => {
                self.red = result.verdict.disposition() == Disposition::Accepted;
            }
            Event::GreenJudged(result) => {
                let name = result.tree.to_string();
                if result.verdict.disposition() == Disposition::Accepted {
                    self.green.insert(name);
                } else {
                    self.green.remove(&name);
                }
            }
            Event::PersonDecided(decision) => {
                self.approved =
                    (decision.choice == Choice::Approve).then(|| decision.tree.to_string());
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Arbitrary events, most of them refused; a crash (replay from the journal) after any of them.
    /// Histories are biased towards progress, or hardly any would come near the merge.
    #[test]
    fn nothing_reaches_merged_without_red_green_and_approval_for_the_same_tree(
        choices in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..10), 1..100)
    ) {
        let events = all_events();
        let mut run = new_run();
        let mut journal = Vec::new();
        let mut auditor = Auditor::default();
        for (index, dice) in choices {
            let event = if dice < 7 {
                let legal: Vec<_> = events
                    .iter()
                    .filter(|event| !matches!(event, Event::Aborted))
                    .filter(|event| step(&run, event).is_ok())
                    .collect();
                if legal.is_empty() { continue }
                (*index.get(&legal)).clone()
            } else {
                index.get(&events).clone()
            };
            let Ok(next) = step(&run, &event) else { continue };
            if let (Event::Merged { .. }, Effect::Merge(order)) = (&event, run.effect()) {
                let merged = order.tree().to_string();
                prop_assert!(auditor.red);
                prop_assert!(auditor.green.contains(&merged));
                prop_assert_eq!(auditor.approved.as_ref(), Some(&merged));
            }
            let merged_now = matches!(next.state(), State::Merged(_));
            let may_be_merged =
                matches!(event, Event::Merged { .. } | Event::WorktreeRemoved { .. });
            prop_assert!(!merged_now || may_be_merged);
            auditor.note(&event);
            journal.push(event);
            run = next;
            if dice == 9 {
                let replayed = walk(new_run(), &journal);
                prop_assert_eq!(&replayed, &run);
            }
        }
    }
}

#[test]
fn the_property_is_not_vacuous_because_merged_can_be_reached() {
    let run = walk(
        at_green_gate(),
        &[
            Event::GreenJudged(gate('2', Disposition::Accepted)),
            Event::Linted(LintResult::Absent),
            decided('2', Choice::Approve),
            Event::Merged {
                commit: commit('c'),
            },
        ],
    );
    assert_eq!(*run.state(), State::Merged(commit('c')));
    assert_eq!(run.effect(), Effect::RemoveWorktree);
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
