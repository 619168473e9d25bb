//! The blind run, with a real pytest: honest code is accepted, and no trick helps dishonest code.

mod attacks;
mod honest;
mod records;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use proctor_core::gate::{BlindReport, Judgement};
use proctor_core::test_outcome::Exit;
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::test_runner::{
    Cut, CutSource, Marker, PytestRun, PythonReader, RunOutcome, Variant, Watched,
};
use proctor_testkit::pytest_python;

/// A tree of test files, each with a module of its own: `m_0.py` is tested by `test_0.py`.
struct Case {
    files: Vec<(String, String)>,
    sources: Vec<(String, String)>,
}

impl Case {
    fn new(tests: &str, source: &str) -> Self {
        Self::of(&[(tests, source)])
    }

    /// Several at once, which have nothing to do with each other.
    fn of(parts: &[(&str, &str)]) -> Self {
        let mut case = Self {
            files: Vec::new(),
            sources: Vec::new(),
        };
        for (number, (tests, source)) in parts.iter().enumerate() {
            let name = format!("m_{number}");
            let names = names_defined(source).join(", ");
            let tests = format!(
                "import pytest\nimport {name} as m\nfrom {name} import {names}\n\n{tests}\n"
            );
            case.files.push((format!("test_{number}.py"), tests));
            case.sources
                .push((format!("{name}.py"), (*source).to_owned()));
        }
        case
    }

    fn run(&self, tests: &[(String, String)], variant: Variant) -> RunOutcome {
        let tree = tempfile::tempdir().expect("temporary directory");
        for (name, text) in self.sources.iter().chain(tests) {
            write(tree.path(), name, text);
        }
        let run = PytestRun {
            root: String::new(),
            command: vec![pytest_python().into()],
            tree: tree.path().to_owned(),
            checkout: None,
            timeout: Duration::from_mins(1),
            plugins: None,
            variant,
            select: tests.iter().map(|(name, _)| name.clone()).collect(),
            watched: Watched::Nothing,
            environment: surroundings(),
            confinement: None,
            programs: None,
        };
        run.run_within(None, &Launcher::plain(), &Interrupt::never(), &mut |_| {})
            .expect("pytest runs")
    }

    /// Whether the tests as they are pass: otherwise a trick is none.
    fn passes_plainly(&self) -> bool {
        let observation = self.run(&self.files, Variant::Plain).observation;
        assert_eq!(observation.exit, Exit::Code(0), "{}", observation.output);
        true
    }

    fn cut(&self) -> Cut {
        cut(&self.files)
    }

    /// The verdict on a run of the cut files alone.
    fn judged(&self) -> BlindReport {
        let cut = self.cut();
        let sent = self.run(&cut_texts(&cut), Variant::Blind(cut.marker)).sent;
        referee(&cut, &sent, None)
    }

    /// The verdict on both runs.
    fn judged_twice(&self) -> BlindReport {
        let cut = self.cut();
        let run = |files: Vec<(String, String)>| {
            let outcome = self.run(&files, Variant::Blind(cut.marker));
            let observation = outcome.observation;
            assert_eq!(
                observation.exit,
                Exit::Code(0),
                "{}\n{}",
                observation.output,
                files[0].1
            );
            outcome.sent
        };
        let marked = cut.files.iter().map(|file| {
            let text = file.marked.clone().expect("it can be marked");
            (file.path.clone(), text)
        });
        referee(&cut, &run(cut_texts(&cut)), Some(&run(marked.collect())))
    }
}

/// The functions and classes of a module, and its assignments.
fn names_defined(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in source.lines() {
        let keyword = ["def ", "class "]
            .iter()
            .find_map(|word| line.strip_prefix(word));
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        let assigned = || line.split_once(" = ").map(|(name, _)| name);
        let name = keyword.or_else(assigned).unwrap_or_default();
        let name = name.split(|character| !is_name(character)).next();
        if let Some(name) =
            name.filter(|name| !name.is_empty() && !line.starts_with(&format!("{name}.")))
        {
            names.push(name);
        }
    }
    names
}

fn cut_texts(cut: &Cut) -> Vec<(String, String)> {
    let files = cut.files.iter();
    files
        .map(|file| (file.path.clone(), file.cut.clone().expect("it can be cut")))
        .collect()
}

fn surroundings() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "test data, not a project's files"
)]
fn write(directory: &Path, name: &str, text: &str) {
    fs::write(directory.join(name), text).expect("file written");
}

fn with_reader<T>(ask: impl FnOnce(&PythonReader<'_>) -> T) -> T {
    ask(&PythonReader {
        command: &[pytest_python().into()],
        environment: &surroundings(),
        launcher: &Launcher::plain(),
        interrupt: &Interrupt::never(),
        confinement: None,
        programs: None,
    })
}

fn cut(files: &[(String, String)]) -> Cut {
    let sources: Vec<_> = files
        .iter()
        .map(|(path, text)| CutSource {
            path: path.clone(),
            text: text.clone(),
        })
        .collect();
    with_reader(|reader| reader.cut(&sources, None, Marker::new())).expect("the cutter answers")
}

/// One file without its expected values; the calls have a name that no answer can be part of.
fn cut_text(text: &str) -> String {
    let cut = cut(&[("test_0.py".to_owned(), text.to_owned())]);
    let text = cut.files[0].cut.as_deref().expect("it can be cut");
    let pieces = text.split("__proctor_").enumerate();
    let digits = 16 + "__".len();
    let unnamed = pieces.map(|(index, piece)| if index == 0 { piece } else { &piece[digits..] });
    unnamed.collect::<Vec<_>>().join("send")
}

fn referee(cut: &Cut, sent: &str, marked: Option<&str>) -> BlindReport {
    with_reader(|reader| reader.referee(cut, sent, marked)).expect("the referee answers")
}

/// How many places were judged in which way.
fn judgements(report: &BlindReport) -> BTreeMap<Judgement, usize> {
    let mut found = BTreeMap::new();
    for place in &report.places {
        *found.entry(place.judgement).or_default() += 1;
    }
    found
}
