//! Which tests a file has.

use std::collections::HashMap;

use tree_sitter::Node;

use super::source::{
    Source, arguments, bare, children, is_function_value, line_of, literal_text, parameters,
};
use super::words::{Role, Words};

/// Words between the name that makes tests and its call.
const MODIFIERS: [&str; 18] = [
    "only",
    "skip",
    "todo",
    "fails",
    "failing",
    "concurrent",
    "sequential",
    "shuffle",
    "each",
    "for",
    "skipIf",
    "runIf",
    "test",
    "it",
    "describe",
    "suite",
    "strict",
    "expectFailure",
];
/// Words whose call returns a maker of tests.
const MAKERS: [&str; 4] = ["each", "for", "skipIf", "runIf"];

/// A word after the name that makes tests: `skip` in `test.skip`.
#[derive(Debug, Clone)]
pub(super) struct Modifier {
    pub(super) word: String,
    pub(super) line: u32,
}

/// A call that makes tests, or a group of them.
#[derive(Debug)]
pub(super) struct Call<'t> {
    /// All of it, tables included.
    pub(super) node: Node<'t>,
    /// Its title, as its source has it if it is computed.
    pub(super) title: String,
    /// Its further modifiers.
    pub(super) modifiers: Vec<Modifier>,
    /// The table of cases.
    pub(super) table: Option<Node<'t>>,
    /// Objects among the arguments.
    pub(super) options: Vec<Node<'t>>,
    /// The function, if it is written here.
    pub(super) function: Option<Node<'t>>,
    /// The code in its place otherwise.
    pub(super) code: Option<Node<'t>>,
    /// Groups around it, the outermost first; numbers of [`Tests::suites`].
    pub(super) suites: Vec<usize>,
    /// The test that it is a part of; a number of [`Tests::all`].
    pub(super) parent: Option<usize>,
}

/// One test: a call, and the name of the test.
#[derive(Debug)]
pub(super) struct Test<'t> {
    pub(super) call: Call<'t>,
    /// Titles joined, with a number if an earlier one has the same.
    pub(super) name: String,
    /// Whether others may run at the same time.
    pub(super) concurrent: bool,
}

/// Whose function something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Test(usize),
    Suite(usize),
    Hook,
}

/// All tests of a file.
#[derive(Debug, Default)]
pub(super) struct Tests<'t> {
    pub(super) all: Vec<Test<'t>>,
    pub(super) suites: Vec<Call<'t>>,
    /// Calls of hooks.
    pub(super) hooks: Vec<Node<'t>>,
    /// Functions of tests, groups and hooks, by node.
    owners: HashMap<usize, Owner>,
}

impl<'t> Tests<'t> {
    /// Finds the tests of a file.
    pub(super) fn of(source: &Source<'t>, words: &Words) -> Self {
        let mut tests = Self::default();
        let mut seen: HashMap<String, u32> = HashMap::new();
        for node in source.within(source.root()) {
            if node.kind() == "call_expression" {
                tests.look_at(source, words, *node, &mut seen);
            }
        }
        tests
    }

    /// Whose function a node is, if it is one of those.
    pub(super) fn owner(&self, function: Node<'_>) -> Option<Owner> {
        self.owners.get(&function.id()).copied()
    }

    /// The innermost test whose function contains a node.
    pub(super) fn around(&self, source: &Source<'t>, node: Node<'t>) -> Option<usize> {
        source
            .around(node)
            .find_map(|outer| match self.owner(outer) {
                Some(Owner::Test(test)) => Some(test),
                _ => None,
            })
    }

    fn look_at(
        &mut self,
        source: &Source<'t>,
        words: &Words,
        node: Node<'t>,
        seen: &mut HashMap<String, u32>,
    ) {
        let Some(callee) = callee(source, node) else {
            return;
        };
        let Some(meaning) = self.meaning(source, words, node, &callee) else {
            return;
        };
        match meaning {
            Meaning::Hook => {
                self.hooks.push(node);
                for argument in arguments(node) {
                    if is_function_value(argument) {
                        self.owners.insert(argument.id(), Owner::Hook);
                    }
                }
            }
            Meaning::Suite(modifiers) => {
                let Some(call) = self.call(source, node, &callee, modifiers) else {
                    return;
                };
                if let Some(function) = call.function {
                    let owner = Owner::Suite(self.suites.len());
                    self.owners.insert(function.id(), owner);
                }
                self.suites.push(call);
            }
            Meaning::Test(modifiers) => {
                let Some(call) = self.call(source, node, &callee, modifiers) else {
                    return;
                };
                if let Some(function) = call.function {
                    let owner = Owner::Test(self.all.len());
                    self.owners.insert(function.id(), owner);
                }
                let test = self.named(source, call, seen);
                self.all.push(test);
            }
        }
    }

