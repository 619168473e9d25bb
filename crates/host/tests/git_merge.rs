//! Merging: the approved tree arrives, and nothing of the person's own is lost on the way.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

mod git_world;

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use git_world::{SECONDS, World, ada, delete, discover, write};
use proctor_core::workflow::{CommitId, TreeId};
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
        let person = ada();
        let request = MergeRequest {
            branch,
            base: &self.base,
            tree: &self.tree,
            person: &person,
            seconds: SECONDS,
            message: "feat: a better calculator\n",
        };
        self.world.proctor.merge(&request).expect("git works")
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
        self.world
            .user
            .checkout_fingerprint()
            .assert_unchanged_since(&before);
        reason
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

#[test]
fn a_branch_that_is_not_checked_out_just_moves() {
    let merge = merge();
    merge
        .world
        .user
        .git(["checkout", "--quiet", "-b", "elsewhere"]);
    let before = merge.world.user.checkout_fingerprint();
    merge.done();
    merge
        .world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn the_files_of_a_clean_checkout_follow() {
    let merge = merge();
    let commit = merge.done();
    merge.assert_followed();
    assert_eq!(merge.status(), "");
    let user = &merge.world.user;
    assert_eq!(
        user.git(["log", "-1", "--format=%an <%ae> %at %s"]),
        format!("Ada Tester <ada@example.com> {SECONDS} feat: a better calculator")
    );
    // The reflog says who moved the branch, for the branch and for the checkout.
    for name in ["main", "HEAD"] {
        assert_eq!(
            user.git(["log", "-g", "-1", "--format=%H %gn <%ge> %gs", name]),
            format!("{commit} Ada Tester <ada@example.com> proctor: merge")
        );
    }
}

#[test]
fn unrelated_local_work_is_kept_byte_for_byte() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("unrelated.txt", "locally\r\nchanged");
    user.write("staged.txt", "staged\n");
    user.git(["add", "staged.txt"]);
    user.write("other.txt", "staged version\n");
    user.git(["add", "other.txt"]);
    user.write("other.txt", "worktree version\n");
    user.write("untracked.txt", "untracked\n");
    user.write("noise.log", "ignored\n");
    let before = merge.status();
    merge.done();
    merge.assert_followed();
    assert_eq!(merge.status(), before);
    assert_eq!(user.read("unrelated.txt"), "locally\r\nchanged");
    assert_eq!(user.read("staged.txt"), "staged\n");
    assert_eq!(user.file_at("", "staged.txt"), "staged\n");
    assert_eq!(user.read("other.txt"), "worktree version\n");
    assert_eq!(user.file_at("", "other.txt"), "staged version\n");
    assert_eq!(user.read("untracked.txt"), "untracked\n");
    assert_eq!(user.read("noise.log"), "ignored\n");
}

#[test]
fn a_local_change_to_a_merged_file_stops_the_merge() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("src/calculator.py", "mine\n");
    assert!(merge.busy().contains("src/calculator.py"));

    user.git(["add", "src/calculator.py"]);
    assert!(merge.busy().contains("src/calculator.py"));
}

#[test]
fn no_index_bit_lets_a_local_change_be_overwritten() {
    for bit in ["--assume-unchanged", "--skip-worktree"] {
        let merge = merge();
        let user = &merge.world.user;
        user.git(["update-index", bit, "src/calculator.py"]);
        user.write("src/calculator.py", "mine\n");
        merge.run();
        assert_eq!(user.read("src/calculator.py"), "mine\n", "{bit}");
    }
}

#[test]
fn a_local_change_to_a_file_that_the_merge_deletes_stops_it() {
    let merge = merge();
    merge.world.user.write("old.txt", "still needed\n");
    assert!(merge.busy().contains("old.txt"));
}

#[test]
fn an_untracked_file_in_the_way_stops_the_merge_and_is_kept() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("tests/test_new.py", "mine\n");
    assert!(merge.busy().contains("tests/test_new.py"));
}

#[test]
fn an_ignored_file_in_the_way_stops_the_merge_and_is_kept() {
    let merge = prepared(|user| {
        user.write(".gitignore", "tests/\n*.log\n");
    });
    merge.world.user.write("tests/test_new.py", "mine\n");
    assert!(merge.busy().contains("tests/test_new.py"));
}

