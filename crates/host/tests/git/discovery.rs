//! Finding a repository, and the messages where there is none.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::world::{World, ada, delete, discover, files_below, skipped, write};
use proctor_host::git::Discovery;
use proctor_testkit::TestEnvironment;

#[test]
fn a_plain_directory_is_not_a_repository() {
    let environment = TestEnvironment::without_binary();
    let found = discover(&environment, environment.root());
    assert!(
        matches!(&found, Err(Discovery::NotARepository { message, .. }) if message == "no .git in it, nor in a directory above it"),
        "{found:?}"
    );
}

#[test]
fn a_repository_of_another_user_is_not_trusted() {
    let world = World::new();
    let given_away = std::os::unix::fs::chown(world.user.path(), Some(12345), None);
    if given_away.is_err() {
        return skipped("a repository of another user: only root can give one away");
    }
    let found = discover(&world.environment, world.user.path());
    assert!(
        matches!(found, Err(Discovery::NotTrusted { .. })),
        "{found:?}"
    );
}

#[test]
fn a_bare_repository_is_refused() {
    let world = World::new();
    let bare = world.environment.root().join("bare.git");
    world.user.git([
        OsStr::new("clone"),
        OsStr::new("--quiet"),
        OsStr::new("--bare"),
        world.user.path().as_os_str(),
        bare.as_os_str(),
    ]);
    let found = discover(&world.environment, &bare);
    assert!(matches!(found, Err(Discovery::Bare { .. })), "{found:?}");
}

#[test]
fn inside_the_git_directory_there_is_no_checkout() {
    let world = World::new();
    for inside in [".git", ".git/refs/heads"] {
        let found = discover(&world.environment, &world.user.path().join(inside));
        assert!(
            matches!(found, Err(Discovery::NotARepository { .. })),
            "{inside}: {found:?}"
        );
    }
}

#[test]
fn without_git_on_the_path_that_is_said() {
    let world = World::new();
    let surroundings = proctor_host::surroundings::Surroundings::from_list(vec![(
        "PATH".into(),
        world.environment.home().into(),
    )]);
    let found = proctor_host::git::Repository::discover(world.user.path(), &surroundings);
    assert!(matches!(found, Err(Discovery::NoGit)), "{found:?}");
}

#[test]
fn a_git_that_is_too_old_is_refused() {
    let mut environment = TestEnvironment::without_binary();
    let old = environment.write("bin/git", "#!/bin/sh\necho git version 2.34.1\n");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    environment.set_variable("PATH", environment.root().join("bin"));
    let found = discover(&environment, environment.root());
    assert!(
        matches!(&found, Err(Discovery::TooOld { found }) if found == "2.34.1"),
        "{found:?}"
    );
}

#[test]
fn a_subdirectory_leads_to_the_checkout_around_it() {
    let world = World::new();
    let found = discover(&world.environment, &world.user.path().join("src")).unwrap();
    assert_eq!(found.top(), world.user.path());
    assert_eq!(found.common_directory(), world.user.path().join(".git"));
    assert_eq!(
        found.checkout().unwrap().branch().unwrap().as_deref(),
        Some("main")
    );
}

#[test]
fn a_linked_worktree_shares_the_repository_and_has_its_own_branch() {
    let world = World::new();
    let linked = world.link();
    let found = discover(&world.environment, &linked).unwrap();
    assert_eq!(found.top(), linked);
    assert_eq!(found.common_directory(), world.user.path().join(".git"));
    assert_eq!(
        found.checkout().unwrap().branch().unwrap().as_deref(),
        Some("topic")
    );
}

#[test]
fn a_worktree_of_a_bare_repository_is_a_checkout() {
    let world = World::new();
    let (bare, linked) = world.bare_with_worktree();
    let found = discover(&world.environment, &linked).unwrap();
    assert_eq!(found.top(), linked);
    assert_eq!(found.common_directory(), bare);
    assert_eq!(
        found.checkout().unwrap().branch().unwrap().as_deref(),
        Some("main")
    );
}

#[test]
fn a_detached_head_has_no_branch() {
    let world = World::new();
    world.user.git(["checkout", "--quiet", "--detach"]);
    assert_eq!(world.proctor.checkout().unwrap().branch().unwrap(), None);
}

#[test]
fn a_sha256_repository_works_like_any_other() {
    let environment = TestEnvironment::without_binary();
    let user = environment.init_repository_at("sha256");
    std::fs::remove_dir_all(user.path().join(".git")).unwrap();
    user.git(["init", "--quiet", "-b", "main", "--object-format=sha256"]);
    user.write("kept.txt", "kept\n");
    user.write("gone.txt", "gone\n");
    user.commit_all("first");
    let world = World::around(environment, user);
    let before = world.base_tree();
    assert_eq!(before.as_str().len(), 64);

    let after = world.write_tree(&before, &[write("new.txt", "new\n"), delete("gone.txt")]);
    assert_eq!(
        world.listing(after.as_str()),
        ["100644 kept.txt", "100644 new.txt"]
    );
    let target = world.environment.root().join("files");
    std::fs::create_dir(&target).unwrap();
    world
        .proctor
        .objects()
        .materialise(&after, &target)
        .unwrap();
    assert_eq!(
        files_below(&target),
        [
            ("kept.txt".into(), b"kept\n".to_vec()),
            ("new.txt".into(), b"new\n".to_vec())
        ]
    );
}

#[test]
fn a_repository_may_have_an_odd_name() {
    for name in [
        OsStr::new("with space"),
        OsStr::new("naïve-日本語"),
        OsStr::new("-dash"),
        OsStr::new("a=b;$(c)'\"\\"),
        OsStr::new(" leading and trailing "),
        OsStr::from_bytes(b"latin-\xe9"),
    ] {
        let environment = TestEnvironment::without_binary();
        let user = environment.init_repository_at(Path::new("odd").join(name));
        user.write("a.txt", "a\n");
        user.commit_all("first");
        let world = World::around(environment, user);
        assert_eq!(world.proctor.top(), world.user.path(), "{name:?}");
        assert_eq!(
            world
                .proctor
                .checkout()
                .unwrap()
                .branch()
                .unwrap()
                .as_deref(),
            Some("main")
        );
        let tree = world.write_tree(&world.base_tree(), &[write("b.txt", "b\n")]);
        assert_eq!(
            world.listing(tree.as_str()),
            ["100644 a.txt", "100644 b.txt"]
        );
    }
}

#[test]
fn the_person_is_read_from_the_users_own_configuration() {
    let world = World::new();
    assert_eq!(world.proctor.person().unwrap(), Some(ada()));
    world.user.git(["config", "user.name", "Grace O'Tester"]);
    assert_eq!(
        world.proctor.person().unwrap().map(|person| person.name),
        Some("Grace O'Tester".to_owned())
    );
}
