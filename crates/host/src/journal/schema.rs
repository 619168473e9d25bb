//! The database's layout and how it is opened.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::JournalError;

/// Marks the file as ours: "Prct".
const APPLICATION_ID: i32 = 0x5072_6374;
/// Raised with every change of the layout.
const VERSION: i32 = 1;

const LAYOUT: &str = "
CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    issue       TEXT NOT NULL,
    branch      TEXT NOT NULL,
    worktree    TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    started     TEXT NOT NULL,
    inputs      TEXT NOT NULL,
    ended       INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Two runs of one issue would share a branch.
CREATE UNIQUE INDEX one_open_run_per_issue ON runs(issue) WHERE ended = 0;
CREATE TABLE records (
    seq     INTEGER PRIMARY KEY,
    run     TEXT,
    at      TEXT NOT NULL,
    actor   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    prev    TEXT NOT NULL,
    hash    TEXT NOT NULL
) STRICT;
CREATE INDEX records_of_run ON records(run, seq);
";

/// A database's own metadata.
struct Marks {
    application: i32,
    version: i32,
    tables: i64,
}

impl Marks {
    fn is_blank(&self) -> bool {
        (self.application, self.version, self.tables) == (0, 0, 0)
    }

    /// Whether this Proctor may write to it.
    fn is_ours(&self) -> bool {
        self.application == APPLICATION_ID && self.version <= VERSION
    }
}

/// Opens the database, creating it only where there is no file at all.
pub(super) fn open(path: &Path) -> Result<Connection, JournalError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let unreadable = |source| JournalError::unreadable(path, source);
    let mut connection = Connection::open_with_flags(path, flags).map_err(unreadable)?;
    connection
        .busy_timeout(Duration::from_secs(10))
        .map_err(unreadable)?;
    let mut marks = read_marks(&mut connection).map_err(unreadable)?;
    let mode = |connection: &Connection| {
        connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))
    };
    if marks.is_blank() || (marks.is_ours() && mode(&connection).map_err(unreadable)? != "wal") {
        // One process at a time: changing the mode does not wait for others, it fails.
        let lock = lock_next_to(path)?;
        // A crash between creation and the first commit leaves an empty file.
        create(&mut connection).map_err(unreadable)?;
        marks = read_marks(&mut connection).map_err(unreadable)?;
        if marks.is_ours() {
            // Write-ahead log: readers (`status`, `log`) never wait for a run. The file keeps the mode.
            connection
                .pragma_update(None, "journal_mode", "wal")
                .map_err(unreadable)?;
        }
        drop(lock);
    }
    if marks.application != APPLICATION_ID {
        return Err(JournalError::Foreign {
            path: path.to_owned(),
        });
    }
    if marks.version > VERSION {
        return Err(JournalError::Newer {
            path: path.to_owned(),
            found: marks.version,
            known: VERSION,
        });
    }
    // FULL: a commit has reached the disk when it returns.
    connection
        .pragma_update(None, "synchronous", "full")
        .and_then(|()| connection.pragma_update(None, "foreign_keys", true))
        .map_err(unreadable)?;
    Ok(connection)
}

fn lock_next_to(path: &Path) -> Result<File, JournalError> {
    let path = path.with_extension("lock");
    let lock = || {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)?;
        file.lock()?;
        Ok(file)
    };
    lock().map_err(|source| JournalError::Directory {
        path: path.clone(),
        source,
    })
}

/// Reads them at one moment: between two reads another process may make the tables.
fn read_marks(connection: &mut Connection) -> rusqlite::Result<Marks> {
    let transaction = connection.transaction()?;
    let pragma =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    Ok(Marks {
        // First: this begins the read transaction.
        tables: table_count(&transaction)?,
        application: pragma("application_id")?,
        version: pragma("user_version")?,
    })
}

fn table_count(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
}

/// Creates the tables, if no other process has done so meanwhile.
fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if table_count(&transaction)? == 0 {
        transaction.execute_batch(LAYOUT)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}
