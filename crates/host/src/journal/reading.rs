//! Reading the journal: runs are replayed, the trail is checked.

use std::path::PathBuf;

use proctor_core::workflow::{Event, Run, Started, step};
use rusqlite::OptionalExtension;

use super::chain::{Broken, Chain, Record, TrailEnds, Verifier};
use super::store::chained_start;
use super::{Journal, JournalError, RunId, RunRow};

impl Journal {
    /// All runs, oldest first.
    pub fn runs(&self) -> Result<Vec<RunRow>, JournalError> {
        let ids: Vec<String> = self
            .connection
            .prepare("SELECT id FROM runs ORDER BY rowid")
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
            .map_err(|source| self.failed(source))?;
        ids.iter().map(|id| self.run(id)).collect()
    }

    /// One run, replayed.
    pub fn run(&self, id: &str) -> Result<RunRow, JournalError> {
        let found = self
            .connection
            .query_row(
                "SELECT id, branch, worktree, created_at, started, inputs FROM runs WHERE id = ?1",
                [id],
                |row| {
                    Ok((
                        row.get::<_, String>(0)?,
                        row.get::<_, String>(1)?,
                        row.get::<_, String>(2)?,
                        row.get::<_, String>(3)?,
                        row.get::<_, String>(4)?,
                        row.get::<_, String>(5)?,
                    ))
                },
            )
            .optional()
            .map_err(|source| self.failed(source))?;
        let Some((id, branch, worktree, created_at, started, inputs)) = found else {
            return Err(JournalError::NoSuchRun(id.to_owned()));
        };
        let started: Started =
            serde_json::from_str(&started).map_err(|problem| JournalError::Damaged {
                seq: 0,
                problem: problem.to_string(),
            })?;
        let mut run = Run::new(started);
        for record in self.records(Some(&id))? {
            if record.kind != "event" {
                continue;
            }
            let damaged = |problem: String| JournalError::Damaged {
                seq: record.seq,
                problem,
            };
            let event: Event = serde_json::from_str(&record.body)
                .map_err(|problem| damaged(problem.to_string()))?;
            run = step(&run, &event).map_err(|problem| damaged(problem.to_string()))?;
        }
        Ok(RunRow {
            id: RunId(id),
            branch,
            worktree: PathBuf::from(worktree),
            created_at,
            inputs,
            run,
        })
    }

    /// The events of a run, in order.
    pub fn events(&self, run: &RunId) -> Result<Vec<Event>, JournalError> {
        let mut events = Vec::new();
        for record in self.records(Some(run.as_str()))? {
            if record.kind == "event" {
                let event = serde_json::from_str(&record.body).map_err(|problem| {
                    JournalError::Damaged {
                        seq: record.seq,
                        problem: problem.to_string(),
                    }
                })?;
                events.push(event);
            }
        }
        Ok(events)
    }

    /// The trail of one run, or all of it.
    pub fn records(&self, run: Option<&str>) -> Result<Vec<Record>, JournalError> {
        let mut statement = self
            .connection
            .prepare(
                "SELECT seq, run, at, actor, kind, body, prev, hash FROM records
                 WHERE ?1 IS NULL OR run = ?1 ORDER BY seq",
            )
            .map_err(|source| self.failed(source))?;
        let rows = statement.query_map([run], read_record);
        rows.and_then(Iterator::collect)
            .map_err(|source| self.failed(source))
    }

    /// The hashes of the first and the last record; none where there is no record.
    pub fn ends(&self) -> Result<Option<TrailEnds>, JournalError> {
        let sql = "SELECT (SELECT hash FROM records ORDER BY seq LIMIT 1), hash
                   FROM records ORDER BY seq DESC LIMIT 1";
        let found = self.connection.query_row(sql, [], |row| {
            Ok(TrailEnds {
                first: row.get(0)?,
                last: row.get(1)?,
            })
        });
        match found {
            Ok(ends) => Ok(Some(ends)),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// Checks the whole chain.
    pub fn verify(&self) -> Result<Chain, JournalError> {
        let mut verifier = Verifier::new();
        let records = self.records(None)?;
        for record in &records {
            if let Some(broken) = verifier.check(record) {
                return Ok(Chain::Breaks(broken));
            }
        }
        if let Some(broken) = self.changed_run(&records)? {
            return Ok(Chain::Breaks(broken));
        }
        let records = records.len();
        Ok(Chain::Holds { records })
    }

    /// A run whose row differs from its registration in the chain.
    fn changed_run(&self, records: &[Record]) -> Result<Option<Broken>, JournalError> {
        let mut statement = self
            .connection
            .prepare("SELECT id, started, branch, worktree, inputs FROM runs ORDER BY rowid")
            .map_err(|source| self.failed(source))?;
        let read = |row: &rusqlite::Row<'_>| {
            let column = |index: usize| row.get::<_, String>(index);
            let start = chained_start(&column(1)?, &column(2)?, &column(3)?, &column(4)?);
            Ok((column(0)?, start))
        };
        let rows: Vec<(String, String)> = statement
            .query_map([], read)
            .and_then(Iterator::collect)
            .map_err(|source| self.failed(source))?;
        for (id, start) in rows {
            let record = records
                .iter()
                .find(|record| record.kind == "started" && record.run.as_deref() == Some(&id));
            match record {
                Some(record) if record.body == start => {}
                found => {
                    let seq = found.map_or(0, |record| record.seq);
                    let problem = "the run that it started was changed";
                    return Ok(Some(Broken { seq, problem }));
                }
            }
        }
        Ok(None)
    }
}

fn read_record(row: &rusqlite::Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        seq: row.get(0)?,
        run: row.get(1)?,
        at: row.get(2)?,
        actor: row.get(3)?,
        kind: row.get(4)?,
        body: row.get(5)?,
        prev: row.get(6)?,
        hash: row.get(7)?,
    })
}
