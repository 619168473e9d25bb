//! A real browser with a test at its keyboard: headless Chromium, and an authenticator that exists in it alone.
//!
//! Chromium is driven over two pipes, in its own protocol. Waits end only with the browser's own events.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The names that Chromium has.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    commands: File,
    answers: BufReader<File>,
    last: u64,
    /// The page.
    session: Option<String>,
    authenticator: Option<String>,
    // Its profile; removed last.
    _directory: TempDir,
}

/// The browser's command line: the descriptors are those that it takes its commands from and answers on.
const START: &str = r#"exec "$0" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
    --remote-debugging-pipe --user-data-dir="$1/profile" about:blank 3<"$1/commands" 4>"$1/answers""#;

fn find() -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    let is_there = |name: &&str| std::env::split_paths(&path).any(|it| it.join(name).is_file());
    NAMES.into_iter().find(|name| is_there(name))
}

impl Browser {
    /// Starts one; or says why there is none.
    pub fn start() -> Result<Self, String> {
        let program = find().ok_or("there is no chromium")?;
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let place = directory.path();
        let pipes = [place.join("commands"), place.join("answers")];
        let made = Command::new("mkfifo").args(&pipes).status();
        assert!(made.is_ok_and(|it| it.success()), "pipes can be made");
        let child = Command::new("sh")
            .args(["-c", START, program])
            .arg(place)
            .env("HOME", place)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        // Each is opened once the shell has opened the other end, in this order.
        let commands = OpenOptions::new().write(true).open(&pipes[0]);
        let answers = File::open(&pipes[1]);
        let mut browser = Self {
            child,
            commands: commands.expect("the shell opens it"),
            answers: BufReader::new(answers.expect("the shell opens it")),
            last: 0,
            session: None,
            authenticator: None,
            _directory: directory,
        };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = browser.call(
            "Target.attachToTarget",
            &json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", &json!({}));
        browser.call("WebAuthn.enable", &json!({ "enableUI": false }));
        Ok(browser)
    }

    fn next(&mut self) -> Value {
        let mut bytes = Vec::new();
        let read = self.answers.read_until(0, &mut bytes);
        assert!(read.is_ok_and(|count| count > 0), "the browser has ended");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("the browser speaks JSON")
    }

    fn send(&mut self, method: &str, parameters: &Value) -> u64 {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.commands
            .write_all(&bytes)
            .expect("the browser listens");
        self.last
    }

    /// Calls something of the protocol and waits for its answer.
    #[track_caller]
    pub fn call(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.send(method, parameters);
        loop {
            let mut message = self.next();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    /// Opens an address, and waits until it is loaded completely.
    #[track_caller]
    pub fn open(&mut self, address: &str) {
        let id = self.send("Page.navigate", &json!({ "url": address }));
        let (mut answered, mut loaded) = (false, false);
        while !(answered && loaded) {
            let message = self.next();
            answered |= message["id"] == id;
            loaded |= message["method"] == "Page.loadEventFired";
        }
    }

    /// The value of an expression on the page; a promise is awaited.
    #[track_caller]
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let mut answer = self.call("Runtime.evaluate", &parameters);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].take()
    }

    /// Waits until a condition holds on the page, as often as the page changes.
    #[track_caller]
    pub fn wait_for(&mut self, condition: &str) {
        let expression = format!(
            "new Promise((done) => {{
                const look = () => {{ if ({condition}) {{ watch.disconnect(); done(true); }} }};
                const watch = new MutationObserver(look);
                watch.observe(document, {{ subtree: true, childList: true, characterData: true, attributes: true }});
                look();
            }})"
        );
        self.evaluate(&expression);
    }

    /// Plugs in an authenticator that is touched whenever it asks.
    #[track_caller]
    pub fn plug_in_authenticator(&mut self) {
        let options = json!({
            "protocol": "ctap2", "transport": "usb", "hasResidentKey": true, "hasUserVerification": true,
            "isUserVerified": true, "automaticPresenceSimulation": true,
        });
        let parameters = json!({ "options": options });
        let answer = self.call("WebAuthn.addVirtualAuthenticator", &parameters);
        self.authenticator = answer["authenticatorId"].as_str().map(str::to_owned);
    }

    /// From now on the person who touches it has neither its PIN nor its owner's finger.
    #[track_caller]
    pub fn forget_owner(&mut self) {
        let parameters = json!({ "authenticatorId": self.authenticator, "isUserVerified": false });
        self.call("WebAuthn.setUserVerified", &parameters);
    }

    /// From now on it is not touched.
    #[track_caller]
    pub fn stop_touching(&mut self) {
        let parameters = json!({ "authenticatorId": self.authenticator, "enabled": false });
        self.call("WebAuthn.setAutomaticPresenceSimulation", &parameters);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // It ends its own processes; one that does not react is killed.
        self.send_last("Browser.close");
        let _ = self.child.wait();
    }
}

impl Browser {
    fn send_last(&mut self, method: &str) {
        let message = json!({ "id": self.last + 1, "method": method });
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        if self.commands.write_all(&bytes).is_err() {
            let _ = self.child.kill();
        }
    }
}
