//! A test's problems, as far as they can be read.

use tree_sitter::Node;

use super::file::{File, Place};
use super::flow::{Waited, waited};
use super::oracle::{Form, Shape};
use super::source::{
    arguments, bare, children, is_function, is_function_value, line_of, parameters,
};
use super::tests::context_name;
use super::words::taken;
use crate::gate::{Rule, Weakness};

/// Matchers that compare with a stored result of an earlier run.
const STORED: [&str; 2] = ["toMatchSnapshot", "toThrowErrorMatchingSnapshot"];
/// The same, written into the test itself.
const INLINE: [&str; 2] = [
    "toMatchInlineSnapshot",
    "toThrowErrorMatchingInlineSnapshot",
];

fn weakness(rule: Rule, node: Node<'_>, message: impl Into<String>) -> Weakness {
    Weakness {
        rule,
        line: line_of(node),
        message: message.into(),
        order: None,
        certain: false,
    }
}

impl Weakness {
    fn so(mut self, order: &str) -> Self {
        self.order = Some(order.to_owned());
        self
    }

    fn for_certain(mut self) -> Self {
        self.certain = true;
        self
    }
}

/// One test of a file, looked at.
pub(super) struct Look<'f, 't> {
    pub(super) file: &'f File<'t>,
    pub(super) test: usize,
    /// Whether a snapshot of it is stored.
    pub(super) has_snapshot: bool,
}

