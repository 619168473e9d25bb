//! Writing the journal.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use proctor_core::workflow::Event;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::Serialize;
use thiserror::Error;

use super::chain::{Record, hexadecimal};
use super::lock::UNWRITABLE;
use super::{NewRun, RunId, RunLock, RunLockError, schema};
use crate::clock::Clock;
use crate::crash_point::crash_point;

/// A failure of the journal itself.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be opened, read or written.
    #[error("the journal {} cannot be used: {source}", path.display())]
    Unreadable {
        /// The database's path.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// Its directory, or the lock beside it, cannot be made.
    #[error("{} cannot be made: {source}", path.display())]
    Directory {
        /// The file's path.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It is some other program's database.
    #[error("{} is not a Proctor journal", path.display())]
    Foreign {
        /// The database's path.
        path: PathBuf,
    },
    /// A newer Proctor wrote it.
    #[error("the journal {} has layout {found}; this proctor knows up to {known}", path.display())]
    Newer {
        /// The database's path.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// Our version.
        known: i32,
    },
    /// A record does not read back as it was written.
    #[error("record {seq} of the journal cannot be read: {problem}")]
    Damaged {
        /// The record's number.
        seq: i64,
        /// The problem.
        problem: String,
    },
    /// The issue has an open run already.
    #[error("issue {issue} already has an open run, {run}")]
    OpenRun {
        /// The issue's id.
        issue: String,
        /// Its run.
        run: String,
    },
    /// There is no such run.
    #[error("there is no run {0:?} in this repository")]
    NoSuchRun(String),
    /// A name that more than one run has.
    #[error("{name:?} may be one of {} runs: {}", runs.len(), runs.join(", "))]
    Ambiguous {
        /// As it was given.
        name: String,
        /// All of them, oldest first.
        runs: Vec<String>,
    },
    /// Another process has it.
    #[error(transparent)]
    Locked(#[from] RunLockError),
}

impl Explained for JournalError {
    fn kind(&self) -> Kind {
        match self {
            Self::OpenRun { .. } | Self::NoSuchRun(_) | Self::Ambiguous { .. } => Kind::Usage,
            _ => Kind::Environment,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::Unreadable { .. } | Self::Directory { .. } => UNWRITABLE.to_owned(),
            Self::Foreign { .. } | Self::Damaged { .. } => {
                "proctor does not write over it; move the file away to start over, or restore it from a backup".to_owned()
            }
            Self::Newer { .. } => "use the newer proctor that wrote it".to_owned(),
            Self::OpenRun { run, .. } => {
                format!("go on with `proctor resume {run}`, or end it with `proctor abort {run}`")
            }
            Self::NoSuchRun(_) => "`proctor status` lists the runs".to_owned(),
            Self::Ambiguous { .. } => "name the one that is meant; `proctor status` lists the runs".to_owned(),
            Self::Locked(error) => return error.hints(),
        }]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for JournalError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(JournalError {
            JournalError::Unreadable { .. } => JournalError::sample(),
            JournalError::Directory { .. } => JournalError::Directory { path: "PATH".into(), source: std::io::Error::other("REASON") },
            JournalError::Foreign { .. } => JournalError::Foreign { path: "PATH".into() },
            JournalError::Newer { .. } => JournalError::Newer { path: "PATH".into(), found: 9, known: 1 },
            JournalError::Damaged { .. } => JournalError::Damaged { seq: 7, problem: "REASON".to_owned() },
            JournalError::OpenRun { .. } => JournalError::OpenRun { issue: "ISSUE".to_owned(), run: "RUN".to_owned() },
            JournalError::NoSuchRun(_) => JournalError::NoSuchRun("RUN".to_owned()),
            JournalError::Ambiguous { .. } => JournalError::Ambiguous {
                name: "NAME".to_owned(), runs: vec!["RUN1".to_owned(), "RUN2".to_owned()],
            },
            JournalError::Locked(_) => {
                JournalError::Locked(RunLockError::Held { run: "RUN".to_owned(), holder: " (process NUMBER)".to_owned() })
            },
        })
    }
}

impl JournalError {
    /// A file that SQLite does not accept as a database.
    #[cfg(feature = "samples")]
    pub(crate) fn sample() -> Self {
        let not_a_database = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB);
        Self::Unreadable {
            path: "PATH".into(),
            source: rusqlite::Error::SqliteFailure(not_a_database, Some("REASON".to_owned())),
        }
    }

    pub(super) fn unreadable(path: &Path, source: rusqlite::Error) -> Self {
        Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }
}

/// The journal of one repository.
pub struct Journal {
    pub(super) connection: Connection,
    path: PathBuf,
    directory: PathBuf,
    clock: Clock,
}

