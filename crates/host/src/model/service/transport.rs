//! One HTTP exchange on a thread of its own.
//!
//! A thread that waits for a socket cannot look at anything else. So one waits, and the caller takes its data, checks
//! Ctrl-C and the clock in between, and leaves when it has had enough: the thread then ends at the next byte or when
//! its own limits are reached.

use std::io::Read as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Proxy};

use super::fault::{Fault, FaultKind};
use super::patience::Patience;
use crate::process::{Environment, Interrupt, variable};

/// How long Ctrl-C may go unnoticed.
const GLANCE: Duration = Duration::from_millis(20);
/// To find the host and to be let in.
const CONNECT: Duration = Duration::from_secs(30);
/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;
/// Pieces that wait for the caller; a service that is faster than we are has to wait.
const QUEUE: usize = 16;

/// The beginning of an answer.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A piece of an exchange.
#[derive(Debug)]
pub(super) enum Piece {
    Head(Head),
    Bytes(Vec<u8>),
    End,
}

/// Why an exchange ended early.
#[derive(Debug)]
pub(super) enum Stopped {
    Interrupted,
    Fault(Fault),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Makes exchanges.
#[derive(Debug, Clone)]
pub(super) struct Transport {
    agent: Agent,
}

impl Transport {
    /// Certificates are those that come with the program, or those in the file that `SSL_CERT_FILE` names.
    pub(super) fn new(
        environment: &Environment,
        proxy: Option<Proxy>,
        patience: &Patience,
    ) -> Result<Self, CertificateError> {
        let mut tls = TlsConfig::builder();
        if let Some(file) = variable(environment, "SSL_CERT_FILE").filter(|it| !it.is_empty()) {
            tls = tls.root_certs(certificates(std::path::Path::new(file))?);
        }
        let agent = Agent::config_builder()
            // A status is an answer like any other; other code decides its meaning.
            .http_status_as_error(false)
            // A redirected request would carry the key to another host.
            .max_redirects(0)
            .max_redirects_will_error(false)
            // Minutes pass between two calls; a kept connection would only be found dead.
            .max_idle_connections(0)
            .proxy(proxy)
            .tls_config(tls.build())
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            // For the thread that no caller waits for any more.
            .timeout_per_read(Some(patience.idle + GLANCE))
            .timeout_global(Some(patience.total))
            .user_agent(concat!("proctor/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Self { agent })
    }

    /// Sends a request and gives its answer piece by piece.
    pub(super) fn post(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: &str,
    ) -> Exchange {
        let (sender, receiver) = sync_channel(QUEUE);
        let mut request = self.agent.post(url).content_type("application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let body = body.to_owned();
        std::thread::spawn(move || {
            let end = match request.send(body) {
                Err(error) => Err(fault(&error)),
                Ok(response) => hand_over(response, &sender),
            };
            // The receiver may be gone.
            let _ = sender.send(end.map(|()| Piece::End));
        });
        Exchange { receiver }
    }
}

fn hand_over(
    response: ureq::http::Response<ureq::Body>,
    sender: &SyncSender<Result<Piece, Fault>>,
) -> Result<(), Fault> {
    let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers = response.headers().iter();
    let head = Head {
        status: response.status().as_u16(),
        headers: headers
            .map(|(name, value)| (name.as_str().to_owned(), text(value)))
            .collect(),
    };
    let mut listening = sender.send(Ok(Piece::Head(head))).is_ok();
    let mut reader = response.into_body().into_reader();
    let mut buffer = vec![0; PIECE];
    while listening {
        let read = reader
            .read(&mut buffer)
            .map_err(|error| fault(&ureq::Error::from(error)))?;
        if read == 0 {
            break;
        }
        listening = sender
            .send(Ok(Piece::Bytes(buffer[..read].to_vec())))
            .is_ok();
    }
    Ok(())
}

/// An answer on its way.
#[derive(Debug)]
pub(super) struct Exchange {
    receiver: Receiver<Result<Piece, Fault>>,
}

impl Exchange {
    /// The next piece, unless Ctrl-C, silence or the deadline comes first.
    pub(super) fn next(
        &self,
        interrupt: &Interrupt,
        idle: Duration,
        deadline: Instant,
    ) -> Result<Piece, Stopped> {
        let silent_since = Instant::now();
        loop {
            if interrupt.is_set() {
                return Err(Stopped::Interrupted);
            }
            // Also while something comes: a stream of nothing but signs of life must end.
            if Instant::now() >= deadline {
                let message = "the reply was not complete in the time allowed for it";
                return Err(Fault::never(FaultKind::Stalled, message).into());
            }
            match self.receiver.recv_timeout(GLANCE) {
                Ok(Ok(piece)) => return Ok(piece),
                Ok(Err(fault)) => return Err(fault.into()),
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "the connection's thread ended";
                    return Err(Fault::never(FaultKind::Connection, message).into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if silent_since.elapsed() >= idle {
                let message = format!("nothing came for {}", seconds(idle));
                return Err(Fault::again(FaultKind::Stalled, message).into());
            }
        }
    }
}

/// A time for people.
pub(super) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// Why the file that `SSL_CERT_FILE` names cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum CertificateError {
    #[error(transparent)]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Pem(#[from] ureq::Error),
    #[error("there is no certificate in it")]
    None,
}

fn certificates(file: &std::path::Path) -> Result<RootCerts, CertificateError> {
    let bytes = std::fs::read(file)?;
    let mut found = Vec::new();
    for item in parse_pem(&bytes) {
        if let PemItem::Certificate(certificate) = item? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(CertificateError::None);
    }
    Ok(RootCerts::new_with_certs(&found))
}

/// Failures before or instead of an answer.
fn fault(error: &ureq::Error) -> Fault {
    use ureq::Error;
    match error {
        // A failed check of a certificate arrives as bad data.
        Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            Fault::never(FaultKind::Certificate, error.to_string())
        }
        Error::Io(error) => Fault::again(FaultKind::Connection, broken(error)),
        Error::HostNotFound => Fault::again(FaultKind::Connection, "the host cannot be found"),
        Error::ConnectionFailed => Fault::again(FaultKind::Connection, "there is no answer there"),
        Error::Timeout(_) => Fault::again(FaultKind::Stalled, "it took longer than is allowed"),
        Error::Tls(words) => Fault::never(FaultKind::Certificate, *words),
        Error::Rustls(error) => Fault::never(FaultKind::Certificate, error.to_string()),
        Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl => {
            Fault::never(FaultKind::Connection, "the proxy refused")
        }
        Error::Protocol(error) => Fault::again(FaultKind::Connection, error.to_string()),
        other => Fault::never(FaultKind::Malformed, other.to_string()),
    }
}

fn broken(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset => {
            "the connection broke before the reply was complete".to_owned()
        }
        _ => error.to_string(),
    }
}
