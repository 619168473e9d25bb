//! The reporter's entries about errors in a runner.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::declared::{resolve, without_ending};
use super::messages::{Meaning, meaning, plain};
use crate::test_outcome::TwinKind;
use crate::test_outcome::{
    FailureKind, Location, Outcome, Phase, Raised, Report, Unreadable, file_of, read_stream,
};

/// The class of the error that a twin throws at its end if it reached none of its inverted places.
pub const NOT_REACHED: &str = "ProctorNotReached";

/// The class of the error that a stub throws.
const STUB: &str = "ProctorStub";

/// An error as the reporter writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RaisedLine {
    /// The name of its class, as the runner tells it.
    name: Option<String>,
    /// Node's and the runners' own code for it, if it has one; programs put anything there.
    code: Value,
    message: Option<String>,
    stack: Option<String>,
    crash: Option<Location>,
    missing: Option<MissingLine>,
    text: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MissingLine {
    specifier: Option<String>,
    importer: Option<String>,
}

/// Between a specifier and its importer, until both are known to be read against the tree.
const PENDING: char = '\n';

impl From<RaisedLine> for Raised {
    fn from(line: RaisedLine) -> Self {
        let mut message = plain(&line.message.unwrap_or_default());
        let stack = line.stack.unwrap_or_default();
        let class = class_of(line.name.as_deref().unwrap_or_default(), &stack);
        let found = meaning(&class, line.code.as_str().unwrap_or_default(), &message);
        let told = line.missing.and_then(|missing| {
            let importer = missing.importer.unwrap_or_default();
            Some(format!("{}{PENDING}{importer}", missing.specifier?))
        });
        let read = found.module.as_ref().map(|asked| {
            let importer = asked.importer.as_deref().unwrap_or_default();
            format!("{}{PENDING}{importer}", asked.specifier)
        });
        let Meaning {
            kind,
            owner,
            place,
            is_bare,
            ..
        } = found;
        let is_lacking = kind == FailureKind::MissingName;
        if is_bare {
            message.clear();
        }
        // Where the message names no module, the reporter may have seen one.
        let kind = match kind {
            FailureKind::Other if told.is_some() => FailureKind::MissingModule,
            kind => kind,
        };
        let missing_module = match kind {
            FailureKind::MissingModule => told.or_else(|| read.clone()),
            _ => None,
        };
        let place = place.map(|(path, line)| Location { path, line });
        Self {
            kind,
            missing_module,
            owner: read
                .filter(|_| is_lacking)
                .or_else(|| owner.map(str::to_owned)),
            owner_is_module: is_lacking || owner.is_some_and(|owner| owner != "expect"),
            owner_path: None,
            crash: place.or(line.crash),
            text: line.text.filter(|text| !text.is_empty()).unwrap_or(stack),
            class,
            message,
        }
    }
}

/// The name of an error's class. Some runners send plain objects whose stack alone still has it.
fn class_of(name: &str, stack: &str) -> String {
    if !matches!(name, "" | "Error" | "Object") {
        return name.to_owned();
    }
    let word = stack.split([':', ' ', '\n']).next().unwrap_or_default();
    let is_class = word.ends_with("Error") && word.chars().all(char::is_alphanumeric);
    if is_class {
        word.to_owned()
    } else {
        name.to_owned()
    }
}

/// Reads a reporter's stream. `turned` says which twins were run, if any: one that reached none of its inverted places
/// reports an error of its own. `root` is the tree's directory, if known.
pub fn parse_report(
    stream: &str,
    turned: Option<TwinKind>,
    root: Option<&str>,
) -> Result<Report, Unreadable> {
    let mut report = read_stream::<RaisedLine>(stream)?;
    settle_paths(&mut report, root);
    note_stubs(&mut report);
    if let Some(kind) = turned {
        note_reach(&mut report, kind);
    }
    Ok(report)
}

