//! The meaning of an expression in any spelling: `process.exit`, `process["ex" + "it"]`, `globalThis.process.exit`, and
//! the same through aliases for a part of it.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::names::{all, is_around, named, specifier_of, text_of};

/// Names of the object that everything global belongs to.
const GLOBALS: [&str; 4] = ["globalThis", "global", "window", "self"];

/// How far a name is followed.
const DEPTH: usize = 8;

/// A text that is known without running anything: a literal, or several put together.
pub(crate) fn known_text(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "string" | "template_string" => {
            let mut found = String::new();
            for part in named(node) {
                match part.kind() {
                    "string_fragment" => found.push_str(text_of(part, text)),
                    "escape_sequence" => found.push_str(&escaped(text_of(part, text))?),
                    "template_substitution" => {
                        found.push_str(&known_text(*named(part).first()?, text)?);
                    }
                    _ => return None,
                }
            }
            Some(found)
        }
        "binary_expression" => {
            let operator = node.child_by_field_name("operator")?;
            let side = |name: &str| known_text(node.child_by_field_name(name)?, text);
            (text_of(operator, text) == "+").then_some(())?;
            Some(side("left")? + &side("right")?)
        }
        kind if is_around(kind) => known_text(*named(node).first()?, text),
        _ => None,
    }
}

/// The character that an escape sequence denotes.
fn escaped(sequence: &str) -> Option<String> {
    let rest = sequence.strip_prefix('\\')?;
    let digits = rest
        .strip_prefix(['x', 'u'])
        .map(|digits| digits.trim_matches(['{', '}']));
    let coded = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let character = match (coded, rest.chars().next()?) {
        (Some(code), _) => char::from_u32(code)?,
        (None, 'n') => '\n',
        (None, 't') => '\t',
        (None, other) => other,
    };
    Some(character.to_string())
}

/// The meaning of a file's names.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    /// Names that were given to something that has a name already.
    others: BTreeMap<String, Vec<String>>,
    /// Names that the file itself gives to something else.
    own: BTreeMap<String, usize>,
}

/// A module in a path of names.
fn module_name(specifier: &str) -> String {
    specifier
        .strip_prefix("node:")
        .unwrap_or(specifier)
        .to_owned()
}

impl Spelling {
    pub(crate) fn of(root: Node<'_>, text: &str) -> Self {
        let mut spelling = Self::default();
        for node in all(root) {
            match node.kind() {
                "import_statement" => spelling.import(node, text),
                "variable_declarator" => spelling.declare(node, text),
                "function_declaration" | "class_declaration" => {
                    spelling.owns(node.child_by_field_name("name"), text);
                }
                "formal_parameters" => {
                    let names = all(node).filter(|part| part.kind() == "identifier");
                    names.for_each(|name| spelling.owns(Some(name), text));
                }
                _ => {}
            }
        }
        spelling
    }

    fn owns(&mut self, name: Option<Node<'_>>, text: &str) {
        if let Some(name) = name {
            *self.own.entry(text_of(name, text).to_owned()).or_default() += 1;
        }
    }

