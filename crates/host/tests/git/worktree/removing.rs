//! Removed only when everything in it is safe.

use super::*;

#[test]
fn a_clean_worktree_goes_without_a_rescue() {
    let world = World::new();
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    let (run, path) = (run_id(), world.worktree());
    let data = RunData::new(&world.proctor, &run, &path);
    for kept in [Kept::Candidate, Kept::Staged, Kept::Sealed] {
        data.keep(kept, &world.base_tree()).unwrap();
    }
    assert_eq!(world.remove().unwrap(), None);
    world.assert_gone();
    assert_eq!(world.user.git(["for-each-ref", "refs/proctor"]), "");
    world.assert_unchanged_since(&before);
}

#[test]
fn a_worktree_that_holds_just_what_was_merged_goes_without_a_rescue() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("src/new.py"), "new = 1\n");
    let merged = world.write_tree(&world.base_tree(), &[write("src/new.py", "new = 1\n")]);
    assert_eq!(world.remove_settled(&merged).unwrap(), None);
    world.assert_gone();
}

#[test]
fn everything_uncommitted_is_in_the_rescue() {
    let world = World::prepared(|user| {
        user.write("changed.txt", "old\n");
        user.write("deleted.txt", "deleted\n");
        user.write("kept.txt", "kept\n");
        user.write("mode.sh", "#!/bin/sh\n");
        user.write("becomes-link", "file\n");
        user.write("becomes-directory", "file\n");
        user.write("becomes-file/inner.txt", "inner\n");
        user.write(".gitignore", "*.log\n");
    });
    world.user.write("stashed.txt", "stashed\n");
    world.user.git(["stash", "--include-untracked", "--quiet"]);
    world.user.write("kept.txt", "the person's own change\n");
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    let top = world.worktree();
    put(top.join("changed.txt"), b"one\r\ntwo\0\xff\n");
    fs::remove_file(top.join("deleted.txt")).unwrap();
    fs::set_permissions(top.join("mode.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(top.join("becomes-link")).unwrap();
    symlink("/etc/passwd", top.join("becomes-link")).unwrap();
    fs::remove_file(top.join("becomes-directory")).unwrap();
    put(top.join("becomes-directory/inner.txt"), "inner\n");
    fs::remove_dir_all(top.join("becomes-file")).unwrap();
    put(top.join("becomes-file"), "file\n");
    put(top.join("deep/new.txt"), "new\n");
    put(top.join("empty"), "");
    put(top.join("noise.log"), "ignored\n");

    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 .gitignore",
            "100644 becomes-directory/inner.txt",
            "100644 becomes-file",
            "120000 becomes-link",
            "100644 changed.txt",
            "100644 deep/new.txt",
            "100644 empty",
            "100644 kept.txt",
            "100755 mode.sh",
        ]
    );
    assert_eq!(world.bytes_at(RESCUE, "changed.txt"), b"one\r\ntwo\0\xff\n");
    assert_eq!(world.bytes_at(RESCUE, "becomes-link"), b"/etc/passwd");
    assert_eq!(world.bytes_at(RESCUE, "deep/new.txt"), b"new\n");
    assert_eq!(
        world.user.git(["rev-parse", &format!("{RESCUE}^")]),
        world.base().as_str()
    );
    world.assert_unchanged_since(&before);
}

#[test]
fn odd_names_are_saved_each_with_its_own_content() {
    let names: [&[u8]; 14] = [
        b"with space",
        b" leading",
        b"trailing ",
        b"new\nline",
        b"\nfirst",
        b"last\n",
        b"\"quoted\"",
        b"\"unfinished",
        b"back\\slash",
        b"return\r",
        b"return",
        b"tab\there",
        b"latin-\xe9",
        b"-rf *",
    ];
    let world = World::new();
    world.create().unwrap();
    for name in names {
        put(world.worktree().join(OsStr::from_bytes(name)), name);
    }
    world.rescued();
    for name in names {
        assert_eq!(
            world.bytes_at(RESCUE, OsStr::from_bytes(name)),
            name,
            "{:?}",
            String::from_utf8_lossy(name)
        );
    }
}

#[test]
fn bytes_are_saved_as_they_are_whatever_attributes_say() {
    let world = World::prepared(|user| {
        user.write("kept.txt", "kept\n");
    });
    world.create().unwrap();
    let top = world.worktree();
    put(
        top.join(".gitattributes"),
        "* text eol=lf filter=evil ident\n",
    );
    put(top.join("crlf.txt"), "one\r\n$Id: secret$\r\n");
    world.rescued();
    assert_eq!(
        world.bytes_at(RESCUE, "crlf.txt"),
        b"one\r\n$Id: secret$\r\n"
    );
}

#[test]
fn a_checkout_that_git_itself_converted_is_clean() {
    let world = World::prepared(|user| {
        user.write("script.bat", "echo one\r\necho two\r\n");
        user.write("other.bat", "echo three\r\n");
        user.write(".gitattributes", "*.bat text eol=crlf\n");
    });
    world.create().unwrap();
    assert_eq!(
        fs::read(world.worktree().join("other.bat")).unwrap(),
        b"echo three\r\n"
    );
    assert_eq!(world.remove().unwrap(), None);

    // Changed files in it are saved byte for byte; the rest is as committed.
    world.create().unwrap();
    put(world.worktree().join("script.bat"), "echo four\r\n");
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "script.bat"), b"echo four\r\n");
    assert_eq!(world.bytes_at(RESCUE, "other.bat"), b"echo three\n");
}

