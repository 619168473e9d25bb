//! Replies that the gates and the rules send back, and the end of the attempts.

use proctor_testkit::{Reply, Script, file_reply, files_reply};
use serde_json::json;

use crate::good_run::unlike_a_good_run;
use crate::messages::says;
use crate::project::{POWERS, Project, TESTS, WRONG_POWERS, good, implement, scaffold, text};

fn scaffold_with(content: &str) -> Reply {
    Reply::scaffold(file_reply("tests/test_power.py", content))
}

#[test]
fn tests_that_pass_already_are_refused_three_times_and_then_the_run_is_parked() {
    let project = Project::new();
    let passing =
        "from mathkit.basic import add\n\n\ndef test_nothing_new():\n    assert add(2, 2) == 4\n";
    let script = Script::new()
        .reply(scaffold_with(passing))
        .reply(scaffold_with(passing))
        .reply(scaffold_with(passing));
    let output = project.run(&script, &["--format", "json"]);
    says(
        &output,
        3,
        "run RUN waits for a person: all attempts are spent (REASON)",
    );
    let run = output.json();
    assert_eq!(run["state"], "parked");
    assert_eq!(run["stage"], "red_gate");
    assert_eq!(run["attempts"], json!({ "scaffold": 3, "implement": 0 }));
    assert_eq!(run["red"]["verdict"], "invalid_red");
    assert_eq!(run["red"]["exit_code"], 0);
    assert_eq!(run["green"], json!(null));
}

#[test]
fn a_failing_implementation_is_tried_three_times_and_then_the_run_is_parked() {
    let project = Project::new();
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(WRONG_POWERS))
        .reply(implement(WRONG_POWERS))
        .reply(implement(WRONG_POWERS))
        .reply(implement(POWERS));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 3 }));
    assert_eq!(run["green"]["verdict"], "invalid_green");
    assert_eq!(run["green"]["exit_code"], 1);
    let failed = run["green"]["tests"].as_array().unwrap().iter();
    let failed: Vec<_> = failed
        .filter(|test| test["outcome"] == "failed")
        .map(|test| text(&test["id"]))
        .collect();
    assert_eq!(failed, ["tests/test_power.py::test_cube"]);
    assert!(!project.repository.exists("mathkit/power.py"));
    // A person may grant more attempts; the fourth reply is right.
    let output = project.environment.proctor(["resume", "--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review");
    assert_eq!(output.json()["attempts"]["implement"], 4);
}

/// Each of these scaffolds is refused, two in a run; the good one after them is then accepted.
#[test]
fn tests_that_no_implementation_could_pass_are_sent_back() {
    let cases = [
        ("syntax", "def test_x(:\n", "syntax error"),
        (
            "undeclared import",
            "import nowhere\n\n\ndef test_x():\n    assert nowhere.x == 1\n",
            "nowhere",
        ),
        (
            "name error",
            "def test_x():\n    assert undefined_name == 1\n",
            "undefined_name",
        ),
        (
            "fixture",
            "def test_x(no_such_fixture):\n    assert no_such_fixture\n",
            "no_such_fixture",
        ),
        (
            "skip",
            "import pytest\n\n\n@pytest.mark.skip\ndef test_x():\n    assert 1 == 2\n",
            "skip",
        ),
        (
            "xfail",
            "import pytest\n\n\n@pytest.mark.xfail\ndef test_x():\n    assert 1 == 2\n",
            "expected to fail",
        ),
        (
            "nothing collected",
            "def helper():\n    return 1\n",
            "no test",
        ),
    ];
    for pair in cases.chunks(2) {
        let names: Vec<&str> = pair.iter().map(|(name, ..)| *name).collect();
        let project = Project::new();
        let script = pair
            .iter()
            .fold(Script::new(), |script, (_, content, _)| {
                script.reply(scaffold_with(content))
            })
            .reply(scaffold())
            .reply(implement(POWERS));
        let output = project.run(&script, &["--format", "json"]);
        output.expect_code(3);
        let (run, told) = (output.json(), &output.stderr);
        assert_eq!(
            run["attempts"]["scaffold"],
            pair.len() + 1,
            "{names:?}: {told}"
        );
        assert_eq!(run["stage"], "review", "{names:?}: {told}");
        for (name, _, said) in pair {
            assert!(told.contains(said), "{name}: {told}");
        }
        let name = format!("refused_scaffolds_{}", names.join("_").replace(' ', "_"));
        insta::assert_snapshot!(name, unlike_a_good_run(&output.normalised_stderr()));
    }
}

