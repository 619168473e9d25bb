//! Every kind of change that needs no red, once honest and once abused.

use serde_json::json;

use super::{SOURCE, TEST, claude, guarded, put_proctor_on_path};
use crate::project::{POWERS, Project, TESTS};

const BASIC: &str = "mathkit/basic.py";

fn with_settings(settings: &str) -> Project {
    let project = guarded();
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("Settings");
    project
}

#[test]
fn documents_are_free_and_code_among_them_is_not() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit("docs/use.md").pass();
    agent.write("docs/use.md", "Call `add`.\n");
    agent.end(false).pass();
    agent.runs("git add -A && git commit -qm docs").pass();

    agent.edit("docs/conf.py").no();
    agent.edit("mathkit/words.txt").no();
}

#[test]
fn a_refactoring_that_tests_execute_is_accepted_and_new_behaviour_in_it_is_not() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(BASIC).no();
    agent.runs("proctor guard refactor").pass();
    assert_eq!(agent.stage(), "refactoring");
    agent.edit(BASIC).pass();
    agent.write(
        BASIC,
        "def add(x, y):\n    total = x + y\n    return total\n",
    );
    agent.end(false).pass();
    agent.write(
        BASIC,
        "def add(x, y):\n    total = x + y\n    return total\n\n\ndef secret(x):\n    return x * 2\n",
    );
    let told = agent.end(false).no();
    assert!(told.contains("untested_change"), "{told}");
    agent.shell("git commit -am refactored").no();
}

#[test]
fn tests_for_code_that_exists_are_accepted_if_they_notice_mistakes() {
    let project = with_settings("[test]\nmutant_seconds = 120\n");
    let agent = claude(&project);
    let more = "tests/test_more.py";
    agent.edit(more).pass();
    agent.write(
        more,
        "from mathkit.basic import add\n\n\ndef test_adds():\n    assert add(2, 5) == 7\n",
    );
    agent.end(false).pass();
    agent.write(
        more,
        "from mathkit.basic import add\n\n\ndef test_adds():\n    assert add(2, 5) == add(2, 5)\n",
    );
    let told = agent.end(false).no();
    assert!(told.starts_with("these are not valid tests"), "{told}");
}

#[test]
fn a_test_that_is_removed_needs_a_person() {
    let project = guarded();
    let agent = claude(&project);
    agent.runs("rm tests/test_basic.py mathkit/basic.py").pass();
    let told = agent.shell("git commit -am removed").no();
    assert!(told.contains("a person has to decide"), "{told}");
    let output = agent.hook("Stop", &serde_json::json!({}));
    let told = output.json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(told.contains("proctor review"), "{told}");
}

#[test]
fn a_red_alone_may_end_and_may_not_be_committed() {
    let project = guarded();
    let agent = claude(&project);
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.end(false).pass();
    let told = agent.shell("git add -A && git commit -m red").no();
    assert!(told.contains("a red is not committed"), "{told}");
}

#[test]
fn a_scratch_directory_is_free_and_is_neither_judged_nor_committed() {
    let project = with_settings("[test]\nmutants = \"off\"\n[guard]\nscratch = [\"try\"]\n");
    project
        .environment
        .proctor(["guard", "install", "claude-code", "--git"])
        .expect_code(0);
    project.repository.write(".gitignore", ".claude/\n");
    let agent = claude(&project);
    agent.edit("try/idea.py").pass();
    agent.write("try/idea.py", "print(1)\n");
    agent.edit("tryout/idea.py").no();
    agent.edit(TEST).pass();
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    agent.write(SOURCE, POWERS);
    agent.end(false).pass();

    let commit = |words: &[&str]| {
        let mut git = project.environment.command("git");
        git.args(words);
        project.environment.run(git)
    };
    commit(&["add", "-A"]).expect_code(0);
    let refused = commit(&["commit", "-qm", "all"]);
    assert_ne!(refused.code, 0);
    assert!(
        refused
            .stderr
            .contains("try/idea.py lies in a scratch directory"),
        "{}",
        refused.stderr
    );
    commit(&["reset", "-q", "try", ".gitignore"]).expect_code(0);
    commit(&["commit", "-qm", "without"]).expect_code(0);
}

