//! The loop: perform the effect, journal the event, step, repeat.
//!
//! The driver decides nothing. What is to be done comes from
//! [`Run::effect`](proctor_core::workflow::Run::effect), what follows from the outcome is decided by
//! [`step`]. An event is on the disk before the next effect begins, so a crash repeats at most the one
//! effect whose event is missing, and every effect can be repeated: replies and trees are found again
//! or made the same.

mod apply;
mod ask;
mod audience;
mod finish;
mod gates;
mod inputs;
mod replacement;
mod reply;
mod start;

use std::path::PathBuf;
use std::sync::Arc;

use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::BaselineError;
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::{Autonomy, Permission, Presence};
use proctor_core::secrets::Fingerprint;
use proctor_core::workflow::{Effect, Event, State, Unexpected, Waiting, step};
use thiserror::Error;

use crate::clock::Clock;
use crate::crash_point::crash_point;
use crate::files::{FileError, OwnFileError};
use crate::gate::{Arbiter, GateError, NO_BASELINE, Place, Rooms};
use crate::git::{Entries, GitError, Repository, WorktreeError};
use crate::journal::{Journal, JournalError, RunRow};
use crate::model::{Model, ModelError, SpecError};
use crate::preparation::PreparationError;
use crate::process::{Interrupt, Launcher, SandboxError};
use crate::run_data::RunData;
use crate::surroundings::Surroundings;

pub use audience::{Approver, ReviewSheet, Subject, Watcher};
pub use finish::{abort, commit_message, evidence_trailer, remove_leftovers, review_sheet};
pub use inputs::{Examination, Inputs, Intake, IntakeError};
pub use start::{StartError, StartRequest, branch_name, is_issue, start};

/// The world a driver works in.
pub struct World<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// Its journal.
    pub journal: &'a mut Journal,
    /// The environment.
    pub surroundings: &'a Surroundings,
    /// How jobs are started.
    pub launcher: &'a Launcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The time.
    pub clock: Clock,
    /// Who is told.
    pub watcher: &'a mut dyn Watcher,
    /// Who is asked.
    pub approver: &'a mut dyn Approver,
    /// Whether a person came for the review: then `--auto` does not stand in the way of asking.
    pub review_requested: bool,
}

/// Drives one run. The caller holds the run's lock.
pub struct Driver<'a> {
    world: World<'a>,
    model: Option<Box<dyn Model>>,
    row: RunRow,
    inputs: Inputs,
    arbiter: Arbiter<'a>,
}

