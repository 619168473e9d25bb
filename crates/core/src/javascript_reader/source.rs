//! A file as a tree whose nodes know their surroundings.

use std::collections::HashMap;

use tree_sitter::{Node, Tree};

/// A parsed file.
pub(super) struct Source<'t> {
    /// Relative to the tree.
    pub(super) path: &'t str,
    /// The file's text.
    pub(super) text: &'t str,
    /// Every node, each before its descendants.
    nodes: Vec<Node<'t>>,
    /// A node's index in that list.
    places: HashMap<usize, usize>,
    /// The index at which the descendants of the node end.
    ends: Vec<usize>,
    /// The index of its parent.
    parents: Vec<Option<usize>>,
}

impl<'t> Source<'t> {
    /// Walks the tree once; no stack grows with its depth.
    pub(super) fn new(path: &'t str, text: &'t str, tree: &'t Tree) -> Self {
        let count = tree.root_node().descendant_count();
        let mut source = Self {
            path,
            text,
            nodes: Vec::with_capacity(count),
            places: HashMap::with_capacity(count),
            ends: Vec::with_capacity(count),
            parents: Vec::with_capacity(count),
        };
        let mut cursor = tree.walk();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let place = source.nodes.len();
            source.nodes.push(cursor.node());
            source.places.insert(cursor.node().id(), place);
            source.ends.push(place + 1);
            source.parents.push(open.last().copied());
            if cursor.goto_first_child() {
                open.push(place);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(closed) = open.pop() else {
                    return source;
                };
                source.ends[closed] = source.nodes.len();
                cursor.goto_parent();
            }
        }
    }

    /// All of it.
    pub(super) fn root(&self) -> Node<'t> {
        self.nodes[0]
    }

    /// A node's text.
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Its parent.
    pub(super) fn parent(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.parent_of(node.id())
    }

    /// The same for a node of which only the number is known.
    pub(super) fn parent_of(&self, node: usize) -> Option<Node<'t>> {
        let place = *self.places.get(&node)?;
        self.parents[place].map(|parent| self.nodes[parent])
    }

    /// Its ancestors, the nearest first.
    pub(super) fn around(&self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// A node and everything inside it, in order.
    pub(super) fn within(&self, node: Node<'t>) -> &[Node<'t>] {
        match self.places.get(&node.id()) {
            Some(first) => &self.nodes[*first..self.ends[*first]],
            None => &[],
        }
    }

    /// Whether one node is inside another, or is it.
    pub(super) fn is_within(&self, inner: Node<'t>, outer: Node<'t>) -> bool {
        let place = |node: Node<'_>| self.places.get(&node.id()).copied();
        match (place(inner), place(outer)) {
            (Some(inner), Some(first)) => (first..self.ends[first]).contains(&inner),
            _ => false,
        }
    }

    /// The nearest function around a node.
    pub(super) fn function_around(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.around(node).find(|node| is_function(*node))
    }
}

/// The first line of a node, from 1.
pub(super) fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX)
}

/// Its last line.
pub(super) fn last_line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX)
}

/// The nodes directly inside one, without comments and punctuation.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|child| child.kind() != "comment").collect()
}

/// Whether a node is a function of any form.
pub(super) fn is_function(node: Node<'_>) -> bool {
    is_function_value(node)
        || matches!(
            node.kind(),
            "function_declaration" | "generator_function_declaration" | "method_definition"
        )
}

/// Whether it is one that is written as a value.
pub(super) fn is_function_value(node: Node<'_>) -> bool {
    // Without a field it is the keyword.
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

/// Whether a function is asynchronous.
pub(super) fn is_async(function: Node<'_>) -> bool {
    let mut cursor = function.walk();
    function
        .children(&mut cursor)
        .take_while(|child| child.kind() != "formal_parameters")
        .any(|child| child.kind() == "async")
}

/// Whether a function is a generator, whose body runs when other code iterates it.
pub(super) fn is_generator(function: Node<'_>) -> bool {
    let mut cursor = function.walk();
    function.kind().starts_with("generator")
        || function
            .children(&mut cursor)
            .take_while(|child| child.kind() != "formal_parameters")
            .any(|child| child.kind() == "*")
}

/// The parameters of a function.
pub(super) fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    if let Some(single) = function.child_by_field_name("parameter") {
        return vec![single];
    }
    let list = function.child_by_field_name("parameters");
    list.map(children).unwrap_or_default()
}

/// A node without parentheses and type assertions around it.
pub(super) fn bare(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while matches!(
        node.kind(),
        "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "instantiation_expression"
    ) {
        match children(node).first() {
            Some(inner) => node = *inner,
            None => break,
        }
    }
    node
}

/// The arguments of a call; none if it is a tagged template.
pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    match call.child_by_field_name("arguments") {
        Some(list) if list.kind() == "arguments" => children(list),
        _ => Vec::new(),
    }
}

/// The value of a text that is written down without anything computed in it.
pub(super) fn literal_text(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    if !matches!(node.kind(), "string" | "template_string") {
        return None;
    }
    let mut text = String::new();
    for part in children(node) {
        match part.kind() {
            "string_fragment" => text.push_str(source.text(part)),
            "escape_sequence" => text.push_str(&unescaped(source.text(part))?),
            _ => return None,
        }
    }
    Some(text)
}

/// The character that an escape sequence denotes.
fn unescaped(sequence: &str) -> Option<String> {
    let body = sequence.strip_prefix('\\')?;
    let code = |digits: &str| {
        let number = u32::from_str_radix(digits, 16).ok()?;
        char::from_u32(number).map(String::from)
    };
    let simple = match body {
        "n" => "\n",
        "r" => "\r",
        "t" => "\t",
        "b" => "\u{8}",
        "f" => "\u{c}",
        "v" => "\u{b}",
        "0" => "\0",
        "\n" | "\r\n" | "\r" => "",
        _ => {
            if let Some(digits) = body.strip_prefix("u{") {
                return code(digits.strip_suffix('}')?);
            }
            if let Some(digits) = body.strip_prefix('x').or_else(|| body.strip_prefix('u')) {
                return code(digits);
            }
            let mut letters = body.chars();
            let letter = letters.next()?;
            let plain = letters.next().is_none() && !letter.is_ascii_digit();
            return plain.then(|| letter.to_string());
        }
    };
    Some(simple.to_owned())
}
