//! Access control for the page.
//!
//! Any program of the machine can connect, and any page that the person's browser has open can make it ask. So:
//!
//! | request | is let in if |
//! |---|---|
//! | any | it asks for `localhost` by that name and our port; another name that points at this machine is not accepted |
//! | the page | the address has the token, which counts once |
//! | messages of the page | it bears the secret that this page was opened with, comes from our own origin, and is JSON |
//! | style and script | always; they are in every copy of Proctor |
//!
//! Cookies are not used: a browser sends them to every port of `localhost`.

use std::io;

use ring::rand::{SecureRandom as _, SystemRandom};

use super::request::Request;

/// The header that bears the session's secret.
const SESSION: &str = "x-proctor-session";

/// The current access rules.
#[derive(Debug)]
pub(super) struct Door {
    /// The expected `Host` header.
    host: String,
    token: String,
    /// The token that the page was opened with.
    used: Option<String>,
    session: Option<String>,
    /// Whether the present token was told because the one before it was used twice.
    is_told: bool,
    next: SystemRandom,
}

/// The decision about a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The page, for the first visitor.
    Page { session: String },
    /// A part of it that is not secret.
    Asset,
    /// Something that the page sent.
    Post,
    /// The address was used before.
    Spent {
        /// Whether the new one still has to be shown.
        is_news: bool,
    },
    /// Sent away: status and words.
    Refused(u16, &'static str),
}

impl Door {
    pub(super) fn new(port: u16) -> io::Result<Self> {
        let next = SystemRandom::new();
        Ok(Self {
            host: format!("localhost:{port}"),
            token: secret(&next)?,
            used: None,
            session: None,
            is_told: true,
            next,
        })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    pub(super) fn nonce(&self) -> io::Result<Vec<u8>> {
        random(&self.next).map(Vec::from)
    }

    pub(super) fn admit(&mut self, request: &Request) -> Entry {
        let twice = Entry::Refused(400, "this is not what a browser asks");
        let (Ok(host), Ok(origin), Ok(site), Ok(kind), Ok(session)) = (
            request.header("host"),
            request.header("origin"),
            request.header("sec-fetch-site"),
            request.header("content-type"),
            request.header(SESSION),
        ) else {
            return twice;
        };
        if host != Some(&self.host) {
            return Entry::Refused(421, "this page is at localhost alone");
        }
        let ours = format!("http://{}", self.host);
        let elsewhere = Entry::Refused(403, "only the page itself may ask this");
        match request.method.as_str() {
            "GET" if origin.is_some_and(|origin| origin != ours) => elsewhere,
            "GET" => self.get(&request.target),
            "POST" => {
                let from_page = origin == Some(&ours) && site.is_none_or(|it| it == "same-origin");
                let (Some(shown), Some(known)) = (session, &self.session) else {
                    return elsewhere;
                };
                if !from_page || !same(shown, known) {
                    return elsewhere;
                }
                if kind != Some("application/json") {
                    return Entry::Refused(415, "only JSON is understood");
                }
                Entry::Post
            }
            _ => Entry::Refused(405, "only GET and POST are understood"),
        }
    }

    fn get(&mut self, target: &str) -> Entry {
        let Some(token) = target.strip_prefix("/?") else {
            return if target == "/" {
                Entry::Refused(
                    403,
                    "open this page with the address that the terminal shows",
                )
            } else {
                Entry::Asset
            };
        };
        if same(token, &self.token) {
            let (Ok(session), Ok(next)) = (secret(&self.next), secret(&self.next)) else {
                return Entry::Refused(403, "there are no random numbers to be had");
            };
            self.used = Some(std::mem::replace(&mut self.token, next));
            self.session = Some(session.clone());
            self.is_told = false;
            return Entry::Page { session };
        }
        if self.used.as_ref().is_some_and(|used| same(token, used)) {
            let is_news = !std::mem::replace(&mut self.is_told, true);
            return Entry::Spent { is_news };
        }
        Entry::Refused(
            403,
            "open this page with the address that the terminal shows",
        )
    }
}

/// 128 unguessable bits.
fn random(source: &SystemRandom) -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    let filled = source.fill(&mut bytes);
    filled.map_err(|_| io::Error::other("the system gives no random numbers"))?;
    Ok(bytes)
}

