//! Written files are as intended.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use crate::{is_missing, path, place, writing};

/// The rights that the user's mask leaves of the requested ones.
fn usual_mode(asked: u32) -> u32 {
    use std::os::unix::fs::OpenOptionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(asked);
    let file = file.open(directory.path().join("file")).unwrap();
    file.metadata().unwrap().mode() & 0o7777
}

#[test]
fn a_new_file_has_the_usual_rights_and_its_directories_are_made() {
    let place = place();
    place.write("a/b/c.txt", "content\n").unwrap();
    assert_eq!(
        fs::read_to_string(place.at("a/b/c.txt")).unwrap(),
        "content\n"
    );
    assert_eq!(place.mode("a/b/c.txt"), usual_mode(0o666));
    assert_eq!(place.names(), ["a", "a/b", "a/b/c.txt"]);
}

#[test]
fn a_new_executable_may_be_executed() {
    let place = place();
    place
        .root
        .write(&path("tool"), b"#!/bin/sh\n", true)
        .unwrap();
    assert_eq!(place.mode("tool"), usual_mode(0o777));
}

#[test]
fn a_replaced_file_keeps_its_owner_and_group() {
    let place = place();
    let file = place.put("theirs.txt", "old\n");
    let (owner, group) = (12_345, 54_321);
    if std::os::unix::fs::chown(&file, Some(owner), Some(group)).is_err() {
        // Written past the test harness, which keeps the output of tests that pass.
        let words = b"SKIPPED: only root can give a file to another user\n";
        std::io::stderr().write_all(words).unwrap();
        return;
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o4640)).unwrap();
    place.write("theirs.txt", "new\n").unwrap();
    let facts = fs::metadata(&file).unwrap();
    assert_eq!((facts.uid(), facts.gid()), (owner, group));
    // No one gets new rights from that.
    assert_eq!(facts.permissions().mode() & 0o7777, 0o640);
    assert_eq!(fs::read(&file).unwrap(), b"new\n");
    // Several at once, and back again when one of them cannot be.
    place.put("folder/inside.txt", "x\n");
    let (one, two) = (path("theirs.txt"), path("folder"));
    let changes = [writing(&one, "newer\n"), writing(&two, "in the way\n")];
    place.root.apply(&changes).unwrap_err();
    let facts = fs::metadata(&file).unwrap();
    assert_eq!((facts.uid(), facts.gid()), (owner, group));
    assert_eq!(fs::read(&file).unwrap(), b"new\n");
}

#[test]
fn a_replaced_file_keeps_its_mode_and_is_a_new_file() {
    for mode in [0o600, 0o640, 0o664, 0o755, 0o444] {
        let place = place();
        let file = place.put("file.txt", "old\n");
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let opened = fs::File::open(&file).unwrap();
        // Whether it may be executed is the existing file's business.
        for executable in [false, true] {
            place
                .root
                .write(&path("file.txt"), b"new\n", executable)
                .unwrap();
            assert_eq!(fs::read(&file).unwrap(), b"new\n");
            assert_eq!(place.mode("file.txt"), mode);
        }
        // A program that had it open still reads the old content: it was replaced, not overwritten.
        assert_eq!(std::io::read_to_string(opened).unwrap(), "old\n");
        assert_eq!(place.names(), ["file.txt"]);
    }
}

#[test]
fn set_user_id_and_the_like_are_not_kept() {
    let place = place();
    let file = place.put("tool", "old\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o7755)).unwrap();
    place.write("tool", "new\n").unwrap();
    assert_eq!(place.mode("tool"), usual_mode(0o777));
}

#[test]
fn contents_are_exact_whatever_they_are() {
    let place = place();
    let large: Vec<u8> = (0..=255).cycle().take(3_000_000).collect();
    for content in [&b""[..], b"\0", b"one\r\ntwo", b"\xff\xfe", &large] {
        place.root.write(&path("file"), content, false).unwrap();
        assert_eq!(place.root.read(&path("file"), 4_000_000).unwrap(), content);
    }
}

#[test]
fn one_byte_more_than_the_limit_is_read_and_no_more() {
    let place = place();
    place.put("file", "0123456789");
    let read = |limit| place.root.read(&path("file"), limit).unwrap().len();
    assert_eq!((read(10), read(9), read(3), read(0)), (10, 10, 4, 1));
    assert_eq!(read(u64::MAX), 10);
}

#[test]
fn names_that_look_dangerous_but_are_not_are_written() {
    let place = place();
    for name in [
        "é.py",
        "a; rm -rf .py",
        "$(whoami).txt",
        "docs/[id].md",
        ".hidden",
    ] {
        place.write(name, name).unwrap();
        assert_eq!(fs::read_to_string(place.at(name)).unwrap(), name);
    }
    let longest = "x".repeat(255);
    place.write(&longest, "long\n").unwrap();
    assert_eq!(fs::read(place.at(&longest)).unwrap(), b"long\n");
}

#[test]
fn removing_removes_and_a_missing_file_is_no_error() {
    let place = place();
    place.put("a/b.txt", "b\n");
    for _ in 0..2 {
        place.root.remove(&path("a/b.txt")).unwrap();
        assert_eq!(place.names(), ["a"]);
    }
    place.root.remove(&path("never/was.txt")).unwrap();
    assert_eq!(place.names(), ["a"], "no directory was made");
    place.assert_unreadable("a/b.txt", is_missing);
    place.assert_unreadable("never/was.txt", is_missing);
}
