//! `proctor log`

use clap::Args;
use proctor_host::approval::TrailWitness;
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
/// --verify checks that nothing was changed, removed or inserted, and that signed approvals name no record which is not there:
/// then the trail was truncated or rewritten.
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
    let workspace = session.workspace()?;
    let Some(journal) = workspace.existing_journal()? else {
        if let Some(run) = &arguments.run {
            return Err(JournalError::NoSuchRun(run.clone()).into());
        }
        let mut text = Text::from("no runs yet");
        if arguments.verify {
            say_elsewhere(&TrailWitness::of(workspace.repository(), &[])?, &mut text);
        }
        session.output.result(text, &ok(json!({ "records": [] })));
        return Ok(());
    };
    // A name that no run has is an error, not an empty trail.
    let run = arguments.run.as_ref().map(|name| journal.named(name));
    let run = run.transpose()?.map(|row| row.id.to_string());
    let verified = if arguments.verify {
        let records = match journal.verify()? {
            Chain::Holds { records } => records,
            Chain::Breaks(Broken { seq, problem }) => {
                let details = json!({ "verified": false, "broken_at": seq });
                return Err(Failure::from(Refused::BrokenTrail { seq, problem }).details(details));
            }
        };
        let witness = TrailWitness::of(workspace.repository(), &journal.records(None)?)?;
        if !witness.missing.is_empty() {
            let details = json!({ "verified": false, "missing": witness.missing });
            let lost = Refused::LostTrail(witness.missing);
            return Err(Failure::from(lost).details(details));
        }
        Some((records, witness))
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
    if let Some((count, witness)) = &verified {
        text.line(format_args!("{count} records, chain unbroken"));
        if witness.told > 0 {
            text.line(format_args!(
                "signed approvals that say so: {}",
                witness.told
            ));
        }
        say_elsewhere(witness, &mut text);
    }
    let documents: Vec<Value> = records.iter().map(document).collect();
    let verified = verified.map(|_| true);
    session.output.result(
        text,
        &ok(json!({ "records": documents, "verified": verified })),
    );
    Ok(())
}

/// Approvals signed with another trail cannot be told apart from those signed with this one before it was replaced as a
/// whole.
fn say_elsewhere(witness: &TrailWitness, text: &mut Text) {
    if witness.elsewhere > 0 {
        text.line(format_args!(
            "signed approvals of another trail, another clone's or one that this took the place of: {}",
            witness.elsewhere
        ));
    }
}

fn document(record: &Record) -> Value {
    json!({
        "seq": record.seq, "run": record.run, "at": record.at, "actor": record.actor,
        "kind": record.kind, "body": body(record), "prev": record.prev, "hash": record.hash,
    })
}
