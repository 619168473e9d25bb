//! Where an error thrown at a place goes: to the test, or to code that may swallow it.

use tree_sitter::Node;

use super::helpers::Helpers;
use super::source::{Source, arguments, bare, is_async, is_function, is_generator};
use super::tests::{Owner, Tests};

/// Methods that call their argument at once and swallow no error.
const CALLED_AT_ONCE: [&str; 15] = [
    "forEach",
    "map",
    "flatMap",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "some",
    "every",
    "reduce",
    "reduceRight",
    "sort",
    "replace",
    "replaceAll",
    "from",
];

/// The receiver of the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    /// The test of this number.
    Test(usize),
    /// The callers of the helper of this number.
    Helper(usize),
    /// No test: a hook, or code that runs while tests are collected.
    Outside,
    /// Code that may swallow it, or nothing.
    Lost,
}

/// The fate of a promise.
#[derive(Debug, Clone, Copy)]
pub(super) enum Waited<'t> {
    /// Its error is thrown here.
    At(Node<'t>),
    /// This function returns it.
    Returned(Node<'t>),
    /// Nothing holds it.
    Dropped,
    /// It goes somewhere else.
    Unknown,
}

/// The functions of a file, as far as errors go through them.
#[derive(Clone, Copy)]
pub(super) struct Flow<'s, 't> {
    pub(super) source: &'s Source<'t>,
    pub(super) tests: &'s Tests<'t>,
    pub(super) helpers: &'s Helpers<'t>,
}

/// An error on its way, and whether a helper that it leaves has to be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) goes: Goes,
    pub(super) by_promise: bool,
}

impl<'t> Flow<'_, 't> {
    /// The way of an error that is thrown here.
    pub(super) fn thrown_at(&self, node: Node<'t>) -> Way {
        let lost = Way {
            goes: Goes::Lost,
            by_promise: false,
        };
        let mut node = node;
        while let Some(parent) = self.source.parent(node) {
            if parent.kind() == "try_statement" && catches(parent, node) {
                return lost;
            }
            if !is_function(parent) {
                node = parent;
                continue;
            }
            match self.leaves(parent, is_async(parent)) {
                Next::Ends(way) => return way,
                Next::At(next) => node = next,
            }
        }
        Way {
            goes: Goes::Outside,
            by_promise: false,
        }
    }

    /// The way of an error that a promise brings.
    pub(super) fn rejected_at(&self, node: Node<'t>) -> Way {
        match waited(self.source, node) {
            Waited::At(place) => self.thrown_at(place),
            Waited::Returned(function) => match self.leaves(function, true) {
                Next::Ends(way) => way,
                Next::At(next) => self.thrown_at(next),
            },
            Waited::Dropped | Waited::Unknown => Way {
                goes: Goes::Lost,
                by_promise: false,
            },
        }
    }

    /// Where an error goes that leaves a function, directly or through the promise that the function returns.
    fn leaves(&self, function: Node<'t>, by_promise: bool) -> Next<'t> {
        let ends = |goes| Next::Ends(Way { goes, by_promise });
        match self.tests.owner(function) {
            Some(Owner::Test(test)) => return ends(Goes::Test(test)),
            Some(Owner::Suite(_) | Owner::Hook) => return ends(Goes::Outside),
            None => {}
        }
        if is_generator(function) {
            return ends(Goes::Lost);
        }
        if let Some(helper) = self.helpers.number(function) {
            return ends(Goes::Helper(helper));
        }
        let Some((call, role)) = taker(self.source, function) else {
            return ends(Goes::Lost);
        };
        let at_once = matches!(role, Taker::AtOnce | Taker::Itself);
        if at_once && !by_promise {
            return Next::At(call);
        }
        match (role, waited(self.source, call)) {
            (Taker::Other, _) | (_, Waited::Dropped | Waited::Unknown) => ends(Goes::Lost),
            (_, Waited::At(place)) => Next::At(place),
            (_, Waited::Returned(outer)) => self.leaves(outer, true),
        }
    }
}

