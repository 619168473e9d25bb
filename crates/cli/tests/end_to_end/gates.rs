//! `proctor gate`: the two gates alone, for code that was written some other way.

use proctor_testkit::{Reply, RunOutput, Script, file_reply};
use serde_json::{Value, json};

use crate::good_run::unlike_a_good_run;
use crate::project::{POWERS, Project, TESTS, WRONG_POWERS, implement, scaffold, text};

pub(crate) fn judge(project: &Project, words: &[&str]) -> RunOutput {
    let before = project.repository.checkout_fingerprint();
    let mut arguments = vec!["gate"];
    arguments.extend(words);
    arguments.extend(["--format", "json"]);
    let output = project.environment.proctor(arguments);
    // With any verdict, nothing of the user's is touched.
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    output
}

fn rules(document: &Value) -> Vec<String> {
    let reasons = document["reasons"].as_array().expect("a list of reasons");
    reasons.iter().map(|reason| text(&reason["rule"])).collect()
}

pub(crate) fn refused(project: &Project, words: &[&str], rule: &str) -> Value {
    let output = judge(project, words);
    output.expect_code(1);
    let document = output.json();
    assert_eq!(text(&document["verdict"]), format!("invalid_{}", words[0]));
    assert!(rules(&document).contains(&rule.to_owned()), "{document:#}");
    document
}

pub(crate) fn accepted(project: &Project, words: &[&str]) -> Value {
    let output = judge(project, words);
    output.expect_code(0);
    let document = output.json();
    assert_eq!(text(&document["verdict"]), format!("valid_{}", words[0]));
    document
}

#[test]
fn new_tests_are_red_alone_and_green_with_the_code() {
    let project = Project::judging();
    refused(&project, &["red"], "nothing_collected");
    project.repository.write("tests/test_power.py", TESTS);
    let red = accepted(&project, &["red"]);
    assert_eq!(red["runner_exit_code"], 1);
    let ids: Vec<String> = red["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| text(&test["id"]))
        .collect();
    assert!(ids.contains(&"tests/test_power.py::test_cube".to_owned()));
    project.repository.write("mathkit/power.py", WRONG_POWERS);
    // The code is left out of the red.
    accepted(&project, &["red"]);
    refused(&project, &["green"], "test_fails");
    project.repository.write("mathkit/power.py", POWERS);
    let green = accepted(&project, &["green"]);
    assert_eq!(green["runner_exit_code"], 0);
    let checks: Vec<_> = green["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (text(&check["name"]), text(&check["outcome"])))
        .collect();
    let expected = [
        ("blind", "held"),
        ("opposite_order", "held"),
        ("without_change", "held"),
        ("changed_tests", "not_applicable"),
        ("twins", "not_applicable"),
    ];
    assert_eq!(
        checks,
        expected.map(|(name, outcome)| (name.to_owned(), outcome.to_owned()))
    );
    // The base and the red are known from the gates before.
    assert_eq!(
        runs(&green),
        [
            "the suite, judged blind",
            "the suite with the change",
            "the new tests in the opposite order"
        ]
    );
}

fn runs(document: &Value) -> Vec<String> {
    let runs = document["runs"].as_array().expect("a list of runs");
    runs.iter().map(|run| text(&run["what"])).collect()
}

#[test]
fn what_was_accepted_before_is_not_run_twice() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    let first = accepted(&project, &["green"]);
    assert_eq!(first["notes"], json!([]), "{first:#}");
    let second = accepted(&project, &["green"]);
    assert_eq!(second["runs"], json!([]));
    assert_eq!(
        second["notes"],
        json!([
            "not run again: the suite at the base, the red of the tests alone, the green of everything, cached from an earlier gate"
        ])
    );
    for part in ["tests", "checks", "flags", "kind", "verdict", "sandbox"] {
        assert_eq!(second[part], first[part], "{part}");
    }
    // Another implementation is judged, after the same base and the same red.
    let others = POWERS.replace("x * x * x", "x**3");
    project.repository.write("mathkit/power.py", others);
    let green = accepted(&project, &["green"]);
    assert_eq!(runs(&green), runs(&first)[4..], "{first:#}");
    assert_eq!(
        green["notes"],
        json!([
            "not run again: the suite at the base, the red of the tests alone, cached from an earlier gate"
        ])
    );
    project.repository.write("mathkit/power.py", POWERS);
    // Other tests have to be seen failing.
    let others = TESTS.replace("cube(3) == 27", "cube(2) == 8");
    project.repository.write("tests/test_power.py", others);
    let third = accepted(&project, &["green"]);
    assert_eq!(runs(&third), runs(&first)[1..], "{third:#}");
    // Another base too, and refusals are not cached.
    project.repository.write("tests/test_power.py", TESTS);
    project
        .repository
        .git(["commit", "-q", "--allow-empty", "-m", "The same tree"]);
    project.repository.write("mathkit/power.py", WRONG_POWERS);
    refused(&project, &["green"], "test_fails");
}

#[test]
fn a_red_without_source_is_not_run_again_once_there_is_some() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    accepted(&project, &["red"]);
    project.repository.write("mathkit/power.py", POWERS);
    let green = accepted(&project, &["green"]);
    assert_eq!(
        runs(&green),
        [
            "the suite, judged blind",
            "the suite with the change",
            "the new tests in the opposite order"
        ]
    );
    // Other tests are another red.
    let others = TESTS.replace("cube(3) == 27", "cube(2) == 8");
    project.repository.write("tests/test_power.py", others);
    let judged_again = accepted(&project, &["green"]);
    assert!(
        runs(&judged_again).len() > runs(&green).len(),
        "{judged_again:#}"
    );
}

