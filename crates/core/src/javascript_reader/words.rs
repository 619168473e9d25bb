//! The meaning of a test file's names: which of them make tests, which assert.

use std::collections::HashMap;

use tree_sitter::Node;

use super::source::{Source, bare, children, is_function_value, literal_text};

/// Whose functions `assert` and its like are: they have other names for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    /// Node's own module.
    Node,
    /// The same, where values of different types are never equal.
    NodeStrict,
    /// chai, which vitest has built in.
    Chai,
}

impl Library {
    /// That of one of node's modules.
    fn of_node(module: &str) -> Self {
        if module.ends_with("/strict") {
            Self::NodeStrict
        } else {
            Self::Node
        }
    }
}

/// A name's purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// Makes a test; with the words that the name brings along, `skip` for instance.
    Test(Vec<String>),
    /// Makes a group of tests.
    Suite(Vec<String>),
    /// Runs beside tests.
    Hook,
    /// Begins an assertion.
    Expect,
    /// Asserts, alone and by its members.
    Assert(Library),
    /// One of these members.
    AssertMethod(String),
    /// Has all of these as members.
    Runner,
    /// Comes from that module.
    Imported(String),
}

/// The names of one file.
pub(super) struct Words {
    roles: HashMap<String, Role>,
    /// The specifier that members of `assert` were taken from.
    pub(super) assert_module: Option<String>,
    /// Whether the file is a module with static imports.
    pub(super) is_module: bool,
}

/// The meaning of a name that nothing in the file defines.
fn global(name: &str) -> Option<Role> {
    let words = |word: &str| vec![word.to_owned()];
    Some(match name {
        "test" | "it" | "specify" => Role::Test(Vec::new()),
        "fit" => Role::Test(words("only")),
        "xit" | "xtest" => Role::Test(words("skip")),
        "describe" | "suite" => Role::Suite(Vec::new()),
        "fdescribe" => Role::Suite(words("only")),
        "xdescribe" => Role::Suite(words("skip")),
        "beforeEach" | "afterEach" | "beforeAll" | "afterAll" | "before" | "after" => Role::Hook,
        "expect" => Role::Expect,
        "assert" => Role::Assert(Library::Chai),
        _ => return None,
    })
}

/// The meaning of a module's name; an empty one is the module as a whole, `default` its default.
fn exported(module: &str, name: &str) -> Role {
    let whole = name.is_empty() || name == "default";
    let known = match module {
        "node:test" | "test" if whole => Some(Role::Test(Vec::new())),
        "node:assert" | "node:assert/strict" | "assert" | "assert/strict" => Some(match name {
            "strict" => Role::Assert(Library::NodeStrict),
            _ if whole => Role::Assert(Library::of_node(module)),
            _ => Role::AssertMethod(name.to_owned()),
        }),
        "vitest" | "@jest/globals" | "bun:test" | "chai" | "mocha" if whole => Some(Role::Runner),
        "expect" if whole => Some(Role::Expect),
        _ => global(name),
    };
    known.unwrap_or_else(|| Role::Imported(module.to_owned()))
}

impl Words {
    /// Reads imports and aliases.
    pub(super) fn of(source: &Source<'_>) -> Self {
        let mut words = Self {
            roles: HashMap::new(),
            assert_module: None,
            is_module: false,
        };
        for node in source.within(source.root()) {
            match node.kind() {
                "import_statement" => words.import(source, *node),
                "variable_declarator" => words.declare(source, *node),
                "function_declaration" => words.shadow(source, *node),
                _ => {}
            }
        }
        words
    }

    /// The meaning of a name.
    pub(super) fn role(&self, name: &str) -> Option<Role> {
        self.roles.get(name).cloned().or_else(|| global(name))
    }

    /// Whose the members of `assert` are that were taken out of it.
    pub(super) fn assert_library(&self) -> Library {
        self.assert_module
            .as_deref()
            .map_or(Library::Node, Library::of_node)
    }

    /// The module that a name was imported from, if that is not part of a runner.
    pub(super) fn module_of(&self, name: &str) -> Option<&str> {
        match self.roles.get(name) {
            Some(Role::Imported(module)) => Some(module),
            _ => None,
        }
    }

    fn take(&mut self, local: &str, module: &str, name: &str) {
        let role = exported(module, name);
        if matches!(role, Role::AssertMethod(_)) {
            self.assert_module = Some(module.to_owned());
        }
        self.roles.insert(local.to_owned(), role);
    }

    fn import(&mut self, source: &Source<'_>, statement: Node<'_>) {
        self.is_module = true;
        let module = statement.child_by_field_name("source");
        let Some(module) = module.and_then(|module| literal_text(source, module)) else {
            return;
        };
        for clause in children(statement) {
            if clause.kind() != "import_clause" {
                continue;
            }
            for part in children(clause) {
                match part.kind() {
                    "identifier" => self.take(source.text(part), &module, "default"),
                    "namespace_import" => {
                        if let Some(name) = children(part).first() {
                            self.take(source.text(*name), &module, "");
                        }
                    }
                    _ => self.import_names(source, part, &module),
                }
            }
        }
    }

    fn import_names(&mut self, source: &Source<'_>, list: Node<'_>, module: &str) {
        for specifier in children(list) {
            let Some(name) = specifier.child_by_field_name("name") else {
                continue;
            };
            let local = specifier.child_by_field_name("alias").unwrap_or(name);
            self.take(source.text(local), module, source.text(name));
        }
    }

