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
        let answer = |path: &str| {
            let (event, message) = agent.edit_message(path);
            agent.hook(event, &message).normalised()
        };
        let (no, yes) = (answer("proctor.toml"), answer("README.md"));
        shown.extend([client, "\n", &no, &yes]);
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
fn installed_packages_run_the_tests_and_are_not_edited() {
    let project = guarded();
    let agent = super::claude(&project);
    agent.edit(super::TEST).pass();
    agent.write(super::TEST, crate::project::TESTS);
    agent.edit(SOURCE).pass();
    assert_eq!(agent.stage(), "sealed");
    let runner = ".venv/lib/python3.11/site-packages/_pytest/runner.py";
    for told in [
        agent.edit(runner).no(),
        agent
            .shell(&format!("sed -i s/failed/passed/ {runner}"))
            .no(),
        agent.shell("cp mine.js node_modules/vitest/index.js").no(),
    ] {
        assert!(told.contains("belongs to an installed package"), "{told}");
    }
    // To install is ordinary work.
    agent.shell("rm -rf node_modules && npm ci").pass();
    agent.shell("pip install pytest").pass();
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
