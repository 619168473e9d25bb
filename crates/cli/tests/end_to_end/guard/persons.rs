//! Matters that only a person decides.

use super::{Agent, SOURCE, TEST, claude, guarded};
use crate::messages::says;
use crate::project::{Project, TESTS};

fn sealed() -> Project {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    project
}

fn answer(project: &Project, command: &str, word: &str, code: i32) -> String {
    let mut terminal = project.environment.proctor_on_terminal(["guard", command]);
    terminal.expect("Type ");
    terminal.send_line(word);
    assert_eq!(terminal.wait(), code, "{}", terminal.screen());
    project.environment.normalise(&terminal.screen())
}

#[test]
fn a_person_at_a_terminal_reopens_and_switches_off_and_on() {
    let project = sealed();
    let agent = claude(&project);
    let screen = answer(&project, "reopen", "leave", 1);
    says((1, screen.as_str()), 1, "the guard stays as it is");
    agent.edit(TEST).no();
    answer(&project, "reopen", "reopen", 0);
    agent.edit(TEST).pass();
    assert_eq!(agent.stage(), "open");
    answer(&project, "off", "off", 0);
    agent.edit("proctor.toml").pass();
    assert_eq!(agent.stage(), "off");
    answer(&project, "reopen", "reopen", 0);
    agent.edit("proctor.toml").no();
    let log = project.environment.proctor(["log"]);
    assert!(log.stdout.contains("guard"), "{}", log.stdout);
}

#[test]
fn an_agents_shell_and_a_pipe_decide_nothing() {
    let mut project = sealed();
    project.environment.proctor(["guard", "off"]).expect_code(3);
    let output = project.environment.proctor(["guard", "reopen"]);
    says(
        &output,
        3,
        "a person has to decide about this at a terminal; the guard stays as it is",
    );
    for mark in ["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI"] {
        project.environment.set_variable(mark, "1");
        for command in ["reopen", "off", "uninstall"] {
            let output = project.environment.proctor(["guard", command]);
            output.expect_code(3);
            if command == "reopen" {
                says(
                    &output,
                    3,
                    "this is a coding agent's terminal (VARIABLE is set), and what becomes of the guard is a person's",
                );
            }
        }
        project.environment.remove_variable(mark);
    }
    let agent = Agent {
        project: &project,
        client: "codex",
    };
    assert_eq!(agent.stage(), "sealed");
    let output = project.environment.proctor(["guard", "refactor"]);
    says(&output, 1, "that is not possible now: REASON");
}
