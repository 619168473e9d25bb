//! `proctor gate change`: every kind of change is judged by its own demand, and none by another's.

use serde_json::Value;

use crate::gates::judge;
use crate::project::{POWERS, Project, TESTS, text};

const BASIC: &str = "mathkit/basic.py";
const BASIC_TESTS: &str = "tests/test_basic.py";

/// The library that the changes are made to.
const LIBRARY: &str = "\
def add(x, y):
    return x + y


def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
";

const LIBRARY_TESTS: &str = "\
from mathkit.basic import add, clamp


def test_add():
    assert add(1, 2) == 3


def test_clamp():
    assert clamp(5, 1, 3) == 3
    assert clamp(2, 1, 3) == 2
";

fn library() -> Project {
    let project = Project::judging();
    project.repository.write(BASIC, LIBRARY);
    project.repository.write(BASIC_TESTS, LIBRARY_TESTS);
    // Enough for every mutant, however busy the machine is.
    project
        .repository
        .write("proctor.toml", "[test]\nmutant_seconds = 120\n");
    project.repository.commit_all("A small library");
    project
}

/// Exit code and document, without the parts that differ each time.
fn judged(project: &Project, words: &[&str]) -> (i32, Value) {
    let output = judge(project, words);
    let mut document = output.json();
    let fields = document.as_object_mut().expect("one document");
    let runs = fields.remove("runs").unwrap_or_default();
    let runs = runs.as_array().cloned().unwrap_or_default();
    let what: Vec<Value> = runs.into_iter().map(|run| run["what"].clone()).collect();
    fields.insert("runs".to_owned(), Value::Array(what));
    fields.remove("error");
    if !fields["sandbox"].is_null() {
        fields.insert("sandbox".to_owned(), "[LEVEL]".into());
    }
    (output.code, document)
}

/// The whole document as a snapshot of this name.
#[track_caller]
fn shows(name: &str, project: &Project, code: i32) {
    let (actual, document) = judged(project, &["change"]);
    assert_eq!(actual, code, "{document:#}");
    insta::assert_snapshot!(name, format!("exit code {actual}\n{document:#}"));
}

/// Kind, verdict and rules in short.
fn says(project: &Project) -> (i32, String, String, Vec<String>) {
    let (code, document) = judged(project, &["change"]);
    let reasons = document["reasons"].as_array().cloned().unwrap_or_default();
    let rules = reasons.iter().map(|reason| text(&reason["rule"])).collect();
    let word = |name: &str| text(&document[name]);
    (code, word("kind"), word("verdict"), rules)
}

#[track_caller]
fn expect(project: &Project, code: i32, kind: &str, verdict: &str, rules: &[&str]) {
    let found = says(project);
    let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
    assert_eq!(found, (code, kind.to_owned(), verdict.to_owned(), rules));
}

#[test]
fn nothing() {
    shows("nothing", &library(), 1);
}

#[test]
fn neutral_runs_nothing() {
    let project = library();
    project
        .repository
        .write("README.md", "# mathkit, described\n");
    project.repository.write("docs/use.md", "Call `add`.\n");
    shows("neutral", &project, 0);
}

#[test]
fn neutral_hides_nothing_that_is_read() {
    for (path, content, code, kind, verdict, rules) in [
        (
            "x.pth",
            "import os\n",
            1,
            "refactor",
            "invalid_refactor",
            ["acts_on_runner"].as_slice(),
        ),
        (
            "mathkit/rates.json",
            "{}\n",
            1,
            "refactor",
            "invalid_refactor",
            &["untested_change"],
        ),
        (
            "mathkit/words.txt",
            "a\n",
            1,
            "refactor",
            "invalid_refactor",
            &["untested_change"],
        ),
        (
            "Makefile",
            "all:\n",
            3,
            "refactor",
            "needs_person",
            &["unread_file"],
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"x\"\n",
            3,
            "refactor",
            "needs_person",
            &["unread_file"],
        ),
    ] {
        let project = library();
        project
            .repository
            .write("README.md", "# mathkit, described\n");
        project.repository.write(path, content);
        expect(&project, code, kind, verdict, rules);
    }
    let project = library();
    project
        .repository
        .write("README.md", "# mathkit, described\n");
    project.repository.write(
        "conftest.py",
        "import mathkit.basic\nmathkit.basic.add = max\n",
    );
    let (code, document) = judged(&project, &["change"]);
    assert_eq!((code, text(&document["kind"])), (1, "tests".to_owned()));
}

