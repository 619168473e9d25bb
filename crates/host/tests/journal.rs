//! The journal on a real disk: what was committed is there, and what was changed is noticed.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::Autonomy;
use proctor_core::workflow::{ContextLoaded, Event, Started, State};
use proctor_host::clock::Clock;
use proctor_host::journal::{Broken, Chain, Journal, JournalError, NewRun, RunId, RunLockError};
use rusqlite::Connection;
use tempfile::TempDir;

const CLOCK: i64 = 1_767_323_045;

fn open(directory: &Path) -> Journal {
    Journal::open(directory, Clock::fixed(CLOCK)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(directory: &Path) -> JournalError {
    match Journal::open(directory, Clock::fixed(CLOCK)) {
        Ok(_) => panic!("the journal was opened"),
        Err(error) => error,
    }
}

fn new_run(issue: &str, random: u8) -> NewRun {
    NewRun {
        id: RunId::new(issue, [random; 6]),
        branch: format!("feat/issue-{issue}"),
        worktree: PathBuf::from("/state/worktrees/naïve run"),
        started: Started {
            issue: issue.to_owned(),
            base_branch: "main".to_owned(),
            base: CommitId::parse(&"1".repeat(40)).unwrap(),
            autonomy: Autonomy::default(),
        },
        inputs: r#"{"lld":"docs/lld.md"}"#.to_owned(),
    }
}

fn events() -> Vec<Event> {
    vec![
        Event::ContextLoaded(ContextLoaded {
            sources: Vec::new(),
            tests: Vec::new(),
            tokens: 42,
        }),
        Event::WorktreeCreated {
            tree: TreeId::parse(&"2".repeat(40)).unwrap(),
        },
    ]
}

/// A closed journal with one run: `started`, two events, a note of the run and one of the repository.
fn written() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path());
    let run = new_run("87", 1);
    journal.register(&run).unwrap();
    for event in events() {
        journal
            .record_event(&run.id, &event, "proctor", false)
            .unwrap();
    }
    journal
        .note(
            Some(&run.id),
            "Ada Tester <ada@example.com>",
            "note",
            &"seen",
        )
        .unwrap();
    journal.note(None, "proctor", "cleaned", &"all").unwrap();
    directory
}

fn database(directory: &TempDir) -> PathBuf {
    directory.path().join("journal.db")
}

fn sql(directory: &TempDir, statements: &str) {
    let connection = Connection::open(database(directory)).unwrap();
    connection.execute_batch(statements).unwrap();
}

fn verdict(directory: &TempDir) -> Result<usize, Broken> {
    match open(directory.path()).verify().unwrap() {
        Chain::Holds { records } => Ok(records),
        Chain::Breaks(broken) => Err(broken),
    }
}

// --- what was written is there ---

#[test]
fn events_survive_reopening() {
    let directory = written();
    let journal = open(directory.path());
    let run = new_run("87", 1);
    assert_eq!(journal.events(&run.id).unwrap(), events());
    let rows = journal.runs().unwrap();
    let [row] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!(row.id, run.id);
    assert_eq!(row.branch, run.branch);
    assert_eq!(row.worktree, run.worktree);
    assert_eq!(row.inputs, run.inputs);
    assert_eq!(row.created_at, "2026-01-02T03:04:05Z");
    assert_eq!(*row.run.started(), run.started);
    assert_eq!(*row.run.state(), State::Running);
    assert_eq!(
        row.run.tree().map(TreeId::as_str),
        Some("2".repeat(40).as_str())
    );
    assert_eq!(verdict(&directory), Ok(5));
}

#[test]
fn the_trail_of_a_run_is_in_order_and_the_whole_trail_has_the_rest() {
    let directory = written();
    let journal = open(directory.path());
    let kinds = |run: Option<&str>| -> Vec<String> {
        let records = journal.records(run).unwrap();
        records.into_iter().map(|record| record.kind).collect()
    };
    let run = new_run("87", 1).id;
    assert_eq!(
        kinds(Some(run.as_str())),
        ["started", "event", "event", "note"]
    );
    assert_eq!(kinds(None).last().map(String::as_str), Some("cleaned"));
    assert!(matches!(
        journal.run("87-nobody"),
        Err(JournalError::NoSuchRun(_))
    ));
}

