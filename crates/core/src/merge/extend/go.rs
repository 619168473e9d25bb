//! Members of Go.

use tree_sitter::Node;

use super::description::Description;
use super::imports::{Binding, Imported};
use super::language::{child_of_kind, children};
use super::outline::{Kind, Reader};

pub(super) fn describe<'t>(reader: Reader<'t>, nodes: &[Node<'t>]) -> Description<'t> {
    let node = nodes[nodes.len() - 1];
    let name = node.child_by_field_name("name");
    let name = name.map_or("", |it| reader.text(it));
    match node.kind() {
        "package_clause" => {
            let mut about = Description::named(Kind::Front, "package", "clause").without_claims();
            "package".clone_into(&mut about.key);
            "the package clause".clone_into(&mut about.label);
            about
        }
        "import_declaration" => Description::import(reader, nodes, imported(reader, node)),
        // There may be any number of these.
        "function_declaration" if matches!(name, "init" | "_") => Description {
            kind: Kind::Callable,
            ..Description::statement(reader, nodes)
        },
        "function_declaration" => Description::named(Kind::Callable, "func", name),
        "method_declaration" => {
            let base = receiver(reader, node);
            Description::named(Kind::Callable, "method", &format!("{base}.{name}"))
        }
        "type_declaration" => types(reader, nodes, node),
        "const_declaration" => values(reader, nodes, node, "const"),
        "var_declaration" => values(reader, nodes, node, "var"),
        "const_spec" | "var_spec" | "type_spec" | "type_alias" => {
            let mut about = Description::named(Kind::Value, "name", &names(reader, node));
            about.defines = about.defines[0].split(", ").map(str::to_owned).collect();
            if about.defines.iter().any(|name| name == "_") {
                about.defines.clear();
            }
            about
        }
        "field_declaration" => {
            let names = names(reader, node);
            if names.is_empty() {
                let embedded = node.child_by_field_name("type").unwrap_or(node);
                Description::named(Kind::Value, "field", reader.text(embedded))
            } else {
                Description::named(Kind::Value, "field", &names)
            }
        }
        "method_elem" => Description::named(Kind::Value, "method", name),
        _ => Description::statement(reader, nodes),
    }
}

/// The type that a method belongs to, for any receiver name.
fn receiver<'t>(reader: Reader<'t>, node: Node<'t>) -> &'t str {
    let mut pending: Vec<Node<'t>> = node.child_by_field_name("receiver").into_iter().collect();
    while let Some(found) = pending.pop() {
        if found.kind() == "type_identifier" {
            return reader.text(found);
        }
        if found.kind() != "type_arguments" {
            pending.extend(children(found).into_iter().rev());
        }
    }
    ""
}

fn names(reader: Reader<'_>, node: Node<'_>) -> String {
    let mut cursor = node.walk();
    let names: Vec<&str> = node
        .children_by_field_name("name", &mut cursor)
        .filter(Node::is_named)
        .map(|it| reader.text(it))
        .collect();
    names.join(", ")
}

fn types<'t>(reader: Reader<'t>, nodes: &[Node<'t>], node: Node<'t>) -> Description<'t> {
    if child_of_kind(node, "(").is_some() {
        return values(reader, nodes, node, "type");
    }
    let Some(spec) = node.named_child(0) else {
        return Description::statement(reader, nodes);
    };
    let body = spec
        .child_by_field_name("type")
        .and_then(|it| match it.kind() {
            "struct_type" => child_of_kind(it, "field_declaration_list"),
            "interface_type" => Some(it),
            _ => None,
        });
    Description::named(Kind::Type, "type", &names(reader, spec)).with_body(body)
}

/// A single declaration, or a group of them that is known by its first name.
fn values<'t>(
    reader: Reader<'t>,
    nodes: &[Node<'t>],
    node: Node<'t>,
    word: &str,
) -> Description<'t> {
    let list = child_of_kind(node, "var_spec_list").unwrap_or(node);
    let specs: Vec<Node<'t>> = children(list)
        .into_iter()
        .filter(|it| it.kind().ends_with("_spec") || it.kind() == "type_alias")
        .collect();
    let all: Vec<String> = specs.iter().map(|it| names(reader, *it)).collect();
    let Some(first) = all.first() else {
        return Description::statement(reader, nodes);
    };
    let is_group = child_of_kind(list, "(").is_some();
    let mut about = if is_group {
        Description::named(Kind::Value, &format!("{word} group"), first).with_body(Some(list))
    } else {
        Description::named(Kind::Value, word, first)
    };
    about.defines = all
        .iter()
        .flat_map(|names| names.split(", "))
        .filter(|name| *name != "_")
        .map(str::to_owned)
        .collect();
    about
}

fn imported(reader: Reader<'_>, node: Node<'_>) -> Imported {
    let list = child_of_kind(node, "import_spec_list");
    let specs: Vec<Node<'_>> = children(list.unwrap_or(node))
        .into_iter()
        .filter(|it| it.kind() == "import_spec")
        .collect();
    let bindings = specs
        .iter()
        .map(|spec| {
            let quoted = spec.child_by_field_name("path");
            let quoted = quoted.map_or("", |it| reader.text(it));
            let path = quoted.trim_matches(['"', '`']);
            let alias = spec.child_by_field_name("name").map(|it| reader.text(it));
            let item = alias.map_or(quoted.to_owned(), |alias| format!("{alias} {quoted}"));
            let local = alias.unwrap_or_else(|| package(path));
            Binding {
                identity: item.clone(),
                local: (local != "_" && local != ".").then(|| local.to_owned()),
                source: path.to_owned(),
                group: "imports".to_owned(),
                statement: format!("import {item}"),
                item,
            }
        })
        .collect();
    let list = list.and(specs.last()).map(|last| super::imports::List {
        group: "imports".to_owned(),
        end: last.end_byte(),
        between: "\n\t".to_owned(),
    });
    Imported {
        bindings,
        list,
        comes_first: false,
    }
}

/// The most likely name of a package: its last component, without a version.
fn package(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last
        .strip_prefix('v')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()));
    if is_version {
        parts.next().unwrap_or(last)
    } else {
        last
    }
}
