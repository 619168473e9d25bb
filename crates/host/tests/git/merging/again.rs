//! The same merge again, as after a crash.

use super::*;

fn request_is_merged(merge: &Merge) -> Option<CommitId> {
    merge
        .world
        .proctor
        .merging()
        .is_merged(&MergeRequest {
            branch: "main",
            base: &merge.base,
            tree: &merge.tree,
            message: by_ada("feat: a better calculator\n"),
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
    merge.world.assert_unchanged_since(&before);
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

/// The state after a crash between the two steps: the branch moved, the files did not.
fn crash_after_the_branch_moved(merge: &Merge) {
    let commit = merge
        .world
        .proctor
        .objects()
        .write_commit(
            &merge.tree,
            &[&merge.base],
            by_ada("feat: a better calculator\n"),
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