impl<'t> Look<'_, 't> {
    /// Everything that an honest new test does not have.
    pub(super) fn weaknesses(&self) -> Vec<Weakness> {
        let mut found = self.said_about_it();
        found.extend(self.asked_while_running());
        found.extend(self.empty_table());
        found.extend(self.fails_always());
        found.extend(self.assertions_that_hold_nothing());
        if found.is_empty() {
            found.extend(self.no_oracle());
        }
        found
    }

    /// How many places of it can tell right from wrong.
    pub(super) fn oracles(&self) -> usize {
        let places = self.file.places_of(self.test);
        places.iter().filter(|place| self.tells(place)).count()
    }

    /// Whether everything in it that can tell right from wrong is inverted by a maker of twins.
    pub(super) fn is_whole(&self, turned: &dyn Fn(&Place<'t>) -> bool) -> bool {
        let places = self.file.places_of(self.test);
        let telling: Vec<_> = places.iter().filter(|place| self.tells(place)).collect();
        !telling.is_empty() && telling.into_iter().all(|place| turned(place))
    }

    fn tells(&self, place: &Place<'t>) -> bool {
        let assertion = &place.assertion;
        match &assertion.shape {
            Shape::Expect { .. } => {
                let matcher = assertion.matcher();
                let stored = matcher.is_some_and(|it| STORED.contains(&it.name));
                matcher.is_some()
                    && assertion.constant(&self.file.source) != Some(true)
                    && (!stored || self.has_snapshot)
            }
            Shape::Assert { .. } => assertion.constant(&self.file.source) != Some(true),
            Shape::Other => !self.only_counts(assertion.node),
        }
    }

    /// `expect.assertions(2)` counts assertions and is none.
    fn only_counts(&self, call: Node<'t>) -> bool {
        let callee = call.child_by_field_name("function");
        let text = callee.map_or("", |callee| self.file.source.text(callee));
        text.ends_with(".assertions") || text.ends_with(".hasAssertions")
    }

    /// Words and options by which it is left out, expected to fail, or run again.
    fn said_about_it(&self) -> Vec<Weakness> {
        let source = &self.file.source;
        let mut found = Vec::new();
        for call in self.file.tests.calls_of(self.test) {
            for modifier in &call.modifiers {
                if let Some((rule, message)) = meaning(&modifier.word, &modifier.word) {
                    found.push(Weakness {
                        rule,
                        line: modifier.line,
                        message,
                        order: None,
                        certain: false,
                    });
                }
            }
            for name in ["skip", "todo", "only", "fails", "failing", "retry"] {
                let value = call.option(source, name);
                let said = value.and_then(|_| meaning(name, name));
                if let (Some(value), Some((rule, message))) = (value, said) {
                    found.push(weakness(rule, value, message));
                }
            }
        }
        found
    }

    /// `ctx.skip()`, `t.todo()`
    fn asked_while_running(&self) -> Vec<Weakness> {
        let source = &self.file.source;
        let Some(function) = self.file.tests.all[self.test].call.function else {
            return Vec::new();
        };
        let context = context_name(source, function);
        let own: Vec<String> = parameters(function)
            .first()
            .filter(|first| first.kind() == "object_pattern")
            .map(|pattern| taken(source, *pattern))
            .into_iter()
            .flatten()
            .filter(|(name, _)| matches!(name.as_str(), "skip" | "todo"))
            .map(|(_, local)| local)
            .collect();
        let mut found = Vec::new();
        for node in source.within(function) {
            if node.kind() != "call_expression" {
                continue;
            }
            let callee = node.child_by_field_name("function");
            let said = callee.map_or("", |callee| source.text(callee));
            let asks = match said.split_once('.') {
                Some((root, member)) => context == Some(root) && matches!(member, "skip" | "todo"),
                None => own.iter().any(|name| name == said),
            };
            if asks {
                let message = format!("asks to be left out, by {said}()");
                found.push(weakness(Rule::Skipped, *node, message));
            }
        }
        found
    }

    fn empty_table(&self) -> Option<Weakness> {
        let calls = self.file.tests.calls_of(self.test);
        let tables = calls.into_iter().filter_map(|call| call.table);
        let empty = |table: &Node<'t>| {
            let rows = children(*table);
            table.kind() == "arguments"
                && rows.first().is_some_and(|rows| {
                    bare(*rows).kind() == "array" && children(bare(*rows)).is_empty()
                })
        };
        let message = "has an empty table of cases, so it never runs";
        tables
            .into_iter()
            .find(empty)
            .map(|table| weakness(Rule::EmptyParametrisation, table, message))
    }

    /// An assertion that always fails, where every run passes.
    fn fails_always(&self) -> Option<Weakness> {
        let function = self.file.tests.all[self.test].call.function?;
        let body = function.child_by_field_name("body")?;
        let message = "fails whatever the code does";
        let order = "assert what the document asks for";
        let places = self.file.places_of(self.test);
        for statement in always_run(body) {
            let thrown = statement.kind() == "throw_statement";
            let decreed = places.iter().any(|place| {
                let statement_of = self.statement_of(place.assertion.node);
                let fails = place.assertion.constant(&self.file.source) == Some(false)
                    || self.is_unreachable(place.assertion.node);
                statement_of.map(|it| it.id()) == Some(statement.id()) && fails
            });
            if thrown || decreed {
                return Some(weakness(Rule::ConstantFalse, statement, message).so(order));
            }
        }
        None
    }

    fn is_unreachable(&self, call: Node<'t>) -> bool {
        let callee = call.child_by_field_name("function");
        let text = callee.map_or("", |callee| self.file.source.text(callee));
        matches!(text, "expect.unreachable" | "expect.fail")
    }

    /// The statement that an expression is, alone or waited for.
    fn statement_of(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut around = self.file.source.around(node);
        around
            .find(|outer| outer.kind() != "await_expression")
            .filter(|outer| outer.kind() == "expression_statement")
    }

    /// Assertions that check nothing, or that are not awaited.
    fn assertions_that_hold_nothing(&self) -> Vec<Weakness> {
        let mut found = Vec::new();
        let places = self.file.places_of(self.test);
        for place in places {
            let assertion = &place.assertion;
            let node = assertion.node;
            if let Shape::Expect { form, .. } = assertion.shape {
                let dropped = matches!(waited(&self.file.source, node), Waited::Dropped);
                let Some(matcher) = assertion.matcher() else {
                    if dropped || self.statement_of(node).is_some() {
                        let message = "calls expect and asks nothing of it, which holds always";
                        found.push(
                            weakness(Rule::NoOracle, node, message)
                                .so("call a matcher: expect(x).toBe(1)"),
                        );
                    }
                    continue;
                };
                let bare_inline = INLINE.contains(&matcher.name)
                    && !matcher.call.is_some_and(|call| {
                        arguments(call).iter().any(|it| {
                            matches!(it.kind(), "string" | "template_string" | "identifier")
                        })
                    });
                if bare_inline || STORED.contains(&matcher.name) && !self.has_snapshot {
                    let message = "compares with a snapshot that is not stored yet: it holds whatever the code gives";
                    found.push(
                        weakness(Rule::NoOracle, node, message)
                            .so("write down the value that is expected")
                            .for_certain(),
                    );
                }
                if form == Form::Polled && dropped {
                    found.push(unwaited(node));
                    continue;
                }
            }
            if assertion.is_promise() && matches!(waited(&self.file.source, node), Waited::Dropped)
            {
                found.push(unwaited(node));
            }
        }
        found
    }

    /// No assertion tells right from wrong, or only one that the code itself can satisfy.
    fn no_oracle(&self) -> Option<Weakness> {
        let file = self.file;
        let call = &file.tests.all[self.test].call;
        let code_is_foreign = call.function.is_none() && call.code.is_some();
        if file.has_parts(self.test) || self.throws_on_a_condition() {
            return None;
        }
        let places = file.places_of(self.test);
        let telling: Vec<&&Place<'t>> = places.iter().filter(|place| self.tells(place)).collect();
        if telling.is_empty() {
            if code_is_foreign && !self.is_local(call.code) {
                return None;
            }
            let constant = places
                .iter()
                .any(|place| place.assertion.constant(&file.source) == Some(true));
            let message = if constant {
                "asserts only what is true whatever the code does, so it cannot tell right from wrong"
            } else {
                "asserts nothing, so it cannot tell right from wrong"
            };
            return Some(weakness(Rule::NoOracle, call.node, message));
        }
        let counts = places
            .iter()
            .any(|place| self.only_counts(place.assertion.node));
        let skippable = |place: &&Place<'t>| place.test.is_some() && self.can_be_passed_by(place);
        if !counts && telling.iter().all(|place| skippable(place)) {
            let place = telling.first()?;
            let message = "asserts only where the code may never lead: it passes if no error is thrown, or a condition \
                           is not met";
            return Some(
                weakness(Rule::NoOracle, place.assertion.node, message)
                    .so("assert it always; expect(…).toThrow() asks for an error"),
            );
        }
        None
    }

    fn is_local(&self, code: Option<Node<'t>>) -> bool {
        let file = self.file;
        code.is_some_and(|code| {
            let name = file.source.text(code);
            file.helpers.all.iter().any(|helper| helper.name == name)
        })
    }

    /// Whether a test throws an error if something does not hold.
    fn throws_on_a_condition(&self) -> bool {
        let source = &self.file.source;
        let Some(function) = self.file.tests.all[self.test].call.function else {
            return false;
        };
        source.within(function).iter().any(|node| {
            node.kind() == "throw_statement"
                && source
                    .around(*node)
                    .take_while(|outer| outer.id() != function.id())
                    .any(|outer| {
                        matches!(
                            outer.kind(),
                            "if_statement" | "try_statement" | "switch_statement"
                        )
                    })
        })
    }

    /// Whether the code under test decides if the test reaches an assertion.
    fn can_be_passed_by(&self, place: &Place<'t>) -> bool {
        let source = &self.file.source;
        let function = self.file.tests.all[self.test].call.function;
        let node = place.assertion.node;
        let mut inner = node;
        for outer in source.around(node) {
            if Some(outer.id()) == function.map(|it| it.id()) {
                return false;
            }
            match outer.kind() {
                "catch_clause" => return !self.fails_otherwise(outer),
                "if_statement" => {
                    let is_condition = outer.child_by_field_name("condition").map(|it| it.id())
                        == Some(inner.id());
                    if !is_condition
                        && outer.child_by_field_name("alternative").is_none()
                        && self.depends_on_code(outer)
                    {
                        return true;
                    }
                }
                _ => {}
            }
            inner = outer;
        }
        false
    }

    /// Whether something in the `try` before a `catch` fails if no error comes.
    fn fails_otherwise(&self, clause: Node<'t>) -> bool {
        let statement = self.file.source.parent(clause);
        let body = statement.and_then(|it| it.child_by_field_name("body"));
        let Some(body) = body else { return false };
        let places = self.file.places_of(self.test);
        let asserts = places
            .iter()
            .any(|place| self.file.source.is_within(place.assertion.node, body));
        let throws = self.file.source.within(body).iter();
        asserts || throws.clone().any(|node| node.kind() == "throw_statement")
    }

    /// Whether a condition depends on the test's earlier steps: on a call, or on a name that the test defines.
    fn depends_on_code(&self, statement: Node<'t>) -> bool {
        let source = &self.file.source;
        let Some(condition) = statement.child_by_field_name("condition") else {
            return false;
        };
        let function = self.file.tests.all[self.test].call.function;
        let Some(body) = function.and_then(|it| it.child_by_field_name("body")) else {
            return false;
        };
        let defined: Vec<&str> = source
            .within(body)
            .iter()
            .filter(|node| node.kind() == "variable_declarator")
            .filter_map(|node| node.child_by_field_name("name"))
            .flat_map(|name| source.within(name).iter().map(|node| source.text(*node)))
            .collect();
        source.within(condition).iter().any(|node| {
            node.kind() == "call_expression"
                || node.kind() == "identifier" && defined.contains(&source.text(*node))
        })
    }
}