/// The tests that a stub made fail: they reached it. A test that catches the stub's error is not seen.
fn note_stubs(report: &mut Report) {
    let by_stub = report.records.iter().filter(|record| {
        let raised = record.raised.as_ref();
        raised.is_some_and(|raised| raised.class == STUB)
    });
    let ids: BTreeSet<String> = by_stub.map(|record| record.id.clone()).collect();
    report.used_stubs.extend(ids.iter().cloned());
    report.knew_stubs.extend(ids);
}

/// Notes which twins reached an inverted place. A negated one that did not fails all the same; a changed one then shows
/// nothing, since not every value has another one.
fn note_reach(report: &mut Report, kind: TwinKind) {
    let is_end = |raised: &Raised| raised.class == NOT_REACHED;
    report.unhandled.retain(|raised| !is_end(raised));
    let mut ran: BTreeSet<String> = BTreeSet::new();
    for record in &mut report.records {
        if record.raised.as_ref().is_some_and(is_end) {
            report.ended.insert(record.id.clone());
            if kind == TwinKind::Changed {
                record.outcome = Outcome::Passed;
                record.raised = None;
            }
        }
        if record.phase == Phase::Call && record.outcome != Outcome::Skipped {
            ran.insert(record.id.clone());
        }
    }
    let ended = &report.ended;
    report
        .reached
        .extend(ran.into_iter().filter(|id| !ended.contains(id)));
}

/// Writes every path as the tree has it: runners name some of them from the root of the file system.
fn settle_paths(report: &mut Report, root: Option<&str>) {
    let found = tree_root(report);
    let root = root.or(found.as_deref());
    for error in &mut report.errors {
        let file = file_of(&error.file).to_owned();
        settle(&mut error.raised, &file, root);
    }
    for record in &mut report.records {
        let file = file_of(&record.id).to_owned();
        if let Some(raised) = &mut record.raised {
            settle(raised, &file, root);
        }
    }
    for raised in &mut report.unhandled {
        settle(raised, "", root);
    }
}

/// The tree's directory, from a path that is given both from its top and from the root of the file system.
fn tree_root(report: &Report) -> Option<String> {
    let errors = report.errors.iter().map(|error| &error.file);
    let files = report.collected.iter().chain(errors).map(|id| file_of(id));
    let crashes = report.raised().filter_map(|raised| raised.crash.as_ref());
    let crashes = crashes.map(|crash| crash.path.as_str());
    let known: BTreeSet<&str> = files
        .chain(crashes)
        .filter(|path| !path.starts_with('/'))
        .collect();
    let asked = report.raised().flat_map(|raised| {
        let modules = [raised.missing_module.as_deref(), raised.owner.as_deref()];
        let importers = modules.into_iter().flatten();
        let importers = importers.filter_map(|pending| Some(pending.split_once(PENDING)?.1));
        importers.chain(raised.crash.iter().map(|crash| crash.path.as_str()))
    });
    let mut absolute = asked
        .map(without_scheme)
        .filter(|path| path.starts_with('/'));
    absolute.find_map(|path| {
        let mut known = known.iter();
        known.find_map(|file| Some(path.strip_suffix(file)?.strip_suffix('/')?.to_owned()))
    })
}

fn without_scheme(path: &str) -> &str {
    path.strip_prefix("file://").unwrap_or(path)
}

/// A path as the tree has it; `file` replaces a missing one.
fn in_tree<'p>(path: &'p str, root: Option<&str>) -> &'p str {
    let path = without_scheme(path);
    let root = root.map(|root| root.trim_end_matches('/'));
    let inside = root.and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
    inside.unwrap_or(path).trim_start_matches('/')
}