/// Why the loop stopped before the run came to rest. The run can be resumed.
#[derive(Debug, Error)]
pub enum DriveError {
    /// A person interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The worktree could not be made or removed.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The worktree is not where it was.
    #[error("the worktree {} is gone: {source}", path.display())]
    WorktreeGone {
        /// Where it was.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A directory or file of Proctor's own could not be written.
    #[error(transparent)]
    Own(#[from] OwnFileError),
    /// The model gave no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no such model.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The tests could not be run.
    #[error(transparent)]
    Gate(GateError),
    /// What the tests need besides git could not be made.
    #[error(transparent)]
    Preparation(PreparationError),
    /// There is no sandbox to run tests in.
    #[error(transparent)]
    Sandbox(SandboxError),
    /// The suite cannot be judged at the base commit.
    #[error("the tests cannot be judged at the base commit: {0}")]
    Baseline(BaselineError),
    /// The branch to merge into is gone.
    #[error("the base branch {0} does not exist any more")]
    NoBaseBranch(String),
    /// Git does not know who the user is.
    #[error("git does not know your name and e-mail address, which the commit needs")]
    NoIdentity,
    /// The driver was made for cleaning up only.
    #[error("there is no model to ask")]
    NoModel,
    /// A bug of ours.
    #[error("the run's state machine refused an event: {0}")]
    Unexpected(#[from] Unexpected),
}

impl From<GateError> for DriveError {
    fn from(error: GateError) -> Self {
        match error {
            error if error.is_interrupt() => Self::Interrupted,
            GateError::Baseline(error) => Self::Baseline(error),
            GateError::Preparation(error) => Self::Preparation(error),
            GateError::Sandbox(error) => Self::Sandbox(error),
            error => Self::Gate(error),
        }
    }
}

impl Explained for DriveError {
    fn kind(&self) -> Kind {
        match self {
            Self::Interrupted => Kind::Interrupted,
            Self::Journal(error) => error.kind(),
            Self::Git(error) => error.kind(),
            Self::Worktree(error) => error.kind(),
            Self::File(error) => error.kind(),
            Self::Own(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Spec(error) => error.kind(),
            Self::Gate(error) => error.kind(),
            Self::Preparation(error) => error.kind(),
            Self::Sandbox(error) => error.kind(),
            Self::WorktreeGone { .. }
            | Self::Baseline(_)
            | Self::NoBaseBranch(_)
            | Self::NoIdentity => Kind::Environment,
            Self::NoModel | Self::Unexpected(_) => Kind::Bug,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Interrupted | Self::NoModel | Self::Unexpected(_) => return Vec::new(),
                Self::Journal(error) => return error.hints(),
                Self::Git(error) => return error.hints(),
                Self::Worktree(error) => return error.hints(),
                Self::File(error) => return error.hints(),
                Self::Own(error) => return error.hints(),
                Self::Model(error) => return error.hints(),
                Self::Spec(error) => return error.hints(),
                Self::Gate(error) => return error.hints(),
                Self::Preparation(error) => return error.hints(),
                Self::Sandbox(error) => return error.hints(),
                Self::WorktreeGone { .. } => "what it had written is in the journal",
                Self::Baseline(_) => NO_BASELINE,
                Self::NoBaseBranch(_) => "make the branch again, or abort the run",
                Self::NoIdentity => {
                    "git config user.name \"Your Name\" && git config user.email you@example.org"
                }
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for DriveError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(DriveError {
            DriveError::Interrupted => DriveError::Interrupted,
            DriveError::Journal(_) => DriveError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
            DriveError::Git(_) => DriveError::Git(GitError::sample()),
            DriveError::Worktree(_) => DriveError::Worktree(WorktreeError::Git(GitError::sample())),
            DriveError::WorktreeGone { .. } => DriveError::WorktreeGone {
                path: "PATH".into(),
                source: std::io::Error::other("REASON"),
            },
            DriveError::File(_) => DriveError::File(FileError::Missing { path: "PATH".to_owned() }),
            DriveError::Own(_) => DriveError::Own(OwnFileError::sample()),
            DriveError::Model(_) => DriveError::Model(ModelError::NoScriptedReply {
                script: "PATH".to_owned(),
                question: "QUESTION".to_owned(),
            }),
            DriveError::Spec(_) => DriveError::Spec(SpecError::Missing),
            DriveError::Gate(_) => DriveError::Gate(GateError::Git(GitError::sample())),
            DriveError::Preparation(_) => DriveError::Preparation(PreparationError::Git(GitError::sample())),
            DriveError::Sandbox(_) => DriveError::Sandbox(SandboxError::NoHelper),
            DriveError::Baseline(_) => DriveError::Baseline(BaselineError::sample()),
            DriveError::NoBaseBranch(_) => DriveError::NoBaseBranch("BRANCH".to_owned()),
            DriveError::NoIdentity => DriveError::NoIdentity,
            DriveError::NoModel => DriveError::NoModel,
            DriveError::Unexpected(_) => DriveError::Unexpected(Unexpected {
                stage: proctor_core::workflow::Stage::Review,
                state: "parked",
                event: "EVENT".to_owned(),
            }),
        })
    }
}

/// What a run is based on.
#[derive(Debug, Clone)]
struct Base {
    commit: CommitId,
    tree: TreeId,
    entries: Arc<Entries>,
}

impl<'a> Driver<'a> {
    /// A driver for a registered run. Without a model it can finish and clean up, but not ask.
    pub fn new(
        world: World<'a>,
        model: Option<Box<dyn Model>>,
        row: RunRow,
        inputs: Inputs,
    ) -> Self {
        let place = Place {
            repository: world.repository,
            surroundings: world.surroundings,
            launcher: world.launcher,
            interrupt: world.interrupt,
        };
        let data = RunData::of(world.repository, &row);
        let rooms = Rooms {
            own: row.worktree.parent().unwrap_or(&row.worktree).to_owned(),
            judged: data.judged_directory(),
            prepared: data.prepared_directory(),
            evidence: data.evidence_directory(),
        };
        let arbiter = Arbiter::new(place, inputs.settings.clone(), &inputs.test_command, rooms);
        Self {
            world,
            model,
            row,
            inputs,
            arbiter,
        }
    }

    /// The run as it is now.
    pub fn row(&self) -> &RunRow {
        &self.row
    }

    /// Wakes a parked run, unless it would only park again because nobody is at a terminal.
    pub fn go_on(&mut self) -> Result<(), DriveError> {
        let run = &self.row.run;
        let State::Parked(waiting) = run.state() else {
            return Ok(());
        };
        let presence = self.world.approver.presence();
        let asks = match waiting {
            Waiting::Review => self.autonomy().at_review(presence) == Permission::Ask,
            Waiting::Write { .. } => presence == Presence::AtTerminal,
            _ => true,
        };
        if asks {
            self.happened(&Event::Resumed)
        } else {
            Ok(())
        }
    }

    /// Records a person's decisions about findings of the secret scan. A run that has ended needs none.
    pub fn allow_secrets(&mut self, fingerprints: &[Fingerprint]) -> Result<(), DriveError> {
        if self.row.run.state().has_ended() {
            return Ok(());
        }
        for fingerprint in fingerprints {
            self.happened(&Event::SecretAllowed {
                fingerprint: fingerprint.clone(),
            })?;
        }
        Ok(())
    }

    /// The run's flags; a person who came for the review is asked whatever `--auto` said.
    fn autonomy(&self) -> Autonomy {
        let mut autonomy = self.row.run.started().autonomy;
        autonomy.auto &= !self.world.review_requested;
        autonomy
    }

    /// Goes on until the run rests: parked, merged or aborted.
    pub fn drive(&mut self) -> Result<(), DriveError> {
        let rested = self.until_rest();
        // What was laid out for the gates is needed by nobody else.
        let cleared = self.arbiter.clear();
        rested?;
        Ok(cleared?)
    }

    fn until_rest(&mut self) -> Result<(), DriveError> {
        loop {
            if self.world.interrupt.is_set() {
                return Err(DriveError::Interrupted);
            }
            let effect = self.row.run.effect();
            if effect == Effect::Rest {
                return Ok(());
            }
            crash_point("before an effect");
            self.world.watcher.begins(&self.row.run, &effect);
            let event = match self.perform(&effect) {
                // What was being started when Ctrl-C was pressed got it too; its failure is no news.
                Err(_) if self.world.interrupt.is_set() => return Err(DriveError::Interrupted),
                other => other?,
            };
            crash_point("after an effect");
            self.happened(&event)?;
        }
    }

    /// Journals an event, then lets it have its consequences.
    pub fn happened(&mut self, event: &Event) -> Result<(), DriveError> {
        let next = step(&self.row.run, event)?;
        let actor = match event {
            Event::PersonDecided(decision) => decision.by.clone(),
            Event::Resumed | Event::Aborted | Event::SecretAllowed { .. } => self.actor(),
            _ => "proctor".to_owned(),
        };
        let ended = next.state().has_ended() && next.worktree_removed();
        self.world
            .journal
            .record_event(&self.row.id, event, &actor, ended)?;
        self.row.run = next;
        self.world.watcher.happened(&self.row.run, event);
        Ok(())
    }

    fn perform(&mut self, effect: &Effect) -> Result<Event, DriveError> {
        match effect {
            Effect::LoadContext => Ok(Event::ContextLoaded(self.inputs.loaded.clone())),
            Effect::CreateWorktree => self.create_worktree(),
            Effect::TakeBaseline => self.take_baseline(),
            Effect::AskForTests { attempt } => self.ask_for_tests(*attempt),
            Effect::AskForFile { path, attempt } => self.ask_for_file(path, *attempt),
            Effect::ApplyReply => self.apply_reply(),
            Effect::DeleteFile { path } => self.delete_file(path),
            Effect::JudgeRed(order) => self.judge_red(order),
            Effect::JudgeGreen(order) => self.judge_green(order),
            Effect::Lint => self.lint(),
            Effect::AskPerson { tree } => self.ask_person(tree),
            Effect::Merge(order) => self.merge(order),
            Effect::RemoveWorktree => self.remove_worktree(),
            Effect::Rest => unreachable!("the loop ends when there is nothing to do"),
        }
    }

    fn create_worktree(&mut self) -> Result<Event, DriveError> {
        let base = self.base()?;
        self.say_what_is_not_part_of_the_run(&base)?;
        self.world.repository.worktrees().create(
            &self.row.worktree,
            &self.row.branch,
            &base.commit,
        )?;
        crash_point("worktree created");
        Ok(Event::WorktreeCreated { tree: base.tree })
    }

    fn say_what_is_not_part_of_the_run(&mut self, base: &Base) -> Result<(), DriveError> {
        if self.world.repository.checkout()?.has_local_changes()? {
            let text = format!(
                "your checkout has uncommitted changes; the run starts from {} without them and leaves them alone",
                base.commit.short()
            );
            self.world.watcher.remark(&text);
        }
        for path in self
            .world
            .repository
            .objects()
            .filtered_by(&base.tree, &base.entries)?
        {
            let text = format!(
                "{path} sends files through a filter program; the tests see them as git stores them"
            );
            self.world.watcher.remark(&text);
        }
        Ok(())
    }

    /// The base commit, its tree and what is in it.
    fn base(&self) -> Result<Base, DriveError> {
        let commit = self.row.run.base().clone();
        let tree = self.world.repository.objects().tree_of(&commit)?;
        let entries = self.world.repository.objects().entries(&tree)?;
        Ok(Base {
            commit,
            tree,
            entries,
        })
    }

    /// Where the run's data lies.
    fn data(&self) -> RunData<'_> {
        RunData::of(self.world.repository, &self.row)
    }

    /// Who acts, for the trail.
    fn actor(&self) -> String {
        let person = self.world.repository.person().ok().flatten();
        person.map_or_else(
            || "somebody git does not know".to_owned(),
            |person| person.to_string(),
        )
    }
}
