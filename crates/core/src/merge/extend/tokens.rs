//! A member's text, regardless of layout.

use tree_sitter::Node;

use super::super::text_form::plain;
use super::language::{Language, children, is_comment};

/// The tokens and the structure of some nodes: equal for two texts that differ in layout and comments only.
/// Nodes in `left_out` do not count.
pub(super) fn tokens(
    language: Language,
    nodes: &[Node<'_>],
    left_out: &[Node<'_>],
    source: &str,
) -> String {
    let mut written = String::new();
    for node in nodes {
        write(language, *node, left_out, source, &mut written);
    }
    written
}

fn write(
    language: Language,
    node: Node<'_>,
    left_out: &[Node<'_>],
    source: &str,
    written: &mut String,
) {
    if is_comment(node) || left_out.contains(&node) {
        return;
    }
    if node.child_count() == 0 {
        // Indentation in a string is content; around a line of code it is layout.
        let text = source[node.byte_range()].trim_end_matches(['\r', '\n']);
        // Which line ends a file has is layout too, also where a text goes over several lines.
        written.push_str(&plain(text));
        written.push('\u{1f}');
        return;
    }
    if node.is_named() {
        written.push('(');
        written.push_str(node.kind());
    }
    let all = children(node);
    let last = all.len() - 1;
    for (position, child) in all.iter().enumerate() {
        let closes = all
            .get(position + 1)
            .is_some_and(|next| matches!(next.kind(), ")" | "]" | "}" | ">"));
        let optional = match child.kind() {
            "," => closes,
            ";" => position == last && is_ecmascript(language),
            _ => false,
        };
        if !optional && !is_docstring(language, node, position, *child) {
            write(language, *child, left_out, source, written);
        }
    }
    if node.is_named() {
        written.push(')');
    }
}

fn is_ecmascript(language: Language) -> bool {
    matches!(
        language,
        Language::TypeScript | Language::Tsx | Language::JavaScript
    )
}

/// A function is the same with another docstring; the existing one is kept.
fn is_docstring(language: Language, parent: Node<'_>, position: usize, child: Node<'_>) -> bool {
    language == Language::Python
        && position == 0
        && parent.kind() == "block"
        && parent.child_count() > 1
        && is_string_statement(child)
        && parent
            .parent()
            .is_some_and(|it| it.kind() == "function_definition")
}

/// Whether a Python statement is nothing but a string.
pub(super) fn is_string_statement(node: Node<'_>) -> bool {
    node.kind() == "expression_statement"
        && node.child_count() == 1
        && node.child(0).is_some_and(|it| it.kind() == "string")
}

/// Names that a member needs when it is loaded: those outside function bodies.
pub(super) fn used_names<'s>(nodes: &[Node<'_>], source: &'s str) -> Vec<&'s str> {
    let mut names = Vec::new();
    let mut pending = nodes.to_vec();
    while let Some(node) = pending.pop() {
        if matches!(node.kind(), "identifier" | "type_identifier") {
            names.push(&source[node.byte_range()]);
        }
        let deferred = matches!(
            node.kind(),
            "function_definition"
                | "lambda"
                | "function_declaration"
                | "function_expression"
                | "arrow_function"
                | "method_definition"
        );
        let body = node.child_by_field_name("body");
        pending.extend(
            children(node)
                .into_iter()
                .filter(|child| !(deferred && Some(*child) == body)),
        );
    }
    names
}
