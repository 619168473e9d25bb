//! Where results and failures are printed: the only place that writes to standard output.

use std::io::Write;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::arguments::{Color, Format, Global};
use crate::failure::{Failure, Kind};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WAITING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// What the helper has to say; the Proctor that started it reads this, and no person.
pub(crate) fn complain(error: &std::io::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error}");
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

    /// For what has to be said before the arguments are understood.
    pub(crate) fn plain(format: Format) -> Self {
        Self {
            format,
            color: anstream::ColorChoice::Auto,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// A result: `text` for people, `document` for scripts. A reader that went away is no failure.
    pub(crate) fn result(&self, text: &str, document: &Value) {
        let mut out = AutoStream::new(std::io::stdout().lock(), self.color);
        let _ = match self.format {
            Format::Text => out.write_all(text.as_bytes()),
            Format::Json => writeln!(out, "{document}"),
        };
        let _ = out.flush();
    }

    /// One sentence and its hints.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.is_json() {
            let _ = writeln!(std::io::stdout().lock(), "{}", failure.to_json());
        }
        let mut out = AutoStream::new(std::io::stderr().lock(), self.color);
        let _ = match failure.kind {
            // Nothing went wrong; somebody is needed.
            Kind::NeedsPerson => writeln!(out, "{WAITING}waiting:{WAITING:#} {}", failure.message),
            _ => writeln!(out, "{ERROR}error:{ERROR:#} {}", failure.message),
        };
        for hint in failure.hints() {
            let _ = writeln!(out, "{HINT}hint:{HINT:#} {hint}");
        }
    }
}
