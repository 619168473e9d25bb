//! If a hook fails in any way, the tool does not run.

use std::path::Path;

use serde_json::{Value, json};

use super::{Agent, CLIENTS, SOURCE, claude, fed, guarded};
use crate::messages::says;
use crate::project::Project;

/// The shell line that a client would run before a tool.
fn installed_command(project: &Project, client: &str, file: &str, pointer: &str) -> String {
    project
        .environment
        .proctor(["guard", "install", client])
        .expect_code(0);
    let settings: Value = serde_json::from_str(&project.repository.read(file)).expect("settings");
    let command = settings.pointer(pointer).and_then(Value::as_str);
    command.expect("a command").to_owned()
}

/// What Claude Code sends before it writes a file, from wherever it is.
fn edit_from(here: &Path, file: impl AsRef<Path>) -> String {
    let message = json!({"hook_event_name": "PreToolUse", "cwd": here, "tool_name": "Write",
        "tool_input": {"file_path": file.as_ref()}});
    message.to_string()
}

const PLACES: [(&str, &str, &str); 5] = [
    (
        "claude-code",
        ".claude/settings.json",
        "/hooks/PreToolUse/0/hooks/0/command",
    ),
    (
        "codex",
        ".codex/hooks.json",
        "/hooks/PreToolUse/0/hooks/0/command",
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "/hooks/BeforeTool/0/hooks/0/command",
    ),
    (
        "copilot",
        ".github/hooks/proctor.json",
        "/hooks/preToolUse/0/bash",
    ),
    (
        "cursor",
        ".cursor/hooks.json",
        "/hooks/preToolUse/0/command",
    ),
];

#[test]
fn a_program_that_is_missing_stops_every_tool() {
    let project = guarded();
    for (client, file, pointer) in PLACES {
        let command = installed_command(&project, client, file, pointer);
        let mut shell = project.environment.command("/bin/sh");
        shell.args(["-c", &command]).env("PATH", "/usr/bin:/bin");
        let output = fed(&project, shell, "{}");
        assert_eq!(output.code, 2, "{client}: {}", output.stderr);
        assert!(
            output.stderr.contains("proctor guard did not answer"),
            "{}",
            output.stderr
        );
    }
}

#[test]
fn the_installed_line_answers_where_the_program_is_there() {
    let project = guarded();
    for (client, file, pointer) in PLACES {
        let command = installed_command(&project, client, file, pointer);
        let mut shell = project.environment.command("sh");
        shell.args(["-c", &command]);
        let agent = Agent {
            project: &project,
            client,
        };
        let (event, message) = agent.edit_message("proctor.toml");
        let output = fed(&project, shell, &agent.report(event, &message));
        output.expect_code(0);
        assert!(
            output.stdout.contains("\"deny\""),
            "{client}: {}",
            output.stdout
        );
    }
}

#[test]
fn garbage_is_answered_with_no() {
    let project = guarded();
    for client in CLIENTS {
        for input in [
            "",
            "garbage",
            "[]",
            "{\"tool_name\":\"Write\"}",
            "\u{1b}[2J",
        ] {
            let command =
                project
                    .environment
                    .proctor_command(["guard", "hook", client, "PreToolUse"]);
            let output = fed(&project, command, input);
            assert_eq!(output.code, 2, "{client} {input:?}");
            assert!(
                output.stdout.contains("\"deny\""),
                "{client}: {}",
                output.stdout
            );
        }
    }
    let command = project
        .environment
        .proctor_command(["guard", "hook", "claude-code"]);
    let output = fed(&project, command, "{}");
    says(&output, 2, "the guard's hook says no: REASON");
}

#[test]
fn a_deadline_that_passes_is_a_no_and_an_end_is_not_held_for_good() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(super::TEST).pass();
    agent.write(super::TEST, crate::project::TESTS);
    let words = ["guard", "hook", "claude-code", "--deadline", "0"];
    let command = project.environment.proctor_command(words);
    let edit = edit_from(project.repository.path(), SOURCE);
    let output = fed(&project, command, &edit);
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert!(output.stdout.contains("\"deny\""), "{}", output.stdout);
    assert_eq!(agent.stage(), "open", "nothing was decided");
}

#[test]
fn outside_of_a_repository_nothing_may_be_written() {
    let project = guarded();
    let mut command = project
        .environment
        .proctor_command(["guard", "hook", "claude-code"]);
    command.current_dir(project.environment.home());
    let edit = json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "x.py"}});
    let output = fed(&project, command, &edit.to_string());
    assert_eq!(output.code, 2);
    assert!(output.stdout.contains("\"deny\""), "{}", output.stdout);
}

#[test]
fn an_agent_that_walks_away_stays_guarded() {
    let project = guarded();
    let elsewhere = project.environment.init_repository_at("elsewhere");
    elsewhere.write("x", "");
    elsewhere.commit_all("x");
    let mut command = project
        .environment
        .proctor_command(["guard", "hook", "claude-code"]);
    command.env("CLAUDE_PROJECT_DIR", project.repository.path());
    let path = project.repository.path().join(SOURCE);
    let output = fed(&project, command, &edit_from(elsewhere.path(), path));
    output.expect_code(0);
    assert!(
        output.stdout.contains("no source before a failing test"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_worktree_beside_is_no_way_around() {
    let project = guarded();
    let beside = project.environment.root().join("beside");
    let place = beside.display().to_string();
    project
        .repository
        .git(["worktree", "add", "-q", &place, "-b", "beside"]);
    let main = project.repository.path();
    // From either checkout, a file of either is guarded by the session of its own.
    let beside = beside.as_path();
    for (from, to) in [(main, beside), (beside, main), (beside, beside)] {
        let command = project
            .environment
            .proctor_command(["guard", "hook", "claude-code"]);
        let output = fed(&project, command, &edit_from(from, to.join(SOURCE)));
        output.expect_code(0);
        assert!(
            output.stdout.contains("no source before a failing test"),
            "{}",
            output.stdout
        );
    }
}

#[test]
fn a_panic_is_a_no() {
    let project = guarded();
    for client in CLIENTS {
        let agent = Agent {
            project: &project,
            client,
        };
        let (event, message) = agent.edit_message("README.md");
        agent.hook(event, &message).expect_code(0);
        let words = ["guard", "hook", client, event];
        let mut command = project.environment.proctor_command(words);
        command.env("PROCTOR_PANIC_AT", "guard decided");
        let output = fed(&project, command, &agent.report(event, &message));
        assert_eq!(output.code, 2, "{client}: {}", output.stderr);
        assert!(
            output.stdout.contains("\"deny\""),
            "{client}: {}",
            output.stdout
        );
    }
}
