//! A service's address and key: each vendor's usual environment variables, and nothing else.

use std::fmt;

use ureq::Proxy;
use ureq::http::Uri;

use super::{Service, proxy};
use crate::process::{Environment, variable};

/// Keys of real services are longer than this.
const KEY_BYTES: usize = 16;

/// A key. Prints as nothing.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// A service's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Endpoint {
    pub(super) service: Service,
    /// Without a slash at its end.
    base: String,
    /// Host and port, for people.
    pub(super) host: String,
    key: Option<Key>,
    version: String,
    /// Whether it is the vendor's own.
    pub(super) official: bool,
    /// Whether it is on this machine.
    pub(super) local: bool,
}

/// Why an address cannot be used: the variable and its problem. Never its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadVariable {
    pub(super) name: &'static str,
    pub(super) problem: &'static str,
}

impl Service {
    /// The variables that a key is taken from, in this order.
    pub(super) fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Self::Ollama => &["OLLAMA_API_KEY"],
        }
    }

    /// The variable that moves the address, and where it is otherwise.
    fn base(self) -> (&'static str, &'static str) {
        match self {
            Self::Anthropic => ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
            Self::OpenAi => ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
            Self::Gemini => (
                "GOOGLE_GEMINI_BASE_URL",
                "https://generativelanguage.googleapis.com",
            ),
            Self::Ollama => ("OLLAMA_HOST", "http://127.0.0.1:11434"),
        }
    }
}

impl Endpoint {
    pub(super) fn find(service: Service, environment: &Environment) -> Result<Self, BadVariable> {
        let text = |name: &str| {
            let value = variable(environment, name)?.to_str()?.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        let (name, usual) = service.base();
        let given = text(name);
        let base = match &given {
            None => usual.to_owned(),
            Some(given) if service == Service::Ollama => ollama_address(given),
            Some(given) => given.clone(),
        };
        let base = base.trim_end_matches('/').to_owned();
        let bad = |problem| BadVariable { name, problem };
        let uri: Uri = base.parse().map_err(|_| bad("is not a valid address"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(bad("has to begin with http:// or https://"));
        }
        let authority = uri.authority().ok_or(bad("names no host"))?;
        if authority.as_str().contains('@') {
            return Err(bad("must not carry a name or password"));
        }
        let key = service
            .key_variables()
            .iter()
            .find_map(|name| text(name).map(|key| (*name, key)));
        if let Some((name, key)) = &key
            && !key.bytes().all(|byte| byte.is_ascii_graphic())
        {
            let problem = "has characters that no key has";
            return Err(BadVariable { name, problem });
        }
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let local = host.eq_ignore_ascii_case("localhost")
            || host
                .parse()
                .is_ok_and(|address: std::net::IpAddr| address.is_loopback());
        Ok(Self {
            service,
            host: authority.as_str().to_owned(),
            official: base == usual || is_vendors(service, host),
            key: key.map(|(_, key)| Key(key)),
            version: text("ANTHROPIC_VERSION").unwrap_or_else(|| "2023-06-01".to_owned()),
            local,
            base,
        })
    }

    /// The variables of which one has to be set and none is.
    pub(super) fn missing_key(&self) -> Option<&'static [&'static str]> {
        let needed = match self.service {
            Service::Anthropic | Service::Gemini => true,
            // Other servers have their own ways; many are on this machine and ask for nothing.
            Service::OpenAi => self.official,
            Service::Ollama => false,
        };
        (needed && self.key.is_none()).then(|| self.service.key_variables())
    }

    /// Whether the list prices hold: at the vendor's own address, and for ollama on the user's own machines, where
    /// nothing is paid for.
    pub(super) fn has_usual_prices(&self) -> bool {
        match self.service {
            Service::Ollama => !self.host.ends_with("ollama.com"),
            _ => self.official,
        }
    }

    /// The proxy that the environment names for this address. This machine is reached without one.
    pub(super) fn proxy(&self, environment: &Environment) -> Result<Option<Proxy>, BadVariable> {
        if self.local {
            return Ok(None);
        }
        proxy::choose(&self.base, environment)
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The client's identification, and the version of the service's protocol.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        let key = self.key.as_ref().map(|key| key.0.clone());
        match self.service {
            Service::Anthropic => {
                headers.push(("anthropic-version", self.version.clone()));
                headers.extend(key.map(|key| ("x-api-key", key)));
            }
            Service::OpenAi | Service::Ollama => {
                headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))));
            }
            Service::Gemini => headers.extend(key.map(|key| ("x-goog-api-key", key))),
        }
        headers
    }

    /// A message of the service without the key: some quote it in their errors.
    pub(super) fn without_key(&self, text: String) -> String {
        match &self.key {
            Some(key) if text.contains(&key.0) => text.replace(&key.0, "[masked key]"),
            _ => text,
        }
    }

    /// A reply without the key. Servers that need none are often given a word for one, and a word may well be part
    /// of a program.
    pub(super) fn without_quoted_key(&self, text: String) -> String {
        match &self.key {
            Some(key) if key.0.len() >= KEY_BYTES => self.without_key(text),
            _ => text,
        }
    }
}