#[test]
fn line_endings_that_the_person_asked_for_are_no_change() {
    let world = World::new();
    world
        .user
        .git(["config", "--global", "core.autocrlf", "true"]);
    let world = World::around(world.environment, world.user);
    world.create().unwrap();
    assert_eq!(
        fs::read(world.worktree().join("README.md")).unwrap(),
        b"# Calculator\r\n"
    );
    assert_eq!(world.remove().unwrap(), None);
}

#[test]
fn a_directory_that_cannot_be_read_keeps_the_worktree() {
    if rustix::process::geteuid().is_root() {
        skipped("permissions do not bind root, so nothing can be shown");
        return;
    }
    let world = World::new();
    world.create().unwrap();
    let closed = world.worktree().join("closed");
    put(closed.join("work.txt"), "work\n");
    let permit = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    permit(0o000);
    let refused = world.remove();
    permit(0o755);
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { problem, .. }) if problem.contains("closed")),
        "{refused:?}"
    );
    world.assert_stays();
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "closed/work.txt"), b"work\n");
}

#[test]
fn no_index_bit_hides_a_change() {
    for bit in ["--assume-unchanged", "--skip-worktree"] {
        let world = World::new();
        world.create().unwrap();
        let top = world.worktree();
        let directory = top.to_str().unwrap();
        world
            .user
            .git(["-C", directory, "update-index", bit, "README.md"]);
        put(top.join("README.md"), "hidden change\n");
        world.rescued();
        assert_eq!(world.bytes_at(RESCUE, "README.md"), b"hidden change\n");
    }
}

#[test]
fn tracked_and_staged_files_are_saved_even_if_an_ignore_rule_names_them() {
    let world = World::prepared(|user| {
        user.write("tracked.log", "tracked\n");
        user.write("plain.txt", "plain\n");
    });
    world.create().unwrap();
    let top = world.worktree();
    put(top.join(".gitignore"), "*.log\n");
    put(top.join("tracked.log"), "changed\n");
    put(top.join("staged.log"), "staged\n");
    put(top.join("ignored.log"), "ignored\n");
    let directory = top.to_str().unwrap();
    world
        .user
        .git(["-C", directory, "add", "--force", "staged.log"]);
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 .gitignore",
            "100644 plain.txt",
            "100644 staged.log",
            "100644 tracked.log",
        ]
    );
    assert_eq!(world.bytes_at(RESCUE, "tracked.log"), b"changed\n");
}

#[test]
fn a_directory_that_became_a_link_is_saved_as_a_link() {
    let world = World::prepared(|user| {
        user.write("data/inner.txt", "inside\n");
    });
    let outside = world.environment.root().join("outside");
    put(outside.join("inner.txt"), "outside\n");
    world.create().unwrap();
    let data = world.worktree().join("data");
    fs::remove_dir_all(&data).unwrap();
    symlink(&outside, &data).unwrap();
    let rescue = world.rescued();
    assert_eq!(world.listing(rescue.as_str()), ["120000 data"]);
    assert_eq!(
        fs::read_to_string(outside.join("inner.txt")).unwrap(),
        "outside\n"
    );
}

#[test]
fn what_cannot_be_saved_keeps_the_worktree() {
    let world = World::new();
    world.create().unwrap();
    let readme = world.worktree().join("README.md");
    put(world.worktree().join("new.txt"), "new\n");
    fs::remove_file(&readme).unwrap();
    let made = world
        .environment
        .command("mkfifo")
        .arg(&readme)
        .status()
        .unwrap();
    assert!(made.success());
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path == "README.md"),
        "{refused:?}"
    );
    world.assert_stays();
    assert!(world.worktree().join("new.txt").exists());

    fs::remove_file(&readme).unwrap();
    world.rescued();
}

#[test]
fn a_repository_of_its_own_inside_keeps_the_worktree() {
    let world = World::new();
    world.create().unwrap();
    let nested = world.worktree().join("nested");
    fs::create_dir(&nested).unwrap();
    let directory = nested.to_str().unwrap();
    world.user.git(["init", "--quiet", directory]);
    put(nested.join("work.txt"), "work\n");
    world.user.git(["-C", directory, "add", "--all"]);
    world
        .user
        .git(["-C", directory, "commit", "--quiet", "-m", "own"]);
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path.starts_with("nested")),
        "{refused:?}"
    );
    world.assert_stays();
    assert!(nested.join("work.txt").exists());
}

fn with_submodule() -> World {
    World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        let commit = "2".repeat(40);
        let entry = format!("160000,{commit},module");
        user.git(["update-index", "--add", "--cacheinfo", &entry]);
        fs::create_dir(user.path().join("module")).unwrap();
    })
}

#[test]
fn an_empty_submodule_is_nothing_to_save() {
    let world = with_submodule();
    world.create().unwrap();
    assert_eq!(world.remove().unwrap(), None);
    world.assert_gone();

    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        ["160000 module", "100644 new.txt", "100644 plain.txt"]
    );
}

#[test]
fn files_in_a_submodule_keep_the_worktree() {
    let world = with_submodule();
    world.create().unwrap();
    put(world.worktree().join("module/work.txt"), "work\n");
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path == "module"),
        "{refused:?}"
    );
    world.assert_stays();
}
