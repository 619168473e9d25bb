//! Whether the value that a place sent is the expected one.

use std::cmp::Ordering;

use super::cut::{Asked, SealedPlace};
use super::value::{Answer, Strictness, Value};
use crate::gate::{By, Judgement};

/// The value that came from a place.
pub(super) enum Sent {
    Value(Value),
    Both(Value, Value),
    /// Two values that are the same object.
    Same(Value),
    Threw(Value),
    Returned,
}

/// The verdict on a place, once.
pub(super) struct Verdict {
    pub(super) judgement: Judgement,
    pub(super) by: Option<By>,
    pub(super) reason: Option<String>,
}

/// Whether the value that a place sent is the expected one.
pub(super) fn judge(place: &SealedPlace, sent: &Sent) -> Verdict {
    let (answer, by) = match sent {
        Sent::Threw(_) | Sent::Returned => (thrown(place, sent), By::Exception),
        Sent::Both(actual, number) if !place.cells.is_empty() => {
            let expected = number.whole().and_then(|it| place.cells.get(&it));
            let answer = expected.map_or(Some(false), |expected| {
                compared(place, actual, std::slice::from_ref(expected))
            });
            (answer, goes_by(place))
        }
        Sent::Both(actual, expected) => {
            let answer = compared(place, actual, std::slice::from_ref(expected));
            let certain = answer == Some(true) || expected.is_plain();
            (answer.filter(|_| certain), By::Both)
        }
        Sent::Same(_) => (is_same(place), By::Both),
        Sent::Value(actual) => match &place.expected {
            Some(expected) => (compared(place, actual, expected), goes_by(place)),
            None => (None, By::Value),
        },
    };
    let answer = answer.map(|holds| holds != place.negated);
    let by = if is_opposite(place) {
        By::Inequality
    } else {
        by
    };
    let judgement = match answer {
        Some(true) => Judgement::Held,
        Some(false) => Judgement::Failed,
        None => Judgement::NotJudged,
    };
    let reason = (judgement == Judgement::Failed).then(|| match sent {
        Sent::Value(actual) | Sent::Both(actual, _) | Sent::Same(actual) => {
            format!("the code gives {}", shown(actual))
        }
        Sent::Threw(error) => format!("the code throws {}", shown(error)),
        Sent::Returned => "the code throws nothing".to_owned(),
    });
    Verdict {
        judgement,
        by: Some(by),
        reason,
    }
}

/// The answer of a place that compares a value with itself.
fn is_same(place: &SealedPlace) -> Answer {
    if place.expected.is_some() {
        return None;
    }
    match place.asks.as_str() {
        "toBe" | "toEqual" | "toStrictEqual" | "equal" | "strictEqual" | "deepEqual"
        | "deepStrictEqual" => Some(true),
        "notEqual" | "notStrictEqual" | "notDeepEqual" | "notDeepStrictEqual" => Some(false),
        _ => None,
    }
}

/// Whether it only asks for something else, or for no error.
fn is_opposite(place: &SealedPlace) -> bool {
    let truths = ["toBeTruthy", "toBeFalsy", "toBeDefined", "ok"];
    let by_name = place.library == Asked::Assert && place.asks.starts_with("not");
    (place.negated || by_name) && !truths.contains(&place.asks.as_str())
}

fn goes_by(place: &SealedPlace) -> By {
    match place.asks.as_str() {
        "toContain" | "toContainEqual" | "toMatch" | "toHaveLength" => By::Membership,
        "toBeGreaterThan" | "toBeGreaterThanOrEqual" | "toBeLessThan" | "toBeLessThanOrEqual" => {
            By::Order
        }
        "toBeTypeOf" => By::Type,
        _ if truth(place).is_some() => By::Truth,
        _ if place.visible => By::Visible,
        _ => By::Value,
    }
}

