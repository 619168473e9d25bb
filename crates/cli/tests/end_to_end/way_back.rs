//! The ways back from sealed tests to their writing. Each ends merged.

use std::path::Path;

use proctor_testkit::{Reply, Script, file_reply};

use crate::messages::says;
use crate::project::{
    POWERS, PROMPT, Project, TESTS, WRONG_POWERS, approve, good, implement, scaffold, text,
};

/// Tests that expect the wrong number.
pub(crate) const WRONG_TESTS: &str = "\
from mathkit.power import cube, square


def test_square():
    assert square(3) == 9


def test_cube():
    assert cube(3) == 28
";

/// Tests of which one calls a function outside the project with an argument that it does not take.
pub(crate) const FOREIGN_CALL: &str = "\
import json

from mathkit.power import cube, square


def test_square():
    assert square(3) == 9


def test_cube():
    assert json.dumps(cube(3), precision=0) == \"27\"
";

/// Tests of which one depends on a fixture that fails on its own.
const FAILING_FIXTURE: &str = "\
import pytest

from mathkit.power import cube, square


@pytest.fixture
def powers():
    return {\"cube\": cube(3)}[\"cubes\"]


def test_square():
    assert square(3) == 9


def test_cube(powers):
    assert powers == 27
";

pub(crate) fn tests(content: &str) -> Reply {
    Reply::scaffold(file_reply("tests/test_power.py", content))
}

pub(crate) fn says_tests_are_wrong(reason: &str) -> Reply {
    let reply = format!("### TESTS ARE WRONG: {reason}\n");
    Reply::implement("mathkit/power.py", reply)
}

/// A person approves a parked run.
fn review_and_approve(project: &Project) {
    let run = project.run_id();
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    approve(&mut terminal);
}

fn is_merged_with(project: &Project, tests: &str) {
    assert_eq!(project.status()["state"], "merged");
    let merged = project.repository.file_at("HEAD", "tests/test_power.py");
    assert_eq!(merged, tests);
    let source = project.repository.file_at("HEAD", "mathkit/power.py");
    assert_eq!(source, POWERS);
}

/// The output of `proctor log`, a line per record, without times and ids.
fn trail(project: &Project) -> String {
    let log = project.json(&["log", &project.run_id()]);
    let records = log["records"].as_array().expect("a list of records");
    let line = |record: &serde_json::Value| {
        let body = &record["body"];
        format!("{} {}", text(&body["event"]), text(&record["actor"]))
    };
    let lines: Vec<String> = records
        .iter()
        .filter(|record| record["body"]["event"].is_string())
        .map(line)
        .collect();
    lines.join("\n")
}

fn worktree_test(project: &Project) -> std::path::PathBuf {
    Path::new(&text(&project.status()["worktree"])).join("tests/test_power.py")
}

#[test]
fn a_failure_that_lies_in_the_test_goes_back_by_itself_and_the_code_is_kept() {
    for (wrong, rule) in [
        (FOREIGN_CALL, "wrong_call"),
        (FAILING_FIXTURE, "fixture_error"),
    ] {
        let project = Project::new();
        // One implementation is enough: it was right.
        let script = Script::new()
            .reply(tests(wrong))
            .reply(implement(POWERS))
            .reply(scaffold());
        let output = project.run(&script, &[]);
        output.expect_code(3);
        let screen = &output.stderr;
        assert!(screen.contains("the tests are at fault"), "{screen}");
        let log = project.json(&["log"]).to_string();
        assert!(log.contains(&format!("\"rule\":\"{rule}\"")), "{log}");
        let run = project.status();
        assert_eq!(run["stage"], "review", "{screen}");
        assert_eq!(run["attempts"]["scaffold"], 2);
        assert_eq!(run["attempts"]["implement"], 1);
        review_and_approve(&project);
        is_merged_with(&project, TESTS);
    }
}

#[test]
fn tests_that_a_model_calls_wrong_are_written_again_and_the_review_shows_both() {
    let project = Project::new();
    let script = Script::new()
        .reply(tests(WRONG_TESTS))
        .reply(says_tests_are_wrong("cube(3) is 27, the document says so"))
        .reply(scaffold())
        .reply(implement(POWERS));
    project.run(&script, &[]).expect_code(3);
    let run = project.run_id();
    let output = project.environment.proctor(["review", &run, "--dry-run"]);
    insta::assert_snapshot!("opened_tests", output.normalised());
    let sheet = project.json(&["review", &run, "--dry-run"]);
    assert!(sheet["flagged"].to_string().contains("tests/test_power.py"));
    assert!(sheet.to_string().contains("TESTS-CHANGED"), "{sheet:#}");
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
    let trail = trail(&project);
    assert!(trail.contains("tests_disputed model"), "{trail}");
}

#[test]
fn a_second_time_a_person_says_whether_the_model_is_right() {
    let project = Project::new();
    let script = Script::new()
        .reply(tests(WRONG_TESTS))
        .reply(says_tests_are_wrong("cube(3) is 27"))
        .reply(tests(WRONG_TESTS))
        .reply(says_tests_are_wrong("cube(3) is 27, really"))
        .reply(scaffold())
        .reply(implement(POWERS));
    let output = project.run(&script, &[]);
    says(
        &output,
        3,
        "run RUN waits for a person: the model says again that the tests are wrong (REASON)",
    );
    assert!(
        output.stderr.contains("cube(3) is 27, really"),
        "{}",
        output.stderr
    );
    let run = project.run_id();
    let words = "it is right, cube(3) is 27";
    let output = project
        .environment
        .proctor(["resume", &run, "--tests", words]);
    output.expect_code(3);
    assert_eq!(project.status()["stage"], "review", "{}", output.stderr);
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
    let log = project.json(&["log"]).to_string();
    assert!(log.contains(words), "{log}");
}

#[test]
fn a_model_that_only_disputes_cannot_merge_and_a_person_who_keeps_the_tests_is_obeyed() {
    let project = Project::new();
    let script = Script::new()
        .reply(scaffold())
        .reply(says_tests_are_wrong("too hard"))
        .reply(scaffold())
        .reply(says_tests_are_wrong("still too hard"))
        .reply(implement(POWERS));
    project.run(&script, &[]).expect_code(3);
    let run = project.run_id();
    project.environment.proctor(["resume", &run]).expect_code(3);
    // The tests came back as they were: there is nothing to warn of.
    let sheet = project.json(&["review", &run, "--dry-run"]);
    assert!(!sheet.to_string().contains("TESTS-CHANGED"), "{sheet:#}");
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
}

#[test]
fn a_spent_budget_names_every_way_on_and_words_about_the_tests_lead_to_the_merge() {
    let project = Project::new();
    let script = Script::new()
        .reply(tests(WRONG_TESTS))
        .reply(implement(POWERS))
        .reply(implement(POWERS))
        .reply(implement(POWERS))
        .reply(scaffold());
    let output = project.run(&script, &["--quiet"]);
    insta::assert_snapshot!("spent_budget", output.normalised());
    let run = project.run_id();
    let empty = project
        .environment
        .proctor(["resume", &run, "--tests", " "]);
    empty.expect_code(2);
    let output = project
        .environment
        .proctor(["resume", &run, "--tests", "cube(3) is 27"]);
    output.expect_code(3);
    assert_eq!(project.status()["stage"], "review", "{}", output.stderr);
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
    let output = project
        .environment
        .proctor(["resume", &run, "--tests", "once more"]);
    says(
        &output,
        1,
        "run RUN is merged at STAGE, where its tests cannot be written again",
    );
}

#[test]
fn the_model_reads_why_what_stands_and_each_file_once() {
    let project = Project::new();
    let prompts = project.environment.root().join("prompts");
    std::fs::create_dir(&prompts).expect("the root is writable");
    let reply = |name: &str, file: &str, content: &str| {
        let text = format!("{}### END\n", file_reply(file, content));
        project.environment.write(name, text).display().to_string()
    };
    let wrong = reply("wrong.txt", "tests/test_power.py", WRONG_TESTS);
    let right = reply("right.txt", "tests/test_power.py", TESTS);
    let power = reply("power.txt", "mathkit/power.py", POWERS);
    let program = project.environment.write(
        "model.sh",
        format!(
            "#!/bin/sh\nn=$(ls {p} | wc -l)\ncat > {p}/$n\nif grep -q 'Your task: the tests' {p}/$n; then\n\
             if [ $n = 0 ]; then cat {wrong}; else cat {right}; fi\nelse cat {power}; fi\n",
            p = prompts.display()
        ),
    );
    let model = format!("command:sh {}", program.display());
    project.run_with(&model, &["--quiet"]).expect_code(3);
    let run = project.run_id();
    let words = ["resume", &run, "--tests", "a cube of three is 27"];
    project.environment.proctor(words).expect_code(3);
    let prompt = |number: u32| {
        let path = prompts.join(number.to_string());
        std::fs::read_to_string(path).expect("a prompt")
    };
    let count = |text: &str, words: &str| text.matches(words).count();
    // A retry of the implementation.
    let second = prompt(2);
    for once in [
        "from mathkit.power import cube, square",
        "def cube(x):",
        "Your last attempt did not pass",
    ] {
        assert_eq!(count(&second, once), 1, "{once}: {second}");
    }
    // The tests again.
    let again = prompt(4);
    for once in [
        "assert cube(3) == 28",
        "A person asks for other tests",
        "a cube of three is 27",
    ] {
        assert_eq!(count(&again, once), 1, "{once}: {again}");
    }
    let run = project.run_id();
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect(PROMPT);
    terminal.send_line("COMMENT mathkit/power.py:1: say what it is for");
    terminal.expect("sent back with comments");
    terminal.expect(PROMPT);
    let comment = prompt(5);
    for once in [
        "A reviewer has read your last attempt",
        "say what it is for",
        "def cube(x):",
    ] {
        assert_eq!(count(&comment, once), 1, "{once}: {comment}");
    }
    assert!(!comment.contains("did not pass"), "{comment}");
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    is_merged_with(&project, TESTS);
}

#[test]
fn another_model_goes_on_where_one_stopped() {
    let project = Project::new();
    let script = Script::new().reply(scaffold());
    project.run(&script, &[]).expect_code(5);
    let run = project.run_id();
    let other = Script::new().reply(implement(POWERS));
    let other = other.write_to(project.environment.root().join("other.jsonl"));
    let unknown = project
        .environment
        .proctor(["resume", &run, "--model", "unknown"]);
    unknown.expect_code(2);
    let output = project
        .environment
        .proctor(["resume", &run, "--model", &other]);
    output.expect_code(3);
    let chosen = trail(&project);
    assert!(chosen.contains("model_chosen"), "{chosen}");
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
}

#[test]
fn a_comment_on_a_test_leads_to_the_tests_and_a_comment_on_code_leaves_them_sealed() {
    let project = Project::new();
    let more = format!("{TESTS}\n\ndef test_cube_of_a_negative():\n    assert cube(-2) == -8\n");
    let script = good().reply(tests(&more)).reply(implement(POWERS));
    let mut terminal = project.run_at_terminal(&script, &[]);
    terminal.expect(PROMPT);
    terminal.send_line("COMMENT tests/test_power.py:9: ask for a negative number too");
    terminal.expect("TESTS-CHANGED");
    terminal.expect("since it was first sealed");
    terminal.expect(PROMPT);
    assert_eq!(project.status()["attempts"]["scaffold"], 2);
    terminal.send_line("COMMENT mathkit/power.py: leave it as it is");
    terminal.expect("sent back with comments");
    approve(&mut terminal);
    let run = project.status();
    assert_eq!(run["attempts"]["scaffold"], 2);
    assert_eq!(run["attempts"]["implement"], 2);
    is_merged_with(&project, &more);
}

#[test]
fn a_persons_own_edit_of_a_test_is_shown_judged_and_merged() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let own = format!("{TESTS}    assert cube(-2) == -8\n");
    std::fs::write(worktree_test(&project), &own).expect("the worktree is there");
    // No person can decide about it.
    for command in ["resume", "review"] {
        says(
            &project.environment.proctor([command, &run]),
            3,
            "PATH: changed in the worktree, and a person has to say whether that takes the place of the tests",
        );
    }
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect("+    assert cube(-2) == -8");
    terminal.expect("Type TAKE");
    terminal.send_line("yes");
    terminal.expect("Only a whole word is accepted: TAKE, RESTORE.");
    terminal.send_line("TAKE");
    terminal.expect("since it was first sealed");
    approve(&mut terminal);
    is_merged_with(&project, &own);
    let trail = trail(&project);
    assert!(trail.contains("tests_taken "), "{trail}");
    assert_eq!(trail.matches("red_judged").count(), 2, "{trail}");
    assert_eq!(trail.matches("green_judged").count(), 2, "{trail}");
}