enum Next<'t> {
    Ends(Way),
    At(Node<'t>),
}

/// How a function is used in place.
#[derive(Clone, Copy)]
enum Taker {
    /// It is called at once.
    AtOnce,
    /// It is called where it is written.
    Itself,
    /// It is called when a promise is settled, or makes one.
    Promise,
    Other,
}

/// The call that a function is given to.
fn taker<'t>(source: &Source<'t>, function: Node<'t>) -> Option<(Node<'t>, Taker)> {
    let mut node = function;
    let mut parent = source.parent(node)?;
    while parent.kind() == "parenthesized_expression" {
        node = parent;
        parent = source.parent(node)?;
    }
    let called = parent.child_by_field_name("function").map(|it| it.id());
    if parent.kind() == "call_expression" && called == Some(node.id()) {
        return Some((parent, Taker::Itself));
    }
    if parent.kind() != "arguments" {
        return None;
    }
    let call = source.parent(parent)?;
    if call.kind() == "new_expression" {
        let made = call.child_by_field_name("constructor")?;
        let promise = source.text(made) == "Promise";
        return promise.then_some((call, Taker::Promise));
    }
    let what = bare(call.child_by_field_name("function")?);
    let method = what.child_by_field_name("property")?;
    let given = arguments(call);
    let use_of_it = match source.text(method) {
        // A second function gets the errors of others, not of the first.
        "then" if given.len() <= 2 => Taker::Promise,
        "catch" | "finally" => Taker::Promise,
        name if CALLED_AT_ONCE.contains(&name) => Taker::AtOnce,
        _ => Taker::Other,
    };
    Some((call, use_of_it))
}

/// Whether an error inside a part of a `try` ends there.
fn catches(statement: Node<'_>, part: Node<'_>) -> bool {
    let is_body = statement.child_by_field_name("body").map(|it| it.id()) == Some(part.id());
    is_body && statement.child_by_field_name("handler").is_some()
}

/// The fate of the promise that an expression gives.
pub(super) fn waited<'t>(source: &Source<'t>, node: Node<'t>) -> Waited<'t> {
    let mut node = node;
    while let Some(parent) = source.parent(node) {
        let is = |field| parent.child_by_field_name(field).map(|it| it.id()) == Some(node.id());
        match parent.kind() {
            "await_expression" => return Waited::At(parent),
            "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "array" => {}
            "ternary_expression" if !is("condition") => {}
            "binary_expression" if is("right") => {}
            "return_statement" => {
                let function = source.function_around(parent);
                return function.map_or(Waited::Unknown, Waited::Returned);
            }
            "arrow_function" if is("body") => return Waited::Returned(parent),
            "expression_statement" => return Waited::Dropped,
            "unary_expression" if source.text(parent).starts_with("void") => {
                return Waited::Dropped;
            }
            "arguments" => {
                let call = source.parent(parent);
                let callee = call.and_then(|call| call.child_by_field_name("function"));
                let together = callee.is_some_and(|callee| source.text(callee) == "Promise.all");
                let Some(call) = call.filter(|_| together) else {
                    return Waited::Unknown;
                };
                node = call;
                continue;
            }
            "member_expression" if is("object") => {
                let Some(call) = passed_on(source, parent) else {
                    return Waited::Unknown;
                };
                node = call;
                continue;
            }
            _ => return Waited::Unknown,
        }
        node = parent;
    }
    Waited::Unknown
}

/// The call of `then` with one function, or of `finally`: an error goes through it.
fn passed_on<'t>(source: &Source<'t>, member: Node<'t>) -> Option<Node<'t>> {
    let name = source.text(member.child_by_field_name("property")?);
    let call = source.parent(member)?;
    let is_callee = call.kind() == "call_expression"
        && call.child_by_field_name("function").map(|it| it.id()) == Some(member.id());
    let passes = match name {
        "then" => arguments(call).len() == 1,
        "finally" => true,
        _ => false,
    };
    (is_callee && passes).then_some(call)
}
