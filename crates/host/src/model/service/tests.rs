//! The client against services on this machine that answer as they are told.

use super::*;
use crate::model::{Asking, clear};
use proctor_core::context::AllowedSecrets;
use proctor_core::generation::prompts;
use proctor_core::workflow::StopReason;
use proctor_testkit::{Answer as Told, ModelServer, Protocol};

const KEY: &str = "sesame-open-4711";

fn service(protocol: Protocol) -> Service {
    match protocol {
        Protocol::Anthropic => Service::Anthropic,
        Protocol::OpenAi => Service::OpenAi,
        Protocol::Gemini => Service::Gemini,
        Protocol::Ollama => Service::Ollama,
    }
}

/// A server that gives these answers, and a client that is quick to lose patience.
fn client(protocol: Protocol, answers: Vec<Told>) -> (ModelServer, ServiceModel) {
    let server = ModelServer::start(answers);
    let variables = protocol.variables(&server, KEY);
    let environment = variables
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let settings = ModelSettings::default();
    let interrupt = Interrupt::never();
    let mut model = ServiceModel::find(
        service(protocol),
        "test",
        &settings,
        &environment,
        interrupt,
    )
    .expect("an address");
    model.patience = Patience {
        tries: 3,
        first_wait: Duration::from_millis(1),
        idle: Duration::from_millis(300),
        ..Patience::default()
    };
    (server, model)
}

struct Asked {
    reply: Result<ModelReply, ModelError>,
    retries: Vec<String>,
}

fn ask(model: &mut ServiceModel) -> Asked {
    let prompt = prompts::probe();
    let request = Request {
        asking: Asking::Scaffold,
        attempt: 1,
        prompt: &prompt,
    };
    let cleared = clear(model, &request, &AllowedSecrets::default()).expect("nothing secret");
    let mut retries = Vec::new();
    let reply = model.send_telling(&cleared, &mut |news| {
        if let News::Retrying { problem, .. } = news {
            retries.push(problem);
        }
    });
    Asked { reply, retries }
}

fn answer(protocol: Protocol, answers: Vec<Told>) -> (ModelReply, Vec<String>) {
    let (server, mut model) = client(protocol, answers);
    let asked = ask(&mut model);
    let reply = asked
        .reply
        .unwrap_or_else(|error| panic!("{protocol:?}: {error}"));
    assert_eq!(
        server.received().len(),
        asked.retries.len() + 1,
        "{protocol:?}"
    );
    (reply, asked.retries)
}

fn failure(protocol: Protocol, answers: Vec<Told>) -> (String, String, usize) {
    let (server, mut model) = client(protocol, answers);
    match ask(&mut model).reply {
        Err(ModelError::Service(failure)) => {
            let hint = failure.hint().to_owned();
            (failure.to_string(), hint, server.received().len())
        }
        other => panic!("{protocol:?}: {other:?}"),
    }
}

const TEXT: &str = "Grüße from a model, in several pieces";

#[test]
fn a_good_reply_comes_whole_and_with_its_tokens() {
    for protocol in Protocol::ALL {
        let (server, mut model) = client(protocol, vec![protocol.good(TEXT)]);
        let reply = ask(&mut model).reply.expect("a reply");
        assert_eq!(reply.text, TEXT);
        assert_eq!(reply.stop_reason, StopReason::EndTurn);
        assert_eq!((reply.input_tokens, reply.output_tokens), (1000, 50));
        let cached = if protocol == Protocol::Ollama { 0 } else { 900 };
        assert_eq!(reply.cached_tokens, cached);
        assert!(
            model
                .answered_by()
                .is_some_and(|name| name.starts_with("test"))
        );
        let request = &server.received()[0];
        let line = match protocol {
            Protocol::Anthropic => "POST /v1/messages HTTP/1.1",
            Protocol::OpenAi => "POST /v1/chat/completions HTTP/1.1",
            Protocol::Gemini => "POST /v1beta/models/test:streamGenerateContent?alt=sse HTTP/1.1",
            Protocol::Ollama => "POST /api/chat HTTP/1.1",
        };
        assert!(request.starts_with(line), "{request}");
        let lower = request.to_ascii_lowercase();
        let header = match protocol {
            Protocol::Anthropic => format!("x-api-key: {KEY}\r\n"),
            Protocol::OpenAi => format!("authorization: bearer {KEY}\r\n"),
            Protocol::Gemini => format!("x-goog-api-key: {KEY}\r\n"),
            Protocol::Ollama => "content-type: application/json\r\n".to_owned(),
        };
        assert!(lower.contains(&header), "{request}");
        if protocol == Protocol::Anthropic {
            assert!(
                lower.contains("anthropic-version: 2023-06-01\r\n"),
                "{request}"
            );
        }
    }
}

