//! What the test files say, read without running them.
//!
//! The host has them read by Python's own parser; here is what it answers. Names are those of a test within
//! its file, `TestClass::test_name`, without parameters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FlagKind, Rule, SourceFlag};
use crate::test_outcome::{file_of, function_of};

/// A test that has to fail if the original passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TwinKind {
    /// Everything that the test holds to be true is held to be false.
    Negated,
    /// Every literal that is compared with `==` is another one.
    Changed,
}

impl TwinKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Negated, Self::Changed];

    /// How the twin differs, for messages.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Negated => "in which every assertion is negated",
            Self::Changed => "in which the expected values are others",
        }
    }
}

/// All test files of a scaffold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// In the order given.
    pub files: Vec<AnalysedFile>,
}

/// One of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysedFile {
    /// Relative to the tree.
    pub path: String,
    /// Why it could not be read; the runner will say so too.
    pub error: Option<Weakness>,
    /// Its tests.
    pub tests: Vec<AnalysedTest>,
    /// Tests that the base commit's file has and this one has not.
    pub removed: Vec<String>,
    /// What is wrong with the file as a whole.
    pub problems: Vec<Weakness>,
    /// The file with its new tests turned into twins.
    pub twins: BTreeMap<TwinKind, String>,
}

/// One test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysedTest {
    /// Its name within the file.
    pub name: String,
    /// From 1.
    pub line: u32,
    /// Whether its code, or code of its file that it uses, is not the base commit's.
    pub new: bool,
    /// Whether the base commit has a test of this name.
    pub existed: bool,
    /// What is wrong with it; only looked for in new ones.
    pub problems: Vec<Weakness>,
    /// How many places of it each twin turns.
    pub places: BTreeMap<TwinKind, u32>,
    /// Whether its negated twin turns everything in it that can tell right from wrong.
    #[serde(default)]
    pub turned_whole: bool,
}

/// Something that an honest test does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weakness {
    /// The rule that refuses it.
    pub rule: Rule,
    /// From 1.
    pub line: u32,
    /// What was seen and what is asked for instead; its subject is the test or file.
    pub message: String,
}

impl Analysis {
    /// What is known about the test with this id of the runner.
    pub fn test(&self, id: &str) -> Option<&AnalysedTest> {
        let function = function_of(id);
        let name = function.split_once("::")?.1;
        let file = self.files.iter().find(|file| file.path == file_of(id))?;
        // The last definition of a name is the one that counts.
        file.tests.iter().rev().find(|test| test.name == name)
    }

    /// Whether the test with this id existed and its code is another now.
    pub fn is_changed(&self, id: &str) -> bool {
        self.test(id).is_some_and(|test| test.new && test.existed)
    }

    /// Existing tests whose code is another now, as the runner would name them.
    pub fn changed_tests(&self) -> Vec<String> {
        self.each_test()
            .filter(|(_, test)| test.new && test.existed)
            .map(|(file, test)| format!("{}::{}", file.path, test.name))
            .collect()
    }

    /// The same as flags for the review.
    pub fn changed_flags(&self) -> Vec<SourceFlag> {
        self.each_test()
            .filter(|(_, test)| test.new && test.existed)
            .map(|(file, test)| SourceFlag {
                path: file.path.clone(),
                line: test.line,
                flag: FlagKind::ChangesTest,
                what: test.name.clone(),
            })
            .collect()
    }

    /// Files that have such tests.
    pub fn files_with_changed_tests(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self
            .each_test()
            .filter(|(_, test)| test.new && test.existed)
            .map(|(file, _)| file.path.as_str())
            .collect();
        paths.dedup();
        paths
    }

    /// Files whose reader failed: what it cannot read it cannot have twins of, so nothing shows that they
    /// test anything.
    pub fn of_unreadable<'a>(paths: impl Iterator<Item = &'a str>, problem: &str) -> Self {
        let weakness = Weakness {
            rule: Rule::NotAnalysed,
            line: 1,
            message: format!("cannot be read by Proctor: {problem}"),
        };
        let files = paths.map(|path| AnalysedFile {
            path: path.to_owned(),
            problems: vec![weakness.clone()],
            ..AnalysedFile::default()
        });
        Self {
            files: files.collect(),
        }
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
