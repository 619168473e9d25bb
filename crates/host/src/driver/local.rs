//! Performing effects on this machine.

use proctor_core::object_id::TreeId;
use proctor_core::permission::Presence;
use proctor_core::workflow::{Effect, Event};

use super::apply::Writing;
use super::ask::Questions;
use super::audience::Approver;
use super::case::{Base, Case, actor};
use super::finish::{Finishing, is_merged, show_in_worktree};
use super::gates::Judging;
use super::own_tests::OwnTests;
use super::{DriveError, Inputs, Perform, Scene, Watcher};
use crate::clock::Clock;
use crate::crash_point::crash_point;
use crate::gate::{Arbiter, Place, Rooms};
use crate::journal::RunRow;
use crate::model::{Model, ModelSpec, Story};
use crate::run_data::RunData;

/// Performs the effects of one run here: this git, this test runner, this terminal.
pub struct Local<'a> {
    place: Place<'a>,
    inputs: Inputs,
    model: Option<Box<dyn Model>>,
    approver: &'a mut dyn Approver,
    clock: Clock,
    arbiter: Arbiter<'a>,
}

impl<'a> Local<'a> {
    /// For a registered run. Without a model it can finish and clean up, but not ask.
    pub fn new(
        place: Place<'a>,
        row: &RunRow,
        inputs: Inputs,
        model: Option<Box<dyn Model>>,
        approver: &'a mut dyn Approver,
        clock: Clock,
    ) -> Self {
        let data = RunData::of(place.repository, row);
        let rooms = Rooms {
            own: row.worktree.parent().unwrap_or(&row.worktree).to_owned(),
            judged: data.judged_directory(),
            prepared: data.prepared_directory(),
            evidence: data.evidence_directory(),
        };
        let commands = inputs.test_commands.clone();
        let mut arbiter = Arbiter::new(place, inputs.settings.clone(), commands, rooms);
        if [Story::Python, Story::TypeScript]
            .map(|story| ModelSpec::BuiltIn(story).to_text())
            .contains(&inputs.model)
        {
            // The demo's purpose is to show the judging.
            arbiter = arbiter.without_memory();
        }
        Self {
            place,
            inputs,
            model,
            approver,
            clock,
            arbiter,
        }
    }
}

fn case<'c>(place: Place<'c>, inputs: &'c Inputs, row: &'c RunRow) -> Case<'c> {
    Case { place, inputs, row }
}

/// One type for each kind of work, made for one effect.
impl<'a> Local<'a> {
    fn case<'s>(&'s self, row: &'s RunRow) -> Case<'s> {
        case(self.place, &self.inputs, row)
    }

    fn questions<'s>(&'s mut self, scene: &'s mut Scene<'_>) -> Questions<'s> {
        Questions {
            case: case(self.place, &self.inputs, scene.row),
            model: self.model.as_deref_mut(),
            journal: scene.journal,
            watcher: scene.watcher,
        }
    }

    fn writing<'s>(&'s mut self, scene: &'s mut Scene<'_>) -> Writing<'s> {
        Writing {
            case: case(self.place, &self.inputs, scene.row),
            journal: scene.journal,
            approver: self.approver,
        }
    }

    fn judging<'s>(&'s mut self, scene: &'s mut Scene<'_>) -> Judging<'s, 'a> {
        Judging {
            case: case(self.place, &self.inputs, scene.row),
            arbiter: &mut self.arbiter,
            watcher: scene.watcher,
        }
    }

    fn finishing<'s>(&'s mut self, scene: &'s mut Scene<'_>) -> Finishing<'s> {
        Finishing {
            case: case(self.place, &self.inputs, scene.row),
            autonomy: scene.autonomy,
            approver: self.approver,
            watcher: scene.watcher,
            clock: self.clock,
            journal: scene.journal,
        }
    }
}

impl Perform for Local<'_> {
    fn perform(&mut self, effect: &Effect, scene: &mut Scene<'_>) -> Result<Event, DriveError> {
        match effect {
            Effect::LoadContext => Ok(Event::ContextLoaded(self.inputs.loaded.clone())),
            Effect::CreateWorktree => create_worktree(self.case(scene.row), scene.watcher),
            Effect::AskForTests { attempt } => self.questions(scene).ask_for_tests(*attempt),
            Effect::AskForFile { path, attempt } => {
                self.questions(scene).ask_for_file(path, *attempt)
            }
            Effect::ApplyReply => self.writing(scene).apply_reply(),
            Effect::DeleteFile { path } => self.writing(scene).delete_file(path),
            Effect::TakeBaseline => self.judging(scene).take_baseline(),
            Effect::JudgeRed(order) => self.judging(scene).judge_red(order),
            Effect::JudgeGreen(order) => self.judging(scene).judge_green(order),
            Effect::Lint { tree, files } => self.judging(scene).lint(tree, files),
            Effect::AskPerson { tree } => self.finishing(scene).ask_person(tree),
            Effect::Merge(order) => self.finishing(scene).merge(order),
            Effect::RemoveWorktree => self.finishing(scene).remove_worktree(),
            Effect::Rest => unreachable!("the loop ends when there is nothing to do"),
        }
    }

    fn was_performed(&mut self, effect: &Effect, row: &RunRow) -> Result<bool, DriveError> {
        match effect {
            Effect::Merge(order) => is_merged(self.case(row), order),
            _ => Ok(false),
        }
    }

    fn own_tests(&mut self, scene: &mut Scene<'_>) -> Result<Option<Event>, DriveError> {
        let mut own = OwnTests {
            case: case(self.place, &self.inputs, scene.row),
            approver: self.approver,
            watcher: scene.watcher,
        };
        own.ask()
    }

    fn show(&mut self, tree: &TreeId, row: &RunRow) -> Result<(), DriveError> {
        show_in_worktree(self.case(row), tree)
    }

    fn rest(&mut self) -> Result<(), DriveError> {
        Ok(self.arbiter.clear()?)
    }

    fn presence(&self) -> Presence {
        self.approver.presence()
    }

    fn actor(&self) -> String {
        actor(self.place)
    }
}

fn create_worktree(case: Case<'_>, watcher: &mut dyn Watcher) -> Result<Event, DriveError> {
    let base = case.base()?;
    say_what_is_not_part_of_the_run(case, &base, watcher)?;
    case.place
        .repository
        .worktrees()
        .create(&case.row.worktree, &case.row.branch, &base.commit)?;
    crash_point("worktree created");
    Ok(Event::WorktreeCreated { tree: base.tree })
}

fn say_what_is_not_part_of_the_run(
    case: Case<'_>,
    base: &Base,
    watcher: &mut dyn Watcher,
) -> Result<(), DriveError> {
    if case.place.repository.checkout()?.has_local_changes()? {
        watcher.remark(&format!(
            "your checkout has uncommitted changes; the run starts from {} without them and leaves them alone",
            base.commit.short()
        ));
    }
    for path in case.objects().filtered_by(&base.tree, &base.entries)? {
        watcher.remark(&format!(
            "{path} sends files through a filter program; the tests see them as git stores them"
        ));
    }
    Ok(())
}
