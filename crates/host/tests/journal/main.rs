//! The journal on a real disk: committed records stay, and changes are noticed.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

mod foreign;
mod processes;
mod tampering;

use std::path::{Path, PathBuf};

use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::Autonomy;
use proctor_core::workflow::{ContextLoaded, Event, Started, State};
use proctor_host::clock::Clock;
use proctor_host::journal::{Broken, Chain, Journal, JournalError, NewRun, RunId};
use rusqlite::Connection;
use tempfile::TempDir;

const CLOCK: i64 = 1_767_323_045;

fn open(directory: &Path) -> Journal {
    Journal::open(directory, Clock::fixed(CLOCK)).unwrap_or_else(|error| panic!("{error}"))
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
        journal.run("87-unknown"),
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
