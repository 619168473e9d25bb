//! The witness's stream as a report.
//!
//! The rules of the language belong to `proctor-core`; until its own reader is there, what the witness says of an error is
//! put into the words that the reader of pytest's stream knows.

use proctor_core::pytest;
use proctor_core::test_outcome::{Report, Unreadable};
use serde_json::{Value, json};

/// Reads the stream.
pub(super) fn parse_report(stream: &str) -> Result<Report, Unreadable> {
    let mut lines = String::with_capacity(stream.len());
    for line in stream.split_inclusive('\n') {
        match serde_json::from_str::<Value>(line) {
            Ok(mut record) if record["raised"].is_object() => {
                let raised = &mut record["raised"];
                raised["exceptions"] = match raised["name"].as_str() {
                    Some("JestAssertionError") => json!(["AssertionError"]),
                    _ if raised["missing"].is_object() => json!(["ModuleNotFoundError"]),
                    Some(name) if !name.is_empty() => json!([name]),
                    _ => json!([]),
                };
                raised["missing_module"] = raised["missing"]["specifier"].take();
                lines.push_str(&record.to_string());
                lines.push('\n');
            }
            _ => lines.push_str(line),
        }
    }
    pytest::parse_report(&lines)
}
