//! Adding to a JSON text and taking out of it without touching the rest.
//!
//! Settings belong to people, who have an order and an indentation of their own; reading a document and printing it again
//! would change both.

use std::ops::Range;

use serde_json::Value;
use thiserror::Error;

/// Why a text cannot be added to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonTextError {
    /// It is not JSON.
    #[error("{0}")]
    NotJson(String),
    /// A value of another type is where an object or a list is needed.
    #[error("`{0}` is something else than is needed there")]
    Unexpected(String),
}

/// A value and its position.
#[derive(Debug)]
struct Node {
    place: Range<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Object(Vec<(String, Range<usize>, Node)>),
    List(Vec<Node>),
    Other,
}

/// The text with a value at the end of the list under these keys; objects and the list are made where they are missing.
pub fn append(text: &str, keys: &[&str], value: &Value) -> Result<String, JsonTextError> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = read(text)?;
    let unit = unit(text);
    let mut node = &root;
    for (depth, key) in keys.iter().enumerate() {
        let Kind::Object(members) = &node.kind else {
            return Err(JsonTextError::Unexpected(keys[..depth].join(".")));
        };
        let Some((_, _, member)) = members.iter().find(|(name, _, _)| name == key) else {
            let mut made = Value::Array(vec![value.clone()]);
            for key in keys[depth + 1..].iter().rev() {
                made = Value::Object([((*key).to_owned(), made)].into_iter().collect());
            }
            let printed = printed(&made, &unit, depth + 1);
            let member = format!("{}: {printed}", Value::from(*key));
            let last = members.last().map(|(_, _, node)| node.place.end);
            return Ok(with_item(text, &node.place, last, &member, &unit, depth));
        };
        node = member;
    }
    let Kind::List(items) = &node.kind else {
        return Err(JsonTextError::Unexpected(keys.join(".")));
    };
    let last = items.last().map(|node| node.place.end);
    let item = printed(value, &unit, keys.len() + 1);
    Ok(with_item(text, &node.place, last, &item, &unit, keys.len()))
}

/// The text without the items that are wanted gone from the list under these keys; a list or object that becomes empty
/// by that goes as well.
pub fn remove(
    text: &str,
    keys: &[&str],
    unwanted: impl Fn(&Value) -> bool,
) -> Result<String, JsonTextError> {
    let mut text = text.to_owned();
    loop {
        let root = read(&text)?;
        let mut chain = vec![&root];
        for key in keys {
            let Some(Kind::Object(members)) = chain.last().map(|node| &node.kind) else {
                return Ok(text);
            };
            let Some((_, _, member)) = members.iter().find(|(name, _, _)| name == key) else {
                return Ok(text);
            };
            chain.push(member);
        }
        let Some(Kind::List(items)) = chain.last().map(|node| &node.kind) else {
            return Ok(text);
        };
        let value = |node: &Node| serde_json::from_str::<Value>(&text[node.place.clone()]);
        let gone = |node: &Node| value(node).is_ok_and(|value| unwanted(&value));
        let Some(place) = items.iter().position(gone) else {
            return Ok(text);
        };
        let (mut siblings, mut place): (Vec<Range<usize>>, usize) =
            (items.iter().map(|node| node.place.clone()).collect(), place);
        let mut around = &chain[keys.len()].place;
        for depth in (0..keys.len()).rev() {
            if siblings.len() > 1 {
                break;
            }
            let Kind::Object(members) = &chain[depth].kind else {
                break;
            };
            let of_member =
                |(_, name, node): &(String, Range<usize>, Node)| name.start..node.place.end;
            place = members
                .iter()
                .position(|(name, _, _)| name == keys[depth])
                .unwrap_or(0);
            siblings = members.iter().map(of_member).collect();
            around = &chain[depth].place;
        }
        text = without_item(&text, around, &siblings, place);
    }
}

fn with_item(
    text: &str,
    around: &Range<usize>,
    last: Option<usize>,
    item: &str,
    unit: &str,
    depth: usize,
) -> String {
    let close = around.end - 1;
    let (inner, outer) = (unit.repeat(depth + 1), unit.repeat(depth));
    match last {
        Some(end) => format!(
            "{},\n{inner}{item}{}",
            &text[..end],
            rest_of(text, end, close, &outer)
        ),
        None => format!(
            "{}\n{inner}{item}\n{outer}{}",
            &text[..=around.start],
            &text[close..]
        ),
    }
}

/// The text after the last item; a closing bracket on the same line gets a line of its own.
fn rest_of(text: &str, end: usize, close: usize, outer: &str) -> String {
    if text[end..close].contains('\n') {
        text[end..].to_owned()
    } else {
        format!("\n{outer}{}", &text[close..])
    }
}

fn without_item(text: &str, around: &Range<usize>, items: &[Range<usize>], place: usize) -> String {
    let (start, end) = match (place, items.get(place + 1)) {
        (0, None) => (around.start + 1, around.end - 1),
        (0, Some(next)) => (items[0].start, next.start),
        (_, _) => (items[place - 1].end, items[place].end),
    };
    format!("{}{}", &text[..start], &text[end..])
}

