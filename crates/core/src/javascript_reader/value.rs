//! Values of JavaScript, as far as they are compared outside of the process that made them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A value's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Value {
    Undefined,
    Null,
    Bool(bool),
    /// As JavaScript writes it: `-0` and `NaN` are told apart.
    Number(String),
    Big(String),
    Text(String),
    /// A place of an array without an element.
    Hole,
    Array(Vec<Value>),
    Object {
        /// Names of its classes, the nearest first; none if it has no prototype.
        classes: Option<Vec<String>>,
        fields: BTreeMap<String, Value>,
    },
    Map(Vec<(Value, Value)>),
    Set(Vec<Value>),
    Date(String),
    Typed {
        classes: Vec<String>,
        items: Vec<String>,
    },
    Error {
        classes: Vec<String>,
        message: Option<String>,
    },
    Function(String),
    /// Itself, further up.
    Cycle,
    /// A value that cannot be known, and why.
    Unknown(String),
}

/// Whether two values are the same; none if too little is known of them.
pub(super) type Answer = Option<bool>;

/// How strictly values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Strictness {
    /// `toEqual`: classes and fields that are not defined do not count.
    Loose,
    /// `toStrictEqual`, `deepStrictEqual`.
    Strict,
}

impl Value {
    /// Reads the value that the process recorded; only its form is trusted.
    pub(super) fn read(json: &Json) -> Option<Self> {
        let parts = json.as_array()?;
        let text = |index: usize| parts.get(index)?.as_str().map(str::to_owned);
        let list = |index: usize| parts.get(index)?.as_array();
        let all = |index: usize| {
            list(index)?
                .iter()
                .map(Self::read)
                .collect::<Option<Vec<_>>>()
        };
        Some(match parts.first()?.as_str()? {
            "u" => Self::Undefined,
            "z" => Self::Null,
            "b" => Self::Bool(parts.get(1)?.as_bool()?),
            "n" => Self::Number(text(1)?),
            "i" => Self::Big(text(1)?),
            "s" => Self::Text(text(1)?),
            "h" => Self::Hole,
            "a" => Self::Array(all(1)?),
            "S" => Self::Set(all(1)?),
            "d" => Self::Date(text(1)?),
            "f" => Self::Function(text(1)?),
            "c" => Self::Cycle,
            "?" => Self::Unknown(text(1)?),
            "m" => Self::Map(
                list(1)?
                    .iter()
                    .map(|pair| Some((Self::read(pair.get(0)?)?, Self::read(pair.get(1)?)?)))
                    .collect::<Option<_>>()?,
            ),
            "o" => Self::Object {
                classes: match parts.get(1)? {
                    Json::Null => None,
                    names => Some(texts(names)?),
                },
                fields: list(2)?
                    .iter()
                    .map(|pair| {
                        Some((pair.get(0)?.as_str()?.to_owned(), Self::read(pair.get(1)?)?))
                    })
                    .collect::<Option<_>>()?,
            },
            "t" => Self::Typed {
                classes: texts(parts.get(1)?)?,
                items: texts(parts.get(2)?)?,
            },
            "e" => Self::Error {
                classes: texts(parts.get(1)?)?,
                message: match Self::read(parts.get(2)?)? {
                    Self::Text(message) => Some(message),
                    _ => None,
                },
            },
            _ => return None,
        })
    }

    /// Whether it is not an object.
    pub(super) fn is_primitive(&self) -> bool {
        matches!(
            self,
            Self::Undefined
                | Self::Null
                | Self::Bool(_)
                | Self::Number(_)
                | Self::Big(_)
                | Self::Text(_)
        )
    }

