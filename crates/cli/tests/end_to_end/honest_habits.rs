//! Habits of honest projects that a gate must not hold against them.

use proctor_testkit::{Reply, Script, file_reply};

use crate::gates::{accepted, refused};
use crate::project::{POWERS, Project, TESTS, implement, scaffold, text};

#[test]
fn a_test_may_expect_an_exception_that_a_raising_stub_could_be_taken_for() {
    let project = Project::judging();
    for expected in ["NotImplementedError", "RuntimeError"] {
        let tests = format!(
            "import pytest\n\nfrom mathkit.root import root\n\n\n\
             def test_root():\n    assert root(9) == 3\n\n\n\
             def test_negative():\n    with pytest.raises({expected}):\n        root(-1)\n"
        );
        project.repository.write("tests/test_root.py", tests);
        accepted(&project, &["red"]);
    }
}

#[test]
fn code_may_bring_examples_that_are_run_as_tests() {
    let project = Project::judging();
    project
        .repository
        .write("pytest.ini", "[pytest]\naddopts = --doctest-modules\n");
    project.repository.commit_all("Run the examples");
    project.repository.write(
        "tests/test_double.py",
        "from mathkit.basic import double\n\n\ndef test_double():\n    assert double(2) == 4\n",
    );
    let code = |example: &str| {
        format!(
            "def add(x, y):\n    return x + y\n\n\ndef double(x):\n    \"\"\"\n    >>> double(3)\n    \
             {example}\n    \"\"\"\n    return add(x, x)\n"
        )
    };
    project.repository.write("mathkit/basic.py", code("6"));
    let green = accepted(&project, &["green"]);
    let note = text(&green["notes"][0]);
    assert!(note.contains("mathkit.basic.double"), "{green:#}");
    project.repository.write("mathkit/basic.py", code("7"));
    refused(&project, &["green"], "test_fails");
}

#[test]
fn a_suite_that_the_settings_narrow_is_said_to_be_narrowed() {
    let project = Project::judging();
    project.repository.write(
        "slow/test_slow.py",
        "def test_slow():\n    assert not 'never run'\n",
    );
    project
        .repository
        .write("proctor.toml", "[test]\npaths = [\"tests\"]\n");
    project
        .repository
        .commit_all("A slow part that is left out");
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    for (colour, first) in [("red", 1), ("green", 3)] {
        let verdict = accepted(&project, &[colour]);
        assert_eq!(verdict["runs"][0]["tests"], first, "{verdict:#}");
        let notes = verdict["notes"].to_string();
        assert!(notes.contains("only tests and the new tests"), "{notes}");
    }
    let shown = project.environment.proctor(["gate", "green"]);
    shown.expect_code(0);
    let said = "note: only tests and the new tests were run";
    assert!(shown.stdout.contains(said), "{}", shown.stdout);
}

#[test]
fn a_narrowed_suite_is_told_to_the_person_who_reviews() {
    let project = Project::judging();
    project
        .repository
        .write("proctor.toml", "[test]\npaths = [\"tests\"]\n");
    project.repository.commit_all("Narrow the suite");
    let script = Script::new().reply(scaffold()).reply(implement(POWERS));
    project.run(&script, &[]).expect_code(3);
    let status = project.status();
    for gate in ["red", "green"] {
        let notes = status[gate]["evidence"]["notes"].to_string();
        assert!(notes.contains("`[test] paths` narrows"), "{status:#}");
    }
    let shown = project
        .environment
        .proctor(["review", &project.run_id(), "--dry-run"]);
    shown.expect_code(0);
    // Long lines are folded.
    let words = shown.stdout.split_whitespace().collect::<Vec<_>>();
    assert!(
        words.join(" ").contains("`[test] paths` narrows the suite"),
        "{}",
        shown.stdout
    );
}

/// `add` takes its sum to the next even number, and its test is made to hold before and after.
fn loosened(project: &Project) -> Script {
    project.list_too(
        "| `mathkit/basic.py` | Modify | `add` rounds up to an even number. |\n\
         | `tests/test_basic.py` | Modify | Sums are even. |",
    );
    let before = project.repository.read("tests/test_basic.py");
    let after = before.replace("add(1, 2) == 3", "add(1, 2) in (3, 4)");
    assert_ne!(before, after);
    let tests = format!(
        "{}\n{}",
        file_reply("tests/test_power.py", TESTS),
        file_reply("tests/test_basic.py", &after)
    );
    let rounded = "def add(x, y):\n    return (x + y + 1) // 2 * 2\n";
    let basic = Reply::implement("mathkit/basic.py", file_reply("mathkit/basic.py", rounded));
    Script::new()
        .reply(Reply::scaffold(tests))
        .reply(implement(POWERS))
        .reply(basic)
}

#[test]
fn what_an_existing_test_expects_may_be_changed_where_the_design_lists_its_file() {
    let project = Project::judging();
    let script = loosened(&project);
    let output = project.run(&script, &["--auto", "--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["green"]["verdict"], "valid_green", "{run:#}");
    let id = text(&run["run"]);
    let review = project
        .environment
        .proctor(["review", &id, "--dry-run", "--no-pager"]);
    review.expect_code(0);
    let flag = "changes what an existing test expects (test_add: was `assert add(1, 2) == 3`, \
                is `assert add(1, 2) in (3, 4)`)";
    let shown = review
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(shown.contains(flag), "{}", review.stdout);
}

/// A test of the base that fails in these of its runs, counted by a file outside every tree; that needs a suite without
/// a sandbox.
fn with_a_test_that_fails_in(runs: &[usize]) -> (Project, tempfile::TempDir) {
    let project = Project::judging();
    let counted = tempfile::tempdir().expect("a directory");
    let place = counted.path().display();
    project.repository.write(
        "tests/test_chance.py",
        format!(
            "import os\n\n\ndef test_chance():\n    run = len(os.listdir('{place}'))\n    \
             open(os.path.join('{place}', str(run)), 'w').close()\n    assert run not in {runs:?}\n"
        ),
    );
    let settings = "[sandbox]\nmode = \"off\"\n";
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("A test that fails by chance");
    project.repository.write("tests/test_power.py", TESTS);
    (project, counted)
}

#[test]
fn a_test_that_fails_at_the_base_now_and_then_is_nobodys_fault() {
    // The base, the suite with the new tests, the test alone, the test alone at the base.
    let (project, _counted) = with_a_test_that_fails_in(&[1, 3]);
    let red = accepted(&project, &["red"]);
    let notes = red["notes"].to_string();
    assert!(
        notes.contains("tests/test_chance.py::test_chance is flaky"),
        "{notes}"
    );
    // One that is never seen to fail at the base was made unstable by the change.
    let (project, _counted) = with_a_test_that_fails_in(&[1]);
    refused(&project, &["red"], "unstable");
    // One that fails alone as well is broken, whatever its result at the base.
    let (project, _counted) = with_a_test_that_fails_in(&[1, 2, 3, 4]);
    refused(&project, &["red"], "baseline_broken");
}
