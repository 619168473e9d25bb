//! `proctor trust`: the effect of a repository's settings before a person has seen them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::messages::says;
use crate::project::{Project, TESTS, good, text};

/// A program that leaves a trace wherever it is started.
const TRACE: &str = "#!/bin/sh\ntouch \"$(dirname \"$0\")/../started\"\nexit 1\n";

/// A project whose settings are not trusted.
fn stranger(settings: &str) -> Project {
    let mut project = Project::new();
    project.environment.trust_nothing();
    project.repository.write_executable("trace.sh", TRACE);
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("Settings of a stranger");
    project.repository.write("tests/test_power.py", TESTS);
    project
}

fn trace(project: &Project) -> PathBuf {
    project.environment.root().join("started")
}

/// The words of `run`, without a model where the settings name it.
fn run_words(project: &Project, settings: &str) -> Vec<String> {
    let mut words = project.run_arguments(&project.script(&good()), &[]);
    if settings.contains("default") {
        words.truncate(5);
    }
    words
}

/// Settings that a stranger may write, and whether a gate alone would use them.
const LOWERING: [(&str, bool); 7] = [
    ("[sandbox]\nmode = \"off\"\n", true),
    ("[test]\ncommand = \"./trace.sh\"\n", true),
    ("[lint]\ncommand = \"./trace.sh\"\n", false),
    ("[worktree]\nsetup = \"./trace.sh\"\n", true),
    ("[worktree]\ncopy_ignored = [\".env\"]\n", true),
    ("[notify]\ncommand = \"./trace.sh\"\n", false),
    ("[model]\ndefault = \"command:./trace.sh\"\n", false),
];

#[test]
fn settings_that_lower_the_guard_are_refused_until_a_person_trusts_them() {
    for (settings, judges) in LOWERING {
        let project = stranger(settings);
        let environment = &project.environment;
        let output = environment.proctor(run_words(&project, settings));
        says(
            &output,
            4,
            "proctor.toml lowers the guard and is not trusted: KEY",
        );
        let gate = environment.proctor(["gate", "red", "--format", "json"]);
        if judges {
            gate.expect_code(4);
            let message = text(&gate.json()["error"]["hint"]);
            assert!(message.contains("proctor trust"), "{message}");
        } else {
            // It would not use that key, and the others count.
            gate.expect_code(0);
            assert_ne!(gate.json()["sandbox"], "off", "{settings}");
        }
        let doctor = environment.proctor(["doctor", "--format", "json"]);
        let checks = doctor.json()["checks"].clone();
        let mut checks = checks.as_array().unwrap().iter();
        let found = checks.find(|check| check["id"] == "settings").unwrap();
        assert_eq!(found["status"], "error", "{settings}");
        assert!(!trace(&project).exists(), "{settings}");
        assert_eq!(project.leftovers(), [""; 0], "{settings}");
    }
}

#[test]
fn what_keeps_the_guard_up_counts_without_trust() {
    let project =
        stranger("[test]\nred = \"all\"\n[lint]\ncommand = []\n[sandbox]\nmode = \"auto\"\n");
    let output = project.environment.proctor(["gate", "red"]);
    output.expect_code(0);
    let output = project.environment.proctor(["trust"]);
    output.expect_code(0);
    assert_eq!(output.stdout, "nothing in proctor.toml lowers the guard\n");
}

fn answer(project: &Project, word: &str, code: i32) -> String {
    let mut terminal = project.environment.proctor_on_terminal(["trust"]);
    terminal.expect("Type TRUST");
    terminal.send_line("yes");
    terminal.expect("Only a whole word is accepted: TRUST, LEAVE.");
    terminal.send_line(word);
    assert_eq!(terminal.wait(), code, "{}", terminal.screen());
    project.environment.normalise(&terminal.screen())
}

#[test]
fn a_person_who_trusts_is_asked_again_when_the_content_changes() {
    let settings = "[sandbox]\nmode = \"off\"\n";
    let project = stranger(settings);
    let gate = |code| {
        let output = project.environment.proctor(["gate", "red"]);
        output.expect_code(code);
        output
    };
    let screen = answer(&project, "leave", 1);
    assert!(
        screen.contains("sandbox.mode = \"off\"")
            && screen.contains("tests and linters can do whatever you can"),
        "{screen}"
    );
    says((1, screen.as_str()), 1, "nothing is trusted");
    gate(4);
    answer(&project, "trust", 0);
    gate(0);
    let again = project.environment.proctor(["trust", "--format", "json"]);
    again.expect_code(0);
    let document = again.json();
    assert_eq!(document["trusted"], true);
    assert_eq!(
        document["digest"],
        project
            .environment
            .settings_digests()
            .split(',')
            .next()
            .unwrap()
    );
    assert_eq!(
        document["lowers"],
        json!([{ "key": "sandbox.mode", "value": "\"off\"", "allows": "tests and linters can do whatever you can" }])
    );
    // One more word, and no person has seen it.
    let repository = &project.repository;
    repository.write(
        "proctor.toml",
        format!("{settings}[notify]\ncommand = \"./trace.sh\"\n"),
    );
    repository.git(["commit", "--quiet", "-am", "One more"]);
    gate(4);
    // Content that was trusted before still is.
    repository.write("proctor.toml", settings);
    repository.git(["commit", "--quiet", "-am", "Back"]);
    gate(0);
    project
        .environment
        .proctor(["trust", "--revoke"])
        .expect_code(0);
    gate(4);
}

