//! The code in a file that can tell right from wrong.

use tree_sitter::Node;

use super::source::{Source, arguments, bare, children};
use super::tests::Tests;
use super::words::{Library, Role, Words};

/// How `expect` was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `expect(x)`, `expect.soft(x)`.
    Plain,
    /// `expect.poll(f)`, `expect.element(e)`: asked again until it holds.
    Polled,
}

/// One name after `expect(x)`: `resolves`, `not`, `toBe(1)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link<'t> {
    pub(super) name: &'t str,
    /// The chain up to the name.
    pub(super) node: Node<'t>,
    /// The call of it.
    pub(super) call: Option<Node<'t>>,
}

/// The parts of an assertion.
#[derive(Debug, Clone)]
pub(super) enum Shape<'t> {
    Expect {
        /// `expect(x)`
        subject: Node<'t>,
        form: Form,
        links: Vec<Link<'t>>,
    },
    /// `assert(x)`, `assert.equal(x, 1)`, `equal(x, 1)`
    Assert {
        call: Node<'t>,
        /// The object of the method, if it was not destructured.
        object: Option<Node<'t>>,
        /// `ok` for the plain call.
        method: &'t str,
        library: Library,
    },
    /// Something that asserts in a way of its own, or may do so elsewhere.
    Other,
}

/// One place that asserts.
#[derive(Debug, Clone)]
pub(super) struct Assertion<'t> {
    /// All of it, without `await`.
    pub(super) node: Node<'t>,
    pub(super) shape: Shape<'t>,
}

/// Words that only chai has.
const CHAI: [&str; 17] = [
    "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same",
    "but", "does", "still", "also",
];
/// Words with which people name functions that assert for them.
const ASSERTING: [&str; 8] = [
    "assert", "check", "verify", "expect", "ensure", "should", "compare", "validate",
];
/// Members of `expect` that fail, or ask something of the test as a whole.
const DIRECT: [&str; 4] = ["unreachable", "fail", "assertions", "hasAssertions"];

