//! Which files are tests by their names.
//!
//! The files that a scaffold wrote are known; this is for the others that a failure may point to,
//! such as a helper module in the tests' folder, which an implementation may not touch either.

/// Whether a path is a test's by its name, as pytest and common habit have it.
pub(super) fn looks_like_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let in_folder = path
        .split('/')
        .rev()
        .skip(1)
        .any(|part| part == "tests" || part == "test");
    in_folder || name == "conftest.py" || is_test_module(path)
}

/// Whether pytest would look for tests in a file of this name.
pub(super) fn is_test_module(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = name.strip_suffix(".py") else {
        return false;
    };
    stem.starts_with("test_") || stem.ends_with("_test")
}

#[cfg(test)]
mod tests {
    use super::{is_test_module, looks_like_test};

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
        for (path, looks, is_module) in table {
            assert_eq!(looks_like_test(path), looks, "{path}");
            assert_eq!(is_test_module(path), is_module, "{path}");
        }
    }
}
