//! One test file, understood.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{Node, Tree};

use super::flow::{Flow, Goes, Way};
use super::helpers::Helpers;
use super::oracle::{Assertion, Shape, asserts_by_name};
use super::source::{Source, bare, parameters};
use super::tests::Tests;
use super::words::Words;

/// An assertion and its place.
pub(super) struct Place<'t> {
    pub(super) assertion: Assertion<'t>,
    /// The innermost test whose function it is written in.
    pub(super) test: Option<usize>,
    /// The helpers whose functions it is written in, the innermost first.
    pub(super) helpers: Vec<usize>,
    /// Whether its failure surely ends the test that reaches it, wherever it is called from.
    pub(super) ends_test: bool,
}

/// A file with its tests and their assertions.
pub(super) struct File<'t> {
    pub(super) source: Source<'t>,
    pub(super) words: Words,
    pub(super) tests: Tests<'t>,
    pub(super) helpers: Helpers<'t>,
    pub(super) places: Vec<Place<'t>>,
    /// The helpers that each test calls, and that those call.
    called: BTreeMap<usize, BTreeSet<usize>>,
}

impl<'t> File<'t> {
    /// Reads the file.
    pub(super) fn new(path: &'t str, text: &'t str, tree: &'t Tree) -> Self {
        let source = Source::new(path, text, tree);
        let words = Words::of(&source);
        let tests = Tests::of(&source, &words);
        let helpers = Helpers::of(&source, &tests);
        let mut file = Self {
            source,
            words,
            tests,
            helpers,
            places: Vec::new(),
            called: BTreeMap::new(),
        };
        file.find_places();
        file.find_calls();
        file
    }

    pub(super) fn flow(&self) -> Flow<'_, 't> {
        Flow {
            source: &self.source,
            tests: &self.tests,
            helpers: &self.helpers,
        }
    }

    fn find_places(&mut self) {
        let mut assertions = Assertion::all(&self.source, &self.words, &self.tests);
        let seen: BTreeSet<usize> = assertions.iter().map(|it| it.node.id()).collect();
        let unseen = self.unseen().into_iter();
        assertions.extend(unseen.filter(|it| !seen.contains(&it.node.id())));
        let flow = self.flow();
        let ways: Vec<Way> = assertions
            .iter()
            .map(|assertion| {
                if assertion.is_promise() {
                    flow.rejected_at(assertion.node)
                } else {
                    flow.thrown_at(assertion.node)
                }
            })
            .collect();
        let by_promise = ways.iter().filter_map(|way| match way.goes {
            Goes::Helper(helper) if way.by_promise => Some(helper),
            _ => None,
        });
        let open = self.helpers.open(&flow, &by_promise.collect());
        let places = assertions.into_iter().zip(ways).map(|(assertion, way)| {
            let ends_test = match way.goes {
                Goes::Test(_) => true,
                Goes::Helper(helper) => open.contains(&helper),
                Goes::Outside | Goes::Lost => false,
            };
            Place {
                test: self.tests.around(&self.source, assertion.node),
                helpers: self.helpers_around(assertion.node),
                ends_test,
                assertion,
            }
        });
        let mut places: Vec<Place<'t>> = places.collect();
        places.sort_by_key(|place| place.assertion.node.start_byte());
        self.places = places;
    }

