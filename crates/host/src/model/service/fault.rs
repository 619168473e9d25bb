//! Failures of a service, told apart.

use std::time::Duration;

use serde_json::Value;

use super::Service;

/// The kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The key is missing, wrong, or may not do this.
    Key,
    /// Nothing is left to pay with.
    Billing,
    /// There is no such model or address.
    NotFound,
    /// The prompt is larger than the model's window.
    ContextOverflow,
    /// The request itself is refused.
    BadRequest,
    /// Too much in too little time.
    RateLimit,
    /// The service has too much to do or is broken.
    Unavailable,
    /// The service sends requests elsewhere.
    Redirected,
    /// The service cannot be reached, or the connection broke.
    Connection,
    /// The service's certificate is not trusted.
    Certificate,
    /// The service stopped sending.
    Stalled,
    /// The answer is not in the documented form.
    Malformed,
    /// The answer has no text.
    Empty,
}

/// Whether it may be tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// No: the same would happen.
    Never,
    /// Yes, after a short wait.
    Soon,
    /// Yes, after the time that the service asks for.
    After(Duration),
}

/// One failed try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    /// A fragment, the service's own words where it has any.
    pub(super) message: String,
    pub(super) request_id: Option<String>,
    pub(super) again: Again,
}

impl Fault {
    fn new(kind: FaultKind, message: impl Into<String>, again: Again) -> Self {
        Self {
            kind,
            message: message.into(),
            request_id: None,
            again,
        }
    }

    pub(super) fn again(kind: FaultKind, message: impl Into<String>) -> Self {
        Self::new(kind, message, Again::Soon)
    }

    pub(super) fn never(kind: FaultKind, message: impl Into<String>) -> Self {
        Self::new(kind, message, Again::Never)
    }

    /// An answer that is not a reply.
    pub(super) fn of_answer(service: Service, answer: &Answer<'_>) -> Self {
        let said = Said::read(answer.body);
        let kind = kind(answer.status, &said);
        let wait = answer.wait.or(said.wait);
        // Anthropic names a time whenever waiting helps; a spent spending limit has none.
        let hopeless = service == Service::Anthropic && answer.status == 429 && wait.is_none();
        let final_kind = matches!(
            kind,
            FaultKind::Key
                | FaultKind::Billing
                | FaultKind::NotFound
                | FaultKind::ContextOverflow
                | FaultKind::BadRequest
                | FaultKind::Redirected
        );
        let may = match answer.should_retry {
            Some(should) => should,
            None => (matches!(answer.status, 408 | 409 | 429) || answer.status >= 500) && !hopeless,
        };
        let again = match wait {
            _ if final_kind || !may => Again::Never,
            Some(wait) => Again::After(wait),
            None => Again::Soon,
        };
        let mut fault = Self::new(kind, said.words(answer.status), again);
        fault.request_id = answer.request_id.map(str::to_owned).or(said.request_id);
        fault
    }

    /// An error in the middle of a stream that began well.
    pub(super) fn in_stream(value: &Value) -> Option<Self> {
        let error = value.get("error").filter(|error| !error.is_null())?;
        let said = Said::of(value, error);
        let status = match (said.status, said.kind.as_str()) {
            (Some(status), _) => status,
            (None, "overloaded_error") => 529,
            (None, "rate_limit_error" | "rate_limit_exceeded") => 429,
            (None, "authentication_error") => 401,
            (None, "permission_error") => 403,
            (None, "not_found_error") => 404,
            (None, "invalid_request_error") => 400,
            (None, _) => 500,
        };
        let kind = kind(status, &said);
        let again = match (status, said.wait) {
            _ if kind == FaultKind::Billing => Again::Never,
            (408 | 409 | 429 | 500.., Some(wait)) => Again::After(wait),
            (408 | 409 | 429 | 500.., None) => Again::Soon,
            _ => Again::Never,
        };
        let mut fault = Self::new(kind, said.words(status), again);
        fault.request_id = said.request_id;
        Some(fault)
    }
}

