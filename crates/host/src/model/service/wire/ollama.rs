//! Ollama's chat.

use proctor_core::tokens::count_tokens;
use serde_json::{Value, json};

use super::{Incoming, Question, Stop, number};

/// Below this a larger window costs nothing worth saving.
const SMALLEST_WINDOW: u64 = 8192;

pub(super) fn body(question: &Question<'_>) -> Value {
    let prompt = format!("{}{}", question.stable, question.rest);
    json!({
        "model": question.model,
        "messages": [{ "role": "user", "content": prompt }],
        "stream": question.stream,
        "options": { "num_ctx": window(&prompt, question.limit), "num_predict": question.limit },
    })
}

/// Room for the prompt and the reply: without it the beginning of the prompt is cut off silently. A power of two,
/// because the model is loaded again whenever it changes; and half as much again as the estimate, because other
/// vocabularies count more.
fn window(prompt: &str, limit: u64) -> u64 {
    let tokens = count_tokens(prompt) as u64;
    (tokens + tokens / 2 + limit)
        .next_power_of_two()
        .max(SMALLEST_WINDOW)
}

pub(super) fn absorb(incoming: &mut Incoming, value: &Value) {
    incoming.named(&value["model"]);
    incoming.say(&value["message"]["content"]);
    if value["done"] == true {
        incoming.stop = Some(match value["done_reason"].as_str() {
            Some("length") => Stop::Limit,
            _ => Stop::Finished,
        });
        incoming.ended = true;
        incoming.tokens.input = number(&value["prompt_eval_count"]);
        incoming.tokens.output = number(&value["eval_count"]);
    }
}
