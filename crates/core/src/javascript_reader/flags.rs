//! Facts about changed source that a person should look at before approving it.
//!
//! Nothing found here refuses anything: each of these has honest uses, and only a person can tell. Calls, accesses and
//! assignments count, in any spelling.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::flag_tables::{
    CHANGING, EVENTS, GIVEN, INTO_PROCESS, OF_CALLER, OF_RUNNER, REACHES, RUNNER_PARTS, RUNNERS,
    SHARED, SILENCERS,
};
use super::hard_coded::{deciding, literals};
use crate::gate::{FlagKind, SourceFlag, SourceText};
use crate::javascript::declared::resolve;
use crate::javascript::lines::{is_broken, is_type_only, line_of};
use crate::javascript::names::{named, specifier_of, text_of};
use crate::javascript::parsing::parse;
use crate::javascript::spelling::{Spelling, known_text, taken};

/// Suspicious code in these sources that was not there at the base commit. `tests` are the test files beside them.
pub fn flags(tests: &[SourceText], sources: &[SourceText]) -> Vec<SourceFlag> {
    let known = Tests::of(tests);
    let mut found = Vec::new();
    for source in sources {
        let base = source.base.as_deref().unwrap_or_default();
        let before: BTreeSet<(FlagKind, String)> = flags_of(&source.path, base, &known)
            .into_iter()
            .map(|(flag, _, what)| (flag, what))
            .collect();
        let old: BTreeSet<&str> = base.lines().map(str::trim).collect();
        let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
        let is_new_line = |line: u32| {
            let index = usize::try_from(line.saturating_sub(1)).ok();
            let line = index.and_then(|index| lines.get(index));
            line.is_some_and(|line| !old.contains(line))
        };
        for (flag, line, what) in flags_of(&source.path, &source.text, &known) {
            if is_new_line(line) || !before.contains(&(flag, what.clone())) {
                let path = source.path.clone();
                found.push(SourceFlag {
                    path,
                    line,
                    flag,
                    what,
                });
            }
        }
    }
    found
}

/// The facts about the tests.
struct Tests {
    /// Names of their files, without endings where they are telling by themselves.
    names: BTreeSet<String>,
    literals: BTreeSet<String>,
}

impl Tests {
    fn of(tests: &[SourceText]) -> Self {
        let mut known = Self {
            names: BTreeSet::new(),
            literals: BTreeSet::new(),
        };
        for test in tests {
            let name = test.path.rsplit('/').next().unwrap_or(&test.path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let is_telling = stem.len() > 5 && stem.contains(['.', '-', '_']);
            known
                .names
                .insert(if is_telling { stem } else { name }.to_owned());
            if let Some(tree) = parse(&test.path, &test.text) {
                known
                    .literals
                    .extend(literals(tree.root_node(), &test.text));
            }
        }
        known
    }
}

type Found = (FlagKind, u32, String);

fn flags_of(path: &str, text: &str, tests: &Tests) -> Vec<Found> {
    let unread = || (FlagKind::NotRead, 1, "its syntax is not known".to_owned());
    let Some(tree) = parse(path, text) else {
        return vec![unread()];
    };
    let root = tree.root_node();
    let mut looker = Looker {
        path,
        text,
        tests,
        spelling: Spelling::of(root, text),
        // The readable rest is still checked.
        found: is_broken(root).then(unread).into_iter().collect(),
    };
    looker.look(root);
    let copied: Vec<(u32, String)> = deciding(root, text)
        .into_iter()
        .filter(|(_, literal)| tests.literals.contains(literal))
        .collect();
    let distinct: BTreeSet<&String> = copied.iter().map(|(_, literal)| literal).collect();
    if distinct.len() >= 2 {
        let copied = copied.into_iter();
        looker
            .found
            .extend(copied.map(|(line, what)| (FlagKind::CopiesLiterals, line, short(&what))));
    }
    looker.found.sort_by_key(|(flag, line, _)| (*line, *flag));
    looker.found.dedup();
    looker.found
}

struct Looker<'f> {
    path: &'f str,
    text: &'f str,
    tests: &'f Tests,
    spelling: Spelling,
    found: Vec<Found>,
}

