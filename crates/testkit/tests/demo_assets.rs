//! The demo's files tell the story that the demo shows: refused tests, accepted tests, a bug, a cheat, a fix.
//!
//! Played here with pytest alone, so that a demo that goes wrong is known to be Proctor's doing and
//! not its script's.

use std::fs;
use std::path::{Path, PathBuf};

use proctor_testkit::{Repository, RunOutput, TestEnvironment};
use serde_json::Value;

/// The replies in the order in which the demo needs them.
const STORY: [(&str, Option<&str>, u64); 8] = [
    ("scaffold", None, 1),
    ("scaffold", None, 2),
    ("implement", Some("src/invoicekit/discount.py"), 1),
    ("implement", Some("src/invoicekit/invoice.py"), 1),
    ("implement", Some("src/invoicekit/discount.py"), 2),
    ("implement", Some("src/invoicekit/invoice.py"), 2),
    ("implement", Some("src/invoicekit/discount.py"), 3),
    ("implement", Some("src/invoicekit/invoice.py"), 3),
];

fn demo_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/commands/demo")
}

fn replies() -> Vec<Value> {
    fs::read_to_string(demo_folder().join("script.jsonl"))
        .expect("the demo has a script")
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is one reply"))
        .collect()
}

/// The path and content of the one file that a reply brings.
fn file_of(reply: &Value) -> (String, String) {
    let text = reply["text"].as_str().expect("a reply has a text");
    let (path, block) = text
        .strip_prefix("### FILE: ")
        .and_then(|text| text.split_once("\n```python\n"))
        .expect("the reply begins with a file and a block");
    let content = block.strip_suffix("```\n").expect("the block is closed");
    (path.to_owned(), content.to_owned())
}

fn copy_sample(repository: &Repository, folder: &Path) {
    for entry in fs::read_dir(folder).expect("the sample is readable") {
        let path = entry.expect("the sample is readable").path();
        // What a stray run of pytest inside the source tree would leave behind.
        if path.ends_with("__pycache__") || path.ends_with(".pytest_cache") {
            continue;
        }
        if path.is_dir() {
            copy_sample(repository, &path);
        } else {
            let relative = path
                .strip_prefix(demo_folder().join("sample"))
                .expect("it lies in the sample");
            let content = fs::read(&path).expect("the sample is readable");
            repository.write(relative, content);
        }
    }
}

fn pytest(environment: &TestEnvironment) -> RunOutput {
    let mut command = environment.command("python");
    command
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line"])
        // Files of one length that change within a second would otherwise meet stale caches.
        .env("PYTHONDONTWRITEBYTECODE", "1");
    environment.run(command)
}

#[test]
fn the_script_has_the_replies_of_the_story_in_order() {
    let replies = replies();
    let story: Vec<_> = replies
        .iter()
        .map(|reply| {
            let stage = reply["stage"].as_str().expect("a reply has a stage");
            let attempt = reply["attempt"].as_u64().expect("a reply has an attempt");
            (stage, reply.get("path").and_then(Value::as_str), attempt)
        })
        .collect();
    assert_eq!(story, STORY);
    for reply in &replies {
        let (brought, _) = file_of(reply);
        let asked = reply["path"].as_str().unwrap_or("tests/test_discount.py");
        assert_eq!(brought, asked);
    }
}

#[test]
fn each_reply_has_the_effect_that_the_demo_shows() {
    let mut environment = TestEnvironment::without_binary();
    environment.use_pytest();
    let repository = environment.init_repository();
    copy_sample(&repository, &demo_folder().join("sample"));
    repository.commit_all("sample");
    let replies = replies();
    let write = |index: usize| {
        let (path, content) = file_of(&replies[index]);
        repository.write(path, content);
    };
    let shows = |code: i32, text: &str| {
        let output = pytest(&environment);
        output.expect_code(code);
        assert!(output.stdout.contains(text), "{}", output.normalised());
    };

    shows(0, "6 passed");
    // The same exit code twice, once for a module that nobody announced and once for one that the
    // design document declares.
    write(0);
    shows(2, "No module named 'invoicekit.pricing'");
    write(1);
    shows(2, "No module named 'invoicekit.discount'");
    write(2);
    write(3);
    shows(1, "2 failed, 11 passed");
    // The cheat: pytest believes it. The code has the same mistake as before.
    write(4);
    write(5);
    shows(0, "13 passed");
    assert!(file_of(&replies[4]).1.contains("units > fewest_units"));
    write(6);
    write(7);
    shows(0, "13 passed");
    assert!(file_of(&replies[6]).1.contains("units >= fewest_units"));

    // What the demo leaves behind is a clean change of exactly the files of the table.
    assert_eq!(
        repository.git(["status", "--porcelain", "--untracked-files=all"]),
        " M src/invoicekit/invoice.py\n?? src/invoicekit/discount.py\n?? tests/test_discount.py"
    );
}
