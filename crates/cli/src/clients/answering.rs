//! An answer in the form that a client understands.

use proctor_core::guard::{Answer, Client};
use serde_json::{Value, json};

use super::reading::Moment;

/// A hook's output and exit code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) document: Value,
    /// For the agent, where a document is not enough: the hook then ends with code 2.
    pub(crate) complaint: Option<String>,
}

/// The answer to an event.
pub(crate) fn print(client: Client, event: &str, moment: Moment, answer: &Answer) -> Printed {
    let document = match answer {
        Answer::Pass(told) => passed(client, event, moment, told.as_deref()),
        Answer::Refuse(reason) => refused(client, event, moment, reason),
    };
    let complaint = match (answer, moment) {
        // The settings stay as they were only if the hook fails.
        (Answer::Refuse(reason), Moment::Settings) => Some(reason.clone()),
        _ => None,
    };
    Printed {
        document,
        complaint,
    }
}

fn refused(client: Client, event: &str, moment: Moment, reason: &str) -> Value {
    match (client, moment) {
        (Client::ClaudeCode | Client::Codex, Moment::Before) => json!({"hookSpecificOutput": {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }}),
        (Client::Copilot, Moment::Before) => json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }),
        (Client::Cursor, Moment::End { .. }) => json!({"followup_message": reason}),
        (Client::Cursor, _) => json!({
            "permission": "deny",
            "user_message": reason,
            "agent_message": reason,
        }),
        (Client::Gemini | Client::Opencode, _) => json!({"decision": "deny", "reason": reason}),
        _ => json!({"decision": "block", "reason": reason}),
    }
}

fn passed(client: Client, event: &str, moment: Moment, told: Option<&str>) -> Value {
    match (client, moment, told) {
        (Client::Opencode, _, told) => json!({"decision": "pass", "reason": told}),
        (Client::ClaudeCode | Client::Codex | Client::Gemini, Moment::Start, Some(told)) => {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": told}})
        }
        (Client::ClaudeCode | Client::Codex | Client::Gemini, _, Some(told)) => {
            json!({"systemMessage": told})
        }
        (Client::Copilot, Moment::Start, Some(told)) => json!({"additionalContext": told}),
        (Client::Cursor, Moment::Start, Some(told)) => json!({"additional_context": told}),
        // The rest has no place for words.
        _ => json!({}),
    }
}
