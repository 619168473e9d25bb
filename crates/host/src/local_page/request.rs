//! A browser's request, read from a connection: little of HTTP, and that strictly.

use std::io::{ErrorKind, Read as _};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

/// More than the head of any request to us has.
const LARGEST_HEAD: usize = 16 * 1024;

/// As much is taken and forgotten.
const LARGEST_REST: usize = 1 << 20;

/// More than anyone writes about a change.
const LARGEST_BODY: usize = 256 * 1024;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Why a request cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    Malformed,
    TooLarge,
    TooSlow,
    /// Nothing was asked: browsers open connections in advance.
    Gone,
}

impl Unreadable {
    pub(super) fn status(self) -> u16 {
        match self {
            Self::Malformed | Self::Gone => 400,
            Self::TooLarge => 413,
            Self::TooSlow => 408,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Malformed | Self::Gone => "this is not what a browser asks",
            Self::TooLarge => "this is too much",
            Self::TooSlow => "this took too long",
        }
    }
}

impl Request {
    /// The value of a header that occurs once; an error where it occurs more often.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Unreadable> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        match (found.next(), found.next()) {
            (first, None) => Ok(first.map(|(_, value)| value.as_str())),
            (_, Some(_)) => Err(Unreadable::Malformed),
        }
    }

    /// Reads all of a request.
    pub(super) fn read(stream: &TcpStream, until: Instant) -> Result<Self, Unreadable> {
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(end) = end_of_head(&bytes) {
                break end;
            }
            if bytes.len() > LARGEST_HEAD {
                return Err(Unreadable::TooLarge);
            }
            more(stream, &mut bytes, until)?;
        };
        let mut request = Self::parse_head(&bytes[..head])?;
        let length = request.length()?;
        let mut body = bytes.split_off(head);
        while body.len() < length {
            more(stream, &mut body, until)?;
        }
        if body.len() > length {
            return Err(Unreadable::Malformed);
        }
        request.body = body;
        Ok(request)
    }

    fn length(&self) -> Result<usize, Unreadable> {
        if self.header("transfer-encoding")?.is_some() {
            return Err(Unreadable::Malformed);
        }
        let Some(text) = self.header("content-length")? else {
            return Ok(0);
        };
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Unreadable::Malformed);
        }
        match text.parse() {
            Ok(length) if length <= LARGEST_BODY => Ok(length),
            _ => Err(Unreadable::TooLarge),
        }
    }

    /// Reads the lines before the body, with the empty one at their end.
    fn parse_head(bytes: &[u8]) -> Result<Self, Unreadable> {
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::Malformed)?;
        let mut lines = text.split("\r\n");
        let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, "HTTP/1.1" | "HTTP/1.0"] = first[..] else {
            return Err(Unreadable::Malformed);
        };
        if !target.starts_with('/') || target.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return Err(Unreadable::Malformed);
        }
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or(Unreadable::Malformed)?;
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_name) || value.contains(['\r', '\n', '\0']) {
                return Err(Unreadable::Malformed);
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers,
            body: Vec::new(),
        })
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(4);
    windows
        .position(|four| four == b"\r\n\r\n")
        .map(|at| at + 4)
}

fn more(mut stream: &TcpStream, into: &mut Vec<u8>, until: Instant) -> Result<(), Unreadable> {
    let silent = if into.is_empty() {
        Unreadable::Gone
    } else {
        Unreadable::TooSlow
    };
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(silent);
    }
    let mut some = [0; 4096];
    match stream.read(&mut some) {
        Ok(0) if into.is_empty() => Err(Unreadable::Gone),
        Ok(0) => Err(Unreadable::Malformed),
        Ok(count) => {
            into.extend_from_slice(&some[..count]);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            Err(silent)
        }
        Err(_) => Err(Unreadable::Gone),
    }
}

/// Consumes the rest of a refused request: otherwise the answer would be lost with the connection.
pub(super) fn forget_rest(stream: &TcpStream, until: Instant) {
    let _ = stream.shutdown(Shutdown::Write);
    let mut count = 0;
    let mut rest = vec![0];
    while count < LARGEST_REST && more(stream, &mut rest, until).is_ok() {
        count += rest.len();
        rest.truncate(1);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::local_page) fn parsed(text: &str) -> Result<Request, Unreadable> {
        Request::parse_head(text.as_bytes())
    }

    #[test]
    fn a_request_is_read_as_it_stands_there() {
        let request = parsed("POST /answer HTTP/1.1\r\nHost: localhost:1\r\nX-A:  b \r\n\r\n");
        let request = request.expect("a request");
        assert_eq!((&*request.method, &*request.target), ("POST", "/answer"));
        assert_eq!(request.header("x-a"), Ok(Some("b")));
        assert_eq!(request.header("host"), Ok(Some("localhost:1")));
        assert_eq!(request.header("origin"), Ok(None));
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_not_read() {
        for wrong in [
            "GET / HTTP/2\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "GET http://localhost:1/ HTTP/1.1\r\n\r\n",
            "GET /\u{e4} HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET / HTTP/1.1\r\nA: b\nHost: x\r\n\r\n",
        ] {
            assert_eq!(parsed(wrong), Err(Unreadable::Malformed), "{wrong:?}");
        }
        let twice = parsed("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n").expect("a head");
        assert_eq!(twice.header("host"), Err(Unreadable::Malformed));
    }

    #[test]
    fn a_body_has_one_length_that_is_not_too_large() {
        let length = |headers: &str| {
            let request = parsed(&format!("POST / HTTP/1.1\r\n{headers}\r\n"));
            request.expect("a head").length()
        };
        assert_eq!(length(""), Ok(0));
        assert_eq!(length("Content-Length: 12\r\n"), Ok(12));
        assert_eq!(
            length("Content-Length: 99999999\r\n"),
            Err(Unreadable::TooLarge)
        );
        for wrong in [
            "Content-Length: -1\r\n",
            "Content-Length: +1\r\n",
            "Content-Length:\r\n",
            "Content-Length: 1\r\nContent-Length: 1\r\n",
            "Transfer-Encoding: chunked\r\n",
        ] {
            assert_eq!(length(wrong), Err(Unreadable::Malformed), "{wrong:?}");
        }
    }
}
