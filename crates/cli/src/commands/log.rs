//! `proctor log`

use clap::Args;
use proctor_host::journal::{Broken, Chain, JournalError, Record};
use serde_json::{Value, json};

use crate::failure::{Failure, Refused};
use crate::output::Text;
use crate::run_view::{body, record_words};
use crate::session::Session;
use crate::wire::ok;

/// Print the audit trail
///
/// Every event of every run in order, with who caused it. Each record's hash covers the one before it;
/// --verify checks that nothing was changed, removed or inserted.
///
/// Example: proctor log --verify
#[derive(Debug, Args)]
pub(crate) struct LogArguments {
    /// One run only
    run: Option<String>,
    /// Check the hash chain
    #[arg(long)]
    verify: bool,
}

pub(crate) fn log(session: &Session<'_>, arguments: &LogArguments) -> Result<(), Failure> {
    let Some(journal) = session.workspace()?.existing_journal()? else {
        if let Some(run) = &arguments.run {
            return Err(JournalError::NoSuchRun(run.clone()).into());
        }
        session
            .output
            .result("no runs yet", &ok(json!({ "records": [] })));
        return Ok(());
    };
    // A name that no run has is an error, not an empty trail.
    let run = arguments.run.as_ref().map(|name| journal.named(name));
    let run = run.transpose()?.map(|row| row.id.to_string());
    let verified = if arguments.verify {
        match journal.verify()? {
            Chain::Holds { records } => Some(records),
            Chain::Breaks(Broken { seq, problem }) => {
                let details = json!({ "verified": false, "broken_at": seq });
                return Err(Failure::from(Refused::BrokenTrail { seq, problem }).details(details));
            }
        }
    } else {
        None
    };
    let records = journal.records(run.as_deref())?;
    let mut text = Text::default();
    for record in &records {
        let run = record.run.as_deref().unwrap_or("-");
        text.line(format_args!(
            "{:>5}  {}  {run}  {}  {}",
            record.seq,
            record.at,
            record_words(record),
            record.actor
        ));
    }
    if let Some(count) = verified {
        text.line(format_args!("{count} records, chain unbroken"));
    }
    let documents: Vec<Value> = records.iter().map(document).collect();
    let verified = verified.map(|_| true);
    session.output.result(
        text,
        &ok(json!({ "records": documents, "verified": verified })),
    );
    Ok(())
}

fn document(record: &Record) -> Value {
    json!({
        "seq": record.seq, "run": record.run, "at": record.at, "actor": record.actor,
        "kind": record.kind, "body": body(record), "prev": record.prev, "hash": record.hash,
    })
}
