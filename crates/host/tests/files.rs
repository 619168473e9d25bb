//! The only writer, on a real file system: whole, beneath its root, and never through a link.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use proctor_core::path::ProjectPath;
use proctor_host::files::{Expected, FileChange, FileError, Root, remove_own_directory, write_own};
use tempfile::TempDir;

struct Place {
    directory: TempDir,
    root: Root,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("root")).unwrap();
    fs::create_dir(directory.path().join("outside")).unwrap();
    fs::write(directory.path().join("outside/file.txt"), "outside\n").unwrap();
    let root = Root::open(&directory.path().join("root")).unwrap();
    Place { directory, root }
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap()
}

impl Place {
    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn outside(&self) -> PathBuf {
        self.directory.path().join("outside")
    }

    fn put(&self, name: &str, content: &str) -> PathBuf {
        let file = self.at(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    fn write(&self, name: &str, content: &str) -> Result<(), FileError> {
        self.root.write(&path(name), content.as_bytes(), false)
    }

    fn mode(&self, name: &str) -> u32 {
        fs::symlink_metadata(self.at(name)).unwrap().mode() & 0o7777
    }

    /// Every name below the root.
    fn names(&self) -> Vec<String> {
        fn collect(top: &Path, directory: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(top).unwrap();
                names.push(name.to_str().unwrap().to_owned());
                if path.is_dir() && !path.is_symlink() {
                    collect(top, &path, names);
                }
            }
        }
        let mut names = Vec::new();
        collect(self.root.path(), self.root.path(), &mut names);
        names.sort();
        names
    }

    /// Asserts that neither reading, writing nor removing `name` gets anywhere, and that all of them
    /// leave everything as it was.
    #[track_caller]
    fn assert_refused(&self, name: &str, expected: fn(&FileError) -> bool) {
        let names = self.names();
        let written = self.write(name, "by Proctor\n").unwrap_err();
        assert!(expected(&written), "write: {written:?}");
        let removed = self.root.remove(&path(name)).unwrap_err();
        assert!(expected(&removed), "remove: {removed:?}");
        assert_eq!(self.names(), names);
        assert_eq!(
            fs::read_to_string(self.outside().join("file.txt")).unwrap(),
            "outside\n"
        );
        assert_eq!(fs::read_dir(self.outside()).unwrap().count(), 1);
    }

    #[track_caller]
    fn assert_unreadable(&self, name: &str, expected: fn(&FileError) -> bool) {
        let read = self.root.read(&path(name), 100).unwrap_err();
        assert!(expected(&read), "read: {read:?}");
    }
}

fn is_symlink(error: &FileError) -> bool {
    matches!(error, FileError::Symlink { .. })
}

fn is_not_regular(error: &FileError) -> bool {
    matches!(error, FileError::NotRegular { .. })
}

fn is_missing(error: &FileError) -> bool {
    matches!(error, FileError::Missing { .. })
}

fn skipped_as_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if root {
        let _ = std::io::stderr()
            .write_all(b"SKIPPED: permissions do not bind root, so nothing can be shown\n");
    }
    root
}

// --- what is written ---

/// What the user's mask leaves of the rights that a program asks for.
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
        let words = b"SKIPPED: only root can give a file to somebody else\n";
        std::io::stderr().write_all(words).unwrap();
        return;
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o4640)).unwrap();
    place.write("theirs.txt", "new\n").unwrap();
    let facts = fs::metadata(&file).unwrap();
    assert_eq!((facts.uid(), facts.gid()), (owner, group));
    // Nobody gets new rights by that.
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
        // Whoever had it open still reads the old content: it was replaced, not overwritten.
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

// --- what is refused ---

#[test]
fn a_link_is_refused_wherever_it_leads() {
    let place = place();
    place.put("real/file.txt", "inside\n");
    let links: [(&str, PathBuf); 6] = [
        ("to-file", place.outside().join("file.txt")),
        ("inside", "real/file.txt".into()),
        ("dangling", place.outside().join("new.txt")),
        ("loop", "loop".into()),
        ("to-directory", place.outside()),
        ("magic", "/proc/self/root/etc/passwd".into()),
    ];
    for (name, target) in links {
        symlink(target, place.at(name)).unwrap();
        place.assert_refused(name, is_symlink);
        place.assert_unreadable(name, is_symlink);
        assert!(place.at(name).is_symlink(), "{name} is still a link");
    }
}

