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
    let shared = python_with_linters();
    let shared = shared.parent().expect("a directory of programs");
    let shown = output
        .normalised()
        .replace(&*shared.to_string_lossy(), "[PYTHON]");
    insta::assert_snapshot!(shown, @r#"
    exit code: 0
    --- stdout
    language     Python
    runner       pytest, started by [PYTHON]/python
    linter       ruff ([PYTHON]/ruff), configured by pyproject.toml
    base branch  main
    written      [REPO]/proctor.toml

    next
      look at proctor.toml and commit it
      proctor doctor
      proctor new ID "TITLE"
      proctor run --issue ID --model SPEC
    --- stderr
    "#);
    insta::assert_snapshot!(
        "settings_of_a_python_project",
        repository.read("proctor.toml")
    );
    assert!(!repository.exists("src/x/proctor.toml"));

    // Everything else reads the file that it wrote.
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
    insta::assert_snapshot!(output.normalised(), @r#"
    exit code: 4
    --- stdout
    {"error":{"hint":"edit it, or move it away and run the command again","kind":"safety","message":"proctor.toml exists already and is left as it is"},"ok":false,"schema":1}
    --- stderr
    error: proctor.toml exists already and is left as it is
    hint: edit it, or move it away and run the command again
    "#);
    assert_eq!(repository.read("proctor.toml"), "[test]\nred = \"all\"\n");

    // A dangling link is the user's file too.
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
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 5
    --- stdout
    --- stderr
    error: [ROOT] is not inside a git repository: no .git in it, nor in a directory above it
    hint: run proctor inside a repository, or name one with -C DIR; `git init` makes one
    ");
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
    // No model was chosen, and a test has no terminal.
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
    let text = environment.proctor(["doctor"]).expect_code(5).normalised();
    let own = |line: &&str| {
        ["identity", "linter", "state"]
            .iter()
            .any(|id| line.contains(id))
    };
    let wrong: Vec<&str> = text.lines().filter(own).collect();
    insta::assert_snapshot!(wrong.join("\n"), @r#"
    error    identity  git does not know your name and e-mail address, which the commit needs
    error    linter    the linter cannot be run: program not found: no-such-linter
    error    state     there is no directory for worktrees: HOME is not set
    error: not ready: identity, linter, state
    hint: identity: say who you are: `git config user.name "Your Name" && git config user.email you@example.org`
    hint: linter: install it, or fix `[lint] command` in proctor.toml
    hint: state: set PROCTOR_STATE_DIR to a directory of your own
    "#);
    insta::assert_snapshot!(checks["linter"]["remedy"], @r#""install it, or fix `[lint] command` in proctor.toml""#);

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
    insta::assert_snapshot!(checks["linter"]["remedy"], @r#""install flake8 in the project's environment""#);
    environment.proctor(["init"]).expect_code(0);
    let text = repository.read("proctor.toml");
    assert!(!text.contains("\ncommand"), "it would stop runs: {text}");
}

#[test]
fn a_repository_of_several_parts_gets_a_table_for_each() {
    let environment = environment();
    let repository = environment.init_repository();
    let package = r#"{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^4"}}"#;
    repository.write("services/api/pyproject.toml", "[project]\nname = \"api\"\n");
    repository.write("web/package.json", package);
    repository.write("web/node_modules/x/package.json", package);
    repository.write("docs/index.md", "# Parts\n");
    repository.commit_all("Two parts");
    let output = environment.proctor(["init", "--format", "json"]);
    output.expect_code(0);
    let json = output.json();
    let parts: Vec<_> = json["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| {
            (
                part["root"].as_str().unwrap(),
                part["runner"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(parts, [("services/api", "pytest"), ("web", "vitest")]);
    assert_eq!(json["languages"], json!(["python", "javascript"]));
    let written = std::fs::read_to_string(repository.path().join("proctor.toml")).unwrap();
    let tables = written.lines().filter(|line| *line == "[[test]]").count();
    assert_eq!(tables, 2, "{written}");
    // One that is a project itself has one runner for all of it.
    let environment = self::environment();
    let one = environment.init_repository();
    one.write("pyproject.toml", "[project]\nname = \"one\"\n");
    one.write("web/package.json", package);
    one.commit_all("One");
    let output = environment.proctor(["init", "--format", "json"]);
    assert_eq!(output.json()["parts"], json!([]));
}
