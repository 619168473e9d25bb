//! Large files in a run: asked for as changes, which go back to the model until they fit.

use std::fmt::Write as _;

use proctor_testkit::{Reply, RunOutput, Script, file_reply};
use serde_json::{Value, json};

use crate::messages::says;
use crate::project::{DESIGN, Project, text};

const TESTS: &str = "\
from mathkit.large import square


def test_square():
    assert square(3) == 9
";

/// 1,200 lines: functions that all look alike, and one that is wrong.
fn large() -> String {
    let mut text = String::new();
    for number in 0..299 {
        let _ = write!(text, "def plus_{number}(x):\n    return x + {number}\n\n\n");
    }
    text + "def square(x):\n    return x\n\n\ndef last(x):\n    return x\n"
}

fn fixed() -> String {
    large().replace(
        "def square(x):\n    return x\n",
        "def square(x):\n    return x * x\n",
    )
}

fn change(find: &str, replace: &str) -> String {
    format!(
        "### CHANGE 1: square\nFIND:\n```python\n{find}```\n\nREPLACE WITH:\n```python\n{replace}```\n\n"
    )
}

fn good_change() -> String {
    change(
        "def square(x):\n    return x\n",
        "def square(x):\n    return x * x\n",
    )
}

const AMBIGUOUS: (&str, &str) = ("    return x\n", "    return x * x\n");
const MALFORMED: &str = "### CHANGE 1: square\nFIND:\n```python\ndef square(x):\n```\n";

fn project() -> Project {
    project_with(&large(), "| `mathkit/large.py` | Modify | `square(x)` |")
}

fn project_with(large: &str, row: &str) -> Project {
    let project = Project::new();
    project.repository.write("mathkit/large.py", large);
    project.repository.commit_all("A large file");
    let first = "| `mathkit/power.py` | Add | `square(x)` and `cube(x)`. |";
    assert!(DESIGN.contains(first));
    project
        .environment
        .write("lld.md", DESIGN.replace(first, row));
    project
}

fn scaffold() -> Reply {
    Reply::scaffold(file_reply("tests/test_power.py", TESTS))
}

fn edits(text: impl Into<String>) -> Reply {
    Reply::implement("mathkit/large.py", text)
}

/// A file of the candidate tree.
fn in_tree(project: &Project, run: &Value, path: &str) -> String {
    project.repository.file_at(&text(&run["tree"]), path)
}

fn at_review(output: &RunOutput) -> Value {
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "review", "{}", output.stderr);
    run
}

/// The lines on which something is refused, and those that begin an attempt.
fn complaints(output: &RunOutput) -> String {
    let told = output.normalised_stderr();
    let is_wanted = |line: &&str| line.starts_with('✗') || line.contains("asking the model");
    told.lines()
        .filter(is_wanted)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_large_file_is_changed_by_find_and_replace() {
    let project = project();
    let script = Script::new().reply(scaffold()).reply(edits(good_change()));
    let run = at_review(&project.run(&script, &["--format", "json"]));
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), fixed());
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 1 }));
}

/// A model that keeps its requests, and the state of the worktree at each.
const KEEPING_MODEL: &str = "\
import glob, os, sys
root, state = sys.argv[1:3]
number = len(glob.glob(root + '/prompt-*'))
with open(f'{root}/prompt-{number}', 'w') as file:
    file.write(sys.stdin.read())
found = [path for path in glob.glob(state + '/**/mathkit/large.py', recursive=True) if '.judged' not in path]
with open(f'{root}/seen-{number}', 'wb') as file:
    file.write(open(found[0], 'rb').read())
with open(f'{root}/reply-{number}') as file:
    sys.stdout.write(file.read())
";

/// The replies in turn; one that does not end with `### END` counts as cut off.
fn keeping_model(project: &Project, replies: &[String]) -> String {
    for (number, reply) in replies.iter().enumerate() {
        project
            .environment
            .write(format!("model/reply-{number}"), reply);
    }
    let program = project.environment.write("model.py", KEEPING_MODEL);
    format!(
        "command:python3 {} {} {}",
        program.display(),
        project.environment.root().join("model").display(),
        project.environment.state_directory().display()
    )
}

fn kept(project: &Project, name: &str) -> String {
    let path = project.environment.root().join("model").join(name);
    std::fs::read_to_string(path).expect("the model keeps what it sees")
}