#[test]
fn replies_that_bring_what_they_may_not_are_refused_whole() {
    let outside = files_reply([("mathkit/power.py", POWERS), ("../outside.py", "x = 1\n")]);
    let a_test = files_reply([
        ("mathkit/power.py", POWERS),
        ("tests/test_power.py", "def test_x():\n    pass\n"),
    ]);
    let existing = files_reply([
        ("mathkit/power.py", POWERS),
        ("mathkit/basic.py", "def add(x, y):\n    return 3\n"),
    ]);
    let protected = files_reply([("mathkit/power.py", POWERS), ("conftest.py", "")]);
    let other = file_reply("mathkit/other.py", POWERS);
    let prose = "All tests pass now, I checked.".to_owned();
    let cases = [
        ("outside", outside),
        ("test", a_test),
        ("existing", existing),
        ("protected", protected),
        ("other", other),
        (
            "directory",
            files_reply([("mathkit/power.py", POWERS), ("tests", "x\n")]),
        ),
        (
            "below a file",
            files_reply([
                ("mathkit/power.py", POWERS),
                ("mathkit/basic.py/x.py", "x\n"),
            ]),
        ),
        ("prose", prose),
    ];
    // Two in a run, then the good one.
    for pair in cases.chunks(2) {
        let name = pair.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let project = Project::new();
        let script = pair
            .iter()
            .fold(Script::new().reply(scaffold()), |script, (_, reply)| {
                script.reply(Reply::implement("mathkit/power.py", reply.clone()))
            })
            .reply(implement(POWERS));
        let output = project.run(&script, &["--format", "json"]);
        output.expect_code(3);
        let run = output.json();
        assert_eq!(run["stage"], "review", "{name:?}: {}", output.stderr);
        assert_eq!(
            run["attempts"]["implement"], 3,
            "{name:?}: {}",
            output.stderr
        );
        let shown = format!("refused_replies_{}", name.join("_").replace(' ', "_"));
        insta::assert_snapshot!(shown, unlike_a_good_run(&output.normalised_stderr()));
        // Only the last reply's file is in the tree.
        let range = format!("{}..{}", text(&run["base"]), text(&run["tree"]));
        let (base, tree) = range.split_once("..").unwrap();
        let changed = project
            .repository
            .git(["diff-tree", "-r", "--name-only", base, tree]);
        assert_eq!(changed, "mathkit/power.py\ntests/test_power.py", "{name:?}");
    }
}

#[test]
fn a_scaffold_may_not_bring_source_and_a_refused_one_leaves_no_file_behind() {
    let project = Project::new();
    let with_source = files_reply([("tests/test_power.py", TESTS), ("mathkit/power.py", POWERS)]);
    let misnamed = file_reply("tests/test_first_idea.py", "def test_x(:\n");
    let script = Script::new()
        .reply(Reply::scaffold(with_source))
        .reply(Reply::scaffold(misnamed))
        .reply(scaffold())
        .reply(implement(POWERS));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["attempts"]["scaffold"], 3, "{}", output.stderr);
    assert_eq!(run["stage"], "review");
    let worktree = text(&run["worktree"]);
    assert!(
        !std::path::Path::new(&worktree)
            .join("tests/test_first_idea.py")
            .exists()
    );
    let names = project
        .repository
        .git(["ls-tree", "-r", "--name-only", &text(&run["tree"])]);
    assert!(!names.contains("first_idea"), "{names}");
}

