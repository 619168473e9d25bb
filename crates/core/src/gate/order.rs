//! A gate's task. An order is complete: the host adds no facts of its own.

use std::collections::BTreeSet;

use super::Baseline;
use super::test_files::hold_tests;
use crate::object_id::TreeId;
use crate::path::ProjectPath;

/// The tests as they were at the valid red. They do not change any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedTests {
    /// The tree that the red gate accepted.
    pub tree: TreeId,
    /// The base that it was judged on: that tree without the new tests.
    pub base: TreeId,
    /// The test files in it that were written.
    pub files: Vec<ProjectPath>,
}

/// New tests that have to fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedOrder {
    /// The base with them.
    pub tree: TreeId,
    /// Their files, and all files written along with them.
    pub tests: Vec<ProjectPath>,
    /// Files that an implementation is going to bring or change.
    pub declared: Vec<ProjectPath>,
    /// Whether it may bring others too, because there is no design document.
    pub open: bool,
    /// The suite at the base.
    pub baseline: Baseline,
    /// Which tests are run.
    pub scope: RedScope,
}

/// Which tests are run for a red.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedScope {
    /// The whole suite: existing tests have to pass beside the new ones.
    Suite,
    /// The new test files alone.
    NewFiles,
}

impl RedScope {
    /// The scope of a red that is followed by a green at once, for changed test files of which the base has `existing`. The
    /// green runs the whole suite twice, so the existing tests can wait for it unless the change touches something that
    /// they might depend on.
    pub fn before_green(tests: &[ProjectPath], existing: &[String]) -> Self {
        if existing.is_empty() && hold_tests(tests) {
            Self::NewFiles
        } else {
            Self::Suite
        }
    }
}

/// A change that has to make its tests pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GreenOrder {
    /// Everything together.
    pub tree: TreeId,
    /// The tests that were sealed at red.
    pub sealed: SealedTests,
    /// The other files that the change touches.
    pub sources: Vec<ProjectPath>,
    /// The suite at the base.
    pub baseline: Baseline,
    /// New tests that passed at red already.
    pub passed_at_red: BTreeSet<String>,
    /// Tests, and files of them, that failed at red.
    pub failed_at_red: BTreeSet<String>,
    /// Those of them that did not end within their limit.
    pub stopped_at_red: BTreeSet<String>,
    /// Test files that the design lists: their tests may be changed on purpose.
    pub listed_tests: Vec<ProjectPath>,
}

#[cfg(test)]
mod tests {
    use super::RedScope;
    use crate::path::ProjectPath;

    #[test]
    fn only_new_files_of_tests_are_run_without_the_suite() {
        let scope = |files: &[&str], existing: &[&str]| {
            let parse = |path: &&str| ProjectPath::parse(path).expect("a path");
            let files: Vec<ProjectPath> = files.iter().map(parse).collect();
            let existing: Vec<String> = existing.iter().map(ToString::to_string).collect();
            RedScope::before_green(&files, &existing)
        };
        let new = ["tests/test_a.py", "src/b.test.ts"];
        assert_eq!(scope(&new, &[]), RedScope::NewFiles);
        assert_eq!(scope(&new, &["tests/test_a.py"]), RedScope::Suite);
        for support in ["tests/conftest.py", "tests/helpers.py", "tests/data.json"] {
            assert_eq!(scope(&["tests/test_a.py", support], &[]), RedScope::Suite);
        }
    }
}
