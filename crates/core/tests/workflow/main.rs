//! The machine against its table, and principle four against arbitrary histories.

mod stories;
mod table;

use std::collections::BTreeSet;

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::generation::Hold;
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::lld::{ChangeType, PlannedFile};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::test_outcome::SandboxLevel;
use proctor_core::workflow::{
    Choice, ContextLoaded, Decision, Effect, Event, GateResult, LintResult, Run, Stage, Started,
    State, step,
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
    let about_tests =
        matches!(&choice, Choice::Comment { text } if text.contains("tests/test_a.py"));
    Event::PersonDecided(Decision {
        about_tests,
        tree: tree(of),
        choice,
        by: "P <p@example.org>".to_owned(),
        at: 0,
        place: String::new(),
        evidence: String::new(),
        signed: None,
    })
}

fn written(paths: &[&str], of: char) -> Event {
    written_beside(paths, of, None)
}

/// Tests that are written again, where an implementation was set aside.
fn written_beside(paths: &[&str], of: char, carried: Option<char>) -> Event {
    Event::FilesWritten {
        paths: paths.iter().map(|text| path(text)).collect(),
        tree: tree(of),
        carried: carried.map(tree),
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
            tests: vec![planned("tests/test_a.py", ChangeType::Add)],
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
        Event::ReplyRefused {
            reason: text().into(),
        },
        Event::ChangesUnreadable {
            reason: text().into(),
        },
        Event::ReplyCutOff {
            reason: text().into(),
        },
        Event::FileChanged { reason: text() },
        Event::GaveUp { reason: text() },
        Event::TestsDisputed { reason: text() },
        Event::TestsReopened {
            text: text(),
            by: text(),
        },
        Event::ModelChosen { model: text() },
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
        Event::NoOneToAsk,
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
        events.extend(events_about(of));
    }
    events
}

/// Every kind of event that is about a tree.
fn events_about(of: char) -> Vec<Event> {
    let text = || "words".to_owned();
    let mut events = vec![
        written(&["src/a.py"], of),
        written(&["src/b.py"], of),
        written(&["src/old.py"], of),
        written(&["src/a.py", "src/b.py", "src/old.py"], of),
        written_beside(&["tests/test_a.py"], of, Some('2')),
        Event::TestsTaken {
            by: text(),
            paths: vec![path("tests/test_a.py")],
            tree: tree(of),
            carried: Some(tree('2')),
        },
        Event::GreenRecalled { tree: tree(of) },
        Event::BaseMoved {
            tip: commit('d'),
            tree: tree(of),
            base_tree: Some(tree('0')),
        },
    ];
    for disposition in [
        Disposition::Accepted,
        Disposition::Revise,
        Disposition::Reopen,
        Disposition::Escalate,
    ] {
        events.push(Event::RedJudged(gate(of, disposition)));
        events.push(Event::GreenJudged(gate(of, disposition)));
    }
    events.push(decided(of, Choice::Approve));
    events.push(decided(of, Choice::Comment { text: text() }));
    let about_tests = "tests/test_a.py:1: no".to_owned();
    events.push(decided(of, Choice::Comment { text: about_tests }));
    events.push(decided(of, Choice::Reject { reason: text() }));
    events.push(decided(of, Choice::Abort));
    events
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

fn implemented(run: Run) -> Run {
    implemented_as(run, '2')
}

/// Every file is written, and all of them together are this tree.
fn implemented_as(mut run: Run, of: char) -> Run {
    while run.stage() == Stage::Implement {
        let event = match run.effect() {
            Effect::AskForFile { .. } => replied(),
            Effect::ApplyReply => {
                let file = run.current_file().expect("a file is being asked for");
                written(&[file.path.as_str()], of)
            }
            Effect::DeleteFile { path } => written(&[path.as_str()], of),
            other => panic!("{other:?}"),
        };
        run = step(&run, &event).expect("a legal history");
    }
    run
}

/// The notes of an auditor who knows nothing of the machine: which trees were green against tests that were red before,
/// and which of them a person approved since.
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
                // Other tests: a tree that was green with the earlier ones stays so, and is another tree in git.
                self.approved = None;
            }
            Event::GreenJudged(result) => {
                let name = result.tree.to_string();
                if result.verdict.disposition() == Disposition::Accepted && self.red {
                    self.green.insert(name);
                } else {
                    self.green.remove(&name);
                }
                self.approved = None;
            }
            Event::FilesWritten { .. } | Event::TestsTaken { .. } | Event::TestsReopened { .. } => {
                self.approved = None;
            }
            Event::GreenRecalled { tree } => {
                // The tests that this tree was green with are back, and they were red.
                self.red = self.green.contains(&tree.to_string());
                self.approved = None;
            }
            Event::PersonDecided(decision) => {
                self.approved =
                    (decision.choice == Choice::Approve).then(|| decision.tree.to_string());
            }
            _ => {}
        }
    }
}

/// A history in a line for each event, short enough to be read.
fn names(journal: &[Event]) -> String {
    let line = |event: &Event| {
        format!(
            "\n{}",
            format!("{event:?}").chars().take(150).collect::<String>()
        )
    };
    journal.iter().map(line).collect()
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
                prop_assert!(auditor.green.contains(&merged), "{}", names(&journal));
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
