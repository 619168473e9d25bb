//! A run's cost limits.

use proctor_testkit::Protocol;

use super::{good, project};
use crate::messages::says;

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
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: the model was not asked, because the request may cost up to $0.1078, the run has cost $0.0150 and `[model] max_cost_usd` is $0.1200");
    assert_eq!(server.received().len(), 1);
    settings(1.0);
    project.environment.proctor(["resume"]).expect_code(3);
    let run = project.status();
    assert_eq!(run["stage"], "review");
    assert_eq!(run["usage"]["cost_usd"], 0.03);

    // This model's cost is unknown, so a budget cannot be kept.
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
        "run RUN waits for a person: the model was not asked, because `[model] max_cost_usd` is $1.00 and the price of this model is unknown",
    );
    assert_eq!(server.received().len(), 2);
}
