//! More than one process, and more than one thread.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use proctor_host::journal::{JournalError, RunLockError};
use rusqlite::Connection;

use crate::{database, new_run, open, verdict, written};

const CHILD: &str = "PROCTOR_JOURNAL_TEST_CHILD";
const PLACE: &str = "PROCTOR_JOURNAL_TEST_DIRECTORY";

/// This test binary again, doing one thing in a process of its own.
fn child(role: &str, directory: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::the_other_process", "--nocapture"])
        .env_clear()
        .env(CHILD, role)
        .env(PLACE, directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the child has printed the word.
fn wait_for(child: &mut Child, word: &str) {
    let output = BufReader::new(child.stdout.as_mut().unwrap());
    let said = output
        .lines()
        .map_while(Result::ok)
        .any(|line| line.ends_with(word));
    assert!(said, "the other process never said {word:?}");
}

/// Not a test on its own: the task of the processes started by the tests below.
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