#[test]
fn a_file_where_the_merge_needs_a_directory_stops_it() {
    for ignored in ["", "tests\n"] {
        let merge = prepared(|user| {
            user.write(".gitignore", ignored);
        });
        merge.world.user.write("tests", "mine\n");
        assert!(merge.busy().contains("tests"));
    }
}

#[test]
fn files_in_a_directory_that_becomes_a_file_stop_the_merge() {
    for name in ["mine.txt", "mine.log"] {
        let world = World::prepared(|user| {
            user.write("place/inner.txt", "inner\n");
            user.write(".gitignore", "*.log\n");
        });
        let tree = world.write_tree(
            &world.base_tree(),
            &[delete("place/inner.txt"), write("place", "a file now\n")],
        );
        let merge = Merge {
            base: world.base(),
            tree,
            world,
        };
        merge.world.user.write(format!("place/{name}"), "mine\n");
        assert!(merge.busy().contains("place"));
    }
}

#[test]
fn a_link_in_place_of_a_directory_is_not_written_through() {
    let merge = merge();
    let user = &merge.world.user;
    let outside = merge.world.environment.root().join("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, user.path().join("tests")).unwrap();
    assert!(merge.busy().contains("tests"));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn an_identical_file_in_the_way_is_kept_too() {
    let merge = merge();
    merge
        .world
        .user
        .write("tests/test_new.py", "def test_new(): pass\n");
    // Git may take it for the merged file; either way nothing is lost.
    merge.run();
    assert_eq!(
        merge.world.user.read("tests/test_new.py"),
        "def test_new(): pass\n"
    );
}

#[test]
fn touched_but_unchanged_files_are_no_obstacle() {
    let merge = merge();
    let user = &merge.world.user;
    let content = user.read("src/calculator.py");
    fs::remove_file(user.path().join("src/calculator.py")).unwrap();
    user.write("src/calculator.py", content);
    merge.done();
    merge.assert_followed();
    assert_eq!(merge.status(), "");
}

#[test]
fn a_merge_in_progress_stops_it() {
    let merge = merge();
    let user = &merge.world.user;
    user.git(["checkout", "--quiet", "-b", "side"]);
    user.write("side.txt", "side\n");
    user.commit_all("side");
    user.git(["checkout", "--quiet", "main"]);
    user.git(["merge", "--quiet", "--no-commit", "--no-ff", "side"]);
    assert!(merge.busy().contains("a merge is in progress"));
}

#[test]
fn a_rebase_of_the_branch_in_progress_stops_it() {
    for backend in ["--merge", "--apply"] {
        let merge = merge();
        let user = &merge.world.user;
        user.git(["checkout", "--quiet", "--orphan", "unrelated"]);
        user.write("src/calculator.py", "entirely different\n");
        user.commit_all("unrelated");
        user.git(["checkout", "--quiet", "main"]);
        let rebase = user
            .git_command(["rebase", backend, "--root", "--onto", "unrelated"])
            .output()
            .unwrap();
        assert!(!rebase.status.success(), "the rebase stops at a conflict");
        assert!(merge.busy().contains("a rebase"), "{backend}");
    }
}

#[test]
fn an_index_that_is_locked_stops_it() {
    let merge = merge();
    merge.world.user.write(".git/index.lock", "");
    assert!(merge.busy().contains("index.lock"));
    fs::remove_file(merge.world.user.path().join(".git/index.lock")).unwrap();
    merge.done();
}

#[test]
fn a_detached_checkout_stays_as_it_is() {
    let merge = merge();
    merge.world.user.git(["checkout", "--quiet", "--detach"]);
    let before = merge.world.user.checkout_fingerprint();
    merge.done();
    merge
        .world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

/// A linked worktree on `main`, with the first checkout moved out of the way.
fn linked(merge: &Merge) -> PathBuf {
    let linked = merge.world.environment.root().join("linked worktree");
    let user = &merge.world.user;
    user.git(["checkout", "--quiet", "-b", "elsewhere"]);
    user.git([
        OsStr::new("worktree"),
        OsStr::new("add"),
        OsStr::new("-q"),
        linked.as_os_str(),
        OsStr::new("main"),
    ]);
    linked
}

#[test]
fn a_linked_worktree_follows_and_the_first_checkout_does_not() {
    let merge = merge();
    let linked = linked(&merge);
    let before = merge.world.user.checkout_fingerprint();
    merge.done();
    assert_eq!(
        fs::read_to_string(linked.join("src/calculator.py")).unwrap(),
        CHANGED
    );
    let directory = linked.to_str().unwrap();
    assert_eq!(
        merge
            .world
            .user
            .git(["-C", directory, "status", "--porcelain"]),
        ""
    );
    merge
        .world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_dirty_linked_worktree_stops_the_merge() {
    let merge = merge();
    let linked = linked(&merge);
    fs::write(linked.join("src/calculator.py"), "mine\n").unwrap();
    assert!(merge.busy().contains("src/calculator.py"));
    assert_eq!(
        fs::read_to_string(linked.join("src/calculator.py")).unwrap(),
        "mine\n"
    );
}

#[test]
fn a_linked_worktree_whose_directory_is_gone_or_replaced_is_no_obstacle() {
    for replaced in [false, true] {
        let merge = merge();
        let linked = linked(&merge);
        fs::remove_dir_all(&linked).unwrap();
        if replaced {
            fs::create_dir(&linked).unwrap();
            fs::write(linked.join("precious.txt"), "precious\n").unwrap();
        }
        merge.done();
        if replaced {
            assert_eq!(fs::read_dir(&linked).unwrap().count(), 1);
        }
    }
}

#[test]
fn the_first_checkout_follows_when_the_run_was_started_in_a_linked_one() {
    let mut merge = merge();
    let linked = merge.world.environment.root().join("linked");
    merge.world.user.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "topic",
        linked.to_str().unwrap(),
    ]);
    merge.world.proctor = discover(&merge.world.environment, &linked).unwrap();
    merge.done();
    merge.assert_followed();
    assert!(linked.join("old.txt").exists());
}

#[test]
fn a_worktree_of_a_bare_repository_follows() {
    let mut merge = merge();
    let root = merge.world.environment.root().to_owned();
    let (bare, linked) = (root.join("bare.git"), root.join("linked"));
    let user = &merge.world.user;
    user.git(["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let in_bare = ["-C", bare.to_str().unwrap()];
    user.git(
        in_bare
            .iter()
            .chain(&["worktree", "add", "-q", linked.to_str().unwrap(), "main"]),
    );
    merge.world.proctor = discover(&merge.world.environment, &linked).unwrap();
    // Made here, so that the objects are there.
    merge.tree = merge.world.write_tree(
        &merge.world.base_tree(),
        &[write("src/calculator.py", CHANGED)],
    );
    let outcome = merge.run();
    assert!(
        matches!(&outcome, MergeOutcome::Done { left_behind, .. } if left_behind.is_empty()),
        "{outcome:?}"
    );
    assert_eq!(
        fs::read_to_string(linked.join("src/calculator.py")).unwrap(),
        CHANGED
    );
}

#[test]
fn a_first_checkout_that_cannot_be_found_stops_the_merge() {
    let mut merge = merge();
    let root = merge.world.environment.root().to_owned();
    let (elsewhere, linked) = (root.join("elsewhere.git"), root.join("linked"));
    let user = &merge.world.user;
    user.git([
        "init",
        "--quiet",
        "--separate-git-dir",
        elsewhere.to_str().unwrap(),
    ]);
    user.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "topic",
        linked.to_str().unwrap(),
    ]);
    merge.world.proctor = discover(&merge.world.environment, &linked).unwrap();
    assert!(merge.busy().contains("git does not say where"));
}

#[test]
fn a_checkout_with_a_separate_git_directory_follows() {
    let mut merge = merge();
    let user = &merge.world.user;
    let elsewhere = merge.world.environment.root().join("elsewhere.git");
    user.git([
        "init",
        "--quiet",
        "--separate-git-dir",
        elsewhere.to_str().unwrap(),
    ]);
    assert!(user.path().join(".git").is_file());
    merge.world.proctor = discover(&merge.world.environment, user.path()).unwrap();
    merge.done();
    merge.assert_followed();
    assert_eq!(merge.status(), "");
}

#[test]
fn a_submodule_as_a_repository_of_its_own_follows() {
    let merge = merge();
    let environment = &merge.world.environment;
    let outer = environment.init_repository_at("outer");
    outer.git([
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        merge.world.user.path().to_str().unwrap(),
        "inner",
    ]);
    let inner = outer.path().join("inner");
    let proctor = discover(environment, &inner).unwrap();
    assert_eq!(proctor.top(), inner);
    let tree = proctor
        .write_tree(
            &proctor.tree_of(&merge.base).unwrap(),
            &[write("src/calculator.py", CHANGED)],
        )
        .unwrap();
    let person = ada();
    let outcome = proctor
        .merge(&MergeRequest {
            branch: "main",
            base: &merge.base,
            tree: &tree,
            person: &person,
            seconds: SECONDS,
            message: "inner\n",
        })
        .unwrap();
    assert!(
        matches!(&outcome, MergeOutcome::Done { left_behind, .. } if left_behind.is_empty()),
        "{outcome:?}"
    );
    assert_eq!(
        fs::read_to_string(inner.join("src/calculator.py")).unwrap(),
        CHANGED
    );
}

#[test]
fn line_endings_that_the_person_asked_for_are_no_obstacle() {
    for (key, value) in [("core.autocrlf", "true"), ("core.eol", "crlf")] {
        let mut merge = merge();
        let user = &merge.world.user;
        if key == "core.eol" {
            user.write(".git/info/attributes", "* text=auto\n");
        }
        user.git(["config", "--global", key, value]);
        fs::remove_file(user.path().join("src/calculator.py")).unwrap();
        user.git(["checkout", "--", "src/calculator.py"]);
        assert!(user.read("src/calculator.py").contains("\r\n"));
        merge.world.proctor = discover(&merge.world.environment, user.path()).unwrap();
        merge.done();
        let user = &merge.world.user;
        assert_eq!(
            user.read("src/calculator.py"),
            CHANGED.replace('\n', "\r\n")
        );
        assert_eq!(merge.status(), "");
    }
}

// --- the base moved ---

#[test]
fn a_base_that_moved_cleanly_gives_the_tree_to_judge_and_moves_nothing() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("later.txt", "later\n");
    user.commit_all("later");
    let tip = merge.world.base();
    let before = user.checkout_fingerprint();
    let MergeOutcome::Moved { tip: seen, tree } = merge.run() else {
        panic!("the base moved");
    };
    assert_eq!(seen, tip);
    let expected = merge
        .world
        .write_tree(&merge.tree, &[write("later.txt", "later\n")]);
    assert_eq!(tree, expected);
    assert_eq!(merge.world.base(), tip);
    user.checkout_fingerprint().assert_unchanged_since(&before);

    // Judged again, it is merged on the new tip.
    let again = Merge {
        base: tip,
        tree,
        world: merge.world,
    };
    again.done();
    again.assert_followed();
}

#[test]
fn commits_that_the_person_took_back_do_not_return() {
    let mut merge = merge();
    let user = &merge.world.user;
    let first = user.head();
    user.write("secret.txt", "never meant to be here\n");
    user.commit_all("oops");
    merge.base = merge.world.base();
    merge.tree = merge.world.write_tree(
        &merge.world.base_tree(),
        &[write("src/calculator.py", CHANGED)],
    );
    user.git(["reset", "--quiet", "--hard", &first]);
    let MergeOutcome::Moved { tip, tree } = merge.run() else {
        panic!("the base moved");
    };
    assert_eq!(tip.as_str(), first);
    let expected = merge.world.write_tree(
        &merge.world.base_tree(),
        &[write("src/calculator.py", CHANGED)],
    );
    assert_eq!(tree, expected);
}

#[test]
fn an_amended_base_is_merged_with_what_it_says_now() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("unrelated.txt", "amended\n");
    user.git(["commit", "--quiet", "--amend", "--all", "-m", "amended"]);
    let MergeOutcome::Moved { tree, .. } = merge.run() else {
        panic!("the base moved");
    };
    let expected = merge
        .world
        .write_tree(&merge.tree, &[write("unrelated.txt", "amended\n")]);
    assert_eq!(tree, expected);
}

