//! Expected values in a table of cases.
//!
//! `test.each([[1, 2]])('…', (given, expected) => { expect(f(given)).toBe(expected) })`, the same with rows that are
//! objects, and loops over a table. Where only assertions use a row's name, its cells can be removed: a number in their
//! place says which one is asked for.

use std::collections::HashSet;

use tree_sitter::Node;

use super::expected::{evaluate, has_holes};
use super::file::File;
use super::source::{Source, arguments, bare, children, is_function, literal_text, parameters};
use super::tests::Owner;
use super::value::Value;

/// A value's place in a row.
enum Column<'t> {
    Index(usize),
    Key(&'t str),
}

/// How a pattern binds a name.
enum Bound<'t> {
    Whole,
    Part(Column<'t>),
}

/// The cells behind a name, if only these nodes use it, by their numbers.
pub(super) fn cells_of<'t>(
    file: &File<'t>,
    name: Node<'t>,
    asserting: &HashSet<usize>,
) -> Option<Vec<(Node<'t>, Value)>> {
    let source = &file.source;
    let text = source.text(name);
    let (scope, table, column) = source
        .around(name)
        .find_map(|scope| binding(file, scope, text).map(|found| (scope, found)))
        .and_then(|(scope, found)| found.map(|(table, column)| (scope, table, column)))?;
    let uses = occurrences(source, scope, text);
    let others = uses.iter().filter(|it| !asserting.contains(&it.id()));
    // The other one is where it is bound.
    if others.count() != 1 {
        return None;
    }
    let rows = children(written_down(source, table)?);
    let cells = rows.into_iter().map(|row| {
        let cell = cell(source, bare(row), &column)?;
        let commented = source
            .within(cell)
            .iter()
            .any(|node| node.kind() == "comment");
        let (value, named) = evaluate(source, cell)?;
        (!named && !commented).then_some((cell, value))
    });
    cells.collect()
}

/// The table and the column that a name comes from, if it is bound here; nothing inside if it comes from elsewhere.
#[expect(
    clippy::option_option,
    reason = "whether it is bound here, and whether that is from a table"
)]
fn binding<'t>(
    file: &File<'t>,
    scope: Node<'t>,
    name: &str,
) -> Option<Option<(Node<'t>, Column<'t>)>> {
    let source = &file.source;
    if scope.kind() == "for_in_statement" {
        let bound = bound(source, scope.child_by_field_name("left")?, name)?;
        let operator = scope.child_by_field_name("operator");
        let is_of = operator.is_some_and(|operator| source.text(operator) == "of");
        let table = scope.child_by_field_name("right").filter(|_| is_of);
        return Some(match (table, bound) {
            (Some(table), Bound::Part(column)) => Some((table, column)),
            _ => None,
        });
    }
    if !is_function(scope) {
        return None;
    }
    let mut given = parameters(scope).into_iter().enumerate();
    let (index, bound) = given.find_map(|(index, parameter)| {
        let pattern = parameter
            .child_by_field_name("pattern")
            .unwrap_or(parameter);
        Some((index, bound(source, pattern, name)?))
    })?;
    Some(table_of(file, scope, index, bound))
}

/// The source of a function's parameter: a table of tests, or a list whose elements it is called with.
fn table_of<'t>(
    file: &File<'t>,
    function: Node<'t>,
    index: usize,
    bound: Bound<'t>,
) -> Option<(Node<'t>, Column<'t>)> {
    let source = &file.source;
    if let Some(Owner::Test(test)) = file.tests.owner(function) {
        let call = &file.tests.all[test].call;
        let table = children(call.table?).first().copied()?;
        // The elements of a row are parameters of their own there.
        let spread = call.modifiers.iter().any(|it| it.word == "each");
        return match (bound, index) {
            (Bound::Whole, index) if spread => Some((table, Column::Index(index))),
            (Bound::Part(column @ Column::Key(_)), 0) => Some((table, column)),
            (Bound::Part(column), 0) if !spread => Some((table, column)),
            _ => None,
        };
    }
    let call = source.around(function).nth(1)?;
    let callee = call.child_by_field_name("function")?;
    let is_argument = arguments(call).first().map(Node::id) == Some(function.id());
    let property = callee.child_by_field_name("property")?;
    let each = is_argument && source.text(property) == "forEach";
    match bound {
        Bound::Part(column) if each && index == 0 => {
            Some((callee.child_by_field_name("object")?, column))
        }
        Bound::Part(_) | Bound::Whole => None,
    }
}

/// How a pattern binds a name, if it does.
fn bound<'t>(source: &Source<'t>, pattern: Node<'t>, name: &str) -> Option<Bound<'t>> {
    let is_it = |node: Node<'t>| source.text(node) == name;
    match pattern.kind() {
        "identifier" => is_it(pattern).then_some(Bound::Whole),
        "array_pattern" if !has_holes(pattern) => {
            let index = children(pattern).into_iter().position(is_it)?;
            Some(Bound::Part(Column::Index(index)))
        }
        "object_pattern" => children(pattern).into_iter().find_map(|part| {
            let (key, value) = match part.kind() {
                "shorthand_property_identifier_pattern" => (part, part),
                "pair_pattern" => (
                    part.child_by_field_name("key")?,
                    part.child_by_field_name("value")?,
                ),
                _ => return None,
            };
            is_it(value).then(|| Bound::Part(Column::Key(source.text(key))))
        }),
        _ => None,
    }
}

/// Where a name is used, or bound, within a node.
fn occurrences<'t>(source: &Source<'t>, scope: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let is_name = |node: &Node<'t>| {
        matches!(
            node.kind(),
            "identifier"
                | "shorthand_property_identifier"
                | "shorthand_property_identifier_pattern"
        ) && source.text(*node) == name
    };
    let nodes = source.within(scope).iter();
    nodes.filter(|node| is_name(node)).copied().collect()
}

/// The list of rows, written here or bound to a name that nothing else uses.
fn written_down<'t>(source: &Source<'t>, table: Node<'t>) -> Option<Node<'t>> {
    let table = bare(table);
    if table.kind() == "array" {
        return Some(table).filter(|table| !has_holes(*table));
    }
    let names = occurrences(source, source.root(), source.text(table));
    let [binding, _] = names.as_slice() else {
        return None;
    };
    let declarator = source.parent(*binding)?;
    let value = bare(declarator.child_by_field_name("value")?);
    let is_table = declarator.kind() == "variable_declarator" && value.kind() == "array";
    (is_table && !has_holes(value)).then_some(value)
}

/// The value in a column of a row.
fn cell<'t>(source: &Source<'t>, row: Node<'t>, column: &Column<'t>) -> Option<Node<'t>> {
    let parts = children(row);
    let spread = parts.iter().any(|part| part.kind() == "spread_element");
    match column {
        Column::Index(index) if row.kind() == "array" && !has_holes(row) && !spread => {
            parts.get(*index).copied()
        }
        Column::Key(name) if row.kind() == "object" && !spread => {
            let mut named = parts.into_iter().filter_map(|pair| {
                let key = pair.child_by_field_name("key")?;
                let said = literal_text(source, key);
                let said = said.unwrap_or_else(|| source.text(key).to_owned());
                (said == *name).then(|| pair.child_by_field_name("value"))?
            });
            let found = named.next();
            found.filter(|_| named.next().is_none())
        }
        Column::Index(_) | Column::Key(_) => None,
    }
}