    /// A function defined in the file shadows the runner's of that name.
    fn shadow(&mut self, source: &Source<'_>, function: Node<'_>) {
        let name = function.child_by_field_name("name");
        if let Some(name) = name.map(|name| source.text(name))
            && global(name).is_some()
        {
            self.roles
                .insert(name.to_owned(), Role::Imported(String::new()));
        }
    }

    fn declare(&mut self, source: &Source<'_>, declarator: Node<'_>) {
        let (Some(name), Some(value)) = (
            declarator.child_by_field_name("name"),
            declarator.child_by_field_name("value"),
        ) else {
            return;
        };
        let value = bare(value);
        if let Some((module, member)) = required(source, value) {
            match name.kind() {
                "identifier" => self.take(source.text(name), &module, &member),
                "object_pattern" => {
                    for (from, local) in taken(source, name) {
                        self.take(&local, &module, &from);
                    }
                }
                _ => {}
            }
        } else if name.kind() == "identifier" {
            self.rename(source, source.text(name), value);
        } else if name.kind() == "object_pattern" && value.kind() == "identifier" {
            self.take_apart(source, name, source.text(value));
        }
    }

    /// `const { expect } = chai`
    fn take_apart(&mut self, source: &Source<'_>, pattern: Node<'_>, of: &str) {
        let role = self.roles.get(of).cloned();
        for (from, local) in taken(source, pattern) {
            let role = match role {
                Some(Role::Runner | Role::Test(_)) => global(&from),
                Some(Role::Assert(_)) => Some(Role::AssertMethod(from)),
                _ => None,
            };
            if let Some(role) = role {
                self.roles.insert(local, role);
            }
        }
    }

    /// `const spec = test.extend({…})`, `const maybe = quick ? test : test.skip`
    fn rename(&mut self, source: &Source<'_>, name: &str, value: Node<'_>) {
        let parts: Vec<Node<'_>> = match value.kind() {
            "ternary_expression" => ["consequence", "alternative"]
                .iter()
                .filter_map(|field| value.child_by_field_name(field))
                .collect(),
            "call_expression" => {
                let callee = value.child_by_field_name("function").map(bare);
                let member = callee.and_then(|callee| callee.child_by_field_name("property"));
                let extends = member.is_some_and(|member| source.text(member) == "extend");
                callee.filter(|_| extends).into_iter().collect()
            }
            _ => vec![value],
        };
        let mut found: Option<Role> = None;
        for part in parts {
            let Some((root, members)) = member_path(source, part) else {
                continue;
            };
            let role = self.role(&root);
            let mut members = members;
            members.retain(|member| member != "extend");
            found = match (role, found) {
                (Some(Role::Test(mut own)), None)
                | (Some(Role::Test(_)), Some(Role::Test(mut own))) => {
                    own.extend(members);
                    Some(Role::Test(own))
                }
                (Some(Role::Suite(mut own)), None)
                | (Some(Role::Suite(_)), Some(Role::Suite(mut own))) => {
                    own.extend(members);
                    Some(Role::Suite(own))
                }
                (Some(Role::Runner), None) => members.first().and_then(|member| global(member)),
                (Some(role @ (Role::Expect | Role::Assert(_))), None) if members.is_empty() => {
                    Some(role)
                }
                (_, found) => found,
            };
        }
        if let Some(role) = found {
            self.roles.insert(name.to_owned(), role);
        } else if global(name).is_some() && is_function_value(value) {
            self.roles
                .insert(name.to_owned(), Role::Imported(String::new()));
        }
    }
}

/// The module of `require('x')`, `await import('x')` or `require('x').member`, and the member.
pub(super) fn required(source: &Source<'_>, value: Node<'_>) -> Option<(String, String)> {
    match value.kind() {
        "member_expression" => {
            let object = bare(value.child_by_field_name("object")?);
            let (module, inner) = required(source, object)?;
            let member = source.text(value.child_by_field_name("property")?);
            inner.is_empty().then(|| (module, member.to_owned()))
        }
        "await_expression" => required(source, *children(value).first()?),
        "call_expression" => {
            let callee = value.child_by_field_name("function")?;
            let loads = callee.kind() == "import" || source.text(callee) == "require";
            let argument = *super::source::arguments(value).first()?;
            loads
                .then(|| literal_text(source, argument))
                .flatten()
                .map(|module| (module, String::new()))
        }
        _ => None,
    }
}

/// The names that an object pattern takes, and their aliases.
pub(super) fn taken(source: &Source<'_>, pattern: Node<'_>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for part in children(pattern) {
        let same = |node| {
            let name = source.text(node).to_owned();
            Some((name.clone(), name))
        };
        let found = match part.kind() {
            "shorthand_property_identifier_pattern" => same(part),
            "object_assignment_pattern" => part.child_by_field_name("left").and_then(same),
            "pair_pattern" => {
                let (key, value) = (
                    part.child_by_field_name("key"),
                    part.child_by_field_name("value"),
                );
                key.zip(value).map(|(key, value)| {
                    (source.text(key).to_owned(), source.text(value).to_owned())
                })
            }
            _ => None,
        };
        names.extend(found);
    }
    names
}

/// `a.b.c` as its first name and the others.
pub(super) fn member_path(source: &Source<'_>, node: Node<'_>) -> Option<(String, Vec<String>)> {
    let mut members = Vec::new();
    let mut node = bare(node);
    while node.kind() == "member_expression" {
        members.push(
            source
                .text(node.child_by_field_name("property")?)
                .to_owned(),
        );
        node = bare(node.child_by_field_name("object")?);
    }
    members.reverse();
    matches!(node.kind(), "identifier" | "this").then(|| (source.text(node).to_owned(), members))
}
