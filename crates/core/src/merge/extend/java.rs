//! Members of Java.

use tree_sitter::Node;

use super::description::Description;
use super::imports::{Binding, Imported};
use super::language::{child_of_kind, children};
use super::outline::{Kind, Reader};

pub(super) fn describe<'t>(reader: Reader<'t>, nodes: &[Node<'t>]) -> Description<'t> {
    let node = nodes[nodes.len() - 1];
    let name = node.child_by_field_name("name");
    let name = name.map_or("", |it| reader.text(it));
    let body = node.child_by_field_name("body");
    match node.kind() {
        "package_declaration" => {
            let mut about = Description::named(Kind::Front, "package", "clause").without_claims();
            "package".clone_into(&mut about.key);
            "the package clause".clone_into(&mut about.label);
            about
        }
        "import_declaration" => Description::import(reader, nodes, imported(reader, node)),
        "class_declaration"
        | "interface_declaration"
        | "record_declaration"
        | "enum_declaration"
        | "annotation_type_declaration" => {
            let word = node.kind().split('_').next().unwrap_or("class");
            Description::named(Kind::Type, word, name).with_body(body)
        }
        "method_declaration" | "constructor_declaration" => {
            let signature = format!("{name}({})", parameters(reader, node));
            Description::named(Kind::Callable, "method", &signature)
        }
        "compact_constructor_declaration" => {
            Description::named(Kind::Callable, "constructor", name).without_claims()
        }
        "field_declaration" | "constant_declaration" => {
            let mut cursor = node.walk();
            let names: Vec<String> = node
                .children_by_field_name("declarator", &mut cursor)
                .filter_map(|it| it.child_by_field_name("name"))
                .map(|it| reader.text(it).to_owned())
                .collect();
            let mut about = Description::named(Kind::Value, "field", &names.join(", "));
            about.defines = names;
            about
        }
        "enum_constant" => {
            let mut about = Description::named(Kind::Value, "value", name);
            about.comma = true;
            about
        }
        _ => Description::statement(reader, nodes),
    }
}

/// The types of the parameters as the virtual machine tells methods apart: without type arguments.
fn parameters(reader: Reader<'_>, node: Node<'_>) -> String {
    let Some(list) = node.child_by_field_name("parameters") else {
        return String::new();
    };
    let types: Vec<String> = children(list)
        .into_iter()
        .filter(|it| matches!(it.kind(), "formal_parameter" | "spread_parameter"))
        .map(|parameter| {
            let found = parameter.child_by_field_name("type").or_else(|| {
                children(parameter)
                    .into_iter()
                    .find(|it| it.kind().ends_with("type") || it.kind() == "type_identifier")
            });
            let text = found.map_or("", |it| erased(reader, it));
            let dimensions = parameter.child_by_field_name("dimensions");
            let dimensions = dimensions.map_or("", |it| reader.text(it));
            let spread = child_of_kind(parameter, "...").map_or("", |_| "[]");
            let brackets: String = found
                .filter(|it| it.kind() == "array_type")
                .and_then(|it| it.child_by_field_name("dimensions"))
                .map_or(String::new(), |it| reader.text(it).to_owned());
            format!("{text}{brackets}{dimensions}{spread}")
        })
        .collect();
    types.join(", ")
}

fn erased<'t>(reader: Reader<'t>, node: Node<'t>) -> &'t str {
    match node.kind() {
        "generic_type" => node.named_child(0).map_or("", |it| reader.text(it)),
        "array_type" => node
            .child_by_field_name("element")
            .map_or("", |it| erased(reader, it)),
        _ => reader.text(node),
    }
}

fn imported(reader: Reader<'_>, node: Node<'_>) -> Imported {
    let text = reader
        .text(node)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let path = text
        .trim_start_matches("import ")
        .trim_start_matches("static ")
        .trim_end_matches(';')
        .trim();
    let local = path.rsplit('.').next().unwrap_or(path);
    // A static method may be imported from several classes: they are overloads.
    let is_static = child_of_kind(node, "static").is_some();
    let named = local != "*" && !is_static;
    Imported {
        bindings: vec![Binding {
            local: named.then(|| local.to_owned()),
            source: path.to_owned(),
            ..Binding::unnamed(&text)
        }],
        ..Imported::default()
    }
}
