//! The demo's files tell the story that the demo shows: refused tests, accepted tests, a bug, a cheat, a fix.
//!
//! Played here with pytest or vitest alone, so that a demo that goes wrong is known to be Proctor's
//! doing and not its script's.

use std::fs;
use std::path::{Path, PathBuf};

use proctor_testkit::{Repository, RunOutput, TestEnvironment, node_packages, say_skipped};
use serde_json::Value;

/// The demo in one language.
struct Demo {
    language: &'static str,
    /// The opening fence of a block in a reply.
    fence: &'static str,
    source: &'static str,
    existing: &'static str,
    tests: &'static str,
}

const PYTHON: Demo = Demo {
    language: "python",
    fence: "```python",
    source: "src/invoicekit/discount.py",
    existing: "src/invoicekit/invoice.py",
    tests: "tests/test_discount.py",
};

const TYPESCRIPT: Demo = Demo {
    language: "typescript",
    fence: "```ts",
    source: "src/discount.ts",
    existing: "src/invoice.ts",
    tests: "tests/discount.test.ts",
};

impl Demo {
    /// The replies in the order in which the demo needs them.
    fn story(&self) -> [(&str, Option<&str>, u64); 8] {
        [
            ("scaffold", None, 1),
            ("scaffold", None, 2),
            ("implement", Some(self.source), 1),
            ("implement", Some(self.existing), 1),
            ("implement", Some(self.source), 2),
            ("implement", Some(self.existing), 2),
            ("implement", Some(self.source), 3),
            ("implement", Some(self.existing), 3),
        ]
    }

    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../cli/src/commands/demo")
            .join(self.language)
    }

    fn replies(&self) -> Vec<Value> {
        fs::read_to_string(self.folder().join("script.jsonl"))
            .expect("the demo has a script")
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is one reply"))
            .collect()
    }

    /// The path and content of the one file that a reply brings.
    fn file_of(&self, reply: &Value) -> (String, String) {
        let text = reply["text"].as_str().expect("a reply has a text");
        let (path, block) = text
            .strip_prefix("### FILE: ")
            .and_then(|text| text.split_once(&format!("\n{}\n", self.fence)))
            .expect("the reply begins with a file and a block");
        let content = block.strip_suffix("```\n").expect("the block is closed");
        (path.to_owned(), content.to_owned())
    }

    fn copy_sample(&self, repository: &Repository) {
        copy(
            repository,
            &self.folder().join("sample"),
            &self.folder().join("sample"),
        );
    }

    /// Plays the replies and checks, after each step of the story, the runner's output.
    fn play(&self, repository: &Repository, steps: [(i32, &str); 6], run: impl Fn() -> RunOutput) {
        let replies = self.replies();
        let write = |index: usize| {
            let (path, content) = self.file_of(&replies[index]);
            repository.write(path, content);
        };
        let mut steps = steps.into_iter();
        let mut shows = || {
            let (code, text) = steps.next().expect("a step");
            let output = run();
            output.expect_code(code);
            assert!(output.stdout.contains(text), "{}", output.normalised());
        };
        shows();
        // The same exit code twice, once for an unannounced module and once for one that the design document declares.
        write(0);
        shows();
        write(1);
        shows();
        write(2);
        write(3);
        shows();
        // The cheat: the runner believes it. The code has the same mistake as before.
        write(4);
        write(5);
        shows();
        let (_, cheat) = self.file_of(&replies[4]);
        let mistake = ["units > fewest_units", "units > fewestUnits"];
        assert!(mistake.iter().any(|mistake| cheat.contains(mistake)));
        write(6);
        write(7);
        shows();
        let (_, right) = self.file_of(&replies[6]);
        assert!(!mistake.iter().any(|mistake| right.contains(mistake)));

        // The demo leaves behind a clean change of exactly the files of the table.
        let (source, existing, tests) = (self.source, self.existing, self.tests);
        assert_eq!(
            repository.git(["status", "--porcelain", "--untracked-files=all"]),
            format!(" M {existing}\n?? {source}\n?? {tests}")
        );
    }
}

fn copy(repository: &Repository, sample: &Path, folder: &Path) {
    for entry in fs::read_dir(folder).expect("the sample is readable") {
        let path = entry.expect("the sample is readable").path();
        // Leftovers of a stray run of a runner inside the source tree.
        let left = ["__pycache__", ".pytest_cache", "node_modules"];
        if left.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            copy(repository, sample, &path);
        } else {
            let relative = path.strip_prefix(sample).expect("it lies in the sample");
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
fn the_scripts_have_the_replies_of_the_story_in_order() {
    for demo in [PYTHON, TYPESCRIPT] {
        let replies = demo.replies();
        let story: Vec<_> = replies
            .iter()
            .map(|reply| {
                let stage = reply["stage"].as_str().expect("a reply has a stage");
                let attempt = reply["attempt"].as_u64().expect("a reply has an attempt");
                (stage, reply.get("path").and_then(Value::as_str), attempt)
            })
            .collect();
        assert_eq!(story, demo.story());
        for reply in &replies {
            let (brought, _) = demo.file_of(reply);
            let asked = reply["path"].as_str().unwrap_or(demo.tests);
            assert_eq!(brought, asked);
        }
    }
}

#[test]
fn each_reply_has_the_effect_that_the_demo_shows() {
    let mut environment = TestEnvironment::without_binary();
    environment.use_pytest();
    let repository = environment.init_repository();
    PYTHON.copy_sample(&repository);
    repository.commit_all("sample");
    let steps = [
        (0, "6 passed"),
        (2, "No module named 'invoicekit.pricing'"),
        (2, "No module named 'invoicekit.discount'"),
        (1, "2 failed, 11 passed"),
        (0, "13 passed"),
        (0, "13 passed"),
    ];
    PYTHON.play(&repository, steps, || pytest(&environment));
}

#[test]
fn each_reply_in_typescript_has_the_effect_that_the_demo_shows() {
    let installed = match node_packages(&["vitest@^4"]) {
        Ok(installed) => installed,
        Err(reason) => return say_skipped("the demo in TypeScript", &reason),
    };
    let environment = TestEnvironment::without_binary();
    let repository = environment.init_repository();
    TYPESCRIPT.copy_sample(&repository);
    repository.commit_all("sample");
    let modules = installed.join("node_modules");
    std::os::unix::fs::symlink(&modules, repository.path().join("node_modules")).expect("linked");
    let steps = [
        (0, "6 passed"),
        (1, "src/pricing"),
        (1, "src/discount"),
        (1, "2 failed | 11 passed"),
        (0, "13 passed"),
        (0, "13 passed"),
    ];
    TYPESCRIPT.play(&repository, steps, || {
        let mut command = environment.command("node");
        command
            .arg(modules.join("vitest/vitest.mjs"))
            .args(["run", "--reporter=default"])
            .current_dir(repository.path());
        let mut output = environment.run(command);
        output.stdout.push_str(&output.stderr.clone());
        output
    });
}
