//! Imports: a union by the names they bind, not by their spelling.

use tree_sitter::Node;

use super::outline::line_start;

/// The names that an import statement binds.
#[derive(Debug, Default)]
pub(super) struct Imported {
    pub(super) bindings: Vec<Binding>,
    /// The list that more names of the same module can join.
    pub(super) list: Option<List>,
    /// Whether it has to come before all others.
    pub(super) comes_first: bool,
}

/// One imported thing.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    /// All of it, in one way of writing.
    pub(super) identity: String,
    /// The name that it gets here, if it gets one.
    pub(super) local: Option<String>,
    /// Where the thing itself comes from.
    pub(super) source: String,
    /// Which list it could join.
    pub(super) group: String,
    /// How it is written in that list.
    pub(super) item: String,
    /// How it is written as a statement of its own.
    pub(super) statement: String,
}

impl Binding {
    /// A thing without a name here, such as everything of a module.
    pub(super) fn unnamed(statement: &str) -> Self {
        Self {
            identity: statement.to_owned(),
            local: None,
            source: statement.to_owned(),
            group: String::new(),
            item: String::new(),
            statement: statement.to_owned(),
        }
    }
}

/// A list of names in an import statement.
#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) group: String,
    /// Where the last name ends.
    pub(super) end: usize,
    /// The separator between two names.
    pub(super) between: String,
}

impl List {
    /// The list whose last name is `last`, in the statement or list `node`.
    pub(super) fn after(source: &str, group: &str, node: Node<'_>, last: Node<'_>) -> Self {
        let first_row = node.start_position().row;
        let row = last.start_position().row;
        let between = if row > first_row {
            let start = line_start(source, last.start_byte());
            let line = &source[start..last.start_byte()];
            let indent: String = line.chars().take_while(|it| it.is_whitespace()).collect();
            format!(",\n{indent}")
        } else {
            ", ".to_owned()
        };
        Self {
            group: group.to_owned(),
            end: last.end_byte(),
            between,
        }
    }
}
