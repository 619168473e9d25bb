//! The languages that can be extended, and reading a text in one.

use tree_sitter::{Node, Parser, Tree};

use crate::merge::{MergeError, Side};

/// A language by its rules; dialects differ only in the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Rust,
    Go,
    Java,
}

impl Language {
    /// By the file's name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension {
            "py" | "pyi" => Self::Python,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            "rs" => Self::Rust,
            "go" => Self::Go,
            "java" => Self::Java,
            _ => return None,
        })
    }

    fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
        }
    }

    /// Whether blocks are made by indentation.
    pub(super) fn is_indented(self) -> bool {
        self == Self::Python
    }

    /// Whether the order of a file's members matters when it is loaded.
    pub(super) fn runs_in_order(self) -> bool {
        matches!(
            self,
            Self::Python | Self::TypeScript | Self::Tsx | Self::JavaScript
        )
    }

    /// The syntax tree of any text, with errors in it where the grammar knows no better.
    pub(crate) fn tree(self, text: &str, earlier: Option<&Tree>) -> Tree {
        let mut parser = Parser::new();
        parser
            .set_language(&self.grammar())
            .expect("the grammars are pinned to versions that the library takes");
        parser
            .parse(text, earlier)
            .expect("a parser with a language and without a limit gives a tree")
    }

    /// The syntax tree of a text without errors. An earlier tree with the changes applied saves time.
    pub(super) fn parse(
        self,
        text: &str,
        side: Side,
        earlier: Option<&Tree>,
    ) -> Result<Tree, MergeError> {
        let tree = self.tree(text, earlier);
        match first_error(tree.root_node()) {
            None => Ok(tree),
            Some(node) => {
                let start = node.start_position();
                Err(MergeError::Syntax {
                    side,
                    line: start.row + 1,
                    column: start.column + 1,
                })
            }
        }
    }
}

/// The first place that is not as the grammar wants it.
fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    if !node.has_error() {
        return None;
    }
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let found = children(node).into_iter().find_map(first_error);
    found.or(Some(node))
}

/// The children of a node, in order.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).collect()
}

/// The first child of a kind.
pub(super) fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    children(node).into_iter().find(|it| it.kind() == kind)
}

/// Whether a node is a comment.
pub(crate) fn is_comment(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "comment" | "line_comment" | "block_comment" | "html_comment"
    )
}
