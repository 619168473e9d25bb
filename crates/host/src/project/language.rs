//! Which languages a project is written in.

use std::path::Path;

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Python.
    Python,
    /// TypeScript.
    TypeScript,
    /// JavaScript.
    JavaScript,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java or another language that Maven or Gradle build.
    Java,
}

/// Files that say which language a project is written in.
const MARKERS: [(&str, Language); 15] = [
    ("pyproject.toml", Language::Python),
    ("setup.py", Language::Python),
    ("setup.cfg", Language::Python),
    ("requirements.txt", Language::Python),
    ("Pipfile", Language::Python),
    ("tox.ini", Language::Python),
    ("pytest.ini", Language::Python),
    ("tsconfig.json", Language::TypeScript),
    ("package.json", Language::JavaScript),
    ("Cargo.toml", Language::Rust),
    ("go.mod", Language::Go),
    ("pom.xml", Language::Java),
    ("build.gradle", Language::Java),
    ("build.gradle.kts", Language::Java),
    ("settings.gradle", Language::Java),
];

const EXTENSIONS: [(&str, Language); 7] = [
    ("py", Language::Python),
    ("ts", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("js", Language::JavaScript),
    ("rs", Language::Rust),
    ("go", Language::Go),
    ("java", Language::Java),
];

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::JavaScript => "JavaScript",
            Self::Rust => "Rust",
            Self::Go => "Go",
            Self::Java => "Java",
        }
    }

    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::JavaScript => "javascript",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Java => "java",
        }
    }
}

/// The languages of a checkout: by the files that build tools need, else by the names of its source files.
pub fn languages(root: &Path) -> Vec<Language> {
    let mut found: Vec<Language> = MARKERS
        .iter()
        .filter(|(name, _)| root.join(name).is_file())
        .map(|(_, language)| *language)
        .collect();
    if found.is_empty() {
        found = by_extension(root);
    } else if found.contains(&Language::JavaScript)
        && by_extension(root).contains(&Language::TypeScript)
    {
        // vitest needs no `tsconfig.json`.
        found.push(Language::TypeScript);
    }
    found.sort_unstable();
    found.dedup();
    // A TypeScript project has a `package.json` too.
    if found.contains(&Language::TypeScript) {
        found.retain(|language| *language != Language::JavaScript);
    }
    found
}

/// Files at the root and one level below, without those that git ignores.
fn by_extension(root: &Path) -> Vec<Language> {
    let walk = ignore::WalkBuilder::new(root).max_depth(Some(2)).build();
    walk.flatten()
        .filter_map(|entry| {
            let extension = entry.path().extension()?.to_str()?.to_owned();
            let known = EXTENSIONS.iter().find(|(name, _)| *name == extension)?;
            Some(known.1)
        })
        .collect()
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that is looked at"
)]
mod tests {
    use super::*;

    fn found(files: &[&str]) -> Vec<Language> {
        let directory = tempfile::tempdir().unwrap();
        for name in files {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        languages(directory.path())
    }

    #[test]
    fn build_files_tell_the_language_and_source_files_where_there_are_none() {
        use Language::{Go, Java, JavaScript, Python, Rust, TypeScript};
        let cases: [(&[&str], &[Language]); 9] = [
            (&["pyproject.toml", "tools/x.js"], &[Python]),
            (&["Cargo.toml", "pyproject.toml"], &[Python, Rust]),
            (&["package.json"], &[JavaScript]),
            (&["package.json", "tsconfig.json"], &[TypeScript]),
            (&["package.json", "src/index.ts"], &[TypeScript]),
            (&["go.mod"], &[Go]),
            (&["pom.xml"], &[Java]),
            (&["mathkit/basic.py"], &[Python]),
            (&["README.md"], &[]),
        ];
        for (files, expected) in cases {
            assert_eq!(found(files), expected, "{files:?}");
        }
    }
}
