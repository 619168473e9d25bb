//! N5 with the real ruff and flake8.

use proctor_testkit::{Reply, Script, file_reply, python_with_linters};
use serde_json::Value;

use crate::desk::at_question;
use crate::good_run::unlike_a_good_run;
use crate::messages::says;
use crate::project::{POWERS, Project, implement, scaffold};

const UNUSED_IMPORT: &str =
    "import os\n\n\ndef square(x):\n    return x * x\n\n\ndef cube(x):\n    return x * x * x\n";

/// A project with these files, whose environment has linters.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::with_python(&python_with_linters());
    for (path, text) in files {
        project.repository.write(path, text);
    }
    project.repository.commit_all("Rules");
    project
}

/// Runs to the review; how often the implementation was asked for, and the linter's last result.
fn lint(project: &Project, script: &Script) -> (u64, Value) {
    let output = project.run(script, &["--format", "json"]);
    output.expect_code(3);
    let document = output.json();
    assert_eq!(document["stage"], "review", "{document:#}");
    let asked = document["attempts"]["implement"]
        .as_u64()
        .expect("a number");
    (asked, document["lint"].clone())
}

fn fixed() -> Script {
    Script::new()
        .reply(scaffold())
        .reply(implement(UNUSED_IMPORT))
        .reply(implement(POWERS))
}

#[test]
fn a_linter_is_found_and_its_findings_go_back_to_the_model() {
    let cases = [
        ("ruff.toml", "", "ruff check"),
        (".flake8", "[flake8]\n", "flake8"),
    ];
    for (file, text, command) in cases {
        let project = project(&[(file, text)]);
        let output = project.run(&fixed(), &["--format", "json"]);
        output.expect_code(3);
        let document = output.json();
        assert_eq!(document["attempts"]["implement"], 2, "{document:#}");
        let lint = &document["lint"];
        assert_eq!(lint["verdict"], "clean", "{lint:#}");
        let called = lint["command"].as_str().unwrap();
        assert!(called.starts_with(command), "{called}");
        let (name, _) = command.split_once(' ').unwrap_or((command, ""));
        let told = unlike_a_good_run(&output.normalised_stderr());
        insta::assert_snapshot!(format!("found_by_{name}"), told);
        let evidence = project.evidence("lint-").concat();
        assert!(evidence.contains("imported but unused"), "{evidence}");
        let kept = lint["evidence"].as_str().expect("a path");
        assert!(std::path::Path::new(kept).is_file(), "{kept}");
    }
}

#[test]
fn findings_that_the_base_had_already_are_not_laid_at_the_models_door() {
    let old = "import os\n\n\ndef add(x, y):\n    return x + y\n";
    let project = project(&[("ruff.toml", ""), ("mathkit/basic.py", old)]);
    project.list_too("| `mathkit/basic.py` | Modify | `add` takes three numbers. |");
    let changed = format!(
        "\"\"\"Sums.\"\"\"\n\n{}",
        old.replace("x, y", "x, y, z=0")
            .replace("x + y", "x + y + z")
    );
    let basic = Reply::implement("mathkit/basic.py", file_reply("mathkit/basic.py", &changed));
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(POWERS))
        .reply(basic);
    let (asked, lint) = lint(&project, &script);
    assert_eq!(asked, 2, "one reply a file");
    assert_eq!(
        (&lint["verdict"], &lint["known"]),
        (&"clean".into(), &1.into()),
        "{lint:#}"
    );
}

#[test]
fn rules_are_the_bases_even_if_the_change_brings_others() {
    let project = project(&[("ruff.toml", "")]);
    project.list_too("| `mathkit/ruff.toml` | Add | Rules of this package. |");
    let rules = "[lint]\nignore = [\"F401\"]\n";
    let ruff = || Reply::implement("mathkit/ruff.toml", file_reply("mathkit/ruff.toml", rules));
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(UNUSED_IMPORT))
        .reply(ruff())
        .reply(implement(POWERS))
        .reply(ruff());
    let (asked, lint) = lint(&project, &script);
    assert_eq!(asked, 4, "sent back once");
    assert_eq!(lint["verdict"], "clean");
}

