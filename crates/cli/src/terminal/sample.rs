//! A made-up run and a made-up review, for the tests of this folder.

use std::cell::RefCell;
use std::io::{self, PipeReader, Write};
use std::rc::Rc;

use std::collections::BTreeSet;

use proctor_core::diff::LineDiff;
use proctor_core::file_mode::FileMode;
use proctor_core::gate::{Disposition, Verdict};
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::lld::{ChangeType, PlannedFile};
use proctor_core::merge::Merge;
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::review_gate::{Label, ReportedFile, ReviewedFile, Version};
use proctor_core::safe_write::Proposal;
use proctor_core::test_outcome::{Ending, SandboxLevel};
use proctor_core::workflow::{
    Choice, ContextLoaded, Decision, Event, GateResult, LintResult, Run, Started,
};
use proctor_host::driver::{ReviewSheet, Subject};
use proctor_host::journal::RunId;
use proctor_host::process::Interrupt;
use serde_json::json;

use super::prompt::TerminalApprover;
use super::screen::Screen;
use super::style::Appearance;

/// Keeps the output written to its screens.
#[derive(Debug, Clone, Default)]
pub(super) struct Captured(Rc<RefCell<Vec<u8>>>);

impl Captured {
    pub(super) fn screen(&self, appearance: Appearance) -> Screen {
        Screen::to(Box::new(self.clone()), appearance)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("screens get text")
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Symbols, and neither colours nor live lines.
pub(super) const LOG: Appearance = Appearance {
    colour: false,
    unicode: true,
    live: false,
    paged: false,
};

/// An approver whose person has typed all this and left.
pub(super) fn answered(typed: &str) -> (TerminalApprover<PipeReader>, Captured) {
    let (reader, mut writer) = io::pipe().expect("pipes are to be had");
    writer
        .write_all(typed.as_bytes())
        .expect("the pipe is open");
    let captured = Captured::default();
    let screen = captured.screen(LOG);
    let approver = TerminalApprover::reading(reader, screen, Interrupt::never());
    (approver, captured)
}

/// A question about two lines that would become one.
pub(super) fn replacement() -> Proposal {
    let path = ProjectPath::parse("src/x.py").expect("a plain path");
    let (before, given) = (b"a\nb\n".to_vec(), b"c".to_vec());
    Proposal::new(path, Some(before), given, Merge::Replace).expect("replacing always works")
}

pub(super) fn tree() -> TreeId {
    TreeId::parse(&"7".repeat(40)).expect("forty digits")
}

fn commit(digit: &str) -> CommitId {
    CommitId::parse(&digit.repeat(40)).expect("forty digits")
}

fn planned(path: &str, change: ChangeType) -> PlannedFile {
    PlannedFile {
        path: ProjectPath::parse(path).expect("a plain path"),
        change,
        description: String::new(),
    }
}

pub(super) fn new_run() -> Run {
    Run::new(Started {
        issue: "87".to_owned(),
        base_branch: "main".to_owned(),
        base: commit("b"),
        autonomy: Autonomy::default(),
    })
}

/// Accepted if there are no reasons.
pub(super) fn verdict(tests: &[(&str, &str)], reasons: &[(&str, &str)]) -> Verdict {
    let disposition = if reasons.is_empty() {
        Disposition::Accepted
    } else {
        Disposition::Revise
    };
    let tests: Vec<_> = tests
        .iter()
        .map(|(id, outcome)| json!({"id": id, "outcome": outcome, "reason": ""}))
        .collect();
    let reasons: Vec<_> = reasons
        .iter()
        .map(|(test, message)| {
            let test = Some(test).filter(|it| !it.is_empty());
            json!({"rule": "rule", "test": test, "message": message})
        })
        .collect();
    let verdict = json!({
        "disposition": disposition,
        "exit_code": 1,
        "tests": tests,
        "reasons": reasons,
        "checks": [],
        "notes": [],
    });
    serde_json::from_value(verdict).expect("a verdict as a journal has it")
}

pub(super) fn gate(verdict: Verdict) -> GateResult {
    GateResult {
        tree: tree(),
        verdict,
        feedback: String::new(),
        evidence: "red-1".to_owned(),
        command: "python -m pytest".to_owned(),
        elapsed_ms: 600,
        runs: Vec::new(),
        flags: Vec::new(),
        sandbox: Some(SandboxLevel::Off),
    }
}

fn replied(tokens: u64) -> Event {
    Event::ModelReplied(ModelReply {
        text: String::new(),
        stop_reason: StopReason::EndTurn,
        input_tokens: 4000,
        output_tokens: tokens,
        cached_tokens: 0,
        cost_micro_usd: Some(0),
        script_line: None,
        seen: Vec::new(),
        asked_for_changes: false,
    })
}

fn wrote(path: &str) -> Event {
    Event::FilesWritten {
        paths: vec![ProjectPath::parse(path).expect("a plain path")],
        tree: tree(),
        carried: None,
    }
}

/// A run that is refused in several ways and merged in the end.
pub(super) fn story() -> Vec<Event> {
    let earlier = ["tests/test_old.py::test_sum", "tests/test_old.py::test_tax"];
    let new = "tests/test_discount.py::test_ten_percent";
    let broken: Vec<(&str, &str)> = vec![
        (new, "still fails with AssertionError: assert 90 == 9"),
        (earlier[0], "passed at the base commit and is failed now"),
        ("a::1", "was collected and not run to its end"),
        ("a::2", "was collected and not run to its end"),
        ("a::3", "was collected and not run to its end"),
        ("a::4", "was collected and not run to its end"),
        ("a::5", "was collected and not run to its end"),
    ];
    vec![
        Event::ContextLoaded(ContextLoaded {
            sources: vec![planned("src/discount.py", ChangeType::Add)],
            tests: vec![planned("tests/test_discount.py", ChangeType::Add)],
            tokens: 4310,
        }),
        Event::WorktreeCreated { tree: tree() },
        Event::BaselineTaken {
            baseline: (earlier.map(|id| (id, Ending::Passed)).into_iter())
                .chain([("tests/test_old.py::test_slow", Ending::Skipped)])
                .map(|(id, ending)| (id.to_owned(), ending))
                .collect(),
        },
        replied(1204),
        Event::ReplyRefused {
            reason: "the reply writes src/discount.py, which is not a test file\n\
                     write test files only \u{1b}[31m"
                .into(),
        },
        replied(1300),
        wrote("tests/test_discount.py"),
        Event::RedJudged(gate(verdict(
            &[("tests/test_discount.py", "error")],
            &[(
                "tests/test_discount.py",
                "the module `invoicekit.pricing` does not exist and the design does not declare it",
            )],
        ))),
        replied(1100),
        wrote("tests/test_discount.py"),
        Event::RedJudged(gate(verdict(&[(new, "failed")], &[]))),
        replied(800),
        wrote("src/discount.py"),
        Event::GreenJudged(gate(verdict(
            &[(new, "failed"), (earlier[0], "failed")],
            &broken,
        ))),
        replied(790),
        wrote("src/discount.py"),
        Event::GreenJudged(gate(verdict(&[(new, "passed")], &[]))),
        Event::Linted(LintResult::Clean {
            command: "ruff check src/discount.py".to_owned(),
            known: 0,
        }),
        Event::PersonDecided(Decision {
            about_tests: false,
            tree: tree(),
            choice: Choice::Approve,
            by: "Ada Tester <ada@example.com>".to_owned(),
            at: 0,
            place: String::new(),
            evidence: String::new(),
            signed: None,
        }),
        Event::Merged {
            commit: commit("c"),
        },
        Event::WorktreeRemoved { rescue: None },
    ]
}

type Side = Option<(FileMode, Vec<u8>)>;

#[expect(clippy::unnecessary_wraps, reason = "the other side may be absent")]
pub(super) fn text(content: &str) -> Side {
    Some((FileMode::Regular, content.as_bytes().to_vec()))
}

pub(super) fn file(path: &str, before: Side, after: Side) -> ReviewedFile {
    let bytes = |side: &Side| {
        side.as_ref()
            .map_or_else(Vec::new, |(_, bytes)| bytes.clone())
    };
    let difference = LineDiff::between(&bytes(&before), &bytes(&after));
    let version = |side: Side| side.map(|(mode, bytes)| Version::whole(mode, bytes));
    ReviewedFile {
        path: path.as_bytes().to_vec(),
        before: version(before),
        after: version(after),
        added: difference.added,
        deleted: difference.deleted,
        labels: BTreeSet::new(),
    }
}

/// One file of every kind.
pub(super) fn files() -> Vec<ReviewedFile> {
    let link = |target: &str| Some((FileMode::Symlink, target.as_bytes().to_vec()));
    let module = |digit: &str| Some((FileMode::Submodule, digit.repeat(40).into_bytes()));
    let binary = |bytes: &[u8]| Some((FileMode::Regular, bytes.to_vec()));
    let with = |label: Label, file: ReviewedFile| ReviewedFile {
        labels: BTreeSet::from([label]),
        ..file
    };
    let before =
        "def total(items):\n    return sum(items)\n\n\ndef tax(amount):\n    return amount\n";
    let after = "def total(items):\n    return sum(items) \u{202e}# ok\n\n\ndef tax(amount):\n\treturn amount * 0.19";
    vec![
        with(
            Label::Test,
            file(
                "tests/test_discount.py",
                None,
                text(
                    "from src import discount\n\n\ndef test_ten_percent():\n    assert discount.of(100) == 10\n",
                ),
            ),
        ),
        with(
            Label::OutsideLld,
            file("src/total.py", text(before), text(after)),
        ),
        file("src/empty.py", None, text("")),
        file("old.txt", text("gone\n"), None),
        file("logo.png", binary(b"\0abc"), binary(b"\0abcdef")),
        file("current", link("releases/1"), link("/etc/\u{1b}[2Jpasswd")),
        file("config", text("a = 1\n"), link("other")),
        file("vendor/lib", module("1"), module("2")),
        file(
            "run.sh",
            text("#!/bin/sh\n"),
            Some((FileMode::Executable, b"#!/bin/sh\n".to_vec())),
        ),
        file("na\nme\u{200b}.py", None, text("x = 1\n")),
    ]
}

/// A sheet with these files, passed to a function.
pub(super) fn with_sheet<R>(
    files: Vec<ReviewedFile>,
    look: impl FnOnce(&ReviewSheet<'_>) -> R,
) -> R {
    let new = "tests/test_discount.py::test_ten_percent";
    let run = RunId::new("87", [1, 2, 3, 4, 5, 6]);
    let mut red = gate(verdict(&[(new, "failed")], &[]));
    red.verdict.notes = vec![format!(
        "{new}: in doubt, TypeError raised in the test itself"
    )];
    let mut green = gate(verdict(&[(new, "passed")], &[]));
    green.verdict.exit_code = Some(0);
    look(&ReviewSheet {
        subject: Subject::Run {
            run: &run,
            issue: "87",
            base_branch: "main",
        },
        about: "Feature: Discounts".to_owned(),
        base: None,
        tree: &tree(),
        files: files.into_iter().map(ReportedFile::from).collect(),
        opened: Vec::new(),
        reopenings: &[],
        red: Some(&red),
        green: Some(&green),
        lint: Some(&LintResult::Clean {
            command: "ruff check src".to_owned(),
            known: 0,
        }),
    })
}