fn settle(raised: &mut Raised, file: &str, root: Option<&str>) {
    if let Some(crash) = &mut raised.crash {
        crash.path = in_tree(&crash.path, root).to_owned();
    }
    let crash = raised.crash.as_ref().map(|crash| crash.path.clone());
    let whole = |pending: &str| -> Option<(String, String)> {
        let (specifier, importer) = pending.split_once(PENDING)?;
        let importer = match importer {
            "" => crash.clone().unwrap_or_else(|| file.to_owned()),
            importer => in_tree(importer, root).to_owned(),
        };
        let specifier = without_scheme(specifier);
        if !specifier.starts_with('/') {
            return Some((importer, specifier.to_owned()));
        }
        Some((importer, format!("/{}", in_tree(specifier, root))))
    };
    if let Some((importer, specifier)) = raised.missing_module.as_deref().and_then(&whole) {
        raised.missing_module = Some(resolve(&importer, &specifier).unwrap_or(specifier));
    }
    if let Some((importer, specifier)) = raised.owner.as_deref().and_then(&whole) {
        let module = resolve(&importer, &specifier).unwrap_or_else(|| specifier.clone());
        // An import with an ending means that file.
        let ending = specifier.strip_prefix(without_ending(&specifier));
        raised.owner_path = module
            .strip_prefix("./")
            .map(|stem| format!("{stem}{}", ending.unwrap_or_default()));
        raised.owner = Some(module);
    }
}

#[cfg(test)]
mod tests {
    use super::parse_report;
    use crate::test_outcome::TwinKind;
    use crate::test_outcome::{FailureKind, Outcome, Report};
    use serde_json::{Value, json};

    fn read(lines: &[Value], turned: Option<TwinKind>) -> Report {
        read_in(None, lines, turned)
    }

    fn read_in(root: Option<&str>, lines: &[Value], turned: Option<TwinKind>) -> Report {
        let start = json!({"kind": "start", "version": 1});
        let finish =
            json!({"kind": "finish", "exit": 1, "import_roots": [""], "foreign_modules": {}});
        let lines = [&start].into_iter().chain(lines).chain([&finish]);
        let mut stream = String::new();
        for line in lines {
            stream.push_str(&line.to_string());
            stream.push('\n');
        }
        parse_report(&stream, turned, root).expect("a stream")
    }

    fn error(file: &str, raised: &Value) -> Value {
        json!({"kind": "collection_error", "file": file, "raised": raised})
    }

    fn phase(id: &str, phase: &str, outcome: &str, raised: &Value) -> Value {
        json!({"kind": "phase", "id": id, "phase": phase, "outcome": outcome, "raised": raised})
    }

    #[test]
    fn a_missing_module_is_one_of_the_tree() {
        let table = [
            (
                "Cannot find module '../src/a.js' imported from /w/t/test/b.test.js",
                "./src/a",
            ),
            (
                "Cannot find module '/w/t/src/a.js' imported from /w/t/test/b.test.js",
                "./src/a",
            ),
            (
                "Cannot find module '/src/a.js' imported from /w/t/test/b.test.js",
                "./src/a",
            ),
            (
                "Cannot find module '../src/a' from 'test/b.test.js'",
                "./src/a",
            ),
            (
                "Cannot find module './gone.js' imported from '/w/t/src/deep.js'",
                "./src/gone",
            ),
            (
                "Cannot find package 'pkg' imported from /w/t/test/b.test.js",
                "pkg",
            ),
        ];
        // Another error shows the tree's directory.
        let other = json!({
            "name": "Error", "message": "Cannot find package 'x' imported from /w/t/test/b.test.js",
        });
        for (message, module) in table {
            let raised =
                json!({"name": "Error", "code": "ERR_MODULE_NOT_FOUND", "message": message});
            let report = read(
                &[
                    error("test/b.test.js", &raised),
                    error("test/b.test.js", &other),
                ],
                None,
            );
            let found = &report.errors[0].raised;
            assert_eq!(found.kind, FailureKind::MissingModule, "{message}");
            assert_eq!(found.missing_module.as_deref(), Some(module), "{message}");
        }
    }

    #[test]
    fn a_place_is_one_of_the_tree_however_the_tree_is_named() {
        let message = "/w/t/src/a.js: Unexpected token (1:13)";
        let raised = json!({"name": "SyntaxError", "message": message});
        for root in ["/w/t", "/w/t/"] {
            let report = read_in(Some(root), &[error("test/b.test.js", &raised)], None);
            let crash = report.errors[0].raised.crash.as_ref().expect("a place");
            assert_eq!((crash.path.as_str(), crash.line), ("src/a.js", 1), "{root}");
        }
    }

