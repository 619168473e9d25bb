//! A run as its events made it, and what it asks for next.

use super::{
    Attempts, Choice, ContextLoaded, Decision, Effect, GateResult, LintResult, MergeOrder, Stage,
    Started, State,
};
use crate::gate::{Baseline, Disposition};
use crate::generation::{ModelReply, SeenFile};
use crate::lld::{ChangeType, PlannedFile};
use crate::object_id::{CommitId, TreeId};
use crate::path::ProjectPath;
use crate::secrets::AllowedSecrets;

/// Tokens that the model services counted, over all calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Sent.
    pub input_tokens: u64,
    /// Received.
    pub output_tokens: u64,
    /// Those of the sent ones that a service had kept from an earlier call.
    pub cached_tokens: u64,
    /// Millionths of a dollar, of the calls whose cost is known.
    pub known_micro_usd: u64,
    /// Calls whose cost nobody knows.
    pub unpriced_calls: u32,
}

impl Usage {
    /// What it all cost in millionths of a dollar, if that is known of every call.
    pub fn micro_usd(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.known_micro_usd)
    }

    /// Adds what a reply took.
    pub(super) fn count(&mut self, reply: &ModelReply) {
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

/// The tests as they were at the valid red. They do not change any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedTests {
    /// The tree that the red gate accepted.
    pub tree: TreeId,
    /// The test files in it that the model wrote.
    pub files: Vec<ProjectPath>,
}

/// Replies of a round that is not complete yet: accepted, but not part of the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// The candidate with them.
    pub tree: TreeId,
    /// The files that they write or remove.
    pub files: Vec<ProjectPath>,
    /// These files as they were in the worktree when they were asked for.
    pub seen: Vec<SeenFile>,
}

/// A run as its events made it. Only [`step`](super::step) changes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub(super) started: Started,
    pub(super) stage: Stage,
    pub(super) state: State,
    pub(super) base: CommitId,
    pub(super) context: Option<ContextLoaded>,
    pub(super) base_tree: Option<TreeId>,
    pub(super) tree: Option<TreeId>,
    pub(super) baseline: Option<Baseline>,
    pub(super) test_files: Vec<ProjectPath>,
    pub(super) source_files: Vec<ProjectPath>,
    pub(super) sealed: Option<SealedTests>,
    pub(super) scaffold: Attempts,
    pub(super) implement: Attempts,
    pub(super) queue: Vec<PlannedFile>,
    pub(super) allowed_secrets: AllowedSecrets,
    pub(super) pending: Option<ModelReply>,
    pub(super) feedback: Option<String>,
    pub(super) refusal: Option<String>,
    pub(super) changes_unreadable: bool,
    pub(super) staged: Option<Staged>,
    pub(super) red: Option<GateResult>,
    pub(super) green: Option<GateResult>,
    pub(super) lint: Option<LintResult>,
    pub(super) approval: Option<Decision>,
    pub(super) scaffold_usage: Usage,
    pub(super) implement_usage: Usage,
    pub(super) worktree_removed: bool,
    pub(super) rescue: Option<CommitId>,
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
            base_tree: None,
            tree: None,
            baseline: None,
            test_files: Vec::new(),
            source_files: Vec::new(),
            sealed: None,
            scaffold: Attempts::default(),
            implement: Attempts::default(),
            queue: Vec::new(),
            allowed_secrets: AllowedSecrets::default(),
            pending: None,
            feedback: None,
            refusal: None,
            changes_unreadable: false,
            staged: None,
            red: None,
            green: None,
            lint: None,
            approval: None,
            scaffold_usage: Usage::default(),
            implement_usage: Usage::default(),
            worktree_removed: false,
            rescue: None,
        }
    }

    /// What to do next.
    pub fn effect(&self) -> Effect {
        match self.state {
            State::Parked(_) => Effect::Rest,
            State::Merged(_) | State::Aborted if self.worktree_removed => Effect::Rest,
            State::Merged(_) | State::Aborted => Effect::RemoveWorktree,
            State::Running => self.running_effect(),
        }
    }

    fn running_effect(&self) -> Effect {
        match self.stage {
            Stage::LoadContext if self.context.is_none() => Effect::LoadContext,
            Stage::LoadContext if self.tree.is_none() => Effect::CreateWorktree,
            Stage::LoadContext => Effect::TakeBaseline,
            Stage::Scaffold | Stage::Implement if self.pending.is_some() => Effect::ApplyReply,
            Stage::Scaffold => Effect::AskForTests {
                attempt: self.scaffold.current(),
            },
            Stage::RedGate => Effect::JudgeRed,
            Stage::Implement => self.next_file(),
            Stage::GreenGate if self.baseline.is_none() => Effect::TakeBaseline,
            Stage::GreenGate => Effect::JudgeGreen,
            Stage::Lint => Effect::Lint,
            Stage::Review => self
                .tree
                .clone()
                .map_or(Effect::Rest, |tree| Effect::AskPerson { tree }),
            Stage::Merge => self.merge_order().map_or(Effect::Rest, Effect::Merge),
        }
    }

    fn next_file(&self) -> Effect {
        match self.queue.first() {
            // Does not happen: a round without a file to ask for is never begun.
            None => Effect::Rest,
            Some(file) if file.change == ChangeType::Delete => Effect::DeleteFile {
                path: file.path.clone(),
            },
            Some(file) => Effect::AskForFile {
                path: file.path.clone(),
                attempt: self.implement.current(),
            },
        }
    }

    /// Principle four in one expression: red and green and approved, for the same tree.
    pub(super) fn merge_order(&self) -> Option<MergeOrder> {
        let tree = self.tree.as_ref()?;
        let approval = self.approval.as_ref()?;
        let red = self.red.as_ref()?;
        let green = self.green.as_ref()?;
        let stands = self.sealed.is_some()
            && red.verdict.disposition == Disposition::Accepted
            && green.verdict.disposition == Disposition::Accepted
            && green.tree == *tree
            && approval.tree == *tree
            && approval.choice == Choice::Approve;
        stands.then(|| MergeOrder {
            tree: tree.clone(),
            approval: approval.clone(),
        })
    }
}

