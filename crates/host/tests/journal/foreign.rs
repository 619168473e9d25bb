//! Foreign or unusable files are left alone.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use proctor_host::clock::Clock;
use proctor_host::journal::{Journal, JournalError};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{CLOCK, database, new_run, open, sql, verdict, written};

fn refused(directory: &Path) -> JournalError {
    match Journal::open(directory, Clock::fixed(CLOCK)) {
        Ok(_) => panic!("the journal was opened"),
        Err(error) => error,
    }
}

/// Asserts that opening fails as `expected` and that not a byte of the file changes.
fn assert_refused_and_untouched(directory: &TempDir, expected: impl Fn(&JournalError) -> bool) {
    let before = fs::read(database(directory)).unwrap();
    let error = refused(directory.path());
    assert!(expected(&error), "{error:?}");
    assert!(
        error.to_string().contains("journal.db"),
        "the message names the file: {error}"
    );
    assert_eq!(fs::read(database(directory)).unwrap(), before);
}

#[test]
fn a_newer_journal_is_refused_and_untouched() {
    let directory = written();
    sql(&directory, "PRAGMA user_version = 99");
    assert_refused_and_untouched(&directory, |error| {
        matches!(
            error,
            JournalError::Newer {
                found: 99,
                known: 1,
                ..
            }
        )
    });
}

#[test]
fn another_programs_database_is_refused_and_untouched() {
    for statements in [
        "CREATE TABLE bookmarks (url TEXT)",
        "CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 3",
        "CREATE TABLE bookmarks (url TEXT); PRAGMA journal_mode = wal",
    ] {
        let directory = tempfile::tempdir().unwrap();
        {
            let connection = Connection::open(database(&directory)).unwrap();
            for statement in statements.split(';') {
                // A statement that answers with a row, such as a journal mode, is not an error here.
                let mut prepared = connection.prepare(statement).unwrap();
                let mut rows = prepared.query([]).unwrap();
                while rows.next().unwrap().is_some() {}
            }
        }
        assert_refused_and_untouched(&directory, |error| {
            matches!(error, JournalError::Foreign { .. })
        });
    }
}

#[test]
fn garbage_is_refused_and_untouched() {
    for garbage in [
        b"xy".to_vec(),
        b"not a database\n".to_vec(),
        vec![0; 4096],
        (0..=255).cycle().take(10_000).collect(),
        b"SQLite format 3\0 and nothing more".to_vec(),
    ] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(database(&directory), &garbage).unwrap();
        assert_refused_and_untouched(&directory, |error| {
            matches!(
                error,
                JournalError::Unreadable { .. } | JournalError::Foreign { .. }
            )
        });
    }
}

#[test]
fn a_truncated_journal_is_refused_and_untouched() {
    let directory = written();
    let whole = fs::read(database(&directory)).unwrap();
    fs::write(database(&directory), &whole[..whole.len() / 2]).unwrap();
    let before = fs::read(database(&directory)).unwrap();
    // Where it is noticed depends on the missing part; that it is noticed does not.
    let noticed = match Journal::open(directory.path(), Clock::fixed(CLOCK)) {
        Err(error) => error.to_string(),
        Ok(journal) => journal.verify().map_or_else(
            |error| error.to_string(),
            |chain| format!("half of it is gone, but {chain:?}"),
        ),
    };
    assert!(noticed.contains("journal.db"), "{noticed}");
    assert_eq!(fs::read(database(&directory)).unwrap(), before);
}

#[test]
fn a_directory_in_its_place_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(database(&directory)).unwrap();
    let error = refused(directory.path());
    assert!(
        matches!(error, JournalError::Unreadable { .. }),
        "{error:?}"
    );
    assert!(database(&directory).is_dir());
}

#[test]
fn a_file_where_its_directory_should_be_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("proctor");
    fs::write(&place, "a file\n").unwrap();
    let error = refused(&place);
    assert!(matches!(error, JournalError::Directory { .. }), "{error:?}");
    assert_eq!(fs::read(&place).unwrap(), b"a file\n");
}

#[test]
fn an_empty_file_is_a_fresh_start() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(database(&directory), "").unwrap();
    assert_eq!(verdict(&directory), Ok(0));
    open(directory.path()).register(&new_run("87", 1)).unwrap();
    assert_eq!(verdict(&directory), Ok(1));
}

#[test]
fn a_directory_that_cannot_be_written_is_refused() {
    if rustix::process::geteuid().is_root() {
        let _ = std::io::stderr()
            .write_all(b"SKIPPED: permissions do not bind root, so nothing can be shown\n");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let permit = |mode| {
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode)).unwrap();
    };
    permit(0o555);
    let error = refused(directory.path());
    permit(0o755);
    assert!(
        matches!(error, JournalError::Unreadable { .. }),
        "{error:?}"
    );
}
