//! Replies for the scripted model: the same JSON Lines that `--record` writes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// One scripted reply. Conditions that it does not name match any request.
#[derive(Debug, Clone)]
pub struct Reply {
    fields: Map<String, Value>,
}

impl Reply {
    /// A reply to any request.
    pub fn new(text: impl Into<String>) -> Self {
        let mut fields = Map::new();
        fields.insert("text".to_owned(), Value::String(text.into()));
        Self { fields }
    }

    /// A reply to a request for tests.
    pub fn scaffold(text: impl Into<String>) -> Self {
        Self::new(text).with("stage", "scaffold")
    }

    /// A reply to a request for the source file `path`.
    pub fn implement(path: &str, text: impl Into<String>) -> Self {
        Self::new(text)
            .with("stage", "implement")
            .with("path", path)
    }

    /// Only for this attempt of its stage, counted from 1.
    #[must_use]
    pub fn attempt(self, attempt: u32) -> Self {
        self.with("attempt", attempt)
    }

    /// Ends for another reason than the model's having finished: `max_tokens` or `refusal`.
    #[must_use]
    pub fn stop_reason(self, reason: &str) -> Self {
        self.with("stop_reason", reason)
    }

    /// The reply's token counts.
    #[must_use]
    pub fn tokens(self, input: u64, output: u64) -> Self {
        self.with("input_tokens", input)
            .with("output_tokens", output)
    }

    /// Comes only after this many milliseconds.
    #[must_use]
    pub fn delay_milliseconds(self, delay: u64) -> Self {
        self.with("delay_ms", delay)
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }
}

/// A file of replies for `--model script:FILE`.
#[derive(Debug, Clone, Default)]
pub struct Script {
    replies: Vec<Reply>,
}

impl Script {
    /// A model that has nothing to say yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reply. Where several match a request, the first unused one is taken.
    #[must_use]
    pub fn reply(mut self, reply: Reply) -> Self {
        self.replies.push(reply);
        self
    }

    /// The file's content.
    pub fn to_json_lines(&self) -> String {
        self.replies.iter().fold(String::new(), |mut text, reply| {
            let line = Value::Object(reply.fields.clone());
            writeln!(text, "{line}").expect("a string takes any text");
            text
        })
    }

    /// Writes the file and returns the model that plays it: `script:FILE`.
    pub fn write_to(&self, path: impl AsRef<Path>) -> String {
        let path = path.as_ref();
        fs::write(path, self.to_json_lines())
            .unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
        format!("script:{}", path.display())
    }
}

/// A reply that brings one whole file.
pub fn file_reply(path: &str, content: &str) -> String {
    files_reply([(path, content)])
}

/// A reply that brings several whole files.
///
/// Each is in a fence longer than any inside it. A last line without a line break gets one, because the fence needs a
/// line of its own.
pub fn files_reply<'text>(files: impl IntoIterator<Item = (&'text str, &'text str)>) -> String {
    let sections: Vec<_> = files
        .into_iter()
        .map(|(path, content)| {
            let fence = "`".repeat(longest_fence(content).max(2) + 1);
            let newline = if content.is_empty() || content.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            format!("### FILE: {path}\n{fence}\n{content}{newline}{fence}\n")
        })
        .collect();
    sections.join("\n")
}

/// How many backticks the longest fence line has.
fn longest_fence(content: &str) -> usize {
    content
        .lines()
        .map(str::trim_start)
        .map(|line| line.len() - line.trim_start_matches('`').len())
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_one_document_per_line() {
        let text = Script::new()
            .reply(
                Reply::scaffold("first\nsecond")
                    .attempt(1)
                    .tokens(10, 20)
                    .delay_milliseconds(5),
            )
            .reply(Reply::implement("src/a.py", "x").stop_reason("max_tokens"))
            .to_json_lines();
        let replies: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(
            replies,
            [
                serde_json::json!({
                    "stage": "scaffold", "attempt": 1, "text": "first\nsecond",
                    "input_tokens": 10, "output_tokens": 20, "delay_ms": 5,
                }),
                serde_json::json!({
                    "stage": "implement", "path": "src/a.py", "text": "x",
                    "stop_reason": "max_tokens",
                }),
            ]
        );
    }

    #[test]
    fn a_fence_is_longer_than_every_fence_inside() {
        assert_eq!(
            files_reply([("a.py", "x = 1\n"), ("b.md", "text\n  ````sh\n````")]),
            "### FILE: a.py\n```\nx = 1\n```\n\
             \n### FILE: b.md\n`````\ntext\n  ````sh\n````\n`````\n"
        );
    }
}
