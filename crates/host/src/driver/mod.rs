//! The loop: perform the effect, journal the event, step, repeat.
//!
//! The [`Driver`] decides nothing and does no work itself. The next task comes from
//! [`Run::effect`](proctor_core::workflow::Run::effect), a [`Perform`] carries it out, [`step`] decides what follows.
//! An event is on the disk before the next effect begins, so a crash repeats at most the one effect whose event is
//! missing, and every effect can be repeated: replies and trees are found again or made the same.
//!
//! [`Local`] performs effects on this machine, with one type for each kind of work: `Asking` the model,
//! `Writing` its replies, `Judging` trees, `Finishing` a run.

mod apply;
mod ask;
mod audience;
mod case;
mod document;
mod error;
mod finish;
mod gates;
mod inputs;
mod local;
mod own_tests;
mod replacement;
mod reply;
mod start;

use proctor_core::object_id::TreeId;
use proctor_core::permission::{Autonomy, Permission, Presence};
use proctor_core::secrets::Fingerprint;
use proctor_core::workflow::{Effect, Event, State, Waiting, step};

use crate::crash_point::crash_point;
use crate::journal::{Journal, RunRow};
use crate::process::Interrupt;

pub use audience::{Approver, ReviewSheet, Subject, TestsAnswer, Watcher};
pub use document::{DocumentError, find_document, write_document};
pub use error::DriveError;
pub use finish::{
    approval_trailer, commit_message, evidence_trailer, remove_leftovers, review_sheet,
};
pub use inputs::{Examination, Inputs, Intake, IntakeError};
pub use local::Local;
pub use start::{StartError, StartRequest, branch_name, could_start, is_issue, start};

/// The surroundings of an effect.
pub struct Scene<'s> {
    /// The run as it is.
    pub row: &'s RunRow,
    /// `--auto` and `--force`; a person who came for the review is asked regardless of them.
    pub autonomy: Autonomy,
    /// The journal, for facts that are not events.
    pub journal: &'s mut Journal,
    /// The observer.
    pub watcher: &'s mut dyn Watcher,
}

/// Carries out a run's effects. The loop does not know where or how.
pub trait Perform {
    /// Carries out an effect and returns its event. Doing it again after a crash has to be harmless.
    fn perform(&mut self, effect: &Effect, scene: &mut Scene<'_>) -> Result<Event, DriveError>;

    /// Whether an effect was carried out before, although its event is missing.
    fn was_performed(&mut self, effect: &Effect, row: &RunRow) -> Result<bool, DriveError>;

    /// A person's decision about their own edit of the tests in the worktree; none where there is no edit, or it was
    /// put aside.
    fn own_tests(&mut self, scene: &mut Scene<'_>) -> Result<Option<Event>, DriveError>;

    /// Checks a tree out for people who look at the run's files.
    fn show(&mut self, tree: &TreeId, row: &RunRow) -> Result<(), DriveError>;

    /// The run rests: its resources are released.
    fn rest(&mut self) -> Result<(), DriveError>;

    /// Whether a person can be asked.
    fn presence(&self) -> Presence;

    /// The actor, for the trail.
    fn actor(&self) -> String;
}

/// Drives one run. The caller holds the run's lock.
pub struct Driver<'a> {
    /// Where events are kept.
    pub journal: &'a mut Journal,
    /// The observer.
    pub watcher: &'a mut dyn Watcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The performer of effects.
    pub performer: &'a mut dyn Perform,
    /// The run as it is.
    pub row: RunRow,
    /// Whether a person came for the review: then `--auto` does not prevent asking.
    pub review_requested: bool,
}

impl Driver<'_> {
    /// Wakes a parked run, unless it would only park again because no person is at a terminal.
    pub fn go_on(&mut self) -> Result<(), DriveError> {
        let State::Parked(waiting) = self.row.run.state() else {
            return Ok(());
        };
        let presence = self.performer.presence();
        let asks = match waiting {
            Waiting::Review => self.autonomy().at_review(presence) == Permission::Ask,
            Waiting::Write { .. } => presence == Presence::AtTerminal,
            _ => true,
        };
        if asks {
            self.record(&Event::Resumed)
        } else {
            Ok(())
        }
    }

