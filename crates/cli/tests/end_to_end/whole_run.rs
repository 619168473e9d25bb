//! From the design document to the merge.

use proctor_testkit::{Reply, Script, file_reply};
use serde_json::json;

use crate::good_run::unlike_a_good_run;
use crate::project::{
    POWERS, PROMPT, Project, TESTS, WRONG_POWERS, approve, good, implement, scaffold, text,
};

#[test]
fn a_run_is_merged_after_a_person_types_approve() {
    let project = Project::new();
    let base = project.repository.head();
    let mut terminal = project.run_at_terminal(&good(), &["--format", "json"]);
    terminal.expect(PROMPT);
    // Until then nothing has happened to the user's branch or files.
    assert_eq!(project.repository.head(), base);
    assert!(!project.repository.exists("mathkit/power.py"));
    terminal.send_line("approve");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());

    let run = project.status();
    assert_eq!(run["state"], "merged");
    assert_eq!(run["stage"], "merge");
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 1 }));
    assert_eq!(
        run["usage"],
        json!({ "input_tokens": 300, "output_tokens": 50, "cost_usd": 0.0 })
    );
    assert_eq!(run["base"], base.as_str());
    assert_eq!(run["red"]["verdict"], "valid_red");
    assert_eq!(run["green"]["verdict"], "valid_green");
    assert_eq!(run["green"]["exit_code"], 0);
    let ids: Vec<_> = run["green"]["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| text(&test["id"]))
        .collect();
    assert!(
        ids.contains(&"tests/test_power.py::test_cube".to_owned()),
        "{ids:?}"
    );

    let head = project.repository.head();
    assert_eq!(run["commit"], head.as_str());
    assert_eq!(run["tree"], project.repository.tree_of("HEAD").as_str());
    assert_eq!(project.repository.git(["rev-parse", "HEAD^"]).trim(), base);
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
    assert_eq!(project.repository.read("tests/test_power.py"), TESTS);
    assert_eq!(project.repository.git(["status", "--porcelain"]), "");
    let message = project.repository.git(["log", "-1", "--format=%B"]);
    assert!(message.contains(&format!("\nProctor-Run: {}\n", text(&run["run"]))));
    insta::assert_snapshot!(project.environment.normalise(&message), @"
    Powers (#87)

    Issue: 87
    Proctor-Run: [RUN]
    Proctor-Red: valid, 0 passed, 2 failed, exit code 1
    Proctor-Green: valid, 2 passed, 0 failed, exit code 0, sandbox [LEVEL], tree [ID]
    Approved-By: Ada Tester <ada@example.com>
    Proctor-Evidence: sha256:[ID]
    ");
    let trailers = project
        .repository
        .git(["log", "-1", "--format=%(trailers:only)"]);
    assert_eq!(trailers.trim().lines().count(), 6, "{trailers}");
    assert_eq!(project.branches().trim(), "main");
    assert_eq!(project.leftovers(), Vec::<String>::new());
    assert_eq!(project.repository.git(["for-each-ref", "refs/proctor"]), "");
}

#[test]
fn refused_tests_and_a_wrong_implementation_go_back_to_the_model() {
    let project = Project::new();
    let broken = Reply::scaffold(file_reply(
        "tests/test_power.py",
        "def test_square(:\n    pass\n",
    ));
    let script = Script::new()
        .reply(broken.attempt(1))
        .reply(scaffold().attempt(2))
        .reply(implement(WRONG_POWERS).attempt(1))
        .reply(implement(POWERS).attempt(2));
    let output = project.run(&script, &["--auto"]);
    output.expect_code(3);
    let run = project.status();
    assert_eq!(run["attempts"], json!({ "scaffold": 2, "implement": 2 }));
    assert_eq!(run["state"], "parked");
    assert_eq!(run["stage"], "review");
    assert_eq!(run["green"]["verdict"], "valid_green");
    assert_eq!(output.stdout, "");
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    + ✓ N1 Scaffold     the model replied  ([TIME])
    + ✓ N1 Scaffold     wrote tests/test_power.py  ([TIME])
    + • N2 RedGate      running the tests; the new ones have to fail …
    + ✗ N2 RedGate      refused: the tests have a syntax error in tests/test_power.py line 1: invalid syntax (test_power.py, line 1)  ([TIME])
    +       1 new test file cannot be loaded yet, 1 earlier test still passes
    + • N1 Scaffold     asking the model for tests, attempt 2 of 3 …
    …
    + ✗ N4 GreenGate    refused: tests/test_power.py::test_cube: still fails with AssertionError: assert 9 == 27  ([TIME])
    +       1 new test fails, 1 new test passes, 1 earlier test still passes
    + • N3 Implement    asking the model for mathkit/power.py, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    wrote mathkit/power.py  ([TIME])
    + • N4 GreenGate    judging the change by its tests …
    …
    - waiting: run [RUN] waits for a person's decision at the diff review gate
    + waiting: Diff review gate cannot be bypassed. Manual approval required. Run [RUN] waits for it
    …
    ");
}

#[test]
fn nothing_of_the_users_is_touched_while_a_run_works() {
    let project = Project::new();
    project.repository.write("README.md", "# changed by me\n");
    project.repository.write("staged.txt", "staged\n");
    project.repository.git(["add", "staged.txt"]);
    project.repository.write("untracked.txt", "mine\n");
    project.repository.write("stashed.txt", "later\n");
    project
        .repository
        .git(["stash", "push", "--include-untracked", "--", "stashed.txt"]);
    let before = project.repository.checkout_fingerprint();
    let output = project.run(&good(), &[]);
    output.expect_code(3);
    assert_eq!(output.stdout, "");
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    + • your checkout has uncommitted changes; the run starts from [ID] without them and leaves them alone
    …
    ");
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    let run = project.status();
    let worktree = text(&run["worktree"]);
    assert!(
        worktree.starts_with(&*project.environment.state_directory().to_string_lossy()),
        "{worktree}"
    );
    assert_eq!(
        std::fs::read_to_string(format!("{worktree}/mathkit/power.py")).unwrap(),
        POWERS
    );
    assert!(project.branches().contains("feat/issue-87"));
    // The tree that is reported exists, although it is not committed yet.
    let kind = project
        .repository
        .git(["cat-file", "-t", &text(&run["tree"])]);
    assert_eq!(kind.trim(), "tree");
}

#[test]
fn without_a_terminal_the_run_waits_at_review_and_says_how_to_go_on() {
    let project = Project::new();
    let output = project.run(&good(), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(unlike_a_good_run(&output.normalised_stderr()), "…\n");
    let document = output.json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["error"]["kind"], "needs_person");
    let run = text(&document["run"]);
    assert!(
        text(&document["error"]["hint"]).contains(&format!("proctor review {run}")),
        "{document}"
    );
    assert_eq!(document["state"], "parked");
    assert!(document["waiting_for"].is_string());
    let status = project.environment.proctor(["status"]);
    insta::assert_snapshot!(status.normalised(), @"
    exit code: 0
    --- stdout
    run        state    stage      age  title
    [RUN]  waiting  N6 Review  now  Feature: Powers
        waits for a person's decision at the diff review gate
        proctor review 87
    --- stderr
    ");
    let status = project.environment.proctor(["status", &run]);
    insta::assert_snapshot!(status.normalised(), @"
    exit code: 0
    --- stdout
    run        [RUN]
    issue      87
    title      Feature: Powers
    stage      N6 Review
    state      waiting
    waits for  a person's decision at the diff review gate
    worktree   [STATE]/repo-[ID]/[RUN]
    replies    1 for tests, 1 for the implementation
    sandbox [LEVEL]
    tokens     300 in, 50 out
    cost       $0.0000

    next
      proctor review 87
    --- stderr
    ");

    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect("tests/test_power.py");
    terminal.expect("mathkit/power.py");
    approve(&mut terminal);
    assert_eq!(project.status()["state"], "merged");
}

#[test]
fn a_dry_run_prints_the_plan_and_creates_nothing() {
    let project = Project::new();
    let before = project.repository.git(["for-each-ref"]);
    let output = project.run(
        &good(),
        &[
            "--dry-run",
            "--context",
            "mathkit/basic.py",
            "--format",
            "json",
        ],
    );
    output.expect_code(0);
    let plan = output.json();
    assert_eq!(plan["files"][0]["path"], "tests/test_power.py");
    assert_eq!(plan["files"][1]["path"], "mathkit/power.py");
    assert_eq!(plan["files"][1]["change_type"], "add");
    assert_eq!(plan["context"][0]["path"], "mathkit/basic.py");
    assert_eq!(plan["context"][0]["bytes"], 32);
    assert!(plan["total_tokens"].as_u64().unwrap() > 50);
    assert_eq!(plan["scenarios"][0]["id"], "010");
    assert!(!project.repository.path().join(".git/proctor").exists());
    assert_eq!(project.repository.git(["for-each-ref"]), before);
    assert_eq!(project.leftovers(), Vec::<String>::new());
}

#[test]
fn a_second_run_of_the_same_issue_is_refused_while_the_first_is_open() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let output = project.run(&good(), &[]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 2
    --- stdout
    --- stderr
    error: issue 87 already has an open run, [RUN]
    hint: go on with `proctor resume [RUN]`, or end it with `proctor abort [RUN]`
    ");
    assert!(output.stderr.contains(&format!("proctor resume {run}")));
    project.environment.proctor(["abort", &run]).expect_code(0);
    // Its branch is gone, so another run can begin.
    project.run(&good(), &[]).expect_code(3);
}

#[test]
fn a_recorded_run_plays_again_and_ends_in_the_same_tree() {
    let project = Project::new();
    let recording = project.environment.root().join("recorded");
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(WRONG_POWERS))
        .reply(implement(POWERS));
    let record = recording.display().to_string();
    project.run(&script, &["--record", &record]).expect_code(3);
    let first = project.status();
    let run = text(&first["run"]);
    project.environment.proctor(["abort", &run]).expect_code(0);

    let file = recording.join(format!("{run}.jsonl"));
    let lines = std::fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let again = project.run_with(&format!("script:{}", file.display()), &["--format", "json"]);
    again.expect_code(3);
    assert_eq!(again.json()["tree"], first["tree"]);
    assert_eq!(again.json()["attempts"], first["attempts"]);
}

#[test]
fn the_built_in_script_is_selected_by_the_mock_variable() {
    let mut project = Project::new();
    project.environment.set_variable("AGENTOS_MOCK_LLM", "1");
    let document = project.environment.root().join("lld.md");
    // The built-in replies are for the demo's own project, so here they are refused; only the answering model matters.
    let output = project.environment.proctor([
        "run",
        "--issue",
        "87",
        "--lld",
        document.to_str().unwrap(),
        "--format",
        "json",
    ]);
    let scaffold = output.json()["attempts"]["scaffold"].as_u64();
    assert!(
        scaffold.is_some_and(|replies| replies >= 1),
        "{}",
        output.stderr
    );
}

#[test]
fn the_demo_ends_at_the_review_prompt_and_merges_on_approval() {
    let project = Project::new();
    let mut terminal = project.environment.proctor_on_terminal(["demo"]);
    terminal.expect("N2 RedGate      refused");
    terminal.expect("N4 GreenGate    refused");
    // A script cannot read a comment, but it answers.
    terminal.expect(PROMPT);
    terminal.send_line("COMMENT use clearer names");
    terminal.expect("sent back with comments");
    approve(&mut terminal);
    let is_waiting = |line: &&str| line.starts_with(|it| ('\u{2800}'..='\u{28ff}').contains(&it));
    let shown = project.environment.normalise(&terminal.screen());
    let shown: Vec<&str> = shown.lines().filter(|line| !is_waiting(line)).collect();
    let display = shown.join("\n");
    // The sample's directory has a name of its own each time.
    let made = display
        .find("proctor-demo-")
        .expect("the sample's directory");
    let made = display[made..].split('/').next().unwrap_or_default();
    let display = display.replace(made, "proctor-demo");
    let caught = display.find("What was caught").expect("what was caught");
    insta::assert_snapshot!(display[caught..], @r#"
    What was caught
      N2  tests that nothing could pass: the module `invoicekit.pricing` does not exist and the design
          does not declare it
      N4  a limit that is off by one: still fails with AssertionError: assert 0 == 5
      N4  the trick, a number whose `==` says yes to anything: passes, and so does its twin, in which
          the expected values are others: something makes tests pass whatever they say

    What to do next
      proctor -C [ROOT]/tmp/proctor-demo/invoicekit report
        makes a page about this run and says where it is
      proctor init
        in a repository of yours: looks around and writes its settings
      proctor new 1 "TITLE"
        writes a design document there, and `proctor run --issue 1` begins
    "#);
    let decided = display.rfind("✓ N6 Review").expect("a decision");
    let spent = display.rfind("replies").expect("what it took");
    insta::assert_snapshot!(display[decided..spent], @"
    ✓ N6 Review       approved by Ada Tester <ada@example.com>  ([TIME])
    ✓ N7 Merge        merged into main as [ID]  ([TIME])
    • N7 Merge        worktree removed  ([TIME])
    run        [RUN]
    issue      42
    stage      N7 Merge
    state      merged
    commit     [ID]
    branch     main
    ");
}

#[test]
fn an_existing_file_is_modified_and_a_delete_row_is_carried_out() {
    let project = Project::new();
    project.repository.write("mathkit/old.py", "UNUSED = 1\n");
    project.repository.commit_all("Something to delete");
    project.list_too(
        "| `mathkit/basic.py` | Modify | `add` takes any number of arguments. |
| `mathkit/old.py` | Delete | Unused. |",
    );
    let basic = "def add(*numbers):\n    return sum(numbers)\n";
    let script = good().reply(Reply::implement(
        "mathkit/basic.py",
        file_reply("mathkit/basic.py", basic),
    ));
    let mut terminal = project.run_at_terminal(&script, &[]);
    approve(&mut terminal);
    assert_eq!(project.repository.read("mathkit/basic.py"), basic);
    assert!(!project.repository.exists("mathkit/old.py"));
}

#[test]
fn complaints_of_the_linter_go_back_to_the_model() {
    let project = Project::new();
    project.repository.write_executable(
        "lint.sh",
        "#!/bin/sh\nfor file; do\n  if grep -n 'FORBIDDEN' \"$file\"; then echo \"$file: FORBIDDEN is forbidden\"; exit 1; fi\ndone\n",
    );
    project
        .repository
        .write("proctor.toml", "[lint]\ncommand = \"./lint.sh\"\n");
    project.repository.commit_all("A linter");
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(&format!("{POWERS}\n\nFORBIDDEN = 1\n")))
        .reply(implement(POWERS));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review");
    assert_eq!(output.json()["attempts"]["implement"], 2);
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    - • N5 Lint         no linter is configured or found  ([TIME])
    + ✗ N5 Lint         complaints from `./lint.sh`  ([TIME])
    +       9:FORBIDDEN = 1
    +       mathkit/power.py: FORBIDDEN is forbidden
    + • N3 Implement    asking the model for mathkit/power.py, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    wrote mathkit/power.py  ([TIME])
    + • N4 GreenGate    judging the change by its tests …
    + ✓ N4 GreenGate    green: 2 new tests pass, 1 earlier test still passes  ([TIME])
    + ✓ N5 Lint         no complaint from `./lint.sh`  ([TIME])
    …
    ");
}

#[test]
fn files_that_a_filter_keeps_elsewhere_are_spoken_of() {
    let project = Project::new();
    project
        .repository
        .write(".gitattributes", "*.bin filter=lfs\n");
    project.repository.commit_all("Large files elsewhere");
    let output = project.run(&good(), &[]);
    output.expect_code(3);
    assert_eq!(output.stdout, "");
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    + • .gitattributes sends files through a filter program; the tests see them as git stores them
    …
    ");
}

#[test]
fn a_filter_that_the_repository_configures_is_not_run_for_a_worktree() {
    let project = Project::new();
    let repository = &project.repository;
    let trace = project.environment.root().join("trace");
    repository.write(".gitattributes", "*.py filter=planted\n");
    repository.commit_all("A filter for everything");
    for (key, program) in [("smudge", "cat"), ("clean", "cat")] {
        let command = format!("echo {key} >> '{}'; {program}", trace.display());
        repository.git(["config", &format!("filter.planted.{key}"), &command]);
    }
    repository.git(["config", "filter.planted.required", "true"]);
    let output = project.run(&good(), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review");
    assert!(
        !trace.exists(),
        "{}",
        std::fs::read_to_string(trace).unwrap()
    );
}