#[test]
fn an_edit_that_is_declined_is_put_back_and_kept_under_a_name() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let own = format!("{TESTS}    assert False\n");
    std::fs::write(worktree_test(&project), &own).expect("the worktree is there");
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("Type TAKE");
    terminal.send_line("RESTORE");
    terminal.expect("your text is kept:");
    terminal.expect(PROMPT);
    let put_back = std::fs::read_to_string(worktree_test(&project)).expect("the test");
    assert_eq!(put_back, TESTS);
    let kept = project.repository.git([
        "for-each-ref",
        "--format=%(refname)",
        "refs/proctor/rescue/files",
    ]);
    let kept = project.repository.git(["show", kept.trim()]);
    assert_eq!(kept.trim_end(), own.trim_end());
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    is_merged_with(&project, TESTS);
}

/// A test file of a person's own, beside the run's.
const MORE_TESTS: &str = "\
from mathkit.power import cube


def test_cube_of_a_negative():
    assert cube(-2) == -8
";

#[test]
fn a_new_test_file_of_a_persons_own_is_noticed_judged_and_merged() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let tests = worktree_test(&project).parent().expect("tests").to_owned();
    // Programs' leftovers, and files that are not tests, are not an edit of the tests.
    std::fs::create_dir(tests.join("__pycache__")).expect("the worktree is there");
    std::fs::write(tests.join("__pycache__/test_power.pyc"), "x").expect("written");
    std::fs::write(tests.with_file_name("notes.txt"), "x").expect("written");
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect(PROMPT);
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    std::fs::write(tests.join("test_more.py"), MORE_TESTS).expect("the worktree is there");
    for command in ["resume", "review"] {
        says(
            &project.environment.proctor([command, &run]),
            3,
            "PATH: changed in the worktree, and a person has to say whether that takes the place of the tests",
        );
    }
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("+    assert cube(-2) == -8");
    terminal.expect("Type TAKE");
    terminal.send_line("TAKE");
    terminal.expect("TESTS-CHANGED");
    approve(&mut terminal);
    is_merged_with(&project, TESTS);
    let merged = project.repository.file_at("HEAD", "tests/test_more.py");
    assert_eq!(merged, MORE_TESTS);
    let trail = trail(&project);
    assert_eq!(trail.matches("red_judged").count(), 2, "{trail}");
}