#[test]
fn giving_up_parks_the_run_with_the_models_reason() {
    let project = Project::new();
    let script = Script::new()
        .reply(scaffold())
        .reply(Reply::new("### GIVE UP: the document contradicts itself\n"));
    let output = project.run(&script, &["--format", "json"]);
    says(
        &output,
        3,
        "run RUN waits for a person: the model gave up (REASON)",
    );
    insta::assert_snapshot!(output.json()["waiting_for"], @r#""a person: the model gave up (the document contradicts itself)""#);
    assert_eq!(output.json()["stage"], "implement");
}

#[test]
fn a_truncated_reply_is_not_used_and_a_refusal_parks() {
    let project = Project::new();
    let script = Script::new()
        .reply(scaffold().stop_reason("max_tokens"))
        .reply(scaffold())
        .reply(Reply::new("I would rather not.").stop_reason("refusal"));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["attempts"], json!({ "scaffold": 2, "implement": 1 }));
    insta::assert_snapshot!(run["waiting_for"], @r#""a person: the model gave up (the model refused: I would rather not.)""#);
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @r#"
    …
    + ✗ N1 Scaffold     the reply is cut off at its limit, 20 tokens  ([TIME])
    + ✗ N1 Scaffold     reply not used: the reply was cut off before its end, and nothing of it was used  ([TIME])
    + • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    …
    - ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    - ✓ N3 Implement    wrote mathkit/power.py  ([TIME])
    - • N4 GreenGate    judging the change by its tests …
    - ✓ N4 GreenGate    green: 2 new tests pass, 1 earlier test still passes  ([TIME])
    - • N5 Lint         no linter is configured or found  ([TIME])
    - • N6 Review       Diff review gate cannot be bypassed. Manual approval required.  ([TIME])
    - waiting: run [RUN] waits for a person's decision at the diff review gate
    - hint: at a terminal: `proctor review [RUN]`
    + ✗ N3 Implement    the model declined to answer  ([TIME])
    + ✗ N3 Implement    the model gave up: the model refused: I would rather not.  ([TIME])
    + waiting: run [RUN] waits for a person: the model gave up (the model refused: I would rather not.)
    + hint: `proctor resume [RUN]` gives the model three more attempts; `--model SPEC` with it asks another model
    + hint: `proctor resume [RUN] --tests "what to change"` has the tests written again
    + hint: `proctor abort [RUN]` ends the run
    "#);
}

#[test]
fn breaking_what_passed_before_is_not_green() {
    let project = Project::new();
    project.list_too("| `mathkit/basic.py` | Modify | Broken. |");
    let basic = |content: &str| {
        Reply::implement("mathkit/basic.py", file_reply("mathkit/basic.py", content))
    };
    let script = good()
        .reply(basic("def add(x, y):\n    return x - y\n"))
        .reply(implement(POWERS))
        .reply(basic("def add(x, y):\n    return y + x\n"));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review", "{}", output.stderr);
    assert!(
        output.stderr.contains("tests/test_basic.py::test_add"),
        "{}",
        output.stderr
    );
}

#[test]
fn in_a_run_the_person_chooses_how_a_large_file_is_changed() {
    let project = Project::new();
    let lines = "VALUE = 1\n".repeat(120);
    project.repository.write("mathkit/table.py", &lines);
    project.repository.commit_all("A large file");
    project.list_too("| `mathkit/table.py` | Modify | One more. |");
    let reply =
        |content| Reply::implement("mathkit/table.py", file_reply("mathkit/table.py", content));
    let script = good()
        .reply(reply("OTHER = 1\n"))
        .reply(reply("OTHER = 2\n"));

    // ABORT leaves the run waiting, SKIP sends the reply back, and the next one is added at the end.
    let mut terminal = project.run_at_terminal(&script, &[]);
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    let run = project.run_id();
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("SKIP");
    terminal.expect("a person did not allow this");
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("APPEND");
    terminal.expect("strategy: append");
    terminal.expect("Type WRITE to write exactly this");
    terminal.send_line("WRITE");
    terminal.expect("Type APPROVE");
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    let merged = project.repository.read("mathkit/table.py");
    assert_eq!(merged, lines + "OTHER = 2\n");
    let log = project.json(&["log", &run]).to_string();
    for act in ["declined", "approved"] {
        assert!(log.contains(&format!("\"act\":\"{act}\"")), "{act}: {log}");
    }
    assert!(log.contains("\"strategy\":\"append\""), "{log}");
}

#[test]
fn replacing_a_large_file_needs_a_person() {
    let project = Project::new();
    let lines = "VALUE = 1\n".repeat(120);
    project.repository.write("mathkit/table.py", lines);
    project.repository.commit_all("A large file");
    project.list_too("| `mathkit/table.py` | Modify | Smaller. |");
    let script = good().reply(Reply::implement(
        "mathkit/table.py",
        file_reply("mathkit/table.py", "OTHER = 1\n"),
    ));

    let output = project.run(&script, &["--format", "json"]);
    says(
        &output,
        3,
        "run RUN waits for a person's permission: REASON",
    );
    assert!(
        text(&output.json()["waiting_for"]).contains("mathkit/table.py has 120 lines"),
        "{}",
        output.stderr
    );
    let run = project.run_id();
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    terminal.expect("About to replace 120 lines with 1 line");
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("REPLACE");
    terminal.expect("Type WRITE to write exactly this");
    terminal.send_line("WRITE");
    terminal.expect("Type APPROVE");
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert_eq!(project.repository.read("mathkit/table.py"), "OTHER = 1\n");
    assert!(
        project
            .json(&["log", &run])
            .to_string()
            .contains("\"act\":\"approved\"")
    );
}

#[test]
fn auto_refuses_to_replace_a_large_file_unless_forced() {
    for (flags, stage) in [
        (["--auto"].as_slice(), "implement"),
        (&["--auto", "--force"], "review"),
    ] {
        let project = Project::new();
        let lines = "VALUE = 1\n".repeat(120);
        project.repository.write("mathkit/table.py", lines);
        project.repository.commit_all("A large file");
        project.list_too("| `mathkit/table.py` | Modify | Smaller. |");
        let smaller = || {
            Reply::implement(
                "mathkit/table.py",
                file_reply("mathkit/table.py", "OTHER = 1\n"),
            )
        };
        let script = good().reply(smaller()).reply(smaller()).reply(smaller());
        project.run(&script, flags).expect_code(3);
        assert_eq!(project.status()["stage"], stage, "{flags:?}");
    }
}

#[test]
fn a_program_can_be_the_model_and_without_its_end_line_a_reply_counts_as_cut_off() {
    let project = Project::new();
    let tests = project
        .environment
        .write("tests.txt", file_reply("tests/test_power.py", TESTS));
    let power = project
        .environment
        .write("power.txt", file_reply("mathkit/power.py", POWERS));
    let program = project.environment.write(
        "model.sh",
        format!(
            "#!/bin/sh\nprompt=$(cat)\ncase \"$prompt\" in\n*'Your task: the tests'*) cat {}; case \"$prompt\" in *'cut off'*) echo '### END';; esac;;\n*) cat {}; echo '### END';;\nesac\n",
            tests.display(),
            power.display()
        ),
    );
    let model = format!("command:sh {}", program.display());
    let output = project.run_with(&model, &["--quiet", "--format", "json"]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "review", "{}", output.stderr);
    assert_eq!(run["attempts"], json!({ "scaffold": 2, "implement": 1 }));
    assert_eq!(run["usage"]["cost_usd"], json!(null));
    // Data that leaves the machine is announced once, before it does.
    assert_eq!(
        output.stderr.matches("data-policy").count(),
        1,
        "{}",
        output.stderr
    );
}

#[test]
fn a_suite_that_is_stopped_from_inside_waits_for_a_person() {
    let project = Project::new();
    let stopping = "from mathkit.basic import add\n\n\ndef test_square():\n    if add(1, 2) == 3:\n        raise KeyboardInterrupt\n    assert add(1, 1) == 3\n";
    let output = project.run(&Script::new().reply(scaffold_with(stopping)), &[]);
    says(
        &output,
        3,
        "run RUN waits for a person: the tests could not be judged (REASON)",
    );
}

#[test]
fn a_model_program_that_fails_or_goes_away_leaves_a_run_that_can_be_resumed() {
    let project = Project::new();
    let program = |text: &str| {
        let path = project.environment.write("model.sh", text);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        path
    };
    let path = program("#!/bin/sh\necho 'out of words' >&2\nexit 1\n");
    let model = format!("command:{}", path.display());
    let output = project.run_with(&model, &[]);
    says(&output, 5, "the model program PROGRAM failed: REASON");
    assert!(output.stderr.contains("out of words"), "{}", output.stderr);
    let reply = file_reply("tests/test_power.py", TESTS) + "### END\n";
    let reply = project.environment.write("reply.txt", reply);
    program(&format!(
        "#!/bin/sh\nrm -- \"$0\"\ncat {}\n",
        reply.display()
    ));
    let output = project.environment.proctor(["resume"]);
    says(
        &output,
        5,
        "the model program cannot be run: program not found: PROGRAM",
    );
}
