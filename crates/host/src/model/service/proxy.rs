//! Proxies, from the variables that every program reads.

use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use super::endpoint::BadVariable;
use crate::process::{Environment, variable};

/// By the scheme of the address, then for all of them.
const FOR_HTTPS: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const FOR_HTTP: [&str; 4] = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
const NOT_FOR: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// The proxy for an address, if there is one. One that cannot be used is an error: bypassing it would reveal to the
/// network what it was to hide.
pub(super) fn choose(
    address: &str,
    environment: &Environment,
) -> Result<Option<Proxy>, BadVariable> {
    let text = |name: &&'static str| {
        let value = variable(environment, name)?.to_str()?.trim();
        (!value.is_empty()).then(|| (*name, value.to_owned()))
    };
    let uri: Uri = address.parse().unwrap_or_default();
    let host = uri.host().unwrap_or_default();
    let names = if uri.scheme_str() == Some("http") {
        FOR_HTTP
    } else {
        FOR_HTTPS
    };
    let excluded = NOT_FOR.iter().find_map(text);
    if excluded.is_some_and(|(_, list)| excludes(&list, host)) {
        return Ok(None);
    }
    let Some((name, value)) = names.iter().find_map(text) else {
        return Ok(None);
    };
    let proxy = Proxy::new(&value).map_err(|_| BadVariable {
        name,
        problem: "names no proxy",
    })?;
    if !matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        let problem = "names a SOCKS proxy, and only HTTP proxies can be used";
        return Err(BadVariable { name, problem });
    }
    Ok(Some(proxy))
}

/// Whether a list of hosts has this one: by name, by a domain above it, or by a star for all.
fn excludes(list: &str, host: &str) -> bool {
    list.split(',').map(str::trim).any(|entry| {
        let domain = entry.trim_start_matches('*').trim_start_matches('.');
        let below = host.strip_suffix(domain);
        entry == "*"
            || !domain.is_empty()
                && below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(address: &str, list: &[(&str, &str)]) -> Result<Option<String>, &'static str> {
        let environment: Environment = list
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        choose(address, &environment)
            .map(|proxy| proxy.map(|proxy| proxy.host().to_owned()))
            .map_err(|bad| bad.name)
    }

    #[test]
    fn the_variable_of_the_scheme_comes_before_the_one_for_all() {
        let list = [
            ("HTTP_PROXY", "http://one:1"),
            ("https_proxy", "http://two:2"),
            ("ALL_PROXY", "http://all:3"),
        ];
        let of = |address, list| chosen(address, list).expect("usable").unwrap_or_default();
        assert_eq!(of("http://model.example", &list), "one");
        assert_eq!(of("https://model.example", &list), "two");
        assert_eq!(of("https://model.example", &list[2..]), "all");
        // A proxy for plain HTTP is none for the rest.
        assert_eq!(of("https://model.example", &list[..1]), "");
    }

    #[test]
    fn a_host_can_be_left_out() {
        let left_out = |list| {
            let list = [("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", list)];
            chosen("https://api.model.example/v1", &list) == Ok(None)
        };
        for list in [
            "*",
            "api.model.example",
            "x, .model.example",
            "*.example",
            "model.example",
        ] {
            assert!(left_out(list), "{list}");
        }
        for list in ["", "el.example", "api.model.example.org", "other.example"] {
            assert!(!left_out(list), "{list}");
        }
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_not_gone_around() {
        let list = [("ALL_PROXY", "socks5://127.0.0.1:1080")];
        assert_eq!(chosen("https://model.example", &list), Err("ALL_PROXY"));
        let list = [("HTTPS_PROXY", "gopher://p")];
        assert_eq!(chosen("https://model.example", &list), Err("HTTPS_PROXY"));
    }
}
