//! A model that cheats, in every client.

use super::{Agent, CLIENTS, SOURCE, TEST, claude, guarded};
use crate::project::{POWERS, TESTS, WRONG_POWERS};

/// Weakens a test without naming the file in a recognisable way.
const WEAKEN: &str = "python3 -c \"import os; open(os.path.join('tests','test_'+'power.py'),'w').write('def test_x():\\n    assert True\\n')\"";

fn cheats(agent: &Agent<'_>) {
    let told = agent.edit(SOURCE).no();
    assert!(
        told.starts_with("no source before a failing test"),
        "{told}"
    );
    assert_eq!(agent.stage(), "open");

    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    agent.write(SOURCE, WRONG_POWERS);
    assert_eq!(agent.stage(), "sealed");

    let told = agent.edit(TEST).no();
    assert!(told.contains("tests/test_power.py is sealed"), "{told}");
    agent.shell(&format!("echo x > {TEST}")).no();

    let told = agent.runs(WEAKEN).no();
    assert!(told.contains("put them back"), "{told}");
    assert_eq!(agent.stage(), "broken");
    agent.edit(SOURCE).no();
    let restore = told.lines().nth(1).expect("a command").trim();
    agent.runs(restore).pass();
    assert_eq!(agent.project.repository.read(TEST), TESTS);
    assert_eq!(agent.stage(), "sealed");

    let told = agent.shell("git add -A && git commit -m done").no();
    assert!(told.contains("test_cube"), "{told}");
    agent.shell("git commit --no-verify -am done").no();
    agent
        .shell("git -c core.hooksPath=/dev/null commit -am done")
        .no();
    agent.shell("proctor guard off").no();
    agent.edit("proctor.toml").no();

    if agent.client != "opencode" {
        let told = agent.end(false).no();
        assert!(told.contains("test_cube"), "{told}");
    }
    agent.edit(SOURCE).pass();
    agent.write(SOURCE, POWERS);
    if agent.client != "opencode" {
        agent.end(true).pass();
        assert_eq!(agent.stage(), "green");
    }
    agent.runs("git add -A && git commit -qm done").pass();
    assert_eq!(agent.stage(), "committed");
    agent.edit(TEST).pass();
}

#[test]
fn a_model_that_cheats_gets_nowhere_and_one_that_works_does_in_every_client() {
    for client in CLIENTS {
        let project = guarded();
        cheats(&Agent {
            project: &project,
            client,
        });
    }
}

#[test]
fn an_agent_that_does_not_get_it_is_let_go_after_three_blocks() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    agent.write(SOURCE, WRONG_POWERS);
    agent.end(false).no();
    agent.end(true).no();
    agent.end(true).no();
    let output = agent.hook("Stop", &serde_json::json!({"stop_hook_active": true}));
    let told = output.json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(told.contains("a person is needed"), "{told}");
}

#[test]
fn an_unchanged_tree_is_answered_from_memory() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    agent.write(SOURCE, POWERS);
    agent.end(false).pass();
    // There is no runner any more.
    let mut known = project
        .environment
        .proctor_command(["guard", "hook", "claude-code"]);
    known
        .env("PATH", "/nowhere:/usr/bin:/bin")
        .env_remove("VIRTUAL_ENV");
    let message = serde_json::json!({"hook_event_name": "Stop", "cwd": project.repository.path()});
    let output = super::fed(&project, known, &message.to_string());
    output.expect_code(0);
    assert_eq!(output.json()["systemMessage"], "valid green by Proctor");
}

#[test]
fn the_rules_are_told_in_five_lines_when_a_session_starts() {
    let project = guarded();
    let output = claude(&project).starts();
    output.expect_code(0);
    let told = output.json()["hookSpecificOutput"]["additionalContext"].clone();
    let told = told.as_str().expect("a text").to_owned();
    insta::assert_snapshot!("rules", told);
    assert_eq!(told.lines().count(), 6, "a heading and five rules");
}

#[test]
fn hooks_that_run_at_once_wait_for_each_other() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| claude(&project).edit(SOURCE).pass());
        }
    });
    assert_eq!(agent.stage(), "sealed");
}
