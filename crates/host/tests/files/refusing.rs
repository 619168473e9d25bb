//! Refusals, which leave nothing behind.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use proctor_host::files::{FileError, Root};

use crate::{is_not_regular, is_symlink, path, place, skipped_as_root};

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
        "ulimit -f 1; exec '{}' --exact refusing::the_process_with_a_limit --nocapture",
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

/// Not a test on its own: the process above, which may not write large files.
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
                // Both names exist at every moment.
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
                // The first write may have been refused; the outside content never comes in either.
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
