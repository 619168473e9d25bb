//! Finding the runner of a project's JavaScript tests.
//!
//! The project's own files at the base decide which one it is; it is taken from the packages that are installed in the
//! person's checkout, and run by the node on their search path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use proctor_core::dialect::Runner;
use serde::{Deserialize, Serialize};

use crate::git::Repository;
use crate::process::{find_program, variable};

use super::package::Package;
use super::script::NodeWords;
use super::{Inquiry, RunnerError};

/// The package of a runner, the module that starts it, and the first version that the reporter supports; none for
/// node's own, which comes with node.
fn package_of(runner: Runner) -> Option<(&'static str, &'static str, u64)> {
    match runner {
        Runner::Vitest => Some(("vitest", "dist/node.js", 3)),
        Runner::Jest => Some(("jest", "build/index.js", 29)),
        Runner::Node | Runner::Pytest => None,
    }
}

/// Unsupported runners, by their packages and commands.
const UNSUPPORTED: [&str; 14] = [
    "mocha",
    "ava",
    "tap",
    "tape",
    "jasmine",
    "karma",
    "uvu",
    "qunit",
    "lab",
    "playwright",
    "cypress",
    "react-scripts",
    "bun",
    "deno",
];

/// The inputs of the search.
#[derive(Debug, Clone)]
pub struct NodeSearch<'a> {
    /// `[test] runner`, if it is set.
    pub runner: Option<Runner>,
    /// The configured test command; only one that names a node can be used.
    pub configured: &'a [String],
    /// The text of `package.json` at the base.
    pub package: Option<&'a str>,
    /// The names of files at the root of the base.
    pub names: &'a [String],
    /// The part's directory in the person's checkout, where packages are installed.
    pub checkout: &'a Path,
    /// The top of the checkout: packages that all parts share are installed there, or on the way to it.
    pub top: &'a Path,
    /// How programs are asked.
    pub inquiry: Inquiry<'a>,
}

/// A runner and the programs that it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeCommand {
    /// The runner.
    pub runner: Runner,
    /// The node that runs it.
    pub node: PathBuf,
    /// The module of its package that starts it; node's own needs none.
    pub program: Option<PathBuf>,
    /// The package's version; empty for node's own.
    pub version: String,
    /// Options of node for the runner's own process.
    pub options: Vec<String>,
    /// Options of node for the processes of the tests, where the runner is node's own.
    pub loaded: Vec<String>,
    /// Files, directories and patterns that the project's own command names, where the runner is node's own.
    pub patterns: Vec<String>,
}

impl NodeCommand {
    /// The command as words, for display and for the readable paths.
    pub fn words(&self) -> Vec<OsString> {
        let program = self.program.iter().map(OsString::from);
        std::iter::once(OsString::from(&self.node))
            .chain(program)
            .collect()
    }

    /// Its files, for a caller that asks for their owner.
    fn parts(&self) -> Vec<PathBuf> {
        let package = self.program.as_deref().and_then(|program| {
            let root = program.parent()?.parent()?;
            Some(root.to_owned())
        });
        [Some(self.node.clone()), package]
            .into_iter()
            .flatten()
            .flat_map(|part| {
                let real = std::fs::canonicalize(&part);
                [Some(part), real.ok()].into_iter().flatten()
            })
            .collect()
    }
}

/// The runner that a project's files name; none where they name no JavaScript runner at all.
pub fn find_runner(search: &NodeSearch<'_>) -> Result<Option<Runner>, RunnerError> {
    match search.runner {
        Some(runner) => Ok(Some(runner)),
        None => named_runner(search.package, search.names),
    }
}

/// The same by the text of `package.json` and the names beside it.
pub fn named_runner(
    package: Option<&str>,
    names: &[String],
) -> Result<Option<Runner>, RunnerError> {
    let package = Package::parse(package.unwrap_or_default());
    let script = package.test_script();
    let calls = |name: &str| {
        script
            .split(|one: char| one.is_whitespace() || "&|;()/'\"=".contains(one))
            .any(|word| word == name)
    };
    let configures = |name: &str| {
        let beginning = format!("{name}.config.");
        names.iter().any(|file| file.starts_with(&beginning))
    };
    let candidates = [
        (Runner::Vitest, calls("vitest")),
        (Runner::Jest, calls("jest")),
        (Runner::Node, NodeWords::of(&script).is_test),
        (Runner::Vitest, configures("vitest")),
        (Runner::Jest, configures("jest") || package.has("jest")),
    ];
    if let Some((runner, _)) = candidates.into_iter().find(|(_, is_named)| *is_named) {
        return Ok(Some(runner));
    }
    // A command of the project's own counts for more than other installed packages.
    if let Some(name) = UNSUPPORTED.into_iter().find(|name| calls(name)) {
        return Err(RunnerError::UnsupportedRunner(name.to_owned()));
    }
    let installed = [Runner::Vitest, Runner::Jest];
    let found = installed
        .into_iter()
        .find(|runner| package.needs(runner.name()));
    let unsupported = UNSUPPORTED.into_iter().find(|name| package.needs(name));
    match (found, unsupported) {
        (None, Some(name)) => Err(RunnerError::UnsupportedRunner(name.to_owned())),
        (found, _) => Ok(found),
    }
}

