//! Passkeys on Proctor's own page, with all kinds of clients: an honest browser, and others.

use std::process::Command;

use proctor_core::approval::{NAMESPACE, SignerLine};
use proctor_testkit::{PageClient, Passkey, TOUCHED, Terminal, VERIFIED, WaitingPage};
use serde_json::{Value, json};

use super::wall::{Wall, line_of};
use crate::messages::says;
use crate::project::PROMPT;

const SETTINGS: &str = "[approval]\nsign = \"passkey\"\n";

/// Ada approves with a passkey.
struct PasskeyWall {
    wall: Wall,
    passkey: Passkey,
}

impl PasskeyWall {
    fn new() -> Self {
        Self::with(SETTINGS)
    }

    fn with(settings: &str) -> Self {
        let wall = Wall::with(settings, "ed25519", &[]);
        let passkey = Passkey::new();
        let word = SignerLine::credential_word(&passkey.credential());
        let key = format!("{} Ada {word}", passkey.public());
        let line = line_of("ada@example.com", &key);
        wall.repository.write(".proctor/allowed_signers", line);
        wall.repository.commit_all("Ada has a passkey");
        Self { wall, passkey }
    }

    fn command(&self, words: &[&str]) -> Command {
        self.wall.environment.proctor_command(words)
    }

    /// A change that waits for its review on a page.
    fn review(&self, content: &str) -> WaitingPage {
        self.wall.repository.write("README.md", content);
        WaitingPage::start(self.command(&["review", "--all", "--web", "-m", "Something"]))
    }

    /// A review whose page says APPROVE and has received the challenge: page, session, challenge.
    fn approved(&self, content: &str) -> (WaitingPage, String, String) {
        let page = self.review(content);
        let session = page.open().session();
        let next = page.post(&session, "/answer", &json!({ "answer": "APPROVE" }));
        assert_eq!(next.json(), json!({ "next": "sign" }));
        let asked = page.post(&session, "/challenge", &json!({})).json();
        let challenge = asked["challenge"].as_str().expect("text").to_owned();
        (page, session, challenge)
    }

    /// Whether anything was approved or committed since a commit.
    #[track_caller]
    fn nothing_came_of_it(&self, base: &str) {
        assert_eq!(self.wall.id("HEAD"), base);
        assert_eq!(self.wall.approvals(), 0);
    }

    fn presence(&self, base: &str) -> Value {
        let words = ["--format", "json", "verify", "--base", base];
        let document = self.wall.environment.proctor(words).json();
        document["commits"][0]["presence"].clone()
    }
}

#[test]
fn what_is_approved_on_the_page_is_signed_by_the_passkey_and_verified_like_any_other() {
    let PasskeyWall { wall, passkey } = &PasskeyWall::new();
    let base = wall.id("HEAD");
    wall.repository
        .write("README.md", "<script>bad()</script>\n");
    let page = WaitingPage::start(
        wall.environment
            .proctor_command(["review", "--all", "--web"]),
    );
    let opened = page.open();
    assert!(opened.body.contains("+&lt;script&gt;bad()&lt;/script&gt;"));
    assert!(!opened.body.contains("<script>bad"));
    let head = opened
        .head
        .lines()
        .filter(|line| !line.starts_with("Content-Length"));
    insta::assert_snapshot!(head.collect::<Vec<_>>().join("\n"));
    let session = opened.session();
    // A commit needs a message, on the page as at the terminal.
    let wordless = page.post(&session, "/answer", &json!({ "answer": "approve" }));
    assert_eq!(
        (wordless.status, &*wordless.body),
        (422, "write a commit message first\n")
    );
    let answer = json!({ "answer": "approve", "message": "Greets" });
    let next = page.post(&session, "/answer", &answer).json();
    assert_eq!(next, json!({ "next": "sign" }));
    let asked = page.post(&session, "/challenge", &json!({})).json();
    assert_eq!(asked["party"], "localhost");
    assert_eq!(asked["credentials"].as_array().map(Vec::len), Some(1));
    let challenge = asked["challenge"].as_str().expect("text");
    let assertion = passkey.assertion(challenge, &page.origin(), TOUCHED);
    let done = page.post(&session, "/assertion", &assertion).json();
    assert_eq!(done["next"], "end");
    let (code, stdout, _) = page.wait();
    assert_eq!(code, 0, "{stdout}");
    assert_eq!(wall.repository.git(["log", "-1", "--format=%s"]), "Greets");
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised(), @r"
    exit code: 0
    --- stdout
    [ID]  approved by ada@example.com (touch)
    --- stderr
    ");
    // OpenSSH calls it good, too.
    let reference = wall.approval();
    let statement = wall.repository.file_at(&reference, "statement");
    let signature = wall.repository.file_at(&reference, "signature");
    let signature = wall.environment.write("signature", signature);
    let signers = wall.repository.read(".proctor/allowed_signers");
    let signers = wall.environment.write("signers", signers);
    let statement = wall.environment.write("statement", statement);
    let mut command = wall.environment.command("ssh-keygen");
    command.args([
        "-Y",
        "verify",
        "-I",
        "ada@example.com",
        "-n",
        NAMESPACE,
        "-f",
    ]);
    command.arg(signers).arg("-s").arg(signature);
    command.stdin(std::fs::File::open(statement).expect("just written"));
    wall.environment.run(command).expect_code(0);
}

