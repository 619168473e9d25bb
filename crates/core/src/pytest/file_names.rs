//! Which files are tests, and which configure the runner, by their names.

use crate::path::ProjectPath;

/// Files that configure pytest. Only the design document can put one on the list.
const TEST_CONFIGURATION: &[&str] = &[
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
];

/// Code that the tests of a folder share; it holds no tests itself.
const SHARED: &str = "conftest.py";

/// Whether a file of this name configures pytest, in any folder.
pub fn is_test_configuration(path: &ProjectPath) -> bool {
    TEST_CONFIGURATION.contains(&path.file_name())
}

/// Whether the runner would collect or load this file for tests: by its name, by a directory called
/// `tests` or `test`, or by `[test] paths`. An implementation may not touch such a file.
pub fn is_test_file(path: &str, test_paths: &[String]) -> bool {
    let by_name = is_test_module(path) || only_supports_tests(name_of(path));
    let mut directories = path.split('/').rev().skip(1);
    let by_directory = directories.any(|component| matches!(component, "tests" | "test"));
    let by_setting = test_paths.iter().any(|prefix| {
        let prefix = prefix.trim_start_matches("./").trim_end_matches('/');
        let rest = path.strip_prefix(prefix);
        !prefix.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    by_name || by_directory || by_setting
}

/// Whether pytest would look for tests in a file of this name.
pub(crate) fn is_test_module(path: &str) -> bool {
    let stem = name_of(path).strip_suffix(".py");
    stem.is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
}

/// Whether a file of this name is loaded for tests and can hold none.
pub(crate) fn only_supports_tests(file_name: &str) -> bool {
    file_name == SHARED
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{is_test_file, is_test_module};

    #[test]
    fn test_files_are_known_by_name_by_directory_or_by_setting() {
        let setting = ["checks".to_owned(), "./spec/".to_owned()];
        for yes in [
            "test_a.py",
            "src/a_test.py",
            "conftest.py",
            "pkg/conftest.py",
            "tests/data.json",
            "pkg/test/x.py",
            "checks/a.py",
            "spec/deep/x.txt",
        ] {
            assert!(is_test_file(yes, &setting), "{yes}");
        }
        for no in [
            "src/a.py",
            "testing.py",
            "src/contest.py",
            "checksum/a.py",
            "test_a.txt",
            "tests",
        ] {
            assert!(!is_test_file(no, &setting), "{no}");
        }
    }

    #[test]
    fn names_decide() {
        let table = [
            ("test_a.py", true, true),
            ("pkg/a_test.py", true, true),
            ("tests/test_a.py", true, true),
            ("tests/helpers.py", true, false),
            ("conftest.py", true, false),
            ("app/testing.py", false, false),
            ("app/tests.py", false, false),
            ("app/contest.py", false, false),
            ("app/test_data.json", false, false),
        ];
        for (path, is_file, is_module) in table {
            assert_eq!(is_test_file(path, &[]), is_file, "{path}");
            assert_eq!(is_test_module(path), is_module, "{path}");
        }
    }
}
