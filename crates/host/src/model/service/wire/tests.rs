use super::*;
use serde_json::json;

fn question(official: bool) -> Question<'static> {
    let dialect = Dialect::new(official);
    Question {
        model: "m",
        stable: "stable ",
        rest: "rest",
        limit: 100,
        stream: true,
        dialect,
    }
}

#[test]
fn each_service_is_asked_in_its_own_words() {
    assert_eq!(
        body(Service::Anthropic, &question(true)),
        json!({
            "model": "m", "max_tokens": 100, "stream": true,
            "messages": [{ "role": "user", "content": [
                { "type": "text", "text": "stable ", "cache_control": { "type": "ephemeral" } },
                { "type": "text", "text": "rest" },
            ] }],
        })
    );
    let messages = json!([{ "role": "user", "content": "stable rest" }]);
    let openai = |limit: &str, official| {
        let mut expected = json!({ "model": "m", "messages": messages, "stream": true,
            "stream_options": { "include_usage": true } });
        expected[limit] = json!(100);
        assert_eq!(body(Service::OpenAi, &question(official)), expected);
    };
    openai("max_completion_tokens", true);
    openai("max_tokens", false);
    assert_eq!(
        body(Service::Gemini, &question(true)),
        json!({
            "contents": [{ "role": "user", "parts": [{ "text": "stable rest" }] }],
            "generationConfig": { "maxOutputTokens": 100 },
        })
    );
    assert_eq!(
        body(Service::Ollama, &question(true)),
        json!({ "model": "m", "messages": messages, "stream": true,
            "options": { "num_ctx": 8192, "num_predict": 100 } })
    );
}

#[test]
fn a_reply_in_one_piece_is_asked_for_as_such() {
    for service in Service::ALL {
        let question = Question {
            stream: false,
            ..question(true)
        };
        let body = body(service, &question);
        assert_ne!(body["stream"], true, "{service:?}");
        assert_eq!(body["stream_options"], Value::Null);
    }
}

#[test]
fn ollamas_window_has_room_for_the_prompt_and_the_reply() {
    let text = "one two three four ".repeat(2500);
    let question = Question {
        stable: &text,
        limit: 4000,
        ..question(true)
    };
    let window = body(Service::Ollama, &question)["options"]["num_ctx"].clone();
    assert_eq!(window, 32_768);
}

#[test]
fn paths_are_the_services_own() {
    let gemini = "/v1beta/models/g:streamGenerateContent?alt=sse";
    assert_eq!(path(Service::Gemini, "g", true), gemini);
    assert_eq!(path(Service::Gemini, "models/g", true), gemini);
    let whole = "/v1beta/models/g:generateContent";
    assert_eq!(path(Service::Gemini, "g", false), whole);
    assert_eq!(path(Service::Anthropic, "m", true), "/v1/messages");
}

/// Text, stop reason and tokens of an answer in one piece.
fn whole(service: Service, document: &Value) -> (String, StopReason, Tokens) {
    let mut incoming = Incoming::default();
    incoming
        .piece(service, &document.to_string())
        .expect("a reply");
    incoming.ended = true;
    let tokens = incoming.tokens;
    let (text, stop) = incoming.concluded(100).expect("a reply");
    (text, stop, tokens)
}

