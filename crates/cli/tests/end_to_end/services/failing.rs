//! Services that fail, and the messages about it.

use proctor_testkit::{Answer, EncryptedDoor, ModelServer, Protocol, RunOutput};

use super::{
    KEY, assert_key_is_nowhere, good, implementation, printed, project, resume_and_merge, scaffold,
};
use crate::messages::says;
use crate::project::{Project, text};

/// A document's error, and the remedy.
fn error_of(output: &RunOutput) -> String {
    let [message, hint] = ["/error/message", "/error/hint"].map(|it| output.normalised_text(it));
    format!("error: {message}\nhint: {hint}\n")
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
    assert!(requests[1].contains("the reply was cut off"));
    // The next question starts afresh.
    assert!(requests[2].contains("\"max_tokens\":16384"));
}

#[test]
fn three_cut_off_replies_park_the_run() {
    let protocol = Protocol::Gemini;
    let (project, server) = project(protocol, vec![protocol.cut_off("### FILE: tests/te")]);
    let output = project.run_with(protocol.model(), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["state"], "parked");
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: all attempts are spent (the reply was cut off before its end, and nothing of it was used)");
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

/// One run that is before its first question and asks it again and again.
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
