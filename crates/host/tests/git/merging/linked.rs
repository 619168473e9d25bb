//! Checkouts that are linked, and odd ones.

use super::*;

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

/// The git directory goes to an unusual place.
fn separate_git_directory(world: &World) {
    let elsewhere = world.environment.root().join("elsewhere.git");
    let path = elsewhere.to_str().unwrap();
    world
        .user
        .git(["init", "--quiet", "--separate-git-dir", path]);
}

/// The merge is done, and this checkout of the branch followed.
#[track_caller]
fn assert_arrived(outcome: &MergeOutcome, checkout: &Path) {
    assert!(
        matches!(&outcome, MergeOutcome::Done { left_behind, .. } if left_behind.is_empty()),
        "{outcome:?}"
    );
    let content = fs::read_to_string(checkout.join("src/calculator.py")).unwrap();
    assert_eq!(content, CHANGED);
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
    merge.world.assert_unchanged_since(&before);
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
    let linked = merge.world.link();
    merge.world.seen_from(&linked);
    merge.done();
    merge.assert_followed();
    assert!(linked.join("old.txt").exists());
}

#[test]
fn a_worktree_of_a_bare_repository_follows() {
    let mut merge = merge();
    let (_, linked) = merge.world.bare_with_worktree();
    merge.world.seen_from(&linked);
    // Made here, so that the objects exist.
    merge.tree = merge.world.write_tree(
        &merge.world.base_tree(),
        &[write("src/calculator.py", CHANGED)],
    );
    let outcome = merge.run();
    assert_arrived(&outcome, &linked);
}

#[test]
fn a_first_checkout_that_cannot_be_found_stops_the_merge() {
    let mut merge = merge();
    separate_git_directory(&merge.world);
    let linked = merge.world.link();
    merge.world.seen_from(&linked);
    assert!(merge.busy().contains("git does not say where"));
}

#[test]
fn a_checkout_with_a_separate_git_directory_follows() {
    let mut merge = merge();
    let user = &merge.world.user;
    separate_git_directory(&merge.world);
    assert!(user.path().join(".git").is_file());
    let top = user.path().to_owned();
    merge.world.seen_from(&top);
    merge.assert_arrives();
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
        .objects()
        .write_tree(
            &proctor.objects().tree_of(&merge.base).unwrap(),
            &[write("src/calculator.py", CHANGED)],
        )
        .unwrap();
    let outcome = proctor
        .merging()
        .merge(&MergeRequest {
            branch: "main",
            base: &merge.base,
            tree: &tree,
            message: by_ada("inner\n"),
        })
        .unwrap();
    assert_arrived(&outcome, &inner);
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
        let top = user.path().to_owned();
        merge.world.seen_from(&top);
        merge.done();
        let user = &merge.world.user;
        assert_eq!(
            user.read("src/calculator.py"),
            CHANGED.replace('\n', "\r\n")
        );
        assert_eq!(merge.status(), "");
    }
}
