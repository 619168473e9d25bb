//! `PROCTOR_LOG`: every process with its arguments and its time, beside everything else.

use proctor_testkit::Terminal;

use crate::desk::{Desk, numbered};

const KEY: &str = "ghp_0aB1cD2eF3gH4iJ5kL6m7nO8pQ9rS0tU1vW2";

fn desk(level: &str) -> Desk {
    let mut desk = Desk::new();
    desk.environment.set_variable("PROCTOR_LOG", level);
    desk.repository.write("a.txt", "a\n");
    desk
}

#[test]
fn every_git_call_is_logged_with_its_end_its_time_and_its_arguments() {
    let desk = desk("debug");
    let review = ["review", "--dry-run", "--format", "json"];
    let output = desk.environment.proctor(review);
    output.expect_code(0);
    // Standard output has the document and nothing else.
    assert_eq!(output.json()["files"][0]["path"], "a.txt");
    let calls: Vec<&str> = output.stderr.lines().collect();
    for call in &calls {
        let (ended, words) = call.split_once(" ms: ").expect("a time");
        let start = "DEBUG proctor_host::process::call: exit status: ";
        assert!(ended.starts_with(start), "{call}");
        let (program, _) = words.split_once(' ').expect("arguments");
        assert!(program.ends_with("git"), "{call}");
    }
    for arguments in ["rev-parse --is-bare-repository", "write-tree", "diff-tree"] {
        let is_there = calls.iter().any(|call| call.contains(arguments));
        assert!(is_there, "{arguments}: {calls:#?}");
    }
}

#[test]
fn without_it_or_with_off_nothing_is_logged() {
    for level in ["", "off", "error"] {
        let output = desk(level).environment.proctor(["review", "--dry-run"]);
        output.expect_code(0);
        assert!(!output.stderr.contains("proctor_host"), "{}", output.stderr);
    }
}

#[test]
fn a_key_among_the_arguments_is_masked_in_the_log() {
    let model = format!("command:/bin/echo --key {KEY}");
    let doctor = ["doctor", "--model", &model];
    let output = desk("trace").environment.proctor(doctor);
    let of_model = output.stderr.lines().find(|line| line.contains("echo"));
    let of_model = of_model.unwrap_or_else(|| panic!("{}", output.stderr));
    assert!(of_model.contains("/bin/echo --key "), "{of_model}");
    assert!(!output.stderr.contains(KEY), "{}", output.stderr);
}

#[test]
fn on_a_terminal_no_line_is_drawn_over_while_the_log_is_on() {
    let mut desk = desk("debug");
    desk.environment.remove_variable("PAGER");
    desk.repository.write("a.txt", numbered("line", 199));
    let command = desk.environment.proctor_command(["review", "-m", "a"]);
    let mut terminal = Terminal::spawn(&command);
    terminal.expect("DEBUG proctor_host::process::call: exit status: 0 after ");
    // Printed, not paged.
    terminal.expect("+line = 199");
    terminal.expect("DIFF shows it again");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
    let raw = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    assert!(!raw.contains("\x1b[?1049h") && !raw.contains("\x1b[2K"));
}

#[test]
fn a_level_that_does_not_exist_is_wrong_usage() {
    let output = desk("loud").environment.proctor(["review", "--dry-run"]);
    output.expect_code(2);
    insta::assert_snapshot!(output.stderr, @r#"
    error: there is no level "loud", which PROCTOR_LOG names
    hint: set it to off, error, warn, info, debug or trace
    "#);
}
