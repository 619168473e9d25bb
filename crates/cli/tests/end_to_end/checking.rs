//! `proctor check`: what is read in a document and context, and everything that is wrong with them.

use serde_json::json;

use crate::project::{DESIGN, Project, text};

#[test]
fn a_document_and_context_are_read_without_starting_anything() {
    let project = Project::new();
    let document = project.document();
    let checked = project.json(&["check", "--lld", &document, "--context", "mathkit/basic.py"]);
    assert_eq!(checked["ok"], true);
    assert_eq!(
        checked["files"],
        json!([
            { "path": "mathkit/power.py", "change_type": "add", "description": "`square(x)` and `cube(x)`." },
            { "path": "tests/test_power.py", "change_type": "add", "description": "Tests of both." },
        ])
    );
    assert_eq!(checked["scenarios"][0]["id"], "010");
    assert_eq!(checked["requirements"].as_array().unwrap().len(), 1);
    assert_eq!(checked["context"][0]["bytes"], 32);
    assert_eq!(checked["problems"], json!([]));
    assert!(!project.repository.path().join(".git/proctor").exists());
    let output = project.environment.proctor(["check", "--lld", &document]);
    output.expect_code(0);
    assert!(
        output
            .stdout
            .contains("2 files, 1 requirement, 1 test scenario\n"),
        "{}",
        output.stdout
    );
}

#[test]
fn everything_that_is_wrong_is_listed_at_once() {
    let project = Project::new();
    project
        .environment
        .write("lld.md", DESIGN.replace("| Add |", "| Modify |"));
    let document = project.document();
    let output = project.environment.proctor([
        "check",
        "--lld",
        &document,
        "--context",
        "../x",
        "--context",
        ".env",
        "--context",
        "mathkit/basic.py",
        "--format",
        "json",
    ]);
    output.expect_code(4);
    let checked = output.json();
    let found: Vec<_> = checked["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (text(&problem["kind"]), text(&problem["where"])))
        .collect();
    let expected = [
        ("outside", "../x"),
        ("secret_name", ".env"),
        ("lld_missing_target", document.as_str()),
        ("lld_missing_target", document.as_str()),
    ];
    let expected: Vec<_> = expected
        .map(|(kind, place)| (kind.to_owned(), place.to_owned()))
        .into();
    assert_eq!(found, expected);
    assert_eq!(checked["context"][0]["path"], "mathkit/basic.py");
}

#[test]
fn weaknesses_of_a_document_are_warnings_but_no_list_of_files_is_refused() {
    let project = Project::new();
    project
        .environment
        .write("lld.md", DESIGN.replace("| Add |", "| Modify |"));
    let document = project.document();
    let output = project.environment.proctor(["check", "--lld", &document]);
    output.expect_code(0);
    assert!(output.stdout.contains("warning: "), "{}", output.stdout);
    project
        .environment
        .write("lld.md", "# 87 - Title\n\nNothing to see.\n");
    let output = project
        .environment
        .proctor(["check", "--lld", &document, "--format", "json"]);
    output.expect_code(1);
    assert_eq!(output.json()["problems"][0]["kind"], "lld_no_files");
    project.environment.proctor(["check"]).expect_code(2);
}
