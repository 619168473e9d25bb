//! Running a project's tests with its own runner, and reading the results.
//!
//! [`find_python`] finds the project's interpreter, [`PytestRun`] runs the suite in a tree and returns an observation
//! that the rules of `proctor-core` judge. pytest's own report is not enough, so a plugin of ours is loaded that writes
//! one record per event to a stream that only Proctor reads. A project without a pytest can be given a
//! [`managed_environment`]. [`node_command`] finds vitest, jest or node's runner, and [`NodeRun`] runs them in the same
//! way.

use std::path::PathBuf;

use crate::git::GitError;
use crate::process::{ProcessError, SandboxError};
use proctor_core::failure::{Explained, Kind};

mod cached;
mod command;
mod finding;
mod inquiry;
mod node;
mod outcome;
mod pytest;
mod reader;
mod run;
mod stream;

pub use command::TestCommand;
pub use finding::{FoundPart, ProjectFiles, find_parts, test_command, test_commands};
pub use inquiry::Inquiry;
pub use node::{
    NodeCommand, NodeRun, NodeSearch, farm, find_runner, installed_modules, managed_packages,
    named_runner, node_command, readable,
};
pub use outcome::{RunOutcome, Variant, Watched};
use pytest::pytest_command;
pub use pytest::{
    CompiledPrograms, Cut, CutFile, CutSource, Marker, PytestRun, PythonReader, PythonSearch,
    ReadError, TestLimit, editable_packages, find_python, installed, judged_environment,
    managed_environment, own_python, verify_pytest,
};
pub use reader::Reader;
pub use run::TestRun;

/// Why the tests could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// No Python is configured, in the project or on the search path.
    #[error("no python interpreter was found for this project")]
    NoPython,
    /// The project's Python does not have pytest.
    #[error("pytest cannot be imported by {python}")]
    PytestMissing {
        /// The command that was tried.
        python: String,
        /// The remedy.
        hint: String,
    },
    /// A configured command cannot be used.
    #[error("the configured test command cannot be used: {0}")]
    Command(String),
    /// The interpreter that would be used belongs to the repository.
    #[error("git tracks {}, so the python that would run the tests is the repository's own", .0.display())]
    Tracked(PathBuf),
    /// No node is configured or on the search path.
    #[error("no node was found for this project's tests")]
    NoNode,
    /// Packages would have to be installed, and there is nothing to do it with.
    #[error("no npm was found to install vitest with")]
    NoNpm,
    /// The runner's package is not installed.
    #[error("{package} is not installed in this project")]
    PackageMissing {
        /// The package.
        package: String,
        /// The command that installs the project's packages.
        install: String,
    },
    /// Packages are in archives that only yarn's own loader finds.
    #[error("this project's packages are installed by yarn's plug'n'play, which is not supported")]
    PlugAndPlay,
    /// The project's tests are run by something else.
    #[error("tests that are run by {0} are not supported")]
    UnsupportedRunner(String),
    /// The runner or the node that would be used belongs to the repository.
    #[error("git tracks {}, so what would run the tests is the repository's own", .0.display())]
    TrackedRunner(PathBuf),
    /// The project's files name no runner.
    #[error("no test runner that Proctor knows was found for this project")]
    NoRunner,
    /// There is no sandbox to ask a python in.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Packages could not be installed.
    #[error("npm could not install vitest in {}: {reason}", directory.display())]
    Packages {
        /// Where they were to be.
        directory: PathBuf,
        /// npm's error.
        reason: String,
    },
    /// A virtual environment could not be made.
    #[error("the test environment in {} could not be made: {reason}", directory.display())]
    Environment {
        /// Where it was to be.
        directory: PathBuf,
        /// The maker's own words.
        reason: String,
    },
    /// A process could not be run.
    #[error("the test runner cannot be run: {0}")]
    Process(#[from] ProcessError),
    /// A private file could not be written or read.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// `write`, `read`, `lock`, `remove`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
}

