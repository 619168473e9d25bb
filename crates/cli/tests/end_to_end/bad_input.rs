//! Bad input and broken surroundings: one sentence, a hint, the documented exit code, nothing lost.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use proctor_testkit::{RunOutput, Script, TestEnvironment};

use crate::messages::says;
use crate::project::{Project, good, scaffold, text};

/// The sentence, the hint and the exit code; and the same as JSON.
fn refused(project: &Project, more: &[&str], code: i32, sentence: &str, hint: &str) {
    let before = project.repository.git(["for-each-ref"]);
    let output = project.run(&good(), more);
    assert_refused(&output, code, sentence, hint);
    assert_eq!(project.repository.git(["for-each-ref"]), before, "{more:?}");
    assert_eq!(project.leftovers(), Vec::<String>::new(), "{more:?}");
}

fn assert_refused(output: &RunOutput, code: i32, sentence: &str, hint: &str) {
    output.expect_code(code);
    assert_eq!(output.stdout, "", "{}", output.stderr);
    let error = output
        .stderr
        .lines()
        .find(|line| line.starts_with("error: "))
        .unwrap_or_default();
    assert!(
        error.contains(sentence),
        "{sentence:?} is not in {}",
        output.stderr
    );
    let hinted = output
        .stderr
        .lines()
        .any(|line| line.starts_with("hint: ") && line.contains(hint));
    assert!(hinted, "{hint:?} is not in {}", output.stderr);
}