    fn import(&mut self, statement: Node<'_>, text: &str) {
        let Some(specifier) = specifier_of(statement, text) else {
            return;
        };
        let module = module_name(specifier);
        for node in all(statement) {
            let parent = node.parent().map_or("", |parent| parent.kind());
            match (node.kind(), parent) {
                ("identifier", "import_clause" | "namespace_import") => {
                    let path = vec![module.clone()];
                    self.others.insert(text_of(node, text).to_owned(), path);
                }
                ("import_specifier", _) => {
                    let name = node.child_by_field_name("name");
                    let alias = node.child_by_field_name("alias").or(name);
                    if let (Some(name), Some(alias)) = (name, alias) {
                        let name = text_of(name, text).to_owned();
                        let path = match name.as_str() {
                            "default" => vec![module.clone()],
                            _ => vec![module.clone(), name],
                        };
                        self.others.insert(text_of(alias, text).to_owned(), path);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare(&mut self, declarator: Node<'_>, text: &str) {
        let name = declarator.child_by_field_name("name");
        let value = declarator.child_by_field_name("value");
        let path = value.and_then(|value| self.path(value, text));
        match (name, path) {
            (Some(name), Some(path)) if name.kind() == "identifier" => {
                self.others.insert(text_of(name, text).to_owned(), path);
            }
            (Some(name), Some(path)) if name.kind() == "object_pattern" => {
                for (key, alias) in taken(name, text) {
                    let mut path = path.clone();
                    path.push(key);
                    self.others.insert(alias, path);
                }
            }
            (name, _) => self.owns(name.filter(|name| name.kind() == "identifier"), text),
        }
    }

    /// The names that lead to an expression's meaning, starting from a global or a module; none if it is anything else.
    pub(crate) fn path(&self, node: Node<'_>, text: &str) -> Option<Vec<String>> {
        self.path_within(node, text, DEPTH)
    }

    fn path_within(&self, node: Node<'_>, text: &str, depth: usize) -> Option<Vec<String>> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "identifier" | "shorthand_property_identifier" => {
                let name = text_of(node, text);
                if let Some(path) = self.others.get(name) {
                    return Some(path.clone());
                }
                if GLOBALS.contains(&name) {
                    return Some(Vec::new());
                }
                (!self.own.contains_key(name)).then(|| vec![name.to_owned()])
            }
            "member_expression" | "subscript_expression" => {
                if text_of(node, text) == "import.meta" {
                    return Some(vec!["import.meta".to_owned()]);
                }
                let object = node.child_by_field_name("object")?;
                let mut path = match object.kind() {
                    "meta_property" => vec!["import.meta".to_owned()],
                    _ => self.path_within(object, text, depth)?,
                };
                let name = match node.child_by_field_name("property") {
                    Some(property) => text_of(property, text).to_owned(),
                    None => known_text(node.child_by_field_name("index")?, text)?,
                };
                path.push(name);
                Some(path)
            }
            "call_expression" => {
                let function = node.child_by_field_name("function")?;
                let loads = matches!(text_of(function, text), "require" | "import")
                    || text_of(function, text) == "process.getBuiltinModule";
                let arguments = node.child_by_field_name("arguments").filter(|_| loads)?;
                let specifier = known_text(*named(arguments).first()?, text)?;
                Some(vec![module_name(&specifier)])
            }
            kind if is_around(kind) => self.path_within(*named(node).first()?, text, depth),
            _ => None,
        }
    }
}

/// The parts that a pattern takes out of an object, and the names that they get.
pub(crate) fn taken(pattern: Node<'_>, text: &str) -> Vec<(String, String)> {
    let parts = named(pattern)
        .into_iter()
        .filter_map(|part| match part.kind() {
            "shorthand_property_identifier_pattern" => {
                let name = text_of(part, text).to_owned();
                Some((name.clone(), name))
            }
            "pair_pattern" => {
                let key = part.child_by_field_name("key")?;
                let key = match key.kind() {
                    "computed_property_name" => known_text(*named(key).first()?, text)?,
                    "string" => known_text(key, text)?,
                    _ => text_of(key, text).to_owned(),
                };
                let value = part.child_by_field_name("value")?;
                Some((key, text_of(value, text).to_owned()))
            }
            _ => None,
        });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::{Spelling, known_text};
    use crate::javascript::names::{all, named};
    use crate::javascript::parsing::parse;

    /// The path of the last statement's expression.
    fn path(text: &str) -> Option<String> {
        let tree = parse("a.js", text).expect("a tree");
        let spelling = Spelling::of(tree.root_node(), text);
        let last = named(tree.root_node()).pop()?;
        let path = spelling.path(*named(last).first()?, text)?;
        Some(path.join("."))
    }

    #[test]
    fn every_spelling_leads_to_the_same_name() {
        for text in [
            "process.exit",
            "process['exit']",
            "process[`exit`]",
            "process['ex' + 'it']",
            "process['\\x65xit']",
            "globalThis.process.exit",
            "global['process'].exit",
            "(process).exit",
            "const p = process; p.exit",
            "const { exit } = process; exit",
            "const { exit: e } = process; e",
            "import { exit } from 'node:process'; exit",
            "import p from 'process'; p.exit",
            "require('node:process').exit",
            "const p = require('process'); p['exit']",
        ] {
            assert_eq!(path(text).as_deref(), Some("process.exit"), "{text}");
        }
    }

    #[test]
    fn what_is_the_files_own_leads_nowhere() {
        for text in [
            "function process() {}\nprocess.exit",
            "function f(process) { return process }\nprocess.exit",
            "process[name]",
            "f().exit",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_known_where_nothing_has_to_run() {
        for (text, expected) in [
            ("'a'", Some("a")),
            ("`a${'b'}`", Some("ab")),
            ("'a' + ('b' + 'c')", Some("abc")),
            ("'\\u0061\\n'", Some("a\n")),
            ("'a' + b", None),
            ("`a${b}`", None),
        ] {
            let tree = parse("a.js", text).expect("a tree");
            let statement =
                all(tree.root_node()).find(|node| node.kind() == "expression_statement");
            let inner = statement.and_then(|node| named(node).first().copied());
            let found = inner.and_then(|inner| known_text(inner, text));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
