//! Which lines of a file something executes, and the file with every such line told of.
//!
//! A *unit* is the smallest thing whose execution is recorded: a statement, the body of an arrow function that is an
//! expression, the value of a class's field. Its number is the line that it begins at. A unit in a function, on the
//! line of another unit around that function, has the negative number: reaching the definition does not execute it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tree_sitter::Node;

use super::names::{all, named};
use super::parsing::parse;
use crate::mutants::NeededLine;

/// How a unit can be instrumented where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among others: a call goes before it.
    Listed,
    /// Alone where only one statement is allowed: it gets a block.
    Lone,
    /// An expression: a call goes before it, in parentheses.
    Expression,
}

#[derive(Debug)]
struct Unit {
    start: usize,
    end: usize,
    line: u32,
    number: i64,
    depth: usize,
    place: Place,
}

/// The units of a file, by the node that they are.
#[derive(Default)]
struct Units(BTreeMap<usize, Unit>);

/// The line of a node, from 1.
pub(crate) fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).map_or(u32::MAX, |row| row.saturating_add(1))
}

/// Syntax without meaning at run time.
pub(crate) fn is_type_only(kind: &str) -> bool {
    matches!(
        kind,
        "comment"
            | "import_statement"
            | "import_alias"
            | "interface_declaration"
            | "type_alias_declaration"
            | "ambient_declaration"
            | "function_signature"
            | "method_signature"
            | "abstract_method_signature"
            | "type_annotation"
            | "type_arguments"
            | "type_parameters"
            | "type_predicate_annotation"
            | "asserts_annotation"
            | "implements_clause"
            | "export_clause"
    )
}

/// Whether a file cannot be read as a program. Errors inside types alone do not matter: the grammar does not know all
/// of them.
pub(crate) fn is_broken(root: Node<'_>) -> bool {
    let around = |node: Node<'_>| {
        let mut above = node.parent();
        while let Some(parent) = above {
            if is_type_only(parent.kind()) {
                return true;
            }
            above = parent.parent();
        }
        false
    };
    root.has_error()
        && all(root).any(|node| (node.is_error() || node.is_missing()) && !around(node))
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration"
            | "function_expression"
            | "generator_function"
            | "generator_function_declaration"
            | "arrow_function"
            | "method_definition"
    )
}

/// Whether a statement is a text alone at the beginning of a file or function, which tells the engine something.
pub(crate) fn is_directive(node: Node<'_>) -> bool {
    let text = named(node)
        .first()
        .is_some_and(|inner| inner.kind() == "string");
    let mut before = node.prev_named_sibling();
    while let Some(other) = before {
        let is_text = named(other)
            .first()
            .is_some_and(|inner| inner.kind() == "string");
        let passes = matches!(other.kind(), "comment" | "hash_bang_line")
            || (other.kind() == "expression_statement" && is_text);
        if !passes {
            return false;
        }
        before = other.prev_named_sibling();
    }
    node.kind() == "expression_statement" && text
}

/// Whether a node is a statement that executes in place.
fn is_executed(node: Node<'_>) -> bool {
    match node.kind() {
        "expression_statement" => !is_directive(node),
        "lexical_declaration"
        | "variable_declaration"
        | "return_statement"
        | "if_statement"
        | "for_statement"
        | "for_in_statement"
        | "while_statement"
        | "do_statement"
        | "switch_statement"
        | "try_statement"
        | "throw_statement"
        | "break_statement"
        | "continue_statement"
        | "labeled_statement"
        | "with_statement"
        | "class_declaration"
        | "abstract_class_declaration"
        | "enum_declaration"
        | "debugger_statement" => true,
        "export_statement" => {
            let inner = node.child_by_field_name("declaration");
            let value = node.child_by_field_name("value");
            let by_value = value.is_some_and(|value| !is_function(value.kind()));
            by_value || inner.is_some_and(is_executed)
        }
        _ => false,
    }
}

/// A statement's position in the code around it; none where nothing can be inserted before it.
fn place_of(node: Node<'_>) -> Option<Place> {
    let parent = node.parent()?;
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "program" | "statement_block" | "switch_default" => Some(Place::Listed),
        "switch_case" => (!is("value")).then_some(Place::Listed),
        "if_statement" => is("consequence").then_some(Place::Lone),
        "else_clause" => Some(Place::Lone),
        "for_statement" | "for_in_statement" | "while_statement" | "do_statement"
        | "with_statement" => is("body").then_some(Place::Lone),
        _ => None,
    }
}

/// The expression in a node that executes apart from the code around it.
fn inner_expression(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "arrow_function" => {
            let body = node.child_by_field_name("body")?;
            (body.kind() != "statement_block").then_some(body)
        }
        // One that is a function takes its name from the field.
        "field_definition" | "public_field_definition" => {
            let value = node.child_by_field_name("value")?;
            (!is_function(value.kind()) && value.kind() != "class").then_some(value)
        }
        _ => None,
    }
}

impl Units {
    fn of(root: Node<'_>) -> Self {
        let mut units = Self::default();
        units.add(root, 0);
        units
    }

    fn add(&mut self, root: Node<'_>, depth: usize) {
        let mut waiting = vec![(root, depth)];
        while let Some((node, depth)) = waiting.pop() {
            if is_type_only(node.kind()) {
                continue;
            }
            if let Some(place) = place_of(node).filter(|_| is_executed(node)) {
                self.insert(node, depth, place);
            }
            if let Some(inner) = inner_expression(node) {
                self.insert(inner, depth + 1, Place::Expression);
            }
            waiting.extend(
                named(node)
                    .into_iter()
                    .rev()
                    .map(|child| (child, depth + 1)),
            );
        }
    }

