//! Which modules of a crate need each other in a circle.
//!
//! Read from the paths in the source that begin with `crate::` or climb to the crate with `super::`, without comments
//! and without code that is compiled for tests only. The source is formatted, so an item ends where a line closes its
//! indentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{modules_of, workspace};

/// Every crate whose modules are looked at.
const CRATES: [&str; 3] = ["core", "host", "cli"];

type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_of_a_crate_form_no_cycle() {
    for name in CRATES {
        let imports = imports_of(name);
        assert!(imports.len() > 5, "the modules of {name} were not found");
        let circles = imports_in_cycles(&imports);
        assert!(circles.is_empty(), "circles in {name}: {circles:?}");
    }
}

#[test]
fn imports_are_found_and_test_code_is_not() {
    let source = "\
//! Not crate::a.
use crate::{b, c::{D, E}, f};
use super::super::g::H;
use super::near;
pub(in crate::own) fn i() -> crate::j::K {}
#[cfg(test)]
mod tests {
    use crate::l;
}
#[cfg(test)]
mod m;
use crate::n; // and crate::o
";
    let found = named_by(&without_tests(source), 2);
    let expected = ["b", "c", "f", "g", "j", "n", "own"];
    assert!(found.iter().eq(expected), "{found:?}");
}

#[test]
fn only_imports_that_lead_back_are_in_a_cycle() {
    let pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "a")];
    let mut imports = Imports::new();
    for (from, to) in pairs {
        let targets = imports.entry(from.to_owned()).or_default();
        targets.insert(to.to_owned());
    }
    let found = imports_in_cycles(&imports);
    let expected = [("a", "b"), ("b", "c"), ("c", "a")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(found, BTreeSet::from(expected));
}

/// Imports whose target leads back to the importing module.
fn imports_in_cycles(imports: &Imports) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (from, targets) in imports {
        for to in targets {
            if reaches(imports, to, from) {
                found.insert((from.clone(), to.clone()));
            }
        }
    }
    found
}

fn reaches(imports: &Imports, start: &str, goal: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(module) = waiting.pop() {
        if module == goal {
            return true;
        }
        if seen.insert(module)
            && let Some(next) = imports.get(module)
        {
            waiting.extend(next.iter().map(String::as_str));
        }
    }
    false
}

/// Each module directly in a crate, and the others that it names.
fn imports_of(crate_name: &str) -> Imports {
    let root = workspace();
    let modules = modules_of(crate_name);
    let name_of = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
    let known: BTreeSet<String> = modules.iter().map(name_of).collect();
    let mut imports = Imports::new();
    for module in &modules {
        let mut named = BTreeSet::new();
        let file = root.join(format!("{module}.rs"));
        let folder = root.join(module);
        if file.exists() {
            collect(&file, &folder, 1, &mut named);
        } else {
            collect(&folder.join("mod.rs"), &folder, 1, &mut named);
        }
        let own = name_of(module);
        named.retain(|name| *name != own && known.contains(name));
        imports.insert(own, named);
    }
    imports
}

/// The names in a module's file and the files of its children; `depth` is the module's distance from the crate.
fn collect(file: &Path, folder: &Path, depth: usize, named: &mut BTreeSet<String>) {
    let source = fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", file.display()));
    let source = without_tests(&source);
    named.extend(named_by(&source, depth));
    for child in children(&source) {
        let folder = folder.join(child);
        let file = folder.with_extension("rs");
        if file.exists() {
            collect(&file, &folder, depth + 1, named);
        } else {
            collect(&folder.join("mod.rs"), &folder, depth + 1, named);
        }
    }
}

/// The modules that a file declares and keeps elsewhere.
fn children(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let declaration = line.strip_suffix(';')?;
        let (visibility, name) = declaration.split_once("mod ")?;
        (visibility.is_empty() || visibility.starts_with("pub")).then_some(name)
    })
}

/// The source without comments and without the items that only tests have.
pub(super) fn without_tests(source: &str) -> String {
    let mut kept = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let code = line.split("//").next().unwrap_or_default();
        if code.trim() != "#[cfg(test)]" {
            kept.push_str(code);
            kept.push('\n');
            continue;
        }
        let indentation = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indentation}}}");
        for line in lines.by_ref() {
            let is_whole = line.ends_with(';') && line.starts_with(indentation);
            let nested = line[indentation.len().min(line.len())..].starts_with(' ');
            if line == end || (is_whole && !nested) {
                break;
            }
        }
    }
    kept
}

/// The names right below the crate that the source mentions.
fn named_by(source: &str, depth: usize) -> BTreeSet<String> {
    let climbing = "super::".repeat(depth);
    named_after(source, &["crate::", &climbing])
}

/// The names that follow one of these beginnings of a path.
pub(super) fn named_after(source: &str, starts: &[&str]) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for start in starts {
        for (at, _) in source.match_indices(start) {
            let before = source[..at].chars().next_back();
            let continues =
                |character: char| character.is_alphanumeric() || "_:".contains(character);
            if before.is_some_and(continues) {
                continue;
            }
            let rest = &source[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(group) => named.extend(heads(group)),
                None => named.extend(identifier(rest)),
            }
        }
    }
    named
}

/// The first names of a group's entries.
fn heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let (mut depth, mut entry_begins) = (0_u32, true);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => entry_begins = true,
            _ if character.is_whitespace() => {}
            _ if entry_begins => {
                heads.extend(identifier(&group[at..]));
                entry_begins = false;
            }
            _ => {}
        }
    }
    heads
}

fn identifier(text: &str) -> Option<String> {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_');
    let name = &text[..end.unwrap_or(text.len())];
    (!name.is_empty() && name != "super").then(|| name.to_owned())
}
