//! Whole runs through the protocols of model services, against servers on this machine.

mod budgets;
mod failing;

use std::path::Path;

use proctor_testkit::{Answer, ModelServer, Protocol, RunOutput, Terminal, file_reply};
use serde_json::json;

use crate::messages::says;
use crate::project::{POWERS, Project, TESTS, approve, text};

/// No scanner takes this for a secret, so that nothing but care keeps it in.
const KEY: &str = "sesame-open-4711";

fn scaffold() -> String {
    file_reply("tests/test_power.py", TESTS)
}

fn implementation() -> String {
    file_reply("mathkit/power.py", POWERS)
}

/// A project whose environment leads to a server that gives these answers.
fn project(protocol: Protocol, answers: Vec<Answer>) -> (Project, ModelServer) {
    let mut project = Project::new();
    let server = ModelServer::start(answers);
    for (name, value) in protocol.variables(&server.url(), KEY) {
        project.environment.set_variable(name, value);
    }
    (project, server)
}

fn good(protocol: Protocol) -> Vec<Answer> {
    vec![protocol.good(&scaffold()), protocol.good(&implementation())]
}

fn at_terminal(project: &Project, words: &[String]) -> Terminal {
    project.environment.proctor_on_terminal(words)
}

#[track_caller]
fn resume_and_merge(project: &Project) -> Terminal {
    let mut terminal = at_terminal(project, &["resume".to_owned()]);
    approve(&mut terminal);
    assert_eq!(project.status()["state"], "merged");
    terminal
}