#[test]
fn a_scratch_directory_of_the_change_itself_is_none() {
    let project = guarded();
    let agent = claude(&project);
    project
        .repository
        .write("proctor.toml", "[guard]\nscratch = [\"mathkit\"]\n");
    agent.edit(SOURCE).no();
}

#[test]
fn what_says_how_the_work_is_judged_is_neither_judged_nor_committed_with_it() {
    let project = guarded();
    // Installed, and not committed yet.
    project
        .environment
        .proctor(["guard", "install", "claude-code", "--git"])
        .expect_code(0);
    let agent = claude(&project);
    agent.starts().expect_code(0);
    agent.edit("docs/use.md").pass();
    agent.write("docs/use.md", "Call `add`.\n");
    agent.end(false).pass();
    let git = |words: &[&str]| {
        let mut git = project.environment.command("git");
        git.args(words);
        project.environment.run(git)
    };
    git(&["add", "docs"]).expect_code(0);
    git(&["commit", "-qm", "docs"]).expect_code(0);

    // By a shell, in a way that the command does not reveal.
    agent.write("proctor.toml", "[sandbox]\nmode = \"auto\"\n");
    agent.write("docs/use.md", "Call `add` twice.\n");
    git(&["add", "-A"]).expect_code(0);
    let refused = git(&["commit", "-qm", "with settings"]);
    assert_ne!(refused.code, 0);
    assert!(
        refused.stderr.contains("says how the work is judged"),
        "{}",
        refused.stderr
    );
    let words = ["review", "--staged", "-m", "settings"];
    let mut terminal = project.environment.proctor_on_terminal(words);
    crate::project::approve(&mut terminal);
    agent.end(false).pass();
}

#[test]
fn a_red_leaves_the_existing_tests_to_the_end() {
    let project = guarded();
    let alone = "from pathlib import Path\n\n\ndef test_is_alone():\n    names = [file.name for file in Path(__file__).parent.glob(\"test_p*.py\")]\n    assert names == []\n";
    project.repository.write("tests/test_alone.py", alone);
    project.repository.commit_all("A test that new tests break");
    let agent = claude(&project);
    agent.write(TEST, TESTS);
    agent.edit(SOURCE).pass();
    assert_eq!(agent.stage(), "sealed");
    agent.write(SOURCE, POWERS);
    let told = agent.end(false).no();
    assert!(
        told.contains("tests/test_alone.py::test_is_alone"),
        "{told}"
    );

    // The gate on its own says so at once: no end follows.
    std::fs::remove_file(project.repository.path().join(SOURCE)).expect("the file is there");
    let output = project.environment.proctor(["gate", "red"]);
    output.expect_code(1);
    assert!(output.stderr.contains("test_is_alone"), "{}", output.stderr);
}

#[test]
fn an_old_test_that_one_run_settles_is_run_once() {
    // The second compares in its own process, so that one run does not settle it.
    let left_to_process = "import sys\n\n\nclass Text(str):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = None\n\n\ndef test_is_equal():\n    assert Text(sys.platform) == \"any\"\n";
    for (old, again) in [(None, false), (Some(left_to_process), true)] {
        let mut project = Project::judging();
        put_proctor_on_path(&mut project);
        if let Some(text) = old {
            project.repository.write("tests/test_own.py", text);
            project.repository.commit_all("A test of its own mind");
        }
        project.environment.set_variable("PROCTOR_LOG", "debug");
        let agent = claude(&project);
        agent.write(TEST, TESTS);
        agent.edit(SOURCE).pass();
        agent.write(SOURCE, POWERS);
        let output = agent.hook(agent.events()[3], &json!({"stop_hook_active": false}));
        output.expect_code(0);
        assert!(output.stdout.contains("valid green"), "{}", output.stdout);
        let runs = output
            .stderr
            .lines()
            .filter(|line| line.contains("-m pytest"));
        let runs: Vec<&str> = runs.collect();
        let whole = runs.iter().filter(|line| !line.contains(" tests/"));
        assert_eq!(whole.count(), 1, "{runs:#?}");
        let runs_of = |file: &str| runs.iter().any(|line| line.contains(file));
        assert_eq!(runs_of("tests/test_own.py"), again, "{runs:#?}");
        assert!(!runs_of("tests/test_basic.py"), "{runs:#?}");
    }
}