#[test]
fn a_new_test_file_that_is_declined_goes_and_is_kept_under_a_name() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let own = worktree_test(&project).with_file_name("test_more.py");
    std::fs::write(&own, MORE_TESTS).expect("the worktree is there");
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("Type TAKE");
    terminal.send_line("RESTORE");
    terminal.expect("tests/test_more.py is not there any more; your text is kept:");
    terminal.expect(PROMPT);
    assert!(!own.exists());
    let kept = project.repository.git([
        "for-each-ref",
        "--format=%(refname)",
        "refs/proctor/rescue/files",
    ]);
    let kept = project.repository.git(["show", kept.trim()]);
    assert_eq!(kept.trim_end(), MORE_TESTS.trim_end());
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    is_merged_with(&project, TESTS);
    let tree = project
        .repository
        .git(["ls-tree", "-r", "--name-only", "HEAD", "tests"]);
    assert!(!tree.contains("test_more.py"), "{tree}");
}

#[test]
fn tests_of_a_persons_own_that_are_no_valid_red_wait_for_them() {
    let project = Project::new();
    let script = good().reply(scaffold());
    project.run(&script, &[]).expect_code(3);
    let run = project.run_id();
    let own = "def test_nothing():\n    assert 1 + 1 == 2\n";
    std::fs::write(worktree_test(&project), own).expect("the worktree is there");
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("Type TAKE");
    terminal.send_line("TAKE");
    says(
        &mut terminal,
        3,
        "run RUN waits for a person: the red gate refused the tests from the worktree (REASON)",
    );
    // The last green is still there, and the model may write the tests instead.
    let sheet = project.json(&["review", &run, "--dry-run"]);
    assert_eq!(sheet["flagged"], serde_json::json!([]), "{sheet:#}");
    project.environment.proctor(["resume", &run]).expect_code(3);
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
}

