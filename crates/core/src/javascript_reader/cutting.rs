//! How one assertion is cut: the part that stays in the file, and the part that is kept outside.

use tree_sitter::Node;

use super::cut::Asked;
use super::edits::Edits;
use super::expected::evaluate;
use super::file::File;
use super::oracle::{Assertion, COMPARING, Form, Shape};
use super::source::{Source, arguments, bare, literal_text};
use super::value::Value;

/// Matchers that are asked of a value.
const OF_VALUE: [&str; 19] = [
    "toBe",
    "toEqual",
    "toStrictEqual",
    "toBeNull",
    "toBeUndefined",
    "toBeDefined",
    "toBeNaN",
    "toBeTruthy",
    "toBeFalsy",
    "toHaveLength",
    "toContain",
    "toContainEqual",
    "toBeGreaterThan",
    "toBeGreaterThanOrEqual",
    "toBeLessThan",
    "toBeLessThanOrEqual",
    "toBeCloseTo",
    "toMatch",
    "toBeTypeOf",
];
/// Those of them that ask for nothing more.
const ALONE: [&str; 6] = [
    "toBeNull",
    "toBeUndefined",
    "toBeDefined",
    "toBeNaN",
    "toBeTruthy",
    "toBeFalsy",
];

/// Conditions: the matcher or method that asks the same, and the one that does with its sides exchanged.
const CONDITIONS: [(&str, (&str, Asked), &str); 8] = [
    ("===", ("strictEqual", Asked::Assert), "==="),
    ("!==", ("notStrictEqual", Asked::Assert), "!=="),
    ("==", ("equal", Asked::Assert), "=="),
    ("!=", ("notEqual", Asked::Assert), "!="),
    (">", ("toBeGreaterThan", Asked::Expect), "<"),
    (">=", ("toBeGreaterThanOrEqual", Asked::Expect), "<="),
    ("<", ("toBeLessThan", Asked::Expect), ">"),
    ("<=", ("toBeLessThanOrEqual", Asked::Expect), ">="),
];

/// The question of a place that comes from its condition, not from its own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition<'t> {
    pub(super) asks: &'t str,
    pub(super) library: Asked,
    /// Whether it must not hold.
    pub(super) negated: bool,
}

/// How an assertion is cut.
pub(super) struct Cut<'t> {
    assertion: Node<'t>,
    /// The actual value's expression.
    actual: Node<'t>,
    /// The call that takes it: `v` a value, `t` a function that may throw, `p` and `j` a promise.
    tool: &'static str,
    /// The expected values that were written in the file and are removed.
    pub(super) expected: Vec<Node<'t>>,
    pub(super) values: Option<Vec<Value>>,
    /// Whether a name leads to it.
    pub(super) named: bool,
    pub(super) class: Option<String>,
    /// An expected value that is computed, which stays.
    computed: Option<Node<'t>>,
    pub(super) condition: Option<Condition<'static>>,
}

