//! A page for one person on this machine: HTTP on a loopback port, for as long as a question is open.
//!
//! It is opened with an address that works once and that only the terminal shows; the page's later messages bear the
//! secret that it was opened with. `door.rs` decides who is let in. The page's content, and an answer's meaning, are
//! the caller's.
//!
//! Connections are read by threads of their own, because browsers open some in advance and send nothing; the caller
//! that waits answers the requests, one at a time.

mod door;
mod request;
mod response;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use self::door::{Door, Entry};
use self::request::{Request, Unreadable};
pub use self::response::Response;
use crate::process::Interrupt;

/// How long a wish to stop may go unnoticed.
const GLANCE: Duration = Duration::from_millis(20);

/// How long a browser may take to send its request, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// More connections at a time than any browser opens.
const MOST_CONNECTIONS: usize = 32;

/// How often a port is looked for that is free for both kinds of addresses.
const TRIES: usize = 50;

/// A part of the page that is the same for everybody.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Its URL path.
    pub path: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// Its text.
    pub content: &'static str,
}

/// A page that is open to the person who has its address.
#[derive(Debug)]
pub struct LocalPage {
    door: Door,
    port: u16,
    addresses: Vec<SocketAddr>,
    asked: Receiver<Asked>,
    closed: Arc<AtomicBool>,
    interrupt: Interrupt,
    assets: &'static [Asset],
}

/// A request from a connection, and the channel for its answer.
#[derive(Debug)]
struct Asked {
    request: Result<Request, Unreadable>,
    reply: Reply,
}

/// Where an answer goes.
#[derive(Debug)]
pub struct Reply {
    answer: Sender<Response>,
    written: Receiver<()>,
}

impl Reply {
    /// Answers, and waits until the answer is on its way: the program may end next.
    pub fn send(self, response: Response) {
        if self.answer.send(response).is_ok() {
            let _ = self.written.recv_timeout(PATIENCE);
        }
    }
}

/// Something that the page asks.
#[derive(Debug)]
pub enum Visit {
    /// It was opened: the answer is the page, with the session's secret in it.
    Opened {
        /// The secret that the page has to send with all its requests.
        session: String,
        /// Where the page goes.
        reply: Reply,
    },
    /// It sends something.
    Posted {
        /// The request's path.
        path: String,
        /// Its body.
        body: Vec<u8>,
        /// Where the answer goes.
        reply: Reply,
    },
    /// The address was used a second time: the new one has to be shown.
    Spent,
}

/// Why there are no more requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The person, or the system, asked Proctor to stop.
    Interrupted,
    /// The time is up.
    TimedOut,
}

impl LocalPage {
    /// Opens a page on a free port.
    pub fn open(interrupt: &Interrupt, assets: &'static [Asset]) -> io::Result<Self> {
        let listeners = listen()?;
        let mut addresses = Vec::new();
        for listener in &listeners {
            addresses.push(listener.local_addr()?);
        }
        let port = addresses.first().map_or(0, SocketAddr::port);
        let door = Door::new(port)?;
        let (asks, asked) = channel();
        let closed = Arc::new(AtomicBool::new(false));
        let open = Arc::new(AtomicUsize::new(0));
        for listener in listeners {
            let (asks, closed, open) = (asks.clone(), Arc::clone(&closed), Arc::clone(&open));
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    if closed.load(Ordering::SeqCst) {
                        return;
                    }
                    if let Ok(stream) = stream {
                        take(stream, &asks, &open);
                    }
                }
            });
        }
        Ok(Self {
            door,
            port,
            addresses,
            asked,
            closed,
            interrupt: interrupt.clone(),
            assets,
        })
    }

    /// The address that opens it, once.
    pub fn address(&self) -> String {
        format!("{}/?{}", self.origin(), self.door.token())
    }

    /// The page's origin, as browsers send it.
    pub fn origin(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Fresh random bytes, for a question that is to be answered once.
    pub fn nonce(&self) -> io::Result<Vec<u8>> {
        self.door.nonce()
    }

    /// Waits for a request of the page. Requests that are not let in are refused here.
    pub fn next(&mut self, until: Option<Instant>) -> Result<Visit, Left> {
        loop {
            if self.interrupt.is_set() {
                return Err(Left::Interrupted);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Err(Left::TimedOut);
            }
            let asked = match self.asked.recv_timeout(GLANCE) {
                Ok(asked) => asked,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(Left::TimedOut),
            };
            if let Some(visit) = self.admit(asked) {
                return Ok(visit);
            }
        }
    }

    fn admit(&mut self, Asked { request, reply }: Asked) -> Option<Visit> {
        let request = match request {
            Ok(request) => request,
            Err(why) => {
                reply.send(Response::refusal(why.status(), why.words()));
                return None;
            }
        };
        let asset = |request: &Request| {
            let mut assets = self.assets.iter();
            assets.find(|asset| asset.path == request.target).copied()
        };
        match self.door.admit(&request) {
            Entry::Page { session } => Some(Visit::Opened { session, reply }),
            Entry::Post => Some(Visit::Posted {
                path: request.target,
                body: request.body,
                reply,
            }),
            Entry::Asset => {
                reply.send(asset(&request).map_or_else(
                    || Response::refusal(404, "there is nothing here"),
                    |asset| Response::text(asset.content_type, asset.content.to_owned()),
                ));
                None
            }
            Entry::Spent { is_news } => {
                let words = "this address was used before; the terminal shows a new one";
                reply.send(Response::refusal(410, words));
                is_news.then_some(Visit::Spent)
            }
            Entry::Refused(status, words) => {
                reply.send(Response::refusal(status, words));
                None
            }
        }
    }
}

