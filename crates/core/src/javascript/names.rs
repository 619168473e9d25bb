//! The names that files ask modules for, and those that modules have, by syntax tree.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::declared::{candidates, provides_it, resolve};
use super::parsing::parse;

/// The name of a module's default export.
const DEFAULT: &str = "default";

/// Every node below one, and it itself, in the order of the text.
pub(crate) fn all(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut waiting = vec![node];
    std::iter::from_fn(move || {
        let node = waiting.pop()?;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        waiting.extend(children.into_iter().rev());
        Some(node)
    })
}

/// The children of a node that mean something.
pub(crate) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// A piece of the text.
pub(crate) fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The content of a string literal, if it has no escapes or holes.
pub(crate) fn literal<'t>(node: Node<'_>, text: &'t str) -> Option<&'t str> {
    let inner = match node.kind() {
        "string" => text_of(node, text),
        "template_string"
            if named(node)
                .iter()
                .all(|part| part.kind() == "string_fragment") =>
        {
            text_of(node, text)
        }
        _ => return None,
    };
    let inner = inner.get(1..inner.len().checked_sub(1)?)?;
    (!inner.contains('\\')).then_some(inner)
}

/// The name that is asked of something: `a.name`, `a["name"]`.
pub(crate) fn member<'t>(node: Node<'_>, text: &'t str) -> Option<&'t str> {
    match node.kind() {
        "member_expression" => Some(text_of(node.child_by_field_name("property")?, text)),
        "subscript_expression" => literal(node.child_by_field_name("index")?, text),
        _ => None,
    }
}

/// The wrappers around an expression that do not change it.
pub(crate) fn is_around(kind: &str) -> bool {
    matches!(
        kind,
        "await_expression"
            | "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "type_assertion"
    )
}

/// The names that these files import from a module of the project, each once; `default` for the module as a whole. The
/// module is named by its file or its location.
pub fn imported_names(files: &[(String, String)], module: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (path, text) in files {
        let Some(tree) = parse(path, text) else {
            continue;
        };
        let mut reader = Reader {
            path,
            text,
            module,
            names: &mut found,
            aliases: BTreeSet::new(),
        };
        reader.read(tree.root_node());
    }
    found.into_iter().collect()
}

/// The paths below the top of the tree that these files import, with the endings that they write.
pub fn imported_paths(files: &[(String, String)]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (path, text) in files {
        let Some(tree) = parse(path, text) else {
            continue;
        };
        let specifiers = all(tree.root_node()).filter_map(|node| specifier_of(node, text));
        for specifier in specifiers.filter(|name| name.starts_with('.')) {
            let Some(stem) = resolve(path, specifier) else {
                continue;
            };
            let bare = super::declared::without_ending(specifier);
            found.insert(format!(
                "{stem}{}",
                specifier.strip_prefix(bare).unwrap_or_default()
            ));
        }
    }
    found.into_iter().collect()
}

/// The module that a statement or call loads.
pub(crate) fn specifier_of<'t>(node: Node<'_>, text: &'t str) -> Option<&'t str> {
    literal(specifier_in(node, text)?, text)
}

/// Where a statement or call names the module that it loads.
pub(super) fn specifier_in<'n>(node: Node<'n>, text: &str) -> Option<Node<'n>> {
    match node.kind() {
        "import_statement" | "export_statement" => node.child_by_field_name("source"),
        "call_expression" => {
            let function = node.child_by_field_name("function")?;
            let loads = matches!(
                text_of(function, text),
                "require"
                    | "import"
                    | "require.resolve"
                    | "vi.importActual"
                    | "vi.importMock"
                    | "jest.requireActual"
                    | "jest.requireMock"
                    | "vi.mock"
                    | "jest.mock"
                    | "vi.doMock"
                    | "jest.doMock"
                    | "jest.unstable_mockModule"
            );
            let arguments = node.child_by_field_name("arguments").filter(|_| loads)?;
            named(arguments).first().copied()
        }
        _ => None,
    }
}

struct Reader<'f> {
    path: &'f str,
    text: &'f str,
    module: &'f str,
    names: &'f mut BTreeSet<String>,
    /// Names for the module itself in this file.
    aliases: BTreeSet<&'f str>,
}

