//! The languages of four model services, as their vendors document them.

use serde_json::{Value, json};

use crate::Answer;

/// A service's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic's messages API.
    Anthropic,
    /// OpenAI's chat completions.
    OpenAi,
    /// Gemini's content generation.
    Gemini,
    /// Ollama's chat API.
    Ollama,
}

/// How many pieces a text is sent in.
const PIECES: usize = 4;

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Ollama];

    /// A `--model` value.
    pub fn model(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic:test",
            Self::OpenAi => "openai:test",
            Self::Gemini => "gemini:test",
            Self::Ollama => "ollama:test",
        }
    }

    /// The variables that lead to a server, and the one with a key.
    pub fn variables(self, url: &str, key: &str) -> Vec<(&'static str, String)> {
        let url = url.to_owned();
        let key = key.to_owned();
        match self {
            Self::Anthropic => vec![("ANTHROPIC_BASE_URL", url), ("ANTHROPIC_API_KEY", key)],
            Self::OpenAi => vec![
                ("OPENAI_BASE_URL", format!("{url}/v1")),
                ("OPENAI_API_KEY", key),
            ],
            Self::Gemini => vec![("GOOGLE_GEMINI_BASE_URL", url), ("GEMINI_API_KEY", key)],
            Self::Ollama => vec![("OLLAMA_HOST", url), ("OLLAMA_API_KEY", key)],
        }
    }

    /// A whole reply; 1000 tokens in, 50 out.
    pub fn good(self, text: &str) -> Answer {
        self.good_in_pieces(text, PIECES)
    }

    /// The same in this many pieces.
    pub fn good_in_pieces(self, text: &str, pieces: usize) -> Answer {
        self.stopped(text, self.whole(), pieces)
    }

    /// The stop reason of a complete reply.
    fn whole(self) -> &'static str {
        match self {
            Self::Anthropic => "end_turn",
            Self::Gemini => "STOP",
            Self::OpenAi | Self::Ollama => "stop",
        }
    }

    /// A reply that says it was cut off.
    pub fn cut_off(self, text: &str) -> Answer {
        let reason = match self {
            Self::Anthropic => "max_tokens",
            Self::Gemini => "MAX_TOKENS",
            Self::OpenAi | Self::Ollama => "length",
        };
        self.stopped(text, reason, PIECES)
    }

    /// A reply that the service declines to finish; ollama has none, so it is a whole one there.
    pub fn declined(self, text: &str) -> Answer {
        let reason = match self {
            Self::Anthropic => "refusal",
            Self::Gemini => "SAFETY",
            Self::OpenAi => "content_filter",
            Self::Ollama => "stop",
        };
        self.stopped(text, reason, PIECES)
    }

    /// A whole reply in one piece, as it comes when no stream is asked for.
    pub fn in_one_piece(self, text: &str) -> Answer {
        let document = match self {
            Self::Anthropic => {
                json!({ "type": "message", "model": "test-2026", "role": "assistant",
                "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn",
                "usage": { "input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 50 } })
            }
            Self::OpenAi => json!({ "object": "chat.completion", "model": "test-2026",
                "choices": [{ "index": 0, "message": { "role": "assistant", "content": text },
                    "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 1000, "completion_tokens": 50 } }),
            Self::Gemini => json!({ "modelVersion": "test-2026",
                "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }],
                "usageMetadata": { "promptTokenCount": 1000, "candidatesTokenCount": 50 } }),
            Self::Ollama => {
                json!({ "model": "test", "message": { "role": "assistant", "content": text },
                "done": true, "done_reason": "stop", "prompt_eval_count": 1000, "eval_count": 50 })
            }
        };
        Answer::json(200, &document)
    }

    /// An error as the service puts it.
    pub fn error(self, status: u16, kind: &str, message: &str) -> Answer {
        let document = match self {
            Self::Anthropic => json!({
                "type": "error", "request_id": "req_told",
                "error": { "type": kind, "message": message },
            }),
            Self::OpenAi => json!({ "error": { "code": kind, "type": kind, "message": message } }),
            Self::Gemini => {
                json!({ "error": { "code": status, "status": kind, "message": message } })
            }
            Self::Ollama => json!({ "error": message }),
        };
        Answer::json(status, &document)
    }

    /// A stream of events; the last two pieces are the stop reason and the end.
    fn stopped(self, text: &str, reason: &str, pieces: usize) -> Answer {
        let parts = parts(text, pieces);
        let pieces: Vec<String> = match self {
            Self::Anthropic => anthropic(&parts, reason),
            Self::OpenAi => openai(&parts, reason),
            Self::Gemini => gemini(&parts, reason),
            Self::Ollama => ollama(&parts, reason),
        };
        let content_type = match self {
            Self::Ollama => "application/x-ndjson",
            _ => "text/event-stream; charset=utf-8",
        };
        Answer::streamed(content_type, pieces).header("request-id", "req_told")
    }
}

fn parts(text: &str, pieces: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let size = characters.len().div_ceil(pieces).max(1);
    characters
        .chunks(size)
        .map(|part| part.iter().collect())
        .collect()
}

fn event(document: &Value) -> String {
    let name = document["type"].as_str();
    let name = name.map_or(String::new(), |name| format!("event: {name}\n"));
    format!("{name}data: {document}\n\n")
}

fn anthropic(parts: &[String], reason: &str) -> Vec<String> {
    let mut pieces = vec![
        event(&json!({ "type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "test-2026", "content": [],
            "stop_reason": null,
            "usage": { "input_tokens": 100, "cache_read_input_tokens": 900,
                "cache_creation_input_tokens": 0, "output_tokens": 1 },
        } })),
        event(&json!({ "type": "content_block_start", "index": 0,
            "content_block": { "type": "text", "text": "" } })),
        event(&json!({ "type": "ping" })),
    ];
    pieces.extend(parts.iter().map(|part| {
        event(&json!({ "type": "content_block_delta", "index": 0,
            "delta": { "type": "text_delta", "text": part } }))
    }));
    pieces.push(event(&json!({ "type": "content_block_stop", "index": 0 })));
    pieces.push(event(&json!({ "type": "message_delta",
        "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": { "output_tokens": 50 } })));
    pieces.push(event(&json!({ "type": "message_stop" })));
    pieces
}

fn openai(parts: &[String], reason: &str) -> Vec<String> {
    let choice = |delta: Value, reason: Value| {
        event(
            &json!({ "id": "c1", "object": "chat.completion.chunk", "model": "test-2026",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }),
        )
    };
    let mut pieces = vec![choice(
        json!({ "role": "assistant", "content": "" }),
        Value::Null,
    )];
    pieces.extend(
        parts
            .iter()
            .map(|part| choice(json!({ "content": part }), Value::Null)),
    );
    pieces.push(choice(json!({}), json!(reason)));
    pieces.push(event(
        &json!({ "id": "c1", "model": "test-2026", "choices": [],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 50,
            "prompt_tokens_details": { "cached_tokens": 900 } } }),
    ));
    pieces.push("data: [DONE]\n\n".to_owned());
    pieces
}

fn gemini(parts: &[String], reason: &str) -> Vec<String> {
    let chunk = |part: &str, reason: Option<&str>| {
        let mut candidate =
            json!({ "content": { "parts": [{ "text": part }], "role": "model" }, "index": 0 });
        if let Some(reason) = reason {
            candidate["finishReason"] = json!(reason);
        }
        event(
            &json!({ "candidates": [candidate], "modelVersion": "test-2026",
            "usageMetadata": { "promptTokenCount": 1000, "candidatesTokenCount": 40,
                "thoughtsTokenCount": 10, "cachedContentTokenCount": 900 } }),
        )
    };
    let mut pieces: Vec<String> = parts.iter().map(|part| chunk(part, None)).collect();
    pieces.push(chunk("", Some(reason)));
    pieces
}

fn ollama(parts: &[String], reason: &str) -> Vec<String> {
    let mut pieces: Vec<String> = parts
        .iter()
        .map(|part| {
            let line = json!({ "model": "test", "message": { "role": "assistant", "content": part }, "done": false });
            format!("{line}\n")
        })
        .collect();
    let last = json!({ "model": "test", "message": { "role": "assistant", "content": "" }, "done": true,
        "done_reason": reason, "prompt_eval_count": 1000, "eval_count": 50 });
    pieces.push(format!("{last}\n"));
    pieces
}