#[test]
fn a_green_is_not_lost_when_a_comment_leads_nowhere() {
    let project = Project::new();
    let script = good()
        .reply(implement(WRONG_POWERS))
        .reply(implement(WRONG_POWERS))
        .reply(implement(WRONG_POWERS));
    let mut terminal = project.run_at_terminal(&script, &[]);
    terminal.expect(PROMPT);
    terminal.send_line("COMMENT make it shorter");
    terminal.expect("still offers the last green that was accepted");
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    assert_eq!(project.status()["stage"], "green_gate");
    let run = project.run_id();
    let sheet = project.json(&["review", &run, "--dry-run"]);
    assert_eq!(sheet["ok"], true, "{sheet:#}");
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect("back to the last green that was accepted");
    approve(&mut terminal);
    is_merged_with(&project, TESTS);
    assert_eq!(project.leftovers(), Vec::<String>::new());
}

#[test]
fn tests_that_stay_at_fault_wait_for_a_person_who_may_grant_more() {
    let project = Project::new();
    let fault =
        |number: u32| tests(&FOREIGN_CALL.replace("precision=0", &format!("precision={number}")));
    let script = Script::new()
        .reply(fault(0))
        .reply(implement(POWERS))
        .reply(fault(1))
        .reply(fault(2))
        .reply(scaffold());
    let output = project.run(&script, &[]);
    says(
        &output,
        3,
        "run RUN waits for a person: the tests are at fault and all attempts at them are spent (REASON)",
    );
    let run = project.run_id();
    project.environment.proctor(["resume", &run]).expect_code(3);
    review_and_approve(&project);
    is_merged_with(&project, TESTS);
}

