//! Servers that others wrote: aimock for the four protocols, llama.cpp for a real one.
//!
//! `scripts/model-counterparts` installs them and runs these; without it they are left out.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use proctor_testkit::{Protocol, file_reply};
use serde_json::{Value, json};

use crate::project::{POWERS, Project, TESTS, approve, text};

/// A server that ends with its standard input.
struct Counterpart {
    child: Child,
    url: String,
}

impl Counterpart {
    fn start(project: &Project, program: &Path, script: &str, arguments: &[&Path]) -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/counterparts");
        let mut child = project
            .environment
            .command(program)
            .arg(here.join(script))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the counterpart is installed");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("it was asked for");
        BufReader::new(stdout)
            .read_line(&mut url)
            .expect("it says where it is");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://"), "{script}: {url:?}");
        Self { child, url }
    }

    /// aimock with these fixtures.
    fn aimock(project: &Project, fixtures: &Value) -> Self {
        let file = project
            .environment
            .write("fixtures.json", fixtures.to_string());
        let entry = installed("PROCTOR_AIMOCK");
        let node = installed("PROCTOR_NODE");
        Self::start(project, &node, "aimock.mjs", &[&entry, &file])
    }

    fn lead(&self, project: &mut Project, protocol: Protocol) {
        for (name, value) in protocol.variables(&self.url, "sesame-open-4711") {
            project.environment.set_variable(name, value);
        }
    }
}

impl Drop for Counterpart {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where `scripts/model-counterparts` put something.
fn installed(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable);
    PathBuf::from(path.expect("run scripts/model-counterparts"))
}

const ASKS_FOR_TESTS: &str = "# Your task: the tests";
const ASKS_FOR_FILE: &str = "# Your task: mathkit/power.py";

fn good() -> [Value; 2] {
    let fixture = |asked: &str, content: String| json!({ "match": { "userMessage": asked }, "response": { "content": content } });
    [
        fixture(ASKS_FOR_TESTS, file_reply("tests/test_power.py", TESTS)),
        fixture(ASKS_FOR_FILE, file_reply("mathkit/power.py", POWERS)),
    ]
}

/// Busy, overloaded, broken, cut off, and then a slow good reply.
fn after_failures() -> Value {
    let [tests, file] = good();
    let turn = |index: usize, response: Value, more: Value| {
        let mut fixture = json!({ "match": { "userMessage": ASKS_FOR_TESTS, "sequenceIndex": index },
            "response": response });
        for (name, value) in more.as_object().into_iter().flatten() {
            fixture[name] = value.clone();
        }
        fixture
    };
    let error = |status: u16, kind: &str| json!({ "error": { "message": "try later", "type": kind }, "status": status, "retryAfter": 1 });
    let content = tests["response"].clone();
    let mut cut_off = content.clone();
    cut_off["finishReason"] = json!("length");
    let broken = json!({ "chunkSize": 10, "latency": 20, "truncateAfterChunks": 6 });
    let slow = json!({ "chunkSize": 20, "latency": 100 });
    json!([
        turn(0, error(429, "rate_limit_error"), json!({})),
        turn(1, error(529, "overloaded_error"), json!({})),
        turn(2, content.clone(), broken),
        turn(3, cut_off, json!({})),
        turn(4, content, slow),
        file
    ])
}

fn merged(project: &Project, protocol: Protocol) -> String {
    let words = project.run_arguments(protocol.model(), &[]);
    let mut terminal = project.environment.proctor_on_terminal(words);
    approve(&mut terminal);
    assert_eq!(project.status()["state"], "merged");
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
    terminal.screen()
}

fn merged_with_aimock(protocol: Protocol) {
    for stream in [true, false] {
        let mut project = Project::new();
        let server = Counterpart::aimock(&project, &json!(good()));
        server.lead(&mut project, protocol);
        let settings = format!("[model]\nstream = {stream}\n");
        project.repository.write("proctor.toml", settings);
        project.repository.commit_all("Settings");
        merged(&project, protocol);
    }
    let mut project = Project::new();
    let server = Counterpart::aimock(&project, &after_failures());
    server.lead(&mut project, protocol);
    let screen = merged(&project, protocol);
    for said in ["429", "529", "broke"] {
        assert!(screen.contains(said), "{protocol:?} {said}: {screen}");
    }
    // As ollama, aimock calls every reply complete.
    let cut_off = protocol != Protocol::Ollama;
    assert_eq!(screen.contains("cut off"), cut_off, "{screen}");
    // The failures before it were not replies.
    let replies = 1 + u8::from(cut_off);
    assert_eq!(project.status()["attempts"]["scaffold"], replies);
}

#[test]
#[ignore = "needs scripts/model-counterparts"]
fn aimock_speaking_anthropics_protocol_ends_merged() {
    merged_with_aimock(Protocol::Anthropic);
}

#[test]
#[ignore = "needs scripts/model-counterparts"]
fn aimock_speaking_openais_protocol_ends_merged() {
    merged_with_aimock(Protocol::OpenAi);
}

#[test]
#[ignore = "needs scripts/model-counterparts"]
fn aimock_speaking_geminis_protocol_ends_merged() {
    merged_with_aimock(Protocol::Gemini);
}

#[test]
#[ignore = "needs scripts/model-counterparts"]
fn aimock_speaking_ollamas_protocol_ends_merged() {
    merged_with_aimock(Protocol::Ollama);
}

#[test]
#[ignore = "needs scripts/model-counterparts"]
fn llama_cpp_counts_streams_and_cuts_off_as_it_says() {
    let mut project = Project::new();
    let model = project.environment.root().join("random.gguf");
    let python = installed("PROCTOR_LLAMA_PYTHON");
    let mut server = Counterpart::start(&project, &python, "llama.py", &[&model]);
    server.url.push_str("/v1");
    project
        .environment
        .set_variable("OPENAI_BASE_URL", server.url.clone());
    for stream in [true, false] {
        let settings = format!("[model]\nstream = {stream}\nmax_output_tokens = 40\n");
        project.repository.write("proctor.toml", settings);
        let asked = ["doctor", "--model", "openai:random", "--format", "json"];
        let output = project.environment.proctor(asked);
        let checks = output.json()["checks"].clone();
        let checks = checks.as_array().expect("a list of checks");
        let found = checks.iter().find(|check| check["name"] == "model");
        let words = text(&found.expect("the model is checked")["message"]);
        assert!(words.contains(" tokens in, 40 out"), "{words}");
        // Random letters have no end, so each reply is cut off.
        let output = project.run_with("openai:random", &["--format", "json"]);
        output.expect_code(3);
        let run = output.json();
        assert!(text(&run["waiting_for"]).contains("cut off"), "{run}");
        assert_eq!(run["usage"]["output_tokens"], 120);
        let run = text(&run["run"]);
        project.environment.proctor(["abort", &run]).expect_code(0);
    }
    // More than its window.
    let context = "many words ".repeat(4000);
    project.repository.write("notes.md", context);
    let output = project.run_with(
        "openai:random",
        &["--context", "notes.md", "--format", "json"],
    );
    output.expect_code(5);
    let error = output.json()["error"].clone();
    assert!(text(&error["message"]).contains("context size"), "{error}");
    assert!(text(&error["hint"]).contains("less context"), "{error}");
}
