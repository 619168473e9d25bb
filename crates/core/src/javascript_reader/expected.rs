//! Literal expected values, known without running anything.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::helpers::is_binding;
use super::source::{Source, bare, children, literal_text};
use super::value::Value;

/// How deep a literal is followed.
const DEEPEST: u32 = 40;

/// The value of an expression, and whether it occurs somewhere else in the file.
pub(super) fn evaluate(source: &Source<'_>, node: Node<'_>) -> Option<(Value, bool)> {
    let mut named = false;
    let value = value_of(source, node, DEEPEST, &mut named)?;
    Some((value, named))
}

fn value_of(source: &Source<'_>, node: Node<'_>, depth: u32, named: &mut bool) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let node = bare(node);
    Some(match node.kind() {
        "undefined" => Value::Undefined,
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "number" => number(source.text(node), false)?,
        "string" | "template_string" => Value::Text(literal_text(source, node)?),
        "unary_expression" => {
            let argument = node.child_by_field_name("argument")?;
            let operator = source.text(node.child_by_field_name("operator")?);
            if operator != "-" || argument.kind() != "number" {
                return None;
            }
            number(source.text(argument), true)?
        }
        "array" => Value::Array(elements(source, node, depth, named)?),
        "object" => Value::Object {
            classes: Some(vec!["Object".to_owned()]),
            fields: fields(source, node, depth, named)?,
        },
        "identifier" => match source.text(node) {
            "undefined" => Value::Undefined,
            "NaN" => Value::Number("NaN".to_owned()),
            "Infinity" => Value::Number("Infinity".to_owned()),
            name => {
                *named = true;
                value_of(source, constant(source, name)?, depth, named)?
            }
        },
        _ => return None,
    })
}

/// The elements of an array; one with holes or with others spread into it is not followed.
fn elements(
    source: &Source<'_>,
    array: Node<'_>,
    depth: u32,
    named: &mut bool,
) -> Option<Vec<Value>> {
    if has_holes(array) {
        return None;
    }
    let items = children(array).into_iter();
    items
        .map(|item| value_of(source, item, depth, named))
        .collect()
}

/// Whether there is nothing between two commas of an array.
pub(super) fn has_holes(array: Node<'_>) -> bool {
    let mut cursor = array.walk();
    let mut separated = true;
    for part in array.children(&mut cursor) {
        match part.kind() {
            "," if separated => return true,
            "," => separated = true,
            "[" | "]" | "comment" => {}
            _ => separated = false,
        }
    }
    false
}

fn fields(
    source: &Source<'_>,
    object: Node<'_>,
    depth: u32,
    named: &mut bool,
) -> Option<BTreeMap<String, Value>> {
    let mut fields = BTreeMap::new();
    for pair in children(object) {
        if pair.kind() != "pair" {
            return None;
        }
        let key = pair.child_by_field_name("key")?;
        let name = match key.kind() {
            "property_identifier" => source.text(key).to_owned(),
            "string" => literal_text(source, key)?,
            "number" if source.text(key).bytes().all(|byte| byte.is_ascii_digit()) => {
                source.text(key).to_owned()
            }
            _ => return None,
        };
        // It sets the prototype.
        if name == "__proto__" {
            return None;
        }
        let value = value_of(source, pair.child_by_field_name("value")?, depth, named)?;
        fields.insert(name, value);
    }
    Some(fields)
}

/// The value that a name is bound to, if it is bound once, by `const`, to something that nothing can change.
fn constant<'t>(source: &Source<'t>, name: &str) -> Option<Node<'t>> {
    let nodes = source.within(source.root()).iter();
    let mut bindings =
        nodes.filter(|node| source.text(**node) == name && is_binding(source, **node));
    let binding = *bindings.next()?;
    if bindings.next().is_some() {
        return None;
    }
    let declarator = source.parent(binding)?;
    let value = bare(declarator.child_by_field_name("value")?);
    let declaration = source.parent(declarator)?;
    let fixed = matches!(
        value.kind(),
        "number" | "string" | "template_string" | "true" | "false" | "null" | "unary_expression"
    );
    let is_const = source.text(declaration).starts_with("const");
    (declarator.kind() == "variable_declarator" && fixed && is_const).then_some(value)
}

/// A number as JavaScript writes it.
fn number(text: &str, negative: bool) -> Option<Value> {
    let text = text.replace('_', "");
    let sign = if negative { "-" } else { "" };
    if let Some(whole) = text.strip_suffix('n') {
        let plain = whole.bytes().all(|byte| byte.is_ascii_digit());
        return plain.then(|| Value::Big(format!("{sign}{whole}")));
    }
    let radix = |prefix: &str, base| {
        let digits = text.strip_prefix(prefix)?;
        u32::from_str_radix(digits, base).ok()
    };
    let lower = radix("0x", 16)
        .or_else(|| radix("0b", 2))
        .or_else(|| radix("0o", 8));
    let value = match lower {
        Some(value) => f64::from(value),
        // A leading 0 means another base to some.
        None if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") => return None,
        None => text.parse::<f64>().ok()?,
    };
    Some(Value::Number(format!("{sign}{value}")))
}
