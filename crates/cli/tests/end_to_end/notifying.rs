//! Calling a person: the bell, and `[notify] command`.

use proctor_testkit::{Reply, Script};

use crate::project::{PROMPT, Project, approve, good, scaffold};

/// A project whose command writes its own variables down.
fn project(settings: &str) -> Project {
    let project = Project::new();
    project.repository.write_executable(
        "call.sh",
        "#!/bin/sh\necho \"$PROCTOR_RUN|$PROCTOR_ISSUE|$PROCTOR_STAGE|$PROCTOR_STATE|$PROCTOR_WAITING_FOR|$PROCTOR_REPOSITORY\" >> ../calls\n",
    );
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("Call me");
    project
}

const CALL: &str = "[notify]\ncommand = \"./call.sh\"\n";

/// The calls, with names for the parts that differ.
fn calls(project: &Project) -> Vec<String> {
    let text = std::fs::read_to_string(project.environment.root().join("calls"));
    let text = text.unwrap_or_default();
    text.lines()
        .map(|line| project.environment.normalise(line))
        .collect()
}

#[test]
fn a_command_is_run_with_the_run_in_its_environment_when_a_review_waits() {
    let project = project(CALL);
    project.run(&good(), &["--auto"]).expect_code(3);
    assert_eq!(
        calls(&project),
        ["[RUN]|87|review|running|a person's decision at the diff review gate|[REPO]"]
    );
}

#[test]
fn a_person_at_the_terminal_is_called_once_before_the_question() {
    let project = project(CALL);
    let mut terminal = project.run_at_terminal(&good(), &[]);
    approve(&mut terminal);
    assert_eq!(calls(&project).len(), 1);
}

#[test]
fn a_run_that_is_parked_or_stopped_calls_too() {
    let parked = project(CALL);
    let reply = Reply::implement("mathkit/power.py", "### GIVE UP: no idea\n");
    let give_up = Script::new().reply(scaffold()).reply(reply);
    parked.run(&give_up, &[]).expect_code(3);
    let all = calls(&parked);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("|parked|"), "{all:?}");

    let stopped = project(CALL);
    stopped
        .run(&Script::new().reply(scaffold()), &[])
        .expect_code(5);
    let all = calls(&stopped);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("something to be fixed"), "{all:?}");
}

#[test]
fn a_command_that_fails_or_is_missing_changes_nothing() {
    for (command, words) in [("false", "code 1"), ("no-such-program", "not found")] {
        let project = project(&format!("[notify]\ncommand = \"{command}\"\n"));
        let output = project.run(&good(), &["--format", "json"]);
        output.expect_code(3);
        assert_eq!(output.json()["stage"], "review");
        assert!(output.stderr.contains(words), "{}", output.stderr);
    }
}

#[test]
fn the_bell_rings_at_a_terminal_when_the_work_took_long_enough() {
    let cases = [
        ("bell_after_seconds = 0", true),
        ("bell_after_seconds = 3600", false),
        ("bell = false\nbell_after_seconds = 0", false),
    ];
    for (settings, rings) in cases {
        let project = project(&format!("[notify]\n{settings}\n"));
        let mut terminal = project.run_at_terminal(&good(), &[]);
        terminal.expect(PROMPT);
        terminal.send_line("REJECT");
        terminal.wait();
        assert_eq!(terminal.raw_output().contains(&7), rings, "{settings}");
    }
}