#[test]
fn context_that_may_not_be_sent_is_refused_with_everything_that_is_wrong() {
    let project = Project::new();
    project.repository.write(".env", "TOKEN=1\n");
    project
        .repository
        .write("big.py", "#".repeat(100 * 1024 + 1));
    project.repository.write("binary.bin", [0_u8, 1, 2]);
    std::os::unix::fs::symlink(".env", project.repository.path().join("link.py")).unwrap();
    std::os::unix::fs::symlink("/etc", project.repository.path().join("etc")).unwrap();
    let socket = project.repository.path().join("socket");
    let _socket = std::os::unix::net::UnixListener::bind(socket).unwrap();
    let cases = [
        ("../pass", "outside", "resolves outside"),
        ("/etc/passwd", "outside", "resolves outside"),
        ("mathkit/../../pass", "outside", "resolves outside"),
        (".env", "secret_name", "secrets"),
        ("link.py", "symlink", "symbolic link"),
        ("etc/passwd", "symlink", "symbolic link"),
        ("missing.py", "missing", "does not exist"),
        ("socket", "not_regular", "not a regular file"),
        ("big.py", "too_large", "100 KB"),
        ("binary.bin", "not_text", "not text"),
    ];
    for (path, _, sentence) in cases {
        refused(
            &project,
            &["--context", path],
            4,
            sentence,
            "nothing was created",
        );
    }
    // All at once.
    let mut arguments = vec!["--format", "json"];
    for (path, _, _) in cases {
        arguments.extend(["--context", path]);
    }
    let output = project.run(&good(), &arguments);
    output.expect_code(4);
    let document = output.json();
    let found: Vec<_> = document["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (text(&problem["where"]), text(&problem["kind"])))
        .collect();
    let expected: Vec<_> = cases
        .iter()
        .map(|(path, kind, _)| ((*path).to_owned(), (*kind).to_owned()))
        .collect();
    assert_eq!(found, expected);
    assert!(!project.repository.path().join(".git/proctor").exists());
}

#[test]
fn more_than_two_hundred_thousand_tokens_are_refused() {
    let project = Project::new();
    let mut arguments = Vec::new();
    let names: Vec<String> = (0..5).map(|number| format!("words{number}.txt")).collect();
    for name in &names {
        project
            .repository
            .write(name, "a b c d e f g h ".repeat(6_250));
        arguments.extend(["--context", name.as_str()]);
    }
    refused(&project, &arguments, 4, "200000", "--context");
}

#[test]
fn a_design_document_that_cannot_be_used_is_refused() {
    let project = Project::new();
    let run = |name: &str| {
        let script = project.script(&good());
        let path = project.environment.root().join(name).display().to_string();
        project
            .environment
            .proctor(["run", "--issue", "87", "--lld", &path, "--model", &script])
    };
    assert_refused(&run("missing.md"), 2, "missing.md cannot be read", "--lld");
    project
        .environment
        .write("prose.md", "# 87 - Title\n\nPlease improve everything.\n");
    assert_refused(
        &run("prose.md"),
        1,
        "no usable list of files",
        "Files Changed",
    );
    project.environment.write(
        "only-tests.md",
        "# 87\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `tests/test_x.py` | Add | x |\n",
    );
    assert_refused(
        &run("only-tests.md"),
        1,
        "only tests are listed",
        "Files Changed",
    );
}

#[test]
fn an_issue_that_cannot_be_a_branch_name_is_refused() {
    let project = Project::new();
    let script = project.script(&good());
    let document = project.document();
    for issue in [
        "a b",
        "../x",
        "x.lock",
        "-",
        "é",
        "a..b",
        "$(touch x)",
        "",
        "a/b",
    ] {
        let issue = format!("--issue={issue}");
        let output = project
            .environment
            .proctor(["run", &issue, "--lld", &document, "--model", &script]);
        assert_refused(&output, 2, "cannot be an issue", "letters, digits");
    }
}

#[test]
fn places_without_a_usable_repository_are_refused() {
    let project = Project::new();
    let script = project.script(&good());
    let document = project.document();
    let run = |directory: &std::path::Path| {
        let directory = directory.display().to_string();
        project.environment.proctor([
            "-C", &directory, "run", "--issue", "87", "--lld", &document, "--model", &script,
        ])
    };
    let root = project.environment.root();
    let nowhere = root.join("nowhere");
    std::fs::create_dir(&nowhere).unwrap();
    assert_refused(&run(&nowhere), 5, "not inside a git repository", "git init");
    assert_refused(
        &run(&project.repository.path().join(".git")),
        5,
        "not inside a git repository",
        "-C",
    );
    let bare = root.join("bare.git");
    project
        .repository
        .git(["init", "--quiet", "--bare", bare.to_str().unwrap()]);
    assert_refused(&run(&bare), 5, "bare repository", "clone");
    let empty = project.environment.init_repository_at("empty");
    assert_refused(&run(empty.path()), 5, "has no commit yet", "first commit");
    let missing = project
        .environment
        .proctor(["-C", "/no/such/place", "status"]);
    missing.expect_code(2);
    project.repository.git(["checkout", "--quiet", "--detach"]);
    assert_refused(
        &run(project.repository.path()),
        2,
        "HEAD is detached",
        "--base",
    );
    let output = project.run(&good(), &["--base", "main"]);
    output.expect_code(3);
}

#[test]
fn a_branch_that_does_not_exist_or_is_in_the_way_is_refused() {
    let project = Project::new();
    refused(
        &project,
        &["--base", "no-such"],
        2,
        "no branch \"no-such\"",
        "git branch",
    );
    // A leftover at the base commit is used, one with commits of its own is not.
    project.repository.git(["branch", "feat/issue-87"]);
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    project.environment.proctor(["abort", &run]).expect_code(0);
    project.repository.git(["branch", "feat/issue-87"]);
    project
        .repository
        .git(["checkout", "--quiet", "feat/issue-87"]);
    project.repository.write("mine.txt", "mine\n");
    let mine = project.repository.commit_all("My own work");
    project.repository.git(["checkout", "--quiet", "main"]);
    let output = project.run(&good(), &[]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 5
    --- stdout
    --- stderr
    ✓ N0 LoadContext  1 source file and 1 test file to write, about 184 tokens  ([TIME])
    error: branch feat/issue-87 already exists and is not at the base commit
    hint: look at it with `git log [ID]..feat/issue-87`, then rename or delete it
    hint: go on with `proctor resume [RUN]`
    ");
    assert_eq!(
        project
            .repository
            .git(["rev-parse", "feat/issue-87"])
            .trim(),
        mine.trim()
    );
}

#[test]
fn models_that_cannot_be_used_are_refused() {
    let project = Project::new();
    let document = project.document();
    let run = |model: &[&str]| {
        let mut arguments = vec!["run", "--issue", "87", "--lld", &document];
        arguments.extend(model);
        project.environment.proctor(arguments)
    };
    assert_refused(&run(&[]), 2, "no model is chosen", "--model");
    assert_refused(
        &run(&["--model", "gpt"]),
        2,
        "names no model",
        "script:FILE",
    );
    assert_refused(
        &run(&["--model", "anthropic:x"]),
        5,
        "ANTHROPIC_API_KEY is not set",
        "export ANTHROPIC_API_KEY",
    );
    assert_refused(
        &run(&["--model", "command:./no-such-program"]),
        2,
        "cannot be found",
        "PATH",
    );
    assert_refused(
        &run(&["--model", "script:/no/such/file"]),
        2,
        "cannot be read",
        "JSON Lines",
    );
    let bad = project.environment.write("bad.jsonl", "{\"text\": 1}\n");
    assert_refused(
        &run(&["--model", &format!("script:{}", bad.display())]),
        2,
        "line 1",
        "JSON Lines",
    );
    assert_eq!(project.leftovers(), Vec::<String>::new());
}

#[test]
fn a_script_without_a_matching_reply_leaves_a_run_that_can_be_resumed() {
    let project = Project::new();
    let output = project.run(&Script::new().reply(scaffold()), &["--format", "json"]);
    says(
        &output,
        5,
        "the model script PATH has no unused reply for QUESTION",
    );
    let document = output.json();
    assert!(
        text(&document["error"]["message"]).contains("implement of mathkit/power.py, attempt 1")
    );
    assert_eq!(document["state"], "running");
    // With the line added, the run continues where it stopped and asks for nothing twice.
    project.script(&good());
    let output = project.environment.proctor(["resume", "--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review");
    assert_eq!(output.json()["attempts"]["scaffold"], 1);
}

#[test]
fn a_missing_pytest_is_an_environment_error_and_never_a_red() {
    let project = Project::new();
    let python = project
        .environment
        .write("bin/python3", "#!/bin/sh\nexit 1\n");
    let mut permissions = std::fs::metadata(&python).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&python, permissions).unwrap();
    project.repository.write(
        "proctor.toml",
        format!("[test]\ncommand = {:?}\n", python.to_str().unwrap()),
    );
    refused(&project, &[], 5, "pytest", "pip install pytest");
}

#[test]
fn wrong_settings_are_refused_with_the_nearest_valid_key() {
    let project = Project::new();
    project
        .repository
        .write("proctor.toml", "[test]\ntimeout = 3\n");
    refused(
        &project,
        &[],
        2,
        "unknown key \"test.timeout\"",
        "test.timeout_seconds",
    );
    project
        .repository
        .write("proctor.toml", "[sandbox]\nmode = \"docker\"\n");
    refused(
        &project,
        &[],
        2,
        "not supported",
        "auto, bubblewrap, landlock, off",
    );
}

#[test]
fn wrong_usage_is_code_two_in_text_and_in_json() {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.proctor(["run"]).expect_code(2);
    let output = environment.proctor(["revew"]);
    output.expect_code(2);
    assert_eq!(
        output.stderr,
        "error: unrecognized subcommand 'revew'\nhint: some similar subcommands exist: 'resume', 'review'\n"
    );
    // No words at all.
    let nothing: [&str; 0] = [];
    let output = environment.run(environment.proctor_command(nothing));
    output.expect_code(2);
    insta::assert_snapshot!("no_words_at_all", output.normalised());
    // Bytes that are not text.
    let bytes = OsStr::from_bytes(b"\xff\xfe");
    for format in ["--format=text", "--format=json"] {
        environment
            .proctor([OsStr::new(format), bytes])
            .expect_code(2);
        for command in ["write", "apply"] {
            let words = [OsStr::new(command), OsStr::new(format), bytes];
            environment.proctor(words).expect_code(4);
        }
    }
    let output = environment.proctor(["run", "--format", "json"]);
    output.expect_code(2);
    let document = output.json();
    says(
        (output.code, &document),
        2,
        "the following required arguments were not provided: ARGUMENTS",
    );
    let error = &document["error"];
    let message = "the following required arguments were not provided: --issue <ID>";
    assert_eq!(error["message"], message);
    insta::assert_snapshot!(error["hint"], @r#""`proctor --help` lists the commands, `proctor COMMAND --help` their options""#);
    let near = ["check", "--contxt", "x", "--format=json"];
    let error = environment.proctor(near).json()["error"].clone();
    assert_eq!(error["message"], "unexpected argument '--contxt' found");
    assert_eq!(error["hint"], "a similar argument exists: '--context'");
    environment.proctor(["--help"]).expect_code(0);
    environment.proctor(["--version"]).expect_code(0);
    let completions = environment.proctor(["completions", "bash"]);
    completions.expect_code(0);
    assert!(completions.stdout.contains("_proctor"));
    let graph = environment.proctor(["graph"]);
    graph.expect_code(0);
    assert!(
        graph.stdout.starts_with("stateDiagram-v2\n"),
        "{}",
        graph.stdout
    );
}

#[test]
fn a_suite_that_cannot_start_at_the_base_is_said_before_any_model_is_asked() {
    let project = Project::new();
    project
        .repository
        .write("conftest.py", "raise RuntimeError('broken conftest')\n");
    project.repository.commit_all("A broken conftest");
    let output = project.run(&good(), &["--format", "json"]);
    says(
        &output,
        5,
        "the tests cannot be judged at the base commit: the run exited with 4 (the runner could not start: wrong usage, or an error in its configuration) and its records are not usable: there is no finish record\n  OUTPUT",
    );
    // The runner's own last output is quoted.
    let message = text(&output.json()["error"]["message"]);
    assert!(
        message.contains("RuntimeError: broken conftest"),
        "{message}"
    );
    assert_eq!(output.json()["attempts"]["scaffold"], 0);
}

#[test]
fn there_is_nothing_to_resume_in_a_fresh_repository() {
    let project = Project::new();
    for arguments in [
        ["resume"].as_slice(),
        &["status", "no-such"],
        &["abort", "no-such"],
        &["log", "no-such"],
    ] {
        project.environment.proctor(arguments).expect_code(2);
    }
    project.environment.proctor(["log"]).expect_code(0);
    assert_eq!(project.json(&["status"])["runs"], serde_json::json!([]));
    assert!(
        !project.repository.path().join(".git/proctor").exists(),
        "looking creates nothing"
    );
}

#[test]
fn a_document_that_lists_a_secret_is_refused_before_anything_is_sent() {
    let project = Project::new();
    project.repository.write("deploy.env", "TOKEN=abc\n");
    project.repository.commit_all("A secret by name");
    project.list_too("| `deploy.env` | Modify | Another token. |");
    refused(
        &project,
        &[],
        4,
        "deploy.env: the document lists a file named like a secret",
        "nothing was created",
    );
}

#[test]
fn a_tag_with_the_branchs_name_is_no_obstacle() {
    let project = Project::new();
    project.repository.git(["tag", "main"]);
    let output = project.run(&good(), &["--dry-run", "--format", "json"]);
    output.expect_code(0);
    assert_eq!(output.json()["base"], project.repository.head().as_str());
}

#[test]
fn worktrees_may_go_beside_the_repository_but_not_into_it() {
    let project = Project::new();
    for inside in [
        "worktrees",
        "../repo/worktrees",
        ".git/worktrees-of-proctor",
    ] {
        project.repository.write(
            "proctor.toml",
            format!("[worktree]\ndirectory = {inside:?}\n"),
        );
        refused(&project, &[], 2, "inside the repository", "outside");
    }
    let link = project.environment.root().join("link");
    std::os::unix::fs::symlink(project.repository.path(), &link).unwrap();
    project.repository.write(
        "proctor.toml",
        "[worktree]\ndirectory = \"../link/worktrees\"\n",
    );
    refused(&project, &[], 2, "inside the repository", "outside");
    project
        .repository
        .write("proctor.toml", "[worktree]\ndirectory = \"../beside\"\n");
    project.run(&good(), &[]).expect_code(3);
    assert!(text(&project.status()["worktree"]).contains("/beside/"));
}
