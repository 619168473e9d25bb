//! The meaning of an error, by its class, code and message.
//!
//! JavaScript has few error classes, and the runners wrap them in others. So most is decided by the messages of node,
//! vite, babel, TypeScript and the runners themselves.

use crate::test_outcome::FailureKind;

/// The meaning of an error without knowledge of the tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) kind: FailureKind,
    /// The module that was not found, or that lacks a name.
    pub(super) module: Option<Asked>,
    /// The owner of a missing name if it is not a module of the project.
    pub(super) owner: Option<&'static str>,
    /// Where the file is that cannot be read: a path as the message has it, and a line.
    pub(super) place: Option<(String, u32)>,
    /// Whether the words say nothing but that the test fails.
    pub(super) is_bare: bool,
}

/// A module as a file asks for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) specifier: String,
    /// The file, if the message names it.
    pub(super) importer: Option<String>,
}

/// Classes of errors that are failed assertions.
const ASSERTIONS: [&str; 4] = [
    "AssertionError",
    "AssertionError2",
    "JestAssertionError",
    "TestingLibraryElementError",
];

/// How messages of failed assertions begin whose class is plain.
const ASSERTED: [&str; 6] = [
    "expect(",
    "expect.assertions(",
    "expect.hasAssertions(",
    "Snapshot `",
    "expected number of assertions to be",
    "expected any number of assertion",
];

/// How messages about files begin that cannot be translated.
const UNREADABLE: [&str; 5] = [
    "Parse failure:",
    "Transform failed with",
    "Failed to parse source",
    "Build failed with",
    "[PARSE_ERROR]",
];

/// Messages of syntax errors that a running program gets from its input.
const READ_AT_RUN_TIME: [&str; 4] = [
    "JSON",
    "Invalid regular expression",
    "Invalid flags supplied to RegExp",
    "to a BigInt",
];

/// The meaning of an error of this class with this code and message.
pub(super) fn meaning(class: &str, code: &str, message: &str) -> Meaning {
    let of = |kind| Meaning {
        kind,
        ..Meaning::default()
    };
    if let Some(found) = type_diagnostics(message) {
        return found;
    }
    if let Some(module) = missing_module(message) {
        let module = Some(module);
        return Meaning {
            module,
            ..of(FailureKind::MissingModule)
        };
    }
    if let Some(module) = lacking_module(message) {
        let module = Some(module);
        return Meaning {
            module,
            ..of(FailureKind::MissingName)
        };
    }
    if is_unreadable(class, code, message) {
        let place = place_of(message);
        return Meaning {
            place,
            ..of(FailureKind::Syntax)
        };
    }
    match class {
        "ReferenceError" => of(FailureKind::UndefinedName),
        "TypeError" => type_error(message),
        "TSError" => of(FailureKind::WrongCall),
        _ if code == "ERR_ASSERTION" || ASSERTIONS.contains(&class) => assertion(message),
        _ if ASSERTED.iter().any(|begin| message.starts_with(begin)) => of(FailureKind::Assertion),
        // The project may define a matcher.
        _ if message.starts_with("Invalid Chai property:") => Meaning {
            owner: Some("expect"),
            ..of(FailureKind::MissingAttribute)
        },
        _ if is_not_implemented(message) => of(FailureKind::NotImplemented),
        _ => of(FailureKind::Other),
    }
}

fn assertion(message: &str) -> Meaning {
    let is_bare = matches!(
        message.trim(),
        "" | "Failed" | "expect.fail()" | "assert.fail()"
    );
    let kind = if is_bare {
        FailureKind::ExplicitFailure
    } else {
        FailureKind::Assertion
    };
    Meaning {
        kind,
        is_bare,
        ..Meaning::default()
    }
}

/// In JavaScript an unwritten name is `undefined`, and every use of it is a type error.
fn type_error(message: &str) -> Meaning {
    let called = message.strip_suffix(" is not a function");
    let runner = called.and_then(|called| {
        ["vi", "jest"]
            .into_iter()
            .find(|name| called.split('.').next() == Some(*name) && called.contains('.'))
    });
    Meaning {
        kind: match runner {
            Some(_) => FailureKind::MissingAttribute,
            None => FailureKind::WrongCall,
        },
        owner: runner,
        ..Meaning::default()
    }
}

fn is_not_implemented(message: &str) -> bool {
    let words = message.trim_start().to_ascii_lowercase();
    [
        "not implemented",
        "not yet implemented",
        "unimplemented",
        "todo:",
    ]
    .iter()
    .any(|begin| words.starts_with(begin))
}

fn is_unreadable(class: &str, code: &str, message: &str) -> bool {
    let read = |word: &&str| message.contains(*word);
    code == "BABEL_PARSE_ERROR"
        || UNREADABLE.iter().any(|begin| message.starts_with(begin))
        || (class == "SyntaxError" && !READ_AT_RUN_TIME.iter().any(read))
}

/// The words between two others.
fn between<'m>(message: &'m str, begin: &str, end: &str) -> Option<&'m str> {
    let (_, rest) = message.split_once(begin)?;
    Some(rest.split_once(end)?.0)
}

/// The quoted text at the beginning, and the rest.
fn quoted<'m>(message: &'m str, begin: &str) -> Option<(&'m str, &'m str)> {
    let rest = message.strip_prefix(begin)?;
    let quote = rest
        .chars()
        .next()
        .filter(|first| matches!(first, '\'' | '"'))?;
    rest[1..].split_once(quote)
}

