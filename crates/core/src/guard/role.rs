//! A file's role for the guard.

use serde::Serialize;

use super::Client;
use crate::dialect::is_test_file;
use crate::path::{ProjectPath, is_installed};

/// A file's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A runner collects or loads it for tests.
    Test,
    /// Anything that a test could cover, including test configuration, which is held at the base while judging.
    Source,
    /// Nothing imports, collects or reads it.
    Neutral,
    /// It says whether and how the work is judged, or runs the tests: settings, hooks, installed packages.
    Machinery,
    /// It lies where the base's settings let anything be tried; it cannot be committed.
    Scratch,
    /// It is not a file of the project.
    Outside,
}

/// Files besides the clients' own settings that switch the guard or say how it judges.
const MACHINERY_FILES: &[&str] = &[
    "proctor.toml",
    ".claude/settings.local.json",
    ".codex/config.toml",
    "opencode.json",
    "opencode.jsonc",
];

/// Directories of which the same is true.
const MACHINERY_DIRECTORIES: &[&str] = &[
    ".git",
    ".proctor",
    ".github/hooks",
    ".opencode/plugin",
    ".opencode/plugins",
];

/// Whether a file switches the guard or configures its judgement. The name is relative to the project's root; some file
/// systems ignore case.
pub fn is_machinery(path: &str) -> bool {
    let path = path.to_lowercase();
    let below = |directory: &str| {
        let rest = path.strip_prefix(directory);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    MACHINERY_FILES.contains(&path.as_str())
        || Client::ALL
            .iter()
            .any(|client| client.settings_file() == path)
        || MACHINERY_DIRECTORIES
            .iter()
            .any(|directory| below(directory))
}

/// Whether a file lies in one of these directories.
pub fn is_scratch(path: &str, scratch: &[String]) -> bool {
    scratch.iter().any(|directory| {
        let rest = path.strip_prefix(directory.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.starts_with('/'))
    })
}

/// The role of a file of the project. `neutral` is called only where the name leaves it open.
pub fn role_of(
    path: &ProjectPath,
    test_paths: &[String],
    scratch: &[String],
    neutral: impl FnOnce() -> bool,
) -> Role {
    let name = path.as_str();
    if is_machinery(name) || is_installed(name) {
        Role::Machinery
    } else if is_scratch(name, scratch) {
        Role::Scratch
    } else if is_test_file(name, test_paths) {
        Role::Test
    } else if neutral() {
        Role::Neutral
    } else {
        Role::Source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_follows_from_the_name_and_what_the_base_says() {
        let role = |name: &str| {
            let path = ProjectPath::parse(name).expect("a plain path");
            let (tests, scratch) = (["checks".to_owned()], ["try/".to_owned()]);
            role_of(&path, &tests, &scratch, || name.contains(".md"))
        };
        for (name, expected) in [
            ("app/core.py", Role::Source),
            ("pyproject.toml", Role::Source),
            ("tests/test_core.py", Role::Test),
            ("checks/core.py", Role::Test),
            ("src/a.test.ts", Role::Test),
            ("docs/use.md", Role::Neutral),
            ("try/a.py", Role::Scratch),
            ("try/test_a.py", Role::Scratch),
            ("tryout/a.py", Role::Source),
            ("proctor.toml", Role::Machinery),
            (".proctor/allowed_signers", Role::Machinery),
            (".claude/settings.json", Role::Machinery),
            (".Claude/settings.local.json", Role::Machinery),
            (".claude/commands/x.md", Role::Neutral),
            (".github/hooks/proctor.json", Role::Machinery),
            (".github/hooks.md", Role::Neutral),
            (".cursor/hooks.json", Role::Machinery),
            (
                ".venv/lib/python3/site-packages/_pytest/runner.py",
                Role::Machinery,
            ),
            ("web/node_modules/vitest/index.js", Role::Machinery),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
        assert!(is_machinery(".git/config") && is_machinery(".git"));
        assert!(!is_machinery(".gitignore"));
    }
}