/// The same as letters of an address.
fn secret(source: &SystemRandom) -> io::Result<String> {
    use std::fmt::Write as _;
    Ok(random(source)?
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }))
}

/// Whether two texts are the same, without telling by the time how far they are.
fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::super::request::tests::parsed;
    use super::*;

    fn get(door: &mut Door, target: &str, headers: &str) -> Entry {
        let text = format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
        door.admit(&parsed(&text).expect("a request"))
    }

    fn status(entry: &Entry) -> u16 {
        match entry {
            Entry::Refused(status, _) => *status,
            _ => 200,
        }
    }

    #[test]
    fn an_address_opens_the_page_once() {
        let mut door = Door::new(7).expect("random numbers");
        let host = "Host: localhost:7\r\n";
        let first = format!("/?{}", door.token());
        assert_eq!(status(&get(&mut door, "/", host)), 403);
        assert_eq!(status(&get(&mut door, "/?guess", host)), 403);
        assert!(matches!(get(&mut door, &first, host), Entry::Page { .. }));
        // The new address is told once, however often the old one is tried.
        assert_eq!(get(&mut door, &first, host), Entry::Spent { is_news: true });
        assert_eq!(
            get(&mut door, &first, host),
            Entry::Spent { is_news: false }
        );
        let second = format!("/?{}", door.token());
        assert!(matches!(get(&mut door, &second, host), Entry::Page { .. }));
        assert_eq!(status(&get(&mut door, &first, host)), 403);
    }

    #[test]
    fn only_localhost_by_its_name_is_asked_for() {
        let mut door = Door::new(7).expect("random numbers");
        let target = format!("/?{}", door.token());
        for host in [
            "",
            "Host: 127.0.0.1:7\r\n",
            "Host: localhost\r\n",
            "Host: localhost:8\r\n",
            "Host: LOCALHOST:7\r\n",
            "Host: evil.example:7\r\n",
            "Host: localhost:7.evil.example\r\n",
        ] {
            assert_eq!(status(&get(&mut door, &target, host)), 421, "{host}");
            assert_eq!(status(&get(&mut door, "/page.js", host)), 421, "{host}");
        }
        let twice = "Host: localhost:7\r\nHost: localhost:7\r\n";
        assert_eq!(status(&get(&mut door, &target, twice)), 400);
        let from_elsewhere = "Host: localhost:7\r\nOrigin: http://evil.example\r\n";
        assert_eq!(status(&get(&mut door, &target, from_elsewhere)), 403);
        assert_eq!(
            get(&mut door, "/page.js", "Host: localhost:7\r\n"),
            Entry::Asset
        );
    }

    #[test]
    fn only_the_page_that_was_opened_may_send_something() {
        let mut door = Door::new(7).expect("random numbers");
        let target = format!("/?{}", door.token());
        let Entry::Page { session } = get(&mut door, &target, "Host: localhost:7\r\n") else {
            panic!("the first is let in");
        };
        let usual = [
            "Host: localhost:7",
            "Origin: http://localhost:7",
            "Content-Type: application/json",
            &format!("X-Proctor-Session: {session}"),
        ];
        let mut sends = |headers: &[&str]| {
            let text = format!("POST /answer HTTP/1.1\r\n{}\r\n\r\n", headers.join("\r\n"));
            let request = parsed(&text).expect("a request");
            status(&door.admit(&request))
        };
        assert_eq!(sends(&usual), 200);
        for (index, wanted) in [421, 403, 415, 403].into_iter().enumerate() {
            let mut less = usual.to_vec();
            less.remove(index);
            assert_eq!(sends(&less), wanted, "without {}", usual[index]);
        }
        for (index, other, wanted) in [
            (1, "Origin: http://localhost:8", 403),
            (1, "Origin: null", 403),
            (1, "Origin: https://localhost:7", 403),
            (2, "Content-Type: text/plain", 415),
            (3, "X-Proctor-Session: guess", 403),
        ] {
            let mut changed = usual.to_vec();
            changed[index] = other;
            assert_eq!(sends(&changed), wanted, "{other}");
        }
        let mut more = usual.to_vec();
        more.push("Sec-Fetch-Site: same-site");
        assert_eq!(sends(&more), 403);
        more[4] = "Sec-Fetch-Site: same-origin";
        assert_eq!(sends(&more), 200);
    }
}
