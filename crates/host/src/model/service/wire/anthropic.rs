//! Anthropic's messages.

use serde_json::{Value, json};

use super::{Incoming, Question, Stop, number};

pub(super) fn body(question: &Question<'_>) -> Value {
    let mut content = Vec::new();
    if !question.stable.is_empty() {
        // Kept by the service for some minutes; the next request of the run reads it at a tenth of the price.
        content.push(json!({
            "type": "text",
            "text": question.stable,
            "cache_control": { "type": "ephemeral" },
        }));
    }
    content.push(json!({ "type": "text", "text": question.rest }));
    // No sampling parameters: newer models refuse them.
    json!({
        "model": question.model,
        "max_tokens": question.limit,
        "messages": [{ "role": "user", "content": content }],
        "stream": question.stream,
    })
}

pub(super) fn absorb(incoming: &mut Incoming, value: &Value) {
    match value["type"].as_str() {
        Some("message_start") => {
            incoming.named(&value["message"]["model"]);
            count(incoming, &value["message"]["usage"]);
        }
        Some("content_block_start") => incoming.say(&value["content_block"]["text"]),
        Some("content_block_delta") if value["delta"]["type"] == "text_delta" => {
            incoming.say(&value["delta"]["text"]);
        }
        Some("message_delta") => {
            stop(incoming, &value["delta"]);
            count(incoming, &value["usage"]);
        }
        Some("message_stop") => incoming.ended = true,
        // The whole answer in one piece.
        Some("message") => {
            incoming.named(&value["model"]);
            for block in value["content"].as_array().into_iter().flatten() {
                incoming.say(&block["text"]);
            }
            stop(incoming, value);
            count(incoming, &value["usage"]);
        }
        // `ping`, and future events.
        _ => {}
    }
}

fn stop(incoming: &mut Incoming, value: &Value) {
    incoming.stop = match value["stop_reason"].as_str() {
        None => return,
        Some("max_tokens" | "model_context_window_exceeded") => Some(Stop::Limit),
        Some("refusal") => Some(Stop::Declined("the model declined".to_owned())),
        Some(_) => Some(Stop::Finished),
    };
}

/// The counts are of the whole message so far; a later event may leave out unchanged counts.
fn count(incoming: &mut Incoming, usage: &Value) {
    let tokens = &mut incoming.tokens;
    if usage["input_tokens"].is_u64() {
        tokens.cache_read = number(&usage["cache_read_input_tokens"]);
        tokens.cache_written = number(&usage["cache_creation_input_tokens"]);
        tokens.input = number(&usage["input_tokens"]) + tokens.cache_read + tokens.cache_written;
    }
    if usage["output_tokens"].is_u64() {
        tokens.output = number(&usage["output_tokens"]);
    }
}