#[test]
fn a_conflict_names_its_files_and_moves_nothing() {
    let merge = merge();
    let user = &merge.world.user;
    user.write(
        "src/calculator.py",
        "def add(a, b):\n    return sum((a, b))\n",
    );
    user.write("old.txt", "changed and therefore needed\n");
    user.write("later.txt", "later\n");
    user.commit_all("later");
    let tip = merge.world.base();
    let before = user.checkout_fingerprint();
    assert_eq!(
        merge.run(),
        MergeOutcome::Conflict {
            files: vec!["old.txt".to_owned(), "src/calculator.py".to_owned()]
        }
    );
    assert_eq!(merge.world.base(), tip);
    user.checkout_fingerprint().assert_unchanged_since(&before);
}

#[test]
fn a_branch_that_is_gone_is_said_to_be_gone() {
    let merge = merge();
    merge
        .world
        .user
        .git(["checkout", "--quiet", "-b", "elsewhere"]);
    merge.world.user.git(["branch", "--quiet", "-D", "main"]);
    assert_eq!(merge.run(), MergeOutcome::NoBranch);
    assert_eq!(merge.run_on("never-was"), MergeOutcome::NoBranch);
}

// --- again ---

fn request_is_merged(merge: &Merge) -> Option<CommitId> {
    let person = ada();
    merge
        .world
        .proctor
        .is_merged(&MergeRequest {
            branch: "main",
            base: &merge.base,
            tree: &merge.tree,
            person: &person,
            seconds: SECONDS,
            message: "feat: a better calculator\n",
        })
        .unwrap()
}