impl<'t> Cut<'t> {
    /// How this one is; none if it has to stay as it is.
    pub(super) fn of(file: &File<'t>, assertion: &Assertion<'t>) -> Option<Self> {
        let source = &file.source;
        if assertion.constant(source).is_some() {
            return None;
        }
        match &assertion.shape {
            Shape::Expect {
                subject,
                form: Form::Plain,
                links,
            } if !assertion.is_chai() => {
                let matcher = assertion.matcher()?;
                let actual = *arguments(*subject).first()?;
                let given = matcher.call.map(arguments)?;
                let waits = |name| links.iter().any(|link| link.name == name);
                let throws = matches!(matcher.name, "toThrow" | "toThrowError");
                let tool = match (waits("resolves"), waits("rejects"), throws) {
                    (false, false, true) => "t",
                    (false, true, true) => "j",
                    (true, false, false) => "p",
                    (false, false, false) => "v",
                    _ => return None,
                };
                let cut = Self::new(assertion.node, actual, tool);
                if throws {
                    // The meaning of an object here differs between runners.
                    let is_object = given.first().is_some_and(|said| said.kind() == "object");
                    return cut.expects_error(source, &given).filter(|_| !is_object);
                }
                if tool == "v"
                    && let Some(holds) = asks_whether(source, matcher.name, &given)
                {
                    let negated = holds == assertion.negation().is_some();
                    if let Some(cut) = Self::of_condition(source, assertion.node, actual, negated) {
                        return Some(cut);
                    }
                }
                if !OF_VALUE.contains(&matcher.name)
                    || ALONE.contains(&matcher.name) != given.is_empty()
                {
                    return None;
                }
                let both =
                    matches!(matcher.name, "toBe" | "toEqual" | "toStrictEqual") && tool == "v";
                cut.expects(source, &given, both)
            }
            Shape::Assert { call, method, .. } => {
                let given = arguments(*call);
                let actual = *given.first()?;
                if *method == "ok" {
                    let cut = Self::of_condition(source, assertion.node, actual, false);
                    return cut
                        .or_else(|| Some(Self::new(assertion.node, actual, "v").with(Vec::new())));
                }
                let tool = match *method {
                    "throws" | "doesNotThrow" => Some("t"),
                    "rejects" => Some("j"),
                    _ => None,
                };
                if let Some(tool) = tool {
                    let rest: Vec<Node<'t>> = given.iter().skip(1).copied().collect();
                    let cut = Self::new(assertion.node, actual, tool);
                    return match rest.first().map(Node::kind) {
                        // A text is a message.
                        Some("string" | "template_string") => Some(cut.with(Vec::new())),
                        None | Some("identifier" | "object" | "new_expression") => {
                            cut.expects_error(source, &rest)
                        }
                        Some(_) => None,
                    };
                }
                let expected = *given.get(1)?;
                COMPARING.contains(method).then_some(())?;
                Self::new(assertion.node, actual, "v").expects(source, &[expected], true)
            }
            Shape::Expect { .. } | Shape::Other => None,
        }
        .filter(|cut| cut.actual.kind() != "spread_element")
    }

    fn new(assertion: Node<'t>, actual: Node<'t>, tool: &'static str) -> Self {
        Self {
            assertion,
            actual,
            tool,
            expected: Vec::new(),
            values: None,
            named: false,
            class: None,
            computed: None,
            condition: None,
        }
    }

    /// A condition one side of which is written down: the other is looked at.
    fn of_condition(
        source: &Source<'t>,
        assertion: Node<'t>,
        condition: Node<'t>,
        negated: bool,
    ) -> Option<Self> {
        let condition = bare(condition);
        let side = |name| condition.child_by_field_name(name);
        let operator = source.text(side("operator")?);
        let (left, right) = (side("left")?, side("right")?);
        let (_, _, turned) = CONDITIONS.iter().find(|(it, ..)| *it == operator)?;
        let (actual, expected, operator) = if evaluate(source, right).is_some() {
            (left, right, operator)
        } else {
            (right, left, *turned)
        };
        let (value, named) = evaluate(source, expected)?;
        let (_, (asks, library), _) = CONDITIONS.iter().find(|(it, ..)| *it == operator)?;
        let mut cut = Self::new(assertion, actual, "v").with(vec![value]);
        cut.expected = vec![expected];
        cut.named = named;
        cut.condition = Some(Condition {
            asks,
            library: *library,
            negated,
        });
        Some(cut)
    }

    fn with(mut self, values: Vec<Value>) -> Self {
        self.values = Some(values);
        self
    }