impl Journal {
    /// Opens the journal below `directory` (the git common directory's `proctor/`), making it if
    /// there is none.
    pub fn open(directory: &Path, clock: Clock) -> Result<Self, JournalError> {
        // Prompts and replies are in it, which are private.
        let made = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory);
        made.map_err(|source| JournalError::Directory {
            path: directory.to_owned(),
            source,
        })?;
        let path = directory.join("journal.db");
        let connection = schema::open(&path)?;
        Ok(Self {
            connection,
            path,
            directory: directory.to_owned(),
            clock,
        })
    }

    /// Opens the journal if there is one; nothing is created.
    pub fn open_existing(directory: &Path, clock: Clock) -> Result<Option<Self>, JournalError> {
        if directory.join("journal.db").exists() {
            Self::open(directory, clock).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Takes the run for this process.
    pub fn lock(&self, run: &RunId) -> Result<RunLock, JournalError> {
        Ok(RunLock::take(&self.directory.join("locks"), run.as_str())?)
    }

    /// Whether a process is working on the run right now.
    pub fn is_held(&self, run: &RunId) -> bool {
        RunLock::is_held(&self.directory.join("locks"), run.as_str())
    }

    /// The open run of an issue, if there is one.
    pub fn open_run(&self, issue: &str) -> Result<Option<String>, JournalError> {
        open_run(&self.connection, issue).map_err(|source| self.failed(source))
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::unreadable(&self.path, source)
    }

    /// Registers a run; refused while the issue has an open one.
    pub fn register(&mut self, new: &NewRun) -> Result<(), JournalError> {
        let started = to_json(&new.started);
        let worktree = new.worktree.to_string_lossy();
        let start = chained_start(&started, &new.branch, &worktree, &new.inputs);
        let open = self.write(|transaction, at| {
            let open = open_run(transaction, &new.started.issue)?;
            if open.is_some() {
                return Ok(open);
            }
            transaction.execute(
                "INSERT INTO runs (id, issue, branch, worktree, created_at, started, inputs)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    new.id.as_str(),
                    new.started.issue,
                    new.branch,
                    worktree,
                    at,
                    started,
                    new.inputs
                ],
            )?;
            append(
                transaction,
                at,
                Some(new.id.as_str()),
                "proctor",
                "started",
                &start,
            )?;
            Ok(None)
        })?;
        if let Some(run) = open {
            return Err(JournalError::OpenRun {
                issue: new.started.issue.clone(),
                run,
            });
        }
        crash_point("run registered");
        Ok(())
    }

    /// Commits an event. When this returns, it is on the disk.
    pub fn record_event(
        &mut self,
        run: &RunId,
        event: &Event,
        actor: &str,
        ended: bool,
    ) -> Result<(), JournalError> {
        crash_point("before journal");
        let body = to_json(event);
        self.write(|transaction, at| {
            append(transaction, at, Some(run.as_str()), actor, "event", &body)?;
            if ended {
                transaction.execute("UPDATE runs SET ended = 1 WHERE id = ?1", [run.as_str()])?;
            }
            Ok(())
        })?;
        crash_point("after journal");
        Ok(())
    }

    /// Adds a remark to the trail that is not an event of the machine.
    pub fn note(
        &mut self,
        run: Option<&RunId>,
        actor: &str,
        kind: &str,
        body: &impl Serialize,
    ) -> Result<(), JournalError> {
        self.notes(run, kind, &[(actor, body)])
    }

    /// Adds several remarks of one kind, each with its author, at once.
    pub fn notes(
        &mut self,
        run: Option<&RunId>,
        kind: &str,
        remarks: &[(&str, &impl Serialize)],
    ) -> Result<(), JournalError> {
        let run = run.map(RunId::as_str);
        self.write(|transaction, at| {
            remarks.iter().try_for_each(|(actor, body)| {
                append(transaction, at, run, actor, kind, &to_json(body))
            })
        })
    }

    /// One transaction, which no other writer gets in between; all of it is on the disk when this
    /// returns, or nothing.
    fn write<T>(
        &mut self,
        body: impl FnOnce(&Connection, &str) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let at = self.clock.now();
        let written = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                let result = body(&transaction, &at)?;
                transaction.commit()?;
                Ok(result)
            });
        written.map_err(|source| JournalError::unreadable(&self.path, source))
    }
}

/// The chain's record of a run's row: all of it, the inputs by their digest.
pub(super) fn chained_start(started: &str, branch: &str, worktree: &str, inputs: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = hexadecimal(&Sha256::digest(inputs.as_bytes()));
    to_json(&serde_json::json!({
        "started": started,
        "branch": branch,
        "worktree": worktree,
        "inputs_sha256": digest,
    }))
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our own plain types always serialise")
}

fn append(
    connection: &Connection,
    at: &str,
    run: Option<&str>,
    actor: &str,
    kind: &str,
    body: &str,
) -> rusqlite::Result<()> {
    let last: Option<(i64, String)> = connection
        .query_row(
            "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let (seq, prev) = last.map_or((1, String::new()), |(seq, hash)| (seq + 1, hash));
    let mut record = Record {
        seq,
        run: run.map(str::to_owned),
        at: at.to_owned(),
        actor: actor.to_owned(),
        kind: kind.to_owned(),
        body: body.to_owned(),
        prev,
        hash: String::new(),
    };
    record.hash = record.expected_hash();
    connection.execute(
        "INSERT INTO records (seq, run, at, actor, kind, body, prev, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            record.seq,
            record.run,
            record.at,
            record.actor,
            record.kind,
            record.body,
            record.prev,
            record.hash
        ],
    )?;
    Ok(())
}

fn open_run(connection: &Connection, issue: &str) -> rusqlite::Result<Option<String>> {
    connection
        .query_row(
            "SELECT id FROM runs WHERE issue = ?1 AND ended = 0",
            [issue],
            |row| row.get(0),
        )
        .optional()
}
