//! The client against services on this machine that answer as they are told.

use super::*;
use crate::model::{Asking, clear};
use proctor_core::failure::Explained as _;
use proctor_core::generation::StopReason;
use proctor_core::generation::prompts;
use proctor_core::secrets::AllowedSecrets;
use proctor_testkit::{
    Answer as Told, EncryptedDoor, ModelServer, Protocol, TestEnvironment, UnansweredPort,
};

const KEY: &str = "sesame-open-4711";

fn service(protocol: Protocol) -> Service {
    match protocol {
        Protocol::Anthropic => Service::Anthropic,
        Protocol::OpenAi => Service::OpenAi,
        Protocol::Gemini => Service::Gemini,
        Protocol::Ollama => Service::Ollama,
    }
}

/// A server that gives these answers, and a client that does not wait long before it asks again.
fn client(protocol: Protocol, answers: Vec<Told>) -> (ModelServer, ServiceModel) {
    let server = ModelServer::start(answers);
    let variables = protocol.variables(&server.url(), KEY);
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
        ..Patience::default()
    };
    (server, model)
}

struct Asked {
    reply: Result<ModelReply, ModelError>,
    retries: Vec<String>,
    waits: Vec<Duration>,
    /// Tokens so far, each time they were told.
    arrived: Vec<usize>,
}

fn ask(model: &mut ServiceModel) -> Asked {
    ask_after(model, 0)
}

/// Asks again after this many cut-off replies.
fn ask_after(model: &mut ServiceModel, cut_off: u32) -> Asked {
    ask_watching(model, cut_off, &mut |_| {})
}

