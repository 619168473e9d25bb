//! Functions of a file that its tests call.

use std::collections::{BTreeSet, HashMap};

use tree_sitter::Node;

use super::flow::{Flow, Goes};
use super::source::{Source, is_async, is_function_value};
use super::tests::Tests;

/// A function with a name that nothing else in the file has.
#[derive(Debug)]
pub(super) struct Helper<'t> {
    pub(super) name: &'t str,
    pub(super) function: Node<'t>,
    /// Where the name is used: the call, or none where it is used in another way.
    pub(super) uses: Vec<(Node<'t>, Option<Node<'t>>)>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Helpers<'t> {
    pub(super) all: Vec<Helper<'t>>,
    by_function: HashMap<usize, usize>,
}

impl<'t> Helpers<'t> {
    /// Finds the helpers of a file.
    pub(super) fn of(source: &Source<'t>, tests: &Tests<'t>) -> Self {
        let mut helpers = Self::default();
        let mut bound: HashMap<&'t str, u32> = HashMap::new();
        let mut named: HashMap<&'t str, usize> = HashMap::new();
        for node in source.within(source.root()) {
            if is_binding(source, *node) {
                *bound.entry(source.text(*node)).or_default() += 1;
            }
            let Some((name, function)) = named_function(*node) else {
                continue;
            };
            if tests.owner(function).is_none() {
                let number = helpers.all.len();
                named.insert(source.text(name), number);
                helpers.by_function.insert(function.id(), number);
                helpers.all.push(Helper {
                    name: source.text(name),
                    function,
                    uses: Vec::new(),
                });
            }
        }
        named.retain(|name, _| bound.get(name) == Some(&1));
        helpers.find_uses(source, &named);
        let unique: BTreeSet<usize> = named.into_values().collect();
        helpers
            .by_function
            .retain(|_, number| unique.contains(number));
        helpers
    }

    fn find_uses(&mut self, source: &Source<'t>, named: &HashMap<&'t str, usize>) {
        for node in source.within(source.root()) {
            let is_name = matches!(node.kind(), "identifier" | "shorthand_property_identifier");
            let number = named.get(source.text(*node)).filter(|_| is_name);
            let Some(number) = number.copied() else {
                continue;
            };
            if is_binding(source, *node) {
                continue;
            }
            let parent = source.parent(*node);
            if parent.is_some_and(|parent| parent.kind() == "export_specifier") {
                continue;
            }
            let call = parent.filter(|parent| {
                parent.kind() == "call_expression"
                    && parent.child_by_field_name("function").map(|it| it.id()) == Some(node.id())
            });
            self.all[number].uses.push((*node, call));
        }
    }

    /// The number of a function, if it is one of these.
    pub(super) fn number(&self, function: Node<'_>) -> Option<usize> {
        self.by_function.get(&function.id()).copied()
    }

    /// The helpers whose errors always reach the calling test, or no test: in any other helper the fate of a failing
    /// assertion is unknown.
    pub(super) fn open(
        &self,
        flow: &Flow<'_, 't>,
        by_promise: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let mut open: BTreeSet<usize> = self.by_function.values().copied().collect();
        let mut waited_for = by_promise.clone();
        for (number, helper) in self.all.iter().enumerate() {
            if is_async(helper.function) {
                waited_for.insert(number);
            }
        }
        loop {
            let before = (open.len(), waited_for.len());
            for (number, helper) in self.all.iter().enumerate() {
                let by_promise = waited_for.contains(&number);
                for (_, call) in &helper.uses {
                    let goes = call.map(|call| {
                        let way = if by_promise {
                            flow.rejected_at(call)
                        } else {
                            flow.thrown_at(call)
                        };
                        if let (Goes::Helper(outer), true) = (way.goes, way.by_promise) {
                            waited_for.insert(outer);
                        }
                        way.goes
                    });
                    let arrives = match goes {
                        Some(Goes::Test(_) | Goes::Outside) => true,
                        Some(Goes::Helper(outer)) => open.contains(&outer),
                        Some(Goes::Lost) | None => false,
                    };
                    if !arrives {
                        open.remove(&number);
                    }
                }
            }
            if (open.len(), waited_for.len()) == before {
                return open;
            }
        }
    }
}

/// The name and the function of a declaration.
pub(super) fn named_function(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    match node.kind() {
        "function_declaration" | "generator_function_declaration" => {
            Some((node.child_by_field_name("name")?, node))
        }
        "variable_declarator" => {
            let name = node.child_by_field_name("name")?;
            let value = node.child_by_field_name("value")?;
            (name.kind() == "identifier" && is_function_value(value)).then_some((name, value))
        }
        _ => None,
    }
}

/// Whether a name is given a meaning here.
pub(super) fn is_binding(source: &Source<'_>, node: Node<'_>) -> bool {
    if node.kind() == "shorthand_property_identifier_pattern" {
        return true;
    }
    if node.kind() != "identifier" {
        return false;
    }
    let Some(parent) = source_parent(source, node) else {
        return false;
    };
    let is = |field: &str| parent.child_by_field_name(field).map(|it| it.id()) == Some(node.id());
    match parent.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "function_expression"
        | "class_declaration"
        | "variable_declarator" => is("name"),
        "formal_parameters" | "array_pattern" | "rest_pattern" | "import_clause"
        | "namespace_import" => true,
        "import_specifier" => is("alias") || parent.child_by_field_name("alias").is_none(),
        "required_parameter" | "optional_parameter" => is("pattern"),
        "arrow_function" | "catch_clause" => is("parameter"),
        "assignment_pattern" | "assignment_expression" | "for_in_statement" => is("left"),
        "pair_pattern" => is("value"),
        _ => false,
    }
}

fn source_parent<'t>(source: &Source<'t>, node: Node<'_>) -> Option<Node<'t>> {
    source.parent_of(node.id())
}