#[test]
fn a_reply_that_is_cut_off_says_so_also_when_the_stream_just_ends() {
    for protocol in Protocol::ALL {
        let (reply, _) = answer(protocol, vec![protocol.cut_off(TEXT)]);
        assert_eq!(reply.stop_reason, StopReason::MaxTokens, "{protocol:?}");
        let (reply, _) = answer(protocol, vec![protocol.good(TEXT).without_last(1)]);
        assert_eq!(reply.stop_reason, StopReason::MaxTokens, "{protocol:?}");
        assert_eq!(reply.text, TEXT);
    }
}

#[test]
fn a_declined_reply_is_a_refusal_with_its_text() {
    for protocol in [Protocol::Anthropic, Protocol::OpenAi, Protocol::Gemini] {
        let (reply, _) = answer(protocol, vec![protocol.declined("I will not")]);
        assert_eq!(reply.stop_reason, StopReason::Refusal, "{protocol:?}");
        assert_eq!(reply.text, "I will not");
    }
}

#[test]
fn a_busy_service_is_asked_again_and_the_wait_is_told() {
    for protocol in Protocol::ALL {
        let busy = |status, kind| protocol.error(status, kind, "too much to do");
        let answers = vec![
            busy(429, "rate_limit_error").header("Retry-After", "0"),
            busy(
                if protocol == Protocol::Anthropic {
                    529
                } else {
                    503
                },
                "overloaded_error",
            ),
            protocol.good(TEXT),
        ];
        let (reply, retries) = answer(protocol, answers);
        assert_eq!(reply.text, TEXT);
        assert_eq!(retries.len(), 2);
        assert!(retries[0].contains("429"), "{}", retries[0]);
        assert!(retries[1].contains("too much to do"), "{}", retries[1]);
    }
}

#[test]
fn a_broken_connection_and_a_silent_one_are_tried_again() {
    for protocol in Protocol::ALL {
        let good = || protocol.good(TEXT);
        let (reply, retries) = answer(protocol, vec![good().broken(), good().silent(), good()]);
        assert_eq!((reply.text.as_str(), retries.len()), (TEXT, 2));
        assert!(retries[0].contains("cannot be reached"), "{}", retries[0]);
        assert!(
            retries[1].contains("nothing came for 0.3 s"),
            "{}",
            retries[1]
        );
        // Anthropic counted the input of those two as well.
        let input = if protocol == Protocol::Anthropic {
            3000
        } else {
            reply.input_tokens
        };
        assert_eq!(reply.input_tokens, input);
        let (message, hint, tries) = failure(protocol, vec![good().silent()]);
        assert_eq!(tries, 3);
        assert!(message.ends_with("after 3 tries"), "{message}");
        assert!(hint.contains("idle_timeout_seconds"), "{hint}");
    }
}

