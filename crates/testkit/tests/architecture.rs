//! Keeps the pages about the code true, the crates in the order that ARCHITECTURE.md draws, their modules free of
//! cycles, and the words those of the glossary.

#[path = "architecture/cycles.rs"]
mod cycles;
#[path = "architecture/thin_cli.rs"]
mod thin_cli;
#[path = "architecture/words.rs"]
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path};

use proctor_testkit::{Page, text_files, workspace};

/// Crates and the only crates of ours that each may depend on outside its tests.
const ARROWS: [(&str, &[&str]); 4] = [
    ("core", &[]),
    ("host", &["proctor-core"]),
    ("cli", &["proctor-core", "proctor-host"]),
    ("testkit", &["proctor-host"]),
];

/// The crates whose modules the page lists.
const MAPPED_CRATES: [&str; 3] = ["cli", "core", "host"];

/// Files that are a crate's or a folder's root rather than a module in it.
const ROOT_FILES: [&str; 2] = ["lib.rs", "main.rs"];

/// Phrases that must not occur: the text of this repository is for the users of
/// Proctor, who have nothing but this repository. Written in two parts, or this file would be found.
const FOREIGN_PHRASES: [(&str, &str); 9] = [
    ("../", "shared"),
    ("/work/", "shared"),
    ("/work/", "main"),
    ("contract", ".md"),
    ("the issue ", "tracker says"),
    ("in this ", "session"),
    ("previous ", "session"),
    ("another ", "session's"),
    ("my ", "session"),
];

