//! Directories that package managers fill: their contents run the project's tests and are not part of the project.

/// Their names.
pub const INSTALLED_DIRECTORIES: [&str; 3] = ["node_modules", ".venv", "venv"];

/// Whether a file lies in such a directory. The directory itself is not one of its files: to remove it and install again is
/// ordinary work.
pub fn is_installed(path: &str) -> bool {
    let path = path.to_lowercase();
    let Some((directories, _)) = path.trim_end_matches('/').rsplit_once('/') else {
        return false;
    };
    directories
        .split('/')
        .any(|name| INSTALLED_DIRECTORIES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::is_installed;

    #[test]
    fn files_below_such_a_directory_are_installed_and_the_directory_is_not() {
        for path in [
            "node_modules/vitest/dist/index.js",
            "web/node_modules/a",
            ".venv/lib/python3.11/site-packages/_pytest/runner.py",
            "venv/bin/python",
            "Node_Modules/a/b.js",
        ] {
            assert!(is_installed(path), "{path}");
        }
        for path in [
            "node_modules",
            "web/node_modules/",
            "src/venv.py",
            "node_modules_/a",
            ".venvs/a",
        ] {
            assert!(!is_installed(path), "{path}");
        }
    }
}