#[test]
fn merging_twice_gives_one_commit() {
    let merge = merge();
    assert_eq!(request_is_merged(&merge), None);
    let commit = merge.done();
    assert_eq!(request_is_merged(&merge), Some(commit.clone()));
    let before = merge.world.user.checkout_fingerprint();
    assert_eq!(merge.done(), commit);
    merge
        .world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    assert_eq!(merge.world.user.git(["rev-list", "--count", "main"]), "2");
}

#[test]
fn merging_again_after_others_built_on_it_changes_nothing() {
    let merge = merge();
    let commit = merge.done();
    let user = &merge.world.user;
    user.write("later.txt", "later\n");
    user.commit_all("later");
    let before = user.checkout_fingerprint();
    assert_eq!(
        merge.run(),
        MergeOutcome::Done {
            commit,
            left_behind: Vec::new()
        }
    );
    user.checkout_fingerprint().assert_unchanged_since(&before);
}

/// What a crash between the two steps leaves: the branch moved, the files did not.
fn crash_after_the_branch_moved(merge: &Merge) {
    let commit = merge
        .world
        .proctor
        .write_commit(
            &merge.tree,
            Some(&merge.base),
            &ada(),
            SECONDS,
            "feat: a better calculator\n",
        )
        .unwrap();
    merge
        .world
        .user
        .git(["update-ref", "refs/heads/main", commit.as_str()]);
}

