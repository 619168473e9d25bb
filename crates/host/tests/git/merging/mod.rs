//! Merging: the approved tree arrives, and nothing of the person's own is lost on the way.

mod again;
mod checkout;
mod linked;
mod moved_base;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::world::{SECONDS, World, by_ada, delete, discover, write};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_host::git::{MergeOutcome, MergeRequest};

/// A repository at its base commit with an approved tree that changes, adds and deletes a file.
struct Merge {
    world: World,
    base: CommitId,
    tree: TreeId,
}

const CHANGED: &str = "def add(a, b):\n    return b + a\n";

fn prepared(prepare: impl FnOnce(&proctor_testkit::Repository)) -> Merge {
    let world = World::prepared(|user| {
        user.write("src/calculator.py", "def add(a, b):\n    return a + b\n");
        user.write("old.txt", "old\n");
        user.write("unrelated.txt", "unrelated\n");
        user.write("other.txt", "other\n");
        user.write(".gitignore", "*.log\n");
        prepare(user);
    });
    let (base, before) = (world.base(), world.base_tree());
    let tree = world.write_tree(
        &before,
        &[
            write("src/calculator.py", CHANGED),
            write("tests/test_new.py", "def test_new(): pass\n"),
            delete("old.txt"),
        ],
    );
    Merge { world, base, tree }
}

fn merge() -> Merge {
    prepared(|_| {})
}

impl Merge {
    fn run_on(&self, branch: &str) -> MergeOutcome {
        let request = MergeRequest {
            branch,
            base: &self.base,
            tree: &self.tree,
            message: by_ada("feat: a better calculator\n"),
        };
        self.world
            .proctor
            .merging()
            .merge(&request)
            .expect("git works")
    }

    fn run(&self) -> MergeOutcome {
        self.run_on("main")
    }

    /// Merges, and expects that every checkout could follow.
    fn done(&self) -> CommitId {
        match self.run() {
            MergeOutcome::Done {
                commit,
                left_behind,
            } => {
                assert_eq!(left_behind, [""; 0]);
                assert_eq!(self.world.base(), commit);
                assert_eq!(self.world.tree("main"), self.tree);
                assert_eq!(
                    self.world.user.git(["rev-parse", "main^@"]),
                    self.base.as_str()
                );
                commit
            }
            other => panic!("{other:?}"),
        }
    }

    /// Merges, and expects that nothing at all happened because of a checkout.
    fn busy(&self) -> String {
        let before = self.world.user.checkout_fingerprint();
        let outcome = self.run();
        let MergeOutcome::Busy { reason } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(self.world.base(), self.base);
        self.world.assert_unchanged_since(&before);
        reason
    }

    /// Merges, and expects that the user's checkout followed and has nothing of its own.
    #[track_caller]
    fn assert_arrives(&self) {
        self.done();
        self.assert_followed();
        assert_eq!(self.status(), "");
    }

    fn assert_followed(&self) {
        let user = &self.world.user;
        assert_eq!(user.read("src/calculator.py"), CHANGED);
        assert!(user.exists("tests/test_new.py"));
        assert!(!user.exists("old.txt"));
    }

    fn status(&self) -> String {
        self.world.user.git(["status", "--porcelain"])
    }
}
