//! The answers to a browser.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

/// Nothing on the page comes from elsewhere, nothing inline runs, no other page can frame it, and nothing of it is
/// kept.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n\
X-Content-Type-Options: nosniff\r\n\
X-Frame-Options: DENY\r\n\
Referrer-Policy: no-referrer\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Permissions-Policy: publickey-credentials-get=(self), publickey-credentials-create=(self)\r\n\
Cache-Control: no-store\r\n\
Connection: close\r\n";

/// An HTTP answer.
#[derive(Debug)]
pub struct Response {
    status: u16,
    content_type: &'static str,
    body: String,
}

impl Response {
    /// A text of some kind.
    pub fn text(content_type: &'static str, body: String) -> Self {
        Self {
            status: 200,
            content_type,
            body,
        }
    }

    /// The page as an answer.
    pub fn page(body: String) -> Self {
        Self::text("text/html; charset=utf-8", body)
    }

    /// An answer to the page's script.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::text("application/json", value.to_string())
    }

    /// Why not, in words for a person.
    pub fn refusal(status: u16, words: &str) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            body: format!("{words}\n"),
        }
    }

    /// Writes it; a browser that does not wait for it is its own business.
    pub(super) fn write(&self, mut stream: &TcpStream, patience: Duration) {
        let reason = match self.status {
            200 => "OK",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            409 => "Conflict",
            410 => "Gone",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            421 => "Misdirected Request",
            422 => "Unprocessable Content",
            _ => "Bad Request",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{HEADERS}\r\n",
            self.status,
            self.content_type,
            self.body.len()
        );
        let _ = stream.set_write_timeout(Some(patience));
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(self.body.as_bytes());
        let _ = stream.flush();
    }
}
