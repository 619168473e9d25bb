//! Requests to the outside world.

use super::Decision;
use crate::gate::{GreenOrder, RedOrder};
use crate::object_id::TreeId;
use crate::path::ProjectPath;

/// The host's next task. A run has exactly one at any time, and repeating it is harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read the design document and the context, check both.
    LoadContext,
    /// Make the branch and the worktree from the base commit.
    CreateWorktree,
    /// Run the suite at the base commit.
    TakeBaseline,
    /// Ask the model for test files.
    AskForTests {
        /// From 1.
        attempt: u32,
    },
    /// Ask the model for one file of the design document.
    AskForFile {
        /// The file's path.
        path: ProjectPath,
        /// From 1.
        attempt: u32,
    },
    /// Read the pending reply, check it, write its files.
    ApplyReply,
    /// Carry out a Delete row of the design document.
    DeleteFile {
        /// The file's path.
        path: ProjectPath,
    },
    /// Run the suite on the candidate tree and judge the new tests.
    JudgeRed(Box<RedOrder>),
    /// Run the suite on the candidate tree and judge everything.
    JudgeGreen(Box<GreenOrder>),
    /// Run the linter on the changed files of the candidate tree.
    Lint {
        /// The candidate's tree.
        tree: TreeId,
        /// The files that the run changed in it.
        files: Vec<ProjectPath>,
    },
    /// Show the diff and ask the person.
    AskPerson {
        /// The tree to be shown and, if approved, merged.
        tree: TreeId,
    },
    /// Commit and merge.
    Merge(MergeOrder),
    /// Save uncommitted files, then remove worktree and branch.
    RemoveWorktree,
    /// Nothing: the run rests.
    Rest,
}

impl Effect {
    pub(super) fn judge_red(order: RedOrder) -> Self {
        Self::JudgeRed(Box::new(order))
    }

    pub(super) fn judge_green(order: GreenOrder) -> Self {
        Self::JudgeGreen(Box::new(order))
    }
}

/// Permission to merge one tree. Only the machine makes one, and only when a valid red, a valid green and a person's
/// approval all hold, the latter two for this very tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeOrder {
    pub(super) tree: TreeId,
    pub(super) approval: Decision,
}

impl MergeOrder {
    /// The tree to commit.
    pub fn tree(&self) -> &TreeId {
        &self.tree
    }

    /// The approval, with its signer and time.
    pub fn approval(&self) -> &Decision {
        &self.approval
    }
}