#[test]
fn a_green_runs_the_existing_tests_at_red_only_if_the_change_could_affect_them() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    let green = accepted(&project, &["green"]);
    assert_eq!(runs(&green)[1], "the new tests alone");
    // A red on its own promises more: the existing tests pass beside the new ones.
    let red = accepted(&project, &["red"]);
    assert_eq!(runs(&red)[0], "the suite with the new tests");
    // An existing file is changed, or one that others may use is added.
    for (path, content) in [
        (
            "tests/test_basic.py",
            format!(
                "{}\n# Changed.\n",
                project.repository.read("tests/test_basic.py")
            ),
        ),
        ("tests/conftest.py", String::new()),
    ] {
        project.repository.write(path, content);
        let green = accepted(&project, &["green"]);
        assert_eq!(runs(&green)[0], "the suite with the new tests", "{path}");
        project
            .repository
            .git(["stash", "-q", "--include-untracked", "--", path]);
    }
}

#[test]
fn an_accepted_suite_is_the_baseline_of_the_next_change() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    let first = accepted(&project, &["green"]);
    assert_eq!(runs(&first)[0], "the suite at the base");
    project.repository.commit_all("Powers");
    let more = "from mathkit.root import root\n\n\ndef test_root():\n    assert root(9) == 3\n";
    project.repository.write("tests/test_root.py", more);
    let root = "def root(x):\n    return x**0.5\n";
    project.repository.write("mathkit/root.py", root);
    let second = accepted(&project, &["green"]);
    assert_eq!(runs(&second), runs(&first)[1..], "{second:#}");
    // The tests of the first change are part of that baseline.
    project.repository.write("mathkit/power.py", WRONG_POWERS);
    refused(&project, &["green"], "baseline_broken");
}

#[test]
fn without_a_sandbox_nothing_is_cached() {
    let project = Project::judging();
    let settings = "[test]\nmutants = \"off\"\n\n[sandbox]\nmode = \"off\"\n";
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("Settings");
    project.repository.write("tests/test_power.py", TESTS);
    let first = accepted(&project, &["red"]);
    let second = accepted(&project, &["red"]);
    assert_eq!(runs(&second), runs(&first));
    assert!(!runs(&first).is_empty());
}

#[test]
fn a_green_without_tests_is_none_and_nothing_is_run_for_it() {
    let project = Project::judging();
    for content in [None, Some("def add(x, y):\n    return y + x\n")] {
        if let Some(content) = content {
            project.repository.write("mathkit/basic.py", content);
        }
        let green = refused(&project, &["green"], "no_new_tests");
        assert_eq!(green["runs"], json!([]), "{green:#}");
        assert_eq!(green["checks"], json!([]), "{green:#}");
        assert!(text(&green["next"]).contains("`proctor gate change`"));
    }
}

