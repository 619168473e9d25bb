//! Replies from a file, one JSON object a line.

use std::path::Path;
use std::time::{Duration, Instant};

use proctor_core::generation::{ModelReply, StopReason};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Cleared, Destination, Model, ModelError, Request};
use crate::process::Interrupt;

/// Why a script cannot be used.
#[derive(Debug, Error)]
pub enum ScriptError {
    /// It cannot be read.
    #[error("the model script {path} cannot be read: {source}")]
    Unreadable {
        /// The script's path.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// A line is not a reply.
    #[error("line {line} of the model script {path} is not a reply: {problem}")]
    BadLine {
        /// The script's path.
        path: String,
        /// From 1.
        line: usize,
        /// The problem.
        problem: String,
    },
}

#[cfg(feature = "samples")]
impl ScriptError {
    pub(super) fn sample() -> Self {
        Self::Unreadable {
            path: "PATH".to_owned(),
            source: std::io::Error::other("REASON"),
        }
    }
}

/// One line. An absent field matches anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stage: Option<ScriptStage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) attempt: Option<u32>,
    #[serde(default)]
    pub(super) stop_reason: StopReason,
    pub(super) text: String,
    #[serde(default)]
    pub(super) input_tokens: u64,
    #[serde(default)]
    pub(super) output_tokens: u64,
    #[serde(default)]
    pub(super) delay_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScriptStage {
    Scaffold,
    Implement,
}

impl ScriptStage {
    fn name(self) -> &'static str {
        match self {
            Self::Scaffold => "scaffold",
            Self::Implement => "implement",
        }
    }
}

/// A scripted model.
#[derive(Debug)]
pub struct Script {
    name: String,
    lines: Vec<(usize, Line)>,
    used: Vec<usize>,
    /// Whether a question for which all lines are spent is answered with the last of them.
    repeats: bool,
    interrupt: Interrupt,
}

impl Script {
    /// Reads a script; `used` are the line numbers that are spent.
    pub fn read(path: &Path, used: &[usize], interrupt: Interrupt) -> Result<Self, ScriptError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|source| ScriptError::Unreadable {
            path: name.clone(),
            source,
        })?;
        Self::parse(&name, &text, used, interrupt)
    }

    /// Reads a script's text.
    pub fn parse(
        name: &str,
        text: &str,
        used: &[usize],
        interrupt: Interrupt,
    ) -> Result<Self, ScriptError> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line = serde_json::from_str(line).map_err(|problem| ScriptError::BadLine {
                path: name.to_owned(),
                line: index + 1,
                problem: problem.to_string(),
            })?;
            lines.push((index + 1, line));
        }
        Ok(Self {
            name: name.to_owned(),
            lines,
            used: used.to_vec(),
            repeats: false,
            interrupt,
        })
    }

    /// The same, but a repeated question, after a comment for example, is answered again.
    #[must_use]
    pub(super) fn repeating(mut self) -> Self {
        self.repeats = true;
        self
    }

    fn wait(&self, delay: Duration) -> Result<(), ModelError> {
        let end = Instant::now() + delay;
        loop {
            if self.interrupt.is_set() {
                return Err(ModelError::Interrupted);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::park_timeout(left.min(Duration::from_millis(50)));
        }
    }
}

impl Model for Script {
    fn serialise(&self, request: &Request<'_>) -> String {
        request.prompt.text().to_owned()
    }

    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError> {
        let asking = request.asking();
        let is_about = |line: &Line| {
            line.stage
                .is_none_or(|stage| stage.name() == asking.stage())
                && line
                    .path
                    .as_deref()
                    .is_none_or(|path| asking.path() == Some(path))
        };
        let matches = |line: &Line| {
            let attempt = line.attempt;
            is_about(line) && attempt.is_none_or(|attempt| attempt == request.attempt())
        };
        let mut lines = self.lines.iter();
        let unused = lines.find(|(number, line)| !self.used.contains(number) && matches(line));
        let last = || self.lines.iter().rfind(|(_, line)| is_about(line));
        let found = unused
            .or_else(|| self.repeats.then(last).flatten())
            .cloned();
        let Some((number, line)) = found else {
            let path = asking
                .path()
                .map_or(String::new(), |path| format!(" of {path}"));
            return Err(ModelError::NoScriptedReply {
                script: self.name.clone(),
                question: format!("{}{path}, attempt {}", asking.stage(), request.attempt()),
            });
        };
        self.wait(Duration::from_millis(line.delay_ms))?;
        self.used.push(number);
        Ok(ModelReply {
            text: line.text,
            stop_reason: line.stop_reason,
            input_tokens: line.input_tokens,
            output_tokens: line.output_tokens,
            cached_tokens: 0,
            cost_micro_usd: Some(0),
            script_line: Some(number),
            seen: Vec::new(),
            asked_for_changes: false,
        })
    }

    fn destination(&self) -> Destination {
        Destination::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Asking, clear};
    use super::*;
    use proctor_core::generation::Prompt;
    use proctor_core::path::ProjectPath;
    use proctor_core::secrets::AllowedSecrets;

    fn ask(script: &mut Script, path: Option<&str>, attempt: u32) -> Result<String, ModelError> {
        let path = path.map(|path| ProjectPath::parse(path).unwrap());
        let asking = path.as_ref().map_or(Asking::Scaffold, Asking::Implement);
        let request = Request {
            asking,
            attempt,
            cut_off: 0,
            prompt: &Prompt::default(),
        };
        let allowed = AllowedSecrets::default();
        let cleared = clear(script, &request, &allowed).unwrap();
        script.send(&cleared).map(|reply| reply.text)
    }

    fn script(text: &str, used: &[usize]) -> Script {
        Script::parse("script", text, used, Interrupt::never()).unwrap()
    }

    #[test]
    fn the_first_unused_match_is_taken_and_an_absent_field_matches_anything() {
        let text = r#"{"stage":"implement","path":"a.py","attempt":2,"text":"a2"}
{"stage":"implement","path":"a.py","text":"a"}

{"stage":"scaffold","text":"tests"}
{"text":"any"}"#;
        let mut model = script(text, &[]);
        assert_eq!(ask(&mut model, Some("a.py"), 1).unwrap(), "a");
        assert_eq!(ask(&mut model, None, 1).unwrap(), "tests");
        assert_eq!(ask(&mut model, Some("a.py"), 2).unwrap(), "a2");
        assert_eq!(ask(&mut model, Some("b.py"), 1).unwrap(), "any");
        let error = ask(&mut model, Some("b.py"), 3).unwrap_err().to_string();
        assert!(
            error.ends_with("no unused reply for implement of b.py, attempt 3"),
            "{error}"
        );
    }

    #[test]
    fn lines_that_an_earlier_process_used_are_not_used_again() {
        let mut model = script("{\"text\":\"one\"}\n{\"text\":\"two\"}\n", &[1]);
        assert_eq!(ask(&mut model, None, 1).unwrap(), "two");
    }

    #[test]
    fn a_line_that_is_no_reply_is_named_by_its_number() {
        for bad in [
            "{",
            "{}",
            r#"{"text":"x","stage":"merge"}"#,
            r#"{"text":"x","colour":1}"#,
        ] {
            let text = format!("{{\"text\":\"x\"}}\n{bad}");
            let error = Script::parse("s", &text, &[], Interrupt::never()).unwrap_err();
            assert!(error.to_string().starts_with("line 2 of"), "{error}");
        }
    }
}