#[test]
fn a_run_whose_base_is_broken_says_how_to_start_over_and_that_leads_to_the_merge() {
    let project = Project::new();
    project
        .repository
        .write("conftest.py", "raise RuntimeError('broken')\n");
    project.repository.commit_all("Break the tests");
    let output = project.run(&good(), &["--quiet"]);
    output.expect_code(5);
    let run = project.run_id();
    let said = output.stderr.replace(&run, "RUN");
    assert!(said.contains("`proctor abort RUN`"), "{said}");
    assert!(said.contains("start again"), "{said}");
    project.environment.proctor(["abort", &run]).expect_code(0);
    project.repository.git(["rm", "--quiet", "conftest.py"]);
    project.repository.commit_all("Repair the tests");
    let again = project.run(&good(), &["--format", "json"]);
    again.expect_code(3);
    let run = text(&again.json()["run"]);
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    approve(&mut terminal);
    assert_eq!(project.json(&["status", &run])["state"], "merged");
    assert_eq!(
        project.repository.file_at("HEAD", "tests/test_power.py"),
        TESTS
    );
    assert_eq!(
        project.repository.file_at("HEAD", "mathkit/power.py"),
        POWERS
    );
}

const ASKS_LITTLE: &str = "\
from mathkit.power import cube, square


def test_square():
    assert square(1) == 1


def test_cube():
    assert cube(1) == 1
";

const ASKS_LITTLE_AGAIN: &str = "\
from mathkit.power import cube, square


def test_square():
    assert square(0) == 0


def test_cube():
    assert cube(1) == 1
";

#[test]
fn where_mutants_are_demanded_survivors_have_the_tests_written_again_once() {
    for second in [TESTS, ASKS_LITTLE_AGAIN] {
        let project = Project::new();
        let settings = "[test]\nmutants = \"demand\"\nmutant_seconds = 120\n";
        project.repository.write("proctor.toml", settings);
        project.repository.commit_all("Demand");
        let script = Script::new()
            .reply(tests(ASKS_LITTLE))
            .reply(implement(POWERS))
            .reply(tests(second));
        let output = project.run(&script, &[]);
        output.expect_code(3);
        let run = project.status();
        assert_eq!(run["stage"], "review", "{}", output.stderr);
        assert_eq!(run["attempts"]["scaffold"], 2);
        assert_eq!(run["attempts"]["implement"], 1);
        let log = project.json(&["log"]).to_string();
        assert!(log.contains("\"rule\":\"mutant_survives\""), "{log}");
        // Mutants that survive the second time are for the reviewer.
        let survived = &run["green"]["mutants"]["survived"];
        let survived = survived.as_array().map_or(0, Vec::len);
        assert_eq!(survived == 0, second == TESTS, "{run:#}");
        review_and_approve(&project);
        is_merged_with(&project, second);
    }
}
