//! The loop that drives a run, with a performer that plays its part from a list.

#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

use std::collections::VecDeque;
use std::path::PathBuf;

use proctor_core::gate::Baseline;
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::{Autonomy, Presence};
use proctor_core::workflow::{ContextLoaded, Effect, Event, Run, Started, State};
use proctor_host::clock::Clock;
use proctor_host::driver::{DriveError, Driver, Perform, Scene, Watcher};
use proctor_host::journal::{Journal, NewRun, RunId, RunRow};
use proctor_host::model::{Destination, News};
use proctor_host::process::Interrupt;

/// An observer that ignores everything.
struct Unwatched;

impl Watcher for Unwatched {
    fn begins(&mut self, _: &Run, _: &Effect) {}
    fn check(&mut self, _: &str) {}
    fn line(&mut self, _: &str) {}
    fn record(&mut self, _: &Run, _: &Event) {}
    fn model_news(&mut self, _: &News) {}
    fn remark(&mut self, _: &str) {}
    fn about_to_send(&mut self, _: &Destination, _: usize) {}
}

/// Answers each effect with the next event of a list; none left is a failure.
struct Played {
    events: VecDeque<Event>,
    /// The effects, and the number of events in the journal by then.
    asked: Vec<(Effect, usize)>,
    interrupt: Option<Interrupt>,
    rested: usize,
}

impl Played {
    fn new(events: impl IntoIterator<Item = Event>) -> Self {
        Self {
            events: events.into_iter().collect(),
            asked: Vec::new(),
            interrupt: None,
            rested: 0,
        }
    }
}

impl Perform for Played {
    fn perform(&mut self, effect: &Effect, scene: &mut Scene<'_>) -> Result<Event, DriveError> {
        let journalled = scene.journal.events(&scene.row.id)?.len();
        self.asked.push((effect.clone(), journalled));
        if let Some(interrupt) = &self.interrupt {
            interrupt.set();
        }
        self.events.pop_front().ok_or(DriveError::NoModel)
    }

    fn was_performed(&mut self, _: &Effect, _: &RunRow) -> Result<bool, DriveError> {
        Ok(false)
    }

    fn own_tests(&mut self, _: &mut Scene<'_>) -> Result<Option<Event>, DriveError> {
        Ok(None)
    }

    fn show(&mut self, _: &TreeId, _: &RunRow) -> Result<(), DriveError> {
        Ok(())
    }

    fn rest(&mut self) -> Result<(), DriveError> {
        self.rested += 1;
        Ok(())
    }

    fn presence(&self) -> Presence {
        Presence::NoTerminal
    }

    fn actor(&self) -> String {
        "Ada <ada@example.org>".to_owned()
    }
}

fn tree() -> TreeId {
    TreeId::parse(&"2".repeat(40)).unwrap()
}

fn beginning() -> [Event; 3] {
    [
        Event::ContextLoaded(ContextLoaded {
            sources: Vec::new(),
            tests: Vec::new(),
            tokens: 1,
        }),
        Event::WorktreeCreated { tree: tree() },
        Event::BaselineTaken {
            baseline: Baseline::default(),
        },
    ]
}

struct Setting {
    _directory: tempfile::TempDir,
    journal: Journal,
    id: RunId,
    interrupt: Interrupt,
    unwatched: Unwatched,
}

impl Setting {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(directory.path(), Clock::fixed(1_767_323_045)).unwrap();
        let id = RunId::new("87", [1; 6]);
        let started = Started {
            issue: "87".to_owned(),
            base_branch: "main".to_owned(),
            base: CommitId::parse(&"1".repeat(40)).unwrap(),
            autonomy: Autonomy::default(),
        };
        journal
            .register(&NewRun {
                id: id.clone(),
                branch: "feat/issue-87".to_owned(),
                worktree: PathBuf::from("/nowhere"),
                started,
                inputs: "{}".to_owned(),
            })
            .unwrap();
        Self {
            _directory: directory,
            journal,
            id,
            interrupt: Interrupt::never(),
            unwatched: Unwatched,
        }
    }

    fn drive(&mut self, performer: &mut dyn Perform) -> Result<(), DriveError> {
        self.driver(performer).drive()
    }

    fn driver<'s>(&'s mut self, performer: &'s mut dyn Perform) -> Driver<'s> {
        let row = self.journal.run(self.id.as_str()).unwrap();
        Driver {
            journal: &mut self.journal,
            watcher: &mut self.unwatched,
            interrupt: &self.interrupt,
            performer,
            row,
            review_requested: false,
        }
    }

    /// The run, replayed from the disk.
    fn run(&self) -> Run {
        self.journal.run(self.id.as_str()).unwrap().run
    }
}

#[test]
fn every_event_is_on_the_disk_before_the_next_effect_begins() {
    let mut setting = Setting::new();
    let give_up = Event::GaveUp {
        reason: "no".to_owned(),
    };
    let replied = Event::ModelReplied(proctor_core::generation::ModelReply::default());
    let events = beginning().into_iter().chain([replied, give_up]);
    let mut played = Played::new(events);
    setting.drive(&mut played).unwrap();
    let journalled: Vec<usize> = played.asked.iter().map(|(_, count)| *count).collect();
    assert_eq!(journalled, [0, 1, 2, 3, 4]);
    assert_eq!(played.asked[0].0, Effect::LoadContext);
    assert_eq!(played.asked[4].0, Effect::ApplyReply);
    assert_eq!(played.rested, 1);
    assert!(matches!(setting.run().state(), State::Parked(_)));
}

#[test]
fn a_performer_that_fails_costs_nothing_and_the_same_effect_is_asked_for_again() {
    let mut setting = Setting::new();
    let [first, second, third] = beginning();
    let mut failing = Played::new([first, second]);
    let error = setting.drive(&mut failing).unwrap_err();
    assert!(matches!(error, DriveError::NoModel));
    assert_eq!(failing.rested, 1, "what was held is released all the same");
    let mut again = Played::new([third]);
    setting.drive(&mut again).unwrap_err();
    assert_eq!(again.asked[0].0, Effect::TakeBaseline);
    assert!(matches!(
        again.asked[1].0,
        Effect::AskForTests { attempt: 1 }
    ));
}

#[test]
fn ctrl_c_during_an_effect_that_fails_is_an_interruption() {
    let mut setting = Setting::new();
    let mut played = Played::new([]);
    played.interrupt = Some(setting.interrupt.clone());
    let error = setting.drive(&mut played).unwrap_err();
    assert!(matches!(error, DriveError::Interrupted));
    assert!(matches!(setting.run().state(), State::Running));
}

#[test]
fn an_event_that_answers_nothing_is_refused_and_not_journalled() {
    let mut setting = Setting::new();
    let mut played = Played::new([Event::WorktreeCreated { tree: tree() }]);
    let error = setting.drive(&mut played).unwrap_err();
    assert!(matches!(error, DriveError::Unexpected(_)));
    assert!(setting.journal.events(&setting.id).unwrap().is_empty());
}

#[test]
fn ending_a_run_is_the_persons_act_and_the_worktree_goes_with_it() {
    let mut setting = Setting::new();
    let mut played = Played::new([Event::WorktreeRemoved { rescue: None }]);
    setting.driver(&mut played).abort().unwrap();
    assert_eq!(played.asked[0].0, Effect::RemoveWorktree);
    assert!(setting.run().state().has_ended());
    let records = setting.journal.records(Some(setting.id.as_str())).unwrap();
    let actors: Vec<&str> = records.iter().map(|record| record.actor.as_str()).collect();
    assert!(actors.contains(&"Ada <ada@example.org>"), "{actors:?}");
}
