//! Values that the source branches on and that the tests use: a sign of hard-coded answers.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::javascript::lines::{is_type_only, line_of};
use crate::javascript::names::{all, named, specifier_of, text_of};
use crate::javascript::spelling::known_text;

/// Numbers that occur in two files by chance.
const COMMON: [&str; 22] = [
    "16", "20", "24", "32", "50", "60", "64", "100", "128", "255", "256", "365", "400", "404",
    "500", "512", "1000", "1024", "2048", "4096", "3600", "86400",
];

/// A literal that hardly occurs in two files by chance.
fn telling(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "number" => {
            let written = text_of(node, text).replace('_', "");
            let value: f64 = written.trim_end_matches('n').parse().ok()?;
            (value > 12.0 && !COMMON.contains(&written.as_str())).then_some(written)
        }
        "string" | "template_string" => {
            let found = known_text(node, text)?;
            (found.chars().count() >= 4).then(|| format!("{found:?}"))
        }
        _ => None,
    }
}

/// The telling literals of a test file, without the names of modules and tests.
pub(super) fn literals(root: Node<'_>, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if is_type_only(node.kind()) {
            continue;
        }
        found.extend(telling(node, text));
        let is_title = node.kind() == "call_expression" && is_test_call(node, text);
        let skipped = if is_title || specifier_of(node, text).is_some() {
            let arguments = node.child_by_field_name("arguments");
            arguments.and_then(|arguments| named(arguments).first().copied())
        } else {
            None
        };
        let children = all_but(node, skipped);
        waiting.extend(children);
    }
    found
}

fn all_but<'t>(node: Node<'t>, skipped: Option<Node<'t>>) -> Vec<Node<'t>> {
    let mut children = named(node);
    if let Some(skipped) = skipped {
        let arguments = node.child_by_field_name("arguments");
        children.retain(|child| Some(*child) != arguments);
        let inner = arguments.map(named).unwrap_or_default();
        children.extend(inner.into_iter().filter(|child| *child != skipped));
    }
    children
}

fn is_test_call(call: Node<'_>, text: &str) -> bool {
    let function = call.child_by_field_name("function");
    let function = function.map_or("", |function| text_of(function, text));
    let root = function.split(['.', '(', '`']).next().unwrap_or_default();
    matches!(root, "test" | "it" | "describe" | "suite")
}

/// Literals of a source file that decide something: compared, cases of a switch, keys of a table.
pub(super) fn deciding(root: Node<'_>, text: &str) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for node in all(root) {
        for part in deciding_parts(node, text) {
            found.extend(telling(part, text).map(|literal| (line_of(part), literal)));
        }
    }
    found
}

fn deciding_parts<'t>(node: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "binary_expression" => {
            let sides: Vec<Node<'t>> = ["left", "right"].into_iter().filter_map(field).collect();
            let operator = field("operator").map_or("", |operator| text_of(operator, text));
            let is_typeof = |side: &Node<'_>| text_of(*side, text).starts_with("typeof ");
            let compares = matches!(
                operator,
                "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">="
            );
            if compares && !sides.iter().any(is_typeof) {
                sides
            } else {
                Vec::new()
            }
        }
        "switch_case" => field("value").into_iter().collect(),
        "pair" => field("key").into_iter().collect(),
        // `new Map([[key, value]])`
        "array" if node.parent().is_some_and(|parent| parent.kind() == "array") => {
            named(node).into_iter().take(1).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{deciding, literals};
    use crate::javascript::parsing::parse;

    #[test]
    fn values_of_tests_are_telling_ones() {
        let text = "import a from 'module'; test('a title', () => { expect(f('input', 7, 4711)).toBe('out') });";
        let tree = parse("a.test.ts", text).expect("a tree");
        let found = literals(tree.root_node(), text);
        assert!(found.iter().eq(["\"input\"", "4711"]), "{found:?}");
    }

    #[test]
    fn what_decides_is_compared_or_a_key() {
        let table: [(&str, &[&str]); 8] = [
            ("if (a === 'input') b()", &["\"input\""]),
            ("if (4711 < a) b()", &["4711"]),
            ("switch (a) { case 'input': }", &["\"input\""]),
            (
                "const t = { 'input': 'output', 4711: 1 }",
                &["\"input\"", "4711"],
            ),
            ("new Map([['input', 'output']])", &["\"input\""]),
            ("if (typeof a === 'string') b()", &[]),
            ("f('input'); const a = 'input' + 4711", &[]),
            ("if (a === 'in') b(100 === c)", &[]),
        ];
        for (text, expected) in table {
            let tree = parse("a.ts", text).expect("a tree");
            let found = deciding(tree.root_node(), text);
            let found: Vec<&str> = found.iter().map(|(_, literal)| literal.as_str()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