#[test]
fn without_the_address_a_visitor_gets_nothing() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    let mut page = wall.review("one\n");
    let (origin, host) = (page.origin(), page.origin().replace("http://", ""));
    let get = |target: &str, headers: &str| {
        let request = format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
        page.raw(&request).status
    };
    let token = page.address.replace(&origin, "");
    let right = format!("Host: {host}\r\n");
    assert_eq!(get("/", &right), 403);
    assert_eq!(get("/?0123", &right), 403);
    assert_eq!(get("/answer", &right), 404);
    let rebound = host.replace("localhost", "rebound.example");
    assert_eq!(get(&token, &format!("Host: {rebound}\r\n")), 421);
    let by_number = host.replace("localhost", "127.0.0.1");
    assert_eq!(get(&token, &format!("Host: {by_number}\r\n")), 421);
    assert_eq!(get(&token, ""), 421);
    let elsewhere = "Origin: http://evil.example\r\n";
    assert_eq!(get(&token, &format!("{right}{elsewhere}")), 403);
    // None of them used the address up.
    let session = page.open().session();
    assert_eq!(page.open().status, 410);
    page.expect_address();
    let answer = json!({ "answer": "APPROVE" }).to_string();
    let post = |host: &str, origin: &str, session: &str| {
        page.post_as(host, origin, session, "/answer", &answer)
            .status
    };
    assert_eq!(post(&host, &origin, "0123"), 403);
    assert_eq!(post(&host, &origin, ""), 403);
    assert_eq!(post(&rebound, &origin, &session), 421);
    assert_eq!(post(&host, "http://evil.example", &session), 403);
    let neighbour = "http://localhost:1";
    assert_eq!(post(&host, neighbour, &session), 403);
    let much = format!(
        "POST /answer HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nX-Proctor-Session: {session}\r\n\
         Content-Type: application/json\r\nContent-Length: 300000\r\n\r\n"
    );
    assert_eq!(page.raw(&much).status, 413);
    let long = format!("GET /?{} HTTP/1.1\r\n{right}\r\n", "0".repeat(30_000));
    assert_eq!(page.raw(&long).status, 413);
    let form = much
        .replace("application/json", "application/x-www-form-urlencoded")
        .replace("300000", "0");
    assert_eq!(page.raw(&form).status, 415);
    // Opened again, the earlier page may not answer any more.
    let again = page.open().session();
    assert_eq!(post(&host, &origin, &session), 403);
    assert_eq!(page.post(&again, "/elsewhere", &json!({})).status, 409);
    page.interrupt();
    let (code, _, said) = page.wait();
    assert_eq!(code, 130, "{said}");
    wall.nothing_came_of_it(&base);
}

#[test]
fn nothing_but_the_persons_own_touch_for_this_very_change_approves() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    let page = wall.review("one\n");
    let session = page.open().session();
    let origin = page.origin();
    let early = wall.passkey.assertion("AAAA", &origin, TOUCHED);
    // There is no answer yet.
    assert_eq!(page.post(&session, "/assertion", &early).status, 409);
    assert_eq!(page.post(&session, "/challenge", &json!({})).status, 409);
    for unclear in ["y", "", "APPROVE it", "DIFF", "COMMENT no"] {
        let answer = page.post(&session, "/answer", &json!({ "answer": unclear }));
        assert_eq!(answer.status, 422, "{unclear}");
    }
    assert_eq!(
        page.post(&session, "/answer", &json!({ "word": "APPROVE" }))
            .status,
        422
    );
    let approve = json!({ "answer": "APPROVE" });
    assert_eq!(page.post(&session, "/answer", &approve).status, 200);
    assert_eq!(page.post(&session, "/answer", &approve).status, 409);
    let asked = page.post(&session, "/challenge", &json!({})).json();
    let challenge = asked["challenge"].as_str().expect("text");
    let sent = |assertion: Value| {
        let answer = page.post(&session, "/assertion", &assertion);
        assert_eq!(answer.status, 422, "{}", answer.body);
        answer.body
    };
    let stranger = Passkey::new();
    let mut broken = wall.passkey.assertion(challenge, &origin, TOUCHED);
    broken["signature"] = stranger.assertion(challenge, &origin, TOUCHED)["signature"].clone();
    let mut raised = wall.passkey.assertion(challenge, &origin, TOUCHED);
    raised["authenticator_data"] =
        wall.passkey.assertion(challenge, &origin, VERIFIED)["authenticator_data"].clone();
    let port = "http://localhost:1";
    let said = [
        sent(wall.passkey.assertion(challenge, &origin, 0)),
        sent(wall.passkey.assertion("AAAA", &origin, TOUCHED)),
        sent(wall.passkey.assertion(challenge, port, TOUCHED)),
        sent(stranger.assertion(challenge, &origin, TOUCHED)),
        sent(broken),
        sent(raised),
        sent(wall.passkey.registration(challenge, &origin, TOUCHED)),
        sent(json!({ "authenticator_data": "!", "client_data": "", "signature": "" })),
    ];
    insta::assert_snapshot!(said.concat());
    wall.nothing_came_of_it(&base);
    let declined = page.post(&session, "/declined", &json!({ "why": "NotAllowedError" }));
    assert_eq!(declined.status, 200);
    let (code, _, said) = page.wait();
    says(
        (code, said.as_str()),
        3,
        "the passkey was not used (REASON), so nothing is approved",
    );
    wall.nothing_came_of_it(&base);
}