impl<'t> Assertion<'t> {
    /// Every assertion of a file, in order.
    pub(super) fn all(source: &Source<'t>, words: &Words, tests: &Tests<'t>) -> Vec<Self> {
        let mut found = Vec::new();
        for node in source.within(source.root()) {
            match node.kind() {
                "call_expression" => {
                    found.extend(Self::of_call(source, words, tests, *node));
                }
                // `x.should.equal(1)`
                "member_expression" => {
                    let property = node.child_by_field_name("property");
                    if property.is_some_and(|it| source.text(it) == "should") {
                        found.push(Self {
                            node: outermost(source, *node).0,
                            shape: Shape::Other,
                        });
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn of_call(
        source: &Source<'t>,
        words: &Words,
        tests: &Tests<'t>,
        call: Node<'t>,
    ) -> Option<Self> {
        let callee = bare(call.child_by_field_name("function")?);
        let role = |node: Node<'t>| {
            (node.kind() == "identifier").then(|| words.role(source.text(node)))?
        };
        if callee.kind() == "identifier" {
            return match role(callee)? {
                Role::Expect => Some(Self::expectation(source, call, Form::Plain)),
                Role::Assert(library) => Some(Self::plain_assert(call, library)),
                Role::AssertMethod(_) => {
                    let method = method_name(source, words, callee);
                    Some(Self {
                        node: call,
                        shape: Shape::Assert {
                            call,
                            object: None,
                            method,
                            library: words.assert_library(),
                        },
                    })
                }
                _ => None,
            };
        }
        if callee.kind() != "member_expression" {
            return None;
        }
        let object = bare(callee.child_by_field_name("object")?);
        let member = source.text(callee.child_by_field_name("property")?);
        let of_context =
            || object.kind() == "identifier" && tests.is_context(source, call, source.text(object));
        match (role(object), member) {
            (Some(Role::Expect), "soft") | (Some(Role::Runner), "expect") => {
                Some(Self::expectation(source, call, Form::Plain))
            }
            (Some(Role::Expect), "poll" | "element") => {
                Some(Self::expectation(source, call, Form::Polled))
            }
            (Some(Role::Expect), name) if DIRECT.contains(&name) => Some(Self {
                node: call,
                shape: Shape::Other,
            }),
            (Some(Role::Runner), "assert") => Some(Self::plain_assert(call, Library::Chai)),
            (Some(Role::Assert(library)), _) => Some(Self::method(source, call, callee, library)),
            (_, "expect") if of_context() => Some(Self::expectation(source, call, Form::Plain)),
            _ => {
                let (root, name) = (
                    object.child_by_field_name("object"),
                    object.child_by_field_name("property"),
                );
                let (root, name) = (bare(root?), source.text(name?));
                let library = match (role(root), name) {
                    (Some(Role::Assert(Library::Chai)), "strict")
                    | (Some(Role::Runner), "assert") => Library::Chai,
                    (Some(Role::Assert(_)), "strict") => Library::NodeStrict,
                    (_, "assert") if tests.is_context(source, call, source.text(root)) => {
                        Library::Node
                    }
                    _ => return None,
                };
                Some(Self::method(source, call, callee, library))
            }
        }
    }

    fn plain_assert(call: Node<'t>, library: Library) -> Self {
        Self {
            node: call,
            shape: Shape::Assert {
                call,
                object: None,
                method: "ok",
                library,
            },
        }
    }

    fn method(source: &Source<'t>, call: Node<'t>, callee: Node<'t>, library: Library) -> Self {
        let object = callee.child_by_field_name("object");
        let property = callee.child_by_field_name("property");
        Self {
            node: call,
            shape: Shape::Assert {
                call,
                object,
                method: property.map_or("", |property| source.text(property)),
                library,
            },
        }
    }

    fn expectation(source: &Source<'t>, subject: Node<'t>, form: Form) -> Self {
        let (node, links) = outermost(source, subject);
        Self {
            node,
            shape: Shape::Expect {
                subject,
                form,
                links,
            },
        }
    }

    /// The name that decides: `toBe`, `equal`; none of an `expect(x)` that asks nothing.
    pub(super) fn matcher(&self) -> Option<Link<'t>> {
        match &self.shape {
            Shape::Expect { links, .. } => {
                let said = |link: &&Link<'t>| !matches!(link.name, "not" | "resolves" | "rejects");
                let last = links.iter().rev().find(said).copied();
                last.filter(|link| {
                    link.call.is_some()
                        || self.is_chai() && !CHAI.contains(&link.name) && link.name != "deep"
                })
            }
            Shape::Assert { .. } | Shape::Other => None,
        }
    }

    /// Whether it is written in the words of chai.
    pub(super) fn is_chai(&self) -> bool {
        match &self.shape {
            Shape::Expect { links, .. } => links.iter().any(|link| CHAI.contains(&link.name)),
            Shape::Assert { library, .. } => *library == Library::Chai,
            Shape::Other => false,
        }
    }

    /// Whether it says the opposite of its words.
    pub(super) fn negation(&self) -> Option<Link<'t>> {
        match &self.shape {
            Shape::Expect { links, .. } => links.iter().find(|link| link.name == "not").copied(),
            Shape::Assert { .. } | Shape::Other => None,
        }
    }

    /// Whether it is a promise that has to be awaited.
    pub(super) fn is_promise(&self) -> bool {
        match &self.shape {
            Shape::Expect { form, links, .. } => {
                let waits = |link: &Link<'t>| {
                    matches!(
                        link.name,
                        "resolves"
                            | "rejects"
                            | "eventually"
                            | "rejectedWith"
                            | "fulfilled"
                            | "rejected"
                            | "toMatchFileSnapshot"
                    )
                };
                *form == Form::Polled || links.iter().any(waits)
            }
            Shape::Assert { method, .. } => matches!(*method, "rejects" | "doesNotReject"),
            Shape::Other => false,
        }
    }

    /// Whether it always holds, or always fails; none if that depends on the code under test.
    pub(super) fn constant(&self, source: &Source<'t>) -> Option<bool> {
        match &self.shape {
            Shape::Expect { subject, .. } => self.constant_expectation(source, *subject),
            Shape::Assert { call, method, .. } => constant_assert(source, *call, method),
            Shape::Other => None,
        }
    }

    fn constant_expectation(&self, source: &Source<'t>, subject: Node<'t>) -> Option<bool> {
        let actual = *arguments(subject).first()?;
        let matcher = self.matcher()?;
        let expected = matcher
            .call
            .and_then(|call| arguments(call).first().copied());
        let holds = match (matcher.name, expected) {
            ("toBe" | "toEqual" | "toStrictEqual" | "equal" | "eql" | "equals", Some(expected)) => {
                same(source, actual, expected)?
            }
            ("toBeTruthy" | "toBeDefined" | "ok" | "true", None) => fixed_truth(source, actual)?,
            ("toBeFalsy" | "false", None) => !fixed_truth(source, actual)?,
            _ => return None,
        };
        Some(holds != self.negation().is_some())
    }
}

/// The same text on both sides, or two values that are written down.
fn same(source: &Source<'_>, actual: Node<'_>, expected: Node<'_>) -> Option<bool> {
    let (actual, expected) = (bare(actual), bare(expected));
    if is_fixed(actual) && is_fixed(expected) {
        return Some(source.text(actual) == source.text(expected));
    }
    // `f(1)` may give something else the second time, and that it does not may be the point of the assertion.
    let names = |node: Node<'_>| matches!(node.kind(), "identifier" | "member_expression" | "this");
    (names(actual) && source.text(actual) == source.text(expected)).then_some(true)
}

fn constant_assert(source: &Source<'_>, call: Node<'_>, method: &str) -> Option<bool> {
    let given = arguments(call);
    match method {
        "fail" => Some(false),
        "ok" | "isOk" | "isTrue" => fixed_truth(source, *given.first()?),
        "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" => {
            same(source, *given.first()?, *given.get(1)?)
        }
        _ => None,
    }
}

/// Whether the value of an expression is written down, all of it.
pub(super) fn is_fixed(node: Node<'_>) -> bool {
    let node = bare(node);
    match node.kind() {
        "number" | "string" | "true" | "false" | "null" | "undefined" => true,
        "template_string" => !children(node)
            .iter()
            .any(|part| part.kind() == "template_substitution"),
        "unary_expression" => node
            .child_by_field_name("argument")
            .is_some_and(|inner| inner.kind() == "number"),
        "array" => children(node).into_iter().all(is_fixed),
        _ => false,
    }
}

fn fixed_truth(source: &Source<'_>, node: Node<'_>) -> Option<bool> {
    let node = bare(node);
    Some(match node.kind() {
        "true" | "array" | "object" | "arrow_function" | "function_expression" | "regex" => true,
        "false" | "null" | "undefined" => false,
        "number" => !matches!(source.text(node), "0" | "0n" | "0.0"),
        "string" => source.text(node).len() > 2,
        _ => return None,
    })
}

/// The name under which the module has the method: an import may have given it another.
fn method_name<'t>(source: &Source<'t>, words: &Words, callee: Node<'t>) -> &'t str {
    let local = source.text(callee);
    match words.role(local) {
        Some(Role::AssertMethod(name)) if name != local => COMPARING
            .iter()
            .chain(&FURTHER)
            .find(|known| **known == name)
            .copied()
            .unwrap_or(""),
        _ => local,
    }
}

/// Methods of `assert` that compare two values.
pub(super) const COMPARING: [&str; 8] = [
    "equal",
    "notEqual",
    "strictEqual",
    "notStrictEqual",
    "deepEqual",
    "notDeepEqual",
    "deepStrictEqual",
    "notDeepStrictEqual",
];
/// The other ones that can be imported by themselves.
const FURTHER: [&str; 8] = [
    "ok",
    "throws",
    "doesNotThrow",
    "rejects",
    "doesNotReject",
    "match",
    "doesNotMatch",
    "fail",
];

/// The whole chain of members and calls that begins with a node.
fn outermost<'t>(source: &Source<'t>, first: Node<'t>) -> (Node<'t>, Vec<Link<'t>>) {
    let mut node = first;
    let mut links: Vec<Link<'t>> = Vec::new();
    while let Some(parent) = source.parent(node) {
        let is = |field| parent.child_by_field_name(field).map(|it| it.id()) == Some(node.id());
        match parent.kind() {
            "member_expression" if is("object") => {
                let Some(property) = parent.child_by_field_name("property") else {
                    break;
                };
                // An awaited assertion gives a promise again.
                if matches!(source.text(property), "then" | "catch" | "finally") {
                    break;
                }
                links.push(Link {
                    name: source.text(property),
                    node: parent,
                    call: None,
                });
            }
            "call_expression" if is("function") => {
                if let Some(link) = links.last_mut() {
                    link.call = Some(parent);
                }
            }
            "non_null_expression" => {}
            _ => break,
        }
        node = parent;
    }
    (node, links)
}

/// Whether a function of this name asserts, as far as names tell.
pub(super) fn asserts_by_name(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_lowercase();
    ASSERTING.iter().any(|word| name.starts_with(word))
}