#[test]
fn complaints_are_shown_at_the_review_when_attempts_are_spent() {
    let project = project(&[("ruff.toml", "")]);
    let mut script = Script::new().reply(scaffold());
    for _ in 0..3 {
        script = script.reply(implement(UNUSED_IMPORT));
    }
    let (asked, lint) = lint(&project, &script);
    assert_eq!(asked, 3);
    assert_eq!(lint["verdict"], "complaints");
    let mut terminal = project
        .environment
        .proctor_on_terminal(["review", &project.run_id()]);
    terminal.expect("Type APPROVE");
    let shown = at_question(&project.environment, &mut terminal);
    assert!(shown.contains("\nLint   complaints\n"), "{shown}");
    let from = shown.rfind("Lint   ").expect("what the linter said");
    let (lint, _) = shown[from..].split_once("\n\n").expect("more below");
    insta::assert_snapshot!(lint, @"
    Lint   ruff check '--output-format=concise' --no-cache --force-exclude --
           mathkit/power.py:1: F401 [*] `os` imported but unused
    ");
    let question = shown.lines().rev().take(3).collect::<Vec<_>>();
    assert!(
        question
            .iter()
            .any(|line| line.starts_with("The linter found: mathkit/power.py:1: F401")),
        "{shown}"
    );
    assert!(!shown.contains("Nothing is flagged"), "{shown}");
    terminal.send_line("REJECT");
    terminal.wait();
}

#[test]
fn a_linter_that_is_missing_or_crashes_is_no_complaint() {
    let missing = Project::new();
    missing.repository.write(".flake8", "[flake8]\n");
    let crashing = project(&[("ruff.toml", "select = 3\n")]);
    let cases = [
        (missing, "neither in its environment nor on the search path"),
        (crashing, "it ended with code 2"),
    ];
    for (project, words) in cases {
        project.repository.commit_all("Rules");
        let script = Script::new()
            .reply(scaffold())
            .reply(implement(UNUSED_IMPORT));
        let (asked, lint) = lint(&project, &script);
        assert_eq!(
            (asked, &lint["verdict"]),
            (1, &"unusable".into()),
            "{lint:#}"
        );
        let reason = lint["reason"].as_str().unwrap();
        assert!(reason.contains(words), "{reason}");
        let run = project.run_id();
        let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
        terminal.expect("Type APPROVE");
        let shown = at_question(&project.environment, &mut terminal);
        assert!(
            shown.contains("The linter could not be run. Type APPROVE"),
            "{shown}"
        );
        assert!(!shown.contains("Nothing is flagged"), "{shown}");
        terminal.send_line("REJECT");
        terminal.wait();
    }
}

#[test]
fn a_configured_linter_that_is_nowhere_stops_the_run_until_that_is_fixed() {
    let project = project(&[("proctor.toml", "[lint]\ncommand = \"no-such-linter\"\n")]);
    let output = project.run(&fixed(), &[]);
    says(
        &output,
        5,
        "the linter cannot be run: program not found: PROGRAM",
    );
}

#[test]
fn an_empty_command_means_no_linter() {
    let project = project(&[
        ("ruff.toml", ""),
        ("proctor.toml", "[lint]\ncommand = []\n"),
    ]);
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(UNUSED_IMPORT));
    let (asked, lint) = lint(&project, &script);
    assert_eq!((asked, &lint["verdict"]), (1, &"absent".into()));
}

#[test]
fn a_warning_of_clippy_in_a_changed_file_is_a_finding() {
    let old = "pub fn one() -> u8 {\n    return 1;\n}\n";
    let library = format!("pub mod other;\n{old}");
    let mut project = Project::new();
    let home = std::env::var_os("HOME").expect("cargo needs a home");
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let usual = std::path::Path::new(&home).join(folder).into_os_string();
        let place = std::env::var_os(name).unwrap_or(usual);
        project.environment.set_variable(name, place);
    }
    let manifest = "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let lock = "version = 3\n\n[[package]]\nname = \"sample\"\nversion = \"0.1.0\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("Cargo.lock", lock),
        ("src/lib.rs", &library),
        ("src/other.rs", old),
    ];
    for (path, text) in files {
        project.repository.write(path, text);
    }
    project.repository.commit_all("A crate");
    project.list_too("| `src/lib.rs` | Modify | `no()`. |");
    let bad =
        format!("{library}\npub fn no() -> bool {{\n    let unused = 1;\n    one() == 2\n}}\n");
    let good = format!("{library}\npub fn no() -> bool {{\n    one() == 2\n}}\n");
    let rust = |text: &str| Reply::implement("src/lib.rs", file_reply("src/lib.rs", text));
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(POWERS))
        .reply(rust(&bad))
        .reply(implement(POWERS))
        .reply(rust(&good));
    let output = project.run(&script, &["--format", "json"]);
    output.expect_code(3);
    let document = output.json();
    assert_eq!(
        document["attempts"]["implement"],
        4,
        "{:?}",
        project.evidence("lint")
    );
    assert_eq!(document["lint"]["verdict"], "clean", "{document:#}");
    assert_eq!(document["lint"]["known"], 1, "the `return` was there");
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    - ✓ N0 LoadContext  1 source file and 1 test file to write, about 184 tokens  ([TIME])
    + ✓ N0 LoadContext  2 source files and 1 test file to write, about 216 tokens  ([TIME])
    …
    + • N3 Implement    asking the model for src/lib.rs, attempt 1 of 3 …
    + ✓ N3 Implement    the model replied  ([TIME])
    + ✓ N3 Implement    wrote src/lib.rs  ([TIME])
    …
    - • N5 Lint         no linter is configured or found  ([TIME])
    + ✗ N5 Lint         complaints from `cargo clippy --offline --locked --quiet --all-targets '--message-format=short'`, 1 complaint that the base has too  ([TIME])
    +       src/lib.rs:7: warning: unused variable: `unused`: help: if this is intentional, prefix it with an underscore: `_unused`
    + • N3 Implement    asking the model for mathkit/power.py, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    wrote mathkit/power.py  ([TIME])
    + • N3 Implement    asking the model for src/lib.rs, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied  ([TIME])
    + ✓ N3 Implement    wrote src/lib.rs  ([TIME])
    + • N4 GreenGate    judging the change by its tests …
    + ✓ N4 GreenGate    green: 2 new tests pass, 1 earlier test still passes  ([TIME])
    + ✓ N5 Lint         no complaint from `cargo clippy --offline --locked --quiet --all-targets '--message-format=short'`, 1 complaint that the base has too  ([TIME])
    …
    ");
    assert!(!output.stderr.contains("other.rs"), "{}", output.stderr);
}