#[test]
fn an_assertion_of_another_change_does_not_approve_this_one() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    let (page, session, challenge) = wall.approved("one\n");
    let first = wall.passkey.assertion(&challenge, &page.origin(), TOUCHED);
    assert_eq!(page.post(&session, "/assertion", &first).status, 200);
    assert_eq!(page.wait().0, 0);
    assert_eq!(wall.presence(&base), "touch");
    let second = wall.wall.id("HEAD");
    let (page, session, challenge) = wall.approved("two\n");
    // As it was, and as if this page had asked for it.
    assert_eq!(page.post(&session, "/assertion", &first).status, 422);
    let asked = first["client_data"].as_str().expect("text");
    assert_ne!(asked, challenge);
    let mut moved = wall.passkey.assertion(&challenge, &page.origin(), TOUCHED);
    moved["signature"] = first["signature"].clone();
    assert_eq!(page.post(&session, "/assertion", &moved).status, 422);
    page.interrupt();
    assert_eq!(page.wait().0, 130);
    assert_eq!(wall.wall.id("HEAD"), second);
    assert_eq!(wall.wall.approvals(), 1);
}

#[test]
fn what_a_passkey_signed_before_something_went_wrong_needs_no_second_touch() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    wall.wall.repository.write("README.md", "one\n");
    let words = ["review", "--all", "--web", "-m", "Something"];
    let mut command = wall.command(&words);
    command.env("PROCTOR_PANIC_AT", "signed");
    let page = WaitingPage::start(command);
    let session = page.open().session();
    let approve = json!({ "answer": "APPROVE" });
    page.post(&session, "/answer", &approve).json();
    let asked = page.post(&session, "/challenge", &json!({})).json();
    let challenge = asked["challenge"].as_str().expect("text");
    let assertion = wall.passkey.assertion(challenge, &page.origin(), TOUCHED);
    page.post(&session, "/assertion", &assertion).json();
    assert_eq!(page.wait().0, 70);
    assert_eq!(
        (wall.wall.id("HEAD"), wall.wall.approvals()),
        (base.clone(), 1)
    );
    // The word is asked for again, the touch is not.
    let page = WaitingPage::start(wall.command(&words));
    let session = page.open().session();
    page.post(&session, "/answer", &approve).json();
    let (code, _, said) = page.wait();
    assert_eq!(code, 0, "{said}");
    assert_eq!(wall.presence(&base), "touch");
    assert_eq!(wall.wall.approvals(), 1);
}

#[test]
fn a_rejection_on_the_page_needs_no_passkey() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    let page = wall.review("one\n");
    let session = page.open().session();
    let answer = json!({ "answer": "REJECT not like this" });
    assert_eq!(page.post(&session, "/answer", &answer).status, 200);
    assert_eq!(page.wait().0, 1);
    wall.nothing_came_of_it(&base);
}

#[test]
fn an_approver_at_the_terminal_touches_the_passkey_on_a_page() {
    let wall = PasskeyWall::new();
    let base = wall.wall.id("HEAD");
    wall.wall.repository.write("README.md", "one\n");
    let command = wall.command(&["review", "--all", "-m", "Something"]);
    let mut terminal = Terminal::spawn(&command);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    // The line ends with the token's last letter.
    terminal.expect("in your browser:");
    terminal.expect_display_where("an address is", |display| address(display).is_some());
    let page = PageClient {
        address: address(&terminal.screen()).expect("an address"),
    };
    let opened = page.open();
    let session = opened.session();
    assert!(opened.body.contains(&base), "{}", opened.body);
    let asked = page.post(&session, "/challenge", &json!({})).json();
    let challenge = asked["challenge"].as_str().expect("text");
    let assertion = wall.passkey.assertion(challenge, &page.origin(), VERIFIED);
    assert_eq!(page.post(&session, "/assertion", &assertion).status, 200);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.presence(&base), "verified");
}