#[test]
fn a_link_on_the_way_is_refused_wherever_it_leads() {
    let place = place();
    place.put("real/file.txt", "inside\n");
    let links: [(&str, PathBuf); 5] = [
        ("to-directory", place.outside()),
        ("inside", "real".into()),
        ("dangling", "nowhere".into()),
        ("loop", "loop".into()),
        ("to-file", place.outside().join("file.txt")),
    ];
    for (name, target) in links {
        symlink(target, place.at(name)).unwrap();
        for below in ["file.txt", "new.txt", "deeper/new.txt"] {
            let below = format!("{name}/{below}");
            place.assert_refused(&below, is_symlink);
            place.assert_unreadable(&below, is_symlink);
        }
    }
}

#[test]
fn a_file_with_a_second_name_is_refused() {
    let place = place();
    fs::hard_link(place.outside().join("file.txt"), place.at("linked.txt")).unwrap();
    place.assert_refused("linked.txt", |error| {
        matches!(error, FileError::HardLinked { .. })
    });
}

#[test]
fn what_is_no_file_is_refused_without_waiting_for_it() {
    let place = place();
    fs::create_dir(place.at("directory")).unwrap();
    let made = Command::new("mkfifo")
        .arg(place.at("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let _listener = UnixListener::bind(place.at("socket")).unwrap();
    for name in ["directory", "pipe", "socket"] {
        place.assert_refused(name, is_not_regular);
        place.assert_unreadable(name, is_not_regular);
    }
    place.put("file", "a file\n");
    for name in [
        "file/below",
        "pipe/below",
        "socket/below",
        "file/deep/below",
    ] {
        place.assert_refused(name, is_not_regular);
        place.assert_unreadable(name, is_not_regular);
    }
}

#[test]
fn an_error_leaves_no_temporary_file() {
    let place = place();
    let file = place.put("directory/file.txt", "old\n");
    // The new content cannot be put in place: the disk's limit on a file's size is reached.
    let script = format!(
        "ulimit -f 1; exec '{}' --exact the_process_with_a_limit --nocapture",
        std::env::current_exe().unwrap().display()
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .env(LIMITED, place.root.path())
        .output()
        .unwrap();
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stdout)
    );
    assert_eq!(place.names(), ["directory", "directory/file.txt"]);
    assert_eq!(fs::read(&file).unwrap(), b"old\n");
}

const LIMITED: &str = "PROCTOR_FILES_TEST_LIMITED";

/// Not a test by itself: the process above, which may not write large files.
#[test]
fn the_process_with_a_limit() {
    let Some(root) = std::env::var_os(LIMITED) else {
        return;
    };
    // As a flag, so that the signal does not end the process: the write then fails.
    let signal = rustix::process::Signal::XFSZ.as_raw();
    let exceeded = std::sync::Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal, std::sync::Arc::clone(&exceeded)).unwrap();
    let root = Root::open(Path::new(&root)).unwrap();
    let written = root.write(&path("directory/file.txt"), &vec![b'x'; 1_000_000], false);
    assert!(matches!(written, Err(FileError::Io { .. })), "{written:?}");
    assert!(exceeded.load(Ordering::SeqCst), "the limit was reached");
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error_and_nothing_changes() {
    if skipped_as_root() {
        return;
    }
    let place = place();
    let file = place.put("closed/file.txt", "old\n");
    let permit = |mode| {
        fs::set_permissions(place.at("closed"), fs::Permissions::from_mode(mode)).unwrap();
    };
    permit(0o555);
    for name in ["closed/file.txt", "closed/new.txt", "closed/deep/new.txt"] {
        let written = place.write(name, "new\n");
        assert!(matches!(written, Err(FileError::Io { .. })), "{written:?}");
    }
    let removed = place.root.remove(&path("closed/file.txt"));
    permit(0o755);
    assert!(matches!(removed, Err(FileError::Io { .. })), "{removed:?}");
    assert_eq!(fs::read(&file).unwrap(), b"old\n");
    assert_eq!(place.names(), ["closed", "closed/file.txt"]);
}

#[test]
fn a_root_keeps_meaning_the_directory_it_was_opened_on() {
    let place = place();
    let moved = place.directory.path().join("moved");
    fs::rename(place.root.path(), &moved).unwrap();
    symlink(place.outside(), place.root.path()).unwrap();
    place.write("new.txt", "new\n").unwrap();
    assert_eq!(fs::read(moved.join("new.txt")).unwrap(), b"new\n");
    assert_eq!(fs::read_dir(place.outside()).unwrap().count(), 1);
}

#[test]
fn a_directory_swapped_for_a_link_never_lets_anything_out() {
    let place = place();
    place.put("swapped/file.txt", "old\n");
    let (swapped, link) = (place.at("swapped"), place.directory.path().join("link"));
    symlink(place.outside(), &link).unwrap();
    let done = AtomicBool::new(false);
    let file = path("swapped/file.txt");
    let (mut written, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            for _ in 0..2_000 {
                // At no moment is there nothing under either name.
                renameat_with(CWD, &swapped, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
            done.store(true, Ordering::SeqCst);
        });
        while !done.load(Ordering::SeqCst) || written == 0 {
            match place.root.write(&file, b"by Proctor\n", false) {
                Ok(()) => written += 1,
                Err(error) if is_symlink(&error) || is_not_regular(&error) => refused += 1,
                Err(error) => panic!("{error:?}"),
            }
            match place.root.read(&file, 100) {
                // The first write may have been refused; what is outside never comes in either.
                Ok(content) => assert!(
                    content == b"by Proctor\n" || (written == 0 && content == b"old\n"),
                    "{content:?}"
                ),
                Err(error) => assert!(is_symlink(&error) || is_not_regular(&error), "{error:?}"),
            }
        }
    });
    assert!(written > 0, "refused {refused} times");
    assert_eq!(
        fs::read_to_string(place.outside().join("file.txt")).unwrap(),
        "outside\n"
    );
    assert_eq!(fs::read_dir(place.outside()).unwrap().count(), 1);
}

