//! The one transition function.
//!
//! `step` does three things in order: it checks that the event answers the current effect, reduces it to a [`Signal`]
//! with the counters in mind, and looks the signal up in [`TRANSITIONS`] (the table in `transitions.rs`). The rest of
//! the file is bookkeeping for the rows.
//!
//! [`TRANSITIONS`]: super::TRANSITIONS

use thiserror::Error;

use super::candidate::Candidate;
use super::run::Removed;
use super::transitions::{From, Signal, To, lookup};
use super::verdicts::Red;
use super::{
    Asker, Attempts, Choice, Decision, Effect, Event, GateResult, LintResult, Run, Stage, State,
    Waiting,
};
use crate::gate::Disposition;
use crate::generation::prompts::Voice;
use crate::lld::ChangeType;
use crate::object_id::{CommitId, TreeId};
use crate::path::ProjectPath;

/// An event that does not answer the current effect. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the run is {state} at {stage:?} and does not expect this: {event}")]
pub struct Unexpected {
    /// Where the run is.
    pub stage: Stage,
    /// Whether it runs, is parked or has ended.
    pub state: &'static str,
    /// The event's name.
    pub event: String,
}

/// The message to the model when a person resumes a run in which it has called the tests wrong again.
const TESTS_STAY: &str =
    "You said that the tests are wrong. A person has looked at them: they stay as they are.";

/// The run after `event`, or the reason why that cannot have happened now.
pub fn step(run: &Run, event: &Event) -> Result<Run, Unexpected> {
    // These events move nothing from stage to stage and have no row.
    match event {
        Event::WorktreeRemoved { rescue } => {
            return run
                .after_removal(rescue.as_ref())
                .ok_or_else(|| run.unexpected(event));
        }
        Event::SecretAllowed { fingerprint } if !run.state.has_ended() => {
            let mut next = run.clone();
            next.conversation.allowed_secrets.allow(fingerprint.clone());
            return Ok(next);
        }
        Event::ModelChosen { model } if !run.state.has_ended() => {
            let mut next = run.clone();
            next.conversation.model = Some(model.clone());
            return Ok(next);
        }
        _ => {}
    }
    let signal = run.signal(event).ok_or_else(|| run.unexpected(event))?;
    let to = lookup(run.position(), signal).ok_or_else(|| run.unexpected(event))?;
    let mut next = run.clone();
    next.record(event);
    next.enter(signal, to, event);
    Ok(next)
}

impl Run {
    fn position(&self) -> From {
        match self.state {
            State::Parked(_) => From::ParkedAt(self.stage),
            _ => From::At(self.stage),
        }
    }

    fn unexpected(&self, event: &Event) -> Unexpected {
        let mut text = format!("{event:?}");
        if let Some((cut, _)) = text.char_indices().nth(120) {
            text.truncate(cut);
        }
        Unexpected {
            stage: self.stage,
            state: self.state.key(),
            event: text,
        }
    }

