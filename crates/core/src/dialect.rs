//! The languages whose tests are judged.
//!
//! Questions about a file by its name are asked here; the language's own module answers. A repository may hold several
//! languages, so a file's role follows from its name alone, and only reading and running depend on the current
//! language.

use serde::{Deserialize, Serialize};

use crate::javascript;
use crate::path::ProjectPath;
use crate::pytest;

/// A language whose tests are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
}

/// A runner of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// pytest.
    #[default]
    Pytest,
    /// vitest.
    Vitest,
    /// jest.
    Jest,
    /// The one that node brings.
    Node,
}

impl Runner {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pytest, Self::Vitest, Self::Jest, Self::Node];

    /// Its name, in settings and outside.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Vitest => "vitest",
            Self::Jest => "jest",
            Self::Node => "node",
        }
    }

    /// The language of its tests.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Pytest => Dialect::Python,
            Self::Vitest | Self::Jest | Self::Node => Dialect::JavaScript,
        }
    }

    /// The prompt's paragraph about the wanted tests.
    pub(crate) fn tests_wanted(self) -> String {
        match self {
            Self::Pytest => pytest::TESTS_WANTED.to_owned(),
            Self::Vitest => javascript::tests_wanted("vitest"),
            Self::Jest => javascript::tests_wanted("jest"),
            Self::Node => javascript::tests_wanted("node:test and node:assert"),
        }
    }
}

impl Dialect {
    /// The language of a source file.
    pub fn of(path: &ProjectPath) -> Option<Self> {
        if path.is_python() {
            Some(Self::Python)
        } else {
            javascript::is_javascript(path.as_str()).then_some(Self::JavaScript)
        }
    }

    /// Whether a file is one of this language.
    pub fn reads(self, path: &ProjectPath) -> bool {
        Self::of(path) == Some(self)
    }
}

/// The files of a design, seen as modules that tests may import.
///
/// Importing a module that does not exist yet is the most natural first red, but only if the
/// implementation is going to bring it. The design's table of files says which ones it brings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    paths: Vec<String>,
    /// Whether undeclared files may come too, because there is no design.
    open: bool,
}

impl Declared {
    /// From the paths in the design's table, relative to the project's root, with `/`.
    pub fn from_paths(paths: &[String]) -> Self {
        let paths = paths.iter().map(|path| path.trim_start_matches("./"));
        Self {
            paths: paths.map(str::to_owned).collect(),
            open: false,
        }
    }

    /// The same without a design: a missing file may still come.
    #[must_use]
    pub fn and_perhaps_more(self) -> Self {
        Self { open: true, ..self }
    }

    /// Whether something that is not declared may come.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether `module` can be imported once the design's files exist; `roots` are the directories of the tree that are
    /// searched for it, where a language searches.
    pub fn makes_importable(&self, module: &str, roots: &[String]) -> bool {
        // JavaScript names a project's modules by their location.
        let is_place = module.contains('/');
        pytest::makes_importable(&self.paths, module, roots)
            || is_place && javascript::provides(&self.paths, module)
    }
}

/// Whether a file is source or test code of any of the languages.
pub fn is_code(path: &ProjectPath) -> bool {
    Dialect::of(path).is_some()
}

/// Whether a runner would collect or load this file for tests: by its name, by the directory it lies in, or by
/// `[test] paths`. An implementation may not touch such a file.
pub fn is_test_file(path: &str, test_paths: &[String]) -> bool {
    pytest::is_test_file(path, test_paths) || javascript::is_test_file(path, test_paths)
}

/// Whether a runner would look for tests in a file of this name.
pub(crate) fn is_test_module(path: &str) -> bool {
    pytest::is_test_module(path) || javascript::is_test_module(path)
}

/// Whether a file of this name is loaded for tests and can hold none.
pub(crate) fn only_supports_tests(file_name: &str) -> bool {
    pytest::only_supports_tests(file_name) || javascript::only_supports_tests(file_name)
}

/// Whether a file of this name configures a runner.
pub fn is_test_configuration(path: &ProjectPath) -> bool {
    pytest::is_test_configuration(path) || javascript::is_test_configuration(path)
}

/// A file that configures a runner, as it is checked out while a change is judged: the base's, except for the parts
/// that the runner does not read. `None` if the file is to be absent.
pub fn held(path: &ProjectPath, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Vec<u8>> {
    match path.file_name() {
        "pyproject.toml" => pytest::held_pyproject(before, after),
        "package.json" => javascript::held_package_json(before, after),
        _ => before.map(<[u8]>::to_vec),
    }
}

/// Why a file that a change brings would act on a runner by its name; `None` for ordinary files.
pub fn acts_on_runner(path: &ProjectPath) -> Option<String> {
    pytest::acts_on_runner(path).or_else(|| javascript::acts_on_runner(path))
}

/// Whether a file of this name is loaded as compiled code, which no reviewer can read.
pub(crate) fn is_compiled(path: &str) -> bool {
    pytest::is_compiled(path) || javascript::is_compiled(path)
}

/// Whether a path lies among the caches of an interpreter or a runner. Nothing is loaded from there while judging.
pub fn is_cache(path: &str) -> bool {
    pytest::is_cache(path) || javascript::is_cache(path)
}
