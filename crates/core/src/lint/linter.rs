//! The known linters: their invocation and configuration.

use crate::path::ProjectPath;

/// A linter that Proctor knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Linter {
    /// For Python, fast.
    Ruff,
    /// For Python.
    Flake8,
    /// JavaScript and TypeScript.
    Eslint,
    /// For Rust.
    Clippy,
}

/// Files that only say how to lint.
const CONFIGURATION: [&str; 21] = [
    "ruff.toml",
    ".ruff.toml",
    ".flake8",
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    "eslint.config.mts",
    "eslint.config.cts",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.json",
    ".eslintrc.yaml",
    ".eslintrc.yml",
    ".eslintignore",
    "clippy.toml",
    ".clippy.toml",
    // These files have other contents too, which do not concern a linter.
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
];

/// Whether a linter takes its rules from a file of this name, in any directory.
pub fn is_lint_configuration(path: &ProjectPath) -> bool {
    CONFIGURATION.contains(&path.file_name()) || path.file_name() == "package.json"
}

impl Linter {
    /// All of them; of those for the same language, the preferred one first.
    pub const ALL: [Self; 4] = [Self::Ruff, Self::Flake8, Self::Eslint, Self::Clippy];

    /// The program's name.
    pub fn program(self) -> &'static str {
        match self {
            Self::Ruff => "ruff",
            Self::Flake8 => "flake8",
            Self::Eslint => "eslint",
            Self::Clippy => "cargo",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clippy => "clippy",
            other => other.program(),
        }
    }

    /// The linter that a configured command starts, if it is a known one.
    pub fn of_command(words: &[String]) -> Option<Self> {
        let name = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
        let first = name(words.first()?);
        let second = words.get(1).map(String::as_str);
        let module = (second == Some("-m")).then(|| words.get(2)).flatten();
        let program = module.cloned().unwrap_or(first);
        Self::ALL.into_iter().find(|linter| {
            linter.program() == program && (*linter != Self::Clippy || second == Some("clippy"))
        })
    }

    /// Whether it has something to say about a file.
    pub fn takes(self, path: &str) -> bool {
        let extensions: &[&str] = match self {
            Self::Ruff | Self::Flake8 => &["py", "pyi"],
            Self::Eslint => &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
            Self::Clippy => &["rs"],
        };
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|found| extensions.contains(&found))
    }

    /// Whether it is told which files to look at; clippy looks at all there are.
    pub fn takes_files(self) -> bool {
        self != Self::Clippy
    }

    /// Its arguments before the files; each has its reason beside it.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            // One line a finding; nothing is written; files that the project excludes stay excluded although they are
            // named.
            Self::Ruff => &[
                "check",
                "--output-format=concise",
                "--no-cache",
                "--force-exclude",
                "--",
            ],
            // Worker processes need shared memory, which a sandbox may not give.
            Self::Flake8 => &["--jobs=1", "--"],
            // The only format that every version has and that can be read reliably.
            Self::Eslint => &["--format=json", "--no-error-on-unmatched-pattern", "--"],
            // There is no network in the sandbox, and the tree with its lock file cannot be written.
            Self::Clippy => &[
                "clippy",
                "--offline",
                "--locked",
                "--quiet",
                "--all-targets",
                "--message-format=short",
            ],
        }
    }

    /// Exit codes that mean "looked at everything, and found something".
    pub(super) fn has_findings(self, code: i32) -> bool {
        match self {
            Self::Ruff | Self::Flake8 | Self::Eslint => code == 1,
            // Warnings do not change its exit code.
            Self::Clippy => code == 0 || code == 101,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_configured_command_is_recognised_by_what_it_starts() {
        let known = [
            ("ruff check --select=E", Linter::Ruff),
            (".venv/bin/flake8", Linter::Flake8),
            ("python3 -m flake8", Linter::Flake8),
            ("./node_modules/.bin/eslint", Linter::Eslint),
            ("cargo clippy --workspace", Linter::Clippy),
        ];
        for (text, linter) in known {
            assert_eq!(Linter::of_command(&command(text)), Some(linter), "{text}");
        }
        for text in [
            "cargo fmt --check",
            "make ruff",
            "./lint.sh",
            "python3 ruff",
        ] {
            assert_eq!(Linter::of_command(&command(text)), None, "{text}");
        }
        assert_eq!(Linter::of_command(&[]), None);
    }

    #[test]
    fn files_are_taken_by_their_language() {
        assert!(Linter::Ruff.takes("src/a.py") && Linter::Flake8.takes("a.pyi"));
        assert!(Linter::Eslint.takes("web/a.test.tsx") && Linter::Clippy.takes("src/lib.rs"));
        for path in ["README.md", "py", "a.py.txt", ".py/x"] {
            assert!(
                Linter::ALL.iter().all(|linter| !linter.takes(path)),
                "{path}"
            );
        }
    }

    #[test]
    fn configuration_is_recognised_in_every_directory() {
        for path in [
            "ruff.toml",
            "src/pkg/.ruff.toml",
            "web/.eslintrc.json",
            "setup.cfg",
        ] {
            assert!(is_lint_configuration(&ProjectPath::parse(path).unwrap()));
        }
        assert!(!is_lint_configuration(
            &ProjectPath::parse("src/ruff.py").unwrap()
        ));
    }
}
