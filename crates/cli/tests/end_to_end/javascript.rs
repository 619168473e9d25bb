//! JavaScript and TypeScript: whole runs and gates with the real vitest and node's own runner.

use std::path::Path;
use std::process::Command;

use proctor_testkit::{
    Reply, Repository, RunOutput, Script, TestEnvironment, file_reply, node_packages,
    pytest_python, say_skipped,
};
use serde_json::{Value, json};

use crate::project::{approve, text};

const VITEST: &str = "vitest@^4";

const ADD: &str = "export function add(x: number, y: number): number {\n  return x + y;\n}\n";

const ADD_TEST: &str = "\
import { expect, test } from 'vitest';
import { add } from '../src/basic';

test('adds', () => {
  expect(add(1, 2)).toBe(3);
});
";

const POWER: &str = "\
export function square(x: number): number {
  return x * x;
}

export function cube(x: number): number {
  return x * x * x;
}
";

const POWER_TEST: &str = "\
import { describe, expect, test } from 'vitest';
import { cube, square } from '../src/power';

describe('powers', () => {
  test('square', () => {
    expect(square(3)).toBe(9);
  });

  test('cube', () => {
    expect(cube(3)).toBe(27);
  });
});
";

const PACKAGE: &str = "\
{
  \"name\": \"mathkit\",
  \"private\": true,
  \"type\": \"module\",
  \"scripts\": { \"test\": \"vitest run\" },
  \"devDependencies\": { \"vitest\": \"^4\" }
}
";

fn design(source: &str, test: &str) -> String {
    format!(
        "\
# 87 - Feature: Powers

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `{source}` | Add | `square(x)` and `cube(x)`. |
| `{test}` | Add | Tests of both. |

## 3. Requirements

1. `square` and `cube` give the second and third power of a number.

## 10. Verification & Testing

### 10.1 Test Scenarios

| ID | Scenario | Type | Input | Output | Criteria |
|----|----------|------|-------|--------|----------|
| 010 | Powers | Unit | 3 | 9 and 27 | square and cube give the power of a number |
"
    )
}

struct World {
    environment: TestEnvironment,
    repository: Repository,
}

impl World {
    /// A repository with these files in its first commit.
    fn new(files: &[(&str, &str)]) -> Self {
        let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        let repository = environment.init_repository();
        repository.write(".gitignore", "node_modules\n");
        for (path, content) in files {
            repository.write(path, content);
        }
        repository.do_without_mutants();
        repository.commit_all("A small library");
        Self {
            environment,
            repository,
        }
    }

    /// The same with packages that npm installed; none, aloud, where they cannot be had.
    fn with_packages(packages: &[&str], files: &[(&str, &str)]) -> Option<Self> {
        let installed = match node_packages(packages) {
            Ok(installed) => installed,
            Err(reason) => {
                say_skipped(&packages.join(" "), &reason);
                return None;
            }
        };
        let world = Self::new(files);
        let from = installed.join("node_modules");
        copy(&from, &world.repository.path().join("node_modules"));
        Some(world)
    }

    /// `proctor gate change`, as JSON.
    fn judge(&self) -> RunOutput {
        self.environment
            .proctor(["gate", "change", "--format", "json"])
    }

    #[track_caller]
    fn accepted(&self) -> Value {
        let output = self.judge();
        output.expect_code(0);
        output.json()
    }

    /// A run of an issue with a script that gets everything right, to its merge.
    #[track_caller]
    fn merge(&self, source: (&str, &str), test: (&str, &str)) -> Value {
        self.environment.write("lld.md", design(source.0, test.0));
        let script = Script::new()
            .reply(Reply::scaffold(file_reply(test.0, test.1)))
            .reply(Reply::implement(source.0, file_reply(source.0, source.1)));
        let model = script.write_to(self.environment.root().join("script.jsonl"));
        let document = self.environment.root().join("lld.md");
        let document = document.display().to_string();
        let words = [
            "run", "--issue", "87", "--lld", &document, "--model", &model,
        ];
        let mut terminal = self.environment.proctor_on_terminal(words);
        approve(&mut terminal);
        assert_eq!(self.repository.read(source.0), source.1);
        assert_eq!(self.repository.read(test.0), test.1);
        assert_eq!(self.repository.git(["status", "--porcelain"]), "");
        let status = self.environment.proctor(["status", "--format", "json"]);
        let run = status.json()["runs"][0].clone();
        assert_eq!(run["state"], "merged", "{run:#}");
        run
    }
}