impl Reader<'_> {
    fn read(&mut self, root: Node<'_>) {
        for node in all(root) {
            let specifier = specifier_of(node, self.text);
            let is_meant = specifier.and_then(|specifier| resolve(self.path, specifier));
            if !is_meant.is_some_and(|meant| provides_it(self.module, &meant)) {
                continue;
            }
            match node.kind() {
                "import_statement" => self.import(node),
                "export_statement" => self.re_export(node),
                _ => self.value(node),
            }
        }
        if self.aliases.is_empty() {
            return;
        }
        for node in all(root).filter(|node| node.kind() == "identifier") {
            let is_alias = self.aliases.contains(text_of(node, self.text));
            if is_alias && !is_binding(node) {
                self.used(node);
            }
        }
    }

    fn import(&mut self, statement: Node<'_>) {
        let clauses = named(statement).into_iter();
        for clause in clauses.filter(|part| part.kind() == "import_clause") {
            for part in named(clause) {
                match part.kind() {
                    "identifier" => self.note(DEFAULT),
                    "namespace_import" => {
                        let name = named(part).first().map(|name| text_of(*name, self.text));
                        self.aliases.extend(name);
                    }
                    _ => self.specifiers(part),
                }
            }
        }
    }

    fn re_export(&mut self, statement: Node<'_>) {
        for clause in named(statement) {
            self.specifiers(clause);
        }
    }

    /// `{ a, b as c }`.
    fn specifiers(&mut self, clause: Node<'_>) {
        for part in named(clause) {
            if let Some(name) = part.child_by_field_name("name") {
                let name = text_of(name, self.text).trim_matches(['"', '\'']);
                self.note(name);
            }
        }
    }

    /// The use of a module that a call returned.
    fn value(&mut self, node: Node<'_>) {
        let mut inner = node;
        while let Some(parent) = inner.parent().filter(|parent| is_around(parent.kind())) {
            inner = parent;
        }
        self.used(inner);
        // `import("a").then((module) => …)`
        let callback = inner
            .parent()
            .filter(|parent| member(*parent, self.text) == Some("then"));
        let callback = callback.and_then(|then| then.parent()?.child_by_field_name("arguments"));
        let callback = callback.and_then(|arguments| named(arguments).first().copied());
        let Some(callback) = callback else { return };
        let single = callback.child_by_field_name("parameter");
        let several = callback.child_by_field_name("parameters");
        let first = several.and_then(|several| named(several).first().copied());
        if let Some(parameter) = single.or(first) {
            let pattern = parameter
                .child_by_field_name("pattern")
                .unwrap_or(parameter);
            self.bind(pattern);
        }
    }

    /// The names used of a value that is the module.
    fn used(&mut self, node: Node<'_>) {
        let Some(parent) = node.parent() else { return };
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            "member_expression" | "subscript_expression" if is("object") => {
                if let Some(name) = member(parent, self.text).filter(|name| *name != "then") {
                    self.note(name);
                }
            }
            "variable_declarator" if is("value") => {
                if let Some(name) = parent.child_by_field_name("name") {
                    self.bind(name);
                }
            }
            "assignment_expression" if is("right") => {
                if let Some(left) = parent.child_by_field_name("left") {
                    self.bind(left);
                }
            }
            "call_expression" if is("function") => self.note(DEFAULT),
            "new_expression" if is("constructor") => self.note(DEFAULT),
            _ => {}
        }
    }

    /// Gives names to the module, or to parts of it.
    fn bind(&mut self, pattern: Node<'_>) {
        match pattern.kind() {
            "identifier" => {
                self.aliases.insert(text_of(pattern, self.text));
            }
            "object_pattern" => {
                for part in named(pattern) {
                    let key = match part.kind() {
                        "pair_pattern" => part.child_by_field_name("key"),
                        "object_assignment_pattern" => part.child_by_field_name("left"),
                        "shorthand_property_identifier_pattern" => Some(part),
                        _ => None,
                    };
                    if let Some(key) = key {
                        self.note(text_of(key, self.text).trim_matches(['"', '\'']));
                    }
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, name: &str) {
        if name == DEFAULT || is_name(name) {
            self.names.insert(name.to_owned());
        }
    }
}

/// Whether an identifier is written where it gets its value.
fn is_binding(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            "variable_declarator" => is("name"),
            "assignment_expression" => is("left"),
            "namespace_import" => true,
            _ => false,
        }
    })
}

/// Whether a text can be written as a name.
pub(crate) fn is_name(text: &str) -> bool {
    let is_first = |first: char| first.is_alphabetic() || matches!(first, '_' | '$');
    let mut characters = text.chars();
    characters.next().is_some_and(is_first)
        && characters.all(|next| is_first(next) || next.is_alphanumeric())
}

