//! A text as its members: their names, their extents and their contents.

use tree_sitter::Node;

use super::description::{Description, describe};
use super::language::{Language, children, is_comment};
use super::tokens::tokens;

/// The kind of member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Members that come before everything else: a package clause, an inner attribute, a directive.
    Front,
    /// A docstring.
    Docstring,
    /// An import.
    Import,
    /// A constant, variable, field or enum value.
    Value,
    /// A function or method.
    Callable,
    /// A class, interface, type, impl.
    Type,
    /// Any other statement.
    Statement,
    /// Members that stay at the end: `if __name__`, a module of tests.
    Last,
    /// `pass` or `...` in the place of members.
    Placeholder,
}

/// One member of a scope.
#[derive(Debug)]
pub(super) struct Member<'t> {
    /// Its attributes and decorators, then itself; several of a group.
    pub(super) nodes: Vec<Node<'t>>,
    pub(super) about: Description<'t>,
    /// Where its leading comments begin.
    pub(super) start: usize,
    /// Where it ends itself, without separator and trailing comment.
    pub(super) core_end: usize,
    /// Where it ends with both.
    pub(super) end: usize,
    /// The separator that follows it.
    pub(super) separator: Option<&'t str>,
    /// Its contents, if they can be extended.
    pub(super) scope: Option<Scope<'t>>,
}

impl Member<'_> {
    /// Its line, from 1.
    pub(super) fn line(&self) -> usize {
        self.nodes[0].start_position().row + 1
    }

    /// Its text, without its contents if these are compared separately.
    pub(super) fn tokens(&self, language: Language, source: &str, with_body: bool) -> String {
        let body: &[Node<'_>] = match &self.about.body {
            Some(body) if !with_body => std::slice::from_ref(body),
            _ => &[],
        };
        tokens(language, &self.nodes, body, source)
    }
}

/// A container of members: a file, a class, a list of fields.
#[derive(Debug)]
pub(super) struct Scope<'t> {
    pub(super) members: Vec<Member<'t>>,
    /// The first byte inside.
    pub(super) open: usize,
    /// The first byte after it.
    pub(super) close: usize,
    /// Whether it is the file itself.
    pub(super) is_file: bool,
    /// Where the member begins whose inside this is.
    pub(super) owner: usize,
}

/// Reads members of one text.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    pub(super) language: Language,
    pub(super) source: &'t str,
}

