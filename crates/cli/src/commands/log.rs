//! `proctor log`

use std::fmt::Write as _;

use clap::Args;
use proctor_core::generation::dollars;
use proctor_host::journal::{Broken, Chain, JournalError, Record};
use proctor_host::safe_write::WRITE_RECORD;
use serde_json::{Value, json};

use super::review_own::REVIEW_RECORD;
use crate::failure::{Failure, Refused};
use crate::session::{Session, ok};

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
    let repository = session.repository()?;
    let Some(journal) = session.existing_journal(&repository)? else {
        if let Some(run) = &arguments.run {
            return Err(JournalError::NoSuchRun(run.clone()).into());
        }
        session
            .output
            .result("no runs yet\n", &ok(json!({ "records": [] })));
        return Ok(());
    };
    if let Some(run) = &arguments.run {
        // A name that no run has is an error, not an empty trail.
        journal.run(run)?;
    }
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
    let records = journal.records(arguments.run.as_deref())?;
    let mut text: String = String::new();
    for record in &records {
        let run = record.run.as_deref().unwrap_or("-");
        let _ = writeln!(
            text,
            "{:>5}  {}  {run}  {}  {}",
            record.seq,
            record.at,
            what(record),
            record.actor
        );
    }
    if let Some(count) = verified {
        let _ = writeln!(text, "{count} records, chain unbroken");
    }
    let documents: Vec<Value> = records.iter().map(document).collect();
    let verified = verified.map(|_| true);
    session.output.result(
        &text,
        &ok(json!({ "records": documents, "verified": verified })),
    );
    Ok(())
}

fn body(record: &Record) -> Value {
    serde_json::from_str(&record.body).unwrap_or(Value::Null)
}

fn document(record: &Record) -> Value {
    json!({
        "seq": record.seq, "run": record.run, "at": record.at, "actor": record.actor,
        "kind": record.kind, "body": body(record), "prev": record.prev, "hash": record.hash,
    })
}

/// What one call took.
fn tokens(reply: &Value) -> String {
    let count = |key: &str| reply.get(key).and_then(Value::as_u64).unwrap_or_default();
    let cost = reply.get("cost_micro_usd").and_then(Value::as_u64);
    let cost = cost.map_or("at an unknown cost".to_owned(), dollars);
    let (input, cached, output) = (
        count("input_tokens"),
        count("cached_tokens"),
        count("output_tokens"),
    );
    format!("{input} tokens in ({cached} cached), {output} out, {cost}")
}

/// The record in a few words.
pub(crate) fn what(record: &Record) -> String {
    let body = body(record);
    let text = |key: &str| {
        body.get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    if record.kind == WRITE_RECORD {
        let lines = |key: &str| body.get(key).and_then(Value::as_u64).unwrap_or_default();
        let (act, path, strategy) = (text("act"), text("path"), text("strategy"));
        let (before, after) = (lines("existing_lines"), lines("new_lines"));
        return format!("write {act}: {path} ({strategy}, {before} -> {after} lines)");
    }
    if record.kind == REVIEW_RECORD {
        let short: String = text("tree").chars().take(10).collect();
        return format!(
            "review {}: tree {short}, {}",
            text("decision"),
            text("place")
        );
    }
    if record.kind != "event" {
        return record.kind.clone();
    }
    let event = text("event");
    let detail = match event.as_str() {
        "red_judged" | "green_judged" => body
            .pointer("/verdict/disposition")
            .and_then(Value::as_str)
            .map(str::to_owned),
        "person_decided" => body.pointer("/choice/choice").map(|choice| {
            let short: String = text("tree").chars().take(10).collect();
            let choice = choice.as_str().unwrap_or_default();
            format!("{choice}, tree {short}, {}", text("place"))
        }),
        "linted" => Some(text("lint")),
        "reply_refused" | "gave_up" => {
            Some(text("reason").lines().next().unwrap_or_default().to_owned())
        }
        "files_written" => body.get("paths").and_then(Value::as_array).map(|paths| {
            paths
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(" ")
        }),
        "model_replied" => Some(tokens(&body)),
        "secret_allowed" => Some(text("fingerprint")),
        "merged" => Some(text("commit")),
        _ => None,
    };
    match detail {
        Some(detail) if !detail.is_empty() => format!("{event}: {detail}"),
        _ => event,
    }
}