/// The installed packages as they are, by hard links where the file system has them.
fn copy(from: &Path, to: &Path) {
    for option in ["-al", "-a"] {
        let done = Command::new("cp")
            .arg(option)
            .args([from, to])
            .status()
            .expect("cp starts");
        if done.success() {
            return;
        }
        let _ = std::fs::remove_dir_all(to);
    }
    panic!("{} cannot be copied", from.display());
}

fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output().is_ok();
    if !found {
        say_skipped("node --test", "there is no node");
    }
    found
}

/// The ids of a verdict's tests.
fn ids(verdict: &Value) -> Vec<String> {
    let tests = verdict["tests"].as_array().expect("a list of tests");
    tests.iter().map(|test| text(&test["id"])).collect()
}

fn typescript() -> Option<World> {
    let files = [
        ("package.json", PACKAGE),
        ("src/basic.ts", ADD),
        ("tests/basic.test.ts", ADD_TEST),
    ];
    World::with_packages(&[VITEST], &files)
}

#[test]
fn a_run_in_typescript_is_merged() {
    let Some(world) = typescript() else { return };
    let run = world.merge(("src/power.ts", POWER), ("tests/power.test.ts", POWER_TEST));
    assert_eq!(run["red"]["verdict"], "valid_red");
    assert_eq!(run["green"]["verdict"], "valid_green");
    let found = ids(&run["green"]);
    for name in ["square", "cube"] {
        let id = format!("tests/power.test.ts::powers > {name}");
        assert!(found.contains(&id), "{found:?}");
    }
}

#[test]
fn a_run_in_javascript_with_the_runner_of_node_is_merged() {
    if !has_node() {
        return;
    }
    let world = World::new(&[
        (
            "package.json",
            "{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n",
        ),
        ("src/basic.js", "export const add = (x, y) => x + y;\n"),
        (
            "test/basic.test.js",
            "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/basic.js';\n\ntest('adds', () => {\n  assert.equal(add(1, 2), 3);\n});\n",
        ),
    ]);
    let source = "export const square = (x) => x * x;\nexport const cube = (x) => x * x * x;\n";
    let test = "\
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cube, square } from '../src/power.js';

test('square', () => {
  assert.equal(square(3), 9);
});

test('cube', () => {
  assert.equal(cube(3), 27);
});
";
    let run = world.merge(("src/power.js", source), ("test/power.test.js", test));
    assert_eq!(run["green"]["verdict"], "valid_green");
    let found = ids(&run["green"]);
    assert!(
        found.contains(&"test/power.test.js::cube".to_owned()),
        "{found:?}"
    );
}

/// Package `b` uses package `a` by its name, installed as pnpm does it.
#[test]
fn a_package_of_a_workspace_is_judged_as_it_is_changed() {
    let rate = |rate: &str| format!("export const rate = () => {rate};\n");
    let test = |rate: &str| {
        format!(
            "import {{ expect, test }} from 'vitest';\nimport {{ price }} from '../src/index.js';\n\ntest('price', () => {{\n  expect(price(10)).toBe({rate});\n}});\n"
        )
    };
    let files = [
        (
            "package.json",
            "{\"private\": true, \"scripts\": {\"test\": \"vitest run\"}, \"devDependencies\": {\"vitest\": \"^4\"}}\n",
        ),
        ("pnpm-workspace.yaml", "packages:\n  - packages/*\n"),
        (
            "packages/a/package.json",
            "{\"name\": \"@w/a\", \"type\": \"module\", \"main\": \"src/index.js\"}\n",
        ),
        ("packages/a/src/index.js", &rate("2")),
        (
            "packages/b/package.json",
            "{\"name\": \"@w/b\", \"type\": \"module\", \"main\": \"src/index.js\", \"dependencies\": {\"@w/a\": \"workspace:*\"}}\n",
        ),
        (
            "packages/b/src/index.js",
            "import { rate } from '@w/a';\n\nexport const price = (amount) => amount * rate();\n",
        ),
        ("packages/b/test/price.test.js", &test("20")),
    ];
    let Some(world) = World::with_packages(&[VITEST], &files) else {
        return;
    };
    let scope = world.repository.path().join("packages/b/node_modules/@w");
    std::fs::create_dir_all(&scope).expect("a directory");
    std::os::unix::fs::symlink("../../../a", scope.join("a")).expect("a link");
    // The staged change is to `a`; the checkout has moved on.
    world.repository.write("packages/a/src/index.js", rate("3"));
    world
        .repository
        .write("packages/b/test/price.test.js", test("30"));
    world.repository.git(["add", "--all"]);
    world.repository.write("packages/a/src/index.js", rate("4"));
    let judged = world
        .environment
        .proctor(["gate", "change", "--staged", "--format", "json"]);
    judged.expect_code(0);
    assert_eq!(judged.json()["runner"], "vitest");
    // The change itself does not pass its tests, even if the rest of the checkout would make it.
    let judged = world.judge();
    judged.expect_code(1);
    assert!(judged.rules().contains("test_fails"), "{}", judged.stdout);
}