    /// The event's signal; `None` if it does not answer the current effect.
    fn signal(&self, event: &Event) -> Option<Signal> {
        if self.state.has_ended() {
            return None;
        }
        match (event, self.effect()) {
            (Event::Aborted, _) => Some(Signal::Aborted),
            (Event::TestsReopened { .. }, _) => Some(Signal::TestsReopened),
            (Event::TestsTaken { .. }, _) => Some(Signal::TestsTaken),
            (Event::GreenRecalled { tree }, _) => {
                (self.offered() == Some(tree)).then_some(Signal::Recalled)
            }
            (Event::Resumed, Effect::Rest) => match &self.state {
                State::Parked(
                    Waiting::Attempts { .. }
                    | Waiting::GaveUp { .. }
                    | Waiting::Disputed { .. }
                    | Waiting::OwnTests { .. },
                ) => Some(Signal::MoreAttempts),
                State::Parked(Waiting::Tests { .. }) => Some(Signal::MoreTests),
                State::Parked(_) => Some(Signal::Resumed),
                _ => None,
            },
            (Event::ContextLoaded(_), Effect::LoadContext) => Some(Signal::ContextLoaded),
            (Event::WorktreeCreated { .. }, Effect::CreateWorktree) => {
                Some(Signal::WorktreeCreated)
            }
            (Event::BaselineTaken { .. }, Effect::TakeBaseline) => Some(Signal::BaselineTaken),
            (
                Event::ModelReplied(_) | Event::RequestHeld(_),
                Effect::AskForTests { .. } | Effect::AskForFile { .. },
            ) => Some(match event {
                Event::RequestHeld(_) => Signal::RequestHeld,
                _ => Signal::Replied,
            }),
            (Event::ReplyRefused { .. } | Event::ChangesUnreadable { .. }, Effect::ApplyReply) => {
                Some(sent_back(Signal::Refused, self.attempts_here()))
            }
            (Event::ReplyCutOff { .. }, Effect::ApplyReply) => {
                let mut attempts = self.attempts_here();
                attempts.count_cut_off();
                Some(if attempts.are_spent() {
                    Signal::AttemptsSpent
                } else {
                    Signal::Refused
                })
            }
            (Event::GaveUp { .. }, Effect::ApplyReply) => Some(Signal::GaveUp),
            (Event::TestsDisputed { .. }, Effect::ApplyReply) => Some(self.dispute_signal()),
            (Event::WriteNeedsPerson { .. }, Effect::ApplyReply)
            | (Event::FileChanged { .. }, Effect::ApplyReply | Effect::DeleteFile { .. }) => {
                Some(Signal::WriteHeld)
            }
            (Event::FilesWritten { paths, .. }, Effect::ApplyReply | Effect::DeleteFile { .. }) => {
                Some(self.written_signal(paths))
            }
            (Event::RedJudged(result), Effect::JudgeRed(_)) => {
                self.gate_signal(result, self.scaffold())
            }
            (Event::GreenJudged(result), Effect::JudgeGreen(_)) => {
                self.gate_signal(result, self.implement())
            }
            (Event::Linted(LintResult::Complaints { .. }), Effect::Lint { .. })
                if self.asks_for_files() =>
            {
                Some(sent_back(Signal::Revise, self.implement()))
            }
            (Event::Linted(_), Effect::Lint { .. }) => Some(Signal::Accepted),
            (Event::PersonDecided(decision), Effect::AskPerson { tree }) => {
                self.decision_signal(decision, &tree)
            }
            (Event::NoOneToAsk, Effect::AskPerson { .. }) => Some(Signal::NoOneToAsk),
            (Event::Merged { .. }, Effect::Merge(_)) => Some(Signal::Merged),
            (Event::BaseMoved { .. }, Effect::Merge(_)) => Some(Signal::BaseMoved),
            (Event::MergeConflicted { .. }, Effect::Merge(_)) => Some(Signal::Conflicted),
            (Event::CheckoutBusy { .. }, Effect::Merge(_)) => Some(Signal::CheckoutBusy),
            _ => None,
        }
    }

    fn asks_for_files(&self) -> bool {
        let mut sources = self.context.iter().flat_map(|context| &context.sources);
        sources.any(|file| file.change != ChangeType::Delete)
    }

    fn written_signal(&self, paths: &[ProjectPath]) -> Signal {
        if self.completes_round(paths) {
            Signal::WroteAll
        } else {
            Signal::WroteSome
        }
    }

    fn gate_signal(&self, result: &GateResult, attempts: Attempts) -> Option<Signal> {
        if self.tree() != Some(&result.tree) {
            return None;
        }
        let at_green = self.stage == Stage::GreenGate;
        Some(match result.verdict.disposition() {
            Disposition::Accepted if !at_green && self.keeps_implementation() => {
                Signal::AcceptedAgain
            }
            Disposition::Accepted => Signal::Accepted,
            Disposition::Escalate => Signal::Escalated,
            Disposition::Reopen if at_green && !self.were_questioned() => {
                match sent_back(Signal::TestsAtFault, self.scaffold()) {
                    Signal::AttemptsSpent => Signal::TestsSpent,
                    back => back,
                }
            }
            // A model may not rewrite a person's tests, unless that person says so.
            Disposition::Revise | Disposition::Reopen
                if !at_green && self.tests_are_a_persons() =>
            {
                Signal::OwnTestsRefused
            }
            // Only Delete rows, and they are carried out: the model has no file to fix it in.
            Disposition::Revise | Disposition::Reopen if at_green && !self.asks_for_files() => {
                Signal::Escalated
            }
            // Source written for other tests is not an attempt at these.
            Disposition::Revise | Disposition::Reopen if at_green && self.is_carried() => {
                Signal::Revise
            }
            Disposition::Revise | Disposition::Reopen => sent_back(Signal::Revise, attempts),
        })
    }

