//! Files of a tree, with any names.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::world::{World, write};
use proctor_core::object_id::BlobId;
use proctor_host::git::{Change, FileMode};

const ODD_NAMES: &[&str] = &[
    "with space.txt",
    " leading",
    "trailing ",
    "quo\"te.txt",
    "\"quoted\"",
    "back\\slash",
    "tab\there",
    "new\nline",
    "ends in return\r",
    "naïve-日本語.txt",
    ":(top)magic",
    "*",
    "-rf",
    "a missing",
    "x missing\n",
];

#[test]
fn files_are_found_whatever_their_names() {
    let world = World::prepared(|user| {
        for name in ODD_NAMES {
            user.write(name, format!("content of {name:?}"));
        }
    });
    let tree = world.base_tree();
    let found = world.proctor.objects().files_at(&tree, ODD_NAMES).unwrap();
    for (name, content) in ODD_NAMES.iter().zip(&found) {
        assert_eq!(
            content.as_deref().map(String::from_utf8_lossy).as_deref(),
            Some(format!("content of {name:?}").as_str())
        );
    }
    assert_eq!(found.len(), ODD_NAMES.len());
    let mut entries: Vec<String> = world
        .proctor
        .objects()
        .entries(&tree)
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let mut names: Vec<String> = ODD_NAMES.iter().map(ToString::to_string).collect();
    entries.sort();
    names.sort();
    assert_eq!(entries, names);
}

#[test]
fn absent_names_are_absent_whatever_they_look_like() {
    let world = World::prepared(|user| {
        user.write("there.txt", "there\n");
        user.write("directory/inner.txt", "inner\n");
    });
    let tree = world.base_tree();
    let mut asked = ODD_NAMES.to_vec();
    asked.extend(["", "directory", "there.txt/below", "there.txt"]);
    let found = world.proctor.objects().files_at(&tree, &asked).unwrap();
    assert_eq!(found.len(), asked.len());
    let (last, others) = found.split_last().unwrap();
    assert_eq!(last.as_deref(), Some(b"there\n".as_slice()));
    assert!(others.iter().all(Option::is_none), "{others:?}");
    assert!(
        world
            .proctor
            .objects()
            .files_at(&tree, &[])
            .unwrap()
            .is_empty()
    );
}

#[test]
fn empty_and_binary_contents_come_back_exactly() {
    let contents: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\n".to_vec(),
        b"\r\n\0\xff\xfe missing\n".to_vec(),
        b"no newline at the end".to_vec(),
        (0..=255).cycle().take(200_000).collect(),
        Vec::new(),
    ];
    let world = World::new();
    let changes: Vec<Change> = contents
        .iter()
        .enumerate()
        .map(|(number, content)| write(&format!("file-{number}"), content.clone()))
        .collect();
    let tree = world.write_tree(&world.base_tree(), &changes);
    let names: Vec<&str> = changes
        .iter()
        .map(|change| change.path().as_str())
        .collect();
    let found = world.proctor.objects().files_at(&tree, &names).unwrap();
    assert_eq!(
        found,
        contents.iter().cloned().map(Some).collect::<Vec<_>>()
    );

    let files = world
        .proctor
        .objects()
        .changed_files(&world.base_tree(), &tree)
        .unwrap();
    let ids: Vec<BlobId> = files
        .iter()
        .map(|file| file.after.clone().expect("all are new").1)
        .collect();
    assert_eq!(world.proctor.objects().blobs(&ids).unwrap(), contents);
}

#[test]
fn a_blob_that_is_not_there_is_an_error() {
    let world = World::new();
    let nowhere = BlobId::parse(&"1".repeat(40)).unwrap();
    assert!(world.proctor.objects().blobs(&[nowhere]).is_err());
    assert!(world.proctor.objects().blobs(&[]).unwrap().is_empty());
}

/// A submodule that was not fetched.
fn add_submodule(user: &proctor_testkit::Repository) {
    let entry = format!("160000,{},module", "2".repeat(40));
    user.git(["update-index", "--add", "--cacheinfo", &entry]);
    std::fs::create_dir(user.path().join("module")).unwrap();
}

#[test]
fn entries_tell_modes_and_leave_out_names_that_are_not_text() {
    let world = World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        user.write_executable("tool.sh", "#!/bin/sh\n");
        symlink("plain.txt", user.path().join("link")).unwrap();
        user.write(Path::new(OsStr::from_bytes(b"latin-\xe9")), "x");
        add_submodule(user);
    });
    let entries = world.proctor.objects().entries(&world.base_tree()).unwrap();
    let expected = [
        ("link", FileMode::Symlink),
        ("module", FileMode::Submodule),
        ("plain.txt", FileMode::Regular),
        ("tool.sh", FileMode::Executable),
    ];
    assert_eq!(
        entries.as_ref().clone().into_iter().collect::<Vec<_>>(),
        expected.map(|(name, mode)| (name.to_owned(), mode))
    );
}

#[test]
fn a_submodule_has_no_content_here() {
    let world = World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        add_submodule(user);
    });
    let found = world
        .proctor
        .objects()
        .files_at(&world.base_tree(), &["module", "plain.txt"])
        .unwrap();
    assert_eq!(found, [None, Some(b"plain\n".to_vec())]);
}
