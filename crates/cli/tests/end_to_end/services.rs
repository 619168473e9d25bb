//! Whole runs through the protocols of model services, against servers on this machine.

use std::path::Path;

use proctor_testkit::{
    Answer, EncryptedDoor, ModelServer, Protocol, RunOutput, Terminal, file_reply,
};
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

/// What a document says went wrong, and what to do about it.
fn error_of(output: &RunOutput) -> String {
    let [message, hint] = ["/error/message", "/error/hint"].map(|it| output.normalised_text(it));
    format!("error: {message}\nhint: {hint}\n")
}

/// A run from document to merge; what is recorded of it is what the model said.
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
fn a_run_whose_service_fails_goes_on_later_and_pays_for_no_reply_twice() {
    let protocol = Protocol::Anthropic;
    let answers = vec![
        protocol.good(&scaffold()),
        protocol.error(
            401,
            "authentication_error",
            &format!("invalid x-api-key {KEY}"),
        ),
        protocol.good(&implementation()),
    ];
    let (project, server) = project(protocol, answers);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    output.expect_code(5);
    insta::assert_snapshot!(error_of(&output), @"
    error: anthropic at 127.0.0.1:[PORT] answered 401 authentication_error: invalid x-api-key [masked key] (request id req_told)
    hint: check ANTHROPIC_API_KEY and what that key may use; go on with `proctor resume [RUN]`
    ");
    assert_key_is_nowhere(&project, &printed(&output));
    resume_and_merge(&project);
    assert_eq!(server.received().len(), 3, "the first reply was kept");
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
    // The second request is there, and its answer has stopped in the middle.
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
fn a_service_that_is_gone_in_any_call_leaves_a_run_that_goes_on() {
    // Closed without a word in the first call, broken in the middle of the second; tried three times each.
    let protocol = Protocol::Anthropic;
    let first = [Answer::gone(), Answer::gone(), Answer::gone()];
    let second = std::iter::repeat_n(protocol.good(&implementation()).broken(), 3);
    let mut answers: Vec<Answer> = first.into_iter().collect();
    answers.push(protocol.good(&scaffold()));
    answers.extend(second);
    answers.push(protocol.good(&implementation()));
    let (project, server) = project(protocol, answers);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    output.expect_code(5);
    says(&output, 5, "anthropic at HOST cannot be reached: REASON");
    let message = text(&output.json()["error"]["message"]);
    assert!(message.contains("after 3 tries"), "{message}");
    assert_eq!(project.status()["stage"], "scaffold");
    let output = project.environment.proctor(["resume", "--format", "json"]);
    output.expect_code(5);
    assert_eq!(project.status()["stage"], "implement");
    resume_and_merge(&project);
    assert_eq!(server.received().len(), 8);
}

#[test]
fn a_reply_that_had_arrived_when_the_person_interrupted_is_not_asked_for_again() {
    let protocol = Protocol::Ollama;
    let (project, server) = project(protocol, good(protocol));
    let mut terminal = at_terminal(&project, &project.run_arguments(protocol.model(), &[]));
    terminal.expect("N2");
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    assert_eq!(server.received().len(), 1);
    resume_and_merge(&project);
    assert_eq!(server.received().len(), 2);
}

#[test]
fn a_reply_that_was_cut_off_is_asked_for_again_with_a_higher_limit_and_for_less() {
    let protocol = Protocol::OpenAi;
    let half = scaffold()[..40].to_owned();
    let mut answers = vec![protocol.cut_off(&half)];
    answers.extend(good(protocol));
    let (project, server) = project(protocol, answers);
    project.run_with(protocol.model(), &[]).expect_code(3);
    let run = project.status();
    assert_eq!(run["stage"], "review");
    assert_eq!(run["attempts"]["scaffold"], 2);
    let requests = server.received();
    assert!(requests[0].contains("\"max_tokens\":16384"));
    assert!(requests[1].contains("\"max_tokens\":32768"));
    assert!(requests[1].contains("your reply was cut off"));
    // The next question starts anew.
    assert!(requests[2].contains("\"max_tokens\":16384"));
}

#[test]
fn three_cut_off_replies_park_the_run() {
    let protocol = Protocol::Gemini;
    let (project, server) = project(protocol, vec![protocol.cut_off("### FILE: tests/te")]);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["state"], "parked");
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: all attempts are spent (your reply was cut off before its end, and nothing of it was used; send much less: nothing but the lines that the tests need, as few and as short texts as possible)");
    assert_eq!(server.received().len(), 3);
}

#[test]
fn a_refusal_parks_the_run_with_its_text() {
    let mut said = Vec::new();
    for protocol in [Protocol::Anthropic, Protocol::OpenAi, Protocol::Gemini] {
        let (project, server) = project(protocol, vec![protocol.declined("I would rather not")]);
        let output = project.run_with(protocol.model(), &["--format", "json"]);
        output.expect_code(3);
        said.push(output.normalised_text("/waiting_for"));
        assert_eq!(server.received().len(), 1);
    }
    insta::assert_snapshot!(said.join("\n"), @"
    a person: the model gave up (the model refused: I would rather not)
    a person: the model gave up (the model refused: the service's content filter stopped the reply; until then: I would rather not)
    a person: the model gave up (the model refused: the service stopped the reply: SAFETY; until then: I would rather not)
    ");
}

#[test]
fn failures_are_one_sentence_with_the_services_words_and_a_hint() {
    let anthropic = Protocol::Anthropic;
    let long = "prompt is too long: 210000 tokens > 200000 maximum";
    let cases = [
        (anthropic.error(400, "invalid_request_error", long), 1),
        (anthropic.error(402, "billing_error", "no credits"), 1),
        (anthropic.good(""), 2),
    ];
    let mut said = String::new();
    for (answer, requests) in cases {
        let (project, server) = project(anthropic, vec![answer]);
        let output = project.run_with(anthropic.model(), &["--format", "json"]);
        output.expect_code(5);
        said += &error_of(&output);
        assert_eq!(server.received().len(), requests, "{said}");
        assert_eq!(project.status()["state"], "running");
    }
    insta::assert_snapshot!(said, @"
    error: anthropic at 127.0.0.1:[PORT] answered 400 invalid_request_error: prompt is too long: 210000 tokens > 200000 maximum (request id req_told)
    hint: abort the run and start again with less context, or with a model that has a larger window; go on with `proctor resume [RUN]`
    error: anthropic at 127.0.0.1:[PORT] answered 402 billing_error: no credits (request id req_told)
    hint: the account at anthropic has nothing left to spend; nothing was lost; go on with `proctor resume [RUN]`
    error: anthropic at 127.0.0.1:[PORT] sent nothing usable: the reply is empty, after 2 tries
    hint: nothing was lost; the question is asked again on resume; go on with `proctor resume [RUN]`
    ");
}

/// One run that stands before its first question and asks it again and again.
#[test]
fn every_way_in_which_a_service_fails_is_said_as_documented() {
    let anthropic = Protocol::Anthropic;
    let error = |status| {
        anthropic
            .error(status, "some_error", "words")
            .header("x-should-retry", "false")
    };
    let (mut project, _server) = project(
        anthropic,
        vec![
            error(307),
            error(400),
            error(401),
            error(402),
            error(404),
            error(413),
            error(429),
            error(500),
            anthropic.good(""),
            anthropic.good(""),
            anthropic.good("x").silent(),
        ],
    );
    let output = project.run_with(anthropic.model(), &[]);
    says(&output, 5, "anthropic at HOST answered 307 REASON");
    let resume = || project.environment.proctor(["resume"]);
    says(&resume(), 5, "anthropic at HOST answered 400 REASON");
    says(&resume(), 5, "anthropic at HOST answered 401 REASON");
    says(&resume(), 5, "anthropic at HOST answered 402 REASON");
    says(&resume(), 5, "anthropic at HOST answered 404 REASON");
    says(&resume(), 5, "anthropic at HOST answered 413 REASON");
    says(&resume(), 5, "anthropic at HOST answered 429 REASON");
    says(&resume(), 5, "anthropic at HOST answered 500 REASON");
    says(
        &resume(),
        5,
        "anthropic at HOST sent nothing usable: REASON",
    );
    project
        .repository
        .write("proctor.toml", "[model]\ntimeout_seconds = 1\n");
    says(&resume(), 5, "anthropic at HOST stopped answering: REASON");
    project.repository.write("proctor.toml", "");
    let door = EncryptedDoor::open(&ModelServer::start(Vec::new()));
    for (name, value) in anthropic.variables(&door.url(), KEY) {
        project.environment.set_variable(name, value);
    }
    let output = project.environment.proctor(["resume"]);
    says(&output, 5, "anthropic at HOST cannot be trusted: REASON");
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
fn a_token_budget_stops_the_run_before_the_call_that_could_exceed_it() {
    let protocol = Protocol::Ollama;
    let (project, server) = project(protocol, good(protocol));
    let settings = |limit: u64| {
        let text = format!("[model]\nmax_run_tokens = {limit}\nmax_output_tokens = 1000\n");
        project.repository.write("proctor.toml", text);
    };
    settings(100);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    says(
        &output,
        3,
        "run RUN waits for a person: the model was not asked, because the request may use up to 200 tokens, the run has used 900 and `[model] max_run_tokens` is 1000",
    );
    assert!(server.received().is_empty());
    settings(100_000);
    project.environment.proctor(["resume"]).expect_code(3);
    assert_eq!(project.status()["stage"], "review");
    let log = project.environment.proctor(["log"]).stdout;
    let call = "model_replied: 1000 tokens in (0 cached), 50 out, $0.0000";
    assert_eq!(log.matches(call).count(), 2, "{log}");
}

#[test]
fn a_missing_key_is_said_before_anything_is_created() {
    let project = Project::new();
    let output = project.run_with("anthropic:test", &["--format", "json"]);
    says(
        &output,
        5,
        "anthropic needs a key, and ANTHROPIC_API_KEY is not set",
    );
    assert!(!project.repository.path().join(".git/proctor").exists());
}

#[test]
fn a_budget_stops_the_run_before_the_call_that_could_exceed_it() {
    let protocol = Protocol::OpenAi;
    let (project, server) = project(protocol, good(protocol));
    let settings = |limit: f64| {
        let text = format!(
            "[model]\nmax_cost_usd = {limit:?}\nmax_output_tokens = 1000\n\n[model.prices]\n\
             \"openai:test\" = {{ input = 10.0, output = 100.0 }}\n"
        );
        project.repository.write("proctor.toml", text);
    };
    // A reply costs 1000 * 10 + 50 * 100 millionths; a request may cost ten times as much.
    settings(0.12);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "implement");
    assert_eq!(run["usage"]["cost_usd"], 0.015);
    assert_eq!(run["usage_by_stage"]["scaffold"]["cached_tokens"], 900);
    says(
        &output,
        3,
        "run RUN waits for a person: the model was not asked, because the request may cost up to $0.2000, the run has cost $0.9000 and `[model] max_cost_usd` is $1.00",
    );
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: the model was not asked, because the request may cost up to $0.1073, the run has cost $0.0150 and `[model] max_cost_usd` is $0.1200");
    assert_eq!(server.received().len(), 1);
    settings(1.0);
    project.environment.proctor(["resume"]).expect_code(3);
    let run = project.status();
    assert_eq!(run["stage"], "review");
    assert_eq!(run["usage"]["cost_usd"], 0.03);

    // Nobody knows what this one costs, so a budget cannot be kept.
    project
        .repository
        .write("proctor.toml", "[model]\nmax_cost_usd = 5.0\n");
    project
        .environment
        .proctor(["abort", &project.run_id()])
        .expect_code(0);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    says(
        &output,
        3,
        "run RUN waits for a person: the model was not asked, because `[model] max_cost_usd` is $1.00 and nobody knows what this model costs",
    );
    assert_eq!(server.received().len(), 2);
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