    /// Whether it has no class of its own, which could have its own way to be equal.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Array(items) | Self::Set(items) => items.iter().all(Self::is_plain),
            Self::Map(pairs) => pairs
                .iter()
                .all(|(key, value)| key.is_plain() && value.is_plain()),
            Self::Object { classes, fields } => {
                let plain = classes.as_ref().is_none_or(|names| *names == ["Object"]);
                plain && fields.values().all(Self::is_plain)
            }
            Self::Hole | Self::Date(_) | Self::Typed { .. } => true,
            Self::Error { .. } | Self::Function(_) | Self::Cycle | Self::Unknown(_) => false,
            _ => self.is_primitive(),
        }
    }

    /// As a number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(text) => match text.as_str() {
                "NaN" => Some(f64::NAN),
                "Infinity" => Some(f64::INFINITY),
                "-Infinity" => Some(f64::NEG_INFINITY),
                text => text.parse().ok(),
            },
            _ => None,
        }
    }

    /// The same where it is a whole number.
    pub(super) fn whole(&self) -> Option<u64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether a condition holds for it.
    pub(super) fn is_true(&self) -> Answer {
        Some(match self {
            Self::Undefined | Self::Null | Self::Hole => false,
            Self::Bool(value) => *value,
            Self::Number(_) => self.number().is_some_and(|it| it != 0.0 && !it.is_nan()),
            Self::Big(text) => text != "0",
            Self::Text(text) => !text.is_empty(),
            Self::Unknown(why) if !why.starts_with("a proxy") && !why.starts_with("an array") => {
                return None;
            }
            _ => true,
        })
    }

    /// The number of its elements or letters.
    pub(super) fn length(&self) -> Option<usize> {
        match self {
            Self::Array(items) => Some(items.len()),
            Self::Text(text) => Some(text.encode_utf16().count()),
            Self::Typed { items, .. } => Some(items.len()),
            _ => None,
        }
    }

    /// The result of `Object.is`; only primitives are identified by their content.
    pub(super) fn is(&self, other: &Self) -> Answer {
        match (self, other) {
            (Self::Number(_), Self::Number(_)) => {
                let (one, two) = (self.number()?, other.number()?);
                let same = one.to_bits() == two.to_bits();
                Some(same || one.is_nan() && two.is_nan())
            }
            (Self::Unknown(_), Self::Unknown(_)) => None,
            (Self::Unknown(why), _) | (_, Self::Unknown(why)) => {
                // An object is never one of these.
                let object =
                    !why.contains("text") && !why.contains("large") && !why.contains("symbol");
                let plain = self.is_primitive() || other.is_primitive();
                (object && plain).then_some(false)
            }
            (one, two) if one.is_primitive() || two.is_primitive() => Some(one == two),
            _ => None,
        }
    }

    /// Whether they hold the same.
    pub(super) fn equals(&self, other: &Self, how: Strictness) -> Answer {
        match (self, other) {
            (Self::Unknown(_), two) if !two.is_primitive() => None,
            (one, Self::Unknown(_)) if !one.is_primitive() => None,
            (Self::Cycle | Self::Function(_), Self::Cycle | Self::Function(_)) => None,
            (Self::Hole, Self::Hole) => Some(true),
            (Self::Hole, two) | (two, Self::Hole) => match how {
                Strictness::Loose => Some(*two == Self::Undefined),
                Strictness::Strict => Some(false),
            },
            (Self::Array(one), Self::Array(two)) => {
                let pairs = one.iter().zip(two);
                let same = pairs.map(|(one, two)| one.equals(two, how));
                both(Some(one.len() == two.len()), all(same))
            }
            (Self::Object { .. }, Self::Object { .. }) => self.same_fields(other, how),
            (Self::Map(one), Self::Map(two)) => {
                let sorted = one.iter().zip(two).map(|((key, value), (other, second))| {
                    both(key.equals(other, how), value.equals(second, how))
                });
                in_some_order(one.len() == two.len(), all(sorted))
            }
            (Self::Set(one), Self::Set(two)) => {
                let sorted = one.iter().zip(two).map(|(one, two)| one.equals(two, how));
                in_some_order(one.len() == two.len(), all(sorted))
            }
            (Self::Date(one), Self::Date(two)) => Some(one == two),
            (
                Self::Typed { classes, items },
                Self::Typed {
                    classes: others,
                    items: second,
                },
            ) => Some(classes.first() == others.first() && items == second),
            // Libraries differ in comparing an error's other properties.
            (Self::Error { message, .. }, Self::Error { message: other, .. }) => {
                (message != other).then_some(false)
            }
            (one, two) if one.is_primitive() || two.is_primitive() => zero_apart(one, two),
            _ => Some(false),
        }
    }

    fn same_fields(&self, other: &Self, how: Strictness) -> Answer {
        let (
            Self::Object { classes, fields },
            Self::Object {
                classes: others,
                fields: second,
            },
        ) = (self, other)
        else {
            return None;
        };
        if how == Strictness::Strict && classes != others {
            // Names of classes may be the same by chance, never different for one class.
            return Some(false);
        }
        let counts = |value: Option<&Self>| match how {
            Strictness::Loose => value.is_some_and(|value| *value != Self::Undefined),
            Strictness::Strict => value.is_some(),
        };
        let keys = fields.keys().chain(second.keys());
        all(keys.map(|key| {
            let (one, two) = (fields.get(key), second.get(key));
            match (counts(one), counts(two)) {
                (false, false) => Some(true),
                (true, true) => one?.equals(two?, how),
                _ => Some(false),
            }
        }))
    }
}

