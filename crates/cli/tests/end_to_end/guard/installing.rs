//! `proctor guard install` and `uninstall`: other people's settings stay theirs.

use serde_json::Value;

use super::{CLIENTS, guarded};
use crate::messages::says;

/// The place of each client's hooks, and a foreign entry that exists before.
const FOREIGN: [(&str, &str, &str); 5] = [
    (
        "claude-code",
        ".claude/settings.json",
        "{\n    \"model\": \"x\",\n    \"permissions\": {\"deny\": [\"Read(./.env)\"]},\n    \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"echo hi\"}]}]}\n}",
    ),
    (
        "codex",
        ".codex/hooks.json",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}\n",
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "{\r\n\t\"theme\": \"dark\",\r\n\t\"hooks\": {}\r\n}\r\n",
    ),
    (
        "copilot",
        ".github/hooks/proctor.json",
        "{\"version\": 1, \"hooks\": {\"preToolUse\": []}}",
    ),
    (
        "cursor",
        ".cursor/hooks.json",
        "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{\"command\": \"./x.sh\"}]\n  }\n}\n",
    ),
];

/// Every foreign entry still exists.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, part)| whole.get(name).is_some_and(|whole| holds(whole, part))),
        (Value::Array(whole), Value::Array(part)) => part.iter().all(|part| whole.contains(part)),
        (whole, part) => whole == part,
    }
}

#[test]
fn hooks_of_others_stay_and_taking_ours_out_gives_the_same_bytes_back() {
    let project = guarded();
    let proctor = |words: &[&str]| {
        let output = project.environment.proctor(words);
        output.expect_code(0);
        output
    };
    for (client, file, before) in FOREIGN {
        project.repository.write(file, before);
        proctor(&["guard", "install", client, "--dry-run"]);
        assert_eq!(project.repository.read(file), before, "{client}");
        proctor(&["guard", "install", client]);
        let installed = project.repository.read(file);
        let (new, old): (Value, Value) = (
            serde_json::from_str(&installed).unwrap(),
            serde_json::from_str(before).unwrap(),
        );
        assert!(holds(&new, &old), "{client}: {installed}");
        assert!(installed.contains(&format!("proctor guard hook {client}")));
        let again = proctor(&["guard", "install", client]);
        assert_eq!(again.stdout, "nothing to change\n", "{client}");
        assert_eq!(project.repository.read(file), installed, "twice is once");
        proctor(&["guard", "uninstall", client]);
        assert_eq!(project.repository.read(file), before, "{client}");
        proctor(&["guard", "uninstall", client]);
        assert_eq!(project.repository.read(file), before, "{client}");

        // The file is edited meanwhile: only our entries go.
        proctor(&["guard", "install", client]);
        let edited = project
            .repository
            .read(file)
            .replacen('{', "{\"mine\": 1,", 1);
        project.repository.write(file, &edited);
        proctor(&["guard", "uninstall", client]);
        let left: Value = serde_json::from_str(&project.repository.read(file)).unwrap();
        assert_eq!(left["mine"], 1);
        assert!(
            !left.to_string().contains("proctor guard"),
            "{client}: {left}"
        );
    }
}

#[test]
fn where_nothing_was_nothing_is_left() {
    let project = guarded();
    for client in CLIENTS {
        project
            .environment
            .proctor(["guard", "install", client, "--git"])
            .expect_code(0);
    }
    let status = project.json(&["guard", "status"]);
    assert_eq!(status["clients"].as_array().unwrap().len(), 6, "{status}");
    assert_eq!(status["git_hooks"], true);
    let untrusted = project.environment.proctor(["guard", "doctor"]);
    untrusted.expect_code(1);
    assert!(
        untrusted
            .stderr
            .contains("codex: it was never told to trust")
    );
    let hooks = project.repository.path().join(".codex/hooks.json");
    let trusted = format!(
        "[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n",
        hooks.display()
    );
    project
        .environment
        .write("home/.codex/config.toml", trusted);
    let doctor = project.environment.proctor(["guard", "doctor"]);
    doctor.expect_code(0);
    insta::assert_snapshot!("doctor", doctor.stdout);
    project
        .environment
        .proctor(["guard", "uninstall"])
        .expect_code(0);
    assert_eq!(
        project
            .repository
            .git(["status", "--porcelain", "--ignored"]),
        ""
    );
    assert!(!project.repository.exists(".git/hooks/pre-push"));
    assert!(!project.repository.exists(".claude"));
}

#[test]
fn what_is_going_to_be_written_is_shown() {
    let project = guarded();
    project
        .repository
        .write(".claude/settings.json", "{\n  \"model\": \"x\"\n}\n");
    let output =
        project
            .environment
            .proctor(["guard", "install", "claude-code", "--git", "--dry-run"]);
    insta::assert_snapshot!("install_dry_run", output.normalised());
    assert!(!project.repository.exists(".git/hooks/pre-push"));
}

#[test]
fn settings_that_are_no_json_and_git_hooks_of_others_are_left_alone() {
    let project = guarded();
    project
        .repository
        .write(".claude/settings.json", "{ // mine\n}");
    let output = project
        .environment
        .proctor(["guard", "install", "claude-code"]);
    says(&output, 5, "hooks cannot be added to PATH: REASON");
    project
        .repository
        .write_executable(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
    let output = project
        .environment
        .proctor(["guard", "install", "codex", "--git"]);
    says(
        &output,
        5,
        "git has a hook at PATH already, and it is not Proctor's",
    );
    assert!(!project.repository.exists(".codex"), "all or nothing");
}

#[test]
fn a_client_that_cannot_find_proctor_is_found_by_the_doctor() {
    let mut project = guarded();
    project
        .environment
        .proctor(["guard", "install", "gemini"])
        .expect_code(0);
    let path = std::env::var("PATH").unwrap();
    project.environment.set_variable("PATH", path);
    let output = project.environment.proctor(["guard", "doctor"]);
    says(&output, 1, "the guard does not hold here\nCLIENT: REASON");
}