#[test]
fn cut_off_malformed_ambiguous_then_good_ends_green_and_nothing_is_touched_before() {
    let project = project();
    let end = "### END\n";
    let replies = [
        file_reply("tests/test_power.py", TESTS) + end,
        good_change(),
        MALFORMED.to_owned() + end,
        change(AMBIGUOUS.0, AMBIGUOUS.1) + end,
        good_change() + end,
    ];
    let model = keeping_model(&project, &replies);
    let run = at_review(&project.run_with(&model, &["--format", "json"]));
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), fixed());
    // The cut-off reply was asked for and spent no attempt.
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 4 }));
    assert_eq!(run["green"]["verdict"], "valid_green");
    for number in 0..replies.len() {
        assert_eq!(
            kept(&project, &format!("seen-{number}")),
            large(),
            "question {number}"
        );
    }
    let prompt = |number: usize| kept(&project, &format!("prompt-{number}"));
    assert!(prompt(1).contains("Do not send all of mathkit/large.py"));
    assert!(!prompt(1).contains("Your last reply was not used"));
    assert!(
        prompt(2).contains("cut off before its end"),
        "{}",
        prompt(2)
    );
    // The file fits into a reply, so after changes that cannot be read it is asked for whole.
    assert!(prompt(3).contains("not followed by `REPLACE WITH:`"));
    assert!(prompt(3).contains("Send the whole new content of mathkit/large.py"));
    assert!(
        prompt(4).contains("more than once: at lines"),
        "{}",
        prompt(4)
    );
    assert!(prompt(4).contains("Do not send all of mathkit/large.py"));
}

#[test]
fn the_same_with_a_script_and_its_stop_reasons() {
    let project = project();
    let script = Script::new()
        .reply(scaffold())
        .reply(edits(good_change()).stop_reason("max_tokens"))
        .reply(edits(MALFORMED).attempt(1))
        .reply(edits(change(AMBIGUOUS.0, AMBIGUOUS.1)).attempt(2))
        .reply(edits(good_change()).attempt(3));
    let run = at_review(&project.run(&script, &["--format", "json"]));
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), fixed());
}

#[test]
fn three_cut_off_replies_park_the_run_and_a_person_may_go_on() {
    let project = project();
    let cut_off = || edits(good_change()).stop_reason("max_tokens");
    let script = Script::new()
        .reply(scaffold())
        .reply(cut_off())
        .reply(cut_off())
        .reply(cut_off())
        .reply(edits(good_change()));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "implement");
    assert_eq!(run["attempts"]["implement"], 3);
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: all attempts are spent (the reply was cut off before its end, and nothing of it was used)");
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), large());
    at_review(&project.environment.proctor(["resume", "--format", "json"]));
}

#[test]
fn a_reply_that_uses_up_its_tokens_is_cut_off_whatever_it_says() {
    let project = project();
    project
        .repository
        .write("proctor.toml", "[model]\nmax_output_tokens = 500\n");
    let script = Script::new()
        .reply(scaffold())
        .reply(edits(good_change()).tokens(9, 500))
        .reply(edits(good_change()).tokens(9, 120));
    let output = project.run(&script, &["--format", "json"]);
    let run = at_review(&output);
    assert_eq!(run["attempts"]["implement"], 2);
    insta::assert_snapshot!(complaints(&output), @"
    • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    • N3 Implement    asking the model for mathkit/large.py, attempt 1 of 3 …
    ✗ N3 Implement    reply not used: the reply was cut off before its end, and nothing of it was used  ([TIME])
    • N3 Implement    asking the model for mathkit/large.py, attempt 1 of 3 …
    ");
}

#[test]
fn a_large_file_that_comes_whole_is_sent_back() {
    let project = project();
    let script = Script::new()
        .reply(scaffold())
        .reply(edits(file_reply(
            "mathkit/large.py",
            "def square(x):\n    return x * x\n",
        )))
        .reply(edits(good_change()));
    let output = project.run(&script, &["--format", "json"]);
    at_review(&output);
    insta::assert_snapshot!(complaints(&output), @"
    • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    • N3 Implement    asking the model for mathkit/large.py, attempt 1 of 3 …
    ✗ N3 Implement    reply refused: mathkit/large.py has 1202 lines and is not replaced as a whole  ([TIME])
    • N3 Implement    asking the model for mathkit/large.py, attempt 2 of 3 …
    ");
}

#[test]
fn changes_of_other_files_and_of_files_that_do_not_exist_are_refused() {
    let project = project();
    let other = format!(
        "### FILE: mathkit/basic.py\n{}",
        change("def add(x, y):\n", "def add(y, x):\n")
    );
    let missing = format!(
        "{}### FILE: mathkit/none.py\n{}",
        good_change(),
        good_change()
    );
    let script = Script::new()
        .reply(scaffold())
        .reply(edits(other))
        .reply(edits(missing))
        .reply(edits(good_change()));
    let output = project.run(&script, &["--format", "json"]);
    let run = at_review(&output);
    assert_eq!(run["attempts"]["implement"], 3);
    insta::assert_snapshot!(complaints(&output), @"
    • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    • N3 Implement    asking the model for mathkit/large.py, attempt 1 of 3 …
    ✗ N3 Implement    reply refused: the reply was refused: mathkit/basic.py exists already and was not asked for  ([TIME])
    • N3 Implement    asking the model for mathkit/large.py, attempt 2 of 3 …
    ✗ N3 Implement    reply refused: mathkit/none.py does not exist, so nothing in it can be changed  ([TIME])
    • N3 Implement    asking the model for mathkit/large.py, attempt 3 of 3 …
    ");
}

/// The first file's reply is good, the second's never: nothing of the round is written.
#[test]
fn files_of_a_round_are_written_together_or_not_at_all() {
    let project = project_with(
        &large(),
        "| `mathkit/large.py` | Modify | `square(x)` |\n| `mathkit/basic.py` | Modify | Sums. |",
    );
    let basic = |text: String| Reply::implement("mathkit/basic.py", text);
    let bad = || basic(change("def nothing():\n", "def something():\n"));
    let good = || {
        basic(file_reply(
            "mathkit/basic.py",
            "def add(x, y):\n    return y + x\n",
        ))
    };
    let script = Script::new()
        .reply(scaffold())
        .reply(edits(good_change()))
        .reply(bad())
        .reply(bad())
        .reply(bad())
        .reply(edits(good_change()))
        .reply(good());
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "implement");
    let worktree = std::path::PathBuf::from(text(&run["worktree"]));
    let in_worktree = |path: &str| std::fs::read_to_string(worktree.join(path)).unwrap();
    assert_eq!(in_worktree("mathkit/large.py"), large());
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), large());
    let run = at_review(&project.environment.proctor(["resume", "--format", "json"]));
    assert_eq!(in_worktree("mathkit/large.py"), fixed());
    assert_eq!(in_tree(&project, &run, "mathkit/large.py"), fixed());
}