#[test]
fn a_committed_change_is_measured_against_another_base() {
    let project = Project::judging();
    let base = project.repository.head();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    project.repository.commit_all("Powers");
    accepted(&project, &["green", "--base", &base]);
    judge(&project, &["green", "--base", "no-such"]).expect_code(2);
}

#[test]
fn tests_that_say_nothing_are_refused_with_their_line() {
    let project = Project::judging();
    let cases = [
        ("def test_a():\n    square(3)\n", "no_oracle"),
        ("def test_a():\n    assert False\n", "constant_false"),
        (
            "def test_a():\n    return square(3) == 9\n",
            "returns_value",
        ),
        (
            "def test_a():\n    assert square(3) == 9\n\n\ndef test_a():\n    assert square(2) == 4\n",
            "duplicate_name",
        ),
        (
            "import pytest\n\n\n@pytest.mark.parametrize('x', [])\ndef test_a(x):\n    assert square(x) == 9\n",
            "empty_parametrisation",
        ),
        (
            "import pytest\n\n\ndef test_a():\n    with pytest.raises(Exception):\n        square(None)\n",
            "passes_against_stub",
        ),
    ];
    for (body, rule) in cases {
        let tests = format!("from mathkit.power import square\n\n\n{body}");
        project.repository.write("tests/test_power.py", tests);
        refused(&project, &["red"], rule);
    }
}

#[test]
fn existing_tests_have_to_stay_and_a_changed_one_counts_as_new() {
    let project = Project::judging();
    let path = "tests/test_basic.py";
    let before = project.repository.read(path);
    project.repository.write(
        path,
        "from mathkit.basic import add\n\n\ndef test_sum():\n    assert add(1, 2) == 3\n",
    );
    refused(&project, &["red"], "removed_test");
    project
        .repository
        .write(path, before.replace("== 3", "== 4"));
    let red = accepted(&project, &["red"]);
    assert_eq!(red["flags"][0]["flag"], "changes_test", "{red:#}");
    assert!(text(&red["notes"][0]).starts_with("changes existing tests"));
}

#[test]
fn a_failure_in_code_below_the_test_paths_is_the_tests_own() {
    let test = "from expected import squared\nfrom mathkit.basic import add\n\n\n\
                def test_sum():\n    assert add(2, 2) == squared(2) + 1\n";
    let helpers = [
        (
            "def squared(x):\n    return sqaure(x)\n",
            Some("name_error"),
        ),
        ("def squared(x):\n    return x * x\n", None),
        (
            "import mathkit.basic\n\n\ndef squared(x):\n    return mathkit.basic.square(x)\n",
            None,
        ),
    ];
    let settings = ("[test]\npaths = [\"checks\"]\n", ["red"].as_slice());
    let flag = ("", ["red", "--test", "checks"].as_slice());
    for (text, words) in [settings, flag] {
        let project = Project::judging();
        project.repository.write("proctor.toml", text);
        for (helper, rule) in helpers {
            project.repository.write("checks/expected.py", helper);
            project.repository.commit_all("What the checks expect");
            project.repository.write("checks/test_sum.py", test);
            match rule {
                Some(rule) => refused(&project, words, rule),
                None => accepted(&project, words),
            };
            project.repository.git(["clean", "-fq"]);
        }
    }
}

#[test]
fn test_configuration_counts_only_once_it_is_merged() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", WRONG_POWERS);
    let mut notes = Vec::new();
    for (name, content) in [
        ("pytest.ini", "[pytest]\naddopts = --co\n"),
        ("tox.ini", "[pytest]\naddopts = -k square\n"),
        ("tests/setup.cfg", "[tool:pytest]\naddopts = --co\n"),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = \"--deselect tests/test_power.py::test_cube\"\n",
        ),
    ] {
        project.repository.write(name, content);
        refused(&project, &["green"], "test_fails");
        project.repository.write("mathkit/power.py", POWERS);
        let green = accepted(&project, &["green"]);
        notes.push(text(&green["notes"][0]));
        project.repository.write("mathkit/power.py", WRONG_POWERS);
        std::fs::remove_file(project.repository.path().join(name)).unwrap();
    }
    insta::assert_snapshot!(notes.join("\n"), @"
    pytest.ini is held at the base commit while judging
    tox.ini is held at the base commit while judging
    tests/setup.cfg is held at the base commit while judging
    pyproject.toml is held at the base commit while judging
    ");
}

