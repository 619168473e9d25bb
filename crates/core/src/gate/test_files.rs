//! Which files belong to the tests.

use crate::dialect::{is_test_file, is_test_module};
use crate::path::ProjectPath;

/// The files that an implementation may not touch, so that failures in them are the tests' own fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestFiles<'a> {
    /// The files that the scaffold wrote, whatever their names.
    pub(super) written: &'a [String],
    /// The setting `[test] paths`.
    pub(super) paths: &'a [String],
}

impl TestFiles<'_> {
    pub(super) fn contains(self, path: &str) -> bool {
        self.written.iter().any(|file| file == path) || is_test_file(path, self.paths)
    }
}

/// Whether all of these files, which belong to the tests, hold tests themselves.
pub(super) fn hold_tests(files: &[ProjectPath]) -> bool {
    let mut files = files.iter();
    files.all(|file| is_test_module(file.as_str()))
}

/// The files of the tests that hold no tests themselves: helpers, fixtures, data. Any test may depend on them.
pub(super) fn support(files: &[String]) -> impl Iterator<Item = &str> {
    let files = files.iter().map(String::as_str);
    files.filter(|file| !is_test_module(file))
}