    fn expects(mut self, source: &Source<'t>, given: &[Node<'t>], both: bool) -> Option<Self> {
        let values: Option<Vec<(Value, bool)>> =
            given.iter().map(|node| evaluate(source, *node)).collect();
        if let Some(values) = values {
            self.named = values.iter().any(|(_, named)| *named);
            self.expected = given.to_vec();
            return Some(self.with(values.into_iter().map(|(value, _)| value).collect()));
        }
        let computed = *given.first()?;
        // A matcher inside decides on its own.
        let matches = source.text(computed).contains("expect.");
        if !both || matches || computed.kind() == "spread_element" {
            return None;
        }
        self.computed = Some(computed);
        Some(self)
    }

    /// An error of a class, or with a text in its message, or like another one, or any.
    fn expects_error(&self, source: &Source<'t>, given: &[Node<'t>]) -> Option<Self> {
        let made = Self::new(self.assertion, self.actual, self.tool);
        match given.first().map(|node| bare(*node)) {
            None => Some(made.with(Vec::new())),
            Some(class)
                if class.kind() == "identifier" && source.text(class).ends_with("Error") =>
            {
                let mut made = made.with(Vec::new());
                made.class = Some(source.text(class).to_owned());
                Some(made)
            }
            Some(said) => {
                let (value, named) = match said.kind() {
                    "new_expression" | "object" => error_like(source, said)?,
                    _ => (Value::Text(literal_text(source, said)?), false),
                };
                let mut made = made.with(vec![value]);
                made.expected = vec![said];
                made.named = named;
                Some(made)
            }
        }
    }

    /// The name that it expects, if the expected value is a name.
    pub(super) fn expected_name(&self) -> Option<Node<'t>> {
        self.computed
            .map(bare)
            .filter(|it| it.kind() == "identifier")
    }

    /// The parts of the assertion that stay in the file.
    pub(super) fn kept(&self) -> Vec<Node<'t>> {
        std::iter::once(self.actual).chain(self.computed).collect()
    }

    /// Writes it down.
    pub(super) fn write(&self, edits: &mut Edits, text: &str, token: &str, number: u64) {
        let (whole, actual) = (self.assertion.byte_range(), self.actual.byte_range());
        let tool = if self.computed.is_some() {
            "w"
        } else {
            self.tool
        };
        let begin = format!("{token}.{tool}({number}, (");
        edits.replace(text, whole.start..actual.start, &begin);
        match self.computed {
            Some(computed) => {
                edits.replace(text, actual.end..computed.start_byte(), "))((");
                edits.replace(text, computed.end_byte()..whole.end, "))");
            }
            None => edits.replace(text, actual.end..whole.end, "))"),
        }
    }
}

/// Whether a matcher asks that something is true, or that it is not.
fn asks_whether<'t>(source: &Source<'t>, matcher: &str, given: &[Node<'t>]) -> Option<bool> {
    match (matcher, given) {
        ("toBeTruthy", []) => Some(true),
        ("toBeFalsy", []) => Some(false),
        ("toBe" | "toEqual" | "toStrictEqual", [value]) => match source.text(*value) {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// An error that is written down, `new TypeError('no')` or `{ message: 'no' }`, and whether part of it is somewhere
/// else.
fn error_like(source: &Source<'_>, node: Node<'_>) -> Option<(Value, bool)> {
    let text = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let (classes, message, named) = if node.kind() == "object" {
        let (value, named) = evaluate(source, node)?;
        let Value::Object { fields, .. } = value else {
            return None;
        };
        let mut keys = fields.keys();
        if !keys.all(|key| key == "message" || key == "name") {
            return None;
        }
        let class = fields.get("name").map(text);
        let classes = class.map_or(Some(Vec::new()), |class| Some(vec![class?]))?;
        (classes, text(fields.get("message")?)?, named)
    } else {
        let class = source.text(node.child_by_field_name("constructor")?);
        let given = arguments(node);
        let ([message], true) = (given.as_slice(), class.ends_with("Error")) else {
            return None;
        };
        let (value, named) = evaluate(source, *message)?;
        (vec![class.to_owned()], text(&value)?, named)
    };
    let message = Some(message);
    Some((Value::Error { classes, message }, named))
}