#[test]
fn conftest_may_bring_fixtures_and_nothing_else() {
    let project = Project::judging();
    project.repository.write("mathkit/power.py", POWERS);
    project.repository.write(
        "tests/test_power.py",
        "from mathkit.power import square\n\n\ndef test_square(three):\n    assert square(three) == 9\n",
    );
    let fixture = "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n";
    project.repository.write("tests/conftest.py", fixture);
    accepted(&project, &["green"]);
    for (more, rule) in [
        (
            "def pytest_runtest_makereport(item, call):\n    pass\n",
            "conftest_hook",
        ),
        ("pytest_plugins = ['x']\n", "conftest_plugins"),
        (
            "import mathkit.power\nmathkit.power.square = lambda x: 9\n",
            "conftest_patching",
        ),
    ] {
        project
            .repository
            .write("tests/conftest.py", format!("{fixture}\n\n{more}"));
        refused(&project, &["green"], rule);
    }
}

#[test]
fn names_that_act_on_the_runner_are_refused() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    for name in [
        "random.py",
        "pytest.py",
        "sitecustomize.py",
        "x.pth",
        "a-1.dist-info/entry_points.txt",
    ] {
        project.repository.write(name, "x = 1\n");
        refused(&project, &["green"], "acts_on_runner");
        std::fs::remove_file(project.repository.path().join(name)).unwrap();
    }
}

#[test]
fn code_that_is_equal_to_everything_goes_back_to_the_model() {
    let project = Project::judging();
    let anything = "class Anything:\n    def __eq__(self, other):\n        return True\n\n\n\
         def square(x):\n    return Anything()\n\n\ndef cube(x):\n    return Anything()\n";
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(anything))
        .reply(implement(POWERS));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "review", "{}", output.stderr);
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 2 }));
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    + ✗ N4 GreenGate    refused, although 2 new tests pass, 1 earlier test still passes  ([TIME])
    +       tests/test_power.py::test_square: passes, and so does its twin, in which the expected values are others: something makes tests pass whatever they say
    +       tests/test_power.py::test_cube: passes, and so does its twin, in which the expected values are others: something makes tests pass whatever they say
    + • N3 Implement    asking the model for mathkit/power.py, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    wrote mathkit/power.py  ([TIME])
    + • N4 GreenGate    judging the change by its tests …
    …
    ");
}