/// What others may know of a run.
impl Run {
    /// What it was started with.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// Where it is.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether it goes on by itself.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The commit that the work is based on; moves when the base branch moved before the merge.
    pub fn base(&self) -> &CommitId {
        &self.base
    }

    /// What N0 found.
    pub fn context(&self) -> Option<&ContextLoaded> {
        self.context.as_ref()
    }

    /// The tree of the commit that the run started from.
    pub fn base_tree(&self) -> Option<&TreeId> {
        self.base_tree.as_ref()
    }

    /// The candidate: base plus everything written so far.
    pub fn tree(&self) -> Option<&TreeId> {
        self.tree.as_ref()
    }

    /// The suite at the base.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// Test files that the current scaffold wrote.
    pub fn test_files(&self) -> &[ProjectPath] {
        &self.test_files
    }

    /// What the round that is under way has brought so far.
    pub fn staged(&self) -> Option<&Staged> {
        self.staged.as_ref()
    }

    /// The candidate with what the round that is under way has brought so far: what the model is shown.
    pub fn working_tree(&self) -> Option<&TreeId> {
        self.staged
            .as_ref()
            .map(|staged| &staged.tree)
            .or(self.tree())
    }

    /// Whether nothing is left to be asked for once these files are written.
    pub fn completes_round(&self, paths: &[ProjectPath]) -> bool {
        self.stage != Stage::Implement || self.queue.iter().all(|file| paths.contains(&file.path))
    }

    /// Other files that the run wrote or deleted, without those of a round that is not complete.
    pub fn source_files(&self) -> &[ProjectPath] {
        &self.source_files
    }

    /// The frozen tests, once there was a valid red.
    pub fn sealed(&self) -> Option<&SealedTests> {
        self.sealed.as_ref()
    }

    /// Counters of the scaffold stage.
    pub fn scaffold(&self) -> Attempts {
        self.scaffold
    }

    /// Counters of the implement stage.
    pub fn implement(&self) -> Attempts {
        self.implement
    }

    /// The file that the pending reply or the next question is about.
    pub fn current_file(&self) -> Option<&PlannedFile> {
        (self.stage == Stage::Implement)
            .then(|| self.queue.first())
            .flatten()
    }

    /// What of the secret scan's findings a person has let through.
    pub fn allowed_secrets(&self) -> &AllowedSecrets {
        &self.allowed_secrets
    }

    /// The reply that waits to be used.
    pub fn pending(&self) -> Option<&ModelReply> {
        self.pending.as_ref()
    }

    /// What the model is told about its last attempt: the gate's evidence, the linter's, a person's words.
    pub fn feedback(&self) -> Option<&str> {
        self.feedback.as_deref()
    }

    /// Why its last reply was not used, if it was not.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Whether that was because its changes could not be read.
    pub fn changes_were_unreadable(&self) -> bool {
        self.changes_unreadable
    }

    /// Counters of the stage that the model is asked in.
    pub fn attempts_here(&self) -> Attempts {
        if self.stage == Stage::Scaffold {
            self.scaffold
        } else {
            self.implement
        }
    }

    /// The red gate's last verdict.
    pub fn red(&self) -> Option<&GateResult> {
        self.red.as_ref()
    }

    /// The green gate's last verdict.
    pub fn green(&self) -> Option<&GateResult> {
        self.green.as_ref()
    }

    /// What the linter said last.
    pub fn lint(&self) -> Option<&LintResult> {
        self.lint.as_ref()
    }

    /// The approval in force.
    pub fn approval(&self) -> Option<&Decision> {
        self.approval.as_ref()
    }

    /// Tokens and cost so far.
    pub fn usage(&self) -> Usage {
        self.scaffold_usage + self.implement_usage
    }

    /// The part that went into tests.
    pub fn scaffold_usage(&self) -> Usage {
        self.scaffold_usage
    }

    /// The part that went into everything else.
    pub fn implement_usage(&self) -> Usage {
        self.implement_usage
    }

    /// Whether worktree and branch are gone.
    pub fn worktree_removed(&self) -> bool {
        self.worktree_removed
    }

    /// What was saved when the worktree was removed.
    pub fn rescue(&self) -> Option<&CommitId> {
        self.rescue.as_ref()
    }
}