/// The same, and reports how often something has arrived.
fn ask_watching(
    model: &mut ServiceModel,
    cut_off: u32,
    on_arrival: &mut dyn FnMut(usize),
) -> Asked {
    let prompt = prompts::probe();
    let request = Request {
        asking: Asking::Scaffold,
        attempt: 1,
        cut_off,
        prompt: &prompt,
    };
    let allowed = AllowedSecrets::default();
    let cleared = clear(model, &request, &allowed).expect("nothing secret");
    let (mut retries, mut waits, mut arrived) = (Vec::new(), Vec::new(), Vec::new());
    let reply = model.send_telling(&cleared, &mut |news| match news {
        News::Retrying { problem, wait } => {
            retries.push(problem);
            waits.push(wait);
        }
        News::Arrived { tokens, .. } => {
            arrived.push(tokens);
            on_arrival(arrived.len());
        }
    });
    Asked {
        reply,
        retries,
        waits,
        arrived,
    }
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
            let hint = failure.hints().concat();
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
fn a_reply_that_is_cut_off_says_so() {
    for protocol in Protocol::ALL {
        let (reply, _) = answer(protocol, vec![protocol.cut_off(TEXT)]);
        assert_eq!(reply.stop_reason, StopReason::MaxTokens, "{protocol:?}");
        // Said to be complete, but at the limit.
        let (_server, mut model) = client(protocol, vec![protocol.good(TEXT)]);
        model.usual = 50;
        let reply = ask(&mut model).reply.expect("a reply");
        assert_eq!(reply.stop_reason, StopReason::MaxTokens, "{protocol:?}");
    }
}

#[test]
fn a_stream_without_its_end_event_is_whole_if_it_has_a_reason_and_otherwise_asked_for_again() {
    for protocol in Protocol::ALL {
        let answers = vec![protocol.good(TEXT).without_last(1), protocol.good(TEXT)];
        let (reply, retries) = answer(protocol, answers);
        assert_eq!(reply.stop_reason, StopReason::EndTurn, "{protocol:?}");
        assert_eq!(reply.text, TEXT);
        // Of these two the last event is the reason itself.
        let again = matches!(protocol, Protocol::Gemini | Protocol::Ollama);
        assert_eq!(retries.len(), usize::from(again), "{protocol:?}");
    }
}

#[test]
fn a_reply_in_one_piece_is_asked_for_and_read() {
    for protocol in Protocol::ALL {
        let (server, mut model) = client(protocol, vec![protocol.in_one_piece(TEXT)]);
        model.stream = false;
        let reply = ask(&mut model).reply.expect("a reply");
        assert_eq!(reply.text, TEXT);
        assert_eq!((reply.input_tokens, reply.output_tokens), (1000, 50));
        assert!(!server.received()[0].contains("\"stream\":true"));
    }
}

/// Of the n-th request a server received.
fn body(server: &ModelServer, index: usize) -> serde_json::Value {
    let request = server.received()[index].clone();
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

#[test]
fn a_question_whose_reply_was_cut_off_allows_a_longer_one() {
    let limits = |cut_off| {
        let bad = Protocol::Anthropic.error(400, "invalid_request_error", "max_tokens: too many");
        let good = Protocol::Anthropic.good(TEXT);
        let (server, mut model) = client(Protocol::Anthropic, vec![bad, good]);
        let asked = ask_after(&mut model, cut_off);
        let requests = server.received().len();
        let limits: Vec<_> = (0..requests)
            .map(|index| body(&server, index)["max_tokens"].clone())
            .collect();
        (asked.reply.is_ok(), limits)
    };
    assert_eq!(limits(0), (false, vec![16_384.into()]));
    // The model cannot send that much, so it is asked as at first.
    assert_eq!(limits(1), (true, vec![32_768.into(), 16_384.into()]));
    assert_eq!(limits(2), (true, vec![65_536.into(), 16_384.into()]));
    assert_eq!(limits(9), (true, vec![65_536.into(), 16_384.into()]));
}

#[test]
fn a_server_that_wants_the_limit_by_its_other_name_gets_it() {
    let protocol = Protocol::OpenAi;
    let said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    let refused = protocol.error(400, "unsupported_parameter", said);
    let (server, mut model) = client(protocol, vec![refused, protocol.good(TEXT)]);
    assert_eq!(ask(&mut model).reply.expect("a reply").text, TEXT);
    assert_eq!(body(&server, 0)["max_tokens"], 16_384);
    assert_eq!(body(&server, 1)["max_completion_tokens"], 16_384);
    // It is remembered.
    ask(&mut model).reply.expect("a reply");
    assert_eq!(body(&server, 2)["max_completion_tokens"], 16_384);
    let refused = protocol.error(422, "", "extra fields not permitted: stream_options");
    let (server, mut model) = client(protocol, vec![refused, protocol.good(TEXT)]);
    ask(&mut model).reply.expect("a reply");
    assert!(body(&server, 1)["stream_options"].is_null());
}

#[test]
fn a_declined_reply_is_a_refusal_with_its_text_and_a_filter_is_named() {
    let said = [
        (Protocol::Anthropic, "I will not"),
        (
            Protocol::OpenAi,
            "the service's content filter stopped the reply; until then: I will not",
        ),
        (
            Protocol::Gemini,
            "the service stopped the reply: SAFETY; until then: I will not",
        ),
    ];
    for (protocol, text) in said {
        let (reply, _) = answer(protocol, vec![protocol.declined("I will not")]);
        assert_eq!(reply.stop_reason, StopReason::Refusal, "{protocol:?}");
        assert_eq!(reply.text, text);
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
fn a_service_says_when_to_come_back() {
    let protocol = Protocol::Anthropic;
    let busy = || protocol.error(429, "rate_limit_error", "slow down");
    let answers = vec![
        busy().header("retry-after-ms", "2"),
        busy().header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"),
        protocol.good(TEXT),
    ];
    let (_server, mut model) = client(protocol, answers);
    let waits = ask(&mut model).waits;
    assert_eq!(waits, [Duration::from_millis(2), Duration::ZERO]);
    // Longer than the request may take: reported at once.
    let late = busy().header("retry-after", "3600");
    let (message, hint, tries) = failure(protocol, vec![late]);
    assert_eq!(tries, 1, "{message}");
    assert!(hint.contains("wait a while"), "{hint}");
    let no = protocol
        .error(503, "overloaded_error", "busy")
        .header("x-should-retry", "false");
    assert_eq!(failure(protocol, vec![no]).2, 1);
    // Without a time it is a spent limit, unless the service says otherwise.
    assert_eq!(failure(protocol, vec![busy()]).2, 1);
    let yes = busy().header("x-should-retry", "true");
    assert_eq!(answer(protocol, vec![yes, protocol.good(TEXT)]).1.len(), 1);
}

#[test]
fn an_error_in_the_middle_of_a_stream_is_told_apart_like_any_other() {
    let error = |kind: &str| {
        let event = format!(
            "event: error\ndata: {{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"no\"}}}}\n\n"
        );
        Protocol::Anthropic.good(TEXT).with_piece(3, event)
    };
    let answers = vec![error("overloaded_error"), Protocol::Anthropic.good(TEXT)];
    let (reply, retries) = answer(Protocol::Anthropic, answers);
    assert_eq!((reply.text.as_str(), retries.len()), (TEXT, 1));
    let (message, _, tries) = failure(Protocol::Anthropic, vec![error("authentication_error")]);
    assert_eq!(tries, 1);
    assert!(message.contains("(request id req_told)"), "{message}");
}

#[test]
fn a_slow_stream_is_waited_for_and_an_endless_one_is_not() {
    let protocol = Protocol::Anthropic;
    let (slow, hold) = protocol.good(TEXT).held();
    let (_server, mut model) = client(protocol, vec![slow]);
    model.patience.idle = Duration::from_secs(2);
    // Longer than the longest silence, altogether.
    let began = Instant::now();
    let asked = ask_watching(&mut model, 0, &mut |times| {
        if times > 3 && began.elapsed() > Duration::from_secs(2) {
            hold.release();
        }
    });
    assert_eq!(asked.reply.expect("a reply").text, TEXT);
    assert!(asked.arrived.is_sorted() && asked.arrived.len() > 3);
    let endless = [
        protocol.good(TEXT).silent(),
        protocol.good(TEXT).slow(Duration::from_millis(50)),
    ];
    for answer in endless {
        let (_server, mut model) = client(protocol, vec![answer]);
        model.patience.idle = Duration::from_mins(5);
        model.patience.total = Duration::from_millis(100);
        let error = ask(&mut model).reply.expect_err("too late").to_string();
        assert!(error.contains("in the time allowed"), "{error}");
    }
}

#[test]
fn each_sort_of_failure_has_tries_of_its_own() {
    for protocol in Protocol::ALL {
        let busy = |status| {
            let answer = protocol.error(status, "overloaded_error", "busy");
            answer.header("retry-after", "0")
        };
        let answers = vec![
            busy(429),
            busy(529),
            protocol.good(TEXT).broken(),
            protocol.good(""),
            protocol.good(TEXT),
        ];
        let (_server, mut model) = client(protocol, answers);
        model.patience.tries = 8;
        let asked = ask(&mut model);
        assert_eq!(asked.reply.expect("a reply").text, TEXT);
        assert_eq!(asked.retries.len(), 4, "{protocol:?}");
    }
}

#[test]
fn a_server_that_closes_the_connection_is_tried_again() {
    for protocol in Protocol::ALL {
        let answers = vec![Told::gone(), protocol.good(TEXT)];
        let (reply, retries) = answer(protocol, answers);
        assert_eq!((reply.text.as_str(), retries.len()), (TEXT, 1));
    }
}

#[test]
fn a_proxy_is_asked_for_what_is_elsewhere() {
    let server = ModelServer::start(vec![Protocol::OpenAi.good(TEXT)]);
    let find = |list: &[(&str, &str)]| {
        let environment = list
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let settings = ModelSettings::default();
        let interrupt = Interrupt::never();
        ServiceModel::find(Service::OpenAi, "x", &settings, &environment, interrupt)
    };
    let base = ("OPENAI_BASE_URL", "http://model.example/v1");
    let mut model = find(&[base, ("http_proxy", &server.url())]).expect("usable");
    assert_eq!(ask(&mut model).reply.expect("a reply").text, TEXT);
    let request = &server.received()[0];
    assert!(
        request.starts_with("CONNECT model.example:80 HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(request.contains("POST /v1/chat/completions"), "{request}");
    let socks = find(&[base, ("ALL_PROXY", "socks5://127.0.0.1:9")]).expect_err("no such proxy");
    assert_eq!(
        socks.to_string(),
        "openai cannot be used: ALL_PROXY names a SOCKS proxy, and only HTTP proxies can be used"
    );
}

#[test]
fn a_certificate_is_trusted_if_the_environment_names_it() {
    let server = ModelServer::start(vec![Protocol::Ollama.good(TEXT)]);
    let door = EncryptedDoor::open(&server);
    let environment = TestEnvironment::without_binary();
    let file = |name: &str, text: &str| environment.write(name, text);
    let find = |certificates: Option<std::path::PathBuf>| {
        let mut environment = vec![("OLLAMA_HOST".into(), door.url().into())];
        environment.extend(certificates.map(|path| ("SSL_CERT_FILE".into(), path.into())));
        let settings = ModelSettings::default();
        let interrupt = Interrupt::never();
        ServiceModel::find(Service::Ollama, "x", &settings, &environment, interrupt)
    };
    let mut stranger = find(None).expect("an address");
    let asked = ask(&mut stranger);
    let Err(ModelError::Service(failure)) = asked.reply else {
        panic!("that certificate is unknown");
    };
    assert!(
        failure.hints().concat().contains("SSL_CERT_FILE"),
        "{failure}"
    );
    assert!(asked.retries.is_empty() && server.received().is_empty());
    let known = file("known.pem", door.certificate());
    let mut friend = find(Some(known)).expect("an address");
    assert_eq!(ask(&mut friend).reply.expect("a reply").text, TEXT);
    let empty = find(Some(file("empty.pem", "nothing"))).expect_err("no certificate");
    assert!(empty.to_string().contains("SSL_CERT_FILE"), "{empty}");
}

#[test]
fn a_broken_connection_and_a_silent_one_are_tried_again() {
    // Side by side, as most of it is waiting.
    std::thread::scope(|scope| {
        for protocol in Protocol::ALL {
            scope.spawn(move || broken_and_silent(protocol));
        }
    });
}

fn broken_and_silent(protocol: Protocol) {
    let good = || protocol.good(TEXT);
    let answers = vec![good().broken(), good().silent(), good()];
    let (server, mut model) = client(protocol, answers);
    model.patience.idle = Duration::from_secs(2);
    let Asked { reply, retries, .. } = ask(&mut model);
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), retries.len()), (TEXT, 2));
    assert_eq!(server.received().len(), 3);
    assert!(retries[0].contains("cannot be reached"), "{}", retries[0]);
    let silence = "nothing came for 2.0 s";
    assert!(retries[1].contains(silence), "{}", retries[1]);
    // Anthropic counted the input of those two as well.
    if protocol == Protocol::Anthropic {
        assert_eq!(reply.input_tokens, 3000);
    }
    let (server, mut model) = client(protocol, vec![good().silent()]);
    model.patience.idle = Duration::from_millis(300);
    let Err(ModelError::Service(failure)) = ask(&mut model).reply else {
        panic!("{protocol:?} answered");
    };
    assert_eq!(server.received().len(), 3);
    let message = failure.to_string();
    assert!(message.ends_with("after 3 tries"), "{message}");
    let hint = failure.hints().concat();
    assert!(hint.contains("idle_timeout_seconds"), "{hint}");
}

#[test]
fn a_failure_that_a_retry_cannot_fix_is_asked_once() {
    let cases = [
        (401, "authentication_error", "_API_KEY"),
        (402, "billing_error", "nothing left to spend"),
        (403, "permission_error", "_API_KEY"),
        (404, "not_found_error", ""),
        (413, "request_too_large", "less context"),
        (400, "invalid_request_error", "max_output_tokens"),
    ];
    for protocol in Protocol::ALL {
        for (status, kind, hinted) in cases {
            let (message, hint, tries) =
                failure(protocol, vec![protocol.error(status, kind, "its words")]);
            assert_eq!(tries, 1, "{protocol:?} {status}");
            assert!(message.contains(&status.to_string()), "{message}");
            assert!(message.contains("its words"), "{message}");
            assert!(hint.contains(hinted) && !hint.is_empty(), "{hint}");
            let id = message.contains("(request id req_told)");
            assert_eq!(id, protocol == Protocol::Anthropic, "{message}");
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
fn a_service_that_quotes_the_key_is_not_quoted_with_it() {
    for protocol in Protocol::ALL {
        // Also where the quotation would end in the middle of the key.
        for filler in [0, 250, 280] {
            let said = format!("{} \u{1b}[31m{KEY}", "x".repeat(filler));
            let told = protocol
                .error(401, "authentication_error", &said)
                .header("x-request-id", KEY);
            let (message, hint, _) = failure(protocol, vec![told]);
            for text in [message, hint] {
                assert!(!text.contains(&KEY[..8]), "{protocol:?}: {text}");
                assert!(!text.contains('\u{1b}'), "{text:?}");
            }
        }
        let (reply, _) = answer(protocol, vec![protocol.good(&format!("it is {KEY}"))]);
        assert_eq!(reply.text, "it is [masked key]");
    }
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
    let port = UnansweredPort::take();
    let address = format!("http://{}", port.address());
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
        panic!("no server is there");
    };
    let host = address.trim_start_matches("http://");
    assert!(
        failure
            .to_string()
            .starts_with(&format!("ollama at {host} cannot be reached")),
        "{failure}"
    );
    assert!(
        failure.hints().concat().contains("ollama serve"),
        "{}",
        failure.hints().concat()
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
    // Another provider's server: unknown.
    assert_eq!(ask(&mut model).reply.expect("a reply").cost_micro_usd, None);
    model.price = Price::usual(Service::Anthropic, "claude-sonnet-4-5");
    let reply = ask(&mut model).reply.expect("a reply");
    assert_eq!(reply.cost_micro_usd, Some(100 * 3 + 270 + 50 * 15));
}