#[test]
fn a_fresh_journal_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    assert!(
        Journal::open_existing(directory.path(), Clock::fixed(CLOCK))
            .unwrap()
            .is_none()
    );
    assert!(!database(&directory).exists());
    let nested = directory.path().join("not/yet/there");
    assert_eq!(open(&nested).verify().unwrap(), Chain::Holds { records: 0 });
    assert!(
        Journal::open_existing(&nested, Clock::fixed(CLOCK))
            .unwrap()
            .is_some()
    );
}

#[test]
fn an_issue_has_one_open_run() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path());
    let first = new_run("87", 1);
    journal.register(&first).unwrap();
    let second = journal.register(&new_run("87", 2));
    assert!(
        matches!(&second, Err(JournalError::OpenRun { issue, run }) if issue == "87" && *run == first.id.as_str()),
        "{second:?}"
    );
    journal.register(&new_run("88", 3)).unwrap();

    journal
        .record_event(&first.id, &Event::Aborted, "proctor", true)
        .unwrap();
    journal.register(&new_run("87", 2)).unwrap();
    assert_eq!(journal.runs().unwrap().len(), 3);
    assert_eq!(journal.verify().unwrap(), Chain::Holds { records: 4 });
}

#[test]
fn an_event_that_cannot_follow_is_found_when_the_run_is_read() {
    let directory = written();
    let mut journal = open(directory.path());
    let run = new_run("87", 1).id;
    let commit = CommitId::parse(&"3".repeat(40)).unwrap();
    journal
        .record_event(&run, &Event::Merged { commit }, "proctor", false)
        .unwrap();
    let read = journal.run(run.as_str());
    assert!(
        matches!(&read, Err(JournalError::Damaged { seq: 6, .. })),
        "{read:?}"
    );
}

// --- what was changed is noticed ---

#[test]
fn a_change_to_any_field_of_any_record_is_found() {
    for seq in 1..=5 {
        for (field, value) in [
            ("run", "'other'"),
            ("run", "CASE WHEN run IS NULL THEN '' END"),
            ("at", "'2020-01-01T00:00:00Z'"),
            ("actor", "'somebody else'"),
            ("kind", "'other'"),
            ("body", "body || ' '"),
            ("prev", "prev || '0'"),
            ("hash", "'0' || substr(hash, 2) || 'x'"),
        ] {
            let directory = written();
            sql(
                &directory,
                &format!("UPDATE records SET {field} = {value} WHERE seq = {seq}"),
            );
            let found = verdict(&directory).map_err(|broken| broken.seq);
            assert_eq!(found, Err(seq), "{field} = {value} in {seq}");
        }
    }
}

#[test]
fn text_moved_from_one_field_to_its_neighbour_is_found() {
    let directory = written();
    sql(
        &directory,
        "UPDATE records SET actor = actor || substr(kind, 1, 1), kind = substr(kind, 2) WHERE seq = 2",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(2));
}

