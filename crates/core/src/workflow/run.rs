//! A run as its events made it, and its next effect.

use std::collections::BTreeSet;

use super::candidate::{Candidate, Staged};
use super::conversation::{Conversation, Usage};
use super::reopening::{Offer, Reopening};
use super::verdicts::Verdicts;
use super::{
    Attempts, ContextLoaded, Decision, Effect, GateResult, LintResult, MergeOrder, Stage, Started,
    State,
};
use crate::gate::{Baseline, GreenOrder, RedOrder, RedScope, SealedTests};
use crate::generation::ModelReply;
use crate::generation::prompts::Feedback;
use crate::lld::{ChangeType, PlannedFile};
use crate::object_id::{CommitId, TreeId};
use crate::path::ProjectPath;
use crate::secrets::AllowedSecrets;
use crate::test_outcome::SandboxLevel;

/// The commit that was saved when the worktree was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Removed {
    pub(super) rescue: Option<CommitId>,
}

/// A run as its events made it. Only [`step`](super::step) changes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub(super) started: Started,
    pub(super) stage: Stage,
    pub(super) state: State,
    pub(super) base: CommitId,
    pub(super) context: Option<ContextLoaded>,
    /// None until the worktree exists.
    pub(super) candidate: Option<Candidate>,
    pub(super) conversation: Conversation,
    pub(super) verdicts: Verdicts,
    /// The last green that was accepted.
    pub(super) offer: Option<Box<Offer>>,
    /// When and why sealed tests were opened again.
    pub(super) reopenings: Vec<Reopening>,
    /// Trees whose tests the green gate has held to be at fault.
    pub(super) questioned: BTreeSet<TreeId>,
    /// None until the worktree is gone.
    pub(super) removed: Option<Removed>,
}

impl Run {
    /// A run at its very beginning.
    pub fn new(started: Started) -> Self {
        Self {
            base: started.base.clone(),
            started,
            stage: Stage::LoadContext,
            state: State::Running,
            context: None,
            candidate: None,
            conversation: Conversation::default(),
            verdicts: Verdicts::default(),
            offer: None,
            reopenings: Vec::new(),
            questioned: BTreeSet::new(),
            removed: None,
        }
    }

    /// The host's next task.
    pub fn effect(&self) -> Effect {
        match self.state {
            State::Parked(_) => Effect::Rest,
            State::Merged(_) | State::Aborted if self.removed.is_some() => Effect::Rest,
            State::Merged(_) | State::Aborted => Effect::RemoveWorktree,
            State::Running => self.running_effect(),
        }
    }

    fn running_effect(&self) -> Effect {
        match self.stage {
            Stage::LoadContext if self.context.is_none() => Effect::LoadContext,
            Stage::LoadContext if self.candidate.is_none() => Effect::CreateWorktree,
            Stage::LoadContext => Effect::TakeBaseline,
            Stage::Scaffold | Stage::Implement if self.pending().is_some() => Effect::ApplyReply,
            Stage::Scaffold => Effect::AskForTests {
                attempt: self.scaffold().current(),
            },
            Stage::RedGate | Stage::GreenGate if self.verdicts.baseline.is_none() => {
                Effect::TakeBaseline
            }
            Stage::RedGate => self.red_order().map_or(Effect::Rest, Effect::judge_red),
            Stage::Implement => self.next_file(),
            Stage::GreenGate => self.green_order().map_or(Effect::Rest, Effect::judge_green),
            Stage::Lint => self.on_candidate(|candidate| Effect::Lint {
                tree: candidate.tree.clone(),
                files: candidate.files().cloned().collect(),
            }),
            Stage::Review => self.on_candidate(|candidate| Effect::AskPerson {
                tree: candidate.tree.clone(),
            }),
            Stage::Merge => self.merge_order().map_or(Effect::Rest, Effect::Merge),
        }
    }

    /// An effect on the candidate. There is one after the first stage.
    fn on_candidate(&self, effect: impl FnOnce(&Candidate) -> Effect) -> Effect {
        self.candidate.as_ref().map_or(Effect::Rest, effect)
    }

    fn next_file(&self) -> Effect {
        match self.conversation.queue.first() {
            // Does not happen: a round without a file to ask for is never begun.
            None => Effect::Rest,
            Some(file) if file.change == ChangeType::Delete => Effect::DeleteFile {
                path: file.path.clone(),
            },
            Some(file) => Effect::AskForFile {
                path: file.path.clone(),
                attempt: self.implement().current(),
            },
        }
    }

    /// The red gate's order. There is one whenever the run is at that gate.
    fn red_order(&self) -> Option<RedOrder> {
        let context = self.context.as_ref()?;
        let planned = context.sources.iter().chain(&context.tests);
        Some(RedOrder {
            tree: self.tree()?.clone(),
            tests: self.test_files().to_vec(),
            declared: planned.map(|file| file.path.clone()).collect(),
            open: false,
            baseline: self.baseline()?.clone(),
            scope: RedScope::Suite,
        })
    }

    /// The green gate's order. There is one whenever the run is at that gate and has a baseline.
    fn green_order(&self) -> Option<GreenOrder> {
        let planned = self.context.as_ref()?.tests.iter();
        Some(GreenOrder {
            tree: self.tree()?.clone(),
            sealed: self.sealed()?.clone(),
            sources: self.source_files().to_vec(),
            baseline: self.baseline()?.clone(),
            passed_at_red: self.red()?.verdict.passed(),
            stopped_at_red: self.red()?.verdict.stopped.clone(),
            failed_at_red: self.red()?.verdict.failed(),
            listed_tests: planned.map(|file| file.path.clone()).collect(),
        })
    }

