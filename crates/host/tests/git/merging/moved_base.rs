//! The base moved while the run was working.

use super::*;

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