#[test]
fn a_page_asks_for_a_passkey_whatever_the_settings_say_and_only_for_a_listed_one() {
    let listed = PasskeyWall::with("");
    let base = listed.wall.id("HEAD");
    let (page, session, challenge) = listed.approved("one\n");
    let assertion = listed
        .passkey
        .assertion(&challenge, &page.origin(), TOUCHED);
    assert_eq!(page.post(&session, "/assertion", &assertion).status, 200);
    assert_eq!(page.wait().0, 0);
    assert_eq!(listed.presence(&base), "touch");
    // With the settings' own demands.
    let strict = PasskeyWall::with("[approval]\npresence = \"verified\"\n");
    let (page, session, challenge) = strict.approved("one\n");
    let touched = strict
        .passkey
        .assertion(&challenge, &page.origin(), TOUCHED);
    assert_eq!(page.post(&session, "/assertion", &touched).status, 422);
    let verified = strict
        .passkey
        .assertion(&challenge, &page.origin(), VERIFIED);
    assert_eq!(page.post(&session, "/assertion", &verified).status, 200);
    assert_eq!(page.wait().0, 0);
    let wall = Wall::new();
    wall.repository.write("README.md", "one\n");
    let said = wall
        .environment
        .proctor(["review", "--all", "--web", "-m", "x"]);
    says(
        &said,
        5,
        "approvals are signed with a passkey here, and none of ADDRESS is listed",
    );
}

#[test]
fn a_passkey_is_made_on_a_page_and_listed() {
    let wall = Wall::new();
    let passkey = Passkey::new();
    let words = ["keys", "add", "--passkey", "my phone"];
    let page = WaitingPage::start(wall.environment.proctor_command(words));
    let session = page.open().session();
    let asked = page.post(&session, "/challenge", &json!({})).json();
    assert_eq!(asked["user"]["name"], "ada@example.com");
    let challenge = asked["challenge"].as_str().expect("text");
    let origin = page.origin();
    let sent = |value: &Value| page.post(&session, "/registration", value).status;
    assert_eq!(sent(&passkey.registration("AAAA", &origin, TOUCHED)), 422);
    assert_eq!(sent(&passkey.registration(challenge, &origin, 0)), 422);
    assert_eq!(
        sent(&passkey.registration(challenge, "http://localhost:1", TOUCHED)),
        422
    );
    assert_eq!(sent(&passkey.assertion(challenge, &origin, TOUCHED)), 422);
    assert_eq!(
        sent(&passkey.registration(challenge, &origin, TOUCHED)),
        200
    );
    let (code, stdout, _) = page.wait();
    assert_eq!(code, 0);
    insta::assert_snapshot!(wall.environment.normalise(&stdout), @r"
    [FINGERPRINT] of ada@example.com added to .proctor/allowed_signers
    it counts once a commit that a listed signer has approved brings it in
    ");
    let signers = wall.repository.read(".proctor/allowed_signers");
    let word = SignerLine::credential_word(&passkey.credential());
    let line = line_of(
        "ada@example.com",
        &format!("{} my phone {word}", passkey.public()),
    );
    assert!(signers.ends_with(&line), "{signers}");
    // A client that declines, or is not a person, creates none.
    let page = WaitingPage::start(wall.environment.proctor_command(words));
    let session = page.open().session();
    let asked = page.post(&session, "/challenge", &json!({})).json();
    assert_eq!(asked["credentials"].as_array().map(Vec::len), Some(1));
    let why = json!({ "why": "NotAllowedError" });
    assert_eq!(page.post(&session, "/declined", &why).status, 200);
    let (code, _, said) = page.wait();
    says(
        (code, said.as_str()),
        3,
        "the browser made no passkey (REASON)",
    );
    let page = WaitingPage::start(wall.environment.proctor_command(words));
    page.interrupt();
    assert_eq!(page.wait().0, 130);
    let odd = ["keys", "add", "--passkey", "x", "--as", "*@example.com"];
    wall.environment.proctor(odd).expect_code(2);
    assert_eq!(wall.repository.read(".proctor/allowed_signers"), signers);
}

fn address(display: &str) -> Option<String> {
    let mut lines = display.lines().map(str::trim);
    let whole = |line: &&str| {
        line.split_once("/?")
            .is_some_and(|(_, token)| token.len() == 32)
    };
    let found = lines.find(|line| line.starts_with("http://localhost:") && whole(line));
    found.map(str::to_owned)
}
