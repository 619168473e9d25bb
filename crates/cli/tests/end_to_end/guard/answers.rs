//! The whole answer of every client, to the byte.

use super::{Agent, CLIENTS, SOURCE, guarded};

#[test]
fn every_client_is_answered_in_its_own_form() {
    let project = guarded();
    let mut shown = String::new();
    for client in CLIENTS {
        let agent = Agent {
            project: &project,
            client,
        };
        let message = match client {
            "copilot" => {
                serde_json::json!({"toolName": "edit", "toolArgs": {"path": "proctor.toml"}})
            }
            "opencode" => serde_json::json!({"tool": "edit", "args": {"filePath": "proctor.toml"}}),
            "codex" => serde_json::json!({"tool_name": "apply_patch",
                "tool_input": {"command": "*** Begin Patch\n*** Delete File: proctor.toml\n*** End Patch"}}),
            _ => {
                serde_json::json!({"tool_name": "Write", "tool_input": {"file_path": "proctor.toml"}})
            }
        };
        let no = agent.hook(agent.events()[1], &message);
        let yes = agent.hook(agent.events()[1], &{
            let text = message.to_string().replace("proctor.toml", "README.md");
            serde_json::from_str(&text).unwrap()
        });
        shown.extend([client, "\n", &no.normalised(), &yes.normalised()]);
    }
    insta::assert_snapshot!("answers", shown);
}

#[test]
fn links_and_dots_lead_to_the_file_that_is_written() {
    let project = guarded();
    std::os::unix::fs::symlink("proctor.toml", project.repository.path().join("notes.md")).unwrap();
    let agent = super::claude(&project);
    for path in [
        "notes.md",
        "./proctor.toml",
        "mathkit/../proctor.toml",
        ".git/config",
        ".claude/settings.json",
        "PROCTOR.TOML",
    ] {
        let told = agent.edit(path).no();
        assert!(told.contains("a person changes it"), "{path}: {told}");
    }
    agent.edit("../outside.txt").pass();
    agent.edit("README.md").pass();
    agent.edit(SOURCE).no();
}

#[test]
fn settings_that_lose_the_hooks_are_not_taken_over() {
    let project = guarded();
    project
        .environment
        .proctor(["guard", "install", "claude-code"])
        .expect_code(0);
    let agent = super::claude(&project);
    let changed = || {
        agent.hook(
            "ConfigChange",
            &serde_json::json!({"source": "project_settings"}),
        )
    };
    changed().expect_code(0);
    project.repository.write(".claude/settings.json", "{}\n");
    assert_eq!(changed().code, 2, "the client keeps the old ones");
}
