//! The contents of the test files, read without running them.
//!
//! The host has them read by Python's own parser; this is its answer. Names are those of a test within its file,
//! `TestClass::test_name`, without parameters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FlagKind, Rule, SourceFlag};
use crate::dialect::Dialect;
use crate::path::ProjectPath;
use crate::pytest::may_be_doctest;
use crate::test_outcome::{Observation, Report, TwinKind, file_of, function_of};

/// One file as it is, and as it was at the base commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// Relative to the tree.
    pub path: String,
    /// The current text.
    pub text: String,
    /// The text at the base commit.
    pub base: Option<String>,
}

/// All test files of a scaffold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// In the order given.
    pub files: Vec<AnalysedFile>,
    /// Where tests are written that a run found elsewhere; see [`Report::definitions`].
    #[serde(skip)]
    pub(super) definitions: BTreeMap<String, String>,
    /// The lines at which a run found tests to be written; see [`Report::written_at`].
    #[serde(skip)]
    pub(super) written_at: BTreeMap<String, u32>,
}

/// One of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysedFile {
    /// Relative to the tree.
    pub path: String,
    /// Why it could not be read; the runner will report it too.
    pub error: Option<Weakness>,
    /// Its tests.
    pub tests: Vec<AnalysedTest>,
    /// Tests that the base commit's file has and this one has not.
    pub removed: Vec<String>,
    /// Problems of the file as a whole.
    pub problems: Vec<Weakness>,
    /// Modules that it takes every name of.
    #[serde(default)]
    pub stars: Vec<String>,
    /// Names that it uses and neither defines nor imports by name.
    #[serde(default)]
    pub undefined: Vec<String>,
    /// The condition by which the whole file does not run on this machine, with this Python; none if it does.
    #[serde(default)]
    pub not_here: Option<String>,
    /// The file with its new tests replaced by twins.
    pub twins: BTreeMap<TwinKind, String>,
}

/// One test of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that a reader tells"
)]
pub struct AnalysedTest {
    /// Its name within the file.
    pub name: String,
    /// From 1.
    pub line: u32,
    /// Where it ends, where a test is joined with its run by lines; 0 elsewhere.
    #[serde(default)]
    pub last_line: u32,
    /// Whether its code, or code of its file that it uses, is not the base commit's.
    pub new: bool,
    /// Whether the base commit has a test of this name.
    pub existed: bool,
    /// The id of the test that its class inherits, where it is written; none if it is written here.
    #[serde(default)]
    pub definition: Option<String>,
    /// Lines of it that the base commit's has not, where it existed.
    #[serde(default)]
    pub is: Vec<String>,
    /// Lines of the base commit's that it has not.
    #[serde(default)]
    pub was: Vec<String>,
    /// Its problems; only looked for in new tests.
    pub problems: Vec<Weakness>,
    /// How many places of it each twin turns.
    pub places: BTreeMap<TwinKind, u32>,
    /// The condition by which it does not run on this machine, with this Python; none if it does. Evaluated where no
    /// project code runs.
    #[serde(default)]
    pub not_here: Option<String>,
    /// How many places in the base commit's test of this name can tell right from wrong; none if there is no such test.
    #[serde(default)]
    pub base_oracles: Option<u32>,
    /// Whether its negated twin turns everything in it that can tell right from wrong.
    #[serde(default)]
    pub turned_whole: bool,
    /// Whether it asserts nothing itself and has other tests inside it, which do.
    #[serde(default)]
    pub holds_parts: bool,
}

/// Something that an honest test does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weakness {
    /// The rule that refuses it.
    pub rule: Rule,
    /// From 1.
    pub line: u32,
    /// The finding; its subject is the test or file.
    pub message: String,
    /// The instruction about it, for the model alone.
    #[serde(default)]
    pub order: Option<String>,
    /// Whether it is at one place of the test, so that an assertion that fails at another does not excuse it.
    #[serde(default)]
    pub certain: bool,
}

