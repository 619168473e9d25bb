//! How one assertion is inverted: into its opposite, or into one that expects something else.

use tree_sitter::Node;

use super::edits::Edits;
use super::oracle::{Assertion, Form, Link, Shape};
use super::source::{Source, arguments};
use super::words::Library;

/// Methods of `assert` and their opposites. Those that both libraries have come first.
const OPPOSITES: [(&str, &str); 9] = [
    ("equal", "notEqual"),
    ("strictEqual", "notStrictEqual"),
    ("deepEqual", "notDeepEqual"),
    ("throws", "doesNotThrow"),
    ("deepStrictEqual", "notDeepStrictEqual"),
    ("match", "doesNotMatch"),
    ("rejects", "doesNotReject"),
    ("notPartialDeepStrictEqual", "partialDeepStrictEqual"),
    ("ifError", ""),
];
/// Those of chai alone.
const CHAI_OPPOSITES: [(&str, &str); 19] = [
    ("equal", "notEqual"),
    ("strictEqual", "notStrictEqual"),
    ("deepEqual", "notDeepEqual"),
    ("throws", "doesNotThrow"),
    ("isTrue", "isNotTrue"),
    ("isFalse", "isNotFalse"),
    ("isNull", "isNotNull"),
    ("isUndefined", "isDefined"),
    ("isOk", "isNotOk"),
    ("include", "notInclude"),
    ("deepInclude", "notDeepInclude"),
    ("match", "notMatch"),
    ("exists", "notExists"),
    ("typeOf", "notTypeOf"),
    ("instanceOf", "notInstanceOf"),
    ("isArray", "isNotArray"),
    ("isEmpty", "isNotEmpty"),
    ("property", "notProperty"),
    ("sameMembers", "notSameMembers"),
];

/// The purpose of the second way of changing a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Anything else will do.
    Any = 0,
    /// The searched value must not contain it either.
    Part = 1,
    /// A length or a count: never below nothing.
    Count = 2,
    /// A text would be a message.
    NoText = 3,
}

/// The inverted part, and how it is inverted.
pub(super) enum Turning<'t> {
    /// Through the library's own `not`.
    Not {
        from: usize,
        to: usize,
        negation: Option<Link<'t>>,
    },
    /// By asking for the opposite of a condition.
    Condition(Node<'t>),
    /// By calling the method of the opposite meaning.
    Method {
        call: Node<'t>,
        object: Option<Node<'t>>,
        method: &'t str,
        opposite: &'static str,
        /// Whether only the first argument is meant for both.
        first_only: bool,
    },
    /// By other values in the place of these.
    Values(Vec<(Node<'t>, u8)>),
}

/// Turns an assertion into its opposite, if that can be done.
pub(super) fn negated<'t>(source: &Source<'t>, assertion: &Assertion<'t>) -> Option<Turning<'t>> {
    if assertion.constant(source).is_some() {
        return None;
    }
    match &assertion.shape {
        Shape::Expect {
            subject,
            form,
            links,
        } => {
            let matcher = assertion.matcher()?;
            // A polled condition may hold the other way round before it holds.
            if *form == Form::Polled || matcher.name.contains("Snapshot") {
                return None;
            }
            negated_expectation(assertion, *subject, links)
        }
        Shape::Assert {
            call,
            object,
            method,
            library,
        } => negated_assert(*call, *object, method, *library),
        Shape::Other => None,
    }
}

fn negated_expectation<'t>(
    assertion: &Assertion<'t>,
    subject: Node<'t>,
    links: &[Link<'t>],
) -> Option<Turning<'t>> {
    let promised = ["eventually", "fulfilled", "rejected", "rejectedWith"];
    if links.iter().any(|link| promised.contains(&link.name)) {
        return None;
    }
    let negation = assertion.negation();
    if let Some(negation) = negation {
        let before = links
            .iter()
            .take_while(|link| link.node.id() != negation.node.id());
        let again = links.iter().filter(|link| link.name == "not").count() > 1;
        if again || before.into_iter().any(|link| link.call.is_some()) {
            return None;
        }
    }
    let waits = links
        .iter()
        .rev()
        .find(|link| matches!(link.name, "resolves" | "rejects"));
    let base = waits.map_or(subject, |link| link.node);
    Some(Turning::Not {
        from: subject.start_byte(),
        to: base.end_byte(),
        negation,
    })
}

fn negated_assert<'t>(
    call: Node<'t>,
    object: Option<Node<'t>>,
    method: &'t str,
    library: Library,
) -> Option<Turning<'t>> {
    let first = *arguments(call).first()?;
    if first.kind() == "spread_element" {
        return None;
    }
    if method == "ok" {
        return Some(Turning::Condition(first));
    }
    let table: &[(&str, &str)] = match library {
        Library::Node | Library::NodeStrict => &OPPOSITES,
        Library::Chai => &CHAI_OPPOSITES,
    };
    let opposite = table.iter().find_map(|(one, other)| match method {
        it if it == *one => Some(*other),
        it if it == *other => Some(*one),
        _ => None,
    });
    let opposite = opposite.filter(|opposite| !opposite.is_empty())?;
    let first_only = matches!(
        method,
        "throws" | "doesNotThrow" | "rejects" | "doesNotReject"
    );
    Some(Turning::Method {
        call,
        object,
        method,
        opposite,
        first_only,
    })
}