impl Explained for RunnerError {
    fn kind(&self) -> Kind {
        match self {
            Self::Process(ProcessError::Interrupted) => Kind::Interrupted,
            Self::Tracked(_) | Self::TrackedRunner(_) => Kind::Safety,
            Self::Sandbox(error) => error.kind(),
            Self::Git(error) => error.kind(),
            _ => Kind::Environment,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Process(ProcessError::Interrupted) => return Vec::new(),
                Self::NoPython => "install Python 3, or set `[test] command` in proctor.toml",
                Self::PytestMissing { hint, .. } => hint,
                Self::Tracked(_) => {
                    "activate an environment of your own, or take that one out of git with `git rm --cached`"
                }
                Self::NoNode => "install Node.js 20 or newer, or set `[test] command` in proctor.toml to the path of a node",
                Self::NoNpm => {
                    "install Node.js 20 or newer with npm; `proctor demo --language python` needs neither"
                }
                Self::Packages { .. } => {
                    "fix what it complains about and try again; npm has to reach its registry this once"
                }
                Self::PackageMissing { install, .. } => {
                    return vec![format!("run `{install}` in the checkout")];
                }
                Self::PlugAndPlay => {
                    "set `nodeLinker: node-modules` in .yarnrc.yml and run `yarn install`"
                }
                Self::NoRunner => {
                    "name one with `[test] runner` in proctor.toml: pytest, vitest, jest or node (`node --test`)"
                }
                Self::UnsupportedRunner(_) => {
                    "proctor judges tests of pytest, vitest from 3 on, jest from 29 on and `node --test`"
                }
                Self::TrackedRunner(_) => {
                    "take it out of git with `git rm -r --cached` and have your package manager install it"
                }
                Self::Sandbox(error) => return error.hints(),
                Self::Git(error) => return error.hints(),
                Self::Command(_) => "fix `[test] command` in proctor.toml",
                Self::Environment { .. } => {
                    "fix what it complains about, or install pytest in an environment of your own and activate it"
                }
                Self::Process(_) => "install it, or set `[test] command` in proctor.toml",
                Self::File { .. } => "free some disk space or fix the permissions; nothing was lost",
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for RunnerError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(RunnerError {
            RunnerError::NoPython => RunnerError::NoPython,
            RunnerError::PytestMissing { .. } => RunnerError::PytestMissing {
                python: "PYTHON".to_owned(),
                hint: "make an environment with it: `PYTHON -m venv .venv && .venv/bin/python -m pip install pytest`".to_owned(),
            },
            RunnerError::Command(_) => RunnerError::Command("REASON".to_owned()),
            RunnerError::Tracked(_) => RunnerError::Tracked("PATH".into()),
            RunnerError::NoNode => RunnerError::NoNode,
            RunnerError::NoNpm => RunnerError::NoNpm,
            RunnerError::Packages { .. } => RunnerError::Packages { directory: "PATH".into(), reason: "REASON".to_owned() },
            RunnerError::PackageMissing { .. } => RunnerError::PackageMissing {
                package: "PACKAGE".to_owned(),
                install: "npm install".to_owned(),
            },
            RunnerError::PlugAndPlay => RunnerError::PlugAndPlay,
            RunnerError::UnsupportedRunner(_) => RunnerError::UnsupportedRunner("RUNNER".to_owned()),
            RunnerError::TrackedRunner(_) => RunnerError::TrackedRunner("PATH".into()),
            RunnerError::NoRunner => RunnerError::NoRunner,
            RunnerError::Sandbox(_) => RunnerError::Sandbox(SandboxError::NoHelper),
            RunnerError::Git(_) => RunnerError::Git(GitError::sample()),
            RunnerError::Environment { .. } => RunnerError::Environment { directory: "PATH".into(), reason: "REASON".to_owned() },
            RunnerError::Process(_) => RunnerError::Process(ProcessError::NotFound { program: "PROGRAM".into() }),
            RunnerError::File { .. } => RunnerError::File {
                action: "write",
                path: "PATH".into(),
                source: std::io::Error::other("REASON"),
            },
        })
    }
}

impl RunnerError {
    fn file(action: &'static str, path: &std::path::Path, source: std::io::Error) -> Self {
        Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }
}
