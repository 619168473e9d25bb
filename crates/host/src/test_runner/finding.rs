//! Finding the test runner of a project, or of a part of one.

use std::path::Path;

use proctor_core::dialect::{Dialect, Runner};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use super::{
    Inquiry, NodeSearch, RunnerError, TestCommand, find_runner, named_runner, node_command,
    pytest_command,
};
use crate::git::{GitError, Repository};
use crate::settings::{Settings, TestSettings};

/// Files at the root of a project that say that it is one of Python.
const OF_PYTHON: [&str; 8] = [
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "Pipfile",
    "tox.ini",
    "pytest.ini",
    "conftest.py",
];

/// Files at the root of a project in another language, where no `package.json` names a runner.
const OF_OTHERS: [&str; 9] = [
    "tsconfig.json",
    "jsconfig.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
];

/// The facts about a part's runner in its files.
#[derive(Debug, Clone, Default)]
pub struct ProjectFiles {
    /// The text of its `package.json`.
    package: Option<String>,
    /// The names of files at its root.
    names: Vec<String>,
    /// Whether it has code of Python.
    has_python: bool,
}

impl ProjectFiles {
    /// Those of a tree.
    pub fn of_tree(
        repository: &Repository,
        tree: &TreeId,
        part: &TestSettings,
    ) -> Result<Self, GitError> {
        let entries = repository.objects().entries(tree)?;
        let root = match part.root.as_str() {
            "" => String::new(),
            root => format!("{root}/"),
        };
        let below = || entries.keys().filter_map(|path| path.strip_prefix(&root));
        let package = format!("{root}package.json");
        let package = repository.objects().files_at(tree, &[&package])?.pop();
        Ok(Self {
            package: package
                .flatten()
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            names: below()
                .filter(|path| !path.contains('/'))
                .map(str::to_owned)
                .collect(),
            has_python: below().any(is_python),
        })
    }

    /// Those in a directory, where there is no commit to ask.
    pub fn of_directory(directory: &Path) -> Self {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let names: Vec<String> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        Self {
            package: std::fs::read_to_string(directory.join("package.json")).ok(),
            has_python: names.iter().any(|name| is_python(name)),
            names,
        }
    }

    /// The runner that they name by themselves, without code being looked at.
    fn named_runner(&self) -> Option<Runner> {
        let mut names = self.names.iter().map(String::as_str);
        if names.any(|name| OF_PYTHON.contains(&name)) {
            return Some(Runner::Pytest);
        }
        named_runner(self.package.as_deref(), &self.names)
            .ok()
            .flatten()
    }

    fn is_of_another_language(&self) -> bool {
        let mut names = self.names.iter().map(String::as_str);
        self.package.is_some() || names.any(|name| OF_OTHERS.contains(&name))
    }

    fn is_python(&self) -> bool {
        self.has_python
            || self
                .names
                .iter()
                .any(|name| OF_PYTHON.contains(&name.as_str()))
    }
}

/// A directory with a project of its own in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPart {
    /// Its place in the repository.
    pub root: String,
    /// The runner that its own files name.
    pub runner: Runner,
}

/// The projects in a repository that is none itself, up to two levels below its root.
pub fn find_parts(top: &Path) -> Vec<FoundPart> {
    let here = ProjectFiles::of_directory(top);
    if here.is_python() || here.named_runner().is_some() {
        return Vec::new();
    }
    let walk = ignore::WalkBuilder::new(top)
        .max_depth(Some(2))
        .sort_by_file_path(Path::cmp)
        .filter_entry(|entry| entry.file_name() != "node_modules")
        .build();
    let directories = walk.flatten().filter(|entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        is_directory && entry.depth() > 0
    });
    let mut parts: Vec<FoundPart> = Vec::new();
    for directory in directories {
        let root = directory
            .path()
            .strip_prefix(top)
            .ok()
            .and_then(Path::to_str);
        let runner = ProjectFiles::of_directory(directory.path()).named_runner();
        let (Some(root), Some(runner)) = (root, runner) else {
            continue;
        };
        let is_inside = |part: &FoundPart| Path::new(root).starts_with(&part.root);
        if !parts.iter().any(is_inside) {
            parts.push(FoundPart {
                root: root.to_owned(),
                runner,
            });
        }
    }
    parts
}

fn is_python(path: &str) -> bool {
    ProjectPath::parse(path).is_ok_and(|path| Dialect::of(&path) == Some(Dialect::Python))
}

/// The test command of every part that the settings name, according to a tree.
pub fn test_commands(
    repository: &Repository,
    tree: &TreeId,
    settings: &Settings,
    inquiry: Inquiry<'_>,
) -> Result<Vec<TestCommand>, RunnerError> {
    let parts = settings.parts().map(|part| {
        let files = ProjectFiles::of_tree(repository, tree, part)?;
        test_command(repository, &files, part, inquiry)
    });
    parts.collect()
}

/// The test command of a part: the configured runner, or the one that its own files name.
pub fn test_command(
    repository: &Repository,
    files: &ProjectFiles,
    part: &TestSettings,
    inquiry: Inquiry<'_>,
) -> Result<TestCommand, RunnerError> {
    let checkout = repository.top().join(&part.root);
    let search = NodeSearch {
        runner: part.runner,
        configured: &part.command,
        package: files.package.as_deref(),
        names: &files.names,
        checkout: &checkout,
        top: repository.top(),
        inquiry,
    };
    let python = || pytest_command(repository, &checkout, &part.command, inquiry);
    match part.runner {
        Some(Runner::Pytest) => python(),
        Some(runner) => {
            let command = node_command(repository, &search)?;
            let missing = || RunnerError::Command(format!("there is no {}", runner.name()));
            command.map(TestCommand::Node).ok_or_else(missing)
        }
        None if files.is_python() || !is_node(&part.command) => python(),
        None if find_runner(&search)?.is_none() => {
            if files.is_of_another_language() {
                Err(RunnerError::NoRunner)
            } else {
                python()
            }
        }
        None => node_command(repository, &search)?
            .map(TestCommand::Node)
            .ok_or(RunnerError::NoRunner),
    }
}

/// Whether configured words could start a node: there are none, or they name it.
fn is_node(configured: &[String]) -> bool {
    configured.last().is_none_or(|word| {
        Path::new(word)
            .file_name()
            .is_some_and(|name| name == "node")
    })
}
