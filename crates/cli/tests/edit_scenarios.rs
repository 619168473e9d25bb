//! Every folder of `testdata/edit`, on the built binary.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests set up the world that Proctor then works in, and fail where it does not cooperate"
)]

use std::fs;
use std::path::{Path, PathBuf};

use proctor_testkit::{Repository, RunOutput, TestEnvironment};
use serde_json::{Value, json};

const FILE: &str = "file.txt";

struct World {
    environment: TestEnvironment,
    repository: Repository,
}

impl World {
    fn new() -> Self {
        let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        let repository = environment.init_repository();
        Self {
            environment,
            repository,
        }
    }

    fn file(&self) -> PathBuf {
        self.repository.path().join(FILE)
    }

    fn apply(&self, reply: &Path, more: &[&str]) -> RunOutput {
        let reply = reply.display().to_string();
        let arguments = ["apply", FILE, "--from", &reply, "--format", "json"];
        self.environment.proctor(arguments.iter().chain(more))
    }
}

fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/edit");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    assert!(found.len() > 60, "only {} scenarios", found.len());
    found
}

#[test]
fn every_scenario_ends_as_it_says() {
    let world = World::new();
    let mut wrong = Vec::new();
    for scenario in scenarios() {
        let name = scenario.file_name().unwrap().to_string_lossy().into_owned();
        if let Err(problem) = play(&world, &scenario) {
            wrong.push(format!("{name}: {problem}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn play(world: &World, scenario: &Path) -> Result<(), String> {
    let input = fs::read(scenario.join("input")).unwrap();
    let expected = fs::read(scenario.join("expected")).ok();
    let outcome: Value =
        serde_json::from_slice(&fs::read(scenario.join("outcome.json")).unwrap()).unwrap();
    fs::write(world.file(), &input).unwrap();
    let reply = scenario.join("reply.md");
    let usual = i64::from(expected.is_none());
    let code = outcome["exit_code"].as_i64().unwrap_or(usual);

    let rehearsed = world.apply(&reply, &["--dry-run"]);
    same(
        "code of the rehearsal",
        &json!(rehearsed.code),
        &json!(code),
    )?;
    same(
        "file after the rehearsal",
        &fs::read(world.file()).unwrap(),
        &input,
    )?;
    let output = world.apply(&reply, &[]);
    same("code", &json!(output.code), &json!(code))?;
    let after = fs::read(world.file()).unwrap();
    same("file", &after, expected.as_ref().unwrap_or(&input))?;
    let document = output.json();
    if code == 4 {
        return same("kind", &document["error"]["kind"], &json!("safety"));
    }
    same("path", &document["path"], &json!(FILE))?;
    same("applied", &document["applied"], &json!(expected.is_some()))?;
    if expected.is_some() {
        same("errors", &document["errors"], &json!([]))?;
        column(&document, "tier", &outcome["tiers"])?;
        return column(&document, "line", &outcome["lines"]);
    }
    same("changes", &document["changes"], &json!([]))?;
    errors(&document["errors"], &outcome["errors"])
}

fn column(document: &Value, field: &str, expected: &Value) -> Result<(), String> {
    if expected.is_null() {
        return Ok(());
    }
    let changes = document["changes"].as_array().unwrap();
    let found: Vec<Value> = changes.iter().map(|change| change[field].clone()).collect();
    same(field, &json!(found), expected)
}

fn errors(found: &Value, expected: &Value) -> Result<(), String> {
    let (found, expected) = (found.as_array().unwrap(), expected.as_array().unwrap());
    same(
        "number of errors",
        &json!(found.len()),
        &json!(expected.len()),
    )
    .map_err(|problem| format!("{problem}: {found:?}"))?;
    for (found, expected) in found.iter().zip(expected) {
        for field in ["kind", "index", "lines"] {
            if expected.get(field).is_some() {
                same(field, &found[field], &expected[field])?;
            }
        }
        let message = found["message"].as_str().unwrap();
        let says = expected["says"].as_str().unwrap_or_default();
        if !message.contains(says) {
            return Err(format!("the message does not say {says:?}: {message}"));
        }
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: {found:?} instead of {expected:?}"))
    }
}
