//! The languages whose tests are judged.
//!
//! Whoever has a question about a file by its name asks it here; the answer is that of the language's own module. A
//! repository may hold several languages, so what a file *is* follows from its name alone, and only what is read and run
//! depends on whose turn it is.

use crate::path::ProjectPath;
use crate::pytest;

/// A language, with the runners of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Python, with pytest.
    Python,
}

impl Dialect {
    /// The language of a source file.
    pub fn of(path: &ProjectPath) -> Option<Self> {
        path.is_python().then_some(Self::Python)
    }

    /// Whether a file is one of this language.
    pub fn reads(self, path: &ProjectPath) -> bool {
        Self::of(path) == Some(self)
    }

    /// What a model is told about the tests that are wanted.
    pub fn tests_wanted(self) -> &'static str {
        match self {
            Self::Python => pytest::TESTS_WANTED,
        }
    }
}

/// Whether a file is source or test code of any of the languages.
pub fn is_code(path: &ProjectPath) -> bool {
    Dialect::of(path).is_some()
}

/// Whether a runner would collect or load this file for tests: by its name, by the directory it lies in, or by
/// `[test] paths`. An implementation may not touch such a file.
pub fn is_test_file(path: &str, test_paths: &[String]) -> bool {
    pytest::is_test_file(path, test_paths)
}

/// Whether a runner would look for tests in a file of this name.
pub(crate) fn is_test_module(path: &str) -> bool {
    pytest::is_test_module(path)
}

/// Whether a file of this name is loaded for tests and can hold none.
pub(crate) fn only_supports_tests(file_name: &str) -> bool {
    pytest::only_supports_tests(file_name)
}

/// Whether a file of this name configures a runner.
pub fn is_test_configuration(path: &ProjectPath) -> bool {
    pytest::is_test_configuration(path)
}

/// A file that configures a runner, as it is laid out while a change is judged: the base's, but for what of it the runner
/// does not read. `None` if there is to be no file.
pub fn held(path: &ProjectPath, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Vec<u8>> {
    match path.file_name() {
        "pyproject.toml" => pytest::held_pyproject(before, after),
        _ => before.map(<[u8]>::to_vec),
    }
}

/// Why a file that a change brings would act on a runner by its name; `None` for ordinary files.
pub fn acts_on_runner(path: &ProjectPath) -> Option<String> {
    pytest::acts_on_runner(path)
}

/// Whether a file of this name is loaded as compiled code: nobody can read what it does.
pub(crate) fn is_compiled(path: &str) -> bool {
    pytest::is_compiled(path)
}

/// Whether a path lies among the caches of an interpreter or a runner. Nothing is loaded from there while judging.
pub fn is_cache(path: &str) -> bool {
    pytest::is_cache(path)
}
