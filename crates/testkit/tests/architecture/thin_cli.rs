//! The command line asks the host for whole things: no command touches git, and none is another's library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::cycles::{named_after, without_tests};
use super::workspace;

/// Every source file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn source(path: &Path) -> String {
    without_tests(&fs::read_to_string(path).expect("the file was just listed"))
}

/// Whether the file is a module that only tests have.
fn is_for_tests(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem == "tests" || stem == "sample" || stem.ends_with("_tests")
}

#[test]
fn the_command_line_does_not_import_git() {
    let files = sources(&workspace().join("crates/cli/src"));
    assert!(files.len() > 50, "the sources were not found");
    let importing: Vec<_> = files
        .iter()
        .filter(|path| !is_for_tests(path))
        .filter(|path| named_after(&source(path), &["proctor_host::"]).contains("git"))
        .collect();
    assert!(importing.is_empty(), "{importing:?}");
}

#[test]
fn no_command_imports_another() {
    let folder = workspace().join("crates/cli/src/commands");
    let command_of = |path: &Path| {
        let below = path.strip_prefix(&folder).expect("it was found there");
        let first = below.iter().next().unwrap_or_default().to_string_lossy();
        let climb = if below.ends_with("mod.rs") {
            below.iter().count() - 1
        } else {
            below.iter().count()
        };
        (first.trim_end_matches(".rs").to_owned(), climb)
    };
    let files: Vec<_> = sources(&folder)
        .into_iter()
        .filter(|path| *path != folder.join("mod.rs"))
        .collect();
    let commands: BTreeSet<String> = files.iter().map(|path| command_of(path).0).collect();
    assert!(commands.len() > 10, "the commands were not found");
    for path in &files {
        let (own, climb) = command_of(path);
        let climbing = "super::".repeat(climb);
        let named = named_after(&source(path), &["crate::commands::", &climbing]);
        let others: Vec<_> = named
            .intersection(&commands)
            .filter(|name| **name != own)
            .collect();
        assert!(others.is_empty(), "{own} imports {others:?}");
    }
}