impl Weakness {
    /// Whether the test may still have an oracle that its text does not show.
    pub(super) fn is_a_doubt(&self) -> bool {
        self.rule == Rule::NoOracle && !self.certain
    }
}

impl AnalysedTest {
    /// Its name and how it differs from the base commit's.
    pub(super) fn versions(&self) -> String {
        let (was, is) = (self.was.join("; "), self.is.join("; "));
        match (was.is_empty(), is.is_empty()) {
            (true, true) => self.name.clone(),
            (true, false) => format!("{}: new is `{is}`", self.name),
            (false, true) => format!("{}: gone is `{was}`", self.name),
            (false, false) => format!("{}: was `{was}`, is `{is}`", self.name),
        }
    }
}

impl Analysis {
    /// Takes over where a run found the tests to be written: a class may inherit them from a file that was read,
    /// without having been read itself.
    pub fn follow(&mut self, observation: &Observation) {
        if let Ok(report) = &observation.report {
            self.definitions.clone_from(&report.definitions);
            self.written_at.clone_from(&report.written_at);
        }
    }

    /// The analysis of the test with this runner id.
    pub fn test(&self, id: &str) -> Option<&AnalysedTest> {
        let function = function_of(id);
        self.read_at_line(id)
            .or_else(|| self.read(function))
            .or_else(|| self.read(self.definitions.get(function)?))
    }

    /// Whether an id is that of an example in documentation, and no test that was read has it. Titles in other languages are
    /// free text.
    pub(super) fn is_example(&self, id: &str) -> bool {
        let path = ProjectPath::parse(file_of(id)).ok();
        let dialect = path.as_ref().and_then(Dialect::of);
        let is_python = dialect.is_none_or(|dialect| dialect == Dialect::Python);
        is_python && may_be_doctest(id) && self.test(id).is_none()
    }

    /// The innermost test of that file around the line that the runner names: titles may be computed, or the same twice.
    fn read_at_line(&self, id: &str) -> Option<&AnalysedTest> {
        let line = *self.written_at.get(id)?;
        let path = file_of(id);
        let file = self.files.iter().find(|file| file.path == path)?;
        let around = file
            .tests
            .iter()
            .filter(|test| (test.line..=test.last_line).contains(&line));
        around.max_by_key(|test| test.line)
    }

    /// The same where it is written.
    pub(super) fn definition(&self, id: &str) -> Option<&AnalysedTest> {
        let test = self.test(id)?;
        let definition = test.definition.as_deref();
        Some(definition.and_then(|id| self.read(id)).unwrap_or(test))
    }

    /// The file that a test is written in.
    pub fn file_of_definition<'a>(&'a self, id: &'a str) -> &'a str {
        let function = function_of(id);
        let read = self.read(function);
        let inherited = read.and_then(|test| test.definition.as_deref());
        let found = || self.definitions.get(function).filter(|_| read.is_none());
        let definition = inherited.or_else(|| Some(found()?.as_str()));
        definition
            .filter(|id| self.read(id).is_some())
            .map_or_else(|| file_of(id), file_of)
    }

