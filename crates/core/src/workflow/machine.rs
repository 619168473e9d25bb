//! The one transition function.
//!
//! `step` does three things in order: it checks that the event answers what the run was waiting for,
//! reduces it to a [`Signal`] with the counters in mind, and looks the signal up in [`TRANSITIONS`]
//! (the table in `transitions.rs`). The rest of the file is bookkeeping for the rows.
//!
//! [`TRANSITIONS`]: super::TRANSITIONS

use thiserror::Error;

use super::transitions::{From, Signal, To, lookup};
use super::{
    Attempts, Choice, Decision, Effect, Event, GateResult, LintResult, Run, SealedTests, Stage,
    Staged, State, Waiting,
};
use crate::gate::Disposition;
use crate::lld::ChangeType;
use crate::object_id::{CommitId, TreeId};
use crate::path::ProjectPath;

/// An event that does not answer what the run was waiting for. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the run is {state} at {stage:?} and does not expect this: {event}")]
pub struct Unexpected {
    /// Where the run is.
    pub stage: Stage,
    /// Whether it runs, is parked or has ended.
    pub state: &'static str,
    /// What came.
    pub event: String,
}

/// The run after `event`, or the reason why that cannot have happened now.
pub fn step(run: &Run, event: &Event) -> Result<Run, Unexpected> {
    // Two events move nothing from stage to stage and have no row.
    match event {
        Event::WorktreeRemoved { rescue } => {
            return run
                .after_removal(rescue.as_ref())
                .ok_or_else(|| run.unexpected(event));
        }
        Event::SecretAllowed { fingerprint } if !run.state.has_ended() => {
            let mut next = run.clone();
            next.allowed_secrets.allow(fingerprint.clone());
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

    /// What the event means here; `None` if it does not answer the current effect.
    fn signal(&self, event: &Event) -> Option<Signal> {
        if self.state.has_ended() {
            return None;
        }
        match (event, self.effect()) {
            (Event::Aborted, _) => Some(Signal::Aborted),
            (Event::Resumed, Effect::Rest) => match &self.state {
                State::Parked(Waiting::Attempts { .. } | Waiting::GaveUp { .. }) => {
                    Some(Signal::MoreAttempts)
                }
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
            (Event::WriteNeedsPerson { .. }, Effect::ApplyReply)
            | (Event::FileChanged { .. }, Effect::ApplyReply | Effect::DeleteFile { .. }) => {
                Some(Signal::WriteHeld)
            }
            (Event::FilesWritten { paths, .. }, Effect::ApplyReply | Effect::DeleteFile { .. }) => {
                Some(self.written_signal(paths))
            }
            (Event::RedJudged(result), Effect::JudgeRed) => self.gate_signal(result, self.scaffold),
            (Event::GreenJudged(result), Effect::JudgeGreen) => {
                self.gate_signal(result, self.implement)
            }
            (Event::Linted(LintResult::Complaints { .. }), Effect::Lint)
                if self.asks_for_files() =>
            {
                Some(sent_back(Signal::Revise, self.implement))
            }
            (Event::Linted(_), Effect::Lint) => Some(Signal::Accepted),
            (Event::PersonDecided(decision), Effect::AskPerson { tree }) => {
                self.decision_signal(decision, &tree)
            }
            (Event::NobodyToAsk, Effect::AskPerson { .. }) => Some(Signal::Nobody),
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
        if self.tree.as_ref() != Some(&result.tree) {
            return None;
        }
        Some(match result.verdict.disposition {
            Disposition::Accepted => Signal::Accepted,
            // Only Delete rows, and they are carried out: the model has nothing to mend it with.
            Disposition::Revise if self.stage == Stage::GreenGate && !self.asks_for_files() => {
                Signal::Escalated
            }
            Disposition::Revise => sent_back(Signal::Revise, attempts),
            Disposition::Escalate => Signal::Escalated,
        })
    }

    fn decision_signal(&self, decision: &Decision, tree: &TreeId) -> Option<Signal> {
        match decision.choice {
            Choice::Approve if decision.tree != *tree => None,
            Choice::Approve => {
                let mut approved = self.clone();
                approved.approval = Some(decision.clone());
                approved.merge_order().map(|_| Signal::Approved)
            }
            Choice::Comment { .. } => self.asks_for_files().then_some(Signal::Commented),
            Choice::Reject { .. } | Choice::Abort => Some(Signal::Rejected),
        }
    }

    /// Keeps what the event says.
    fn record(&mut self, event: &Event) {
        match event {
            Event::ContextLoaded(context) => self.context = Some(context.clone()),
            Event::WorktreeCreated { tree } => {
                self.base_tree = Some(tree.clone());
                self.tree = Some(tree.clone());
            }
            Event::BaselineTaken { baseline } => self.baseline = Some(baseline.clone()),
            Event::ModelReplied(reply) => {
                self.counters().count_reply();
                if self.stage == Stage::Scaffold {
                    self.scaffold_usage.count(reply);
                } else {
                    self.implement_usage.count(reply);
                }
                self.pending = Some(reply.clone());
            }
            Event::ReplyRefused { reason } | Event::ChangesUnreadable { reason } => {
                self.pending = None;
                self.refusal = Some(reason.clone());
                self.changes_unreadable = matches!(event, Event::ChangesUnreadable { .. });
                self.counters().spend();
            }
            Event::ReplyCutOff { reason } => {
                self.pending = None;
                self.refusal = Some(reason.clone());
                self.counters().count_cut_off();
            }
            Event::GaveUp { .. } => self.pending = None,
            Event::FilesWritten { paths, tree } => self.record_written(paths, tree),
            Event::RedJudged(result) => {
                self.feedback = Some(result.feedback.clone());
                self.red = Some(result.clone());
            }
            Event::GreenJudged(result) => {
                self.feedback = Some(result.feedback.clone());
                self.green = Some(result.clone());
            }
            Event::Linted(result) => {
                if let LintResult::Complaints { output, .. } = result {
                    self.feedback = Some(output.clone());
                }
                self.lint = Some(result.clone());
            }
            Event::PersonDecided(decision) => {
                if let Choice::Comment { text } = &decision.choice {
                    self.feedback = Some(text.clone());
                }
                self.approval = (decision.choice == Choice::Approve).then(|| decision.clone());
            }
            Event::BaseMoved { tip, tree } => {
                self.base = tip.clone();
                self.tree = Some(tree.clone());
                self.baseline = None;
                self.approval = None;
                self.implement.grant();
            }
            Event::RequestHeld(_)
            | Event::SecretAllowed { .. }
            | Event::WriteNeedsPerson { .. }
            | Event::FileChanged { .. }
            | Event::NobodyToAsk
            | Event::MergeConflicted { .. }
            | Event::CheckoutBusy { .. }
            | Event::Merged { .. }
            | Event::Resumed
            | Event::Aborted
            | Event::WorktreeRemoved { .. } => {}
        }
    }

    fn record_written(&mut self, paths: &[ProjectPath], tree: &TreeId) {
        let is_complete = self.completes_round(paths);
        let seen = self.pending.take().map(|reply| reply.seen);
        self.refusal = None;
        self.changes_unreadable = false;
        self.counters().answered();
        if self.stage == Stage::Scaffold {
            self.test_files = paths.to_vec();
        } else {
            self.queue.retain(|file| !paths.contains(&file.path));
            let mut staged = self.staged.take().unwrap_or_else(|| Staged {
                tree: tree.clone(),
                files: Vec::new(),
                seen: Vec::new(),
            });
            staged.tree = tree.clone();
            staged.files.extend_from_slice(paths);
            staged.seen.extend(seen.into_iter().flatten());
            if !is_complete {
                self.staged = Some(staged);
                return;
            }
            for path in staged.files {
                if !self.source_files.contains(&path) {
                    self.source_files.push(path);
                }
            }
        }
        // What went wrong before concerns every file of the round.
        self.feedback = None;
        self.tree = Some(tree.clone());
    }

    fn counters(&mut self) -> &mut Attempts {
        if self.stage == Stage::Scaffold {
            &mut self.scaffold
        } else {
            &mut self.implement
        }
    }

    /// Takes the row of the table.
    fn enter(&mut self, signal: Signal, to: To, event: &Event) {
        let left = self.stage;
        match (left, signal) {
            (Stage::RedGate, Signal::Revise | Signal::AttemptsSpent) => self.scaffold.spend(),
            (Stage::GreenGate | Stage::Lint, Signal::Revise | Signal::AttemptsSpent) => {
                self.implement.spend();
            }
            (Stage::RedGate, Signal::Accepted) => self.seal(),
            (Stage::Scaffold | Stage::RedGate, Signal::MoreAttempts) => self.scaffold.grant(),
            (_, Signal::MoreAttempts | Signal::Commented) => self.implement.grant(),
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
        self.sealed = self.tree.clone().map(|tree| SealedTests {
            tree,
            files: self.test_files.clone(),
        });
        self.feedback = None;
    }

    /// Every source file of the design document is asked for anew; deletions already made are not.
    fn start_round(&mut self) {
        self.staged = None;
        self.changes_unreadable = false;
        let sources = self.context.iter().flat_map(|context| &context.sources);
        self.queue = sources
            .filter(|file| {
                file.change != ChangeType::Delete || !self.source_files.contains(&file.path)
            })
            .cloned()
            .collect();
    }

    fn after_removal(&self, rescue: Option<&CommitId>) -> Option<Self> {
        (self.effect() == Effect::RemoveWorktree).then(|| {
            let mut next = self.clone();
            next.worktree_removed = true;
            next.rescue = rescue.cloned();
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
            last_reason: first_line(reason),
        },
        Event::FileChanged { reason } => Waiting::Worktree {
            reason: reason.clone(),
        },
        Event::RedJudged(result) | Event::GreenJudged(result) => {
            let reason = result.verdict.reasons.first().map_or_else(
                || first_line(&result.feedback),
                |reason| reason.message.clone(),
            );
            if signal == Signal::Escalated {
                Waiting::Judgement { reason }
            } else {
                Waiting::Attempts {
                    last_reason: reason,
                }
            }
        }
        _ => Waiting::Review,
    }
}