/// An answer whose status says that it is not a reply.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) body: &'a str,
    pub(super) request_id: Option<&'a str>,
    /// `x-should-retry`
    pub(super) should_retry: Option<bool>,
    /// `retry-after-ms` or `retry-after`
    pub(super) wait: Option<Duration>,
}

/// An error document's content; every service has its own, and they are alike.
#[derive(Debug, Default)]
struct Said {
    kind: String,
    message: String,
    request_id: Option<String>,
    status: Option<u16>,
    wait: Option<Duration>,
}

impl Said {
    fn read(body: &str) -> Self {
        let value: Value = serde_json::from_str(body).unwrap_or_default();
        let value = value.get(0).unwrap_or(&value);
        match value.get("error") {
            Some(error) => Self::of(value, error),
            None => Self {
                message: value["message"].as_str().unwrap_or(body).to_owned(),
                ..Self::default()
            },
        }
    }

    fn of(value: &Value, error: &Value) -> Self {
        let text = |name: &str| error[name].as_str().unwrap_or_default();
        let kind = ["code", "status", "type"]
            .into_iter()
            .map(text)
            .find(|text| !text.is_empty());
        let details = || error["details"].as_array().into_iter().flatten();
        // Gemini's way to say when.
        let delay = details().find_map(|detail| detail["retryDelay"].as_str());
        let seconds = delay.and_then(|delay| delay.strip_suffix('s')?.parse().ok());
        Self {
            kind: kind.unwrap_or_default().to_owned(),
            message: error.as_str().unwrap_or_else(|| text("message")).to_owned(),
            request_id: value["request_id"].as_str().map(str::to_owned),
            status: error["code"].as_u64().and_then(|code| code.try_into().ok()),
            wait: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        }
    }

    /// The message in one line.
    fn words(&self, status: u16) -> String {
        let line: Vec<&str> = self.message.split_whitespace().collect();
        let line = line.join(" ");
        let line = line.trim_end_matches('.');
        let kind = match self.kind.as_str() {
            "" => String::new(),
            kind => format!(" {kind}"),
        };
        match line {
            "" => format!("{status}{kind}"),
            line => format!("{status}{kind}: {line}"),
        }
    }
}