#[test]
fn each_part_of_a_repository_is_judged_by_its_own_runner() {
    let settings = "\
[[test]]
root = \"api\"
mutants = \"off\"

[[test]]
root = \"web\"
mutants = \"off\"
";
    let files = [
        ("proctor.toml", settings),
        ("api/pyproject.toml", "[project]\nname = \"api\"\n"),
        ("api/mathkit/__init__.py", ""),
        ("api/mathkit/basic.py", "def add(x, y):\n    return x + y\n"),
        ("api/conftest.py", ""),
        (
            "api/tests/test_basic.py",
            "from mathkit.basic import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        ),
        ("web/package.json", PACKAGE),
        ("web/src/basic.ts", ADD),
        ("web/tests/basic.test.ts", ADD_TEST),
    ];
    let Some(mut world) = World::with_packages(&[VITEST], &files) else {
        return;
    };
    let modules = world.repository.path().join("node_modules");
    std::fs::rename(modules, world.repository.path().join("web/node_modules")).expect("moved");
    world.environment.use_python(&pytest_python());
    world.repository.write("web/src/power.ts", POWER);
    world
        .repository
        .write("web/tests/power.test.ts", POWER_TEST);
    let judged = world.accepted();
    assert_eq!(judged["runner"], "vitest", "{judged:#}");
    let found = ids(&judged);
    assert!(
        found.contains(&"web/tests/power.test.ts::powers > cube".to_owned()),
        "{found:?}"
    );
    assert!(found.iter().all(|id| id.starts_with("web/")), "{found:?}");

    world
        .repository
        .write("api/mathkit/power.py", crate::project::POWERS);
    world
        .repository
        .write("api/tests/test_power.py", crate::project::TESTS);
    let judged = world.accepted();
    assert_eq!(judged["runner"], "pytest, vitest", "{judged:#}");
    let found = ids(&judged);
    for id in [
        "api/tests/test_power.py::test_cube",
        "web/tests/power.test.ts::powers > cube",
    ] {
        assert!(found.contains(&id.to_owned()), "{found:?}");
    }
    // One part that is wrong is enough.
    world
        .repository
        .write("web/src/power.ts", POWER.replace("x * x * x", "x * x"));
    let judged = world.judge();
    judged.expect_code(1);
    assert!(judged.rules().contains("test_fails"), "{}", judged.stdout);
    world.repository.git(["add", "web"]);
    world.repository.git(["commit", "-q", "-m", "The web part"]);
    let judged = world.accepted();
    assert_eq!(judged["runner"], "pytest", "{judged:#}");
}

#[test]
fn what_cannot_be_judged_says_why_and_what_to_do() {
    if !has_node() {
        return;
    }
    let scripts = |command: &str| format!("{{\"scripts\": {{\"test\": \"{command}\"}}}}\n");
    let cases = [
        (
            "rust",
            vec![
                ("Cargo.toml", "[package]\nname = \"x\"\n".to_owned()),
                ("src/lib.rs", "pub fn one() -> u8 {\n    1\n}\n".to_owned()),
            ],
            "no test runner that Proctor knows",
            "name one with `[test] runner`",
        ),
        (
            "plug and play",
            vec![
                ("package.json", scripts("vitest run")),
                (".pnp.cjs", "// yarn\n".to_owned()),
            ],
            "plug'n'play",
            "nodeLinker: node-modules",
        ),
        (
            "mocha",
            vec![("package.json", scripts("mocha"))],
            "run by mocha are not supported",
            "proctor judges tests of pytest, vitest",
        ),
    ];
    for (name, files, message, hint) in cases {
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        let world = World::new(&files);
        world.repository.write("src/lib.rs", "pub fn two() {}\n");
        world
            .repository
            .write("src/lib.js", "export const two = 2;\n");
        let output = world.judge();
        output.expect_code(5);
        let error = &output.json()["error"];
        let (said, advice) = (text(&error["message"]), text(&error["hint"]));
        assert!(said.contains(message), "{name}: {said}");
        assert!(advice.contains(hint), "{name}: {advice}");
    }
}

#[test]
fn a_typescript_project_is_set_up_with_its_runner() {
    let Some(world) = typescript() else { return };
    std::fs::remove_file(world.repository.path().join("proctor.toml")).expect("it is there");
    world.repository.commit_all("No settings");
    let output = world.environment.proctor(["init", "--format", "json"]);
    output.expect_code(0);
    let found = output.json();
    assert_eq!(found["runner"], "vitest");
    assert_eq!(found["languages"], json!(["typescript"]));
    let settings = world.repository.read("proctor.toml");
    assert!(settings.contains("\nrunner = \"vitest\"\n"), "{settings}");
    let output = world.environment.proctor(["doctor", "--format", "json"]);
    output.expect_code(0);
    let document = output.json();
    let checks = document["checks"].as_array().expect("a list");
    let runner = checks.iter().find(|check| check["id"] == "runner");
    let runner = runner.expect("the runner is looked at");
    assert_eq!(runner["status"], "ok", "{runner:#}");
    assert!(
        text(&runner["message"]).ends_with("has vitest"),
        "{runner:#}"
    );
}

/// The packages are where the demo looks for them once an npm has put them there.
fn npm(environment: &mut TestEnvironment) -> bool {
    match node_packages(&[VITEST]) {
        Ok(installed) => {
            let modules = installed.join("node_modules");
            let modules = modules.display();
            let script =
                format!("#!/bin/sh\ncp -al '{modules}' . 2>/dev/null || cp -a '{modules}' .\n");
            environment.put_program("npm", &script);
            true
        }
        Err(reason) => {
            say_skipped(VITEST, &reason);
            false
        }
    }
}

#[test]
fn the_demo_in_typescript_ends_at_the_review_and_merges_on_approval() {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    if !npm(&mut environment) {
        return;
    }
    let mut terminal = environment.proctor_on_terminal(["demo", "--language", "typescript"]);
    terminal.expect("N2 RedGate      refused");
    terminal.expect("N4 GreenGate    refused");
    approve(&mut terminal);
    let shown = environment.normalise(&terminal.screen());
    let caught = shown.find("What was caught").expect("what was caught");
    let next = shown.find("What to do next").expect("what to do next");
    insta::assert_snapshot!(shown[caught..next].trim_end(), @"
    What was caught
      N2  tests that nothing could pass: the module `./src/pricing` does not exist and the design does
          not declare it
      N4  a limit that is off by one: still fails with AssertionError: expected +0 to deeply equal 5
      N4  the trick, an object that `toEqual` finds equal to anything: passes, but not by what the code
          gives: without the expected values in the process, tests/discount.test.ts line 13: the code
          gives Percent {value: 0}
    ");
}

#[test]
fn where_there_is_no_python_the_demo_is_in_typescript() {
    if !has_node() {
        return;
    }
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.pretend_git("nothing", "exit 0");
    environment.put_program("node", "#!/bin/sh\nexit 1\n");
    environment.put_program("npm", "#!/bin/sh\necho 'no network' >&2\nexit 1\n");
    let only = environment.root().join("bin");
    environment.set_variable("PATH", only);
    let output = environment.proctor(["demo"]);
    output.expect_code(5);
    let said = "There is no Python here, so the sample project is in TypeScript.";
    assert!(output.stderr.contains(said), "{}", output.normalised());
    assert!(output.stderr.contains("npm could not install vitest"));
}