impl<'t> Reader<'t> {
    /// The whole file.
    pub(super) fn file(self, root: Node<'t>) -> Scope<'t> {
        Scope {
            members: self.members(root, children(root)),
            open: 0,
            close: self.source.len(),
            is_file: true,
            owner: 0,
        }
    }

    fn scope(self, body: Node<'t>, owner: usize) -> Scope<'t> {
        let mut inside = self.comments_above(body);
        let (mut open, mut close) = (body.start_byte(), body.end_byte());
        for child in children(body) {
            match child.kind() {
                "{" | "(" if child.start_byte() == body.start_byte() => open = child.end_byte(),
                "}" | ")" => close = child.start_byte(),
                // The part of a Java enum after its values.
                "enum_body_declarations" => {
                    inside.extend(children(child).into_iter().filter(|it| it.kind() != ";"));
                }
                _ => inside.push(child),
            }
        }
        Scope {
            members: self.members(body, inside),
            open,
            close,
            is_file: false,
            owner,
        }
    }

    /// Comments above the first statement of a block, which Python's grammar puts in front of it.
    fn comments_above(self, body: Node<'t>) -> Vec<Node<'t>> {
        if !self.language.is_indented() {
            return Vec::new();
        }
        let before = std::iter::successors(body.prev_sibling(), Node::prev_sibling);
        let mut comments: Vec<Node<'t>> = before.take_while(|it| is_comment(*it)).collect();
        comments.reverse();
        comments
    }

    fn members(self, parent: Node<'t>, nodes: Vec<Node<'t>>) -> Vec<Member<'t>> {
        let mut members: Vec<Member<'t>> = Vec::new();
        let mut comments: Vec<Node<'t>> = Vec::new();
        let mut attributes: Vec<Node<'t>> = Vec::new();
        for node in nodes {
            if is_comment(node) {
                self.comment(node, &mut members, &mut comments, &attributes);
            } else if matches!(node.kind(), "attribute_item" | "decorator") {
                attributes.push(node);
            } else if node.is_named() {
                let leading = std::mem::take(&mut comments);
                let mut own = std::mem::take(&mut attributes);
                own.push(node);
                let member = self.member(parent, own, &leading, members.is_empty());
                push_or_group(&mut members, member);
            } else if let (Some(last), "," | ";") = (members.last_mut(), node.kind()) {
                last.end = node.end_byte();
                last.separator = Some(node.kind());
            }
        }
        members
    }

    fn comment(
        self,
        node: Node<'t>,
        members: &mut [Member<'t>],
        comments: &mut Vec<Node<'t>>,
        attributes: &[Node<'t>],
    ) {
        // Between an attribute and its item: part of the member.
        if !attributes.is_empty() {
            return;
        }
        let row = node.start_position().row;
        if let Some(last) = members.last_mut() {
            let own_row = last.nodes.last().map_or(0, |it| last_row(*it));
            let own_column = last.nodes[0].start_position().column;
            let follows = comments.is_empty();
            // Behind the member, or still in its block although the grammar says otherwise.
            let deeper = self.language.is_indented()
                && node.start_position().column > own_column
                && last.about.kind != Kind::Placeholder;
            if follows && (row == own_row || deeper) {
                last.end = last.end.max(self.trimmed_end(node));
                return;
            }
        }
        if !self.begins_line(node) || is_inner_comment(node, self.source) {
            comments.clear();
            return;
        }
        if comments
            .last()
            .is_some_and(|before| last_row(*before) + 1 < row)
        {
            comments.clear();
        }
        comments.push(node);
    }

    fn member(
        self,
        parent: Node<'t>,
        nodes: Vec<Node<'t>>,
        comments: &[Node<'t>],
        is_first: bool,
    ) -> Member<'t> {
        let about = describe(self, parent, &nodes, is_first);
        let first = nodes[0].start_position().row;
        let attached = comments
            .last()
            .is_some_and(|last| last_row(*last) + 1 >= first);
        let start = match comments.first() {
            Some(comment) if attached => comment.start_byte(),
            _ => nodes[0].start_byte(),
        };
        let node = *nodes.last().expect("a member has a node");
        let end = self.trimmed_end(node);
        let scope = about
            .body
            .map(|body| self.scope(body, nodes[0].start_byte()));
        Member {
            nodes,
            about,
            start,
            core_end: end,
            end,
            separator: None,
            scope,
        }
    }

    /// Where a node ends, without a line end that the grammar counts in.
    fn trimmed_end(self, node: Node<'_>) -> usize {
        let text = &self.source[node.byte_range()];
        node.start_byte() + text.trim_end_matches(['\r', '\n']).len()
    }

    fn begins_line(self, node: Node<'_>) -> bool {
        let line = line_start(self.source, node.start_byte());
        self.source[line..node.start_byte()].trim().is_empty()
    }

    /// The node's text.
    pub(super) fn text(self, node: Node<'_>) -> &'t str {
        &self.source[node.byte_range()]
    }
}

/// Signatures of an overloaded function are one member with it.
fn push_or_group<'t>(members: &mut Vec<Member<'t>>, member: Member<'t>) {
    match members.last_mut() {
        Some(last) if last.about.is_signature && last.about.key == member.about.key => {
            last.nodes.extend(member.nodes);
            last.about.is_signature = member.about.is_signature;
            last.core_end = member.core_end;
            last.end = member.end;
            last.separator = member.separator;
        }
        _ => members.push(member),
    }
}

/// Comments about the whole file: they stay where they are.
fn is_inner_comment(node: Node<'_>, source: &str) -> bool {
    let text = &source[node.byte_range()];
    node.child_by_field_name("inner").is_some() || text.starts_with("#!")
}

/// The row that a node ends in, also if the grammar counts its line end in.
pub(super) fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    if end.column == 0 && node.end_byte() > node.start_byte() {
        end.row.saturating_sub(1)
    } else {
        end.row
    }
}

/// Where the line begins that a byte is in.
pub(super) fn line_start(source: &str, position: usize) -> usize {
    source[..position].rfind('\n').map_or(0, |at| at + 1)
}
