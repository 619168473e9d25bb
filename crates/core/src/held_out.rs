//! Tests that the implementing model is not shown.
//!
//! A model that sees every test can hard-code the answers; a test it was not shown it can pass only by doing the work.
//! About a third of the new tests are held out of the request and judge all the same. One that fails is shown with the
//! next attempt, so honest work loses one attempt at most.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use tree_sitter::Node;

use crate::gate::{FlagKind, SourceFlag, Verdict};
use crate::javascript::is_javascript;
use crate::javascript_reader::{RemovableTest, removable_tests};
use crate::merge::Language;
use crate::object_id::TreeId;
use crate::test_outcome::{file_of, function_of};

/// Fewer new tests than this are all shown: a third of two is none, and one of two may be the one that makes the
/// meaning clear.
const FEWEST: usize = 3;

/// A sealed test file.
#[derive(Debug, Clone, Copy)]
pub struct SealedFile<'a> {
    /// Relative to the tree.
    pub path: &'a str,
    /// Its current text.
    pub text: &'a str,
    /// Its text at the base commit: existing tests are shown.
    pub base: Option<&'a str>,
}

/// The tests that are held out, as the runner names them without parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldOut {
    /// All that were chosen.
    chosen: BTreeSet<String>,
    /// Those of them that failed and are shown since.
    revealed: BTreeSet<String>,
}