#[test]
fn a_change_with_a_hash_made_to_fit_breaks_the_next_record() {
    let directory = written();
    // The hash of another record's content: valid in itself, but not what the next one follows.
    sql(
        &directory,
        "UPDATE records SET (run, at, actor, kind, body, prev, hash) =
            (SELECT run, at, actor, kind, body, prev, hash FROM records WHERE seq = 2)
         WHERE seq = 3",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(3));
}

#[test]
fn a_change_to_what_a_run_was_started_with_is_found() {
    for change in [
        "UPDATE runs SET inputs = inputs || ' '",
        "UPDATE runs SET worktree = '/elsewhere'",
        "UPDATE runs SET branch = 'main'",
        "UPDATE runs SET started = replace(started, 'main', 'other')",
    ] {
        let directory = written();
        sql(&directory, change);
        let broken = verdict(&directory).expect_err(change);
        assert_eq!(
            broken.problem, "the run that it started was changed",
            "{change}"
        );
    }
}

#[test]
fn a_missing_record_is_found_by_the_one_after_it() {
    for (seq, noticed) in [(1, 2), (2, 3), (4, 5)] {
        let directory = written();
        sql(
            &directory,
            &format!("DELETE FROM records WHERE seq = {seq}"),
        );
        assert_eq!(
            verdict(&directory),
            Err(Broken {
                seq: noticed,
                problem: "a record before it is missing"
            })
        );
    }
}

#[test]
fn closing_the_gap_hides_no_missing_record() {
    let directory = written();
    sql(
        &directory,
        "DELETE FROM records WHERE seq = 2; UPDATE records SET seq = seq - 1 WHERE seq > 2",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(2));
}

#[test]
fn records_that_changed_places_are_found() {
    let directory = written();
    sql(
        &directory,
        "UPDATE records SET seq = 100 WHERE seq = 2;
         UPDATE records SET seq = 2 WHERE seq = 3;
         UPDATE records SET seq = 3 WHERE seq = 100",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(2));
}

#[test]
fn an_inserted_record_is_found() {
    let directory = written();
    sql(
        &directory,
        "UPDATE records SET seq = -seq WHERE seq >= 3;
         UPDATE records SET seq = 1 - seq WHERE seq < 0;
         INSERT INTO records SELECT 3, run, at, actor, kind, body, hash, hash FROM records WHERE seq = 2",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(3));

    let directory = written();
    sql(
        &directory,
        "INSERT INTO records SELECT 0, run, at, actor, kind, body, '', hash FROM records WHERE seq = 1",
    );
    assert_eq!(verdict(&directory).map_err(|broken| broken.seq), Err(0));
}

// --- what is not ours is left alone ---

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
                // One that answers with a row, such as a journal mode, is no error here.
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
    // Where it is noticed depends on what is missing; that it is noticed does not.
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

// --- more than one process ---

const CHILD: &str = "PROCTOR_JOURNAL_TEST_CHILD";
const PLACE: &str = "PROCTOR_JOURNAL_TEST_DIRECTORY";

/// This test binary again, doing one thing in a process of its own.
fn child(role: &str, directory: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_other_process", "--nocapture"])
        .env_clear()
        .env(CHILD, role)
        .env(PLACE, directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the child has said the word.
fn wait_for(child: &mut Child, word: &str) {
    let output = BufReader::new(child.stdout.as_mut().unwrap());
    let said = output
        .lines()
        .map_while(Result::ok)
        .any(|line| line.ends_with(word));
    assert!(said, "the other process never said {word:?}");
}

/// Not a test by itself: what the processes started by the tests below do.
#[test]
fn the_other_process() {
    let (Some(role), Some(directory)) = (std::env::var_os(CHILD), std::env::var_os(PLACE)) else {
        return;
    };
    let mut journal = open(Path::new(&directory));
    if role == "hold" {
        let _lock = journal.lock(&new_run("87", 1).id).unwrap();
        std::io::stdout().write_all(b"\nlocked\n").unwrap();
        // Ends when the parent goes or kills it.
        let _ = std::io::stdin().read(&mut [0]);
    } else {
        for number in 0..25 {
            journal
                .note(None, "proctor", "note", &(role.to_string_lossy(), number))
                .unwrap();
        }
    }
}

#[test]
fn the_second_holder_is_refused_and_told_who_has_it() {
    let directory = written();
    let journal = open(directory.path());
    let run = new_run("87", 1).id;
    let mut holder = child("hold", directory.path());
    wait_for(&mut holder, "locked");
    let refused = journal.lock(&run);
    let expected = format!("another proctor process (process {})", holder.id());
    assert!(
        matches!(&refused, Err(error @ JournalError::Locked(RunLockError::Held { .. }))
            if error.to_string().contains(&expected)),
        "{refused:?}"
    );
    journal.lock(&new_run("88", 2).id).unwrap();

    // As `kill -9` would.
    holder.kill().unwrap();
    holder.wait().unwrap();
    let lock = journal.lock(&run).unwrap();
    let refused = journal.lock(&run);
    let expected = format!("process {}", std::process::id());
    assert!(
        matches!(&refused, Err(error) if error.to_string().contains(&expected)),
        "{refused:?}"
    );
    drop(lock);
    journal.lock(&run).unwrap();
}

#[test]
fn processes_that_write_at_the_same_time_keep_one_chain() {
    let directory = tempfile::tempdir().unwrap();
    // They also all find that there is no journal yet.
    let children: Vec<Child> = ["a", "b", "c", "d"]
        .iter()
        .map(|role| child(role, directory.path()))
        .collect();
    for mut child in children {
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    assert_eq!(verdict(&directory), Ok(100));
}

#[test]
fn threads_that_open_a_new_journal_at_the_same_time_all_get_it() {
    for _ in 0..8 {
        let directory = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    open(directory.path())
                        .note(None, "proctor", "note", &"hello")
                        .unwrap();
                });
            }
        });
        assert_eq!(verdict(&directory), Ok(8));
    }
}

#[test]
fn a_reader_does_not_wait_for_a_writer() {
    let directory = written();
    let reader = open(directory.path());
    let writer = Connection::open(database(&directory)).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(reader.runs().unwrap().len(), 1);
    assert_eq!(verdict(&directory), Ok(5));
    writer.execute_batch("ROLLBACK").unwrap();
}