/// Changes an assertion to expect another value, if it names an expected value.
pub(super) fn changed<'t>(source: &Source<'t>, assertion: &Assertion<'t>) -> Option<Turning<'t>> {
    if assertion.constant(source).is_some() || assertion.negation().is_some() {
        return None;
    }
    let mut values = Vec::new();
    match &assertion.shape {
        Shape::Expect { links, form, .. } => {
            assertion.matcher()?;
            // A polled value may become anything.
            if *form == Form::Polled {
                return None;
            }
            for link in links {
                let given = link.call.map(arguments).unwrap_or_default();
                values.extend(expected(link.name, &given));
            }
        }
        Shape::Assert { call, method, .. } => {
            values.extend(asserted(method, &arguments(*call)));
        }
        Shape::Other => {}
    }
    values.retain(|(node, _)| node.kind() != "spread_element");
    let values: Vec<(Node<'t>, u8)> = values
        .into_iter()
        .map(|(node, mode)| (node, mode as u8))
        .collect();
    (!values.is_empty()).then_some(Turning::Values(values))
}

/// The arguments of a matcher that give the expected value.
fn expected<'t>(name: &str, given: &[Node<'t>]) -> Vec<(Node<'t>, Mode)> {
    let (mode, which) = match name {
        "toBe"
        | "toEqual"
        | "toStrictEqual"
        | "toContainEqual"
        | "toMatchObject"
        | "toBeCloseTo"
        | "toBeTypeOf"
        | "toHaveReturnedWith"
        | "toHaveLastReturnedWith"
        | "toHaveResolvedWith"
        | "equal"
        | "equals"
        | "eq"
        | "eql"
        | "eqls"
        | "members"
        | "closeTo" => (Mode::Any, 0..1),
        "toHaveBeenCalledWith"
        | "toBeCalledWith"
        | "toHaveBeenLastCalledWith"
        | "lastCalledWith"
        | "toHaveBeenCalledExactlyOnceWith" => (Mode::Any, 0..given.len()),
        "toHaveBeenNthCalledWith" | "nthCalledWith" => (Mode::Any, 1..given.len()),
        "toHaveProperty" | "property" if given.len() > 1 => (Mode::Any, 1..2),
        "toHaveProperty" | "property" | "toContain" | "toMatch" | "toThrow" | "toThrowError"
        | "include" | "includes" | "contain" | "contains" | "match" | "matches" | "string"
        | "throw" | "throws" | "Throw" => (Mode::Part, 0..given.len()),
        "toHaveLength"
        | "toHaveBeenCalledTimes"
        | "toBeCalledTimes"
        | "toHaveReturnedTimes"
        | "lengthOf" => (Mode::Count, 0..1),
        "toMatchInlineSnapshot" | "toThrowErrorMatchingInlineSnapshot" => {
            let text = given
                .iter()
                .rev()
                .find(|it| matches!(it.kind(), "string" | "template_string"));
            return text.map(|text| (*text, Mode::Part)).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    let chosen = given.get(which.start..which.end.min(given.len()));
    let chosen = chosen.unwrap_or_default().iter();
    chosen.map(|argument| (*argument, mode)).collect()
}

/// The same of a method of `assert`.
fn asserted<'t>(method: &str, given: &[Node<'t>]) -> Option<(Node<'t>, Mode)> {
    let mode = match method {
        "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" | "closeTo" | "sameMembers"
        | "typeOf" => Mode::Any,
        "include" | "match" => Mode::Part,
        "lengthOf" => Mode::Count,
        "throws" | "rejects" => Mode::NoText,
        _ => return None,
    };
    given.get(1).map(|argument| (*argument, mode))
}

impl Turning<'_> {
    /// Adds the edits. `token` is the twin's name for the test, `assert` its name for the module of methods.
    pub(super) fn write(&self, edits: &mut Edits, text: &str, token: &str, assert: &str) {
        match self {
            Self::Not { from, to, negation } => {
                let had = negation.is_some();
                edits.surround_range(*from..*to, &format!("{token}.n("), &format!(", {had})"));
                if let Some(link) = negation
                    && let Some(object) = link.node.child_by_field_name("object")
                {
                    edits.replace(text, object.end_byte()..link.node.end_byte(), "");
                }
            }
            Self::Condition(condition) => {
                edits.surround(*condition, &format!("{token}.b(("), "))");
            }
            Self::Method {
                call,
                object,
                method,
                opposite,
                first_only,
            } => {
                let Some(callee) = call.child_by_field_name("function") else {
                    return;
                };
                match object {
                    Some(object) => {
                        let by = format!("[{token}.m(\"{method}\", \"{opposite}\")]");
                        edits.replace(text, object.end_byte()..callee.end_byte(), &by);
                    }
                    None => edits.surround(
                        callee,
                        &format!("{token}.c("),
                        &format!(", {assert}.{opposite})"),
                    ),
                }
                if let Some(list) = call
                    .child_by_field_name("arguments")
                    .filter(|_| *first_only)
                {
                    let inner = list.start_byte() + 1..list.end_byte() - 1;
                    edits.surround_range(inner, &format!("...{token}.a(["), "])");
                }
            }
            Self::Values(values) => {
                for (value, mode) in values {
                    edits.surround(*value, &format!("{token}.o(("), &format!("), {mode})"));
                }
            }
        }
    }
}