/// The predicate of a matcher without an argument.
fn truth(place: &SealedPlace) -> Option<fn(&Value) -> Answer> {
    Some(match place.asks.as_str() {
        "toBeNull" => |value| value.is(&Value::Null),
        "toBeUndefined" => |value| value.is(&Value::Undefined),
        "toBeDefined" => |value| Some(!value.is(&Value::Undefined)?),
        "toBeNaN" => |value| value.is(&Value::Number("NaN".to_owned())),
        "toBeTruthy" | "ok" => Value::is_true,
        "toBeFalsy" => |value| Some(!value.is_true()?),
        _ => return None,
    })
}

fn compared(place: &SealedPlace, actual: &Value, expected: &[Value]) -> Answer {
    if let Some(truth) = truth(place) {
        return truth(actual);
    }
    let wanted = expected.first()?;
    match (place.library, place.asks.as_str()) {
        (Asked::Assert, method) => asserted(method, actual, wanted),
        (Asked::Expect, "toBe") => actual.is(wanted),
        (Asked::Expect, "toEqual") => actual.equals(wanted, Strictness::Loose),
        (Asked::Expect, "toStrictEqual") => actual.equals(wanted, Strictness::Strict),
        (Asked::Expect, "toHaveLength") => {
            let length = u32::try_from(actual.length()?).ok()?;
            Some((f64::from(length) - wanted.number()?).abs() < f64::EPSILON)
        }
        (Asked::Expect, "toContain") => contains(actual, wanted, &Value::is),
        (Asked::Expect, "toContainEqual") => contains(actual, wanted, &|one, two| {
            one.equals(two, Strictness::Loose)
        }),
        (Asked::Expect, "toMatch") => match (actual, wanted) {
            (Value::Text(text), Value::Text(part)) => Some(text.contains(part.as_str())),
            _ => None,
        },
        (Asked::Expect, "toBeTypeOf") => {
            let name = type_of(actual)?;
            Some(*wanted == Value::Text(name.to_owned()))
        }
        (Asked::Expect, "toBeCloseTo") => {
            let digits = expected.get(1).map_or(Some(2.0), Value::number)?;
            let (one, two) = (actual.number()?, wanted.number()?);
            Some(one.to_bits() == two.to_bits() || (one - two).abs() < 10_f64.powf(-digits) / 2.0)
        }
        (Asked::Expect, order) => ordered(order, actual, wanted),
    }
}

/// An order of numbers or of strings; the judged process compares any other value itself.
fn ordered(asks: &str, one: &Value, two: &Value) -> Answer {
    let order = match (one, two) {
        (Value::Text(one), Value::Text(two)) => one.encode_utf16().partial_cmp(two.encode_utf16()),
        _ => one.number()?.partial_cmp(&two.number()?),
    };
    Some(match asks {
        "toBeGreaterThan" => order.is_some_and(Ordering::is_gt),
        "toBeGreaterThanOrEqual" => order.is_some_and(Ordering::is_ge),
        "toBeLessThan" => order.is_some_and(Ordering::is_lt),
        "toBeLessThanOrEqual" => order.is_some_and(Ordering::is_le),
        _ => return None,
    })
}

/// The methods of `assert`. Some of them take different types for the same, so only the same type is certain.
fn asserted(method: &str, actual: &Value, wanted: &Value) -> Answer {
    let is_nothing = |value: &Value| matches!(value, Value::Undefined | Value::Null);
    let loose = |answer: Answer| match answer {
        // Nothing but these two is equal to one of them.
        Some(false) if is_nothing(actual) || is_nothing(wanted) => {
            Some(is_nothing(actual) && is_nothing(wanted))
        }
        Some(false) if std::mem::discriminant(actual) != std::mem::discriminant(wanted) => None,
        answer => answer,
    };
    match method {
        "strictEqual" => actual.is(wanted),
        "notStrictEqual" => Some(!actual.is(wanted)?),
        "equal" => loose(actual.is(wanted)),
        "notEqual" => Some(!loose(actual.is(wanted))?),
        "deepStrictEqual" => actual.equals(wanted, Strictness::Strict),
        "notDeepStrictEqual" => Some(!actual.equals(wanted, Strictness::Strict)?),
        // Its elements may be compared by `==`.
        "deepEqual" => match actual.equals(wanted, Strictness::Strict) {
            Some(false) if actual.equals(wanted, Strictness::Loose) != Some(false) => None,
            Some(false) if !same_types(actual, wanted) => None,
            answer => answer,
        },
        "notDeepEqual" => Some(!asserted("deepEqual", actual, wanted)?),
        _ => None,
    }
}