/// Changes the file while the model thinks.
const MEDDLING_MODEL: &str = "\
import glob, sys
root, state = sys.argv[1:3]
prompt = sys.stdin.read()
if 'Your task: the tests' in prompt:
    sys.stdout.write(open(root + '/reply-0').read())
else:
    for path in glob.glob(state + '/**/mathkit/large.py', recursive=True):
        if '.judged' not in path:
            open(path, 'a').write('# mine\\n')
    sys.stdout.write(open(root + '/reply-1').read())
";

#[test]
fn a_file_that_changed_since_the_question_is_not_written_over() {
    let project = project();
    let end = "### END\n";
    let replies = [
        file_reply("tests/test_power.py", TESTS) + end,
        good_change() + end,
    ];
    let model = keeping_model(&project, &replies);
    project.environment.write("model.py", MEDDLING_MODEL);
    let output = project.run_with(&model, &["--format", "json"]);
    says(&output, 3, "run RUN waits for a person: REASON");
    let run = output.json();
    insta::assert_snapshot!(output.normalised_text("/waiting_for"), @"a person: mathkit/large.py was changed in the worktree since the model was asked about it; nothing was written; `git -C [STATE]/repo-[ID]/[RUN] restore --source [ID] -- mathkit/large.py` puts it back");
    let file = std::path::PathBuf::from(text(&run["worktree"])).join("mathkit/large.py");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        large() + "# mine\n"
    );
    // The reply is kept; once the file is as it was, the run continues without asking again.
    std::fs::write(&file, large()).unwrap();
    let run = at_review(&project.environment.proctor(["resume", "--format", "json"]));
    assert_eq!(run["attempts"]["implement"], 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), fixed());
}

#[test]
fn with_auto_changes_that_keep_most_are_written_and_others_need_force() {
    let file = format!(
        "{}def square(x):\n    return x\n",
        "VALUE = 1\n".repeat(120)
    );
    let small = change(
        "def square(x):\n    return x\n",
        "def square(x):\n    return x * x\n",
    );
    let sweeping = change(&file, "def square(x):\n    return x * x\n");
    for (flags, reply, stage) in [
        (["--auto"].as_slice(), &small, "review"),
        (&["--auto"], &sweeping, "implement"),
        (&["--auto", "--force"], &sweeping, "review"),
    ] {
        let project = project_with(&file, "| `mathkit/large.py` | Modify | `square(x)` |");
        let script = Script::new()
            .reply(scaffold())
            .reply(edits(reply))
            .reply(edits(reply))
            .reply(edits(reply));
        project.run(&script, flags).expect_code(3);
        assert_eq!(project.status()["stage"], stage, "{flags:?}");
    }
}

#[test]
fn a_scaffold_changes_a_large_test_file_by_find_and_replace() {
    let project = project();
    let existing = (0..300).fold(String::new(), |mut text, number| {
        let _ = writeln!(
            text,
            "def test_{number}():\n    assert {number} == {number}"
        );
        text
    });
    project.repository.write("tests/test_power.py", &existing);
    project.repository.commit_all("Many tests");
    let whole = Reply::scaffold(file_reply("tests/test_power.py", TESTS));
    let added = Reply::scaffold(change(
        "def test_0():\n",
        "from mathkit.large import square\n\n\ndef test_square():\n    assert square(3) == 9\n\n\ndef test_0():\n",
    ));
    let script = Script::new()
        .reply(whole)
        .reply(added)
        .reply(edits(good_change()));
    let output = project.run(&script, &["--format", "json"]);
    let run = at_review(&output);
    assert_eq!(run["attempts"]["scaffold"], 2, "{}", output.stderr);
    let tests = in_tree(&project, &run, "tests/test_power.py");
    assert!(tests.ends_with(&existing), "{tests}");
}
