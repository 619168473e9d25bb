//! A small project with an issue to work on, and the replies of a model that does.

use std::path::Path;
use std::process::Command;
use std::sync::Once;

use proctor_testkit::{
    Reply, Repository, RunOutput, Script, Terminal, TestEnvironment, file_reply, pytest_python,
};
use serde_json::Value;

pub(crate) const DESIGN: &str = "\
# 87 - Feature: Powers

## 1. Context & Goal
* **Issue:** #87

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `mathkit/power.py` | Add | `square(x)` and `cube(x)`. |
| `tests/test_power.py` | Add | Tests of both. |

## 3. Requirements

1. `square` and `cube` give the second and third power of a number.

## 10. Verification & Testing

### 10.1 Test Scenarios

| ID | Scenario | Type | Input | Output | Criteria |
|----|----------|------|-------|--------|----------|
| 010 | Powers | Unit | 3 | 9 and 27 | square and cube give the power of a number |
";

pub(crate) const TESTS: &str = "\
from mathkit.power import cube, square


def test_square():
    assert square(3) == 9


def test_cube():
    assert cube(3) == 27
";

pub(crate) const POWERS: &str = "\
def square(x):
    return x * x


def cube(x):
    return x * x * x
";

pub(crate) const WRONG_POWERS: &str = "\
def square(x):
    return x * x


def cube(x):
    return x * x
";

pub(crate) struct Project {
    pub(crate) environment: TestEnvironment,
    pub(crate) repository: Repository,
}

/// The cache of the gates' verdicts on a good run.
const KNOWN: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/known_good_run");

impl Project {
    /// A committed project, an uncommitted design document outside of it, and pytest. Mutants are left out, which take
    /// as long as everything else together. The verdicts about [`good`] replies are cached: most tests are about the
    /// steps before and after them.
    pub(crate) fn new() -> Self {
        static JUDGED: Once = Once::new();
        JUDGED.call_once(|| {
            let project = Self::sharing_verdicts();
            project.run(&good(), &["--auto"]).expect_code(3);
        });
        Self::sharing_verdicts()
    }

    /// The same for tests that judge the same trees as others: they share their cached verdicts.
    pub(crate) fn sharing_verdicts() -> Self {
        let mut project = Self::judging();
        project.environment.set_variable("PROCTOR_CACHE_DIR", KNOWN);
        project
    }

    /// The same for tests about the gates: nothing is known.
    pub(crate) fn judging() -> Self {
        Self::with_python(&pytest_python())
    }

    /// The same without a `proctor.toml`, so with mutants.
    pub(crate) fn without_settings() -> Self {
        Self::make(&pytest_python(), true)
    }

    /// The same with another Python.
    pub(crate) fn with_python(python: &Path) -> Self {
        Self::make(python, false)
    }

    fn make(python: &Path, mutants: bool) -> Self {
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        environment.use_python(python);
        let repository = environment.init_repository();
        repository.write_mathkit();
        repository.write("README.md", "# mathkit\n");
        if !mutants {
            repository.do_without_mutants();
        }
        repository.commit_all("A small library");
        environment.write("lld.md", DESIGN);
        Self {
            environment,
            repository,
        }
    }

    pub(crate) fn script(&self, script: &Script) -> String {
        script.write_to(self.environment.root().join("script.jsonl"))
    }

    /// Where the design document is.
    pub(crate) fn document(&self) -> String {
        self.environment.root().join("lld.md").display().to_string()
    }

    /// `run …` for this project's design document and a model.
    pub(crate) fn run_arguments(&self, model: &str, more: &[&str]) -> Vec<String> {
        let document = self.document();
        let fixed = ["run", "--issue", "87", "--lld", &document, "--model", model];
        fixed
            .iter()
            .chain(more)
            .map(|word| (*word).to_owned())
            .collect()
    }

    /// `proctor run` as a command that is yet to be started.
    pub(crate) fn run_command(&self, script: &Script) -> Command {
        self.environment
            .proctor_command(self.run_arguments(&self.script(script), &[]))
    }

    /// `proctor run` without a terminal.
    pub(crate) fn run(&self, script: &Script, more: &[&str]) -> RunOutput {
        self.run_with(&self.script(script), more)
    }

    /// The same with any model.
    pub(crate) fn run_with(&self, model: &str, more: &[&str]) -> RunOutput {
        self.environment.proctor(self.run_arguments(model, more))
    }

    /// `proctor run` at a terminal.
    pub(crate) fn run_at_terminal(&self, script: &Script, more: &[&str]) -> Terminal {
        self.environment
            .proctor_on_terminal(self.run_arguments(&self.script(script), more))
    }

    /// Adds a row to the design document's list of files.
    pub(crate) fn list_too(&self, row: &str) {
        let first = "| `mathkit/power.py` | Add";
        self.environment
            .write("lld.md", DESIGN.replace(first, &format!("{row}\n{first}")));
    }

    /// `proctor … --format json`, without a terminal.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let mut arguments: Vec<&str> = arguments.to_vec();
        arguments.extend(["--format", "json"]);
        self.environment.proctor(arguments).json()
    }

    /// The only run.
    pub(crate) fn status(&self) -> Value {
        let all = self.json(&["status"]);
        let runs = all["runs"].as_array().expect("a list of runs").clone();
        assert_eq!(runs.len(), 1, "{all:#}");
        runs.into_iter().next().expect("one run")
    }

    pub(crate) fn run_id(&self) -> String {
        text(&self.status()["run"])
    }

    /// Everything below the state directory, by name: nothing when nothing is left behind.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut directories = vec![self.environment.state_directory()];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else {
                continue;
            };
            for entry in entries.flatten() {
                let path = entry.path();
                // The repository's own folder may stay; runs in it may not.
                if path.parent() != Some(self.environment.state_directory().as_path()) {
                    found.push(path.display().to_string());
                } else if path.is_dir() {
                    directories.push(path);
                }
            }
        }
        found
    }

    /// The evidence of the only run under names that begin like this, by name.
    pub(crate) fn evidence(&self, prefix: &str) -> Vec<String> {
        let directory = format!(".git/proctor/evidence/{}", self.run_id());
        let entries = std::fs::read_dir(self.repository.path().join(directory));
        let mut found: Vec<_> = entries
            .expect("evidence is kept")
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
            .iter()
            .map(|path| std::fs::read_to_string(path).expect("evidence is text"))
            .collect()
    }

    pub(crate) fn branches(&self) -> String {
        self.repository
            .git(["branch", "--list", "--format=%(refname:short)"])
    }
}

pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a text: {value}"))
        .to_owned()
}

pub(crate) fn scaffold() -> Reply {
    Reply::scaffold(file_reply("tests/test_power.py", TESTS)).tokens(100, 20)
}

pub(crate) fn implement(content: &str) -> Reply {
    Reply::implement("mathkit/power.py", file_reply("mathkit/power.py", content)).tokens(200, 30)
}

/// A model that gets everything right at once.
pub(crate) fn good() -> Script {
    Script::new().reply(scaffold()).reply(implement(POWERS))
}

pub(crate) const PROMPT: &str = "Type APPROVE";

/// The person says yes, and the program ends well.
#[track_caller]
pub(crate) fn approve(terminal: &mut Terminal) {
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
}