    /// The group or test that a call makes, if any.
    fn meaning(
        &self,
        source: &Source<'t>,
        words: &Words,
        node: Node<'t>,
        callee: &Callee<'t>,
    ) -> Option<Meaning> {
        let known = callee
            .members
            .iter()
            .all(|member| MODIFIERS.contains(&source.text(*member)));
        let member = |index: usize| callee.members.get(index).map(|node| source.text(*node));
        let mut role = words.role(source.text(callee.root));
        if let Some(Role::Runner | Role::Test(_)) = role {
            // `test.describe` of node's own runner, `vitest.test`.
            role = match member(0) {
                Some("describe" | "suite") => Some(Role::Suite(Vec::new())),
                Some("test" | "it") => Some(Role::Test(Vec::new())),
                Some(
                    "beforeEach" | "afterEach" | "before" | "after" | "beforeAll" | "afterAll",
                ) => {
                    return Some(Meaning::Hook);
                }
                _ => role,
            };
        }
        match role {
            Some(Role::Hook) if callee.members.is_empty() => Some(Meaning::Hook),
            Some(Role::Test(own)) if known => Some(Meaning::Test(own)),
            Some(Role::Suite(own)) if known => Some(Meaning::Suite(own)),
            _ if self.is_context(source, node, source.text(callee.root)) => match member(0) {
                Some("test") if known => Some(Meaning::Test(Vec::new())),
                Some("beforeEach" | "afterEach" | "before" | "after") => Some(Meaning::Hook),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a name is a surrounding test's context.
    pub(super) fn is_context(&self, source: &Source<'t>, node: Node<'t>, name: &str) -> bool {
        source.around(node).any(|function| {
            matches!(self.owner(function), Some(Owner::Test(_) | Owner::Suite(_)))
                && context_name(source, function) == Some(name)
        })
    }

    fn call(
        &self,
        source: &Source<'t>,
        node: Node<'t>,
        callee: &Callee<'t>,
        own: Vec<String>,
    ) -> Option<Call<'t>> {
        let given = arguments(node);
        let function = given
            .iter()
            .copied()
            .find(|it| is_function_value(bare(*it)));
        let function = function.map(bare);
        let first = *given.first()?;
        let titled = !is_function_value(bare(first)) && first.kind() != "object";
        let title = if titled {
            title_of(source, first)
        } else {
            let name = function.and_then(|function| function.child_by_field_name("name"));
            name.map_or("<anonymous>", |name| source.text(name))
                .to_owned()
        };
        let rest = given.iter().skip(usize::from(titled));
        let options: Vec<Node<'t>> = rest
            .clone()
            .copied()
            .filter(|it| bare(*it).kind() == "object")
            .map(bare)
            .collect();
        let code = rest
            .copied()
            .find(|it| !matches!(bare(*it).kind(), "object" | "number" | "undefined" | "null"));
        let line = line_of(node);
        let modifiers: Vec<Modifier> = own
            .into_iter()
            .map(|word| Modifier { word, line })
            .chain(callee.members.iter().map(|member| Modifier {
                word: source.text(*member).to_owned(),
                line: line_of(*member),
            }))
            .collect();
        // A table alone, `test.each(table)`, makes nothing yet.
        if callee.pending {
            return None;
        }
        let is_todo = modifiers.iter().any(|modifier| modifier.word == "todo");
        if function.is_none() && code.is_none() && !is_todo && options.is_empty() && !titled {
            return None;
        }
        let (suites, parent) = self.place(source, node);
        Some(Call {
            node,
            title,
            modifiers,
            table: callee.table,
            options,
            function,
            code: code.filter(|_| function.is_none()),
            suites,
            parent,
        })
    }

    /// The groups around a call, and the test that it is a part of.
    fn place(&self, source: &Source<'t>, node: Node<'t>) -> (Vec<usize>, Option<usize>) {
        let mut suites = Vec::new();
        let mut parent = None;
        for outer in source.around(node) {
            match self.owner(outer) {
                Some(Owner::Suite(suite)) => suites.push(suite),
                Some(Owner::Test(test)) => {
                    parent = parent.or(Some(test));
                }
                Some(Owner::Hook) | None => {}
            }
        }
        suites.reverse();
        (suites, parent)
    }

    fn named(
        &self,
        source: &Source<'t>,
        call: Call<'t>,
        seen: &mut HashMap<String, u32>,
    ) -> Test<'t> {
        let mut titles: Vec<&str> = Vec::new();
        for suite in &call.suites {
            titles.push(&self.suites[*suite].title);
        }
        let mut outer = call.parent;
        let mut tests = Vec::new();
        while let Some(test) = outer {
            tests.push(self.all[test].call.title.as_str());
            outer = self.all[test].call.parent;
        }
        titles.extend(tests.into_iter().rev());
        titles.push(&call.title);
        let mut name = titles.join(" > ");
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            name = format!("{name} #{count}");
        }
        let concurrent = std::iter::once(&call)
            .chain(call.suites.iter().map(|suite| &self.suites[*suite]))
            .any(|call| call.is_concurrent(source));
        let parent = call.parent.is_some_and(|test| self.all[test].concurrent);
        Test {
            call,
            name,
            concurrent: concurrent || parent,
        }
    }