#[test]
fn the_settings_of_the_last_commit_are_asked_about_too() {
    let project = stranger("[sandbox]\nmode = \"off\"\n");
    project.repository.write("proctor.toml", "");
    project.environment.proctor(["gate", "red"]).expect_code(4);
    let screen = answer(&project, "TRUST", 0);
    assert!(
        screen.contains("proctor.toml of the last commit"),
        "{screen}"
    );
    project.environment.proctor(["gate", "red"]).expect_code(0);
}

#[test]
fn trust_in_one_repository_is_not_trust_in_another() {
    let project = stranger("[worktree]\nsetup = \"true\"\n");
    answer(&project, "TRUST", 0);
    project.environment.proctor(["gate", "red"]).expect_code(0);
    let copy = project.environment.root().join("copy");
    let copy = copy.to_str().unwrap();
    project.repository.git(["clone", "--quiet", ".", copy]);
    std::fs::write(format!("{copy}/tests/test_power.py"), TESTS).unwrap();
    let judged = ["-C", copy, "gate", "red"];
    project.environment.proctor(judged).expect_code(4);
    // A worktree belongs to its repository.
    let tree = project.environment.root().join("tree");
    let tree = tree.to_str().unwrap();
    project.repository.git(["worktree", "add", "--quiet", tree]);
    let trusted = project.environment.proctor(["-C", tree, "trust"]);
    assert_eq!(trusted.stdout, "proctor.toml is trusted already\n");
}

#[test]
fn an_agents_terminal_is_never_asked_for_trust() {
    let mut project = stranger("[worktree]\nsetup = \"true\"\n");
    project.environment.set_variable("CLAUDECODE", "1");
    let mut terminal = project.environment.proctor_on_terminal(["trust"]);
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(screen.contains("worktree.setup = \"true\""), "{screen}");
    assert!(!screen.contains("Type TRUST"), "{screen}");
    project.environment.remove_variable("CLAUDECODE");
    answer(&project, "TRUST", 0);
}

#[test]
fn without_a_terminal_a_person_is_needed_or_a_digest() {
    let mut project = stranger("[worktree]\nsetup = \"true\"\n");
    let digests = project.environment.settings_digests();
    let digest = digests.split(',').next().unwrap().to_owned();
    let output = project.environment.proctor(["trust"]);
    says(
        &output,
        3,
        "a person has to decide about this at a terminal; nothing is trusted",
    );
    assert!(
        output.stderr.contains("worktree.setup = \"true\""),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains(&format!("PROCTOR_TRUST={digest}")),
        "{}",
        output.stderr
    );
    let output = project.environment.proctor(["trust", "--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["trusted"], Value::Bool(false));
    assert_eq!(output.json()["digest"], digest);
    project
        .environment
        .set_variable("PROCTOR_TRUST", "0".repeat(64));
    project.environment.proctor(["gate", "red"]).expect_code(4);
    let both = format!("{}, {digest}", "0".repeat(64));
    project.environment.set_variable("PROCTOR_TRUST", both);
    project.environment.proctor(["gate", "red"]).expect_code(0);
}

#[test]
fn hidden_characters_in_a_command_are_spelled_out_before_it_is_trusted() {
    let project = stranger("[notify]\ncommand = [\"echo\", \"\\u001b[2J\\u202e\"]\n");
    let output = project.environment.proctor(["trust"]);
    output.expect_code(3);
    assert!(
        !output.stderr.contains(['\u{1b}', '\u{202e}']),
        "{:?}",
        output.stderr
    );
}

#[test]
fn the_settings_that_init_writes_are_trusted_by_writing_them() {
    let mut project = Project::without_settings();
    project.environment.trust_nothing();
    project
        .environment
        .put_program("ruff", "#!/bin/sh\nexit 0\n");
    project.repository.write("ruff.toml", "");
    project.environment.proctor(["init"]).expect_code(0);
    let settings = project.repository.read("proctor.toml");
    assert!(
        settings.contains("\ncommand = \"ruff check\"\n"),
        "{settings}"
    );
    let output = project.environment.proctor(["trust"]);
    assert_eq!(output.stdout, "proctor.toml is trusted already\n");
}

#[test]
fn where_nothing_can_be_remembered_nothing_is_trusted() {
    let mut project = stranger("[worktree]\nsetup = \"true\"\n");
    for name in ["HOME", "XDG_STATE_HOME", "PROCTOR_STATE_DIR"] {
        project.environment.remove_variable(name);
    }
    let mut terminal = project.environment.proctor_on_terminal(["trust"]);
    terminal.expect("Type TRUST");
    terminal.send_line("TRUST");
    says(
        &mut terminal,
        5,
        "there is no directory to remember trust in: HOME is not set",
    );
}