    /// Once automatically, within the attempts at tests; after that a person has to decide whether the model is right.
    fn dispute_signal(&self) -> Signal {
        let mut scaffold = self.scaffold();
        scaffold.spend();
        if self.conversation.disputes > 0 || scaffold.are_spent() {
            Signal::Disputed
        } else {
            Signal::TestsAtFault
        }
    }

    /// Whether there is an implementation that the new tests can be tried on at once.
    fn keeps_implementation(&self) -> bool {
        let carried = self.candidate.as_ref().and_then(|it| it.carried.as_ref());
        carried.is_some() && self.conversation.after_tests.is_none()
    }

    fn is_carried(&self) -> bool {
        self.candidate.as_ref().is_some_and(|it| it.is_carried)
    }

    fn decision_signal(&self, decision: &Decision, tree: &TreeId) -> Option<Signal> {
        match decision.choice {
            Choice::Approve if decision.tree != *tree => None,
            Choice::Approve => {
                let order = self.verdicts.merge_order(tree, decision);
                order.map(|_| Signal::Approved)
            }
            Choice::Comment { .. } if decision.about_tests => Some(Signal::CommentedTests),
            Choice::Comment { .. } => self.asks_for_files().then_some(Signal::Commented),
            Choice::Reject { .. } | Choice::Abort => Some(Signal::Rejected),
        }
    }

    /// Keeps the event's facts.
    fn record(&mut self, event: &Event) {
        match event {
            Event::ContextLoaded(context) => self.context = Some(context.clone()),
            Event::WorktreeCreated { tree } => self.candidate = Some(Candidate::at(tree.clone())),
            Event::BaselineTaken { baseline } => self.verdicts.baseline = Some(baseline.clone()),
            Event::ModelReplied(reply) => self.conversation.replied(self.stage, reply),
            Event::ReplyRefused { reason } => {
                let told = reason.to_string();
                self.conversation.refuse(self.stage, told, false);
            }
            Event::ChangesUnreadable { reason } => {
                let told = reason.to_string();
                self.conversation.refuse(self.stage, told, true);
            }
            Event::ReplyCutOff { reason } => {
                self.conversation.cut_off(self.stage, reason.to_string());
            }
            Event::GaveUp { .. } => self.conversation.pending = None,
            Event::TestsDisputed { .. } => {
                self.conversation.pending = None;
                self.conversation.disputes += 1;
            }
            Event::FilesWritten {
                paths,
                tree,
                carried,
            } => self.record_written(paths, tree, carried.as_ref()),
            Event::RedJudged(result) => {
                self.conversation.say(Voice::Gate, &result.feedback);
                self.verdicts.red = Some(Red {
                    result: result.clone(),
                    sealed: None,
                });
            }
            Event::GreenJudged(result) => {
                self.conversation.say(Voice::Gate, &result.feedback);
                self.verdicts.judged_green(result);
                self.withdraw_offer(result);
            }
            Event::Linted(result) => {
                if let LintResult::Complaints { output, .. } = result {
                    self.conversation.say(Voice::Linter, output);
                }
                self.verdicts.lint = Some(result.clone());
                self.keep_offer();
            }
            Event::PersonDecided(decision) => {
                if let Choice::Comment { text } = &decision.choice {
                    self.conversation.say(Voice::Person, text);
                }
                let approves = decision.choice == Choice::Approve;
                self.verdicts.approval = approves.then(|| decision.clone());
            }
            Event::BaseMoved {
                tip,
                tree,
                base_tree,
            } => {
                self.base = tip.clone();
                self.candidate().move_base(tree, base_tree.as_ref());
                self.verdicts.base_moved();
                self.offer = None;
                self.conversation.implement.attempts.grant();
            }
            Event::GreenRecalled { .. } => self.recall(),
            Event::RequestHeld(_)
            | Event::SecretAllowed { .. }
            | Event::ModelChosen { .. }
            | Event::TestsReopened { .. }
            | Event::TestsTaken { .. }
            | Event::WriteNeedsPerson { .. }
            | Event::FileChanged { .. }
            | Event::NoOneToAsk
            | Event::MergeConflicted { .. }
            | Event::CheckoutBusy { .. }
            | Event::Merged { .. }
            | Event::Resumed
            | Event::Aborted
            | Event::WorktreeRemoved { .. } => {}
        }
    }

