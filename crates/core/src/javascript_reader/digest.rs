//! A test's code together with the code it uses from the test files: whether it changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tree_sitter::Node;

use super::file::File;
use super::helpers::is_binding;
use super::source::{arguments, children, is_function_value, literal_text};
use super::tests::Owner;
use super::words::required;

/// The endings that complete a path to a file name.
const ENDINGS: [&str; 10] = [
    "",
    ".js",
    ".ts",
    ".mjs",
    ".cjs",
    ".jsx",
    ".tsx",
    ".mts",
    "/index.js",
    "/index.ts",
];

/// Files that are read together: imports between them are followed.
pub(super) struct Project<'f, 't> {
    files: Vec<(&'f File<'t>, Definitions<'t>)>,
}

/// The definitions of a file outside its tests.
struct Definitions<'t> {
    /// The statement and the block it is visible in.
    by_name: HashMap<&'t str, Vec<(Node<'t>, Node<'t>)>>,
    /// Names that come from other files: the specifier, and the name there.
    imported: HashMap<&'t str, (String, String)>,
    /// Statements that run along with every test of their block.
    beside: Vec<(Node<'t>, Node<'t>)>,
}

impl<'f, 't> Project<'f, 't> {
    /// Reads the files' definitions.
    pub(super) fn new(files: impl Iterator<Item = &'f File<'t>>) -> Self {
        Self {
            files: files.map(|file| (file, Definitions::of(file))).collect(),
        }
    }

    /// The code of a test and of everything it uses, without comments and space, in one text.
    pub(super) fn digest(&self, path: &str, test: usize) -> Option<String> {
        let number = self.number(path)?;
        let (file, definitions) = &self.files[number];
        let node = file.tests.all[test].call.node;
        let mut parts: BTreeSet<String> = BTreeSet::new();
        let mut waiting: Vec<(usize, Node<'t>)> = vec![(number, node)];
        waiting.extend(around(file, test).into_iter().map(|node| (number, node)));
        let beside = definitions.beside.iter();
        let beside = beside.filter(|(_, block)| file.source.is_within(node, *block));
        waiting.extend(beside.map(|(statement, _)| (number, *statement)));
        let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
        while let Some((number, part)) = waiting.pop() {
            if !seen.insert((number, part.id())) {
                continue;
            }
            let (file, definitions) = &self.files[number];
            parts.insert(tokens(file, part));
            for name in names(file, part) {
                for (statement, block) in definitions.by_name.get(name).into_iter().flatten() {
                    let visible =
                        file.source.is_within(part, *block) || file.source.is_within(node, *block);
                    if visible && !file.source.is_within(part, *statement) {
                        waiting.push((number, *statement));
                    }
                }
                if let Some((module, original)) = definitions.imported.get(name) {
                    parts.insert(format!("{name} {original} {module}"));
                    waiting.extend(self.exported(file.source.path, module, original));
                }
            }
        }
        Some(parts.into_iter().collect::<Vec<_>>().join("\n"))
    }

    fn number(&self, path: &str) -> Option<usize> {
        let mut files = self.files.iter();
        files.position(|(file, _)| file.source.path == path)
    }

    /// The statements of another of these files that define a name.
    fn exported(&self, importer: &str, module: &str, name: &str) -> Vec<(usize, Node<'t>)> {
        let Some(path) = resolved(importer, module) else {
            return Vec::new();
        };
        let stem = path.strip_suffix(".js").unwrap_or(&path);
        let number = ENDINGS.iter().find_map(|ending| {
            self.number(&format!("{path}{ending}"))
                .or_else(|| self.number(&format!("{stem}{ending}")))
        });
        let Some(number) = number else {
            return Vec::new();
        };
        let (file, definitions) = &self.files[number];
        if name.is_empty() || name == "default" {
            // Everything in it may be used.
            return children(file.source.root())
                .into_iter()
                .map(|statement| (number, statement))
                .collect();
        }
        let found = definitions.by_name.get(name).into_iter().flatten();
        found.map(|(statement, _)| (number, *statement)).collect()
    }
}

/// A relative specifier as a path in the tree.
fn resolved(importer: &str, module: &str) -> Option<String> {
    if !module.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

impl<'t> Definitions<'t> {
    fn of(file: &File<'t>) -> Self {
        let mut found = Self {
            by_name: HashMap::new(),
            imported: HashMap::new(),
            beside: Vec::new(),
        };
        let source = &file.source;
        let making: BTreeSet<usize> = making_tests(file);
        for node in source.within(source.root()) {
            match node.kind() {
                "import_statement" => found.import(file, *node),
                "variable_declarator" => found.require(file, *node),
                _ => {}
            }
            if let Some(block) = block_of(file, *node) {
                if node.kind() == "expression_statement" && !making.contains(&node.id()) {
                    found.beside.push((*node, block));
                }
                continue;
            }
            let names = is_binding(source, *node) || node.kind() == "type_identifier";
            if !names || file.tests.around(source, *node).is_some() {
                continue;
            }
            let statement = std::iter::once(*node)
                .chain(source.around(*node))
                .find_map(|outer| Some((outer, block_of(file, outer)?)));
            if let Some((statement, block)) = statement
                && statement.kind() != "import_statement"
                && !making.contains(&statement.id())
            {
                let all = found.by_name.entry(source.text(*node)).or_default();
                all.push((statement, block));
            }
        }
        found
    }

    fn import(&mut self, file: &File<'t>, statement: Node<'t>) {
        let source = &file.source;
        let module = statement.child_by_field_name("source");
        let Some(module) = module.and_then(|module| literal_text(source, module)) else {
            return;
        };
        for node in source.within(statement) {
            match node.kind() {
                "import_specifier" => {
                    let Some(name) = node.child_by_field_name("name") else {
                        continue;
                    };
                    let local = node.child_by_field_name("alias").unwrap_or(name);
                    let original = source.text(name).to_owned();
                    self.imported
                        .insert(source.text(local), (module.clone(), original));
                }
                "identifier" => {
                    let parent = source.parent(*node).map_or("", |parent| parent.kind());
                    let original = match parent {
                        "import_clause" => "default",
                        "namespace_import" => "",
                        _ => continue,
                    };
                    let from = (module.clone(), original.to_owned());
                    self.imported.insert(source.text(*node), from);
                }
                _ => {}
            }
        }
    }

    /// A file that is required, also where only a part of it is taken.
    fn require(&mut self, file: &File<'t>, declarator: Node<'t>) {
        let source = &file.source;
        let value = declarator.child_by_field_name("value");
        let Some((module, member)) = value.and_then(|value| required(source, value)) else {
            return;
        };
        let Some(pattern) = declarator.child_by_field_name("name") else {
            return;
        };
        for node in source.within(pattern) {
            let original = match node.kind() {
                "shorthand_property_identifier_pattern" => source.text(*node).to_owned(),
                "identifier" => member.clone(),
                _ => continue,
            };
            self.imported
                .insert(source.text(*node), (module.clone(), original));
        }
    }
}

/// The block that a statement is visible in, if it is directly in the file or in a group of tests.
fn block_of<'t>(file: &File<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let parent = file.source.parent(node)?;
    match parent.kind() {
        "program" => Some(parent),
        "statement_block" => {
            let function = file.source.parent(parent)?;
            matches!(file.tests.owner(function), Some(Owner::Suite(_))).then_some(parent)
        }
        _ => None,
    }
}

/// Statements with tests in them: each test looks at its own part.
fn making_tests(file: &File<'_>) -> BTreeSet<usize> {
    let calls = file.tests.suites.iter().map(|suite| suite.node);
    let calls = calls.chain(file.tests.all.iter().map(|test| test.call.node));
    calls
        .flat_map(|call| file.source.around(call).map(|outer| outer.id()))
        .collect()
}

/// The code around a test that decides how it is run: groups, loops, and calls of the function that makes it.
fn around<'t>(file: &File<'t>, test: usize) -> Vec<Node<'t>> {
    let source = &file.source;
    let mut parts = Vec::new();
    let mut inner = file.tests.all[test].call.node;
    for outer in source.around(inner) {
        if let Some(helper) = file.helpers.number(outer) {
            let calls = file.helpers.all[helper].uses.iter();
            parts.extend(calls.filter_map(|(_, call)| *call));
        }
        match outer.kind() {
            "call_expression" => {
                parts.extend(outer.child_by_field_name("function"));
                let given = arguments(outer).into_iter();
                parts.extend(given.filter(|it| !is_function_value(*it)));
            }
            "for_statement" | "for_in_statement" | "while_statement" | "if_statement" => {
                let others = children(outer).into_iter();
                parts.extend(others.filter(|part| {
                    part.id() != inner.id()
                        && !matches!(part.kind(), "statement_block" | "else_clause")
                }));
            }
            _ => {}
        }
        inner = outer;
    }
    parts
}

