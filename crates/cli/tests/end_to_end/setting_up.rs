//! The first minutes: `proctor init` and `proctor doctor`.

use proctor_testkit::{TestEnvironment, python_with_linters};
use serde_json::{Value, json};

fn environment() -> TestEnvironment {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.use_pytest();
    environment
}

#[test]
fn a_python_project_gets_a_file_that_says_what_was_found() {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.use_python(&python_with_linters());
    let repository = environment.init_repository();
    repository.write("pyproject.toml", "[project]\nname = \"x\"\n[tool.ruff]\n");
    repository.write("src/x/__init__.py", "");
    repository.commit_all("A project");
    let mut command = environment.proctor_command(["init"]);
    command.current_dir(repository.path().join("src/x"));
    let output = environment.run(command);
    output.expect_code(0);
    for words in [
        "language     Python",
        "runner       pytest, started by",
        "linter       ruff (",
        "configured by pyproject.toml",
        "base branch  main",
        "written      [REPO]/proctor.toml",
        "proctor doctor",
    ] {
        assert!(
            output.normalised_stdout().contains(words),
            "{words}: {}",
            output.normalised()
        );
    }
    let text = repository.read("proctor.toml");
    assert!(text.contains("\nrunner = \"pytest\"\n"), "{text}");
    assert!(text.contains("\ncommand = \"ruff check\"\n"), "{text}");
    assert!(text.contains("\n# timeout_seconds = 300\n"), "{text}");
    assert!(!repository.exists("src/x/proctor.toml"));

    // What it wrote is what everything else reads.
    let checks = environment.proctor(["doctor", "--format", "json"]).json();
    let settings = checks["checks"].as_array().unwrap().iter();
    let settings: Vec<_> = settings.filter(|check| check["id"] == "settings").collect();
    assert_eq!(settings[0]["status"], "ok", "{checks:#}");
}

#[test]
fn an_existing_file_is_left_as_it_is() {
    let environment = environment();
    let repository = environment.init_repository();
    repository.write("proctor.toml", "[test]\nred = \"all\"\n");
    let output = environment.proctor(["init", "--format", "json"]);
    output.expect_code(4);
    let error = &output.json()["error"];
    assert_eq!(error["kind"], "safety");
    assert!(error["hint"].as_str().unwrap().contains("move it away"));
    assert_eq!(repository.read("proctor.toml"), "[test]\nred = \"all\"\n");

    // A link that leads nowhere is a file of somebody's too.
    std::fs::remove_file(repository.path().join("proctor.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", repository.path().join("proctor.toml")).unwrap();
    environment.proctor(["init"]).expect_code(4);
    assert!(!repository.exists("nowhere"));
}

#[test]
fn every_language_and_an_empty_repository_get_a_file_that_can_be_read() {
    let cases = [
        ("README.md", json!([]), json!("pytest")),
        ("setup.py", json!(["python"]), json!("pytest")),
        ("package.json", json!(["javascript"]), json!(null)),
        ("tsconfig.json", json!(["typescript"]), json!(null)),
        ("Cargo.toml", json!(["rust"]), json!(null)),
        ("go.mod", json!(["go"]), json!(null)),
        ("pom.xml", json!(["java"]), json!(null)),
    ];
    for (file, languages, runner) in cases {
        let environment = environment();
        let repository = environment.init_repository();
        repository.write(file, "");
        let output = environment.proctor(["init", "--format", "json"]);
        output.expect_code(0);
        let found = output.json();
        assert_eq!(found["languages"], languages, "{file}");
        assert_eq!(found["runner"], runner, "{file}");
        assert_eq!(found["base_branch"], "main", "{file}");
        let checked = environment.proctor(["check"]);
        assert!(
            !checked.stderr.contains("proctor.toml"),
            "{}",
            checked.stderr
        );
    }
}

#[test]
fn outside_a_repository_nothing_is_written() {
    let environment = environment();
    let output = environment.proctor(["init"]);
    output.expect_code(5);
    assert!(output.stderr.contains("git init"), "{}", output.stderr);
    assert!(!environment.root().join("proctor.toml").exists());
}

/// The checks of `proctor doctor`, by their ids.
fn doctor(environment: &TestEnvironment, code: i32) -> serde_json::Map<String, Value> {
    let output = environment.proctor(["doctor", "--format", "json"]);
    output.expect_code(code);
    let document = output.json();
    let checks = document["checks"].as_array().expect("a list").iter();
    checks
        .map(|check| {
            let remedy = check["remedy"].as_str().unwrap_or_default();
            assert_eq!(check["status"] != "ok", !remedy.is_empty(), "{check:#}");
            (
                check["id"].as_str().expect("a text").to_owned(),
                check.clone(),
            )
        })
        .collect()
}

#[test]
fn the_doctor_looks_at_everything_that_a_run_needs() {
    let environment = environment();
    environment.init_repository();
    let checks = doctor(&environment, 0);
    let status = |id: &str| checks[id]["status"].as_str().unwrap().to_owned();
    let mut ids: Vec<&str> = checks.keys().map(String::as_str).collect();
    ids.sort_unstable();
    let all = [
        "disk", "git", "identity", "linter", "model", "runner", "sandbox", "settings", "state",
        "terminal",
    ];
    assert_eq!(ids, all);
    for id in ["git", "identity", "linter", "runner", "settings", "state"] {
        assert_eq!(status(id), "ok", "{:#}", checks[id]);
    }
    // Nobody chose a model, and a test has no terminal.
    assert_eq!(
        (status("model"), status("terminal")),
        ("warning".into(), "warning".into())
    );
    let version = checks["git"]["message"].as_str().unwrap();
    assert!(version.starts_with("version 2."), "{version}");
}

#[test]
fn the_doctor_names_what_is_wrong_and_what_to_do() {
    let mut environment = environment();
    let repository = environment.init_repository();
    repository.write("proctor.toml", "[lint]\ncommand = \"no-such-linter\"\n");
    environment.write("home/.gitconfig", "[user]\nuseConfigOnly = true\n");
    environment.remove_variable("PROCTOR_STATE_DIR");
    environment.remove_variable("XDG_STATE_HOME");
    environment.set_variable("HOME", "relative");
    environment.set_variable(
        "GIT_CONFIG_GLOBAL",
        environment.root().join("home/.gitconfig"),
    );
    let checks = doctor(&environment, 5);
    for id in ["identity", "linter", "state"] {
        assert_eq!(checks[id]["status"], "error", "{:#}", checks[id]);
    }
    let remedy = checks["linter"]["remedy"].as_str().unwrap();
    assert!(remedy.contains("[lint] command"), "{remedy}");

    repository.write("proctor.toml", "[lint\n");
    let checks = doctor(&environment, 5);
    assert_eq!(checks["settings"]["status"], "error");
}

#[test]
fn a_linter_that_is_configured_and_not_installed_is_missed_by_the_doctor() {
    let environment = environment();
    let repository = environment.init_repository();
    repository.write(".flake8", "[flake8]\n");
    let checks = doctor(&environment, 0);
    assert_eq!(checks["linter"]["status"], "warning");
    let remedy = checks["linter"]["remedy"].as_str().unwrap();
    assert!(remedy.contains("install flake8"), "{remedy}");
    environment.proctor(["init"]).expect_code(0);
    let text = repository.read("proctor.toml");
    assert!(!text.contains("\ncommand"), "it would stop runs: {text}");
}