impl Drop for LocalPage {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        for address in &self.addresses {
            // Wakes the thread that waits for connections.
            let _ = TcpStream::connect_timeout(address, PATIENCE);
        }
    }
}

/// Both loopback addresses: `localhost` is either to a browser, and another program with this port on the other one
/// would receive the address's secret.
fn listen() -> io::Result<Vec<TcpListener>> {
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for _ in 0..TRIES {
        let first = TcpListener::bind((IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?;
        let port = first.local_addr()?.port();
        match TcpListener::bind((IpAddr::V6(Ipv6Addr::LOCALHOST), port)) {
            Ok(second) => return Ok(vec![first, second]),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = error,
            // The address does not exist here, for any program.
            Err(_) => return Ok(vec![first]),
        }
    }
    Err(last)
}

/// Reads a connection's request and hands it on, then writes the answer.
fn take(stream: TcpStream, asks: &Sender<Asked>, open: &Arc<AtomicUsize>) {
    if open.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
        open.fetch_sub(1, Ordering::SeqCst);
        return;
    }
    let (asks, open) = (asks.clone(), Arc::clone(open));
    std::thread::spawn(move || {
        attend(&stream, &asks);
        open.fetch_sub(1, Ordering::SeqCst);
    });
}

fn attend(stream: &TcpStream, asks: &Sender<Asked>) {
    let request = Request::read(stream, Instant::now() + PATIENCE);
    if request == Err(Unreadable::Gone) {
        return;
    }
    let is_whole = request.is_ok();
    let (answer, answered) = channel();
    let (wrote, written) = channel();
    let reply = Reply { answer, written };
    let response = match asks.send(Asked { request, reply }) {
        Ok(()) => answered.recv().ok(),
        Err(_) => None,
    };
    let over = || Response::refusal(410, "Proctor asks nothing any more; look at the terminal");
    response.unwrap_or_else(over).write(stream, PATIENCE);
    let _ = wrote.send(());
    if !is_whole {
        request::forget_rest(stream, Instant::now() + PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    fn page() -> LocalPage {
        LocalPage::open(&Interrupt::never(), &[]).expect("a port is free")
    }

    #[test]
    fn waiting_stops_in_time_and_on_request() {
        let mut page = page();
        let now = Some(Instant::now());
        assert_eq!(page.next(now).err(), Some(Left::TimedOut));
        page.interrupt.set();
        assert_eq!(page.next(None).err(), Some(Left::Interrupted));
    }

    #[test]
    fn silent_connections_keep_no_one_out() {
        let mut page = page();
        let address = page.addresses[0];
        let silent: Vec<TcpStream> = (0..5)
            .map(|_| TcpStream::connect(address).expect("it listens"))
            .collect();
        let target = format!("/?{}", page.door.token());
        let host = format!("localhost:{}", page.port);
        let asking = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("it listens");
            let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(request.as_bytes()).expect("it listens");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            answer
        });
        let Ok(Visit::Opened { reply, .. }) = page.next(None) else {
            panic!("the address opens it");
        };
        reply.send(Response::page("welcome".to_owned()));
        let answer = asking.join().expect("it is answered");
        assert!(answer.ends_with("\r\n\r\nwelcome"), "{answer}");
        drop(silent);
    }

    #[test]
    fn a_page_has_the_port_of_both_addresses() {
        let page = page();
        for address in &page.addresses {
            assert!(address.ip().is_loopback());
            assert!(TcpListener::bind(address).is_err());
        }
        let other = SocketAddr::from((Ipv6Addr::LOCALHOST, page.port));
        assert!(TcpListener::bind(other).is_err());
    }
}
