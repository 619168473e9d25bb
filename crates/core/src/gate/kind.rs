//! What kind of change a difference is. It follows from the files that differ, never from a claim about them, and every
//! kind has demands of its own.
//!
//! | kind | difference | demand |
//! |---|---|---|
//! | behaviour | source and tests | the red of the tests alone, then the green |
//! | tests | test files only | every new test passes, can fail and notices a mistake in the source; or it is a valid red |
//! | refactor | source only | tests that passed still pass, and tests that pass execute every changed line |
//! | neutral | files that nothing imports, collects or reads as configuration | nothing |
//! | removal | tests of the base commit are gone | a person |
//! | nothing | no file | something |

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::SortedChange;
use crate::dialect::{is_code, is_test_configuration, is_test_file};
use crate::path::ProjectPath;

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Source and tests.
    Behaviour,
    /// Test files only.
    Tests,
    /// Source only.
    Refactor,
    /// Only files that nothing reads.
    Neutral,
    /// Tests of the base commit are gone.
    Removal,
    /// No difference.
    Nothing,
}

impl ChangeKind {
    /// The name outside.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Behaviour => "behaviour",
            Self::Tests => "tests",
            Self::Refactor => "refactor",
            Self::Neutral => "neutral",
            Self::Removal => "removal",
            Self::Nothing => "nothing",
        }
    }

    /// The kind of a change that is refused in any case: at least it is not neutral.
    pub fn of_refused(change: &SortedChange, project: &Readers<'_>) -> Self {
        match Self::of(change, project) {
            Self::Neutral | Self::Nothing => Self::Refactor,
            kind => kind,
        }
    }

    /// The kind of a change.
    pub fn of(change: &SortedChange, project: &Readers<'_>) -> Self {
        let neutral = |path: &ProjectPath| project.is_neutral(path);
        let sources = change.sources();
        if !change.removed_tests().is_empty() {
            return Self::Removal;
        }
        match (change.tests().is_empty(), sources.iter().all(neutral)) {
            (true, true) if sources.is_empty() => Self::Nothing,
            (true, true) => Self::Neutral,
            (true, false) => Self::Refactor,
            (false, true) => Self::Tests,
            (false, false) => Self::Behaviour,
        }
    }
}

/// Endings of names of documents that people read.
const DOCUMENTS: &[&str] = &["md", "markdown", "rst", "adoc"];
/// Pictures, which are neutral in a folder of documentation alone.
const PICTURES: &[&str] = &["png", "jpg", "jpeg", "gif", "svg", "webp"];
/// Names, without the extension, of files about a project.
const ABOUT: &[&str] = &[
    "authors",
    "changelog",
    "changes",
    "code_of_conduct",
    "contributing",
    "contributors",
    "copying",
    "history",
    "licence",
    "license",
    "maintainers",
    "news",
    "notice",
    "readme",
    "security",
];
/// Folders of documentation.
const DOCUMENTATION: &[&str] = &["doc", "docs"];
/// Parts of names of `.txt` files that programs read.
const READ_TEXTS: &[&str] = &["require", "constraint", "depend", "runtime", "cmakelists"];
/// Words of a test configuration by which documents are collected.
const COLLECTS_DOCUMENTS: &[&str] = &[
    "doctest-glob",
    "doctest_glob",
    "doctest-plus",
    "doctest_plus",
    "doctest-rst",
    "--markdown",
    "--codeblocks",
];

/// The parts of a project that may read a file that looks like documentation.
#[derive(Debug, Clone, Default)]
pub struct Readers<'a> {
    folders: BTreeSet<&'a str>,
    packages: BTreeSet<&'a str>,
    tests: Vec<&'a str>,
    sources: Vec<&'a str>,
    configuration: Vec<&'a str>,
}

impl<'a> Readers<'a> {
    /// Whether a file of this name is asked for its text by [`Readers::new`].
    pub fn wants(path: &ProjectPath) -> bool {
        is_code(path) || is_test_configuration(path)
    }

    /// From every file of code and test configuration: path and text.
    pub fn new(
        files: impl IntoIterator<Item = (&'a ProjectPath, &'a str)>,
        test_paths: &[String],
    ) -> Self {
        let mut readers = Self::default();
        for (path, text) in files {
            let name = path.as_str();
            if is_test_configuration(path) {
                readers.configuration.push(text);
            } else if is_test_file(name, test_paths) {
                readers.tests.push(text);
            } else {
                readers.folders.extend(folders_of(name));
                if path.file_name() == "__init__.py" {
                    readers.packages.extend(folders_of(name));
                }
                // The package's description quotes its README.
                if name != "setup.py" && !is_documentation(name) {
                    readers.sources.push(text);
                }
            }
        }
        readers
    }

    /// Whether nothing imports, collects or reads a file as configuration. If unclear, something does.
    pub fn is_neutral(&self, path: &ProjectPath) -> bool {
        !is_code(path)
            && self.looks_neutral(path)
            && !self.lies_in_source(path)
            && !self.is_named(path)
    }

    /// Whether a file lies in a folder, or below one, that has source in it.
    fn lies_in_source(&self, path: &ProjectPath) -> bool {
        let name = path.as_str();
        let holds = |folder: &str| {
            if is_documentation(name) {
                self.packages.contains(folder)
            } else {
                self.folders.contains(folder)
            }
        };
        folders_of(name).any(holds)
    }

    /// Whether code that reads this file can be tested: it lies among source and is not a document.
    pub fn is_data(&self, path: &ProjectPath) -> bool {
        let ending = path.file_name().rsplit_once('.');
        let document = ending.is_some_and(|(_, ending)| DOCUMENTS.contains(&ending));
        self.lies_in_source(path) && !document
    }

