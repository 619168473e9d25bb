//! Merging: exactly the approved tree becomes the base branch's next commit.
//!
//! The commit is computed from the tree id, the branch is moved with its old value as a condition, and
//! checkouts of the branch follow if they can. Every step can be repeated after a crash: the commit is
//! the same one, a moved branch is recognised, and a checkout that followed already is left as it is.

use proctor_core::object_id::{CommitId, TreeId};

use super::checkout::Following;
use super::error::{failure, unexpected};
use super::private_index::PrivateIndex;
use super::repository::Repository;
use super::{CommitMessage, GitError};
use crate::crash_point::crash_point;

/// A merge request.
#[derive(Debug)]
pub struct MergeRequest<'a> {
    /// The branch, by its short name.
    pub branch: &'a str,
    /// The commit that the approved tree was made on.
    pub base: &'a CommitId,
    /// The approved tree.
    pub tree: &'a TreeId,
    /// The approver, the time and the commit message.
    pub message: CommitMessage<'a>,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// The branch contains the commit.
    Done {
        /// The commit's id.
        commit: CommitId,
        /// Checkouts of the branch that could not follow, with the reason.
        left_behind: Vec<String>,
    },
    /// The branch has other commits; with them merged in, the result is this tree.
    Moved {
        /// The branch's tip.
        tip: CommitId,
        /// The merged tree, which has not been judged yet.
        tree: TreeId,
    },
    /// The branch has other commits, and they clash.
    Conflict {
        /// In these files.
        files: Vec<String>,
    },
    /// The branch is checked out, and that checkout cannot follow.
    Busy {
        /// The reason.
        reason: String,
    },
    /// The branch is gone.
    NoBranch,
}

/// Merges. A branch moves only from the commit that the caller saw to one that was judged and approved, and only when
/// every checkout of it can follow.
#[derive(Debug)]
pub struct Merging<'a> {
    pub(super) repository: &'a Repository,
}

impl Merging<'_> {
    /// Merges, or says why not. Nothing is half done.
    pub fn merge(&self, request: &MergeRequest<'_>) -> Result<MergeOutcome, GitError> {
        let reference = format!("refs/heads/{}", request.branch);
        let Some(tip) = self.repository.refs().commit(&reference)? else {
            return Ok(MergeOutcome::NoBranch);
        };
        let commit = self.commit_for(request)?;
        let old_tree = self.repository.objects().tree_of(request.base)?;
        let following = Following {
            repository: self.repository,
            reference: &reference,
            old: &old_tree,
            new: request.tree,
        };
        if tip == *request.base {
            if let Some(directory) = following.rebase()? {
                let reason = format!(
                    "a rebase of {} is in progress ({})",
                    request.branch,
                    directory.display()
                );
                return Ok(MergeOutcome::Busy { reason });
            }
            for checkout in following.followers()? {
                if let Some(reason) = following.obstacle(&checkout)? {
                    return Ok(MergeOutcome::Busy { reason });
                }
            }
            self.repository
                .objects()
                .flush(&commit, &[request.base.as_str()])?;
            crash_point("before the branch moves");
            self.move_branch(&reference, request, &commit)?;
            crash_point("after the branch moved");
        } else if !self.repository.objects().contains(&tip, &commit)? {
            return self.merge_moved(request, &tip, &commit);
        }
        // No commit is built on it yet: checkouts that are still at the old files follow now.
        let mut left_behind = Vec::new();
        if self.repository.refs().commit(&reference)?.as_ref() == Some(&commit) {
            for checkout in following.followers()? {
                left_behind.extend(following.follow(&checkout)?);
            }
        }
        self.repository.refs().flush(&reference)?;
        Ok(MergeOutcome::Done {
            commit,
            left_behind,
        })
    }

    /// Whether the merge has happened although it could not be recorded any more.
    pub fn is_merged(&self, request: &MergeRequest<'_>) -> Result<Option<CommitId>, GitError> {
        let Some(tip) = self
            .repository
            .refs()
            .commit(&format!("refs/heads/{}", request.branch))?
        else {
            return Ok(None);
        };
        let commit = self.commit_for(request)?;
        Ok(self
            .repository
            .objects()
            .contains(&tip, &commit)?
            .then_some(commit))
    }

    /// The commit that a request is about; always the same one.
    fn commit_for(&self, request: &MergeRequest<'_>) -> Result<CommitId, GitError> {
        let objects = self.repository.objects();
        objects.write_commit(request.tree, &[request.base], request.message)
    }

    fn move_branch(
        &self,
        reference: &str,
        request: &MergeRequest<'_>,
        new: &CommitId,
    ) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        self.repository
            .git
            .call(&index, "update-ref")
            // For the reflog.
            .variable("GIT_COMMITTER_NAME", &request.message.person.name)
            .variable("GIT_COMMITTER_EMAIL", &request.message.person.email)
            .arguments(["-m", "proctor: merge", "--create-reflog", reference])
            .arguments([new.as_str(), request.base.as_str()])
            .bytes()
            .map(drop)
    }

    /// Both sides are compared with the run's base, whatever the branch's history is by now: changes that the person
    /// reverted since then must not come back with the run's.
    fn merge_moved(
        &self,
        request: &MergeRequest<'_>,
        tip: &CommitId,
        commit: &CommitId,
    ) -> Result<MergeOutcome, GitError> {
        let objects = self.repository.objects();
        let message = CommitMessage {
            text: "The base branch as it is now\n",
            ..request.message
        };
        let theirs = objects.write_commit(&objects.tree_of(tip)?, &[request.base], message)?;
        let index = PrivateIndex::new()?;
        let output = self
            .repository
            .git
            .call(&index, "merge-tree")
            .arguments(["--write-tree", "-z", "--name-only", "--no-messages"])
            .arguments([theirs.as_str(), commit.as_str()])
            .output()?;
        let mut fields = output
            .stdout
            .split(|byte| *byte == 0)
            .filter(|field| !field.is_empty());
        let tree = fields
            .next()
            .map(|field| String::from_utf8_lossy(field).into_owned());
        match output.code {
            Some(0) => {
                let text = tree.unwrap_or_default();
                let tree = TreeId::parse(text.trim())
                    .map_err(|_| unexpected("merge-tree", text.as_bytes()))?;
                Ok(MergeOutcome::Moved {
                    tip: tip.clone(),
                    tree,
                })
            }
            Some(1) => {
                let files = fields
                    .map(|field| String::from_utf8_lossy(field).into_owned())
                    .collect();
                Ok(MergeOutcome::Conflict { files })
            }
            _ => Err(failure("merge-tree", &output)),
        }
    }
}
