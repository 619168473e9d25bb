//! Command-line agents: small stand-ins on `PATH` that print the real ones' documented output.

use std::os::unix::fs::PermissionsExt as _;

use proctor_testkit::file_reply;
use serde_json::{Value, json};

use crate::good_run::unlike_a_good_run;
use crate::project::{POWERS, Project, TESTS};

/// Prints the file for the n-th call, and keeps its arguments and input.
const STAND_IN: &str = r#"#!/bin/sh
here=$(dirname "$0")
n=$(($(cat "$here/count" 2> /dev/null || echo 0) + 1))
echo $n > "$here/count"
printf '%s\n' "$*" > "$here/arguments"
cat > "$here/prompt.$n"
cat "$here/reply.$n"
exit "$(cat "$here/code.$n" 2> /dev/null || echo 0)"
"#;

/// A project with an agent that prints these documents in turn.
fn project(program: &str, printed: &[String]) -> Project {
    let mut project = Project::new();
    let path = project
        .environment
        .write(format!("agent/{program}"), STAND_IN);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
        .expect("the test's own files and variables");
    for (index, document) in printed.iter().enumerate() {
        project
            .environment
            .write(format!("agent/reply.{}", index + 1), document);
    }
    let directory = path
        .parent()
        .expect("the test's own files and variables")
        .to_path_buf();
    let before = project.environment.command("true");
    let before = before
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .and_then(|(_, value)| value)
        .expect("the test's own files and variables")
        .to_owned();
    let search =
        std::env::join_paths(std::iter::once(directory).chain(std::env::split_paths(&before)));
    project
        .environment
        .set_variable("PATH", search.expect("the test's own files and variables"));
    project
}

fn kept(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.environment.root().join("agent").join(name))
        .expect("the test's own files and variables")
}

fn replies() -> [String; 2] {
    [
        file_reply("tests/test_power.py", TESTS),
        file_reply("mathkit/power.py", POWERS),
    ]
    .map(|reply| format!("{reply}### END\n"))
}

fn claude(result: &str) -> String {
    json!({ "type": "result", "subtype": "success", "is_error": false, "result": result,
        "stop_reason": "end_turn", "total_cost_usd": 0.02,
        "usage": { "input_tokens": 100, "cache_read_input_tokens": 900, "output_tokens": 50 } })
    .to_string()
}

fn codex(text: &str) -> String {
    let events = [
        json!({ "type": "thread.started", "thread_id": "t" }),
        json!({ "type": "item.completed", "item": { "id": "1", "type": "agent_message", "text": text } }),
        json!({ "type": "turn.completed", "usage": { "input_tokens": 1000, "cached_input_tokens": 900,
            "output_tokens": 50 } }),
    ];
    events.map(|event| format!("{event}\n")).concat()
}

fn gemini(response: &str) -> String {
    json!({ "response": response, "stats": { "models": { "g": { "tokens": {
        "prompt": 1000, "candidates": 40, "thoughts": 10, "cached": 900 } } } } })
    .to_string()
}

/// A reply as an agent prints it.
type Print = fn(&str) -> String;

#[test]
fn every_agent_brings_a_run_to_its_review() {
    let agents: [(&str, Print, &str, Value); 3] = [
        (
            "claude",
            claude,
            "--tools  --strict-mcp-config --model m",
            json!(0.04),
        ),
        ("codex", codex, "exec --json -s read-only", json!(null)),
        ("gemini", gemini, "-o json -m m", json!(null)),
    ];
    for (program, print, arguments, cost) in agents {
        let project = project(program, &replies().map(|reply| print(&reply)));
        let output = project.run_with(&format!("{program}-cli:m"), &["--format", "json"]);
        output.expect_code(3);
        let run = output.json();
        assert_eq!(run["stage"], "review", "{}", output.stderr);
        let usage = json!({ "input_tokens": 2000, "output_tokens": 100, "cost_usd": cost });
        assert_eq!(run["usage"], usage);
        let words = kept(&project, "arguments");
        assert!(words.contains(arguments), "{words}");
        assert!(
            !words.contains("Powers"),
            "the prompt is not an argument: {words}"
        );
        assert!(kept(&project, "prompt.1").contains("# 87 - Feature: Powers"));
    }
}

#[test]
fn a_reply_without_its_end_counts_as_cut_off() {
    let [tests, power] = replies();
    let half = &tests[..tests.len() / 2];
    let project = project("codex", &[half, &tests, &power].map(codex));
    let output = project.run_with("codex-cli", &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review", "{}", output.stderr);
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    - ✓ N1 Scaffold     the model replied, 20 tokens  ([TIME])
    + • About 466 tokens go to the program `codex exec --json -s read-only --skip-git-repo-check -`, which may send them on
    +   what goes to a model: the design document, the context files you named, the
    +   files that the design lists, test output; every request is scanned for secrets
    +   what is kept: all of that and the replies, in the git directory's proctor/ on
    +   this machine; `proctor clean` removes test output; more: docs/data-policy.md
    + ✗ N1 Scaffold     the reply is cut off at its limit, 50 tokens  ([TIME])
    + ✗ N1 Scaffold     reply not used: the reply was cut off before its end, and nothing of it was used  ([TIME])
    + • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    + ✓ N1 Scaffold     the model replied, 50 tokens  ([TIME])
    …
    - ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    the model replied, 50 tokens  ([TIME])
    …
    ");
}

#[test]
fn an_agent_that_fails_says_why_and_the_run_stays() {
    let refused = json!({ "subtype": "success", "is_error": true, "api_error_status": 401,
        "result": "Invalid API key" });
    let project = project(
        "claude",
        &[
            refused.to_string(),
            claude(&replies()[0]),
            claude(&replies()[1]),
        ],
    );
    project.environment.write("agent/code.1", "1");
    let output = project.run_with("claude-cli", &["--format", "json"]);
    output.expect_code(5);
    insta::assert_snapshot!(output.json()["error"]["message"], @r#""the model program claude failed: 401: Invalid API key (it ended with code 1)""#);
    project.environment.proctor(["resume"]).expect_code(3);
    assert_eq!(project.status()["stage"], "review");
}

#[test]
fn an_agent_that_does_not_say_what_it_costs_needs_a_price_for_a_budget() {
    let project = project("codex", &replies().map(|reply| codex(&reply)));
    let settings = |more: &str| {
        let text = format!("[model]\nmax_cost_usd = 5.0\n{more}");
        project.repository.write("proctor.toml", text);
    };
    settings("");
    let output = project.run_with("codex-cli", &["--format", "json"]);
    output.expect_code(3);
    insta::assert_snapshot!(output.json()["waiting_for"], @r#""a person: the model was not asked, because `[model] max_cost_usd` is $5.00 and the price of this model is unknown""#);
    settings("\n[model.prices]\ncodex-cli = { input = 1.0, output = 10.0, cache_read = 0.0 }\n");
    project.environment.proctor(["resume"]).expect_code(3);
    let run = project.status();
    assert_eq!(run["stage"], "review");
    // Each call: 100 new tokens in, 50 out.
    assert_eq!(run["usage"]["cost_usd"], 0.0012);
}