impl HeldOut {
    /// Chooses a share of the new tests by the tree that they were sealed in: no one can influence it, and a resumed
    /// run chooses the same. Those that have failed since are revealed.
    pub fn choose(
        files: &[SealedFile<'_>],
        sealed: &TreeId,
        share: f64,
        failed: &BTreeSet<String>,
    ) -> Self {
        let mut new: Vec<String> = files.iter().flat_map(new_tests).collect();
        new.sort_by_key(|id| Sha256::digest(format!("{sealed}\n{id}")).to_vec());
        let most = share.clamp(0.0, 1.0) * f64::from(u32::try_from(new.len()).unwrap_or(u32::MAX));
        let count = (0..new.len())
            .take_while(|index| f64::from(u32::try_from(*index).unwrap_or(u32::MAX)) + 0.5 < most)
            .count();
        if new.len() < FEWEST {
            return Self::default();
        }
        // At least one is shown, for all settings.
        let chosen = new.iter().take(count.min(new.len() - 1));
        let chosen: BTreeSet<String> = chosen.cloned().collect();
        // A file that cannot be loaded fails with all its tests.
        let has_failed = |id: &&String| failed.contains(*id) || failed.contains(file_of(id));
        let revealed = chosen.iter().filter(has_failed).cloned().collect();
        Self { chosen, revealed }
    }

    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// How many tests are not shown.
    pub fn hidden(&self) -> usize {
        self.chosen.len() - self.revealed.len()
    }

    /// Whether the model was never shown this test.
    pub fn is_hidden(&self, function: &str) -> bool {
        self.chosen.contains(function) && !self.revealed.contains(function)
    }

    /// How many of the tests that a green shows to pass were never shown to the model.
    fn unseen(&self, verdict: &Verdict) -> usize {
        let passed = verdict.passed();
        let passed: BTreeSet<&str> = passed.iter().map(|id| function_of(id)).collect();
        let hidden = passed.iter().filter(|function| self.is_hidden(function));
        hidden.count()
    }

    /// The note on an accepted green for the reviewer; `None` if no test was held out.
    pub fn note(&self, verdict: &Verdict) -> Option<String> {
        (!self.is_empty() && verdict.is_accepted()).then(|| {
            format!(
                "{} of {} held-out tests passed without ever having been shown to the model",
                self.unseen(verdict),
                self.chosen.len()
            )
        })
    }

    /// The flag of an accepted green in which every held-out test had to be shown first.
    pub fn flag(&self, verdict: &Verdict) -> Option<SourceFlag> {
        let first = self.chosen.first()?;
        let nothing = verdict.is_accepted() && self.unseen(verdict) == 0;
        nothing.then(|| SourceFlag {
            path: file_of(first).to_owned(),
            line: 1,
            flag: FlagKind::NothingUnseen,
            what: format!("{} tests", self.chosen.len()),
        })
    }

    /// A test file without its hidden tests.
    pub fn shown(&self, path: &str, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut from = 0;
        for test in tests_in(path, text) {
            if self.is_hidden(&format!("{path}::{}", test.name)) {
                kept.push_str(&text[from..test.start]);
                from = test.end;
            }
        }
        kept.push_str(&text[from..]);
        kept
    }
}

/// The tests of a file that its base does not have.
fn new_tests(file: &SealedFile<'_>) -> Vec<String> {
    let before: BTreeSet<String> = file
        .base
        .map(|text| {
            let tests = tests_in(file.path, text).into_iter();
            tests.map(|test| test.name).collect()
        })
        .unwrap_or_default();
    let tests = tests_in(file.path, file.text).into_iter();
    tests
        .filter(|test| !before.contains(&test.name))
        .map(|test| format!("{}::{}", file.path, test.name))
        .collect()
}

/// A test in a text, from the line it begins in to the line after it.
struct Test {
    name: String,
    start: usize,
    end: usize,
}

/// The tests of a file that can be taken out of it: none if it cannot be read.
fn tests_in(path: &str, text: &str) -> Vec<Test> {
    if !is_javascript(path) {
        return tests_in_python(text);
    }
    let tests = removable_tests(path, text).into_iter();
    tests
        .map(|RemovableTest { name, range }| Test {
            name,
            start: with_comments(text, line_start(text, range.start), "//"),
            end: line_end(text, range.end),
        })
        .collect()
}

fn tests_in_python(text: &str) -> Vec<Test> {
    let tree = Language::Python.tree(text, None);
    let root = tree.root_node();
    if root.has_error() {
        return Vec::new();
    }
    let mut tests = Vec::new();
    for member in named_children(root) {
        let definition = undecorated(member);
        match definition.kind() {
            "function_definition" => tests.extend(test(text, member, definition, "")),
            "class_definition" => {
                let class = format!("{}::", name_of(text, definition));
                let Some(body) = definition.child_by_field_name("body") else {
                    continue;
                };
                let members = named_children(body);
                let mut inside: Vec<Test> = members
                    .iter()
                    .filter_map(|member| test(text, *member, undecorated(*member), &class))
                    .collect();
                // Something has to be left in a class.
                if inside.len() == members.len() {
                    inside.remove(0);
                }
                tests.extend(inside);
            }
            _ => {}
        }
    }
    tests
}

fn test(text: &str, member: Node<'_>, definition: Node<'_>, class: &str) -> Option<Test> {
    let name = name_of(text, definition);
    let is_test = definition.kind() == "function_definition" && name.starts_with("test");
    let start = line_start(text, member.start_byte());
    is_test.then(|| Test {
        name: format!("{class}{name}"),
        start: with_comments(text, start, "#"),
        end: line_end(text, member.end_byte()),
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Behind the end of the line.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Where the comments directly above a line begin: they may reveal the expected value.
fn with_comments(text: &str, line: usize, comment: &str) -> usize {
    let mut start = line;
    while start > 0 {
        let before = text[..start - 1].rfind('\n').map_or(0, |end| end + 1);
        if !text[before..start].trim_start().starts_with(comment) {
            break;
        }
        start = before;
    }
    start
}

fn undecorated(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "decorated_definition" => node.child_by_field_name("definition").unwrap_or(node),
        _ => node,
    }
}

fn name_of<'t>(text: &'t str, node: Node<'_>) -> &'t str {
    let name = node.child_by_field_name("name");
    name.and_then(|name| text.get(name.byte_range()))
        .unwrap_or("")
}

fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let children = node.named_children(&mut node.walk()).collect::<Vec<_>>();
    let is_comment = |node: &Node<'_>| node.kind() == "comment";
    children
        .into_iter()
        .filter(|node| !is_comment(node))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{HeldOut, SealedFile, tests_in};
    use crate::object_id::TreeId;

    const TEXT: &str = "\
import pytest


def helper():
    return 1


def test_a():
    assert helper() == 1


# Twelve is what is meant.
@pytest.mark.parametrize(\"x\", [1, 2])
def test_b(x):
    assert x * 12


class TestC:
    def test_d(self):
        assert True is not None

    async def test_e(self):
        pass
";

    fn tree(digit: char) -> TreeId {
        TreeId::parse(&digit.to_string().repeat(40)).expect("an id")
    }

    fn choose(text: &str, base: Option<&str>, share: f64, digit: char, failed: &[&str]) -> HeldOut {
        let file = SealedFile {
            path: "t.py",
            text,
            base,
        };
        let failed: BTreeSet<String> = failed.iter().map(|id| (*id).to_owned()).collect();
        HeldOut::choose(&[file], &tree(digit), share, &failed)
    }

    #[test]
    fn tests_are_found_with_decorators_and_comments_and_leave_something_in_a_class() {
        let names: Vec<String> = tests_in("test_a.py", TEXT)
            .into_iter()
            .map(|test| test.name)
            .collect();
        assert_eq!(names, ["test_a", "test_b", "TestC::test_e"]);
        let second = &tests_in("test_a.py", TEXT)[1];
        assert!(TEXT[second.start..].starts_with("# Twelve"));
    }

    #[test]
    fn about_a_third_is_held_out_and_the_tree_decides_which() {
        let many: Vec<String> = (0..9)
            .map(|n| format!("def test_{n}():\n    assert f({n})\n"))
            .collect();
        let many = many.join("\n\n");
        let chosen: BTreeSet<Vec<String>> = "0123456789"
            .chars()
            .map(|digit| {
                let held_out = choose(&many, None, 0.33, digit, &[]);
                assert_eq!(held_out.hidden(), 3);
                let shown = held_out.shown("t.py", &many);
                assert_eq!(shown.matches("def test_").count(), 6);
                held_out.chosen.into_iter().collect()
            })
            .collect();
        assert!(chosen.len() > 1, "it is the same whatever the tree is");
        assert_eq!(
            choose(&many, None, 0.33, '1', &[]),
            choose(&many, None, 0.33, '1', &[])
        );
    }

    #[test]
    fn few_tests_old_ones_and_unreadable_files_are_shown() {
        let two = "def test_a():\n    pass\n\n\ndef test_b():\n    pass\n";
        assert!(choose(two, None, 0.9, '1', &[]).is_empty());
        assert!(choose(TEXT, Some(TEXT), 0.9, '1', &[]).is_empty());
        assert!(choose("def test_a(:\n", None, 0.9, '1', &[]).is_empty());
        assert!(choose(TEXT, None, 0.0, '1', &[]).is_empty());
        assert_eq!(choose(TEXT, None, 1.0, '1', &[]).hidden(), 2);
    }

    #[test]
    fn what_failed_is_shown_from_then_on() {
        let before = choose(TEXT, None, 0.33, '1', &[]);
        let id = before.chosen.first().expect("one is held out").clone();
        assert!(before.is_hidden(&id));
        let after = choose(TEXT, None, 0.33, '1', &[&id]);
        assert!(!after.is_hidden(&id));
        assert_eq!(after.hidden(), 0);
        assert_eq!(after.shown("t.py", TEXT), TEXT);
        assert!(!after.is_empty());
    }
}
