//! Members of TypeScript and JavaScript.

use tree_sitter::Node;

use super::description::Description;
use super::imports::{Binding, Imported, List};
use super::language::{child_of_kind, children};
use super::outline::{Kind, Reader};

pub(super) fn describe<'t>(
    reader: Reader<'t>,
    parent: Node<'t>,
    nodes: &[Node<'t>],
) -> Description<'t> {
    let outer = nodes[nodes.len() - 1];
    let node = declaration(outer);
    let named = |kind, word: &str| Description::named(kind, word, name(reader, node));
    let body = node.child_by_field_name("body");
    match node.kind() {
        "import_statement" => Description::import(reader, nodes, imported(reader, node)),
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            let mut about = named(Kind::Callable, "function");
            about.is_signature = node.kind() == "function_signature";
            about
        }
        "class_declaration" | "abstract_class_declaration" => {
            named(Kind::Type, "class").with_body(body)
        }
        // Interfaces and namespaces may be declared in pieces, also beside a class of their name.
        "interface_declaration" => named(Kind::Type, "interface")
            .with_body(body)
            .without_claims(),
        "internal_module" | "module" => named(Kind::Type, "namespace")
            .with_body(body)
            .without_claims(),
        "enum_declaration" => named(Kind::Type, "enum").with_body(body),
        "type_alias_declaration" => named(Kind::Type, "type"),
        "lexical_declaration" | "variable_declaration" => variables(reader, nodes, node),
        "method_definition" | "method_signature" | "abstract_method_signature" => {
            method(reader, node)
        }
        "public_field_definition" | "field_definition" | "property_signature" => {
            let place = if has(node, "static") {
                "static field"
            } else {
                "field"
            };
            Description::named(Kind::Value, place, name(reader, node)).without_claims()
        }
        "enum_assignment" | "property_identifier" if parent.kind() == "enum_body" => {
            let name = match node.kind() {
                "enum_assignment" => name(reader, node),
                _ => reader.text(node),
            };
            let mut about = Description::named(Kind::Value, "value", name);
            about.comma = true;
            about
        }
        "expression_statement" if is_directive(node) => Description {
            kind: Kind::Front,
            ..Description::statement(reader, nodes)
        },
        "export_statement" if has(node, "default") => {
            Description::named(Kind::Statement, "export", "default").without_claims()
        }
        _ => Description::statement(reader, nodes),
    }
}

/// The exported, declared or wrapped node.
fn declaration(node: Node<'_>) -> Node<'_> {
    let inner = match node.kind() {
        "export_statement" => node.child_by_field_name("declaration"),
        "ambient_declaration" => children(node).into_iter().find(|it| {
            it.kind().ends_with("declaration")
                || it.kind().ends_with("module")
                || it.kind() == "function_signature"
        }),
        "expression_statement" => child_of_kind(node, "internal_module"),
        _ => None,
    };
    inner.map_or(node, declaration)
}

fn name<'t>(reader: Reader<'t>, node: Node<'t>) -> &'t str {
    node.child_by_field_name("name")
        .or_else(|| node.child_by_field_name("property"))
        .map_or("default", |name| reader.text(name))
}

fn has(node: Node<'_>, word: &str) -> bool {
    child_of_kind(node, word).is_some()
}

fn is_directive(node: Node<'_>) -> bool {
    node.child(0).is_some_and(|it| it.kind() == "string")
}

fn method<'t>(reader: Reader<'t>, node: Node<'t>) -> Description<'t> {
    let role = ["get", "set"].into_iter().find(|word| has(node, word));
    let role = match role {
        Some("get") => "getter",
        Some(_) => "setter",
        None => "method",
    };
    let place = if has(node, "static") { "static " } else { "" };
    let word = format!("{place}{role}");
    let mut about = Description::named(Kind::Callable, &word, name(reader, node)).without_claims();
    about.is_signature = node.kind() != "method_definition";
    about
}

fn variables<'t>(reader: Reader<'t>, nodes: &[Node<'t>], node: Node<'t>) -> Description<'t> {
    let names: Vec<Node<'t>> = children(node)
        .into_iter()
        .filter(|it| it.kind() == "variable_declarator")
        .filter_map(|it| it.child_by_field_name("name"))
        .collect();
    if names.is_empty() {
        return Description::statement(reader, nodes);
    }
    let texts: Vec<&str> = names.iter().map(|it| reader.text(*it)).collect();
    let mut about = Description::named(Kind::Value, "value", &texts.join(", "));
    // Readers see `const f = () => …` as a function.
    let value = node
        .named_child(0)
        .and_then(|it| it.child_by_field_name("value"));
    if value.is_some_and(|it| matches!(it.kind(), "arrow_function" | "function_expression")) {
        about.kind = Kind::Callable;
    }
    about.defines = names
        .iter()
        .filter(|it| it.kind() == "identifier")
        .map(|it| reader.text(*it).to_owned())
        .collect();
    about
}

fn imported(reader: Reader<'_>, node: Node<'_>) -> Imported {
    let module = node.child_by_field_name("source");
    let module = module.map_or("", |it| reader.text(it));
    let path = module.trim_matches(['\'', '"']);
    let end = if reader.text(node).ends_with(';') {
        ";"
    } else {
        ""
    };
    let word = if has(node, "type") {
        "import type"
    } else {
        "import"
    };
    let Some(clause) = child_of_kind(node, "import_clause") else {
        return Imported {
            bindings: vec![Binding::unnamed(&format!("{word} {module}{end}"))],
            ..Imported::default()
        };
    };
    let group = format!("{word} {path}");
    let single = |local: &str, what: &str, text: &str| Binding {
        identity: format!("{group} {what} as {local}"),
        local: Some(local.to_owned()),
        source: format!("{path} {what}"),
        group: String::new(),
        item: String::new(),
        statement: format!("{word} {text} from {module}{end}"),
    };
    let mut found = Imported::default();
    for part in children(clause) {
        match part.kind() {
            "identifier" => {
                let local = reader.text(part);
                found.bindings.push(single(local, "default", local));
            }
            "namespace_import" => {
                let local = child_of_kind(part, "identifier").map_or("", |it| reader.text(it));
                found.bindings.push(single(local, "*", reader.text(part)));
            }
            "named_imports" => {
                let names: Vec<Node<'_>> = children(part)
                    .into_iter()
                    .filter(|it| it.kind() == "import_specifier")
                    .collect();
                for item in &names {
                    let what = name(reader, *item);
                    let alias = item.child_by_field_name("alias");
                    let local = alias.map_or(what, |it| reader.text(it));
                    let text = reader.text(*item);
                    found.bindings.push(Binding {
                        group: group.clone(),
                        item: text.to_owned(),
                        statement: format!("{word} {{ {text} }} from {module}{end}"),
                        ..single(local, what, text)
                    });
                }
                found.list = names
                    .last()
                    .map(|last| List::after(reader.source, &group, node, *last));
            }
            _ => {}
        }
    }
    found
}