fn kind(status: u16, said: &Said) -> FaultKind {
    let message = said.message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let overflow = said.kind == "context_length_exceeded"
        || says(&[
            "prompt is too long",
            "maximum context length",
            "context window",
            "context size",
            "input token count",
            "exceed context limit",
        ]);
    match status {
        // `billing_hard_limit_reached`, `billing_not_active` and future ones.
        _ if said.kind == "insufficient_quota" || said.kind.starts_with("billing") => {
            FaultKind::Billing
        }
        300..400 => FaultKind::Redirected,
        400 | 413 | 422 if overflow || status == 413 => FaultKind::ContextOverflow,
        400 if says(&["api key not valid", "api key expired"]) => FaultKind::Key,
        400 if says(&["credit balance"]) => FaultKind::Billing,
        401 | 403 => FaultKind::Key,
        402 => FaultKind::Billing,
        404 => FaultKind::NotFound,
        429 if says(&["spending limit", "credit"]) => FaultKind::Billing,
        429 => FaultKind::RateLimit,
        408 | 409 | 500.. => FaultKind::Unavailable,
        _ => FaultKind::BadRequest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(status: u16, body: &str) -> Answer<'_> {
        Answer {
            status,
            body,
            request_id: None,
            should_retry: None,
            wait: None,
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one table")]
    fn what_a_service_answers_decides_what_it_is_and_whether_to_try_again() {
        use FaultKind::{
            BadRequest, Billing, ContextOverflow, Key, NotFound, RateLimit, Redirected, Unavailable,
        };
        let (anthropic, openai, gemini) = (Service::Anthropic, Service::OpenAi, Service::Gemini);
        let cases = [
            (
                anthropic,
                401,
                r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
                Key,
                false,
            ),
            (
                anthropic,
                402,
                r#"{"error":{"type":"billing_error","message":"pay"}}"#,
                Billing,
                false,
            ),
            (
                anthropic,
                400,
                r#"{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                ContextOverflow,
                false,
            ),
            (
                anthropic,
                400,
                r#"{"error":{"type":"invalid_request_error","message":"max_tokens: too large"}}"#,
                BadRequest,
                false,
            ),
            (
                anthropic,
                429,
                r#"{"error":{"type":"rate_limit_error","message":"you have reached your specified API usage limits"}}"#,
                RateLimit,
                false,
            ),
            (
                anthropic,
                529,
                r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                Unavailable,
                true,
            ),
            (anthropic, 500, "", Unavailable, true),
            (
                openai,
                429,
                r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
                Billing,
                false,
            ),
            (
                openai,
                429,
                r#"{"error":{"type":"requests","code":"rate_limit_exceeded","message":"slow down"}}"#,
                RateLimit,
                true,
            ),
            (
                openai,
                400,
                r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
                ContextOverflow,
                false,
            ),
            (
                openai,
                404,
                r#"{"error":{"code":"model_not_found","message":"no such model"}}"#,
                NotFound,
                false,
            ),
            (openai, 503, "<html>busy</html>", Unavailable, true),
            (openai, 307, "", Redirected, false),
            (
                gemini,
                400,
                r#"[{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"API key not valid. Please pass a valid API key."}}]"#,
                Key,
                false,
            ),
            (
                gemini,
                503,
                r#"{"error":{"code":503,"status":"UNAVAILABLE","message":"overloaded"}}"#,
                Unavailable,
                true,
            ),
            (
                Service::Ollama,
                404,
                r#"{"error":"model 'x' not found"}"#,
                NotFound,
                false,
            ),
        ];
        for (service, status, body, kind, again) in cases {
            let fault = Fault::of_answer(service, &answer(status, body));
            assert_eq!(fault.kind, kind, "{status} {body}");
            assert_eq!(fault.again != Again::Never, again, "{status} {body}");
            assert!(
                fault.message.starts_with(&status.to_string()),
                "{}",
                fault.message
            );
        }
    }

    #[test]
    fn the_services_word_about_trying_again_counts_except_where_it_cannot_help() {
        let with = |status, should_retry, wait: Option<u64>| {
            let wait = wait.map(Duration::from_secs);
            let answer = Answer {
                should_retry,
                wait,
                ..answer(status, "{}")
            };
            Fault::of_answer(Service::Anthropic, &answer).again
        };
        assert_eq!(with(503, Some(false), None), Again::Never);
        assert_eq!(with(429, Some(true), None), Again::Soon);
        assert_eq!(with(401, Some(true), Some(1)), Again::Never);
        assert_eq!(
            with(429, None, Some(7)),
            Again::After(Duration::from_secs(7))
        );
        let body = r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x","details":[{"retryDelay":"31.5s"}]}}"#;
        let fault = Fault::of_answer(Service::Gemini, &answer(429, body));
        assert_eq!(fault.again, Again::After(Duration::from_millis(31_500)));
    }

    #[test]
    fn an_error_in_a_stream_is_one_of_its_kind() {
        let fault = Fault::in_stream(&json!({"type": "error", "request_id": "req_1",
            "error": {"type": "overloaded_error", "message": "Overloaded"}}))
        .expect("a fault");
        assert_eq!(
            (fault.kind, fault.again),
            (FaultKind::Unavailable, Again::Soon)
        );
        assert_eq!(fault.message, "529 overloaded_error: Overloaded");
        assert_eq!(fault.request_id.as_deref(), Some("req_1"));
        let fault = Fault::in_stream(&json!({"error": "model requires more memory"}));
        assert_eq!(
            fault.expect("a fault").message,
            "500: model requires more memory"
        );
        let quota = json!({"error": {"code": "insufficient_quota", "message": "x"}});
        assert_eq!(
            Fault::in_stream(&quota).expect("a fault").again,
            Again::Never
        );
        assert_eq!(
            Fault::in_stream(&json!({"choices": [], "error": null})),
            None
        );
    }
}