/// The programs that run the tests, once it is known that none is the repository's own; none where the project's files name
/// no JavaScript runner.
pub fn node_command(
    repository: &Repository,
    search: &NodeSearch<'_>,
) -> Result<Option<NodeCommand>, RunnerError> {
    let Some(command) = search.command()? else {
        return Ok(None);
    };
    let top = repository.top();
    let inside = command.parts().into_iter();
    let inside = inside.filter_map(|part| Some(part.strip_prefix(top).ok()?.into()));
    let tracked = repository
        .checkout()?
        .tracked(&inside.collect::<Vec<_>>())?;
    match tracked {
        Some(path) => Err(RunnerError::TrackedRunner(path)),
        None => Ok(Some(command)),
    }
}

impl NodeSearch<'_> {
    /// The programs, wherever they come from.
    fn command(&self) -> Result<Option<NodeCommand>, RunnerError> {
        let Some(runner) = find_runner(self)? else {
            return Ok(None);
        };
        let node = self.node()?;
        let package = Package::parse(self.package.unwrap_or_default());
        let words = NodeWords::of(&package.test_script());
        let (program, version) = match package_of(runner) {
            None => (None, String::new()),
            Some((name, module, oldest)) => {
                let (program, version) = self.installed(name, module, oldest)?;
                (Some(program), version)
            }
        };
        let is_node = runner == Runner::Node;
        Ok(Some(NodeCommand {
            runner,
            node,
            program,
            version,
            options: if is_node {
                Vec::new()
            } else {
                words.harmless()
            },
            loaded: if is_node { words.options } else { Vec::new() },
            patterns: if is_node { words.patterns } else { Vec::new() },
        }))
    }

    /// The configured node, or the one on the search path.
    fn node(&self) -> Result<PathBuf, RunnerError> {
        let path = variable(self.inquiry.environment, "PATH").unwrap_or_default();
        let name = match self.configured {
            [] => Path::new("node"),
            [only]
                if Path::new(only)
                    .file_name()
                    .is_some_and(|name| name == "node") =>
            {
                Path::new(only)
            }
            words => {
                let words = shell_words::join(words);
                return Err(RunnerError::Command(format!(
                    "`{words}` is not the path of a node"
                )));
            }
        };
        let node = find_program(name, path, self.checkout).ok_or(RunnerError::NoNode)?;
        // A version manager's small program would look for the node to start at every start.
        let is_shim = ["shims", ".volta/bin"].iter().any(|end| {
            node.parent()
                .is_some_and(|directory| directory.ends_with(end))
        });
        if !is_shim {
            return Ok(node);
        }
        let question = ["-p", "process.execPath"].map(OsString::from).to_vec();
        let answer = self.inquiry.ask(&node, question, self.checkout)?;
        let named = Path::new(answer.printed.trim());
        if answer.success && named.is_absolute() {
            Ok(named.to_owned())
        } else {
            Err(RunnerError::NoNode)
        }
    }

    /// The module of an installed package that starts a runner, and the package's version.
    fn installed(
        &self,
        name: &str,
        module: &str,
        oldest: u64,
    ) -> Result<(PathBuf, String), RunnerError> {
        let has_modules = self.places().any(|at| at.join("node_modules").is_dir());
        if !has_modules && [".pnp.cjs", ".pnp.js"].iter().any(|file| self.has(file)) {
            return Err(RunnerError::PlugAndPlay);
        }
        let missing = || RunnerError::PackageMissing {
            package: name.to_owned(),
            install: self.install_command().to_owned(),
        };
        let directory = self
            .places()
            .find_map(|at| std::fs::canonicalize(at.join("node_modules").join(name)).ok())
            .ok_or_else(missing)?;
        let program = directory.join(module);
        if !program.is_file() {
            return Err(missing());
        }
        let text = std::fs::read_to_string(directory.join("package.json")).unwrap_or_default();
        let package = Package::parse(&text);
        let version = package.version().ok_or_else(missing)?;
        let major = version.split('.').next().and_then(|text| text.parse().ok());
        if major.is_none_or(|major: u64| major < oldest) {
            return Err(RunnerError::UnsupportedRunner(format!("{name} {version}")));
        }
        Ok((program, version.to_owned()))
    }

    /// The command by which a person installs the packages.
    fn install_command(&self) -> &'static str {
        let managers = [
            ("pnpm-lock.yaml", "pnpm install"),
            ("yarn.lock", "yarn install"),
            ("bun.lock", "bun install"),
            ("bun.lockb", "bun install"),
        ];
        let found = managers.iter().find(|(lock, _)| self.has(lock));
        found.map_or("npm install", |(_, command)| command)
    }

    /// The directories in which node looks for packages of the project, the nearest first.
    fn places(&self) -> impl Iterator<Item = &Path> {
        let above = self.checkout.ancestors();
        above.take_while(|place| place.starts_with(self.top))
    }

    fn has(&self, file: &str) -> bool {
        self.places().any(|place| place.join(file).is_file())
    }
}

#[cfg(test)]
mod tests;
