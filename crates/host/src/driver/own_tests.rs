//! A person's own edit of the tests, in the worktree.
//!
//! Gates never read the worktree, so an edit there would count for nothing and look as if it did. It is noticed when a
//! person comes back to the run: they see the difference and decide whether it replaces the tests. If it does not, the
//! tests are restored, and the person's text is kept under a ref.

use proctor_core::dialect::is_test_file;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::review_gate::{ReportedFile, ReviewedFile, in_reading_order};
use proctor_core::workflow::{Event, Run, Stage, State};

use super::DriveError;
use super::audience::{Approver, TestsAnswer, Watcher};
use super::case::Case;
use crate::git::{Change, FileMode};
use crate::run_data::{Kept, keep_replaced};

/// A test that is larger than this was not written by hand.
const LARGEST: u64 = 10_000_000;

/// Looks whether a person has edited the tests, and asks them about it.
pub(super) struct OwnTests<'c> {
    pub(super) case: Case<'c>,
    pub(super) approver: &'c mut dyn Approver,
    pub(super) watcher: &'c mut dyn Watcher,
}

/// A test that differs from the run's.
struct Edited {
    path: ProjectPath,
    /// Nothing where only the person has such a file.
    then: Option<Vec<u8>>,
    now: Vec<u8>,
}

/// Whether the worktree has the current tests, unless they were edited. While a reply is being written, or a merge
/// carried out, it may have others after a crash.
fn is_settled(run: &Run) -> bool {
    let is_running = *run.state() == State::Running;
    match run.stage() {
        Stage::LoadContext => false,
        Stage::Merge => !is_running,
        _ => run.pending().is_none(),
    }
}

impl OwnTests<'_> {
    /// A person's decision about their edits; none where there are no edits, or they do not count.
    pub(super) fn ask(&mut self) -> Result<Option<Event>, DriveError> {
        let case = self.case;
        let Some(tree) = case.run().tree().filter(|_| is_settled(case.run())) else {
            return Ok(None);
        };
        let edited = edited(case, tree)?;
        if edited.is_empty() {
            return Ok(None);
        }
        match self.approver.choose_tests(&shown(case, tree, &edited)?) {
            Some(TestsAnswer::Take) => self.take(tree, &edited).map(Some),
            Some(TestsAnswer::Restore) => self.restore(&edited).map(|()| None),
            None if case.place.interrupt.is_set() => Err(DriveError::Interrupted),
            None => {
                let names: Vec<&str> = edited.iter().map(|file| file.path.as_str()).collect();
                Err(DriveError::TestsEdited(names.join(", ")))
            }
        }
    }

    /// The edit replaces the current tests; the source files written so far are set aside.
    fn take(&mut self, tree: &TreeId, edited: &[Edited]) -> Result<Event, DriveError> {
        let case = self.case;
        let run = case.run();
        let base = case.base()?;
        let mut paths = run.test_files().to_vec();
        let own = edited.iter().map(|file| file.path.clone());
        paths.extend(own.filter(|path| !run.test_files().contains(path)));
        let names: Vec<&str> = paths.iter().map(ProjectPath::as_str).collect();
        let written = case.objects().files_at(tree, &names)?;
        let contents = paths.iter().zip(written);
        let changes: Vec<Change> = contents
            .filter_map(|(path, content)| {
                let own = edited.iter().find(|file| file.path == *path);
                Some(Change::Write {
                    mode: base.mode_of(path),
                    path: path.clone(),
                    content: own.map(|file| file.now.clone()).or(content)?,
                })
            })
            .collect();
        let tests = case.objects().write_tree(&base.tree, &changes)?;
        let aside = run.set_aside().unwrap_or(tree);
        let carried = if run.source_files().is_empty() {
            None
        } else {
            case.data().keep(Kept::SetAside, aside)?;
            Some(case.with_sources_of(aside, &tests)?)
        };
        case.data().keep(Kept::Candidate, &tests)?;
        Ok(Event::TestsTaken {
            by: case.actor(),
            paths,
            tree: tests,
            carried,
        })
    }

    /// The tests are as the run wrote them again, and the person's text has a name.
    fn restore(&mut self, edited: &[Edited]) -> Result<(), DriveError> {
        let root = self.case.worktree_root()?;
        let base = self.case.base()?;
        for file in edited {
            let reference = keep_replaced(self.case.place.repository, &file.now)?;
            let path = &file.path;
            let now = if let Some(then) = &file.then {
                let executable = base.mode_of(path) == FileMode::Executable;
                root.write(path, then, executable)?;
                "as it was"
            } else {
                root.remove(path)?;
                root.remove_empty_parents(path)?;
                "not there any more"
            };
            self.watcher.remark(&format!(
                "{path} is {now}; your text is kept: `git show {reference}`"
            ));
        }
        Ok(())
    }
}

/// Tests that are another text in the worktree than in the tree, or that only the worktree has.
fn edited(case: Case<'_>, tree: &TreeId) -> Result<Vec<Edited>, DriveError> {
    let root = case.worktree_root()?;
    let mut paths = case.run().test_files().to_vec();
    paths.extend(other_tests(case)?);
    let names: Vec<&str> = paths.iter().map(ProjectPath::as_str).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let contents = case.objects().files_at(tree, &names)?;
    let files = paths.iter().zip(contents).filter_map(|(path, then)| {
        // A missing file, or an entry that is not a file any more, cannot replace a test.
        let now = root.read(path, LARGEST).ok()?;
        let path = path.clone();
        (then.as_ref() != Some(&now)).then_some(Edited { path, then, now })
    });
    Ok(files.collect())
}

/// Tests besides the run's that differ from the commit on its branch: only a person can have written them there.
fn other_tests(case: Case<'_>) -> Result<Vec<ProjectPath>, DriveError> {
    let worktrees = case.place.repository.worktrees();
    let Some(names) = worktrees.uncommitted(&case.row.worktree, &case.row.branch)? else {
        return Ok(Vec::new());
    };
    let test_paths = &case.inputs.settings.test.paths;
    let own = names
        .iter()
        .filter(|name| is_test_file(name, test_paths) && !is_left_behind(name))
        .filter_map(|name| ProjectPath::parse(name).ok())
        .filter(|path| !case.run().test_files().contains(path));
    Ok(own.collect())
}

/// Whether programs, and not people, write files of this name.
fn is_left_behind(name: &str) -> bool {
    name.split('/')
        .any(|part| part.starts_with('.') || part == "__pycache__")
}

/// The edits as a review shows them.
fn shown(
    case: Case<'_>,
    tree: &TreeId,
    edited: &[Edited],
) -> Result<Vec<ReportedFile>, DriveError> {
    let base = case.base()?;
    let edits: Vec<Change> = edited
        .iter()
        .map(|file| Change::Write {
            mode: base.mode_of(&file.path),
            path: file.path.clone(),
            content: file.now.clone(),
        })
        .collect();
    let objects = case.objects();
    let after = objects.write_tree(tree, &edits)?;
    let changed = objects.changed_files(tree, &after)?;
    let files: Vec<ReviewedFile> = objects.reviewed_files(tree, &after, &changed)?;
    Ok(in_reading_order(files))
}
