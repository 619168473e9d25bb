//! `proctor apply` beyond the folders of `testdata/edit`: where the reply comes from, the output, and untouched files.

use std::io::Write as _;
use std::process::Stdio;

use proctor_testkit::{Repository, RunOutput, TestEnvironment};
use serde_json::{Value, json};

const REPLY: &str = "\
### CHANGE 1: greet the world
FIND:
```
hello
```

REPLACE WITH:
```
hello, world
```
";

fn world() -> (TestEnvironment, Repository) {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = environment.init_repository();
    repository.write("src/greeting.txt", "first\nhello\nlast\n");
    environment.write("reply.md", REPLY);
    (environment, repository)
}

/// Runs `apply` with the reply.
fn apply(environment: &TestEnvironment, path: &str, more: &[&str]) -> RunOutput {
    let reply = environment.root().join("reply.md").display().to_string();
    environment.proctor([&["apply", path, "--from", &reply], more].concat())
}

#[test]
fn a_reply_from_standard_input_is_applied_and_told() {
    let (environment, repository) = world();
    let mut command = environment.proctor_command(["apply", "src/greeting.txt"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(REPLY.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "src/greeting.txt: 1 change applied\n  line 2  greet the world\n"
    );
    assert_eq!(
        repository.read("src/greeting.txt"),
        "first\nhello, world\nlast\n"
    );
}

#[test]
fn a_rehearsal_shows_the_difference_and_writes_nothing() {
    let (environment, repository) = world();
    let output = apply(&environment, "src/greeting.txt", &["--dry-run"]);
    output.expect_code(0);
    assert_eq!(
        output.stdout,
        "--- a/src/greeting.txt\n+++ b/src/greeting.txt\n@@ -1,3 +1,3 @@\n first\n-hello\n+hello, world\n last\n"
    );
    assert_eq!(repository.read("src/greeting.txt"), "first\nhello\nlast\n");
    let output = apply(
        &environment,
        "src/greeting.txt",
        &["--dry-run", "--format=json"],
    );
    assert_eq!(output.json()["applied"], false);
    assert_eq!(output.json()["changes"][0]["line"], 2);
}

#[test]
fn json_names_path_changes_and_errors() {
    let (environment, _repository) = world();
    let greet = || apply(&environment, "src/greeting.txt", &["--format=json"]);
    assert_eq!(
        greet().expect_code(0).json(),
        json!({
            "schema": 1,
            "ok": true,
            "path": "src/greeting.txt",
            "applied": true,
            "changes": [{ "index": 1, "description": "greet the world", "line": 2, "tier": "exact" }],
            "errors": [],
        })
    );
    // The second time its text still exists, as part of the replacement.
    let again = greet();
    again.expect_code(0);
}

#[test]
fn a_change_is_in_the_trail_and_what_it_replaced_can_be_had_back() {
    let (environment, repository) = world();
    let before = repository.read("src/greeting.txt");
    apply(&environment, "src/greeting.txt", &["--dry-run"]).expect_code(0);
    assert!(!repository.path().join(".git/proctor").exists());
    apply(&environment, "src/greeting.txt", &[]).expect_code(0);
    let log = environment.proctor(["log", "--verify", "--format", "json"]);
    let log = log.expect_code(0).json();
    let bodies: Vec<&Value> = log["records"]
        .as_array()
        .expect("records")
        .iter()
        .map(|record| &record["body"])
        .collect();
    let acts: Vec<&Value> = bodies.iter().map(|body| &body["act"]).collect();
    assert_eq!(acts, ["proposed", "approved", "written"]);
    assert_eq!(bodies[2]["strategy"], "edit");
    assert_eq!(bodies[2]["path"], "src/greeting.txt");
    let kept = bodies[2]["rescue"].as_str().expect("a reference");
    assert_eq!(
        repository.git(["cat-file", "blob", kept]),
        before.trim_end()
    );
}

#[test]
fn what_may_not_be_changed_is_refused_for_safety() {
    let (environment, repository) = world();
    let root = repository.path();
    std::os::unix::fs::symlink("greeting.txt", root.join("src/link.txt")).unwrap();
    environment.write("outside.txt", "hello\n");
    repository.write("hard.txt", "hello\n");
    std::fs::hard_link(root.join("hard.txt"), root.join("second.txt")).unwrap();
    for path in [
        "../outside.txt",
        "/etc/passwd",
        "src",
        "src/link.txt",
        ".git/config",
        "hard.txt",
    ] {
        let output = apply(&environment, path, &["--format=json"]);
        output.expect_code(4);
        assert_eq!(output.json()["error"]["kind"], "safety", "{path}");
    }
    assert_eq!(repository.read("src/greeting.txt"), "first\nhello\nlast\n");
    assert_eq!(repository.read("hard.txt"), "hello\n");
}

#[test]
fn a_named_pipe_is_refused_and_not_waited_for() {
    let (environment, repository) = world();
    let made = environment
        .command("mkfifo")
        .arg(repository.path().join("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    apply(&environment, "pipe", &[]).expect_code(4);
}

#[test]
fn a_file_that_does_not_exist_cannot_be_changed() {
    let (environment, repository) = world();
    let output = apply(&environment, "src/none.txt", &["--format=json"]);
    output.expect_code(1);
    assert_eq!(output.json()["errors"][0]["kind"], "not_found");
    assert!(!repository.exists("src/none.txt"));
}

#[test]
fn a_reply_that_cannot_be_read_is_wrong_usage() {
    let (environment, _repository) = world();
    environment
        .proctor(["apply", "src/greeting.txt", "--from", "nowhere.md"])
        .expect_code(2);
    environment.proctor(["apply"]).expect_code(2);
}

#[test]
fn the_mode_of_the_file_is_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let (environment, repository) = world();
    repository.write_executable("run.sh", "hello\n");
    apply(&environment, "run.sh", &[]).expect_code(0);
    let mode = std::fs::metadata(repository.path().join("run.sh")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o755);
}

#[test]
fn a_path_is_meant_from_where_the_person_stands() {
    let (environment, repository) = world();
    repository.write("greeting.txt", "first\nhello\nlast\n");
    let reply = environment.root().join("reply.md").display().to_string();
    let mut command = environment.proctor_command(["apply", "greeting.txt", "--from", &reply]);
    command.current_dir(repository.path().join("src"));
    insta::assert_snapshot!(environment.run(command).normalised(), @"
    exit code: 0
    --- stdout
    src/greeting.txt: 1 change applied
      line 2  greet the world
    --- stderr
    ");
    assert_eq!(repository.read("greeting.txt"), "first\nhello\nlast\n");
    assert_eq!(
        repository.read("src/greeting.txt"),
        "first\nhello, world\nlast\n"
    );
    let mut command = environment.proctor_command(["apply", "../missing.txt", "--from", &reply]);
    command.current_dir(repository.path().join("src"));
    insta::assert_snapshot!(environment.run(command).normalised(), @"
    exit code: 1
    --- stdout
    --- stderr
    error: missing.txt does not exist, so there is nothing to change in it
    hint: give the path from where you are; a new file is written whole, with `proctor write`
    ");
}

#[test]
fn names_that_tools_act_on_need_a_person_as_in_a_write() {
    let (environment, repository) = world();
    for name in [
        ".gitattributes",
        "conftest.py",
        "setup.py",
        "Makefile",
        "package.json",
        "lefthook.yml",
        "tox.ini",
        "noxfile.py",
        "justfile",
        "Dockerfile",
        ".venv/bin/activate",
        ".github/workflows/ci.yml",
    ] {
        repository.write(name, "hello\n");
        let output = apply(&environment, name, &[]);
        assert_eq!(output.code, 4, "{name}: {}", output.stderr);
        assert_eq!(repository.read(name), "hello\n", "{name}");
    }
}
