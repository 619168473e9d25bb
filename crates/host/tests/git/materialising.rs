//! A tree as files: byte for byte, regardless of attributes.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::world::{World, delete, files_below, write, write_as};
use proctor_core::object_id::TreeId;
use proctor_host::git::{Change, FileMode};

fn materialised(world: &World, tree: &TreeId) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let target = tempfile::tempdir_in(world.environment.root()).unwrap();
    world
        .proctor
        .objects()
        .materialise(tree, target.path())
        .unwrap();
    files_below(target.path())
}

#[test]
fn files_links_and_modes_are_written_as_they_are() {
    let world = World::new();
    let tree = world.write_tree(
        &world.base_tree(),
        &[
            write("crlf.txt", "one\r\ntwo\r\n"),
            write("mixed.bin", b"\0\r\n\n\xff".to_vec()),
            write("empty", ""),
            write_as("bin/tool", b"#!/bin/sh\n".to_vec(), FileMode::Executable),
            write_as("link", b"../outside".to_vec(), FileMode::Symlink),
        ],
    );
    let target = world
        .environment
        .root()
        .join("a directory/with ünusual name");
    std::fs::create_dir_all(&target).unwrap();
    world.proctor.objects().materialise(&tree, &target).unwrap();
    assert_eq!(
        files_below(&target),
        [
            ("README.md".into(), b"# Calculator\n".to_vec()),
            ("bin/tool".into(), b"#!/bin/sh\n".to_vec()),
            ("crlf.txt".into(), b"one\r\ntwo\r\n".to_vec()),
            ("empty".into(), b"".to_vec()),
            ("link".into(), b"../outside".to_vec()),
            ("mixed.bin".into(), b"\0\r\n\n\xff".to_vec()),
            (
                "src/calculator.py".into(),
                b"def add(a, b):\n    return a + b\n".to_vec()
            ),
        ]
    );
    assert!(target.join("link").is_symlink());
    let executable = |name: &str| {
        std::fs::metadata(target.join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o111
            != 0
    };
    assert!(executable("bin/tool"));
    assert!(!executable("crlf.txt"));
}

/// Contents that every conversion git knows would change.
const CONVERTIBLE: &[(&str, &[u8])] = &[
    ("crlf.txt", b"one\r\ntwo\r\n"),
    ("hidden.txt", b"not in archives\n"),
    ("lf.txt", b"one\ntwo\n"),
    ("module.py", b"# $Id$\nvalue = 1\n"),
    ("wide.txt", "breit\n".as_bytes()),
];

const ATTRIBUTES: &str = "\
* text eol=crlf
*.py filter=evil ident
hidden.txt export-ignore
wide.txt working-tree-encoding=UTF-16
";

fn convertible(world: &World, attributes_in_the_tree: bool) -> TreeId {
    let mut changes: Vec<Change> = CONVERTIBLE
        .iter()
        .map(|(name, content)| write(name, content.to_vec()))
        .collect();
    if attributes_in_the_tree {
        changes.push(write(".gitattributes", ATTRIBUTES));
    }
    changes.push(delete("README.md"));
    changes.push(delete("src/calculator.py"));
    world.write_tree(&world.base_tree(), &changes)
}

fn assert_exact(mut files: Vec<(std::path::PathBuf, Vec<u8>)>) {
    files.retain(|(name, _)| name != Path::new(".gitattributes"));
    let expected: Vec<(std::path::PathBuf, Vec<u8>)> = CONVERTIBLE
        .iter()
        .map(|(name, content)| (name.into(), content.to_vec()))
        .collect();
    assert_eq!(files, expected);
}

fn configure_conversions(world: &World) {
    for (key, value) in [
        ("filter.evil.smudge", "tr a-z A-Z"),
        ("filter.evil.clean", "tr a-z A-Z"),
        ("filter.evil.required", "true"),
        ("core.autocrlf", "true"),
        ("core.eol", "crlf"),
    ] {
        world.user.git(["config", key, value]);
    }
}

#[test]
fn attributes_in_the_tree_change_no_byte() {
    let world = World::new();
    configure_conversions(&world);
    let world = World::around(world.environment, world.user);
    let tree = convertible(&world, true);
    assert_exact(materialised(&world, &tree));
}

#[test]
fn attributes_outside_the_tree_change_no_byte() {
    let world = World::new();
    configure_conversions(&world);
    let global = world.environment.write("attributes", ATTRIBUTES);
    world
        .user
        .git(["config", "core.attributesFile", global.to_str().unwrap()]);
    world.user.write(".git/info/attributes", ATTRIBUTES);
    world.user.write(".gitattributes", ATTRIBUTES);
    let world = World::around(world.environment, world.user);
    let tree = convertible(&world, false);
    assert_exact(materialised(&world, &tree));
}

#[test]
fn a_sparse_checkout_does_not_thin_out_what_is_materialised() {
    let world = World::new();
    world.user.git(["sparse-checkout", "set", "--cone", "docs"]);
    assert!(!world.user.exists("src"));
    let files = materialised(&world, &world.base_tree());
    assert_eq!(files.len(), 2, "{files:?}");
}

#[test]
fn the_empty_tree_materialises_to_nothing() {
    let world = World::new();
    let tree = world.write_tree(
        &world.base_tree(),
        &[delete("README.md"), delete("src/calculator.py")],
    );
    assert!(materialised(&world, &tree).is_empty());
}