fn missing_module(message: &str) -> Option<Asked> {
    let asked = |specifier: &str, importer: Option<&str>| {
        let importer = importer.map(|path| path.trim_matches(['\'', '"', ' ']).to_owned());
        Some(Asked {
            specifier: specifier.to_owned(),
            importer,
        })
    };
    for begin in ["Cannot find module ", "Cannot find package "] {
        if let Some((specifier, rest)) = quoted(message, begin) {
            let line = rest.lines().next().unwrap_or_default();
            let from = [" imported from ", " from "];
            let from = from.iter().find_map(|words| line.strip_prefix(words));
            let stack = || between(rest, "Require stack:\n- ", "\n");
            let stack = || stack().or_else(|| Some(rest.split_once("Require stack:\n- ")?.1));
            return asked(specifier, from.or_else(stack));
        }
    }
    if let Some((specifier, rest)) = quoted(message, "Failed to resolve import ") {
        let importer = quoted(rest, " from ").map(|(importer, _)| importer);
        return asked(specifier, importer);
    }
    if let Some(rest) = message.strip_prefix("Failed to load url ") {
        let specifier = rest.split(' ').next().unwrap_or(rest);
        return asked(specifier, between(rest, ") in ", ". Does the file exist"));
    }
    if let Some(rest) = message.strip_prefix("Could not locate module ") {
        let specifier = rest.split_once(" mapped as").map_or(rest, |(name, _)| name);
        return asked(specifier, None);
    }
    let (specifier, rest) = quoted(message, "Package import specifier ")?;
    rest.starts_with(" is not defined").then_some(())?;
    asked(
        specifier,
        rest.split_once(" imported from ").map(|(_, path)| path),
    )
}

/// The module that exists and lacks a name which is imported from it.
fn lacking_module(message: &str) -> Option<Asked> {
    let (specifier, rest) = quoted(message, "The requested module ")?;
    rest.starts_with(" does not provide an export named")
        .then(|| Asked {
            specifier: specifier.to_owned(),
            importer: None,
        })
}

/// The diagnostics of TypeScript's compiler, where a runner has it check types: `path:line:column - error TS2307:
/// words`.
fn type_diagnostics(message: &str) -> Option<Meaning> {
    let found: Vec<Diagnostic<'_>> = message.lines().filter_map(diagnostic).collect();
    let of = |told: &Diagnostic<'_>, kind, module| Meaning {
        kind,
        module,
        place: Some((told.path.to_owned(), told.line)),
        ..Meaning::default()
    };
    let is_syntax = |told: &&Diagnostic<'_>| (1000..1192).contains(&told.number);
    if let Some(told) = found.iter().find(is_syntax) {
        return Some(of(told, FailureKind::Syntax, None));
    }
    let missing = found.iter().find_map(|told| {
        let mut asked = missing_module(told.words)?;
        asked.importer = Some(told.path.to_owned());
        Some(of(told, FailureKind::MissingModule, Some(asked)))
    });
    let lacking = || {
        found.iter().find_map(|told| {
            let asked = Asked {
                specifier: lacking_in_types(told.words)?.to_owned(),
                importer: Some(told.path.to_owned()),
            };
            Some(of(told, FailureKind::MissingName, Some(asked)))
        })
    };
    let first = || Some(of(found.first()?, FailureKind::WrongCall, None));
    missing.or_else(lacking).or_else(first)
}

struct Diagnostic<'m> {
    path: &'m str,
    line: u32,
    number: u32,
    words: &'m str,
}

fn diagnostic(line: &str) -> Option<Diagnostic<'_>> {
    let (place, rest) = line.split_once(" - error TS")?;
    let (number, words) = rest.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let (_, line, path) = (parts.next()?, parts.next()?, parts.next()?);
    Some(Diagnostic {
        path: path.trim(),
        line: line.parse().ok()?,
        number: number.parse().ok()?,
        words,
    })
}

/// `Module '"../src/a"' has no exported member 'b'`, and the like.
fn lacking_in_types(words: &str) -> Option<&str> {
    let told = [
        "has no exported member",
        "has no default export",
        "typeof import(",
    ];
    told.iter().find(|told| words.contains(*told))?;
    between(words, "'\"", "\"'").or_else(|| between(words, "typeof import(\"", "\")"))
}

/// The file that a message says cannot be read, and the line.
fn place_of(message: &str) -> Option<(String, u32)> {
    let lines = message.lines().map(str::trim);
    let marked = lines.clone().find_map(|line| {
        let place = line.strip_prefix("At file: ");
        let place = place.or_else(|| Some(line.split_once(": ERROR:")?.0));
        let place =
            place.or_else(|| Some(line.split_once("[ ")?.1.trim_end_matches(['─', ']', ' '])));
        with_line(place?)
    });
    // `path: words (line:column)`
    let of_babel = || {
        let line = message.lines().next()?;
        let (path, rest) = line.split_once(": ")?;
        let (_, numbers) = rest.rsplit_once('(')?;
        let line = numbers.split(':').next()?.parse().ok()?;
        Some((path.to_owned(), line))
    };
    marked.or_else(of_babel)
}

/// `path:line:column`, or without the column.
fn with_line(place: &str) -> Option<(String, u32)> {
    let mut parts = place.split(':');
    let path = parts.next()?;
    let line = parts.next()?.parse().ok()?;
    (path.contains('.') && !path.contains(' ')).then(|| (path.to_owned(), line))
}

/// A text without the sequences that colour it on a terminal.
pub(super) fn plain(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        found.push_str(before);
        let end = after.find(|character: char| character.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    found.push_str(rest);
    found
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