    fn record_written(&mut self, paths: &[ProjectPath], tree: &TreeId, carried: Option<&TreeId>) {
        let is_complete = self.completes_round(paths);
        let reply = self.conversation.used(self.stage);
        if self.stage == Stage::Scaffold {
            self.candidate().scaffold(paths, tree, carried);
        } else {
            let seen = reply.map_or_else(Vec::new, |reply| reply.seen);
            self.candidate().stage(paths, tree, seen);
            let queue = &mut self.conversation.queue;
            queue.retain(|file| !paths.contains(&file.path));
            if !is_complete {
                return;
            }
            self.candidate().complete_round();
        }
        // Earlier feedback concerns every file of the round.
        self.conversation.feedback = None;
    }

    fn candidate(&mut self) -> &mut Candidate {
        let candidate = self.candidate.as_mut();
        candidate.expect("nothing is asked, written or merged before the worktree stands")
    }

    /// Takes the row of the table.
    fn enter(&mut self, signal: Signal, to: To, event: &Event) {
        let left = self.stage;
        match (left, signal) {
            (Stage::RedGate, Signal::Revise | Signal::AttemptsSpent) => {
                self.conversation.scaffold.attempts.spend();
            }
            (Stage::GreenGate, Signal::Revise) if self.is_carried() => {}
            (Stage::GreenGate | Stage::Lint, Signal::Revise | Signal::AttemptsSpent) => {
                self.conversation.implement.attempts.spend();
            }
            (Stage::RedGate, Signal::Accepted | Signal::AcceptedAgain) => self.seal(),
            // A person who recalls a green has not granted any.
            (_, Signal::TestsSpent) if self.scaffold().are_spent() => {}
            (_, Signal::TestsSpent) => self.conversation.scaffold.attempts.spend(),
            (
                _,
                Signal::TestsAtFault
                | Signal::MoreTests
                | Signal::TestsReopened
                | Signal::CommentedTests
                | Signal::TestsTaken,
            ) => self.open_tests(signal, event),
            (Stage::Implement, Signal::MoreAttempts) if self.is_disputed() => {
                self.conversation.say(Voice::Person, TESTS_STAY);
                self.conversation.implement.attempts.grant();
            }
            (Stage::Scaffold | Stage::RedGate, Signal::MoreAttempts) => {
                self.conversation.scaffold.attempts.grant();
            }
            (_, Signal::MoreAttempts | Signal::Commented) => {
                self.conversation.implement.attempts.grant();
            }
            _ => {}
        }
        match to {
            To::Go(stage) => {
                self.state = State::Running;
                self.stage = stage;
                let new_round = stage == Stage::Implement
                    && (left != Stage::Implement || signal == Signal::MoreAttempts);
                if new_round {
                    self.start_round();
                }
            }
            To::Park => self.state = State::Parked(waiting(signal, event)),
            To::Merged => {
                if let Event::Merged { commit } = event {
                    self.state = State::Merged(commit.clone());
                }
            }
            To::Aborted => self.state = State::Aborted,
        }
    }

    fn seal(&mut self) {
        if let Some(candidate) = &mut self.candidate {
            self.verdicts
                .seal(&candidate.base_tree, &candidate.test_files);
            candidate.bring_sources_back();
        }
        self.conversation.wish = None;
        self.conversation.feedback = self.conversation.after_tests.take();
    }