    fn insert(&mut self, node: Node<'_>, depth: usize, place: Place) {
        let line = line_of(node);
        let mut crossed = place == Place::Expression;
        let mut hidden = false;
        let mut above = node.parent();
        while let Some(parent) = above {
            let around = self.0.get(&parent.id());
            hidden |= crossed && around.is_some_and(|unit| unit.line == line);
            crossed |= is_function(parent.kind());
            above = parent.parent();
        }
        let number = if hidden {
            -i64::from(line)
        } else {
            i64::from(line)
        };
        let unit = Unit {
            start: node.start_byte(),
            end: node.end_byte(),
            line,
            number,
            depth,
            place,
        };
        self.0.insert(node.id(), unit);
    }

    /// The unit that a piece is executed with.
    fn owner(&self, leaf: Node<'_>) -> Option<&Unit> {
        let mut node = leaf;
        loop {
            if let Some(unit) = self.0.get(&node.id()) {
                return Some(unit);
            }
            if is_type_only(node.kind()) {
                return None;
            }
            let parent = node.parent()?;
            let body = parent.child_by_field_name("body");
            if is_function(parent.kind()) && body == Some(node) {
                return None;
            }
            node = parent;
        }
    }
}

/// Those of the given lines that something executes, and by which unit that is seen.
pub(crate) fn needed_lines(root: Node<'_>, wanted: &BTreeSet<u32>) -> Vec<NeededLine> {
    let units = Units::of(root);
    let mut found: BTreeMap<u32, BTreeSet<i64>> = BTreeMap::new();
    for unit in units.0.values().filter(|unit| wanted.contains(&unit.line)) {
        found.entry(unit.line).or_default().insert(unit.number);
    }
    let mut others: BTreeMap<u32, i64> = BTreeMap::new();
    for leaf in all(root).filter(|node| node.child_count() == 0 && says_something(*node)) {
        let first = line_of(leaf);
        let last = u32::try_from(leaf.end_position().row).map_or(first, |row| row + 1);
        for line in (first..=last).filter(|line| !found.contains_key(line)) {
            if wanted.contains(&line)
                && let Some(unit) = units.owner(leaf)
            {
                others.entry(line).or_insert(unit.number);
            }
        }
    }
    for (line, number) in others {
        found.entry(line).or_default().insert(number);
    }
    let each = found.into_iter().flat_map(|(line, numbers)| {
        // The inside of a function on one line is asked for beside the line itself.
        numbers.into_iter().rev().map(move |number| NeededLine {
            line,
            seen_at: vec![number],
        })
    });
    each.collect()
}

/// Whether a piece of the text is more than a closing bracket or separator.
fn says_something(node: Node<'_>) -> bool {
    let is_word = node.kind().chars().any(char::is_alphanumeric);
    is_word
        && !matches!(
            node.kind(),
            "else" | "comment" | "hash_bang_line" | "finally" | "do"
        )
}

/// The file with a call at each unit that tells of it once: `path`, a tab and the unit's number, appended to the file at
/// `log`. Lines keep their numbers. None if the file cannot be read.
pub fn watched(path: &str, text: &str, log: &str) -> Option<String> {
    let tree = parse(path, text)?;
    let root = tree.root_node();
    if is_broken(root) {
        return None;
    }
    let units = Units::of(root);
    let mut pieces: Vec<(usize, bool, usize, String)> = Vec::new();
    for unit in units.0.values() {
        let Unit {
            start,
            end,
            number,
            depth,
            ..
        } = *unit;
        let (open, close) = match unit.place {
            Place::Listed => (format!("__proctor_line({number});"), ""),
            Place::Lone => (format!("{{__proctor_line({number});"), "}"),
            Place::Expression => (format!("(__proctor_line({number}),"), ")"),
        };
        pieces.push((start, true, depth, open));
        if !close.is_empty() {
            // Inner pieces end first.
            pieces.push((end, false, usize::MAX - depth, close.to_owned()));
        }
    }
    pieces.push((first_place(root), true, 0, teller(path, log)));
    pieces.sort();
    let mut found = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for (at, _, _, piece) in pieces {
        found.push_str(text.get(from..at)?);
        found.push_str(&piece);
        from = at;
    }
    found.push_str(text.get(from..)?);
    Some(found)
}

/// The first place for code: after directives for the engine or a tool.
fn first_place(root: Node<'_>) -> usize {
    let mut parts = named(root).into_iter();
    let first = parts
        .find(|part| !matches!(part.kind(), "comment" | "hash_bang_line") && !is_directive(*part));
    first.map_or_else(|| root.end_byte(), |part| part.start_byte())
}

/// The function that records a line. It holds on to the real file system even if a test replaces it, and never fails.
fn teller(path: &str, log: &str) -> String {
    let (number, any) = match path.rsplit('.').next() {
        Some("ts" | "mts" | "cts" | "tsx") => (": number", ": any"),
        _ => ("", ""),
    };
    let mut told = String::new();
    let _ = write!(
        told,
        "function __proctor_line(n{number}){{try{{const o{any}=__proctor_line,s{any}=o.seen||(o.seen=new Set());\
         if(s.has(n))return;s.add(n);const p{any}=globalThis,f{any}=o.fs||(o.fs=p.process.getBuiltinModule(\"node:fs\"));\
         f.appendFileSync({log:?},{path:?}+\"\\t\"+n+\"\\n\")}}catch(e){{}}}}"
    );
    told
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
