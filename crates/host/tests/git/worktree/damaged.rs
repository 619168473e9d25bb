//! Worktrees and branches that were changed, removed or taken from outside.

use super::*;

#[test]
fn a_worktree_removed_by_hand_is_forgotten() {
    for locked in [false, true] {
        let world = World::new();
        world.create().unwrap();
        if locked {
            put(administration(&world).join("locked"), "");
        }
        fs::remove_dir_all(world.worktree()).unwrap();
        assert_eq!(world.remove().unwrap(), None);
        world.assert_gone();
    }
}

#[test]
fn a_worktree_without_its_link_back_is_saved_and_removed() {
    for link in [None, Some("gitdir: /nowhere\n"), Some("garbage")] {
        let world = World::new();
        world.create().unwrap();
        let dot_git = world.worktree().join(".git");
        fs::remove_file(&dot_git).unwrap();
        if let Some(text) = link {
            put(&dot_git, text);
        }
        put(world.worktree().join("new.txt"), "new\n");
        world.rescued();
        assert_eq!(world.bytes_at(RESCUE, "new.txt"), b"new\n");
    }
}

#[test]
fn removing_twice_is_harmless() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(world.remove().unwrap(), None);
    world.assert_gone();
    assert_eq!(world.user.git(["rev-parse", RESCUE]), rescue.as_str());
}

#[test]
fn a_removal_that_was_cut_short_loses_nothing_when_it_is_repeated() {
    let world = World::new();
    world.create().unwrap();
    let top = world.worktree();
    put(top.join("first.txt"), "first\n");
    put(top.join("second.txt"), "second\n");
    let first = world.rescued();

    // As it was when the process died: saved, and half of the files gone.
    world.create().unwrap();
    put(top.join("second.txt"), "second\n");
    fs::remove_file(top.join("README.md")).unwrap();
    let second = world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "second.txt"), b"second\n");
    world.user.git([
        "merge-base",
        "--is-ancestor",
        first.as_str(),
        second.as_str(),
    ]);
}

#[test]
fn commits_that_only_the_branch_holds_are_rescued() {
    let world = World::new();
    world.create().unwrap();
    let top = world.worktree();
    let directory = top.to_str().unwrap();
    put(top.join("mine.txt"), "mine\n");
    world.user.git(["-C", directory, "add", "--all"]);
    world
        .user
        .git(["-C", directory, "commit", "--quiet", "-m", "mine"]);
    let mine = world.commit(&format!("refs/heads/{BRANCH}"));
    fs::remove_file(top.join("mine.txt")).unwrap();
    let rescue = world.remove().unwrap();
    assert_eq!(rescue, Some(mine.clone()));
    assert_eq!(world.user.git(["rev-parse", RESCUE]), mine.as_str());
    world.assert_gone();
}

#[test]
fn files_are_saved_even_if_the_branch_was_deleted() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    world
        .user
        .git(["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "new.txt"), b"new\n");
}

#[test]
fn a_branch_that_a_person_has_checked_out_is_not_taken_away() {
    let world = World::new();
    world.create().unwrap();
    fs::remove_dir_all(world.worktree()).unwrap();
    world.user.git(["worktree", "prune"]);
    world.user.git(["checkout", "--quiet", BRANCH]);
    let before = world.user.checkout_fingerprint();
    assert_eq!(world.remove().unwrap(), None);
    world.assert_unchanged_since(&before);
}

#[test]
fn a_run_started_in_a_linked_worktree_works_the_same() {
    let mut world = World::new();
    let linked = world.link();
    world.seen_from(&linked);
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.remove().unwrap();
    assert!(rescue.is_some());
    assert!(!world.worktree().exists());
    assert!(linked.join(".git").exists());
    world.assert_unchanged_since(&before);
}
