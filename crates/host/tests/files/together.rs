//! Several changes at once, and other programs' writes meanwhile.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use proctor_host::files::{Expected, FileChange, FileError};

use crate::{is_symlink, path, place, writing};

#[test]
fn a_file_is_written_over_only_as_it_was_seen() {
    let place = place();
    let name = path("a.txt");
    let over = |before: Option<&str>| {
        let before = before.map(str::as_bytes);
        place.root.write_over(&name, before, b"new\n")
    };
    over(None).unwrap();
    // There is one now.
    let error = over(None).unwrap_err();
    assert!(matches!(error, FileError::Exists { .. }), "{error:?}");
    for (now, seen) in [
        ("other\n", "seen\n"),
        ("longer than it was\n", "longer"),
        ("short", "shorter"),
        ("", "x"),
    ] {
        place.put("a.txt", now);
        let error = over(Some(seen)).unwrap_err();
        assert!(
            matches!(error, FileError::ChangedMeanwhile { .. }),
            "{error:?}"
        );
        assert_eq!(fs::read_to_string(place.at("a.txt")).unwrap(), now);
    }
    place.put("a.txt", "seen\n");
    over(Some("seen\n")).unwrap();
    assert_eq!(fs::read(place.at("a.txt")).unwrap(), b"new\n");
    // Removed meanwhile: the user did not want new content in it.
    fs::remove_file(place.at("a.txt")).unwrap();
    let error = over(Some("new\n")).unwrap_err();
    assert!(
        matches!(error, FileError::ChangedMeanwhile { .. }),
        "{error:?}"
    );
    assert!(place.names().is_empty(), "{:?}", place.names());
}

#[test]
fn if_one_of_several_files_was_changed_meanwhile_none_is_written() {
    let place = place();
    place.put("a.txt", "a\n");
    place.put("b.txt", "by another program\n");
    let (one, two) = (path("a.txt"), path("b.txt"));
    let seen = FileChange::Write {
        path: &two,
        content: b"B\n",
        expected: Expected::seen(Some(b"b\n")),
        executable: false,
    };
    let error = place.root.apply(&[writing(&one, "A\n"), seen]).unwrap_err();
    assert!(
        matches!(error, FileError::ChangedMeanwhile { .. }),
        "{error:?}"
    );
    assert_eq!(fs::read(place.at("a.txt")).unwrap(), b"a\n");
    assert_eq!(
        fs::read(place.at("b.txt")).unwrap(),
        b"by another program\n"
    );
    assert_eq!(place.names(), ["a.txt", "b.txt"]);
}

#[test]
fn several_changes_are_made_together() {
    let place = place();
    place.put("a.txt", "a\n");
    place.put("gone.txt", "gone\n");
    let (one, two, three) = (path("a.txt"), path("new/b.txt"), path("gone.txt"));
    let changes = [
        writing(&one, "A\n"),
        writing(&two, "B\n"),
        FileChange::Remove { path: &three },
    ];
    place.root.apply(&changes).unwrap();
    assert_eq!(place.names(), ["a.txt", "new", "new/b.txt"]);
    assert_eq!(fs::read(place.at("a.txt")).unwrap(), b"A\n");
}

#[test]
fn if_one_of_several_changes_is_refused_none_is_made() {
    let place = place();
    place.put("a.txt", "a\n");
    symlink(place.outside().join("file.txt"), place.at("link")).unwrap();
    let (one, two) = (path("a.txt"), path("link"));
    let applied = place
        .root
        .apply(&[writing(&one, "A\n"), writing(&two, "B\n")]);
    assert!(applied.is_err_and(|error| is_symlink(&error)));
    assert_eq!(fs::read(place.at("a.txt")).unwrap(), b"a\n");
    assert_eq!(place.names(), ["a.txt", "link"]);
}

#[test]
fn what_fails_in_the_middle_takes_back_what_came_before() {
    let place = place();
    let old = place.put("a.txt", "a\n");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    // A name cannot be a file and a directory: the second change fails only when it is made.
    let (one, two, three) = (path("a.txt"), path("b"), path("b/c.txt"));
    let changes = [
        writing(&one, "A\n"),
        writing(&three, "C\n"),
        writing(&two, "B\n"),
    ];
    assert!(place.root.apply(&changes).is_err());
    assert_eq!(fs::read(place.at("a.txt")).unwrap(), b"a\n");
    assert_eq!(place.mode("a.txt"), 0o640);
    assert!(!place.at("b/c.txt").exists());
}

#[test]
fn strays_of_a_killed_process_are_swept_and_a_living_one_is_left_alone() {
    let place = place();
    place.put("deep/.proctor-0123456789abcdef.tmp", "half");
    place.put("deep/.proctor-notours.tmp", "theirs");
    let living = place.put("deep/.proctor-fedcba9876543210.tmp", "being written");
    let held = fs::File::open(living).unwrap();
    held.try_lock().unwrap();
    place.write("deep/file.txt", "new\n").unwrap();
    assert_eq!(
        place.names(),
        [
            "deep",
            "deep/.proctor-fedcba9876543210.tmp",
            "deep/.proctor-notours.tmp",
            "deep/file.txt"
        ]
    );
}