    /// The calls that make a test and the groups and tests around it.
    pub(super) fn calls_of(&self, test: usize) -> Vec<&Call<'t>> {
        let call = &self.all[test].call;
        let mut calls: Vec<&Call<'t>> = vec![call];
        calls.extend(call.suites.iter().map(|suite| &self.suites[*suite]));
        if let Some(parent) = call.parent {
            calls.extend(self.calls_of(parent));
        }
        calls
    }

    /// Whether a test is skipped, expected to fail, or the like: it says nothing by failing.
    pub(super) fn is_plain(&self, source: &Source<'t>, test: usize) -> bool {
        let without = ["skip", "todo", "fails", "failing", "expectFailure"];
        self.calls_of(test).iter().all(|call| {
            let words = call
                .modifiers
                .iter()
                .any(|it| without.contains(&it.word.as_str()));
            let options = without
                .iter()
                .any(|word| call.option(source, word).is_some());
            !words && !options
        })
    }
}

enum Meaning {
    Test(Vec<String>),
    Suite(Vec<String>),
    Hook,
}

impl<'t> Call<'t> {
    /// The value of an option that is not switched off, and its line.
    pub(super) fn option(&self, source: &Source<'t>, name: &str) -> Option<Node<'t>> {
        let pairs = self.options.iter().flat_map(|options| children(*options));
        pairs
            .filter(|pair| pair.kind() == "pair")
            .filter_map(|pair| {
                let key = pair.child_by_field_name("key")?;
                let value = pair.child_by_field_name("value")?;
                (source.text(key).trim_matches(['"', '\'']) == name).then_some(value)
            })
            .find(|value| !matches!(source.text(*value), "false" | "0" | "undefined"))
    }

    fn is_concurrent(&self, source: &Source<'t>) -> bool {
        let word = self.modifiers.iter().any(|it| it.word == "concurrent");
        word || ["concurrent", "concurrency"].iter().any(|name| {
            self.option(source, name)
                .is_some_and(|value| source.text(value) != "1")
        })
    }
}

/// The called expression: `test.skip.each(table)`.
struct Callee<'t> {
    root: Node<'t>,
    members: Vec<Node<'t>>,
    table: Option<Node<'t>>,
    /// Whether it still has to be called before it makes anything.
    pending: bool,
}

fn callee<'t>(source: &Source<'t>, call: Node<'t>) -> Option<Callee<'t>> {
    let mut node = bare(call.child_by_field_name("function")?);
    let mut members = Vec::new();
    let mut table = None;
    let mut direct = true;
    let mut pending = false;
    loop {
        match node.kind() {
            "member_expression" => {
                let member = node.child_by_field_name("property")?;
                if direct {
                    pending = MAKERS.contains(&source.text(member));
                }
                members.push(member);
                node = bare(node.child_by_field_name("object")?);
            }
            "call_expression" => {
                let inner = bare(node.child_by_field_name("function")?);
                let maker = inner.child_by_field_name("property")?;
                if !MAKERS.contains(&source.text(maker)) {
                    return None;
                }
                if matches!(source.text(maker), "each" | "for") {
                    table = node.child_by_field_name("arguments");
                }
                node = inner;
                direct = false;
                continue;
            }
            "identifier" => break,
            _ => return None,
        }
        direct = false;
    }
    members.reverse();
    Some(Callee {
        root: node,
        members,
        table,
        pending,
    })
}

/// The name of a test's first parameter.
pub(super) fn context_name<'t>(source: &Source<'t>, function: Node<'t>) -> Option<&'t str> {
    let first = *parameters(function).first()?;
    let name = match first.kind() {
        "identifier" => first,
        "required_parameter" | "optional_parameter" => first.child_by_field_name("pattern")?,
        _ => return None,
    };
    (name.kind() == "identifier").then(|| source.text(name))
}

fn title_of(source: &Source<'_>, node: Node<'_>) -> String {
    let node = bare(node);
    literal_text(source, node).unwrap_or_else(|| {
        let text = source.text(node);
        let inner = text
            .strip_prefix('`')
            .and_then(|text| text.strip_suffix('`'));
        let words: Vec<&str> = inner.unwrap_or(text).split_whitespace().collect();
        words.join(" ")
    })
}
