//! The output of `action.yml` from the JSON: the table, the annotations, and SARIF of the flags.

use std::path::Path;

use proctor_testkit::RunOutput;
use serde_json::{Value, json};

use super::rejudging::library;
use super::wall::Wall;
use crate::project::{POWERS, TESTS};

/// Runs a script of the action on a document.
fn script(wall: &Wall, name: &str, document: &Value) -> RunOutput {
    let file = wall.environment.write("verify.json", document.to_string());
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let mut command = wall.environment.command("python3");
    command.arg(scripts.join(name)).arg(file);
    wall.environment.run(command)
}

/// Fails the test unless this is a report as SARIF 2.1.0 and GitHub's code scanning want it.
fn assert_is_sarif(report: &Value) {
    assert_eq!(report["version"], "2.1.0");
    assert!(report["$schema"].is_string());
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "Proctor");
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        assert!(rule["shortDescription"]["text"].is_string(), "{rule}");
    }
    for result in runs[0]["results"].as_array().expect("results") {
        let is_known = rules.iter().any(|rule| rule["id"] == result["ruleId"]);
        assert!(is_known, "{result}");
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|it| !it.is_empty())
        );
        assert_eq!(result["level"], "warning");
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a path");
        assert!(!uri.starts_with('/') && !uri.contains(' '), "{uri}");
        assert!(
            place["region"]["startLine"]
                .as_u64()
                .is_some_and(|it| it > 0)
        );
        let prints = result["partialFingerprints"].as_object();
        assert!(prints.is_some_and(|prints| !prints.is_empty()));
    }
}

#[test]
fn what_is_flagged_in_a_commit_that_is_judged_again_is_reported_as_sarif() {
    let wall = library();
    let base = wall.id("HEAD");
    let looks_away = POWERS.replace("return x * x\n", "return x * x  # noqa\n");
    assert_ne!(looks_away, POWERS);
    wall.repository.write("mathkit/power.py", looks_away);
    wall.repository.write("tests/test_power.py", TESTS);
    wall.repository.commit_all("Powers");
    wall.approve("HEAD");
    let words = [
        "-q",
        "--format",
        "json",
        "verify",
        "--rejudge",
        "--base",
        &base,
    ];
    let document = wall.environment.proctor(words).json();
    assert_eq!(document["commits"][0]["rejudged"], "valid_green");
    let output = script(&wall, "verify-sarif", &document);
    let report: Value = serde_json::from_str(&output.expect_code(0).stdout).expect("JSON");
    assert_is_sarif(&report);
    let result = &report["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "silences", "{report:#}");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "mathkit/power.py");
    assert_eq!(place["region"]["startLine"], 2);
}

#[test]
fn nothing_is_reported_where_nothing_was_judged() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    wall.commit("one\n");
    wall.approve("HEAD");
    wall.commit("two\n");
    let words = ["--format", "json", "verify", "--base", &base];
    let document = wall.environment.proctor(words).json();
    let silent = script(&wall, "verify-sarif", &document);
    assert_eq!((silent.code, silent.stdout.as_str()), (3, ""));
    let summary = script(&wall, "verify-summary", &document);
    insta::assert_snapshot!(summary.expect_code(0).normalised());
    // Judged, and nothing found; odd names; the same twice.
    let flag = json!({ "path": "a b/\u{e4}#.py", "line": 0, "flag": "not_read", "what": "" });
    for (flags, count) in [(json!([]), 0), (json!([flag, flag]), 1)] {
        let document = json!({ "ok": true, "commits": [{ "flags": flags }] });
        let output = script(&wall, "verify-sarif", &document);
        let report: Value = serde_json::from_str(&output.expect_code(0).stdout).expect("JSON");
        assert_is_sarif(&report);
        let results = report["runs"][0]["results"].as_array().map(Vec::len);
        assert_eq!(results, Some(count));
    }
}
