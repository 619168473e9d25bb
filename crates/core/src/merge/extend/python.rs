//! Members of Python.

use tree_sitter::Node;

use super::description::Description;
use super::imports::{Binding, Imported, List};
use super::language::{child_of_kind, children};
use super::outline::{Kind, Reader};
use super::tokens::{is_string_statement, tokens};

pub(super) fn describe<'t>(
    reader: Reader<'t>,
    parent: Node<'t>,
    nodes: &[Node<'t>],
    is_first: bool,
) -> Description<'t> {
    let node = nodes[nodes.len() - 1];
    let definition = node.child_by_field_name("definition").unwrap_or(node);
    match definition.kind() {
        "import_statement" | "import_from_statement" | "future_import_statement"
            if parent.kind() == "module" || is_type_checking(reader, parent.parent()) =>
        {
            Description::import(reader, nodes, imported(reader, node))
        }
        "class_definition" => Description::named(Kind::Type, "class", name(reader, definition))
            .with_body(definition.child_by_field_name("body")),
        "function_definition" => function(reader, node, definition),
        "pass_statement" => placeholder(),
        "expression_statement" => expression(reader, nodes, node, is_first),
        "type_alias_statement" => {
            let left = node.child_by_field_name("left").unwrap_or(node);
            Description::named(Kind::Value, "type", reader.text(left))
        }
        "if_statement" => conditional(reader, nodes, node),
        _ => Description::statement(reader, nodes),
    }
}

fn name<'t>(reader: Reader<'t>, node: Node<'t>) -> &'t str {
    node.child_by_field_name("name")
        .map_or("", |name| reader.text(name))
}

fn placeholder<'t>() -> Description<'t> {
    Description::named(Kind::Placeholder, "placeholder", "").without_claims()
}

/// Getter, setter and deleter of a property share a name, and so do overloads.
fn function<'t>(reader: Reader<'t>, node: Node<'t>, definition: Node<'t>) -> Description<'t> {
    let name = name(reader, definition);
    let decorators: Vec<&str> = children(node)
        .into_iter()
        .filter(|child| child.kind() == "decorator")
        .map(|child| reader.text(child).trim_start_matches('@').trim())
        .collect();
    let is = |word: &str| {
        decorators.iter().any(|decorator| {
            *decorator == word
                || decorator
                    .rsplit_once('.')
                    .is_some_and(|(_, last)| last == word)
        })
    };
    let role = ["setter", "deleter", "getter"]
        .into_iter()
        .find(|role| is(role));
    let mut about = match role {
        Some(role) => Description::named(Kind::Callable, role, name).without_claims(),
        None => Description::named(Kind::Callable, "function", name),
    };
    // Registered implementations have no name of their own.
    if name == "_" {
        let parameters = definition.child_by_field_name("parameters");
        let parameters = parameters.map_or("", |it| reader.text(it));
        about.key = format!("function _ {decorators:?} {parameters}");
        about.defines.clear();
    }
    about.is_signature = is("overload");
    about
}

fn expression<'t>(
    reader: Reader<'t>,
    nodes: &[Node<'t>],
    node: Node<'t>,
    is_first: bool,
) -> Description<'t> {
    if is_first && is_string_statement(node) {
        return Description {
            key: "docstring".to_owned(),
            ..Description::named(Kind::Docstring, "docstring", "").without_claims()
        };
    }
    let Some(inner) = node.child(0) else {
        return Description::statement(reader, nodes);
    };
    match inner.kind() {
        "ellipsis" => placeholder(),
        "assignment" => {
            let left = inner.child_by_field_name("left").unwrap_or(inner);
            let key = tokens(reader.language, &[left], &[], reader.source);
            let mut about = Description::named(Kind::Value, "value", reader.text(left));
            about.key = format!("value {key}");
            if left.kind() != "identifier" {
                about.defines.clear();
            }
            about
        }
        _ => Description::statement(reader, nodes),
    }
}

fn conditional<'t>(reader: Reader<'t>, nodes: &[Node<'t>], node: Node<'t>) -> Description<'t> {
    let condition = node.child_by_field_name("condition");
    let condition = condition.map_or("", |it| reader.text(it));
    let plain = node.child_by_field_name("alternative").is_none();
    if condition.starts_with("__name__") {
        return Description::named(Kind::Last, "block", "if __name__").without_claims();
    }
    if plain && is_type_checking(reader, Some(node)) {
        let mut about = Description::named(Kind::Import, "block", "if TYPE_CHECKING")
            .with_body(node.child_by_field_name("consequence"))
            .without_claims();
        about.kind = Kind::Statement;
        return about;
    }
    Description::statement(reader, nodes)
}

fn is_type_checking(reader: Reader<'_>, node: Option<Node<'_>>) -> bool {
    node.filter(|node| node.kind() == "if_statement")
        .and_then(|node| node.child_by_field_name("condition"))
        .is_some_and(|condition| {
            matches!(
                reader.text(condition),
                "TYPE_CHECKING" | "typing.TYPE_CHECKING"
            )
        })
}

fn imported(reader: Reader<'_>, node: Node<'_>) -> Imported {
    let module = node.child_by_field_name("module_name");
    let is_future = node.kind() == "future_import_statement";
    let module = module
        .map(|it| reader.text(it))
        .or(is_future.then_some("__future__"));
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    let mut bindings: Vec<Binding> = names
        .iter()
        .map(|item| {
            let path = item.child_by_field_name("name").unwrap_or(*item);
            let alias = item.child_by_field_name("alias");
            binding(module, reader.text(path), alias.map(|it| reader.text(it)))
        })
        .collect();
    if child_of_kind(node, "wildcard_import").is_some() {
        let module = module.unwrap_or_default();
        bindings.push(Binding::unnamed(&format!("from {module} import *")));
    }
    let list = module.filter(|_| !names.is_empty()).map(|module| {
        let last = names[names.len() - 1];
        List::after(reader.source, module, node, last)
    });
    Imported {
        bindings,
        list,
        comes_first: is_future,
    }
}

fn binding(module: Option<&str>, path: &str, alias: Option<&str>) -> Binding {
    let item = match alias {
        Some(alias) => format!("{path} as {alias}"),
        None => path.to_owned(),
    };
    let Some(module) = module else {
        // `import a.b` binds `a`, as `import a` does.
        let root = path.split('.').next().unwrap_or(path);
        return Binding {
            identity: format!("import {item}"),
            local: Some(alias.unwrap_or(root).to_owned()),
            source: alias.map_or(root, |_| path).to_owned(),
            group: String::new(),
            statement: format!("import {item}"),
            item,
        };
    };
    Binding {
        identity: format!("from {module} import {item}"),
        local: Some(alias.unwrap_or(path).to_owned()),
        source: format!("{module}.{path}"),
        group: module.to_owned(),
        statement: format!("from {module} import {item}"),
        item,
    }
}