// --- what somebody else wrote meanwhile ---

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
    // Removed meanwhile: whoever did that did not want new content in it.
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
    place.put("b.txt", "by somebody else\n");
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
    assert_eq!(fs::read(place.at("b.txt")).unwrap(), b"by somebody else\n");
    assert_eq!(place.names(), ["a.txt", "b.txt"]);
}

// --- several at once ---

fn writing<'a>(path: &'a ProjectPath, content: &'a str) -> FileChange<'a> {
    FileChange::Write {
        path,
        content: content.as_bytes(),
        expected: Expected::Anything,
        executable: false,
    }
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

// --- Proctor's own files ---

#[test]
fn an_own_file_is_replaced_whole_and_its_directory_made() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("evidence/87/output.txt");
    for content in ["first\n", "", "second\n"] {
        write_own(&file, content.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn an_own_directory_goes_with_everything_in_it_but_not_through_links() {
    let place = place();
    let own = place.directory.path().join("own");
    fs::create_dir_all(own.join("deep/er")).unwrap();
    fs::write(own.join("deep/er/file.txt"), "file\n").unwrap();
    symlink(place.outside(), own.join("link")).unwrap();
    for _ in 0..2 {
        remove_own_directory(&own).unwrap();
        assert!(!own.exists());
    }
    assert!(place.outside().join("file.txt").exists());

    symlink(place.outside(), &own).unwrap();
    let _ = remove_own_directory(&own);
    assert!(place.outside().join("file.txt").exists());
}

#[test]
fn an_own_directory_goes_even_if_a_test_closed_a_directory_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let own = directory.path().join("own");
    fs::create_dir_all(own.join("closed/deeper")).unwrap();
    fs::write(own.join("closed/deeper/file.txt"), "file\n").unwrap();
    for closed in ["closed/deeper", "closed"] {
        fs::set_permissions(own.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    remove_own_directory(&own).unwrap();
    assert!(!own.exists());
}