    #[test]
    fn what_the_witness_saw_of_a_missing_module_counts() {
        let raised = json!({
            "name": "Error", "message": "no such thing", "code": 7,
            "missing": {"specifier": "./a.js", "importer": "src/b.js"},
        });
        let report = read(&[error("test/b.test.js", &raised)], None);
        assert_eq!(
            report.errors[0].raised.missing_module.as_deref(),
            Some("./src/a")
        );
    }

    #[test]
    fn a_module_that_lacks_a_name_is_its_owner() {
        let message = "The requested module '../src/a.js' does not provide an export named 'b'";
        let raised = json!({"name": "SyntaxError", "message": message, "crash": null});
        let report = read(&[error("test/b.test.js", &raised)], None);
        let found = &report.errors[0].raised;
        assert_eq!(found.kind, FailureKind::MissingName);
        assert_eq!(found.owner.as_deref(), Some("./src/a"));
        assert_eq!(found.owner_path.as_deref(), Some("src/a.js"));
        assert!(found.owner_is_module);
        assert_eq!(found.missing_module, None);
    }

    #[test]
    fn a_syntax_error_lies_where_its_words_say() {
        let raised = json!({
            "name": "RollupError", "message": "Parse failure: x\nAt file: /src/bad.js:3:6",
            "crash": {"path": "node_modules/x.js", "line": 9},
        });
        let report = read(&[error("test/b.test.js", &raised)], None);
        let found = &report.errors[0].raised;
        let crash = found.crash.as_ref().expect("a place");
        assert_eq!((crash.path.as_str(), crash.line), ("src/bad.js", 3));
        assert_eq!(found.kind, FailureKind::Syntax);
    }

    #[test]
    fn the_class_may_stand_in_the_stack_alone() {
        for (name, stack, class) in [
            ("", "TypeError: x is not a function\n    at a", "TypeError"),
            (
                "Object",
                "AssertionError [ERR_ASSERTION]: 1 == 2",
                "AssertionError",
            ),
            ("RangeError", "Error: x", "RangeError"),
            ("", "thrown: \"text\"", ""),
        ] {
            let raised = json!({"name": name, "stack": stack, "message": "m"});
            let report = read(&[error("a.test.js", &raised)], None);
            assert_eq!(report.errors[0].raised.class, class, "{stack}");
        }
    }

    #[test]
    fn a_test_that_fails_by_a_stub_came_to_it() {
        let stub = json!({"name": "ProctorStub", "message": "proctor: add is a stub"});
        let other = json!({"name": "TypeError", "message": "proctor: add is a stub"});
        let lines = [
            phase("a.test.js::a", "call", "failed", &stub),
            phase("a.test.js::b", "call", "failed", &other),
        ];
        let report = read(&lines, None);
        assert!(report.used_stubs.iter().eq(["a.test.js::a"]));
        assert!(report.knew_stubs.iter().eq(["a.test.js::a"]));
    }

    #[test]
    fn twins_that_reached_nothing_say_so() {
        let ended = json!({"name": "ProctorNotReached", "message": ""});
        let failed = json!({"name": "AssertionError", "message": "expected"});
        let lines = [
            phase("a.test.js::a", "call", "failed", &ended),
            phase("a.test.js::b", "call", "failed", &failed),
            phase("a.test.js::c", "call", "passed", &Value::Null),
            phase("a.test.js::d", "setup", "skipped", &Value::Null),
            json!({"kind": "unhandled", "raised": ended}),
        ];
        let outcome = |report: &Report| report.records[0].outcome;
        let changed = read(&lines, Some(TwinKind::Changed));
        assert_eq!(outcome(&changed), Outcome::Passed);
        let negated = read(&lines, Some(TwinKind::Negated));
        assert_eq!(outcome(&negated), Outcome::Failed);
        for report in [changed, negated] {
            assert!(report.ended.iter().eq(["a.test.js::a"]));
            assert!(report.reached.iter().eq(["a.test.js::b", "a.test.js::c"]));
            assert!(report.unhandled.is_empty());
        }
        let plain = read(&lines, None);
        assert!(plain.ended.is_empty() && plain.reached.is_empty());
    }
}