fn read(relative: &str) -> String {
    let path = workspace().join(relative);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

fn code_spans(page: &str) -> BTreeSet<String> {
    let page = Page::new(page, &read(page));
    page.code_spans().into_iter().collect()
}

fn paths_named_by(page: &str) -> BTreeSet<String> {
    code_spans(page)
        .into_iter()
        .filter(|span| span.starts_with("crates/") || span.starts_with("docs/"))
        .collect()
}

/// A module's path says nothing about whether it is a file or a folder.
fn exists(path: &str) -> bool {
    let root = workspace();
    root.join(path).exists() || root.join(format!("{path}.rs")).exists()
}

/// The modules directly in a crate, as paths without `.rs`.
fn modules_of(name: &str) -> BTreeSet<String> {
    let folder = format!("crates/{name}/src");
    fs::read_dir(workspace().join(&folder))
        .expect("every crate has sources")
        .map(|entry| entry.expect("the folder is readable").file_name())
        .map(|file| file.to_string_lossy().into_owned())
        .filter(|file| !ROOT_FILES.contains(&file.as_str()))
        .map(|file| format!("{folder}/{}", file.trim_end_matches(".rs")))
        .collect()
}

/// The pages that name paths and tests.
fn pages() -> Vec<String> {
    let decisions = fs::read_dir(workspace().join("docs/decisions"))
        .expect("decisions are written down")
        .map(|entry| entry.expect("the folder is readable").file_name())
        .map(|name| format!("docs/decisions/{}", name.to_string_lossy()));
    [
        "ARCHITECTURE.md",
        "docs/internals.md",
        "CONTRIBUTING.md",
        "README.md",
        "docs/data-policy.md",
        "docs/traceability.md",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(decisions)
    .collect()
}

/// The names below `crates/` in docs/traceability.md: the file, and the test if it is one.
fn traced() -> BTreeSet<(String, Option<String>)> {
    code_spans("docs/traceability.md")
        .into_iter()
        .filter(|span| {
            ARROWS
                .iter()
                .any(|(name, _)| span.starts_with(&format!("{name}/")))
        })
        .map(|span| match span.split_once("::") {
            Some((file, test)) => (format!("crates/{file}"), Some(test.to_owned())),
            None => (format!("crates/{span}"), None),
        })
        .collect()
}

#[test]
fn every_test_that_is_traced_exists() {
    let traced = traced();
    let tests = traced.iter().filter(|(_, test)| test.is_some()).count();
    assert!(tests > 50, "only {tests} tests were found on the page");
    for (file, test) in traced {
        assert!(exists(&file), "there is no {file}");
        if let Some(test) = test {
            let source = read(&file);
            let defined = source.contains(&format!("fn {test}("));
            assert!(defined, "{file} has no test {test}");
        }
    }
}

#[test]
fn every_arrow_on_the_page_is_in_the_transition_table() {
    let table = read("crates/core/src/workflow/transitions.rs");
    let rows: BTreeSet<_> = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix("at(")?.split_once(','))
        .filter_map(|(from, rest)| Some((from, rest.split_once("Go(")?.1.split_once(')')?.0)))
        .collect();
    let page = read("ARCHITECTURE.md");
    let arrows: Vec<_> = page
        .lines()
        .filter_map(|line| line.split_once(" : ")?.0.trim().split_once(" --> "))
        .collect();
    assert!(arrows.len() > 7, "the diagram was not found");
    for arrow in arrows {
        assert!(rows.contains(&arrow), "the table has no {arrow:?}");
    }
}

#[test]
fn every_path_that_a_page_names_exists() {
    for page in pages() {
        let missing: Vec<_> = paths_named_by(&page)
            .into_iter()
            .filter(|path| !exists(path))
            .collect();
        assert!(
            missing.is_empty(),
            "{page} names what is not there: {missing:?}"
        );
    }
}

#[test]
fn every_module_is_named_on_the_page() {
    let named: BTreeSet<_> = paths_named_by("ARCHITECTURE.md")
        .iter()
        .map(|path| path.trim_end_matches('/').to_owned())
        .collect();
    let unnamed: Vec<_> = MAPPED_CRATES
        .into_iter()
        .flat_map(modules_of)
        .filter(|module| !named.contains(module))
        .collect();
    assert!(
        unnamed.is_empty(),
        "ARCHITECTURE.md says nothing about: {unnamed:?}"
    );
}

#[test]
fn every_crate_is_part_of_the_order() {
    let known: BTreeSet<_> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let found: BTreeSet<_> = fs::read_dir(workspace().join("crates"))
        .expect("the workspace has crates")
        .map(|entry| entry.expect("the folder is readable").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, known);
}

#[test]
fn crates_depend_on_each_other_only_along_the_arrows() {
    for (name, allowed) in ARROWS {
        let manifest: toml::Table = read(&format!("crates/{name}/Cargo.toml"))
            .parse()
            .expect("cargo has read this manifest before");
        // A dependency may also be under `[target.….dependencies]`.
        let for_targets = manifest
            .get("target")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flat_map(|targets| targets.values().filter_map(toml::Value::as_table));
        for table in std::iter::once(&manifest).chain(for_targets) {
            for section in ["dependencies", "build-dependencies"] {
                let dependencies = table.get(section).and_then(toml::Value::as_table);
                for dependency in dependencies.into_iter().flat_map(toml::Table::keys) {
                    assert!(
                        !dependency.starts_with("proctor-")
                            || allowed.contains(&dependency.as_str()),
                        "{name} must not depend on {dependency}"
                    );
                }
            }
        }
        let for_tests = manifest
            .get("dev-dependencies")
            .and_then(toml::Value::as_table);
        assert!(
            name != "core" || !for_tests.is_some_and(|table| table.contains_key("proctor-testkit")),
            "the tests of core start nothing and write nothing, so they need no testkit"
        );
    }
}

/// Comments are left out, because a command's comment is its help.
#[test]
fn refs_are_named_in_one_module() {
    let home = Path::new("crates/host/src/run_data.rs");
    let is_source = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "rs")
            && path.starts_with("crates")
            && path.components().nth(2) == Some(Component::Normal("src".as_ref()))
    };
    let sources = text_files();
    let naming: BTreeSet<&Path> = sources
        .iter()
        .filter(|(path, text)| {
            let mut code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            is_source(path) && code.any(|line| line.contains("refs/proctor"))
        })
        .map(|(path, _)| path.as_path())
        .collect();
    assert_eq!(naming, BTreeSet::from([home]));
}

#[test]
fn the_repository_speaks_of_nothing_outside_itself() {
    let files = text_files();
    assert!(files.len() > 10, "the repository was not found");
    let mut found = Vec::new();
    for (path, text) in &files {
        for (number, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            for (start, end) in FOREIGN_PHRASES {
                let phrase = format!("{start}{end}");
                if line.contains(&phrase) {
                    found.push(format!("{}:{}: {phrase}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