#[test]
fn a_reply_in_one_piece_is_read_like_a_stream() {
    let documents = [
        (
            Service::Anthropic,
            json!({ "type": "message", "model": "m", "content": [{ "type": "text", "text": "hi" }],
                "stop_reason": "end_turn", "usage": { "input_tokens": 3, "output_tokens": 2 } }),
        ),
        (
            Service::OpenAi,
            json!({ "choices": [{ "message": { "content": "hi" }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 3, "completion_tokens": 2 } }),
        ),
        (
            Service::Gemini,
            json!([{ "candidates": [{ "content": { "parts": [{ "text": "thinking", "thought": true },
                { "text": "hi" }] }, "finishReason": "STOP" }],
                "usageMetadata": { "promptTokenCount": 3, "candidatesTokenCount": 1, "thoughtsTokenCount": 1 } }]),
        ),
        (
            Service::Ollama,
            json!({ "message": { "content": "hi" }, "done": true, "done_reason": "stop",
                "prompt_eval_count": 3, "eval_count": 2 }),
        ),
    ];
    let tokens = Tokens {
        input: 3,
        output: 2,
        ..Tokens::default()
    };
    for (service, document) in documents {
        let expected = ("hi".to_owned(), StopReason::EndTurn, tokens);
        assert_eq!(whole(service, &document), expected, "{service:?}");
    }
}

#[test]
fn what_ends_for_another_reason_is_told_apart() {
    let anthropic = |reason: &str, tokens: u64| {
        let document = json!({ "type": "message", "content": [{ "type": "text", "text": "hi" }],
            "stop_reason": reason, "usage": { "output_tokens": tokens } });
        whole(Service::Anthropic, &document).1
    };
    assert_eq!(anthropic("end_turn", 99), StopReason::EndTurn);
    assert_eq!(anthropic("stop_sequence", 1), StopReason::EndTurn);
    assert_eq!(anthropic("max_tokens", 1), StopReason::MaxTokens);
    assert_eq!(
        anthropic("model_context_window_exceeded", 1),
        StopReason::MaxTokens
    );
    assert_eq!(anthropic("refusal", 1), StopReason::Refusal);
    // Reported as complete, but at the limit.
    assert_eq!(anthropic("end_turn", 100), StopReason::MaxTokens);
    let refusal = json!({ "choices": [{ "message": { "content": null, "refusal": "I cannot" },
        "finish_reason": "stop" }] });
    let (text, stop, _) = whole(Service::OpenAi, &refusal);
    assert_eq!((text.as_str(), stop), ("I cannot", StopReason::Refusal));
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } });
    let (text, stop, _) = whole(Service::Gemini, &blocked);
    assert_eq!(text, "the prompt was blocked: PROHIBITED_CONTENT");
    assert_eq!(stop, StopReason::Refusal);
}

/// The result of these pieces of a stream when nothing follows them.
fn streamed(service: Service, pieces: &[Value]) -> Result<(String, StopReason), FaultKind> {
    let mut incoming = Incoming::default();
    for piece in pieces {
        let payload = match piece {
            Value::String(text) => text.clone(),
            document => document.to_string(),
        };
        incoming.piece(service, &payload).expect("a piece");
    }
    incoming.concluded(100).map_err(|fault| fault.kind)
}

#[test]
fn a_stream_is_whole_with_a_reason_and_nothing_without_an_end() {
    let said = |text: &str, reason: Value| json!({ "choices": [{ "delta": { "content": text }, "finish_reason": reason }] });
    let openai = |pieces: &[Value]| streamed(Service::OpenAi, pieces);
    let whole = |text: &str| Ok((text.to_owned(), StopReason::EndTurn));
    let cut_off = |text: &str| Ok((text.to_owned(), StopReason::MaxTokens));
    let done = json!("[DONE]");
    // Some servers leave out the end, some the reason.
    assert_eq!(openai(&[said("hi", json!("stop"))]), whole("hi"));
    assert_eq!(openai(&[said("hi", json!("length"))]), cut_off("hi"));
    assert_eq!(
        openai(&[said("hi", Value::Null)]),
        Err(FaultKind::Connection)
    );
    let marked = "hi\n### END\n";
    assert_eq!(
        openai(&[said(marked, Value::Null), done.clone()]),
        whole(marked)
    );
    assert_eq!(openai(&[said("hi", Value::Null), done]), cut_off("hi"));
    let part = json!({ "message": { "content": "half" }, "done": false });
    assert_eq!(
        streamed(Service::Ollama, &[part]),
        Err(FaultKind::Connection)
    );
}

#[test]
fn an_empty_reply_is_none() {
    let done = json!({ "message": { "content": " \n" }, "done": true });
    assert_eq!(streamed(Service::Ollama, &[done]), Err(FaultKind::Empty));
    // All of it went into thoughts.
    let spent = json!({ "message": { "content": "" }, "done": true, "eval_count": 100 });
    let cut_off = Ok((String::new(), StopReason::MaxTokens));
    assert_eq!(streamed(Service::Ollama, &[spent]), cut_off);
    let fault = Incoming::default()
        .piece(Service::OpenAi, "{")
        .expect_err("no document");
    assert_eq!(fault.kind, FaultKind::Malformed);
}