    /// The merge that the approval in force allows.
    fn merge_order(&self) -> Option<MergeOrder> {
        self.verdicts.merge_order(self.tree()?, self.approval()?)
    }
}

/// The public facts about a run.
impl Run {
    /// Its initial settings.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// Where it is.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether it continues without a person.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The commit that the work is based on; moves when the base branch moved before the merge.
    pub fn base(&self) -> &CommitId {
        &self.base
    }

    /// The facts that N0 found.
    pub fn context(&self) -> Option<&ContextLoaded> {
        self.context.as_ref()
    }

    /// The tree of the commit that the run started from.
    pub fn base_tree(&self) -> Option<&TreeId> {
        self.candidate
            .as_ref()
            .map(|candidate| &candidate.base_tree)
    }

    /// The candidate: base plus everything written so far.
    pub fn tree(&self) -> Option<&TreeId> {
        self.candidate.as_ref().map(|candidate| &candidate.tree)
    }

    /// The suite at the base.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.verdicts.baseline.as_ref()
    }

    /// Test files that the current scaffold wrote.
    pub fn test_files(&self) -> &[ProjectPath] {
        let candidate = self.candidate.as_ref();
        candidate.map_or(&[], |candidate| &candidate.test_files)
    }

    /// The files of the current round so far.
    pub fn staged(&self) -> Option<&Staged> {
        self.candidate.as_ref()?.staged.as_ref()
    }

    /// The candidate with the files of the current round so far, which the model is shown.
    pub fn working_tree(&self) -> Option<&TreeId> {
        self.candidate.as_ref().map(Candidate::working_tree)
    }

    /// Whether nothing is left to be asked for once these files are written.
    pub fn completes_round(&self, paths: &[ProjectPath]) -> bool {
        let mut left = self.conversation.queue.iter();
        self.stage != Stage::Implement || left.all(|file| paths.contains(&file.path))
    }

    /// Other files that the run wrote or deleted, without those of a round that is not complete.
    pub fn source_files(&self) -> &[ProjectPath] {
        let candidate = self.candidate.as_ref();
        candidate.map_or(&[], |candidate| &candidate.source_files)
    }

    /// The frozen tests, once there was a valid red.
    pub fn sealed(&self) -> Option<&SealedTests> {
        self.verdicts.red.as_ref()?.sealed.as_ref()
    }

    /// Counters of the scaffold stage.
    pub fn scaffold(&self) -> Attempts {
        self.conversation.scaffold.attempts
    }

    /// Counters of the implement stage.
    pub fn implement(&self) -> Attempts {
        self.conversation.implement.attempts
    }

    /// The file that the pending reply or the next question is about.
    pub fn current_file(&self) -> Option<&PlannedFile> {
        (self.stage == Stage::Implement)
            .then(|| self.conversation.queue.first())
            .flatten()
    }

    /// The secret scan's findings that a person has allowed.
    pub fn allowed_secrets(&self) -> &AllowedSecrets {
        &self.conversation.allowed_secrets
    }

    /// The reply that waits to be used.
    pub fn pending(&self) -> Option<&ModelReply> {
        self.conversation.pending.as_ref()
    }

    /// Feedback to the model on its last attempt: the gate's evidence, the linter's, a person's words.
    pub fn feedback(&self) -> Option<&Feedback> {
        self.conversation.feedback.as_ref()
    }

    /// The model that a person chose after the run was started.
    pub fn chosen_model(&self) -> Option<&str> {
        self.conversation.model.as_deref()
    }

    /// Why its last reply was not used, if it was not.
    pub fn refusal(&self) -> Option<&str> {
        let refusal = self.conversation.refusal.as_ref();
        refusal.map(|refusal| refusal.reason.as_str())
    }

    /// Whether that was because its changes could not be read.
    pub fn changes_were_unreadable(&self) -> bool {
        self.conversation.changes_were_unreadable()
    }

    /// Counters of the stage that the model is asked in.
    pub fn attempts_here(&self) -> Attempts {
        self.conversation.at(self.stage).attempts
    }

    /// The red gate's last verdict.
    pub fn red(&self) -> Option<&GateResult> {
        self.verdicts.red.as_ref().map(|red| &red.result)
    }

    /// The green gate's last verdict.
    pub fn green(&self) -> Option<&GateResult> {
        self.verdicts.green.as_ref()
    }

    /// The sandbox of the last judgement; none before the first.
    pub fn sandbox(&self) -> Option<SandboxLevel> {
        let last = self.green().or(self.red())?;
        last.sandbox
    }

    /// Tests, without their parameters, that have failed at green since they were sealed.
    pub fn failed_tests(&self) -> &BTreeSet<String> {
        &self.verdicts.failed
    }

    /// The linter's last result.
    pub fn lint(&self) -> Option<&LintResult> {
        self.verdicts.lint.as_ref()
    }

    /// The approval in force.
    pub fn approval(&self) -> Option<&Decision> {
        self.verdicts.approval.as_ref()
    }

    /// Tokens and cost so far.
    pub fn usage(&self) -> Usage {
        self.scaffold_usage() + self.implement_usage()
    }

    /// The part that went into tests.
    pub fn scaffold_usage(&self) -> Usage {
        self.conversation.scaffold.usage
    }

    /// The part that went into everything else.
    pub fn implement_usage(&self) -> Usage {
        self.conversation.implement.usage
    }

    /// Whether worktree and branch are gone.
    pub fn worktree_removed(&self) -> bool {
        self.removed.is_some()
    }

    /// The commit that was saved when the worktree was removed.
    pub fn rescue(&self) -> Option<&CommitId> {
        self.removed.as_ref()?.rescue.as_ref()
    }
}
