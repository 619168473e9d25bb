//! Trees and commits that are exactly the bytes they were made from.

use crate::world::{SECONDS, World, by_ada, delete, write, write_as};
use proctor_host::git::FileMode;

#[test]
fn a_tree_takes_additions_modifications_deletions_and_modes() {
    let world = World::prepared(|user| {
        user.write("changed.txt", "old\n");
        user.write("gone.txt", "gone\n");
        user.write("deep/er/kept.txt", "kept\n");
    });
    let before = world.base_tree();
    let after = world.write_tree(
        &before,
        &[
            write("changed.txt", "new\n"),
            delete("gone.txt"),
            write("deep/er/new.txt", "nested\n"),
            write_as("bin/tool", b"#!/bin/sh\n".to_vec(), FileMode::Executable),
            write_as("link", b"deep/er".to_vec(), FileMode::Symlink),
            delete("never-was.txt"),
        ],
    );
    assert_eq!(
        world.listing(after.as_str()),
        [
            "100755 bin/tool",
            "100644 changed.txt",
            "100644 deep/er/kept.txt",
            "100644 deep/er/new.txt",
            "120000 link",
        ]
    );
    assert_eq!(world.bytes_at(after.as_str(), "changed.txt"), b"new\n");

    let changed = world
        .proctor
        .objects()
        .changed_files(&before, &after)
        .unwrap();
    let summary: Vec<_> = changed
        .iter()
        .map(|file| {
            (
                String::from_utf8_lossy(&file.path).into_owned(),
                file.before.as_ref().map(|(mode, _)| *mode),
                file.after.as_ref().map(|(mode, _)| *mode),
            )
        })
        .collect();
    let regular = Some(FileMode::Regular);
    assert_eq!(
        summary,
        [
            ("bin/tool".to_owned(), None, Some(FileMode::Executable)),
            ("changed.txt".to_owned(), regular, regular),
            ("deep/er/new.txt".to_owned(), None, regular),
            ("gone.txt".to_owned(), regular, None),
            ("link".to_owned(), None, Some(FileMode::Symlink)),
        ]
    );
}

#[test]
fn making_a_tree_touches_neither_checkout_nor_index() {
    let world = World::new();
    world.user.write("README.md", "locally changed\n");
    world.user.write("staged.txt", "staged\n");
    world.user.git(["add", "staged.txt"]);
    let before = world.user.checkout_fingerprint();
    world.write_tree(&world.base_tree(), &[write("README.md", "by Proctor\n")]);
    world.assert_unchanged_since(&before);
}

#[test]
fn a_file_and_a_directory_can_take_each_others_place() {
    let world = World::prepared(|user| {
        user.write("file", "file\n");
        user.write("directory/inner.txt", "inner\n");
    });
    let before = world.base_tree();
    let swapped = [
        "100644 directory".to_owned(),
        "100644 file/inner.txt".to_owned(),
    ];
    for changes in [
        vec![
            delete("file"),
            write("file/inner.txt", "now below\n"),
            delete("directory/inner.txt"),
            write("directory", "now a file\n"),
        ],
        vec![
            write("directory", "now a file\n"),
            write("file/inner.txt", "now below\n"),
            delete("directory/inner.txt"),
            delete("file"),
        ],
    ] {
        let after = world.write_tree(&before, &changes);
        assert_eq!(world.listing(after.as_str()), swapped);
        let names: Vec<_> = world
            .proctor
            .objects()
            .changed_files(&before, &after)
            .unwrap()
            .into_iter()
            .map(|file| (file.path, file.before.is_some(), file.after.is_some()))
            .collect();
        assert_eq!(
            names,
            [
                (b"directory".to_vec(), false, true),
                (b"directory/inner.txt".to_vec(), true, false),
                (b"file".to_vec(), true, false),
                (b"file/inner.txt".to_vec(), false, true),
            ]
        );
    }
}

#[test]
fn no_change_gives_the_same_tree() {
    let world = World::new();
    let tree = world.base_tree();
    assert_eq!(world.write_tree(&tree, &[]), tree);
    assert_eq!(
        world.proctor.objects().changed_files(&tree, &tree).unwrap(),
        []
    );
}

#[test]
fn a_rename_is_one_file_gone_and_one_new() {
    let world = World::new();
    world.user.git(["config", "diff.renames", "copies"]);
    let before = world.base_tree();
    let content = world.bytes_at("main", "src/calculator.py");
    let after = world.write_tree(
        &before,
        &[delete("src/calculator.py"), write("src/moved.py", content)],
    );
    let changed = world
        .proctor
        .objects()
        .changed_files(&before, &after)
        .unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0].path, b"src/calculator.py");
    assert_eq!(changed[0].after, None);
    assert_eq!(changed[1].path, b"src/moved.py");
    assert_eq!(changed[1].before, None);
}

#[test]
fn a_mode_change_alone_is_a_change() {
    let world = World::new();
    let before = world.base_tree();
    let after = world.write_tree(
        &before,
        &[write_as(
            "README.md",
            b"# Calculator\n".to_vec(),
            FileMode::Executable,
        )],
    );
    let changed = world
        .proctor
        .objects()
        .changed_files(&before, &after)
        .unwrap();
    let [only] = changed.as_slice() else {
        panic!("{changed:?}");
    };
    let (before, after) = (only.before.clone().unwrap(), only.after.clone().unwrap());
    assert_eq!(
        (before.0, after.0),
        (FileMode::Regular, FileMode::Executable)
    );
    assert_eq!(before.1, after.1);
}

#[test]
fn the_same_commit_twice_is_one_commit() {
    let world = World::new();
    let (base, tree) = (world.base(), world.base_tree());
    let make = |message: &str| {
        world
            .proctor
            .objects()
            .write_commit(&tree, &[&base], by_ada(message))
            .unwrap()
    };
    let first = make("subject\n\nbody with ünicode\n");
    assert_eq!(first, make("subject\n\nbody with ünicode\n"));
    assert_ne!(first, make("another subject\n"));
    assert_eq!(
        world.user.git([
            "log",
            "-1",
            "--format=%an|%ae|%cn|%ce|%at|%ct|%P|%T|%B|",
            first.as_str()
        ]),
        format!(
            "Ada Tester|ada@example.com|Ada Tester|ada@example.com|{SECONDS}|{SECONDS}|{base}|{tree}|subject\n\nbody with ünicode\n|"
        )
    );
}

#[test]
fn a_message_is_utf_8_whatever_the_repository_is_configured_to() {
    let world = World::new();
    let (base, tree) = (world.base(), world.base_tree());
    let make = || {
        world
            .proctor
            .objects()
            .write_commit(&tree, &[&base], by_ada("grün\n"))
            .unwrap()
    };
    let before = make();
    world
        .user
        .git(["config", "i18n.commitEncoding", "ISO-8859-1"]);
    assert_eq!(make(), before);
}

#[test]
fn refs_are_kept_and_forgotten_without_complaint() {
    let world = World::new();
    let tree = world.base_tree();
    let name = "refs/proctor/runs/87-abcdef/candidate".to_owned();
    world.proctor.refs().keep(&name, tree.as_str()).unwrap();
    assert_eq!(world.user.git(["rev-parse", &name]), tree.as_str());
    for _ in 0..2 {
        world
            .proctor
            .refs()
            .forget(&[name.clone(), "refs/proctor/never".to_owned()])
            .unwrap();
    }
    assert_eq!(world.user.git(["for-each-ref", "refs/proctor"]), "");
    assert_eq!(
        world.proctor.refs().commit("refs/heads/nowhere").unwrap(),
        None
    );
}
