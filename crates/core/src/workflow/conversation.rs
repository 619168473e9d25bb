//! The conversation between the run and the model.

use super::{Attempts, Stage};
use crate::generation::ModelReply;
use crate::generation::prompts::{Feedback, Voice};
use crate::lld::PlannedFile;
use crate::secrets::AllowedSecrets;

/// Tokens that the model services counted, over all calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// Those of the sent ones that a service had kept from an earlier call.
    pub cached_tokens: u64,
    /// Millionths of a dollar, of the calls whose cost is known.
    pub known_micro_usd: u64,
    /// Calls of unknown cost.
    pub unpriced_calls: u32,
}

impl Usage {
    /// The total cost in millionths of a dollar, if the cost of every call is known.
    pub fn micro_usd(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.known_micro_usd)
    }

    /// Adds a reply's tokens and cost.
    fn count(&mut self, reply: &ModelReply) {
        self.input_tokens += reply.input_tokens;
        self.output_tokens += reply.output_tokens;
        self.cached_tokens += reply.cached_tokens;
        match reply.cost_micro_usd {
            Some(cost) => self.known_micro_usd += cost,
            None => self.unpriced_calls += 1,
        }
    }
}

impl std::ops::Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens + other.input_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            cached_tokens: self.cached_tokens + other.cached_tokens,
            known_micro_usd: self.known_micro_usd + other.known_micro_usd,
            unpriced_calls: self.unpriced_calls + other.unpriced_calls,
        }
    }
}

/// The questions of one kind: the attempts left, and the tokens and cost so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Questions {
    pub(super) attempts: Attempts,
    pub(super) usage: Usage,
}

/// Why the last reply was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Worded for the model.
    pub(super) reason: String,
    /// Whether changes could not be read, in this reply or in one before it that the same question got.
    pub(super) changes_unreadable: bool,
}

/// The conversation with the model. At most one reply is pending, and it is used or refused before the next question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Conversation {
    /// Questions for tests.
    pub(super) scaffold: Questions,
    /// Questions for everything else.
    pub(super) implement: Questions,
    /// Files that are still to be asked for, or deleted, in this round.
    pub(super) queue: Vec<PlannedFile>,
    /// Findings of the secret scan that a person has allowed.
    pub(super) allowed_secrets: AllowedSecrets,
    /// The reply that waits to be used.
    pub(super) pending: Option<ModelReply>,
    /// Feedback to the model on its last attempt.
    pub(super) feedback: Option<Feedback>,
    pub(super) refusal: Option<Refusal>,
    /// Why tests that were sealed are written again, until they are sealed.
    pub(super) wish: Option<Feedback>,
    /// A person's requests about other files meanwhile.
    pub(super) after_tests: Option<Feedback>,
    /// How often the model called the tests wrong.
    pub(super) disputes: u32,
    /// Which model a person has chosen since the run was started.
    pub(super) model: Option<String>,
}

impl Conversation {
    /// The questions that are asked at a stage.
    pub(super) fn at(&self, stage: Stage) -> &Questions {
        if stage == Stage::Scaffold {
            &self.scaffold
        } else {
            &self.implement
        }
    }

    /// The same, to be counted.
    pub(super) fn at_mut(&mut self, stage: Stage) -> &mut Questions {
        if stage == Stage::Scaffold {
            &mut self.scaffold
        } else {
            &mut self.implement
        }
    }

    /// Sets the feedback on the last attempt.
    pub(super) fn say(&mut self, voice: Voice, words: &str) {
        self.feedback = Some(Feedback {
            voice,
            words: words.to_owned(),
        });
    }

    /// Nothing that was asked or answered so far matters any more.
    pub(super) fn drop_questions(&mut self) {
        self.pending = None;
        self.refusal = None;
        self.feedback = None;
        self.wish = None;
        self.after_tests = None;
        self.queue.clear();
    }

    /// A reply has come.
    pub(super) fn replied(&mut self, stage: Stage, reply: &ModelReply) {
        let questions = self.at_mut(stage);
        questions.attempts.count_reply();
        questions.usage.count(reply);
        self.pending = Some(reply.clone());
    }

    /// The pending reply cannot be used.
    pub(super) fn refuse(&mut self, stage: Stage, reason: String, changes_unreadable: bool) {
        self.pending = None;
        self.refusal = Some(Refusal {
            reason,
            changes_unreadable,
        });
        self.at_mut(stage).attempts.spend();
    }

    /// The pending reply ends before its end.
    pub(super) fn cut_off(&mut self, stage: Stage, reason: String) {
        self.pending = None;
        self.refusal = Some(Refusal {
            reason,
            changes_unreadable: self.changes_were_unreadable(),
        });
        self.at_mut(stage).attempts.count_cut_off();
    }

    /// The pending reply is used, or a file was deleted without one.
    pub(super) fn used(&mut self, stage: Stage) -> Option<ModelReply> {
        self.refusal = None;
        self.at_mut(stage).attempts.answered();
        self.pending.take()
    }

    /// Every file of a new round is asked for in the usual way.
    pub(super) fn start_round(&mut self, queue: Vec<PlannedFile>) {
        self.queue = queue;
        if let Some(refusal) = &mut self.refusal {
            refusal.changes_unreadable = false;
        }
    }

    pub(super) fn changes_were_unreadable(&self) -> bool {
        self.refusal
            .as_ref()
            .is_some_and(|refusal| refusal.changes_unreadable)
    }
}