#[test]
fn what_cannot_be_refused_is_flagged_for_the_review() {
    let project = Project::without_settings();
    let knowing =
        format!("import os\n\n{POWERS}\n\nTESTED = os.environ.get('PYTEST_CURRENT_TEST')\n");
    let script = Script::new().reply(scaffold()).reply(Reply::implement(
        "mathkit/power.py",
        file_reply("mathkit/power.py", &knowing),
    ));
    project.run(&script, &[]).expect_code(3);
    let status = project.status();
    assert_eq!(
        status["green"]["evidence"]["flags"][0]["flag"],
        "knows_runner"
    );
    let shown = project
        .environment
        .proctor(["review", &project.run_id(), "--dry-run"]);
    insta::assert_snapshot!(shown.normalised(), @"
    exit code: 0
    --- stdout
    ────────────────────────────────────────────────────────────────────────────────
    Review of run [RUN]: Feature: Powers
      issue  87
      into   main
      tree   [ID]

    Red    accepted: 2 new tests fail, 1 new test file cannot be loaded yet
    Green  accepted: 2 new tests pass
    Lint   no linter is configured or found

    WARNING: look closely at these files
      mathkit/power.py  NEW  KNOWS-RUNNER

      KNOWS-RUNNER  knows of the test runner

     mathkit/power.py    | +11 -0 +++++++++++  NEW  KNOWS-RUNNER
     tests/test_power.py | +9 -0  +++++++++  TEST  NEW
     2 files changed, 20 insertions(+), 0 deletions(-)

    How it was judged
    Red    exit code 1, sandbox [LEVEL]
           error   tests/test_power.py  (the declared module `mathkit.power` is missing)
           failed  tests/test_power.py::test_square  (cannot be collected yet; fails against a stub)
           failed  tests/test_power.py::test_cube  (cannot be collected yet; fails against a stub)
           the new tests fail against stubs that only raise
    Green  exit code 0, sandbox [LEVEL]
           passed  tests/test_power.py::test_square
           passed  tests/test_power.py::test_cube
           judged blind: 2 of 2 new tests give what they expect, compared outside of their process
           the new tests pass in the opposite order too
           without the source change the new tests fail: that was the red
           mutants: [N] of [M] killed
           look at mathkit/power.py line 11: knows of the test runner ('PYTEST_CURRENT_TEST')

    ────────────────────────────────────────────────────────────────────────────────
    mathkit/power.py  new file  NEW  KNOWS-RUNNER
    @@ -0,0 +1,11 @@
       1 +import os
       2 +
       3 +def square(x):
       4 +    return x * x
       5 +
       6 +
       7 +def cube(x):
       8 +    return x * x * x
       9 +
      10 +
      11 +TESTED = os.environ.get('PYTEST_CURRENT_TEST')

    ────────────────────────────────────────────────────────────────────────────────
    tests/test_power.py  new file  TEST  NEW
    @@ -0,0 +1,9 @@
       1 +from mathkit.power import cube, square
       2 +
       3 +
       4 +def test_square():
       5 +    assert square(3) == 9
       6 +
       7 +
       8 +def test_cube():
       9 +    assert cube(3) == 27

    ────────────────────────────────────────────────────────────────────────────────
    2 files changed, 20 insertions(+), 0 deletions(-); tree [ID] into main
    WARNING: look closely at mathkit/power.py
    --- stderr
    ");
}

#[test]
fn every_new_test_can_be_required_to_fail() {
    let project = Project::judging();
    let path = "tests/test_basic.py";
    let before = project.repository.read(path);
    let more = format!(
        "{before}\n\ndef test_already():\n    assert add(2, 2) == 4\n\n\ndef test_wrong():\n    assert add(2, 2) == 5\n"
    );
    project.repository.write(path, &more);
    accepted(&project, &["red"]);
    // Said by the change itself it counts for nothing.
    let settings = ("proctor.toml", "[test]\nred = \"all\"\n");
    project.repository.write(settings.0, settings.1);
    let judged = accepted(&project, &["red"]);
    let held = "proctor.toml is held at the base commit while judging";
    assert_eq!(judged["notes"][1], held, "{judged}");
    project.repository.write(path, &before);
    project.repository.commit_all("settings");
    project.repository.write(path, more);
    refused(&project, &["red"], "passes_already");
}

/// A test that brings the content of a file into its own failure.
fn reads(path: &std::path::Path) -> String {
    format!(
        "{TESTS}\n\ndef test_reads():\n    text = open({:?}).read()\n    assert text == 'nothing'\n",
        path.display().to_string()
    )
}

const ANOTHER_RUNS: &str = "the words of another run";

/// A directory with a file of another run in it. Not a temporary one: those are hidden anyway.
fn directory_with_another_run() -> (tempfile::TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let other = directory.path().join("other/1-abc");
    std::fs::create_dir_all(&other).expect("a directory");
    let file = other.join("notes.txt");
    std::fs::write(&file, ANOTHER_RUNS).expect("a file");
    (directory, file)
}

#[test]
fn a_gate_does_not_show_other_runs_to_the_tests() {
    let (directory, file) = directory_with_another_run();
    let mut project = Project::judging();
    project
        .environment
        .set_variable("PROCTOR_STATE_DIR", directory.path());
    project
        .repository
        .write("tests/test_reads.py", reads(&file).replace(TESTS, ""));
    let red = accepted(&project, &["red"]);
    let reason = text(&red["tests"][0]["reason"]);
    assert!(
        reason.contains("FileNotFoundError") || reason.contains("PermissionError"),
        "{red:#}"
    );
}

#[test]
fn a_run_in_a_directory_of_its_own_does_not_show_the_other_runs_there() {
    let (directory, file) = directory_with_another_run();
    let project = Project::judging();
    let settings = format!("[worktree]\ndirectory = {:?}\n", directory.path());
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("settings");
    let reading = reads(&file).replace(TESTS, "");
    let reply = Reply::scaffold(file_reply("tests/test_power.py", &reading));
    project.run(&Script::new().reply(reply), &[]).expect_code(5);
    let evidence = project.evidence("red-").concat();
    assert!(evidence.contains("test_reads"), "{evidence}");
    assert!(!evidence.contains(ANOTHER_RUNS), "{evidence}");
}
