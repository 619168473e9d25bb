//! `proctor check`: the contents of a document and context, and all their problems.

use serde_json::json;

use crate::good_run::unlike;
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
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 0
    --- stdout
    design: 87 - Feature: Powers

    files
      add     mathkit/power.py
      add     tests/test_power.py

    2 files, 1 requirement, 1 test scenario

    what the model would be sent
          bytes     tokens    share
            627        184    0.1 %  [ROOT]/lld.md
            627        184    0.1 %  in all; a run may send 200,000 tokens (estimate)

    no problems, no warnings
    --- stderr
    ");
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
    let document = project.document();
    let check = || project.environment.proctor(["check", "--lld", &document]);
    let usual = check();
    project
        .environment
        .write("lld.md", DESIGN.replace("| Add |", "| Modify |"));
    let output = check();
    insta::assert_snapshot!(unlike(&usual.normalised(), &output.normalised()), @r#"
    …
    -         627        184    0.1 %  [ROOT]/lld.md
    -         627        184    0.1 %  in all; a run may send 200,000 tokens (estimate)
    +         633        184    0.1 %  [ROOT]/lld.md
    +         633        184    0.1 %  in all; a run may send 200,000 tokens (estimate)
    …
    - no problems, no warnings
    + warning: [ROOT]/lld.md: line 12: the file to modify, "mathkit/power.py", does not exist; correct the path or the change type
    + warning: [ROOT]/lld.md: line 13: the file to modify, "tests/test_power.py", does not exist; correct the path or the change type
    + 
    + no problems, 2 warnings
    …
    "#);
    project
        .environment
        .write("lld.md", "# 87 - Title\n\nNothing to see.\n");
    let output = project
        .environment
        .proctor(["check", "--lld", &document, "--format", "json"]);
    output.expect_code(1);
    assert_eq!(output.json()["problems"][0]["kind"], "lld_no_files");
    insta::assert_snapshot!(check().normalised(), @r#"
    exit code: 1
    --- stdout
    warning: [ROOT]/lld.md: line 1: the document has no test scenarios; add a table with the columns ID and Scenario under the heading "10.1 Test Scenarios"
    --- stderr
    error: the design document [ROOT]/lld.md has no usable list of files: the document lists no file to work on; add a table with the columns File, Change Type and Description under the heading "2.1 Files Changed"
    hint: list at least one file that is not a test, in a table `| File | Change Type | Description |` under a heading `Files Changed`
    "#);
    let output = project.environment.proctor(["check"]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is nothing to check
    hint: name a design document, or files for the model with --context PATH, or both
    ");
}
