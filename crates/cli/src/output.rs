//! Where results and failures are printed: the only place that writes to standard output.
//!
//! Everything is filtered here ([`proctor_core::visible`]), text and documents alike: text of a model, a test, a
//! repository or a service is spelled out whichever code put it into the sentence. A result is built line by line
//! ([`Text`]), so that no quoted text begins a line of its own.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use proctor_core::visible::{self, spelled_out};
use serde_json::Value;

use crate::arguments::{Color, Format, Global};
use crate::failure::{Failure, Kind};
use crate::terminal::{Ink, Line, Screen, columns_of, hanging, wrapped};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WAITING: Style = AnsiColor::Yellow.on_default().bold();
const ANSWERED: Style = Style::new().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// The helper's error; the Proctor process that started it reads this, not a person.
pub(crate) fn complain(error: &std::io::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error}");
}

/// A command's text for people. Only the command begins a line.
#[derive(Debug, Default)]
pub(crate) struct Text(String);

impl Text {
    /// A line; a line end within these words is spelled out.
    pub(crate) fn line(&mut self, words: impl Display) {
        self.0 += &visible::line(&words.to_string());
        self.0.push('\n');
    }

    /// Words that may have several lines. All but the first are indented by this many columns.
    pub(crate) fn lines(&mut self, columns: usize, words: impl Display) {
        self.0 += &hanging(&spelled_out(&words.to_string()), columns);
        self.0.push('\n');
    }
}

impl<Words: Display> From<Words> for Text {
    /// A single line.
    fn from(words: Words) -> Self {
        let mut text = Self::default();
        text.line(words);
        text
    }
}

/// Prints results (standard output) and failures (standard error, or standard output as JSON).
#[derive(Debug, Clone)]
pub(crate) struct Output {
    format: Format,
    color: anstream::ColorChoice,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let color = match global.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        Self {
            format: global.format,
            color,
        }
    }

    /// For output before the arguments are parsed.
    pub(crate) fn plain(format: Format) -> Self {
        Self {
            format,
            color: anstream::ColorChoice::Auto,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// A result: `text` for people, on a terminal broken between words, `document` for scripts. A closed pipe is not a
    /// failure.
    pub(crate) fn result(&self, text: impl Into<Text>, document: &Value) {
        match (self.format, columns_of(rustix::stdio::stdout())) {
            (Format::Text, Some(columns)) => self.write(&broken(&text.into().0, columns)),
            (Format::Text, None) => self.write(&text.into().0),
            (Format::Json, _) => self.write(&printed(document)),
        }
    }

    /// A whole page that a program reads: HTML, a manual page, a script.
    pub(crate) fn page(&self, page: &str, document: &Value) {
        match self.format {
            Format::Text => self.write(&spelled_out(page)),
            Format::Json => self.write(&printed(document)),
        }
    }

    /// One document on one line, in every format: its reader is a program.
    pub(crate) fn document(&self, document: &Value) {
        self.write(&printed(document));
    }

    /// A result in colours, and on a terminal broken as the screen does it.
    pub(crate) fn lines(
        &self,
        lines: impl Iterator<Item = Line>,
        screen: &Screen,
        document: &Value,
    ) {
        if self.is_json() {
            return self.write(&printed(document));
        }
        let painted = |line: Line| line.painted() + "\n";
        let text: String = if std::io::stdout().is_terminal() {
            let lines = lines.flat_map(|line| screen.broken(&line));
            lines.map(painted).collect()
        } else {
            lines.map(painted).collect()
        };
        self.write(&text);
    }

    fn write(&self, text: &str) {
        let mut out = AutoStream::new(std::io::stdout().lock(), self.color);
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }

    /// One sentence and its hints.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.is_json() {
            self.write(&printed(&failure.to_json()));
        }
        let mut out = AutoStream::new(std::io::stderr().lock(), self.color);
        let columns = columns_of(rustix::stdio::stderr());
        let mut say = |style: Style, word: &str, said: &str| {
            let text = format!("{word} {said}");
            let text = columns.map_or(format!("{text}\n"), |columns| broken(&text, columns));
            let said = text.strip_prefix(word).unwrap_or(&text);
            let _ = write!(out, "{style}{word}{style:#}{said}");
        };
        // Indented, so that a quoted line cannot pass for one of our hints.
        let message = hanging(&spelled_out(&failure.message), 2);
        match failure.kind {
            // Nothing went wrong; a person is needed.
            Kind::NeedsPerson => say(WAITING, "waiting:", &message),
            // Nothing went wrong; a person said no.
            _ if failure.is_answer => say(ANSWERED, "done:", &message),
            _ => say(ERROR, "error:", &message),
        }
        for hint in failure.hints() {
            say(HINT, "hint:", &visible::line(hint));
        }
    }
}

/// The text with its lines broken between words.
fn broken(text: &str, columns: usize) -> String {
    let lines = text
        .lines()
        .flat_map(|line| wrapped(&Line::of(Ink::Plain, line), columns));
    lines.map(|line| line.plain() + "\n").collect()
}

/// One document on one line.
fn printed(document: &Value) -> String {
    format!("{}\n", spelled_out_document(document))
}

/// The document with every text in it spelled out: scripts print their input.
fn spelled_out_document(document: &Value) -> Value {
    match document {
        Value::String(text) => spelled_out(text).into(),
        Value::Array(values) => values.iter().map(spelled_out_document).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (spelled_out(name).into_owned(), spelled_out_document(value)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => document.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn only_a_command_begins_a_line() {
        let mut text = Text::from("one\nerror: two");
        text.line("three\u{1b}[2J");
        text.lines(4, "four\nhint: five\r\nsix");
        assert_eq!(
            text.0,
            "one\\x0aerror: two\nthree\\x1b[2J\nfour\n    hint: five\\r\n    six\n"
        );
    }
}
