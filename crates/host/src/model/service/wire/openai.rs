//! OpenAI's chat completions, which many servers offer.

use serde_json::{Value, json};

use super::{Incoming, Question, Stop, number};

pub(super) fn body(question: &Question<'_>) -> Value {
    let prompt = format!("{}{}", question.stable, question.rest);
    let mut body = json!({
        "model": question.model,
        "messages": [{ "role": "user", "content": prompt }],
        "stream": question.stream,
    });
    if question.stream && question.dialect.counts_streams {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body[question.dialect.limit_name()] = json!(question.limit);
    body
}

pub(super) fn absorb(incoming: &mut Incoming, value: &Value) {
    incoming.named(&value["model"]);
    let choice = &value["choices"][0];
    for part in [&choice["delta"], &choice["message"]] {
        incoming.say(&part["content"]);
        if let Some(refusal) = part["refusal"].as_str().filter(|words| !words.is_empty()) {
            match &mut incoming.stop {
                Some(Stop::Declined(words)) => words.push_str(refusal),
                _ => incoming.stop = Some(Stop::Declined(refusal.to_owned())),
            }
        }
    }
    let declined = matches!(incoming.stop, Some(Stop::Declined(_)));
    if let Some(reason) = choice["finish_reason"].as_str().filter(|_| !declined) {
        incoming.stop = Some(match reason {
            "length" => Stop::Limit,
            "content_filter" => {
                Stop::Filtered("the service's content filter stopped the reply".to_owned())
            }
            _ => Stop::Finished,
        });
    }
    let usage = &value["usage"];
    if usage.is_object() {
        incoming.tokens.input = number(&usage["prompt_tokens"]);
        incoming.tokens.output = number(&usage["completion_tokens"]);
        incoming.tokens.cache_read = number(&usage["prompt_tokens_details"]["cached_tokens"]);
    }
}
