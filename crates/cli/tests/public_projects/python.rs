//! Projects of Python, as source distributions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use proctor_testkit::{Publication, PublishedCheckout, SourceDistribution, files_in, say_skipped};
use serde::Deserialize;

use super::{Checkout, Expected, honest};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Sets of packages, by name.
    environments: BTreeMap<String, Vec<String>>,
    pub(super) project: Vec<Project>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Project {
    pub(super) name: String,
    pub(super) version: String,
    sha256: String,
    environment: String,
    /// Whether the project itself is installed in its environment, to be loaded from the checkout.
    #[serde(default)]
    editable: bool,
    /// About how many tests the suite has; it depends on the version of Python.
    tests: u64,
    /// The rules of which at least one refuses the dishonest change.
    refused_by: BTreeSet<String>,
}

pub(super) fn table() -> Table {
    let text = fs::read_to_string(honest().join("projects.toml")).expect("the table is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

impl Project {
    fn checkout(&self, environments: &BTreeMap<String, Vec<String>>) -> Result<Checkout, String> {
        let release = SourceDistribution {
            name: self.name.clone(),
            version: self.version.clone(),
            sha256: self.sha256.clone(),
        };
        let changes = honest().join(&self.name);
        let publication = Publication {
            binary: env!("CARGO_BIN_EXE_proctor"),
            release: &release,
            requirements: &environments[&self.environment],
            editable: self.editable,
            additions: Some(&changes.join("base")),
        };
        Ok(Checkout {
            published: publication.checkout()?,
            changes,
        })
    }
}

/// A project of the table on disk; `None`, printed loudly, if the registry does not provide it.
fn checkout(name: &str) -> Option<(Project, Checkout)> {
    let table = table();
    let mut projects = table.project.into_iter();
    let project = projects
        .find(|project| project.name == name)
        .expect("it is in the table");
    match project.checkout(&table.environments) {
        Ok(checkout) => Some((project, checkout)),
        Err(reason) => {
            say_skipped(name, &reason);
            None
        }
    }
}

fn is_judged_rightly(name: &str) {
    if let Some((project, checkout)) = checkout(name) {
        let expected = Expected {
            tests: project.tests,
            refused_by: &project.refused_by,
        };
        checkout.is_judged_rightly(name, &expected);
    }
}

#[test]
fn aiostream_asynchronous_with_hooks_in_conftest_and_coverage() {
    is_judged_rightly("aiostream");
}

#[test]
fn cachetools_unittest_classes_with_subtests_and_mixins() {
    is_judged_rightly("cachetools");
}

#[test]
fn deepmerge_tests_inside_the_package() {
    is_judged_rightly("deepmerge");
}

#[test]
fn first_one_module_with_one_test_file_that_is_extended() {
    is_judged_rightly("first");
}

#[test]
fn inflection_ids_with_spaces_and_unicode_in_an_extended_file() {
    is_judged_rightly("inflection");
}

#[test]
fn jaraco_functools_namespace_package_with_doctests() {
    is_judged_rightly("jaraco.functools");
}

#[test]
fn parse_coverage_and_doctests_in_its_options() {
    is_judged_rightly("parse");
}

#[test]
fn parsy_source_folder_and_editable_install() {
    is_judged_rightly("parsy");
}

#[test]
fn schema_tests_beside_the_package_with_mocks() {
    is_judged_rightly("schema");
}

#[test]
fn tinydb_distributed_tests_with_fixtures_and_a_mocking_plugin() {
    is_judged_rightly("tinydb");
}

#[test]
fn xmltodict_one_module_with_a_folder_of_tests() {
    is_judged_rightly("xmltodict");
}

#[test]
fn pluggy_is_part_of_the_runner_and_not_judged() {
    let Some((_, checkout)) = checkout("pluggy") else {
        return;
    };
    let output = checkout.judge("red", &["tests"]);
    output.expect_code(5);
    let message = output.json()["error"]["message"].to_string();
    assert!(message.contains("loaded `pluggy` from"), "{message}");
}

/// The whole way of a new user: `init`, a design document, a run with a scripted model, APPROVE, a report.
fn is_taken_from_init_to_merged(name: &str, design: &str, replies: &str) {
    let Some((_, checkout)) = checkout(name) else {
        return;
    };
    let PublishedCheckout {
        environment,
        repository,
    } = &checkout.published;
    let set_up = environment.proctor(["init"]);
    set_up.expect_code(0);
    assert!(set_up.stdout.contains("pytest"), "{}", set_up.stdout);
    repository.git(["add", "proctor.toml"]);
    repository.git(["commit", "--quiet", "-m", "Settings"]);
    let design = environment.write("design.md", design).display().to_string();
    let replies = environment.write("replies.jsonl", replies);
    let model = format!("script:{}", replies.display());
    environment
        .proctor(["check", "--lld", &design])
        .expect_code(0);
    let arguments = ["run", "--issue", "1", "--lld", &design, "--model", &model];
    let mut terminal = environment.proctor_on_terminal(arguments);
    // Whether it fits the screen or opens in the pager, the word can be typed.
    terminal.expect("Type APPROVE");
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{name}: {}", terminal.screen());
    let message = repository.git(["log", "-1", "--format=%B"]);
    assert!(message.contains("Approved-By:"), "{message}");
    assert_eq!(repository.git(["status", "--porcelain"]), "");
    let page = environment.root().join("run.html");
    let arguments = ["report", "--output", &page.display().to_string()];
    environment.proctor(arguments).expect_code(0);
    let page = fs::read_to_string(page).expect("the page is there");
    assert!(page.contains("valid green"), "{name}");
}

/// A design document and the replies for a change that consists of new files.
fn new_files(name: &str) -> (String, String) {
    let mut design = "# 1 - Feature\n\n## 2. Proposed Changes\n\n### 2.1 Files Changed\n\n\
                      | File | Change Type | Description |\n|---|---|---|\n"
        .to_owned();
    let mut replies = String::new();
    for (part, stage) in [("source", "implement"), ("tests", "scaffold")] {
        let folder = honest().join(name).join(part);
        for file in files_in(&folder) {
            let path = file.display();
            let content = fs::read_to_string(folder.join(&file)).expect("text");
            let _ = writeln!(design, "| `{path}` | Add | New. |");
            let text = format!("### FILE: {path}\n```python\n{content}```\n");
            let reply = serde_json::json!({ "stage": stage, "text": text });
            let _ = writeln!(replies, "{reply}");
        }
    }
    design += "\n## 3. Requirements\n\n1. What the tests say.\n";
    (design, replies)
}

#[test]
fn cachetools_from_init_to_merged() {
    let (design, replies) = new_files("cachetools");
    is_taken_from_init_to_merged("cachetools", &design, &replies);
}

#[test]
fn aiostream_from_init_to_merged() {
    let (design, replies) = new_files("aiostream");
    is_taken_from_init_to_merged("aiostream", &design, &replies);
}