/// A module's named exports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Exports {
    pub(crate) names: BTreeSet<String>,
    /// Modules all of whose names are handed on.
    pub(crate) stars: Vec<String>,
    /// Whether it is written with `import` or `export`.
    pub(crate) is_esm: bool,
    /// Whether it is written with `require` or `exports`.
    pub(crate) is_commonjs: bool,
}

/// Reads a module's exports.
pub(crate) fn exports(path: &str, text: &str) -> Exports {
    let mut found = Exports::default();
    let Some(tree) = parse(path, text) else {
        return found;
    };
    for node in named(tree.root_node()) {
        match node.kind() {
            "import_statement" => found.is_esm = true,
            "export_statement" => {
                found.is_esm = true;
                exported(path, node, text, &mut found);
            }
            _ => {}
        }
    }
    found.is_commonjs = !found.is_esm
        && all(tree.root_node()).any(|node| {
            let words = text_of(node, text);
            let free = node.kind() == "identifier" && words == "exports";
            free || (node.kind() == "member_expression" && words == "module.exports")
                || (node.kind() == "call_expression" && words.starts_with("require("))
        });
    found
}

fn exported(path: &str, statement: Node<'_>, text: &str, found: &mut Exports) {
    let mut cursor = statement.walk();
    let tokens: Vec<&str> = statement
        .children(&mut cursor)
        .map(|child| child.kind())
        .collect();
    if tokens.contains(&DEFAULT) || tokens.contains(&"=") {
        found.names.insert(DEFAULT.to_owned());
    }
    let source = statement
        .child_by_field_name("source")
        .and_then(|node| literal(node, text));
    if let Some(module) = source.filter(|_| tokens.contains(&"*")) {
        found.stars.extend(resolve(path, module));
    }
    for part in named(statement) {
        match part.kind() {
            "export_clause" => {
                for specifier in named(part) {
                    let alias = specifier.child_by_field_name("alias");
                    let name = alias.or_else(|| specifier.child_by_field_name("name"));
                    found
                        .names
                        .extend(name.map(|name| text_of(name, text).to_owned()));
                }
            }
            "namespace_export" => {
                let name = named(part)
                    .first()
                    .map(|name| text_of(*name, text).to_owned());
                found.names.extend(name);
            }
            _ => declared_names(part, text, &mut found.names),
        }
    }
}

/// The names that a declaration brings.
fn declared_names(declaration: Node<'_>, text: &str, names: &mut BTreeSet<String>) {
    let name = declaration.child_by_field_name("name");
    match declaration.kind() {
        "lexical_declaration" | "variable_declaration" => {
            for part in named(declaration) {
                let bound = part.child_by_field_name("name").map(all);
                let bound = bound.into_iter().flatten().filter(|node| {
                    let kind = node.kind();
                    kind == "identifier" || kind == "shorthand_property_identifier_pattern"
                });
                names.extend(bound.map(|node| text_of(node, text).to_owned()));
            }
        }
        "ambient_declaration" => {
            for part in named(declaration) {
                declared_names(part, text, names);
            }
        }
        kind if kind.ends_with("_declaration") || kind.ends_with("_signature") => {
            names.extend(name.map(|name| text_of(name, text).to_owned()));
        }
        _ => {}
    }
}

/// Those of these names that a module does not have, as far as its text and those of the modules that it hands on say.
/// `read` gives the text of a file of the tree.
pub fn lacking_names(
    path: &str,
    source: Option<&str>,
    names: &[String],
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut opaque = false;
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<(String, String)> = Vec::new();
    waiting.extend(source.map(|text| (path.to_owned(), text.to_owned())));
    while let Some((path, text)) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let found = exports(&path, &text);
        let is_first = seen.len() == 1;
        let names = found.names.into_iter();
        known.extend(names.filter(|name| is_first || name != DEFAULT));
        for module in found.stars {
            let file = candidates(&module).into_iter().find_map(|file| {
                let text = read(&file)?;
                Some((file, text))
            });
            // A package, or one that is missing itself.
            opaque |= file.is_none() && !module.starts_with("./");
            waiting.extend(file);
        }
    }
    let lacks = |name: &&String| !known.contains(*name) && (!opaque || *name == DEFAULT);
    names.iter().filter(lacks).cloned().collect()
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
