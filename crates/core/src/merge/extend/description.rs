//! A node as a member: one file per language below, one shape for all.

use tree_sitter::Node;

use super::imports::Imported;
use super::language::Language;
use super::outline::{Kind, Reader};
use super::tokens::tokens;
use super::{ecmascript, go, java, python, rust};

/// A member's description.
#[derive(Debug)]
pub(super) struct Description<'t> {
    /// Tells it from its siblings.
    pub(super) key: String,
    pub(super) kind: Kind,
    /// Its name in messages.
    pub(super) label: String,
    /// The names that nothing else in the scope may have.
    pub(super) defines: Vec<String>,
    /// Where its own members are.
    pub(super) body: Option<Node<'t>>,
    /// Whether another member with the same key belongs to it.
    pub(super) is_signature: bool,
    /// Whether its siblings are separated by commas.
    pub(super) comma: bool,
    /// The names it imports.
    pub(super) imported: Imported,
}

impl<'t> Description<'t> {
    /// A member that is known by a word and a name.
    pub(super) fn named(kind: Kind, word: &str, name: &str) -> Self {
        Self {
            key: format!("{word} {name}"),
            kind,
            label: if name.is_empty() {
                word.to_owned()
            } else {
                format!("{word} `{name}`")
            },
            defines: vec![name.to_owned()],
            body: None,
            is_signature: false,
            comma: false,
            imported: Imported::default(),
        }
    }

    /// The same, with members of its own.
    pub(super) fn with_body(mut self, body: Option<Node<'t>>) -> Self {
        self.body = body;
        self
    }

    /// A member that is identified by its text.
    pub(super) fn statement(reader: Reader<'t>, nodes: &[Node<'t>]) -> Self {
        let said = tokens(reader.language, nodes, &[], reader.source);
        let first = reader.text(nodes[0]).lines().next().unwrap_or_default();
        let short: String = first.trim().chars().take(60).collect();
        Self {
            label: format!("statement `{short}`"),
            defines: Vec::new(),
            key: format!("statement {said}"),
            ..Self::named(Kind::Statement, "statement", "")
        }
    }

    /// An import.
    pub(super) fn import(reader: Reader<'t>, nodes: &[Node<'t>], imported: Imported) -> Self {
        Self {
            kind: Kind::Import,
            imported,
            ..Self::statement(reader, nodes)
        }
    }

    /// Lets others have the same name.
    pub(super) fn without_claims(mut self) -> Self {
        self.defines.clear();
        self
    }
}

/// Describes the last of `nodes`; those before it are its attributes.
pub(super) fn describe<'t>(
    reader: Reader<'t>,
    parent: Node<'t>,
    nodes: &[Node<'t>],
    is_first: bool,
) -> Description<'t> {
    match reader.language {
        Language::Python => python::describe(reader, parent, nodes, is_first),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            ecmascript::describe(reader, parent, nodes)
        }
        Language::Rust => rust::describe(reader, parent, nodes),
        Language::Go => go::describe(reader, nodes),
        Language::Java => java::describe(reader, nodes),
    }
}
