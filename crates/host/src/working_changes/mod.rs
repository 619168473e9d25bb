//! Reviewing a person's own changes in their checkout, and committing exactly the shown tree.
//!
//! The changes become a tree once, and the checkout is not read again: the sheet, the approval in the trail and the
//! commit are about that tree.

mod commit;
mod decision;
mod error;

use proctor_core::object_id::TreeId;
use proctor_core::review_gate::{Label, ReportedFile, ReviewedFile, in_reading_order};
use proctor_core::visible::escape;

use crate::driver::{ReviewSheet, Subject};
use crate::git::{ChangedFile, GitError, Head, Repository, Snapshot};
use crate::process::joined;
use crate::workspace::settings_at;

pub use commit::CommittedChange;
pub use decision::{Decider, REVIEW_RECORD};
pub use error::WorkingChangesError;

/// The changes to review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// The staged changes.
    Staged,
    /// Everything that is not ignored.
    Everything,
    /// The staged changes, or everything where nothing is staged.
    StagedIfAny,
}

/// The facts known while the rest is still being read.
#[derive(Debug)]
pub struct FirstSight<'a> {
    /// The branch, as a person calls it.
    pub branch: String,
    /// A description of the changes.
    pub what: &'static str,
    /// The tree, once it is made.
    pub tree: Option<&'a TreeId>,
    /// The files, with git's letter for the change of each; deleted files are known only with the tree.
    pub names: Vec<(char, &'a [u8])>,
}

/// The reviewed changes.
#[derive(Debug)]
pub struct WorkingChanges {
    head: Head,
    before: TreeId,
    /// The changes as a tree.
    pub tree: TreeId,
    /// Which changes, in words.
    pub what: &'static str,
    /// Directories that a list inside the git directory hides, and how many files they have.
    pub left_out: Vec<(String, usize)>,
    /// The branch that the commit would be on, as a person calls it.
    pub branch: String,
}

impl WorkingChanges {
    /// Whether there can be a review now.
    pub fn check(repository: &Repository) -> Result<(), WorkingChangesError> {
        match repository.checkout()?.under_way() {
            Some(what) => Err(WorkingChangesError::UnderWay(what)),
            None => Ok(()),
        }
    }

    /// Runs the person's own hook before anything is read, so that its changes are shown; only if the committed
    /// settings say so, because a repository's hooks are programs that anyone may have put there. Returns its output.
    pub fn run_hook(repository: &Repository) -> Result<Option<String>, WorkingChangesError> {
        let checkout = repository.checkout()?;
        let tree = checkout.tree_of_head(&checkout.head()?)?;
        let settings = settings_at(repository, &tree)?;
        if !settings.protective().review.pre_commit_hook {
            return Ok(None);
        }
        let said = checkout.run_pre_commit_hook();
        said.map(Some).map_err(WorkingChangesError::Hook)
    }

    /// Reads everything; `look` gets the first facts as soon as they are known.
    pub fn read(
        repository: &Repository,
        selection: Selection,
        look: &dyn Fn(FirstSight<'_>),
    ) -> Result<(Self, Vec<ReportedFile>), WorkingChangesError> {
        let (objects, checkout) = (repository.objects(), repository.checkout()?);
        // Neither needs the other's answer.
        let (head, staged) = std::thread::scope(|scope| {
            let staged = scope.spawn(|| checkout.staged_tree());
            (checkout.head(), joined(staged))
        });
        let (head, staged) = (head?, staged.map_err(in_conflict)?);
        let before = checkout.tree_of_head(&head)?;
        let take_staged = match selection {
            Selection::Staged => true,
            Selection::Everything => false,
            Selection::StagedIfAny => staged != before,
        };
        let (snapshot, what) = if take_staged {
            (Snapshot::of(staged), "what is staged")
        } else {
            let what = "everything that is not committed";
            let snapshot = checkout.snapshot(&before, |names| {
                look(FirstSight {
                    branch: branch_words(&head),
                    what,
                    tree: None,
                    names: names
                        .iter()
                        .map(|(new, name)| (if *new { 'A' } else { 'M' }, *name))
                        .collect(),
                });
            })?;
            (snapshot, what)
        };
        let Snapshot {
            tree,
            hidden,
            left_out,
        } = snapshot;
        let differing = objects.changed_files(&before, &tree)?;
        let names = differing.iter();
        look(FirstSight {
            branch: branch_words(&head),
            what,
            tree: Some(&tree),
            names: names
                .map(|file| (letter(file), file.path.as_slice()))
                .collect(),
        });
        let (settings, files) = std::thread::scope(|scope| {
            let settings = scope.spawn(|| settings_at(repository, &before));
            let files = objects.reviewed_files(&before, &tree, &differing);
            (joined(settings), files)
        });
        let (test_paths, mut files) = (settings?.protective().test.paths.clone(), files?);
        for file in &mut files {
            file.labels = ReviewedFile::labels_of_name(&file.path, &test_paths);
            let hidden = hidden.contains(&file.path);
            file.labels.extend(hidden.then_some(Label::Excluded));
        }
        let changes = Self {
            branch: branch_words(&head),
            head,
            before,
            tree,
            what,
            left_out: left_out
                .into_iter()
                .map(|(name, files)| (escape(&name).text, files))
                .collect(),
        };
        Ok((changes, in_reading_order(files)))
    }

    /// The sheet that a person decides by.
    pub fn sheet(&self, files: Vec<ReportedFile>) -> ReviewSheet<'_> {
        let subject = Subject::Own {
            branch: &self.branch,
            what: self.what,
            left_out: &self.left_out,
        };
        ReviewSheet::unjudged(subject, self.head.commit.as_ref(), &self.tree, files)
    }
}

fn branch_words(head: &Head) -> String {
    let name = head.reference.strip_prefix("refs/heads/");
    match (name, &head.commit) {
        (Some(name), _) => name.to_owned(),
        (None, Some(commit)) => format!("{} (no branch)", commit.short()),
        (None, None) => "HEAD".to_owned(),
    }
}

/// The change of a file, as git abbreviates it.
fn letter(file: &ChangedFile) -> char {
    match (&file.before, &file.after) {
        (None, _) => 'A',
        (_, None) => 'D',
        _ => 'M',
    }
}

/// Git has one exit code for all problems with an index, but always the same message, in every locale.
fn in_conflict(error: GitError) -> WorkingChangesError {
    match &error {
        GitError::Failed { message, .. } if message.contains("unmerged") => {
            WorkingChangesError::Conflict
        }
        _ => error.into(),
    }
}