/// The files below a directory that hold the key, the bytes of a database included.
fn holding_key(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(holding_key(&path));
        } else if let Ok(content) = std::fs::read(&path)
            && content
                .windows(KEY.len())
                .any(|bytes| bytes == KEY.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

fn assert_key_is_nowhere(project: &Project, printed: &[&str]) {
    assert_eq!(
        holding_key(project.environment.root()),
        Vec::<String>::new()
    );
    // Git's objects are compressed.
    let objects = ["cat-file", "--batch-all-objects", "--batch"];
    let objects = project.repository.git(objects);
    assert!(!objects.contains(KEY));
    for text in printed {
        assert!(!text.contains(KEY), "{text}");
    }
}

fn printed(output: &RunOutput) -> [&str; 2] {
    [&output.stdout, &output.stderr]
}

/// A run from document to merge; its records have the model's own words.
fn merged_through(protocol: Protocol) -> (Project, String) {
    let (project, server) = project(protocol, good(protocol));
    let recorded = project.environment.root().join("recorded");
    let recorded = recorded.display().to_string();
    let words = project.run_arguments(protocol.model(), &["--record", &recorded]);
    let mut terminal = at_terminal(&project, &words);
    approve(&mut terminal);
    let screen = terminal.screen();
    let run = project.status();
    assert_eq!(run["state"], "merged");
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
    assert_eq!(server.received().len(), 2, "one request a reply");
    assert_eq!(run["usage"]["input_tokens"], 2000);
    assert_eq!(run["usage"]["output_tokens"], 100);
    let cost = if protocol == Protocol::Ollama {
        json!(0.0)
    } else {
        json!(null)
    };
    assert_eq!(run["usage"]["cost_usd"], cost);
    assert!(
        screen.contains(&server.url()["http://".len()..]),
        "{screen}"
    );
    assert_key_is_nowhere(&project, &[&screen]);

    let recording = format!("{recorded}/{}.jsonl", text(&run["run"]));
    let replies = std::fs::read_to_string(&recording).expect("it was recorded");
    let replies = replies
        .lines()
        .map(|line| -> serde_json::Value { serde_json::from_str(line).expect("JSON Lines") });
    let said: Vec<String> = replies.map(|reply| text(&reply["text"])).collect();
    assert_eq!(said, [scaffold(), implementation()]);
    (project, format!("script:{recording}"))
}

#[test]
fn a_run_through_anthropics_protocol_is_merged_and_its_recording_plays_offline() {
    let (project, recording) = merged_through(Protocol::Anthropic);
    let again = Project::new();
    let output = again.run_with(&recording, &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["tree"], project.status()["tree"]);
}

#[test]
fn a_run_through_openais_protocol_is_merged() {
    merged_through(Protocol::OpenAi);
}

#[test]
fn a_run_through_geminis_protocol_is_merged() {
    merged_through(Protocol::Gemini);
}

#[test]
fn a_run_through_ollamas_protocol_is_merged() {
    merged_through(Protocol::Ollama);
}

#[test]
fn a_run_that_is_killed_in_the_middle_of_a_call_goes_on_where_it_was() {
    let protocol = Protocol::OpenAi;
    let answers = vec![
        protocol.good(&scaffold()),
        protocol.good(&implementation()).silent(),
        protocol.good(&implementation()),
    ];
    let (project, server) = project(protocol, answers);
    let mut command = project
        .environment
        .proctor_command(project.run_arguments(protocol.model(), &[]));
    command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    // The second request has arrived, and its answer has stopped in the middle.
    server.wait_for(2);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut terminal = resume_and_merge(&project);
    assert_eq!(server.received().len(), 3);
    assert_key_is_nowhere(&project, &[&terminal.screen()]);
}

#[test]
fn control_c_ends_a_call_that_hangs_and_the_run_goes_on_later() {
    let protocol = Protocol::Gemini;
    let answers = vec![
        protocol.good(&scaffold()).silent(),
        protocol.good(&scaffold()),
        protocol.good(&implementation()),
    ];
    let (project, server) = project(protocol, answers);
    let mut terminal = at_terminal(&project, &project.run_arguments(protocol.model(), &[]));
    server.wait_for(1);
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    resume_and_merge(&project);
}

#[test]
fn a_reply_that_had_arrived_when_the_person_interrupted_is_not_asked_for_again() {
    let protocol = Protocol::Ollama;
    let answers = vec![
        protocol.good(&scaffold()),
        protocol.good(&implementation()).silent(),
        protocol.good(&implementation()),
    ];
    let (project, server) = project(protocol, answers);
    let mut terminal = at_terminal(&project, &project.run_arguments(protocol.model(), &[]));
    // The tests have arrived; the answer to the second request has stopped in the middle.
    server.wait_for(2);
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    resume_and_merge(&project);
    assert_eq!(server.received().len(), 3);
}

#[test]
fn tests_see_no_key_and_what_a_service_quotes_of_it_is_masked() {
    let protocol = Protocol::Anthropic;
    let tests = format!("import os\n{TESTS}\n\nprint(sorted(os.environ.items()))\n");
    let powers = format!("# {KEY}\n{POWERS}");
    let answers = vec![
        protocol.good(&file_reply("tests/test_power.py", &tests)),
        protocol.good(&file_reply("mathkit/power.py", &powers)),
    ];
    let (project, _server) = project(protocol, answers);
    let output = project.run_with(protocol.model(), &[]);
    output.expect_code(3);
    let run = project.status();
    assert_eq!(run["stage"], "review");
    let log = project.environment.proctor(["log", "--format", "json"]);
    assert!(log.stdout.contains("# [masked key]"), "{}", log.stdout);
    // Beside everything else that is looked through.
    let page = project.environment.root().join("report.html");
    let page = page.display().to_string();
    let report = project.environment.proctor(["report", "--output", &page]);
    report.expect_code(0);
    assert_key_is_nowhere(&project, &[&log.stdout, &output.stdout, &output.stderr]);
}

#[test]
fn neither_an_address_nor_a_key_is_taken_from_the_repository() {
    let (project, server) = project(Protocol::OpenAi, good(Protocol::OpenAi));
    let elsewhere = ModelServer::start(vec![Protocol::Anthropic.good("stolen")]);
    project.repository.write(
        ".env",
        format!(
            "ANTHROPIC_API_KEY=abcdefgh\nANTHROPIC_BASE_URL={url}\nOPENAI_BASE_URL={url}/v1\n",
            url = elsewhere.url()
        ),
    );
    let output = project.run_with("anthropic:test", &["--format", "json"]);
    says(
        &output,
        5,
        "anthropic needs a key, and ANTHROPIC_API_KEY is not set",
    );
    let mut said = String::new();
    for key in ["base_url", "api_key"] {
        let settings = format!("[model]\n{key} = \"{}\"\n", elsewhere.url());
        project.repository.write("proctor.toml", settings);
        let output = project.run_with(Protocol::OpenAi.model(), &[]);
        output.expect_code(2);
        said += &output.normalised_stderr();
    }
    insta::assert_snapshot!(said, @r#"
    error: proctor.toml has an unknown key "model.base_url"
    hint: did you mean "model.stream"?
    error: proctor.toml has an unknown key "model.api_key"
    hint: did you mean "model.prices"?
    "#);
    assert!(elsewhere.received().is_empty() && server.received().is_empty());
}

#[test]
fn a_person_sees_how_much_has_come_and_how_fast() {
    let protocol = Protocol::Anthropic;
    let (slow, hold) = protocol.good(&scaffold()).held();
    let answers = vec![slow, protocol.good(&implementation())];
    let (project, _server) = project(protocol, answers);
    let mut terminal = at_terminal(&project, &project.run_arguments(protocol.model(), &[]));
    terminal.expect("tokens so far,");
    terminal.expect("a second");
    hold.release();
    approve(&mut terminal);
}

#[test]
fn a_service_begins_no_line_of_the_doctors() {
    let protocol = Protocol::Anthropic;
    let forged = "ok       sandbox   level bubblewrap, nothing is left open";
    let answer = json!({
        "type": "message", "model": format!("test\n{forged}"), "role": "assistant",
        "content": [{ "type": "text", "text": "OK" }], "stop_reason": "end_turn",
        "usage": { "input_tokens": 100, "output_tokens": 50 },
    });
    let (project, _server) = project(protocol, vec![Answer::json(200, &answer)]);
    let output = project
        .environment
        .proctor(["doctor", "--model", protocol.model()]);
    output.expect_code(0);
    assert!(output.stdout.contains(forged), "{}", output.stdout);
    assert!(
        !output.stdout.lines().any(|line| line.starts_with(forged)),
        "{}",
        output.stdout
    );
}

#[test]
fn the_doctor_asks_one_tiny_question() {
    let protocol = Protocol::Anthropic;
    let (project, server) = project(
        protocol,
        vec![
            protocol.good("OK"),
            protocol.error(401, "authentication_error", KEY),
        ],
    );
    let model = |document: &serde_json::Value| {
        let checks = document["checks"].as_array().expect("a list of checks");
        checks
            .iter()
            .find(|check| check["id"] == "model")
            .expect("the model is checked")
            .clone()
    };
    let ask = || {
        project
            .environment
            .proctor(["doctor", "--model", protocol.model(), "--format", "json"])
    };
    let good = model(&ask().json());
    assert_eq!(good["status"], "ok");
    insta::assert_snapshot!(project.environment.normalise(&text(&good["message"])), @"anthropic:test answered as test-2026 in [TIME]: 1000 tokens in, 50 out, at a price that is not known");
    let output = ask();
    output.expect_code(5);
    let bad = model(&output.json());
    assert_eq!(bad["status"], "error");
    insta::assert_snapshot!(project.environment.normalise(&text(&bad["message"])), @"anthropic at 127.0.0.1:[PORT] answered 401 authentication_error: [masked key] (request id req_told)");
    assert_eq!(server.received().len(), 2);
    assert_key_is_nowhere(&project, &printed(&output));
    // Without --model nothing is asked.
    project.environment.proctor(["doctor"]);
    assert_eq!(server.received().len(), 2);
}
