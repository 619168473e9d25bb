//! A service on this machine that remembers everything it was sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// An HTTP server on a loopback port. Answers `POST` with the given texts in turn, the last one for
/// ever, and keeps every byte of every request.
#[derive(Debug)]
pub struct LoopbackServer {
    address: SocketAddr,
    received: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<()>>,
}

/// The request that makes the server stop.
pub(crate) const STOP: &str = "STOP / HTTP/1.1\r\n\r\n";

impl LoopbackServer {
    /// Listens until it is dropped.
    pub fn start(answers: &[String]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound port has an address");
        let received = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&received);
        let answers = answers.to_vec();
        let thread = std::thread::spawn(move || {
            for (turn, stream) in listener.incoming().enumerate() {
                let mut stream = stream.expect("loopback connections arrive");
                let request = read_request(&mut stream);
                if request.starts_with("STOP ") {
                    return;
                }
                memory.lock().expect("no thread panicked").push(request);
                let answer = answers.get(turn).or(answers.last());
                let body = answer.map_or("", String::as_str);
                // A client that does not wait for the answer is its own business.
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
            }
        });
        Self {
            address,
            received,
            thread: Some(thread),
        }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Every request so far, headers included.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().expect("no thread panicked").clone()
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        let stopped = TcpStream::connect(self.address)
            .and_then(|mut stream| stream.write_all(STOP.as_bytes()));
        if let (Ok(()), Some(thread)) = (stopped, self.thread.take()) {
            // A panic in the thread has already been reported by the test that caused it.
            let _ = thread.join();
        }
    }
}

/// A loopback port at which nothing listens, and nothing will while this is kept.
///
/// The port of a server that was stopped may become that of the next one; this is the client's end of a connection.
#[derive(Debug)]
pub struct UnansweredPort {
    client: TcpStream,
    _server: TcpListener,
}

impl UnansweredPort {
    /// Takes a port.
    pub fn take() -> Self {
        let server = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
        let address = server.local_addr().expect("a bound port has an address");
        let client = TcpStream::connect(address).expect("the server listens");
        Self {
            client,
            _server: server,
        }
    }

    /// Where a connection is refused.
    pub fn address(&self) -> SocketAddr {
        let address = self.client.local_addr();
        address.expect("a connected port has an address")
    }
}

pub(crate) fn read_request(stream: &mut impl Read) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        let read = reader.read_line(&mut line).expect("a header is text");
        request.push_str(&line);
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length is a number");
        }
        if read == 0 || line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body is complete");
    request.push_str(&String::from_utf8_lossy(&body));
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unanswered_port_refuses_connections() {
        let port = UnansweredPort::take();
        let refused = TcpStream::connect(port.address()).expect_err("nothing listens");
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    }

    #[test]
    fn requests_are_kept_and_answers_come_in_turn() {
        let server = LoopbackServer::start(&["first".to_owned(), "then".to_owned()]);
        let ask = |body: &str| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(
                stream,
                "POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer.rsplit("\r\n\r\n").next().unwrap().to_owned()
        };
        assert_eq!(["a", "b", "c"].map(ask), ["first", "then", "then"]);
        let received = server.received();
        assert_eq!(received.len(), 3);
        assert!(received[2].ends_with("\r\n\r\nc"), "{}", received[2]);
    }
}