fn unwaited(node: Node<'_>) -> Weakness {
    let message =
        "does not wait for an assertion about a promise, so it is never known whether it holds";
    weakness(Rule::NoOracle, node, message)
        .so("await it, or return it")
        .for_certain()
}

/// The meaning of a word or an option for a new test.
fn meaning(word: &str, name: &str) -> Option<(Rule, String)> {
    Some(match word {
        "only" => (
            Rule::Deselected,
            "is marked with only, which leaves out every other test".to_owned(),
        ),
        "skip" | "todo" | "skipIf" | "runIf" => (
            Rule::Skipped,
            format!("is marked with {name}, so it may never run"),
        ),
        "fails" | "failing" | "expectFailure" => (
            Rule::Xfail,
            format!("is marked with {name}: it passes because it fails"),
        ),
        "retry" => (
            Rule::Unstable,
            "is run again when it fails, so it may pass by chance".to_owned(),
        ),
        _ => return None,
    })
}

/// Statements of a body that every run reaches unless one before them throws.
fn always_run(body: Node<'_>) -> Vec<Node<'_>> {
    let mut statements = Vec::new();
    if body.kind() != "statement_block" {
        return statements;
    }
    for statement in children(body) {
        statements.push(statement);
        if matches!(statement.kind(), "return_statement" | "throw_statement") {
            break;
        }
        let leaves = |node: Node<'_>| -> bool {
            let mut waiting = vec![node];
            while let Some(node) = waiting.pop() {
                if node.kind() == "return_statement" {
                    return true;
                }
                if !is_function(node) && !is_function_value(node) {
                    waiting.extend(children(node));
                }
            }
            false
        };
        if leaves(statement) {
            break;
        }
    }
    statements
}
