//! The run's worktree: made in one way, removed only when everything in it is safe.

mod creating;
mod damaged;
mod removing;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::world::{SECONDS, World, ada, discover, files_below, skipped, write};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_host::git::WorktreeError;
use proctor_host::journal::RunId;
use proctor_host::run_data::{Kept, RunData};

const BRANCH: &str = "feat/issue-87";
const RESCUE: &str = "refs/proctor/rescue/87-abcdef";

/// 87-abcdef
fn run_id() -> RunId {
    RunId::new("87", [10, 11, 12, 13, 14, 15])
}

impl World {
    fn worktree(&self) -> PathBuf {
        self.environment.state_directory().join("worktrees/87")
    }

    fn create(&self) -> Result<(), WorktreeError> {
        self.create_at(&self.worktree())
    }

    fn create_at(&self, path: &Path) -> Result<(), WorktreeError> {
        self.proctor.worktrees().create(path, BRANCH, &self.base())
    }

    fn remove(&self) -> Result<Option<CommitId>, WorktreeError> {
        self.remove_settled(&self.base_tree())
    }

    fn remove_settled(&self, settled: &TreeId) -> Result<Option<CommitId>, WorktreeError> {
        self.remove_at(&self.worktree(), settled)
    }

    fn remove_at(&self, path: &Path, settled: &TreeId) -> Result<Option<CommitId>, WorktreeError> {
        let run = run_id();
        RunData::new(&self.proctor, &run, path).remove_worktree(BRANCH, settled, &ada(), SECONDS)
    }

    /// Removes a worktree that has something to be saved, and returns the saved commit.
    fn rescued(&self) -> CommitId {
        let rescue = self.remove().expect("the worktree can be removed");
        let rescue = rescue.expect("something was uncommitted");
        assert_eq!(self.user.git(["rev-parse", RESCUE]), rescue.as_str());
        self.assert_gone();
        rescue
    }

    /// Files put into a worktree at this path are rescued when that is removed.
    #[track_caller]
    fn assert_rescued_from(&self, path: &Path) {
        put(path.join("new.txt"), "new\n");
        let rescue = self.remove_at(path, &self.base_tree()).unwrap();
        assert!(rescue.is_some());
        assert!(!path.exists());
        self.assert_gone();
    }

    fn assert_gone(&self) {
        assert!(!self.worktree().exists());
        assert_eq!(self.user.git(["worktree", "list"]).lines().count(), 1);
        assert_eq!(self.user.git(["branch", "--list", BRANCH]), "");
        assert_eq!(
            self.user.git(["for-each-ref", "refs/proctor/runs"]),
            "",
            "nothing of the run is left"
        );
    }

    fn assert_stays(&self) {
        assert!(self.worktree().join(".git").exists());
        assert_ne!(self.user.git(["branch", "--list", BRANCH]), "");
    }
}

fn put(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The administrative directory of the only linked worktree.
fn administration(world: &World) -> PathBuf {
    let directory = world.user.path().join(".git/worktrees");
    let mut entries = fs::read_dir(directory).unwrap();
    entries.next().unwrap().unwrap().path()
}