#[test]
fn a_document_that_is_collected_is_not_neutral() {
    let project = library();
    project
        .repository
        .write("pytest.ini", "[pytest]\naddopts = --doctest-glob=*.md\n");
    project.repository.write("README.md", ">>> 1 + 1\n2\n");
    project.repository.commit_all("Examples");
    project.repository.write("README.md", ">>> 1 + 1\n3\n");
    let (code, kind, verdict, rules) = says(&project);
    assert_ne!(kind, "neutral");
    assert_eq!(
        (code, verdict.as_str()),
        (1, "invalid_refactor"),
        "{rules:?}"
    );
}

#[test]
fn behaviour_is_red_and_then_green_and_its_mutants_are_counted() {
    let project = library();
    project.repository.write("mathkit/power.py", POWERS);
    project.repository.write("tests/test_power.py", TESTS);
    shows("behaviour", &project, 0);
}

#[test]
fn behaviour_whose_tests_ask_little_names_what_they_do_not_notice() {
    let project = library();
    let source = format!(
        "{LIBRARY}\n\ndef share(x, parts):\n    if parts == 0:\n        return 0\n    return x / parts\n"
    );
    project.repository.write(BASIC, source);
    project.repository.write(
        "tests/test_share.py",
        "from mathkit.basic import share\n\n\ndef test_share():\n    assert share(4, 2) > 0\n    assert share(4, 0) == 0\n",
    );
    shows("behaviour_survivors", &project, 0);
    // Only the commit counts.
    project.repository.write(
        "proctor.toml",
        "[test]\nmutants = \"demand\"\nmutant_seconds = 120\n",
    );
    let (code, document) = judged(&project, &["change"]);
    assert_eq!(code, 0, "{document:#}");
    project.repository.git(["stash", "-u", "-q"]);
    project.repository.write(
        "proctor.toml",
        "[test]\nmutants = \"demand\"\nmutant_seconds = 120\n",
    );
    project.repository.commit_all("Demand");
    project
        .repository
        .git(["checkout", "-q", "stash@{0}", "--", BASIC]);
    project
        .repository
        .git(["checkout", "-q", "stash@{0}^3", "--", "tests/test_share.py"]);
    let (code, document) = judged(&project, &["change"]);
    assert_eq!(code, 1, "{document:#}");
    assert_eq!(document["verdict"], "invalid_green");
    assert_eq!(document["reasons"][0]["rule"], "mutant_survives");
    assert_eq!(document["reasons"][0]["path"], BASIC);
}

#[test]
fn tests_alone_notice_a_mistake_in_the_source() {
    let project = library();
    let more = format!("{LIBRARY_TESTS}\n\ndef test_low():\n    assert clamp(0, 1, 3) == 1\n");
    project.repository.write(BASIC_TESTS, more);
    shows("tests", &project, 0);
}

#[test]
fn tests_alone_that_ask_nothing_are_none() {
    let project = library();
    let more = format!("{LIBRARY_TESTS}\n\ndef test_same():\n    assert add(1, 1) == add(1, 1)\n");
    project.repository.write(BASIC_TESTS, more);
    shows("tests_vacuous", &project, 1);
    let more = format!("{LIBRARY_TESTS}\n\ndef test_itself():\n    assert 1 + 1 == 2\n");
    project.repository.write(BASIC_TESTS, more);
    let (code, kind, verdict, _) = says(&project);
    assert_eq!(
        (code, kind.as_str(), verdict.as_str()),
        (1, "tests", "invalid_tests")
    );
}

#[test]
fn tests_alone_may_be_a_red() {
    let project = library();
    project.repository.write("tests/test_power.py", TESTS);
    expect(&project, 0, "tests", "valid_red", &[]);
}

#[test]
fn tests_that_only_look_otherwise_are_fine_and_what_they_stand_on_is_for_a_person() {
    let project = library();
    let spaced = LIBRARY_TESTS.replace("add(1, 2)", "add(1,  2)  # three");
    project.repository.write(BASIC_TESTS, spaced);
    expect(&project, 0, "tests", "valid_tests", &[]);
    let project = library();
    project.repository.write("tests/numbers.json", "[1]\n");
    project.repository.commit_all("Numbers");
    project.repository.write("tests/numbers.json", "[2]\n");
    expect(&project, 3, "tests", "needs_person", &["changed_support"]);
}

#[test]
fn a_refactor_is_executed_by_tests() {
    let project = library();
    let source = LIBRARY.replace(
        "    return x + y\n",
        "    total = x + y\n    return total\n",
    );
    project.repository.write(BASIC, source);
    shows("refactor", &project, 0);
    let shown = project.environment.proctor(["gate", "change"]);
    insta::assert_snapshot!("refactor_text", shown.normalised());
}

#[test]
fn a_refactor_with_a_branch_that_no_test_takes_is_refused() {
    let project = library();
    let source = LIBRARY.replace(
        "    return x + y\n",
        "    if x > 1000:\n        return 0\n    return x + y\n",
    );
    project.repository.write(BASIC, source);
    shows("refactor_untested", &project, 1);
    let shown = project.environment.proctor(["gate", "change"]);
    insta::assert_snapshot!("refactor_untested_text", shown.normalised());
}