    /// The files that run the tests of these: they themselves, and those with classes that inherit from them.
    pub fn files_running<'a>(&self, tests: &[&str], report: &'a Report) -> Vec<&'a str> {
        let collected = report.collected.iter().filter(|id| {
            tests.contains(&file_of(id)) || tests.contains(&self.file_of_definition(id))
        });
        let errors = report.errors.iter().map(|error| &error.file);
        let unloaded = errors.filter(|file| tests.contains(&file_of(file)));
        let mut files: Vec<&str> = collected.chain(unloaded).map(|id| file_of(id)).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    fn read(&self, function: &str) -> Option<&AnalysedTest> {
        let (path, name) = function.split_once("::")?;
        let file = self.files.iter().find(|file| file.path == path)?;
        // The last definition of a name is the one that counts.
        file.tests.iter().rev().find(|test| test.name == name)
    }

    /// Existing tests whose code is another now, each once: where it is written, unless only a class that inherits
    /// it was changed.
    fn each_changed(&self) -> impl Iterator<Item = (&AnalysedFile, &AnalysedTest)> {
        self.each_test().filter(|(_, test)| {
            let inherited = test.definition.as_deref().and_then(|id| self.read(id));
            test.new && test.existed && !inherited.is_some_and(|test| test.new)
        })
    }

    /// Whether the test with this id existed and its code is another now.
    pub fn is_changed(&self, id: &str) -> bool {
        self.test(id).is_some_and(|test| test.new && test.existed)
    }

    /// Existing tests whose code is another now, as the runner would name them.
    pub fn changed_tests(&self) -> Vec<String> {
        self.each_changed()
            .map(|(file, test)| format!("{}::{}", file.path, test.name))
            .collect()
    }

    /// The same as flags for the review.
    pub fn changed_flags(&self) -> Vec<SourceFlag> {
        self.each_changed()
            .map(|(file, test)| SourceFlag {
                path: file.path.clone(),
                line: test.line,
                flag: FlagKind::ChangesTest,
                what: test.versions(),
            })
            .collect()
    }

    /// Files that have such tests.
    pub fn files_with_changed_tests(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self
            .each_changed()
            .map(|(file, _)| file.path.as_str())
            .collect();
        paths.dedup();
        paths
    }

    /// Files whose reader failed: without reading there are no twins, so nothing shows that they test anything.
    pub fn of_unreadable<'a>(paths: impl Iterator<Item = &'a str>, problem: &str) -> Self {
        let weakness = Weakness {
            rule: Rule::NotAnalysed,
            line: 1,
            message: format!("cannot be read by Proctor: {problem}"),
            order: None,
            certain: false,
        };
        let files = paths.map(|path| AnalysedFile {
            path: path.to_owned(),
            problems: vec![weakness.clone()],
            ..AnalysedFile::default()
        });
        Self {
            files: files.collect(),
            ..Self::default()
        }
    }

    /// Whether any test is left out by where it is judged.
    pub(super) fn leaves_anything_out(&self) -> bool {
        let files = self.files.iter();
        files.clone().any(|file| file.not_here.is_some())
            || self.each_test().any(|(_, test)| test.not_here.is_some())
    }

    /// Whether there is anything to run in twins of this kind.
    pub fn has_twins(&self, kind: TwinKind) -> bool {
        self.files.iter().any(|file| file.twins.contains_key(&kind))
    }

    pub(super) fn each_test(&self) -> impl Iterator<Item = (&AnalysedFile, &AnalysedTest)> {
        self.files
            .iter()
            .flat_map(|file| file.tests.iter().map(move |test| (file, test)))
    }
}

#[cfg(test)]
mod tests {
    use super::{AnalysedFile, AnalysedTest, Analysis, Rule};

    #[test]
    fn tests_are_found_by_the_runners_ids() {
        let test = |name: &str, new| AnalysedTest {
            name: name.to_owned(),
            new,
            existed: true,
            ..AnalysedTest::default()
        };
        let analysis = Analysis {
            files: vec![AnalysedFile {
                path: "tests/test_a.py".to_owned(),
                tests: vec![test("test_x", true), test("TestC::test_y", false)],
                ..AnalysedFile::default()
            }],
            ..Analysis::default()
        };
        assert!(analysis.is_changed("tests/test_a.py::test_x[a::b]"));
        assert!(!analysis.is_changed("tests/test_a.py::TestC::test_y"));
        assert!(!analysis.is_changed("tests/test_a.py::test_z"));
        assert!(!analysis.is_changed("tests/test_b.py::test_x"));
        assert_eq!(analysis.changed_tests(), ["tests/test_a.py::test_x"]);
        assert_eq!(analysis.files_with_changed_tests(), ["tests/test_a.py"]);
    }

    #[test]
    fn what_cannot_be_read_is_a_problem_of_its_file() {
        let analysis = Analysis::of_unreadable(["t.py"].into_iter(), "killed");
        assert_eq!(analysis.files[0].problems[0].rule, Rule::NotAnalysed);
        assert_eq!(analysis.files[0].path, "t.py");
    }
}
