//! Members of Rust.

use tree_sitter::Node;

use super::description::Description;
use super::imports::{Binding, Imported, List};
use super::language::{children, is_comment};
use super::outline::{Kind, Reader};
use super::tokens::tokens;

pub(super) fn describe<'t>(
    reader: Reader<'t>,
    parent: Node<'t>,
    nodes: &[Node<'t>],
) -> Description<'t> {
    let node = nodes[nodes.len() - 1];
    let body = node.child_by_field_name("body");
    let list = body.filter(|it| it.kind() != "ordered_field_declaration_list");
    let name = node.child_by_field_name("name");
    let name = name.map_or("", |it| reader.text(it));
    let named = |kind, word: &str| {
        let mut about = Description::named(kind, word, name);
        about.defines = vec![format!("{} {name}", namespace(word))];
        about
    };
    let mut about = match node.kind() {
        "use_declaration" if parent.kind() == "source_file" => {
            Description::import(reader, nodes, imported(reader, nodes, node))
        }
        "inner_attribute_item" => Description {
            kind: Kind::Front,
            ..Description::statement(reader, nodes)
        },
        "function_item" | "function_signature_item" => named(Kind::Callable, "function"),
        "struct_item" => named(Kind::Type, "struct").with_body(list),
        "union_item" => named(Kind::Type, "union").with_body(list),
        "enum_item" => named(Kind::Type, "enum").with_body(list),
        "trait_item" => named(Kind::Type, "trait").with_body(list),
        "mod_item" => {
            let is_tests = name == "tests" || attributes(reader, nodes).contains("test");
            let kind = if is_tests { Kind::Last } else { Kind::Type };
            named(kind, "module").with_body(list)
        }
        "impl_item" => implementation(reader, node, body),
        "const_item" | "static_item" => named(Kind::Value, "constant"),
        "type_item" | "associated_type" => named(Kind::Type, "type"),
        "macro_definition" => named(Kind::Callable, "macro"),
        "field_declaration" | "enum_variant" => {
            let mut about = named(Kind::Value, "field");
            about.comma = true;
            about
        }
        _ => return Description::statement(reader, nodes),
    };
    // The same name for several platforms is not a clash.
    let conditions: Vec<&str> = nodes[..nodes.len() - 1]
        .iter()
        .map(|it| reader.text(*it))
        .filter(|text| text.starts_with("#[cfg"))
        .collect();
    if !conditions.is_empty() && about.kind != Kind::Last {
        about.key = format!("{} {}", about.key, conditions.join(" "));
        about.defines.clear();
    }
    about
}

fn attributes(reader: Reader<'_>, nodes: &[Node<'_>]) -> String {
    let texts = nodes[..nodes.len() - 1].iter().map(|it| reader.text(*it));
    texts.filter(|text| text.starts_with("#[cfg")).collect()
}

fn namespace(word: &str) -> &'static str {
    match word {
        "function" | "constant" => "value",
        "macro" => "macro",
        "field" => "field",
        _ => "type",
    }
}

/// An `impl` has no name; the text before its body identifies it.
fn implementation<'t>(
    reader: Reader<'t>,
    node: Node<'t>,
    body: Option<Node<'t>>,
) -> Description<'t> {
    let left_out: Vec<Node<'t>> = body.into_iter().collect();
    let header = tokens(reader.language, &[node], &left_out, reader.source);
    let text = body.map_or(reader.text(node), |body| {
        &reader.source[node.start_byte()..body.start_byte()]
    });
    let mut about = Description::named(Kind::Type, "impl", "").with_body(body);
    about.key = format!("impl {header}");
    about.label = format!(
        "`{}`",
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    );
    about.defines.clear();
    about
}

fn imported(reader: Reader<'_>, nodes: &[Node<'_>], node: Node<'_>) -> Imported {
    let Some(argument) = node.child_by_field_name("argument") else {
        return Imported::default();
    };
    let front: String = reader.source[nodes[0].start_byte()..argument.start_byte()].to_owned();
    // `#[cfg(…)] pub use`: a conditional import is a different import.
    let front = front.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = Imported::default();
    flatten(reader, argument, "", &front, &mut found.bindings);
    if argument.kind() == "scoped_use_list" {
        let path = argument.child_by_field_name("path");
        let path = path.map_or("", |it| reader.text(it));
        let names = argument.child_by_field_name("list").map(children);
        let last = names.and_then(|names| {
            let mut names = names.into_iter();
            names.rfind(|it| it.is_named() && !is_comment(*it))
        });
        found.list =
            last.map(|last| List::after(reader.source, &format!("{front} {path}"), argument, last));
    }
    found
}

fn flatten(
    reader: Reader<'_>,
    node: Node<'_>,
    prefix: &str,
    front: &str,
    bindings: &mut Vec<Binding>,
) {
    let join = |path: &str| match prefix {
        "" => path.to_owned(),
        _ => format!("{prefix}::{path}"),
    };
    match node.kind() {
        "scoped_use_list" | "use_list" => {
            let path = node.child_by_field_name("path");
            let prefix = path.map_or(prefix.to_owned(), |it| join(reader.text(it)));
            let list = node.child_by_field_name("list").unwrap_or(node);
            for item in children(list).into_iter().filter(Node::is_named) {
                if !is_comment(item) {
                    flatten(reader, item, &prefix, front, bindings);
                }
            }
        }
        kind => {
            let aliased = kind == "use_as_clause";
            let path = node.child_by_field_name("path").filter(|_| aliased);
            let full = join(reader.text(path.unwrap_or(node)));
            let alias = node.child_by_field_name("alias").filter(|_| aliased);
            let alias = alias.map(|it| reader.text(it));
            let source = full.trim_end_matches("::self").to_owned();
            let last = source.rsplit("::").next().unwrap_or(&source).to_owned();
            let local = alias.map_or(last, str::to_owned);
            let text = alias.map_or(source.clone(), |alias| format!("{source} as {alias}"));
            let (group, item) = full.rsplit_once("::").unwrap_or(("", &full));
            bindings.push(Binding {
                identity: format!("{front} {text}"),
                local: (local != "_" && local != "*" && !front.contains("#[")).then_some(local),
                source: source.clone(),
                group: format!("{front} {group}"),
                item: alias.map_or(item.to_owned(), |alias| format!("{item} as {alias}")),
                statement: format!("{front} {text};"),
            });
        }
    }
}
