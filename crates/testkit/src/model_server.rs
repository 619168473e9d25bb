//! Model services on this machine that answer as instructed and record the requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::loopback::{STOP, read_request};

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// As it should.
    Clean,
    /// The connection breaks in the middle.
    Broken,
    /// The connection is closed without a word.
    Gone,
    /// Nothing more comes, and the connection stays.
    Silent,
}

/// One answer of a server.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<String>,
    pause: Duration,
    hold: Option<Hold>,
    ending: Ending,
}

/// Keeps an answer from continuing; see [`Answer::held`].
#[derive(Debug, Clone, Default)]
pub struct Hold {
    is_released: Arc<AtomicBool>,
}

impl Hold {
    /// Lets the answer continue.
    pub fn release(&self) {
        self.is_released.store(true, Ordering::SeqCst);
    }
}

/// How often a held answer shows that the connection lives, and how: a comment in a stream of events.
const SIGN_OF_LIFE: (Duration, &str) = (Duration::from_millis(20), ": still here\n\n");

impl Answer {
    /// A body that comes in these pieces.
    pub fn streamed(content_type: &str, pieces: Vec<String>) -> Self {
        Self {
            status: 200,
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            pieces,
            pause: Duration::ZERO,
            hold: None,
            ending: Ending::Clean,
        }
    }

    /// A JSON document with a status.
    pub fn json(status: u16, document: &serde_json::Value) -> Self {
        Self {
            status,
            ..Self::streamed("application/json", vec![document.to_string()])
        }
    }

    /// The same with one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same, but the connection breaks after half of the pieces.
    #[must_use]
    pub fn broken(mut self) -> Self {
        self.pieces.truncate(self.pieces.len() / 2);
        self.ending = Ending::Broken;
        self
    }

    /// No answer at all: the connection is closed, as by a server that is killed.
    pub fn gone() -> Self {
        Self {
            ending: Ending::Gone,
            ..Self::streamed("", Vec::new())
        }
    }

    /// The same, with a pause before each piece.
    #[must_use]
    pub fn slow(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// The same, but half of the pieces come only after the release; until then there are signs of life. For streams of
    /// events.
    #[must_use]
    pub fn held(mut self) -> (Self, Hold) {
        let hold = Hold::default();
        self.hold = Some(hold.clone());
        (self, hold)
    }

    /// The same, with this as a piece before the last ones.
    #[must_use]
    pub fn with_piece(mut self, before_last: usize, piece: String) -> Self {
        self.pieces.insert(self.pieces.len() - before_last, piece);
        self
    }

    /// The same, but after half of the pieces nothing more comes until the client leaves.
    #[must_use]
    pub fn silent(mut self) -> Self {
        self.pieces.truncate(self.pieces.len() / 2);
        self.ending = Ending::Silent;
        self
    }

    /// The same without its last pieces, ended in good order.
    #[must_use]
    pub fn without_last(mut self, pieces: usize) -> Self {
        self.pieces.truncate(self.pieces.len() - pieces);
        self
    }

    /// A client that leaves early is its own business, so errors are results here.
    fn write(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        if self.ending == Ending::Gone {
            return Ok(());
        }
        write!(stream, "HTTP/1.1 {} Told\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        write!(
            stream,
            "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )?;
        let mut send = |piece: &str| {
            write!(stream, "{:x}\r\n{piece}\r\n", piece.len())?;
            stream.flush()
        };
        for (number, piece) in self.pieces.iter().enumerate() {
            std::thread::park_timeout(self.pause);
            let hold = self
                .hold
                .as_ref()
                .filter(|_| number == self.pieces.len() / 2);
            while hold.is_some_and(|hold| !hold.is_released.load(Ordering::SeqCst)) {
                send(SIGN_OF_LIFE.1)?;
                std::thread::park_timeout(SIGN_OF_LIFE.0);
            }
            send(piece)?;
        }
        match self.ending {
            Ending::Clean => write!(stream, "0\r\n\r\n"),
            Ending::Broken | Ending::Gone => Ok(()),
            Ending::Silent => stream.read(&mut [0]).map(|_| ()),
        }
    }
}

/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_mins(3);

#[derive(Debug, Default)]
struct Received {
    requests: Mutex<Vec<String>>,
    arrived: Condvar,
}

/// A service on a loopback port, also as a proxy. Gives the answers in turn, the last one for ever.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    received: Arc<Received>,
    thread: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Listens until it is dropped.
    pub fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound port has an address");
        let received = Arc::new(Received::default());
        let memory = Arc::clone(&received);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("loopback connections arrive");
                let mut request = read_request(&mut stream);
                if request.starts_with("CONNECT ") {
                    // This server also plays the one that the client tunnels to.
                    let opened = stream.write_all(b"HTTP/1.1 200 Opened\r\n\r\n");
                    opened.expect("the client is there");
                    request.push_str(&read_request(&mut stream));
                }
                if request.starts_with("STOP ") {
                    return;
                }
                let turn = {
                    let mut requests = memory.requests.lock().expect("no thread panicked");
                    requests.push(request);
                    requests.len() - 1
                };
                memory.arrived.notify_all();
                let answer = answers.get(turn).or(answers.last()).cloned();
                // One that is silent must not keep the others waiting.
                std::thread::spawn(move || answer.map(|answer| answer.write(&mut stream)));
            }
        });
        Self {
            address,
            received,
            thread: Some(thread),
        }
    }

    /// Where it listens, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, headers included.
    pub fn received(&self) -> Vec<String> {
        let requests = self.received.requests.lock();
        requests.expect("no thread panicked").clone()
    }

    /// Waits until this many requests have arrived.
    pub fn wait_for(&self, count: usize) {
        let requests = self.received.requests.lock().expect("no thread panicked");
        let few = |requests: &mut Vec<String>| requests.len() < count;
        let waited = self
            .received
            .arrived
            .wait_timeout_while(requests, PATIENCE, few);
        let timeout = waited.expect("no thread panicked").1;
        assert!(!timeout.timed_out(), "{count} requests did not come");
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        let stopped = TcpStream::connect(self.address)
            .and_then(|mut stream| stream.write_all(STOP.as_bytes()));
        if let (Ok(()), Some(thread)) = (stopped, self.thread.take()) {
            let _ = thread.join();
        }
    }
}