    fn looks_neutral(&self, path: &ProjectPath) -> bool {
        let name = path.file_name().to_lowercase();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name.as_str(), ""));
        if name.starts_with('.') {
            return false;
        }
        let collected = || {
            let mut texts = self.configuration.iter();
            texts.any(|text| COLLECTS_DOCUMENTS.iter().any(|word| text.contains(word)))
        };
        match ending {
            "" => ABOUT.contains(&stem),
            // The runner collects these automatically.
            "txt" if name.starts_with("test") => false,
            "txt" => !READ_TEXTS.iter().any(|word| name.contains(word)) && !collected(),
            _ if DOCUMENTS.contains(&ending) => !collected(),
            _ => PICTURES.contains(&ending) && is_documentation(path.as_str()),
        }
    }

    /// Whether a text of the project names the file, or a test names files like it.
    fn is_named(&self, path: &ProjectPath) -> bool {
        let name = path.file_name();
        let quoted = |text: &str, word: &str| {
            let mut places = text.match_indices(word);
            places.any(|(at, word)| text[at + word.len()..].starts_with(['"', '\'']))
        };
        let by_ending = |text: &str| {
            let ending = name.rsplit_once('.').map(|(_, ending)| ending);
            ending.is_some_and(|ending| quoted(text, &format!(".{ending}")))
        };
        let mut tests = self.tests.iter();
        let mut sources = self.sources.iter();
        tests.any(|text| quoted(text, name) || by_ending(text))
            || sources.any(|text| quoted(text, name))
    }
}

/// The folders above a file, without the root.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

fn is_documentation(path: &str) -> bool {
    let first = path.split_once('/').map(|(first, _)| first);
    first.is_some_and(|first| DOCUMENTATION.contains(&first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_mode::FileMode;
    use crate::gate::ChangedFile;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::parse(text).expect("a plain path")
    }

    fn kind(files: &[(&str, bool)], project: &[(&str, &str)]) -> ChangeKind {
        let regular = Some(FileMode::Regular);
        let files = files.iter().map(|(path, stays)| ChangedFile {
            path: path.as_bytes(),
            before: regular,
            after: regular.filter(|_| *stays),
        });
        let change = SortedChange::sort(files, &[], "proctor.toml").expect("can be judged");
        let paths: Vec<_> = project
            .iter()
            .map(|(name, text)| (path(name), *text))
            .collect();
        let files = paths.iter().map(|(path, text)| (path, *text));
        ChangeKind::of(&change, &Readers::new(files, &[]))
    }

    #[test]
    fn the_files_decide_about_the_kind() {
        let (source, test) = (("app.py", true), ("tests/test_a.py", true));
        let document = "README.md";
        assert_eq!(kind(&[], &[]), ChangeKind::Nothing);
        assert_eq!(kind(&[(document, true)], &[]), ChangeKind::Neutral);
        assert_eq!(kind(&[(document, false)], &[]), ChangeKind::Neutral);
        assert_eq!(kind(&[source, (document, true)], &[]), ChangeKind::Refactor);
        assert_eq!(kind(&[test, (document, true)], &[]), ChangeKind::Tests);
        assert_eq!(kind(&[source, test], &[]), ChangeKind::Behaviour);
        assert_eq!(
            kind(&[source, ("tests/test_a.py", false)], &[]),
            ChangeKind::Removal
        );
    }

    #[test]
    fn only_what_nothing_reads_is_neutral() {
        let project = [
            ("app/__init__.py", ""),
            ("docs/conf.py", "x = 'README.md'"),
            ("setup.py", "open('README.md')"),
            ("tests/test_a.py", ""),
        ];
        let neutral = |name: &str| kind(&[(name, true)], &project) == ChangeKind::Neutral;
        for name in [
            "README.md",
            "README",
            "LICENSE",
            "LICENSE.txt",
            "CHANGELOG.rst",
            "notes.txt",
            "docs/guide/first.md",
            "docs/picture.png",
        ] {
            assert!(neutral(name), "{name}");
        }
        for name in [
            "app/data.json",
            "app/words.txt",
            "app/README.md",
            "data.json",
            "picture.png",
            "pyproject.toml",
            "setup.cfg",
            "package.json",
            "Makefile",
            ".github/workflows/ci.yml",
            ".gitignore",
            "requirements.txt",
            "docs/requirements.txt",
            "test_session.txt",
            "docs/conf.py",
            "tests/README.md",
            "proctor.toml",
            "Dockerfile",
            "run.sh",
        ] {
            assert!(!neutral(name), "{name}");
        }
    }

    #[test]
    fn a_document_that_something_reads_or_collects_is_not_neutral() {
        for (name, text) in [
            ("tests/test_docs.py", "open('../README.md').read()"),
            (
                "tests/test_docs.py",
                "for path in root.glob(\"*.md\"): pass",
            ),
            ("app/about.py", "TEXT = open(\"README.md\").read()"),
            ("conftest.py", "patterns=['*.md']"),
            ("pytest.ini", "[pytest]\naddopts = --doctest-glob=*.md\n"),
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\naddopts = '--doctest-glob README.md'\n",
            ),
        ] {
            let found = kind(&[("README.md", true)], &[(name, text)]);
            assert_ne!(found, ChangeKind::Neutral, "{name}: {text}");
        }
        let found = kind(
            &[("README.md", true)],
            &[("pyproject.toml", "[project]\nreadme = \"README.md\"\n")],
        );
        assert_eq!(found, ChangeKind::Neutral);
    }
}