impl Looker<'_> {
    fn look(&mut self, root: Node<'_>) {
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if node.kind() == "comment" {
                self.comment(node);
            }
            if let Some(specifier) = specifier_of(node, self.text) {
                self.module(node, specifier);
            }
            if is_type_only(node.kind()) {
                continue;
            }
            self.node(node);
            waiting.extend(named(node).into_iter().rev());
        }
    }

    fn node(&mut self, node: Node<'_>) {
        match node.kind() {
            "member_expression" | "subscript_expression" => self.asked(node),
            "identifier" => self.name(node),
            "property_identifier" | "shorthand_property_identifier_pattern" => self.property(node),
            "variable_declarator" => self.taken_out(node),
            "assignment_expression" | "augmented_assignment_expression" => {
                self.changed(node.child_by_field_name("left"));
            }
            "update_expression" => self.changed(node.child_by_field_name("argument")),
            "unary_expression" if text_of(node, self.text).starts_with("delete") => {
                self.changed(node.child_by_field_name("argument"));
            }
            "call_expression" => self.call(node),
            "new_expression" => self.made(node),
            "string" | "template_string" => self.words(node),
            "binary_expression" => self.environment(node),
            "method_definition" | "pair" | "field_definition" | "public_field_definition" => {
                self.member(node);
            }
            _ => {}
        }
    }

    fn note(&mut self, flag: FlagKind, node: Node<'_>, what: impl AsRef<str>) {
        self.found.push((flag, line_of(node), short(what.as_ref())));
    }

    fn comment(&mut self, node: Node<'_>) {
        let text = text_of(node, self.text);
        let silencer = SILENCERS.iter().find(|word| text.contains(*word));
        if let Some(silencer) = silencer {
            self.note(FlagKind::Silences, node, silencer);
        }
    }

    fn module(&mut self, node: Node<'_>, specifier: &str) {
        let is_nodes = specifier.starts_with("node:");
        let name = specifier.strip_prefix("node:").unwrap_or(specifier);
        let top = name.split('/').next().unwrap_or(name);
        // Node's own runner has the prefix always; a package of that name is something else.
        let is_runner = RUNNERS.contains(&top) && (top != "test" || is_nodes);
        if is_runner || RUNNER_PARTS.iter().any(|part| name.starts_with(part)) {
            self.note(FlagKind::KnowsRunner, node, format!("import {specifier}"));
        } else if INTO_PROCESS.contains(&top) {
            self.note(
                FlagKind::ReachesIntoProcess,
                node,
                format!("import {specifier}"),
            );
        }
    }

    fn path(&self, node: Node<'_>) -> Option<Vec<String>> {
        self.spelling.path(node, self.text)
    }

    /// Something is asked of something global.
    fn asked(&mut self, node: Node<'_>) {
        let Some(path) = self.path(node) else {
            return self.own_stack(node);
        };
        if let Some(name) = path.last().filter(|name| is_of_runner(name)) {
            return self.note(FlagKind::KnowsRunner, node, name);
        }
        self.reaches(node, &path.join("."));
    }

    fn reaches(&mut self, node: Node<'_>, path: &str) {
        let flag = if REACHES.contains(&path) {
            FlagKind::ReachesIntoProcess
        } else if OF_RUNNER.contains(&path) {
            FlagKind::KnowsRunner
        } else if OF_CALLER.contains(&path) {
            FlagKind::LooksAtCaller
        } else {
            return;
        };
        self.note(flag, node, path);
    }

    /// `new Error().stack` reveals the caller.
    fn own_stack(&mut self, node: Node<'_>) {
        let object = node.child_by_field_name("object");
        let is_made = object.is_some_and(|object| {
            let text = text_of(object, self.text).trim_start_matches(['(', ' ']);
            text.starts_with("new Error") || text.starts_with("Error(")
        });
        if is_made && crate::javascript::names::member(node, self.text) == Some("stack") {
            self.note(FlagKind::LooksAtCaller, node, "new Error().stack");
        }
    }

    /// `const { exit } = process`.
    fn taken_out(&mut self, node: Node<'_>) {
        let name = node.child_by_field_name("name");
        let value = node.child_by_field_name("value");
        let path = value.and_then(|value| self.path(value));
        if let (Some(name), Some(path)) =
            (name.filter(|name| name.kind() == "object_pattern"), path)
        {
            for (key, _) in taken(name, self.text) {
                let path = [path.as_slice(), &[key]].concat();
                self.reaches(name, &path.join("."));
            }
        }
    }

    fn name(&mut self, node: Node<'_>) {
        let name = text_of(node, self.text);
        if is_of_runner(name) {
            return self.note(FlagKind::KnowsRunner, node, name);
        }
        let is_used = node.parent().is_some_and(|parent| {
            let is = |field: &str| parent.child_by_field_name(field) == Some(node);
            match parent.kind() {
                "call_expression" => is("function"),
                "member_expression" | "subscript_expression" => is("object"),
                _ => false,
            }
        });
        let is_free = self.path(node).is_some_and(|path| path == [name]);
        if is_used && is_free && GIVEN.contains(&name) {
            self.note(FlagKind::KnowsRunner, node, name);
        }
    }

    fn property(&mut self, node: Node<'_>) {
        let name = text_of(node, self.text);
        if is_of_runner(name) {
            self.note(FlagKind::KnowsRunner, node, name);
        }
    }

    /// Something that the whole process shares is assigned to, or changed otherwise.
    fn changed(&mut self, target: Option<Node<'_>>) {
        let Some(target) = target else { return };
        let Some(path) = self.path(target).filter(|path| !path.is_empty()) else {
            return;
        };
        let is_member = matches!(target.kind(), "member_expression" | "subscript_expression");
        let first = path[0].as_str();
        let is_variable =
            matches!(path.get(..2), Some([one, two]) if one == "process" && two == "env");
        let is_exit_code = path == ["process", "exitCode"];
        if GIVEN.contains(&first) && is_member {
            self.note(FlagKind::KnowsRunner, target, path.join("."));
        } else if SHARED.contains(&first) && is_member && !is_variable && !is_exit_code {
            self.note(
                FlagKind::ReachesIntoProcess,
                target,
                format!("changes {}", path.join(".")),
            );
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let Some(function) = node.child_by_field_name("function") else {
            return;
        };
        let arguments = node
            .child_by_field_name("arguments")
            .map(named)
            .unwrap_or_default();
        let path = self
            .path(function)
            .map(|path| path.join("."))
            .unwrap_or_default();
        let first = arguments.first().copied();
        if CHANGING.contains(&path.as_str()) {
            self.handed_over(first);
        } else if matches!(path.as_str(), "eval" | "Function") {
            self.note(FlagKind::ReachesIntoProcess, node, path);
        } else if matches!(
            path.as_str(),
            "process.on" | "process.once" | "process.prependListener"
        ) {
            let event = first.and_then(|first| known_text(first, self.text));
            if let Some(event) = event.filter(|event| EVENTS.contains(&event.as_str())) {
                self.note(
                    FlagKind::ReachesIntoProcess,
                    node,
                    format!("{path} {event}"),
                );
            }
        }
    }

    /// An object that a function is about to change.
    fn handed_over(&mut self, object: Option<Node<'_>>) {
        let Some(object) = object else { return };
        let Some(path) = self.path(object) else {
            return;
        };
        let first = path.first().map_or("globalThis", String::as_str);
        if SHARED.contains(&first) || first == "globalThis" {
            let name = if path.is_empty() {
                first.to_owned()
            } else {
                path.join(".")
            };
            self.note(
                FlagKind::ReachesIntoProcess,
                object,
                format!("changes {name}"),
            );
        } else if GIVEN.contains(&first) {
            self.note(FlagKind::KnowsRunner, object, path.join("."));
        }
    }

    fn made(&mut self, node: Node<'_>) {
        let constructor = node.child_by_field_name("constructor");
        if constructor.is_some_and(|name| text_of(name, self.text) == "Function") {
            self.note(FlagKind::ReachesIntoProcess, node, "new Function");
        }
    }

    fn words(&mut self, node: Node<'_>) {
        let Some(words) = known_text(node, self.text) else {
            return;
        };
        let is_module = node
            .parent()
            .is_some_and(|parent| parent.kind().ends_with("port_statement"));
        let lower = words.to_ascii_lowercase();
        let of_matchers = ["jest-matchers", "jest.asymmetricMatcher", "proctor"];
        if is_of_runner(&words)
            || of_matchers
                .iter()
                .any(|word| lower.contains(&word.to_ascii_lowercase()))
        {
            self.note(FlagKind::KnowsRunner, node, format!("{words:?}"));
        } else if self.is_among_tests(&words) || !is_module && self.names_tests(&words) {
            self.note(FlagKind::NamesTests, node, format!("{words:?}"));
        }
    }

    /// Whether the code continues in a file that belongs to the tests, where no one looks for code.
    fn is_among_tests(&self, specifier: &str) -> bool {
        let is_of_tests = |path: &str| crate::javascript::is_test_file(path, &[]);
        let module = resolve(self.path, specifier);
        let file = module.and_then(|module| Some(format!("{}.js", module.strip_prefix("./")?)));
        file.is_some_and(|file| is_of_tests(&file)) && !is_of_tests(self.path)
    }

    fn names_tests(&self, words: &str) -> bool {
        let folders = ["__tests__", "__snapshots__"];
        let mut parts = words.split('/');
        parts.any(|part| folders.contains(&part) || crate::javascript::is_test_module(part))
            || self.tests.names.iter().any(|name| words.contains(name))
    }

    /// `process.env.NODE_ENV === "test"`.
    fn environment(&mut self, node: Node<'_>) {
        let side = |name: &str| node.child_by_field_name(name);
        let sides: Vec<Node<'_>> = ["left", "right"].into_iter().filter_map(side).collect();
        let is_test = sides
            .iter()
            .any(|side| known_text(*side, self.text).as_deref() == Some("test"));
        let asks = sides.iter().any(|side| {
            let path = self.path(*side);
            path.is_some_and(|path| path == ["process", "env", "NODE_ENV"])
        });
        if is_test && asks {
            self.note(FlagKind::KnowsRunner, node, "NODE_ENV is test");
        }
    }

    /// A member that has a say in whether its object is equal to another.
    fn member(&mut self, node: Node<'_>) {
        let field = |name: &str| node.child_by_field_name(name);
        let Some(key) = field("name").or(field("key")).or(field("property")) else {
            return;
        };
        let name = match key.kind() {
            "computed_property_name" => {
                let inner = named(key).first().copied();
                let path = inner
                    .and_then(|inner| self.path(inner))
                    .map(|path| path.join("."));
                path.or_else(|| known_text(inner?, self.text))
                    .unwrap_or_default()
            }
            "string" => known_text(key, self.text).unwrap_or_default(),
            _ => text_of(key, self.text).to_owned(),
        };
        let always = || is_always_true(node, self.text);
        let speaks = match name.as_str() {
            "asymmetricMatch" | "Symbol.toPrimitive" | "Symbol.hasInstance" => true,
            "equals" | "isEqual" | "equal" | "has" | "includes" => always(),
            _ => false,
        };
        if speaks {
            self.note(FlagKind::AlwaysEqual, key, name);
        }
    }
}

/// Whether a function does nothing but say yes.
fn is_always_true(node: Node<'_>, text: &str) -> bool {
    let value = node.child_by_field_name("value").unwrap_or(node);
    let body = value
        .child_by_field_name("body")
        .map_or("", |body| text_of(body, text));
    let body: String = body.split_whitespace().collect::<Vec<_>>().join(" ");
    matches!(
        body.trim_matches(['{', '}', ' ', ';']),
        "return true" | "true" | "return !0" | "!0"
    )
}

/// Names that only runners give.
fn is_of_runner(name: &str) -> bool {
    matches!(
        name,
        "VITEST" | "JEST_WORKER_ID" | "NODE_TEST_CONTEXT" | "__coverage__"
    ) || name.starts_with("VITEST_")
        || name.starts_with("__vitest_")
        || name.starts_with("__jest")
}

fn short(what: &str) -> String {
    what.chars().take(40).collect()
}

#[cfg(test)]
#[path = "flags_tests.rs"]
mod tests;