/// The vendors' other addresses: a region's, or the same service in another cloud.
fn is_vendors(service: Service, host: &str) -> bool {
    let ends = |list: &[&str]| list.iter().any(|end| host.ends_with(end));
    match service {
        Service::OpenAi => ends(&[".api.openai.com", ".openai.azure.com"]),
        _ => false,
    }
}

/// `OLLAMA_HOST` as ollama itself reads it: a host, a port, both or an address. All interfaces means this machine.
fn ollama_address(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let rest = rest.trim_end_matches('/');
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, Some(port)),
        _ => (rest, None),
    };
    let host = match host {
        "" | "0.0.0.0" | "[::]" => "127.0.0.1",
        other => other,
    };
    match (port, scheme) {
        (Some(port), _) => format!("{scheme}://{host}:{port}"),
        // A whole address is explicit; a host alone means ollama's own port.
        (None, _) if text.contains("://") => format!("{scheme}://{host}"),
        (None, _) => format!("{scheme}://{host}:11434"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(list: &[(&str, &str)]) -> Environment {
        list.iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    #[test]
    fn addresses_come_from_the_vendors_variables() {
        let cases = [
            (Service::Anthropic, "", "https://api.anthropic.com/x"),
            (
                Service::Anthropic,
                "http://127.0.0.1:9/",
                "http://127.0.0.1:9/x",
            ),
            (Service::OpenAi, "", "https://api.openai.com/v1/x"),
            (
                Service::OpenAi,
                "http://host/api/v1",
                "http://host/api/v1/x",
            ),
            (
                Service::Gemini,
                "",
                "https://generativelanguage.googleapis.com/x",
            ),
            (Service::Ollama, "", "http://127.0.0.1:11434/x"),
            (Service::Ollama, "0.0.0.0", "http://127.0.0.1:11434/x"),
            (Service::Ollama, ":8080", "http://127.0.0.1:8080/x"),
            (Service::Ollama, "box:8080", "http://box:8080/x"),
            (
                Service::Ollama,
                "https://box.example",
                "https://box.example/x",
            ),
        ];
        for (service, value, url) in cases {
            let environment = environment(&[(service.base().0, value)]);
            let endpoint = Endpoint::find(service, &environment).expect("an address");
            assert_eq!(endpoint.url("/x"), url);
        }
    }

    #[test]
    fn what_cannot_be_an_address_or_a_key_is_named_and_not_quoted() {
        for (name, value) in [
            ("ANTHROPIC_BASE_URL", "ftp://example.org"),
            ("ANTHROPIC_BASE_URL", "https://me:secret@example.org"),
            ("ANTHROPIC_BASE_URL", "not an address"),
            ("ANTHROPIC_API_KEY", "two words"),
        ] {
            let environment = environment(&[(name, value)]);
            let bad = Endpoint::find(Service::Anthropic, &environment).expect_err("refused");
            assert_eq!(bad.name, name);
            assert!(!format!("{bad:?}").contains(value));
        }
    }

    #[test]
    fn a_key_is_needed_where_the_vendor_asks_for_one_and_is_never_printed() {
        let missing = |service, list: &[(&str, &str)]| {
            let endpoint = Endpoint::find(service, &environment(list)).expect("an address");
            endpoint.missing_key().is_some()
        };
        assert!(missing(Service::Anthropic, &[]));
        assert!(missing(Service::Gemini, &[("GEMINI_API_KEY", "")]));
        assert!(!missing(Service::Gemini, &[("GOOGLE_API_KEY", "k")]));
        assert!(missing(Service::OpenAi, &[]));
        assert!(!missing(
            Service::OpenAi,
            &[("OPENAI_BASE_URL", "http://localhost:1/v1")]
        ));
        assert!(!missing(Service::Ollama, &[]));
        let list = [("OPENAI_API_KEY", "sesame-42 \n")];
        let endpoint = Endpoint::find(Service::OpenAi, &environment(&list)).expect("an address");
        assert!(!format!("{endpoint:?}").contains("sesame"));
        assert_eq!(endpoint.headers()[0].1, "Bearer sesame-42");
        let said = "incorrect key sesame-42".to_owned();
        assert_eq!(endpoint.without_key(said), "incorrect key [masked key]");
        let said = "a reply with sesame-42".to_owned();
        assert_eq!(endpoint.without_quoted_key(said.clone()), said);
        let list = [("OPENAI_API_KEY", "sesame-open-4711")];
        let endpoint = Endpoint::find(Service::OpenAi, &environment(&list)).expect("an address");
        let said = "a reply with sesame-open-4711".to_owned();
        assert_eq!(
            endpoint.without_quoted_key(said),
            "a reply with [masked key]"
        );
    }
}