/// The indentation of one level.
fn unit(text: &str) -> String {
    let mut lines = text.lines().skip(1);
    let found = lines.find_map(|line| {
        let width = line.len() - line.trim_start().len();
        (width > 0).then(|| line[..width].to_owned())
    });
    found.unwrap_or_else(|| "  ".to_owned())
}

/// A value over several lines, indented for this depth.
fn printed(value: &Value, unit: &str, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut lines = text.lines();
    let mut printed = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let width = line.len() - line.trim_start().len();
        let indent = unit.repeat(depth + width / 2);
        printed.extend(["\n", &indent, line.trim_start()]);
    }
    printed
}

fn read(text: &str) -> Result<Node, JsonTextError> {
    let checked: Result<Value, _> = serde_json::from_str(text);
    checked.map_err(|error| JsonTextError::NotJson(error.to_string()))?;
    Ok(Places {
        text: text.as_bytes(),
        at: 0,
    }
    .value())
}

/// Finds places in a text that is known to be JSON.
struct Places<'t> {
    text: &'t [u8],
    at: usize,
}

impl Places<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.blank();
        let taken = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(taken);
        taken
    }

    fn value(&mut self) -> Node {
        self.blank();
        let start = self.at;
        let kind = match self.text.get(start) {
            Some(b'{') => {
                self.at += 1;
                let mut members = Vec::new();
                while !self.takes(b'}') && self.at < self.text.len() {
                    self.takes(b',');
                    self.blank();
                    let name = self.at..self.string();
                    self.takes(b':');
                    let key = serde_json::from_slice(&self.text[name.clone()]).unwrap_or_default();
                    members.push((key, name, self.value()));
                }
                Kind::Object(members)
            }
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.takes(b']') && self.at < self.text.len() {
                    self.takes(b',');
                    items.push(self.value());
                }
                Kind::List(items)
            }
            Some(b'"') => {
                self.string();
                Kind::Other
            }
            _ => {
                let ends = |byte: &u8| b",]} \t\r\n".contains(byte);
                while self.text.get(self.at).is_some_and(|byte| !ends(byte)) {
                    self.at += 1;
                }
                Kind::Other
            }
        };
        Node {
            place: start..self.at,
            kind,
        }
    }

    /// Skips a string; returns the position after it.
    fn string(&mut self) -> usize {
        self.at += 1;
        while let Some(byte) = self.text.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn own(value: &Value) -> bool {
        value["own"] == true
    }

    #[test]
    fn an_item_is_added_and_taken_out_without_touching_the_rest() {
        let entry = json!({"own": true, "list": [1]});
        for text in [
            "{}\n",
            "{\n  \"a\": 1\n}\n",
            "{ \"hooks\": { \"Pre\": [ {\"x\": \"]}\\\"\"} ] } }",
            "{\n\t\"hooks\": {\n\t\t\"Pre\": [],\n\t\t\"Post\": [1, 2]\n\t},\n\t\"z\": {}\n}",
            "{\"hooks\": {\"Pre\": [1,2,3]}}\r\n",
        ] {
            let with = append(text, &["hooks", "Pre"], &entry).unwrap();
            let parsed: Value = serde_json::from_str(&with).unwrap();
            assert_eq!(
                parsed["hooks"]["Pre"].as_array().unwrap().last(),
                Some(&entry)
            );
            let without = remove(&with, &["hooks", "Pre"], own).unwrap();
            let parsed: Value = serde_json::from_str(&without).unwrap();
            let mut before: Value = serde_json::from_str(text).unwrap();
            // A list that was empty before goes with the item.
            if before["hooks"]["Pre"] == json!([]) {
                before["hooks"].as_object_mut().unwrap().remove("Pre");
            }
            if before
                .as_object()
                .unwrap()
                .get("hooks")
                .is_none_or(Value::is_null)
            {
                before.as_object_mut().unwrap().remove("hooks");
            }
            assert_eq!(parsed, before, "{with}");
        }
    }

    #[test]
    fn what_is_added_looks_like_the_rest() {
        let text = "{\n    \"a\": [1,   2]\n}\n";
        let with = append(text, &["hooks", "Pre"], &json!({"b": [1]})).unwrap();
        assert_eq!(
            with,
            "{\n    \"a\": [1,   2],\n    \"hooks\": {\n        \"Pre\": [\n            {\n                \"b\": [\n                    1\n                ]\n            }\n        ]\n    }\n}\n"
        );
    }

    #[test]
    fn what_cannot_be_added_to_is_said() {
        let add = |text: &str| append(text, &["hooks", "Pre"], &json!(1));
        assert!(matches!(add("{"), Err(JsonTextError::NotJson(_))));
        assert!(
            matches!(add("{\"hooks\": []}"), Err(JsonTextError::Unexpected(at)) if at == "hooks")
        );
        assert!(matches!(
            add("{\"hooks\": {\"Pre\": 1}}"),
            Err(JsonTextError::Unexpected(_))
        ));
        assert!(matches!(add("[]"), Err(JsonTextError::Unexpected(_))));
        assert_eq!(
            remove("{\"hooks\": 1}", &["hooks", "Pre"], own).unwrap(),
            "{\"hooks\": 1}"
        );
    }
}
