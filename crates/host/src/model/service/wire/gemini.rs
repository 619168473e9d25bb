//! Gemini's content generation.

use serde_json::{Value, json};

use super::{Incoming, Question, Stop, number};

/// A model may be named with its collection; without one it is of `models`.
pub(super) fn path(model: &str, stream: bool) -> String {
    let collection = if model.contains('/') { "" } else { "models/" };
    let method = if stream {
        "streamGenerateContent?alt=sse"
    } else {
        "generateContent"
    };
    format!("/v1beta/{collection}{model}:{method}")
}

pub(super) fn body(question: &Question<'_>) -> Value {
    let prompt = format!("{}{}", question.stable, question.rest);
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": prompt }] }],
        "generationConfig": { "maxOutputTokens": question.limit },
    })
}

pub(super) fn absorb(incoming: &mut Incoming, value: &Value) {
    incoming.named(&value["modelVersion"]);
    let candidate = &value["candidates"][0];
    for part in candidate["content"]["parts"]
        .as_array()
        .into_iter()
        .flatten()
    {
        // The model's thoughts are not its reply.
        if part["thought"] != true {
            incoming.say(&part["text"]);
        }
    }
    if let Some(reason) = value["promptFeedback"]["blockReason"].as_str() {
        incoming.stop = Some(Stop::Filtered(format!("the prompt was blocked: {reason}")));
        incoming.ended = true;
    }
    if let Some(reason) = candidate["finishReason"].as_str() {
        incoming.stop = Some(match reason {
            "STOP" => Stop::Finished,
            "MAX_TOKENS" => Stop::Limit,
            other => Stop::Filtered(format!("the service stopped the reply: {other}")),
        });
        // There is no other end event.
        incoming.ended = true;
    }
    let usage = &value["usageMetadata"];
    if usage.is_object() {
        incoming.tokens.input = number(&usage["promptTokenCount"]);
        incoming.tokens.output =
            number(&usage["candidatesTokenCount"]) + number(&usage["thoughtsTokenCount"]);
        incoming.tokens.cache_read = number(&usage["cachedContentTokenCount"]);
    }
}