    /// Notices tests that a person edited in the worktree, and asks what to do with them. Returns whether they replace
    /// the run's.
    pub fn notice_own_tests(&mut self) -> Result<bool, DriveError> {
        if self.row.run.state().has_ended() {
            return Ok(false);
        }
        let mut scene = Scene {
            row: &self.row,
            autonomy: self.autonomy(),
            journal: self.journal,
            watcher: self.watcher,
        };
        match self.performer.own_tests(&mut scene)? {
            Some(event) => self.record(&event).map(|()| true),
            None => Ok(false),
        }
    }

    /// Has the tests written again, with a person's words about them.
    pub fn reopen_tests(&mut self, text: &str) -> Result<(), DriveError> {
        self.record(&Event::TestsReopened {
            text: text.to_owned(),
            by: self.performer.actor(),
        })
    }

    /// Goes back to the last green that was accepted.
    pub fn recall_green(&mut self) -> Result<(), DriveError> {
        let Some(tree) = self.row.run.offered().cloned() else {
            return Ok(());
        };
        self.performer.show(&tree, &self.row)?;
        self.record(&Event::GreenRecalled { tree })
    }

    /// Has another model asked from now on.
    pub fn choose_model(&mut self, model: &str) -> Result<(), DriveError> {
        self.record(&Event::ModelChosen {
            model: model.to_owned(),
        })
    }

    /// Records a person's decisions about findings of the secret scan. A run that has ended needs none.
    pub fn allow_secrets(&mut self, fingerprints: &[Fingerprint]) -> Result<(), DriveError> {
        if self.row.run.state().has_ended() {
            return Ok(());
        }
        for fingerprint in fingerprints {
            self.record(&Event::SecretAllowed {
                fingerprint: fingerprint.clone(),
            })?;
        }
        Ok(())
    }

    /// Ends a run that is not running anywhere. A merge that happened but was not written down is written
    /// down instead of being contradicted.
    pub fn abort(&mut self) -> Result<(), DriveError> {
        let effect = self.row.run.effect();
        let is_merged = matches!(effect, Effect::Merge(_))
            && self.performer.was_performed(&effect, &self.row)?;
        if !is_merged && !self.row.run.state().has_ended() {
            self.record(&Event::Aborted)?;
        }
        self.drive()
    }

    /// Continues until the run rests: parked, merged or aborted.
    pub fn drive(&mut self) -> Result<(), DriveError> {
        let rested = self.until_rest();
        let released = self.performer.rest();
        rested.and(released)
    }

    fn until_rest(&mut self) -> Result<(), DriveError> {
        loop {
            if self.interrupt.is_set() {
                return Err(DriveError::Interrupted);
            }
            let effect = self.row.run.effect();
            if effect == Effect::Rest {
                return Ok(());
            }
            crash_point("before an effect");
            self.watcher.begins(&self.row.run, &effect);
            let mut scene = Scene {
                row: &self.row,
                autonomy: self.autonomy(),
                journal: self.journal,
                watcher: self.watcher,
            };
            let event = match self.performer.perform(&effect, &mut scene) {
                // A process that was being started when Ctrl-C was pressed got the signal too; its failure is not news.
                Err(_) if self.interrupt.is_set() => return Err(DriveError::Interrupted),
                other => other?,
            };
            crash_point("after an effect");
            self.record(&event)?;
        }
    }

    /// Journals an event, then lets it have its consequences.
    fn record(&mut self, event: &Event) -> Result<(), DriveError> {
        let next = step(&self.row.run, event)?;
        let actor = match event {
            Event::PersonDecided(decision) => decision.by.clone(),
            Event::TestsReopened { by, .. } | Event::TestsTaken { by, .. } => by.clone(),
            Event::TestsDisputed { .. } => "model".to_owned(),
            Event::Resumed
            | Event::Aborted
            | Event::GreenRecalled { .. }
            | Event::ModelChosen { .. }
            | Event::SecretAllowed { .. } => self.performer.actor(),
            _ => "proctor".to_owned(),
        };
        let ended = next.state().has_ended() && next.worktree_removed();
        self.journal
            .record_event(&self.row.id, event, &actor, ended)?;
        self.row.run = next;
        self.watcher.record(&self.row.run, event);
        Ok(())
    }

    fn autonomy(&self) -> Autonomy {
        let mut autonomy = self.row.run.started().autonomy;
        autonomy.auto &= !self.review_requested;
        autonomy
    }
}
