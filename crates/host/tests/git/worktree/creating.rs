//! Made in one way.

use super::*;

#[test]
fn a_fresh_worktree_has_the_base_commits_files_on_a_branch_of_its_own() {
    let world = World::new();
    let before = world.user.checkout_fingerprint();
    // Its parent directories do not exist yet.
    world.create().unwrap();
    assert_eq!(
        files_below(&world.worktree()),
        files_below(world.user.path())
    );
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), world.base());
    let linked = discover(&world.environment, &world.worktree()).unwrap();
    assert_eq!(
        linked.checkout().unwrap().branch().unwrap().as_deref(),
        Some(BRANCH)
    );
    world.assert_unchanged_since(&before);
}

#[test]
fn a_worktree_is_made_from_the_recorded_base_not_from_where_the_branch_went() {
    let world = World::new();
    let base = world.base();
    world.user.write("later.txt", "later\n");
    world.user.commit_all("later");
    world
        .proctor
        .worktrees()
        .create(&world.worktree(), BRANCH, &base)
        .unwrap();
    assert!(!world.worktree().join("later.txt").exists());
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), base);
}

#[test]
fn a_leftover_branch_at_the_base_is_used_again() {
    let world = World::new();
    world.user.git(["branch", BRANCH]);
    world.create().unwrap();
    world.assert_stays();
}

#[test]
fn a_branch_with_other_commits_is_refused_and_kept() {
    let world = World::new();
    world.user.git(["branch", BRANCH]);
    let base = world.base();
    world.user.write("later.txt", "later\n");
    world.user.commit_all("later");
    let refused = world.create();
    assert!(
        matches!(&refused, Err(WorktreeError::BranchDiverged { branch, .. }) if branch == BRANCH),
        "{refused:?}"
    );
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), base);
    assert!(!world.worktree().exists());
}

#[test]
fn a_branch_that_is_checked_out_elsewhere_is_refused() {
    let world = World::new();
    world.user.git(["checkout", "--quiet", "-b", BRANCH]);
    let before = world.user.checkout_fingerprint();
    let refused = world.create();
    let here = world.user.path().display().to_string();
    assert!(
        matches!(&refused, Err(WorktreeError::BranchInUse { at, .. }) if *at == here),
        "{refused:?}"
    );
    assert!(!world.worktree().exists());
    world.assert_unchanged_since(&before);
}

#[test]
fn a_half_made_worktree_is_recreated() {
    type Damage = fn(&World);
    let damages: [(&str, Damage); 5] = [
        ("files missing", |world| {
            fs::remove_file(world.worktree().join("README.md")).unwrap();
        }),
        ("no link back", |world| {
            fs::remove_file(world.worktree().join(".git")).unwrap();
        }),
        ("no directory", |world| {
            fs::remove_dir_all(world.worktree()).unwrap();
        }),
        ("no HEAD", |world| {
            fs::remove_file(administration(world).join("HEAD")).unwrap();
            fs::remove_file(world.worktree().join(".git")).unwrap();
        }),
        ("no index", |world| {
            fs::remove_file(administration(world).join("index")).unwrap();
        }),
    ];
    for (name, damage) in damages {
        for locked in [true, false] {
            let world = World::new();
            world.create().unwrap();
            if locked {
                put(administration(&world).join("locked"), "initializing");
            }
            damage(&world);
            world
                .create()
                .unwrap_or_else(|error| panic!("{name}, locked: {locked}: {error}"));
            assert_eq!(
                files_below(&world.worktree()),
                files_below(world.user.path()),
                "{name}"
            );
            assert_eq!(world.remove().unwrap(), None, "{name}");
            world.assert_gone();
        }
    }
}

#[test]
fn a_worktree_reached_through_a_link_is_the_same_worktree() {
    let world = World::new();
    let real = world.environment.root().join("real");
    fs::create_dir(&real).unwrap();
    let link = world.environment.root().join("link");
    symlink(&real, &link).unwrap();
    let path = link.join("87");
    world.create_at(&path).unwrap();
    world.create_at(&path).unwrap();
    world.assert_rescued_from(&path);
}

#[test]
fn a_worktree_may_lie_under_a_name_that_is_not_text() {
    let world = World::new();
    let path = world
        .environment
        .root()
        .join(OsStr::from_bytes(b"state-\xe9/run"));
    world.create_at(&path).unwrap();
    world.assert_rescued_from(&path);
}

#[test]
fn a_persons_own_checkout_is_never_taken_for_a_runs_worktree() {
    let world = World::new();
    world.user.write("untracked.txt", "untracked\n");
    let before = world.user.checkout_fingerprint();
    let own = world.user.path().to_owned();
    assert!(world.create_at(&own).is_err());
    assert!(world.remove_at(&own, &world.base_tree()).is_err());
    world.assert_unchanged_since(&before);
}

#[test]
fn a_git_directory_planted_in_the_worktree_misleads_no_one() {
    let world = World::new();
    world
        .user
        .write("staged.txt", "staged in the person's own checkout\n");
    world.user.git(["add", "staged.txt"]);
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    let dot_git = world.worktree().join(".git");
    fs::remove_file(&dot_git).unwrap();
    fs::create_dir(&dot_git).unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 README.md",
            "100644 new.txt",
            "100644 src/calculator.py"
        ]
    );
    world.assert_unchanged_since(&before);
}

#[test]
fn a_foreign_directory_in_the_way_is_left_alone() {
    let world = World::new();
    put(world.worktree().join("precious.txt"), "precious\n");
    assert!(world.create().is_err());
    assert_eq!(
        fs::read_to_string(world.worktree().join("precious.txt")).unwrap(),
        "precious\n"
    );
}

#[test]
fn replaced_objects_are_not_what_is_checked_out() {
    let world = World::new();
    let forged = world.user.write("forged", "forged\n");
    let forged_blob = world
        .user
        .git(["hash-object", "-w", forged.to_str().unwrap()]);
    fs::remove_file(forged).unwrap();
    let real = world.user.git(["rev-parse", "main:README.md"]);
    world.user.git(["replace", &real, &forged_blob]);
    world.create().unwrap();
    assert_eq!(
        fs::read_to_string(world.worktree().join("README.md")).unwrap(),
        "# Calculator\n"
    );
    assert_eq!(world.remove().unwrap(), None);
}