/// Whether two values are made of the same types throughout, as far as they go together.
fn same_types(one: &Value, two: &Value) -> bool {
    if std::mem::discriminant(one) != std::mem::discriminant(two) {
        return false;
    }
    match (one, two) {
        (Value::Array(one), Value::Array(two)) => {
            one.iter().zip(two).all(|(one, two)| same_types(one, two))
        }
        (Value::Object { fields, .. }, Value::Object { fields: second, .. }) => fields
            .iter()
            .all(|(key, one)| second.get(key).is_none_or(|two| same_types(one, two))),
        _ => true,
    }
}

fn contains(actual: &Value, wanted: &Value, same: &dyn Fn(&Value, &Value) -> Answer) -> Answer {
    match (actual, wanted) {
        (Value::Text(text), Value::Text(part)) => Some(text.contains(part.as_str())),
        (Value::Array(items) | Value::Set(items), _) => {
            let mut answers = items.iter().map(|item| same(item, wanted));
            if answers.clone().any(|answer| answer == Some(true)) {
                Some(true)
            } else {
                answers.all(|answer| answer.is_some()).then_some(false)
            }
        }
        _ => None,
    }
}

fn type_of(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Undefined => "undefined",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::Big(_) => "bigint",
        Value::Text(_) => "string",
        Value::Function(_) => "function",
        Value::Unknown(_) => return None,
        _ => "object",
    })
}

/// Whether the error that came, or none, is the one that is asked for.
fn thrown(place: &SealedPlace, sent: &Sent) -> Answer {
    // The name of the place says that it expects no error.
    if place.asks == "doesNotThrow" {
        return Some(matches!(sent, Sent::Returned));
    }
    let Sent::Threw(error) = sent else {
        return Some(false);
    };
    if let Some(class) = &place.class {
        let Value::Error { classes, .. } = error else {
            return None;
        };
        // A class may be imported under another name.
        return classes.contains(class).then_some(true);
    }
    match place.expected.as_deref()? {
        [] => Some(true),
        [Value::Text(part), ..] => match error {
            Value::Error { message, .. } => Some(message.as_ref()?.contains(part.as_str())),
            _ => None,
        },
        [
            Value::Error {
                classes: names,
                message: wanted,
            },
        ] => match error {
            Value::Error { classes, message } if Some(message.as_ref()?) == wanted.as_ref() => {
                let mut names = names.iter();
                // Here too a class may have another name.
                names.all(|name| classes.contains(name)).then_some(true)
            }
            Value::Error { .. } => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A value as a person would write it, shortened.
pub(super) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Undefined | Value::Hole => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => text.clone(),
        Value::Big(text) => format!("{text}n"),
        Value::Text(text) => format!("{text:?}"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().take(8).map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object { classes, fields } => {
            let class = classes.as_ref().and_then(|it| it.first());
            let class = class
                .filter(|it| *it != "Object")
                .map(|it| format!("{it} "));
            let fields: Vec<String> = fields
                .iter()
                .take(8)
                .map(|(key, value)| format!("{key}: {}", shown(value)))
                .collect();
            format!("{}{{{}}}", class.unwrap_or_default(), fields.join(", "))
        }
        Value::Map(_) => "a map".to_owned(),
        Value::Set(_) => "a set".to_owned(),
        Value::Date(_) => "a date".to_owned(),
        Value::Typed { items, .. } => format!("[{}]", items.join(", ")),
        Value::Error { classes, message } => {
            let class = classes.first().map_or("an error", String::as_str);
            format!("{class}: {}", message.as_deref().unwrap_or_default())
        }
        Value::Function(name) => format!("the function {name}"),
        Value::Cycle => "itself".to_owned(),
        Value::Unknown(why) => why.clone(),
    };
    if text.chars().count() > 120 {
        let short: String = text.chars().take(120).collect();
        return format!("{short}…");
    }
    text
}
