//! Proctor with a page open, and a client that talks to that page without a browser.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;

/// A client that has the address of a page.
#[derive(Debug)]
pub struct PageClient {
    /// The page's address.
    pub address: String,
}

/// A Proctor that waits for a visitor of its page, whose address is the last one it printed.
#[derive(Debug)]
pub struct WaitingPage {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
    client: PageClient,
}

impl Deref for WaitingPage {
    type Target = PageClient;

    fn deref(&self) -> &PageClient {
        &self.client
    }
}

/// A page's answer.
#[derive(Debug)]
pub struct PageAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The lines before the body.
    pub head: String,
    /// The body.
    pub body: String,
}

impl PageAnswer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).expect("a page is answered in JSON")
    }

    /// The secret on the page.
    #[track_caller]
    pub fn session(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        let (_, rest) = self
            .body
            .split_once("name=\"session\" content=\"")
            .expect("a page with a session");
        rest.split('"').next().expect("its end").to_owned()
    }
}

impl WaitingPage {
    /// Starts a command and waits for the address.
    #[track_caller]
    pub fn start(mut command: Command) -> Self {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.expect("the command starts");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut page = Self {
            child,
            stderr,
            said: String::new(),
            client: PageClient {
                address: String::new(),
            },
        };
        page.expect_address();
        page
    }

    /// Waits for the next address that is named.
    #[track_caller]
    pub fn expect_address(&mut self) {
        loop {
            let mut line = String::new();
            let read = self.stderr.read_line(&mut line).expect("text");
            self.said.push_str(&line);
            assert!(read > 0, "it ended without a page: {}", self.said);
            if let Some(at) = line.find("http://localhost:") {
                self.client.address = line[at..].trim().to_owned();
                return;
            }
        }
    }

    /// Presses Ctrl-C.
    pub fn interrupt(&self) {
        let done = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(done.is_ok_and(|it| it.success()), "it runs");
    }

    /// Waits for the end: exit code, standard output and standard error.
    #[track_caller]
    pub fn wait(mut self) -> (i32, String, String) {
        let mut out = String::new();
        self.stderr
            .read_to_string(&mut self.said)
            .expect("readable");
        let mut stdout = self.child.stdout.take().expect("a pipe");
        stdout.read_to_string(&mut out).expect("readable");
        let code = self.child.wait().expect("it ends").code();
        (code.expect("no signal"), out, self.said.clone())
    }
}

impl PageClient {
    /// The page's origin, as browsers send it.
    pub fn origin(&self) -> String {
        let (origin, _) = self.address.split_once("/?").expect("an address");
        origin.to_owned()
    }

    fn host(&self) -> String {
        self.origin().replace("http://", "")
    }

    /// Sends bytes, and reads the answer.
    #[track_caller]
    pub fn raw(&self, request: &str) -> PageAnswer {
        let port = self.host().replace("localhost:", "");
        let port: u16 = port.parse().expect("a port");
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let (head, body) = text.split_once("\r\n\r\n").expect("a whole answer");
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        PageAnswer {
            status: status.expect("a status"),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Opens the page as a browser does.
    #[track_caller]
    pub fn open(&self) -> PageAnswer {
        let target = self.address.replace(&self.origin(), "");
        self.raw(&format!(
            "GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.host()
        ))
    }

    /// Sends something as the page's own script does.
    #[track_caller]
    pub fn post(&self, session: &str, path: &str, value: &Value) -> PageAnswer {
        let (host, origin) = (self.host(), self.origin());
        self.post_as(&host, &origin, session, path, &value.to_string())
    }

    /// The same, with other headers.
    #[track_caller]
    pub fn post_as(
        &self,
        host: &str,
        origin: &str,
        session: &str,
        path: &str,
        body: &str,
    ) -> PageAnswer {
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Type: application/json\r\n\
             X-Proctor-Session: {session}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    }
}

impl Drop for WaitingPage {
    fn drop(&mut self) {
        // Ended already, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