fn texts(json: &Json) -> Option<Vec<String>> {
    let list = json.as_array()?.iter();
    list.map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Libraries differ in whether 0 is -0.
fn zero_apart(one: &Value, two: &Value) -> Answer {
    match (one.number(), two.number()) {
        (Some(first), Some(second)) if first == 0.0 && second == 0.0 => {
            (first.is_sign_negative() == second.is_sign_negative()).then_some(true)
        }
        _ => one.is(two),
    }
}

/// The order of a set's or a map's entries does not count, so only a match in order is certain.
fn in_some_order(same_size: bool, in_order: Answer) -> Answer {
    match (same_size, in_order) {
        (false, _) => Some(false),
        (true, Some(true)) => Some(true),
        (true, _) => None,
    }
}

fn both(one: Answer, two: Answer) -> Answer {
    all([one, two].into_iter())
}

/// Wrong if any is, unknown if any is.
fn all(mut answers: impl Iterator<Item = Answer>) -> Answer {
    let mut known = true;
    if answers.any(|answer| {
        known &= answer.is_some();
        answer == Some(false)
    }) {
        return Some(false);
    }
    known.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::{Strictness, Value};

    fn value(json: &str) -> Value {
        Value::read(&serde_json::from_str(json).expect("JSON")).expect("a value")
    }

    #[test]
    fn equality_is_that_of_the_language() {
        let table = [
            (r#"["n","1"]"#, r#"["n","1"]"#, Some(true), Some(true)),
            (r#"["n","1"]"#, r#"["s","1"]"#, Some(false), Some(false)),
            (r#"["n","NaN"]"#, r#"["n","NaN"]"#, Some(true), Some(true)),
            (r#"["n","0"]"#, r#"["n","-0"]"#, None, None),
            (
                r#"["a",[["n","1"],["h"]]]"#,
                r#"["a",[["n","1"],["u"]]]"#,
                Some(true),
                Some(false),
            ),
            (
                r#"["a",[["n","1"]]]"#,
                r#"["a",[["n","2"]]]"#,
                Some(false),
                Some(false),
            ),
            (
                r#"["o",["Object"],[["a",["n","1"]],["b",["u"]]]]"#,
                r#"["o",["Object"],[["a",["n","1"]]]]"#,
                Some(true),
                Some(false),
            ),
            (
                r#"["o",["Lie","Object"],[["a",["n","1"]]]]"#,
                r#"["o",["Object"],[["a",["n","1"]]]]"#,
                Some(true),
                Some(false),
            ),
            (
                r#"["o",["Lie","Object"],[]]"#,
                r#"["n","3"]"#,
                Some(false),
                Some(false),
            ),
            (
                r#"["?","a proxy"]"#,
                r#"["n","3"]"#,
                Some(false),
                Some(false),
            ),
            (r#"["?","a proxy"]"#, r#"["a",[]]"#, None, None),
            (
                r#"["S",[["n","1"],["n","2"]]]"#,
                r#"["S",[["n","2"],["n","1"]]]"#,
                None,
                None,
            ),
            (
                r#"["S",[["n","1"]]]"#,
                r#"["S",[["n","1"],["n","2"]]]"#,
                Some(false),
                Some(false),
            ),
            (r#"["d","5"]"#, r#"["d","6"]"#, Some(false), Some(false)),
            (r#"["f","a"]"#, r#"["f","a"]"#, None, None),
        ];
        for (one, two, loose, strict) in table {
            let (left, right) = (value(one), value(two));
            assert_eq!(left.equals(&right, Strictness::Loose), loose, "{one} {two}");
            assert_eq!(
                left.equals(&right, Strictness::Strict),
                strict,
                "{one} {two}"
            );
        }
    }

    #[test]
    fn what_has_another_form_is_no_value() {
        for json in [
            "1",
            "[]",
            r#"["n",1]"#,
            r#"["x"]"#,
            r#"["a",[1]]"#,
            r#"["o",["A"],[["a"]]]"#,
        ] {
            let json = serde_json::from_str(json).expect("JSON");
            assert_eq!(Value::read(&json), None, "{json}");
        }
    }
}