#[test]
fn a_refactor_that_breaks_something_or_hides_a_function_on_one_line_is_refused() {
    let project = library();
    project
        .repository
        .write(BASIC, LIBRARY.replace("x + y", "x - y"));
    expect(
        &project,
        1,
        "refactor",
        "invalid_refactor",
        &["baseline_broken"],
    );
    let hidden = format!("{LIBRARY}\n\ndef sub(x, y): return x - y\n\n\nneg = lambda x: -x\n");
    project.repository.write(BASIC, hidden);
    expect(
        &project,
        1,
        "refactor",
        "invalid_refactor",
        &["untested_change"],
    );
}

#[test]
fn data_that_a_test_reads_is_tested_with_it() {
    let project = library();
    let reading = format!(
        "import json\nfrom pathlib import Path\n\n\ndef rate():\n    path = Path(__file__).with_name(\"rates.json\")\n    \
         return json.loads(path.read_text())[\"rate\"]\n\n\n{LIBRARY}"
    );
    project.repository.write(BASIC, reading);
    project
        .repository
        .write("mathkit/rates.json", "{\"rate\": 3}\n");
    let tests = format!(
        "from mathkit.basic import rate\n{LIBRARY_TESTS}\n\ndef test_rate():\n    assert rate() > 1\n"
    );
    project.repository.write(BASIC_TESTS, tests);
    project.repository.commit_all("Rates");
    project
        .repository
        .write("mathkit/rates.json", "{\"rate\": 4}\n");
    expect(&project, 0, "refactor", "valid_refactor", &[]);
}

#[test]
fn lines_that_could_not_be_watched_are_for_a_person() {
    let project = library();
    let source = LIBRARY.replace(
        "    return x + y\n",
        "    import sys\n    sys.settrace(None)\n    total = x + y\n    return total\n",
    );
    project.repository.write(BASIC, source);
    let (code, kind, verdict, rules) = says(&project);
    assert_ne!(code, 0, "{kind} {verdict} {rules:?}");
}

#[test]
fn a_test_that_is_gone_is_for_a_person() {
    let project = library();
    let fewer = LIBRARY_TESTS.split("\n\ndef test_clamp").next().unwrap();
    project
        .repository
        .write(BASIC_TESTS, format!("{fewer}\n").replace(", clamp", ""));
    let source = LIBRARY.replace("x + y", "y + x");
    project.repository.write(BASIC, source);
    shows("removal", &project, 3);
    let shown = project.environment.proctor(["gate", "change"]);
    insta::assert_snapshot!("removal_text", shown.normalised());
    let project = library();
    std::fs::remove_file(project.repository.path().join(BASIC_TESTS)).unwrap();
    expect(
        &project,
        3,
        "removal",
        "needs_person",
        &["removed_test_file"],
    );
}

#[test]
fn the_index_and_a_commit_can_be_judged() {
    let project = library();
    project
        .repository
        .write(BASIC, LIBRARY.replace("x + y", "x - y"));
    project.repository.git(["add", "-A"]);
    project
        .repository
        .write(BASIC, LIBRARY.replace("x + y", "y + x"));
    let word = |words: &[&str]| {
        let (code, document) = judged(&project, words);
        (code, text(&document["verdict"]))
    };
    let (good, bad) = ("valid_refactor".to_owned(), "invalid_refactor".to_owned());
    assert_eq!(word(&["change"]), (0, good.clone()));
    assert_eq!(word(&["change", "--staged"]), (1, bad.clone()));
    project.repository.git(["commit", "-qm", "Broken"]);
    assert_eq!(word(&["change", "--commit", "HEAD"]), (1, bad));
    let nothing = (1, "nothing_changed".to_owned());
    assert_eq!(
        word(&["change", "--commit", "HEAD", "--base", "HEAD"]),
        nothing
    );
    project.repository.commit_all("Fixed");
    let base = ["change", "--commit", "HEAD", "--base", "HEAD~2"];
    assert_eq!(word(&base), (0, good));
}

#[test]
fn wrong_words_are_wrong_usage() {
    let project = library();
    let root = project
        .repository
        .git(["rev-list", "--max-parents=0", "HEAD"]);
    let root = root.trim().to_owned();
    for words in [
        ["--test", "no/such.py"].as_slice(),
        &["--staged", "--commit", "HEAD"],
        &["--commit", "no-such"],
        &["--commit", &root],
    ] {
        let mut arguments = vec!["gate", "change"];
        arguments.extend(words);
        let output = project.environment.proctor(arguments);
        output.expect_code(2);
        if words.contains(&"--test") {
            insta::assert_snapshot!("no_such_test", output.normalised());
        }
    }
}
