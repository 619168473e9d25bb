//! JSON whose members keep their order, which in a `package.json` means something.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    /// Members in their order, each name once.
    Object(Vec<(String, Json)>),
    /// Values in their order.
    Array(Vec<Json>),
    /// A text, a number, a boolean or null.
    Other(Value),
}

impl Json {
    /// The members of a document that is an object; none if it is something else or cannot be read.
    pub(super) fn object(bytes: &[u8]) -> Option<Vec<(String, Self)>> {
        match serde_json::from_slice(bytes).ok()? {
            Self::Object(members) => Some(members),
            Self::Array(_) | Self::Other(_) => None,
        }
    }

    /// The document, over several lines.
    pub(super) fn text(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            Self::Array(values) => values.serialize(serializer),
            Self::Other(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Other(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element()? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Json>()? {
            // Of two equal names the place of the first and the value of the last count.
            match members.iter_mut().find(|(other, _)| *other == name) {
                Some((_, old)) => *old = value,
                None => members.push((name, value)),
            }
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn members_keep_their_order() {
        let text = r#"{"b": [1, null], "a": {"z": true, "y": "x"}, "b": 2.5}"#;
        let members = Json::object(text.as_bytes()).expect("an object");
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let text = Json::Object(members).text().expect("text");
        let flat: String = text.split_whitespace().collect();
        assert_eq!(flat, r#"{"b":2.5,"a":{"z":true,"y":"x"}}"#);
        assert_eq!(Json::object(b"[1]"), None);
        assert_eq!(Json::object(b"{"), None);
    }
}