#[test]
fn what_trying_again_cannot_mend_is_asked_once() {
    for protocol in Protocol::ALL {
        let said = format!("bad key {KEY}");
        let (message, hint, tries) = failure(
            protocol,
            vec![protocol.error(401, "authentication_error", &said)],
        );
        assert_eq!(tries, 1, "{protocol:?}");
        assert!(message.contains("401"), "{message}");
        if protocol != Protocol::Ollama {
            assert!(message.contains("bad key [masked key]"), "{message}");
            assert!(hint.contains("_API_KEY"), "{hint}");
        }
        if protocol == Protocol::Anthropic {
            assert!(message.contains("(request id req_told)"), "{message}");
        }
        let moved =
            Told::json(307, &serde_json::json!({})).header("Location", "http://127.0.0.1:1/");
        let (message, _, tries) = failure(protocol, vec![moved]);
        assert!(message.contains("307") && tries == 1, "{message}");
    }
    let spent = Protocol::OpenAi.error(429, "insufficient_quota", "no money");
    assert_eq!(failure(Protocol::OpenAi, vec![spent]).2, 1);
    let spent = Protocol::Anthropic.error(429, "rate_limit_error", "spending limit");
    assert_eq!(failure(Protocol::Anthropic, vec![spent]).2, 1);
}

#[test]
fn an_empty_reply_is_asked_for_again() {
    for protocol in Protocol::ALL {
        let (reply, retries) = answer(protocol, vec![protocol.good(""), protocol.good(TEXT)]);
        assert_eq!(
            (reply.text.as_str(), retries.len()),
            (TEXT, 1),
            "{protocol:?}"
        );
    }
}

#[test]
fn a_wish_to_stop_ends_the_call_although_nothing_comes() {
    for protocol in Protocol::ALL {
        let (_server, mut model) = client(protocol, vec![protocol.good(TEXT).silent()]);
        model.patience.idle = Duration::from_mins(5);
        model.interrupt.set();
        let reply = ask(&mut model).reply;
        assert!(matches!(reply, Err(ModelError::Interrupted)), "{reply:?}");
    }
}

#[test]
fn a_service_that_is_not_there_is_named_with_a_hint() {
    let server = ModelServer::start(Vec::new());
    let address = server.url();
    drop(server);
    let environment = vec![("OLLAMA_HOST".into(), address.clone().into())];
    let settings = ModelSettings::default();
    let mut model = ServiceModel::find(
        Service::Ollama,
        "x",
        &settings,
        &environment,
        Interrupt::never(),
    )
    .expect("an address");
    model.patience.first_wait = Duration::from_millis(1);
    let Err(ModelError::Service(failure)) = ask(&mut model).reply else {
        panic!("nobody is there");
    };
    let host = address.trim_start_matches("http://");
    assert!(
        failure
            .to_string()
            .starts_with(&format!("ollama at {host} cannot be reached")),
        "{failure}"
    );
    assert!(
        failure.hint().contains("ollama serve"),
        "{}",
        failure.hint()
    );
}

#[test]
fn a_key_that_is_not_set_is_named_before_anything_is_sent() {
    let settings = ModelSettings::default();
    let model = ServiceModel::find(
        Service::Gemini,
        "x",
        &settings,
        &Vec::new(),
        Interrupt::never(),
    )
    .expect("an address");
    let error = model.ready().expect_err("no key").to_string();
    assert_eq!(
        error,
        "gemini needs a key, and GEMINI_API_KEY or GOOGLE_API_KEY is not set"
    );
}

#[test]
fn a_reply_costs_what_its_tokens_cost() {
    let (_server, mut model) = client(Protocol::Anthropic, vec![Protocol::Anthropic.good(TEXT)]);
    // Somebody else's server: nobody knows.
    assert_eq!(ask(&mut model).reply.expect("a reply").cost_micro_usd, None);
    model.price = Price::usual(Service::Anthropic, "claude-sonnet-4-5");
    let reply = ask(&mut model).reply.expect("a reply");
    assert_eq!(reply.cost_micro_usd, Some(100 * 3 + 270 + 50 * 15));
}
