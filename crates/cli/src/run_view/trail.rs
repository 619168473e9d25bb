//! A record of the audit trail in a few words.

use proctor_core::generation::dollars;
use proctor_core::remark::Remarks;
use proctor_host::journal::Record;
use proctor_host::safe_write::WRITE_RECORD;
use proctor_host::working_changes::REVIEW_RECORD;
use serde_json::Value;

/// The record's content.
pub(crate) fn body(record: &Record) -> Value {
    serde_json::from_str(&record.body).unwrap_or(Value::Null)
}

/// The tokens of one call.
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
pub(crate) fn record_words(record: &Record) -> String {
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
        "tests_reopened" => Some(text("text")),
        "tests_taken" => Some(text("by")),
        "model_chosen" => Some(text("model")),
        "reply_refused" => {
            let reason = body.get("reason").cloned().unwrap_or_default();
            let remarks = serde_json::from_value::<Remarks>(reason).ok();
            let facts = remarks.map(|remarks| remarks.facts()).unwrap_or_default();
            Some(facts.lines().next().unwrap_or_default().to_owned())
        }
        "gave_up" | "tests_disputed" => {
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