/// A piece of code without comments and space.
fn tokens(file: &File<'_>, node: Node<'_>) -> String {
    let mut text = String::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        if matches!(node.kind(), "comment" | ";") {
            continue;
        }
        if node.child_count() == 0 || matches!(node.kind(), "string" | "template_string" | "regex")
        {
            text.push_str(file.source.text(node));
            text.push(' ');
            continue;
        }
        let mut cursor = node.walk();
        let inner: Vec<Node<'_>> = node.children(&mut cursor).collect();
        waiting.extend(inner.into_iter().rev());
    }
    text
}

/// The names that it uses, each once.
fn names<'t>(file: &File<'t>, node: Node<'t>) -> BTreeSet<&'t str> {
    let nodes = file.source.within(node).iter();
    nodes
        .filter(|node| {
            matches!(
                node.kind(),
                "identifier" | "shorthand_property_identifier" | "type_identifier"
            )
        })
        .map(|node| file.source.text(*node))
        .collect()
}

/// The lines of a test, without the space around them.
pub(super) fn lines<'t>(file: &File<'t>, number: usize) -> Vec<&'t str> {
    let code = file.source.text(file.tests.all[number].call.node);
    let lines = code.lines().map(str::trim);
    let lines = lines.map(|line| {
        line.char_indices()
            .nth(120)
            .map_or(line, |(end, _)| &line[..end])
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// The numbers of the tests of a file, by name.
pub(super) fn by_name<'f>(file: &'f File<'_>) -> BTreeMap<&'f str, usize> {
    let tests = file.tests.all.iter().enumerate();
    tests
        .map(|(number, test)| (test.name.as_str(), number))
        .collect()
}