    /// Calls that may assert, in functions that are not written here: by where they come from, otherwise by their name.
    fn unseen(&self) -> Vec<Assertion<'t>> {
        let source = &self.source;
        let nodes = source.within(source.root()).iter().copied();
        let calls = nodes.filter(|node| node.kind() == "call_expression");
        let may_assert = |call: &Node<'t>| {
            let callee = call.child_by_field_name("function").map(bare);
            let Some(callee) = callee else { return false };
            match callee.kind() {
                "identifier" => {
                    let name = source.text(callee);
                    if self.is_finisher(*call, name) {
                        return true;
                    }
                    let module = self.words.module_of(name);
                    let known = self.helpers.all.iter().any(|helper| helper.name == name);
                    let role = self.words.role(name).is_some() && module.is_none();
                    !known && !role && (asserts_by_name(name) || module.is_some_and(holds_helpers))
                }
                "member_expression" => self.member_may_assert(*call, callee),
                _ => false,
            }
        };
        calls
            .filter(may_assert)
            .map(|node| Assertion {
                node,
                shape: Shape::Other,
            })
            .collect()
    }

    /// `sinon.assert.calledOnce(spy)`, `request(app).get('/').expect(200)`, `done.fail()`
    fn member_may_assert(&self, call: Node<'t>, callee: Node<'t>) -> bool {
        let text = |field| {
            let node = callee.child_by_field_name(field);
            node.map_or("", |node| self.source.text(node))
        };
        let (object, member) = (text("object"), text("property"));
        let root = object.split(['.', '(', '[']).next().unwrap_or_default();
        if self.words.role(root).is_some() && self.words.module_of(root).is_none() {
            return matches!(object, "expectTypeOf");
        }
        let foreign = object.ends_with(".assert") || object == "sinon.assert";
        let fails = matches!(member, "fail") && self.is_finisher(call, object);
        let helper = self.words.module_of(root).is_some_and(holds_helpers);
        foreign || fails || helper || asserts_by_name(member)
    }

    /// Whether a name is the second way for a test to say how it went: `done`.
    fn is_finisher(&self, node: Node<'t>, name: &str) -> bool {
        let Some(test) = self.tests.around(&self.source, node) else {
            return false;
        };
        let function = self.tests.all[test].call.function;
        name == "done"
            && function.is_some_and(|function| {
                parameters(function)
                    .iter()
                    .any(|parameter| self.source.text(*parameter).starts_with("done"))
            })
    }

    fn helpers_around(&self, node: Node<'t>) -> Vec<usize> {
        self.source
            .around(node)
            .filter_map(|outer| self.helpers.number(outer))
            .collect()
    }

    /// Which helpers every test calls.
    fn find_calls(&mut self) {
        let mut by_helper: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut by_test: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (number, helper) in self.helpers.all.iter().enumerate() {
            for (name, _) in &helper.uses {
                for outer in self.helpers_around(*name) {
                    by_helper.entry(outer).or_default().insert(number);
                }
                if let Some(test) = self.test_using(*name) {
                    by_test.entry(test).or_default().insert(number);
                }
            }
        }
        for called in by_test.values_mut() {
            let mut waiting: Vec<usize> = called.iter().copied().collect();
            while let Some(helper) = waiting.pop() {
                for next in by_helper.get(&helper).into_iter().flatten() {
                    if called.insert(*next) {
                        waiting.push(*next);
                    }
                }
            }
        }
        self.called = by_test;
    }

    /// The test whose function, or its replacement, contains a node.
    fn test_using(&self, node: Node<'t>) -> Option<usize> {
        self.tests.around(&self.source, node).or_else(|| {
            self.tests.all.iter().position(|test| {
                let code = test.call.code;
                code.is_some_and(|code| self.source.is_within(node, code))
            })
        })
    }

    /// The places that a test may reach: its own, and those of helpers that it calls.
    pub(super) fn places_of(&self, test: usize) -> Vec<&Place<'t>> {
        let called = self.called.get(&test);
        let calls = |place: &Place<'t>| {
            called.is_some_and(|called| place.helpers.iter().any(|it| called.contains(it)))
        };
        let code = self.tests.all[test].call.code;
        self.places
            .iter()
            .filter(|place| match place.test {
                Some(own) => own == test,
                None => {
                    calls(place)
                        || code
                            .is_some_and(|code| self.source.is_within(place.assertion.node, code))
                }
            })
            .collect()
    }

    /// Whether a helper with this place is also called by something other than a test: a hook, another file.
    pub(super) fn is_called_outside(&self, place: &Place<'t>) -> bool {
        let flow = self.flow();
        let mut waiting = place.helpers.clone();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while let Some(helper) = waiting.pop() {
            if !seen.insert(helper) {
                continue;
            }
            for (_, call) in &self.helpers.all[helper].uses {
                let Some(call) = call else { return true };
                let way = match flow.rejected_at(*call).goes {
                    Goes::Lost => flow.thrown_at(*call).goes,
                    goes => goes,
                };
                match way {
                    Goes::Outside | Goes::Lost => return true,
                    Goes::Helper(outer) => waiting.push(outer),
                    Goes::Test(_) => {}
                }
            }
        }
        place.helpers.is_empty()
    }

    /// Whether a test has others inside it.
    pub(super) fn has_parts(&self, test: usize) -> bool {
        let mut all = self.tests.all.iter();
        all.any(|other| other.call.parent == Some(test))
    }
}

/// Whether a module of this name may hold helpers of tests, which are given the benefit of the doubt.
fn holds_helpers(module: &str) -> bool {
    let parts = module.split(['/', '.', '-', '_', '@', ':']);
    let words = [
        "test", "tests", "testing", "helper", "helpers", "util", "utils", "spec", "fixtures",
        "support", "setup",
    ];
    parts
        .filter(|part| !part.is_empty())
        .any(|part| words.contains(&part.to_lowercase().as_str()) || part.starts_with("test"))
}