    fn is_disputed(&self) -> bool {
        matches!(self.state, State::Parked(Waiting::Disputed { .. }))
    }

    /// Lifts the seal: by the gate and by the model within the attempts at tests, by a person with new ones.
    fn open_tests(&mut self, signal: Signal, event: &Event) {
        let attempts = &mut self.conversation.scaffold.attempts;
        if signal == Signal::TestsAtFault {
            attempts.spend();
        } else {
            attempts.grant();
        }
        match event {
            Event::GreenJudged(result) => {
                self.reopen(Asker::Gate, Voice::GreenGate, &result.feedback);
            }
            Event::TestsDisputed { reason } => {
                self.reopen(Asker::Model, Voice::Implementer, reason);
            }
            Event::PersonDecided(decision) => {
                if let Choice::Comment { text } = &decision.choice {
                    self.reopen_by_comment(&decision.by, text);
                }
            }
            Event::TestsReopened { text, by } => {
                self.reopen(Asker::Person(by.clone()), Voice::Person, text);
            }
            Event::TestsTaken {
                by,
                paths,
                tree,
                carried,
            } => {
                let reason = "their own edit in the worktree";
                self.reopen(Asker::Person(by.clone()), Voice::Person, reason);
                let candidate = self.candidate();
                candidate.scaffold(paths, tree, carried.as_ref());
                candidate.tests_are_a_persons = true;
            }
            // Resumed: they are reopened for the gate's last reasons.
            _ => {
                let said = self.conversation.feedback.take();
                let words = said.map_or_else(String::new, |said| said.words);
                self.reopen(Asker::Gate, Voice::GreenGate, &words);
            }
        }
    }

    /// Every source file of the design document is asked for again; deletions already made are not.
    fn start_round(&mut self) {
        let sources = self.context.iter().flat_map(|context| &context.sources);
        let queue = sources
            .filter(|file| {
                file.change != ChangeType::Delete || !self.source_files().contains(&file.path)
            })
            .cloned()
            .collect();
        self.conversation.start_round(queue);
        self.candidate().staged = None;
    }

    fn after_removal(&self, rescue: Option<&CommitId>) -> Option<Self> {
        (self.effect() == Effect::RemoveWorktree).then(|| {
            let mut next = self.clone();
            next.removed = Some(Removed {
                rescue: rescue.cloned(),
            });
            next
        })
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// Back to the model, unless this was its last attempt.
fn sent_back(back: Signal, mut attempts: Attempts) -> Signal {
    attempts.spend();
    if attempts.are_spent() {
        Signal::AttemptsSpent
    } else {
        back
    }
}

fn waiting(signal: Signal, event: &Event) -> Waiting {
    match event {
        Event::GaveUp { reason } => Waiting::GaveUp {
            reason: reason.clone(),
        },
        Event::TestsDisputed { reason } => Waiting::Disputed {
            reason: reason.clone(),
        },
        Event::RequestHeld(hold) => Waiting::Request(hold.clone()),
        Event::WriteNeedsPerson { reason } => Waiting::Write {
            reason: reason.clone(),
        },
        Event::MergeConflicted { files } => Waiting::Conflict {
            files: files.clone(),
        },
        Event::CheckoutBusy { reason } => Waiting::Checkout {
            reason: reason.clone(),
        },
        Event::ReplyRefused { reason }
        | Event::ChangesUnreadable { reason }
        | Event::ReplyCutOff { reason } => Waiting::Attempts {
            last_reason: first_line(&reason.facts()),
        },
        Event::FileChanged { reason } => Waiting::Worktree {
            reason: reason.clone(),
        },
        Event::RedJudged(result) | Event::GreenJudged(result) => {
            let reason = result.verdict.reasons.first().map_or_else(
                || first_line(&result.feedback),
                |reason| reason.message.clone(),
            );
            match signal {
                Signal::Escalated => Waiting::Judgement { reason },
                Signal::TestsSpent => Waiting::Tests { reason },
                Signal::OwnTestsRefused => Waiting::OwnTests { reason },
                _ => Waiting::Attempts {
                    last_reason: reason,
                },
            }
        }
        _ => Waiting::Review,
    }
}
