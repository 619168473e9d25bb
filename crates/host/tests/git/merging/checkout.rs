//! The person's checkout follows, or stops the merge.

use super::*;

#[test]
fn a_branch_that_is_not_checked_out_just_moves() {
    let merge = merge();
    merge
        .world
        .user
        .git(["checkout", "--quiet", "-b", "elsewhere"]);
    let before = merge.world.user.checkout_fingerprint();
    merge.done();
    merge.world.assert_unchanged_since(&before);
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
    // The reflog names the person who moved the branch, for the branch and for the checkout.
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
    merge.assert_arrives();
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
    merge.world.assert_unchanged_since(&before);
}