#[test]
fn a_checkout_that_a_crash_left_behind_follows_later() {
    let merge = merge();
    merge.world.user.write("unrelated.txt", "mine\n");
    crash_after_the_branch_moved(&merge);
    merge.done();
    merge.assert_followed();
    assert_eq!(merge.status(), " M unrelated.txt");
}

#[test]
fn a_checkout_that_cannot_follow_after_a_crash_is_named() {
    let merge = merge();
    let user = &merge.world.user;
    user.write("src/calculator.py", "mine\n");
    crash_after_the_branch_moved(&merge);
    let MergeOutcome::Done { left_behind, .. } = merge.run() else {
        panic!("the branch has the commit");
    };
    assert_eq!(left_behind.len(), 1);
    assert!(left_behind[0].contains("src/calculator.py"));
    assert_eq!(user.read("src/calculator.py"), "mine\n");
    assert!(user.exists("old.txt"));
}

#[test]
fn an_ignored_file_in_the_way_after_a_crash_is_kept() {
    let merge = prepared(|user| {
        user.write(".gitignore", "tests/\n");
    });
    let user = &merge.world.user;
    user.write("tests/test_new.py", "mine\n");
    crash_after_the_branch_moved(&merge);
    let MergeOutcome::Done { left_behind, .. } = merge.run() else {
        panic!("the branch has the commit");
    };
    assert_eq!(left_behind.len(), 1);
    assert_eq!(user.read("tests/test_new.py"), "mine\n");
}

#[test]
fn a_merge_without_any_change_is_still_a_commit() {
    let mut merge = merge();
    merge.tree = merge.world.base_tree();
    merge.done();
    assert_eq!(merge.status(), "");
}
