//! The plugin's record of an exception.

use serde::Deserialize;

use crate::test_outcome::{FailureKind, Location, Raised, Report, Unreadable, read_stream};

/// An exception as the plugin writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RaisedLine {
    /// Names of its class and that class's ancestors, most specific first, with their module
    /// unless they are built in: `app.errors.TooLarge`, `ValueError`, `Exception`.
    exceptions: Vec<String>,
    message: String,
    missing_module: Option<String>,
    owner: Option<String>,
    owner_is_module: bool,
    owner_path: Option<String>,
    crash: Option<Location>,
    text: String,
}

impl From<RaisedLine> for Raised {
    fn from(line: RaisedLine) -> Self {
        Self {
            kind: kind_of(&line.exceptions),
            class: line.exceptions.into_iter().next().unwrap_or_default(),
            message: line.message,
            missing_module: line.missing_module,
            owner: line.owner,
            owner_is_module: line.owner_is_module,
            owner_path: line.owner_path,
            crash: line.crash,
            text: line.text,
        }
    }
}

/// Reads the plugin's stream.
pub fn parse_report(stream: &str) -> Result<Report, Unreadable> {
    read_stream::<RaisedLine>(stream)
}

/// Classes of Python and pytest, and their kinds. Where an exception has several, the first here counts.
const KINDS: [(&str, FailureKind); 10] = [
    ("SyntaxError", FailureKind::Syntax),
    ("ModuleNotFoundError", FailureKind::MissingModule),
    ("ImportError", FailureKind::MissingName),
    ("NameError", FailureKind::UndefinedName),
    (
        "_pytest.fixtures.FixtureLookupError",
        FailureKind::MissingFixture,
    ),
    ("AttributeError", FailureKind::MissingAttribute),
    // Raised by `pytest.fail`, and by `pytest.raises` where nothing was raised.
    ("Failed", FailureKind::ExplicitFailure),
    ("AssertionError", FailureKind::Assertion),
    ("NotImplementedError", FailureKind::NotImplemented),
    ("TypeError", FailureKind::WrongCall),
];

/// The kind of an exception of these classes.
pub(crate) fn kind_of<T: AsRef<str>>(classes: &[T]) -> FailureKind {
    let is = |class: &str| classes.iter().any(|name| name.as_ref() == class);
    let found = KINDS.iter().find(|(class, _)| is(class));
    found.map_or(FailureKind::Other, |(_, kind)| *kind)
}

/// Whether pytest fails a test because it is asynchronous and no plugin runs such tests.
pub(crate) fn nothing_runs_it(raised: &Raised) -> bool {
    let words = "async def functions are not natively supported";
    raised.message.starts_with(words)
}

#[cfg(test)]
mod tests {
    use super::kind_of;
    use crate::test_outcome::FailureKind;

    #[test]
    fn ancestors_decide_and_the_more_telling_class_comes_first() {
        let table: [(&[&str], FailureKind); 7] = [
            (&["IndentationError", "SyntaxError"], FailureKind::Syntax),
            (
                &["ModuleNotFoundError", "ImportError"],
                FailureKind::MissingModule,
            ),
            (&["ImportError", "Exception"], FailureKind::MissingName),
            (
                &["UnboundLocalError", "NameError"],
                FailureKind::UndefinedName,
            ),
            (
                &["app.Gone", "TypeError", "AttributeError"],
                FailureKind::MissingAttribute,
            ),
            (&["ValueError", "Exception"], FailureKind::Other),
            (&[], FailureKind::Other),
        ];
        for (classes, kind) in table {
            assert_eq!(kind_of(classes), kind, "{classes:?}");
        }
    }
}
