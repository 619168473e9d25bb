//! Obstacles around a command: its input, its directories, the state of the repository.

use std::io;
use std::path::PathBuf;

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

/// The obstacle.
#[derive(Debug, Error)]
pub(crate) enum Obstacle {
    /// The directory that Proctor was started in was removed.
    #[error("the current directory is gone: {0}")]
    NoCurrentDirectory(io::Error),
    /// Ctrl-C could not be noticed.
    #[error("signals cannot be handled: {0}")]
    Signals(io::Error),
    /// Standard input cannot be read.
    #[error("standard input cannot be read: {0}")]
    StandardInput(io::Error),
    /// There is no place for temporary files.
    #[error("a temporary directory cannot be made: {0}")]
    Scratch(io::Error),
    /// The run was stored by another Proctor, or its record is damaged.
    #[error("the inputs of run {run} cannot be read: {problem}")]
    Inputs {
        /// The run's id.
        run: String,
        /// The mismatch.
        problem: String,
    },
    /// Evidence of an ended run.
    #[error("{} cannot be removed: {source}", path.display())]
    NotRemoved {
        /// Where it is.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The page about a run.
    #[error("the page cannot be written to {}: {source}", path.display())]
    Page {
        /// As it was given.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no place for a test environment of Proctor's own.
    #[error("there is no cache directory: HOME is not set")]
    NoCacheDirectory,
    /// A directory that a run writes to.
    #[error("{what} cannot be written to {}", path.display())]
    Closed {
        /// The purpose of the directory.
        what: &'static str,
        /// The directory.
        path: PathBuf,
    },
    /// A disk that a run writes to.
    #[error("only {megabytes} MB are free for {what} in {}", path.display())]
    Full {
        /// The free space.
        megabytes: u64,
        /// The purpose of the directory.
        what: &'static str,
        /// The directory.
        path: PathBuf,
    },
    /// The findings of `doctor`, by name and remedy.
    #[error("not ready: {}", names(.0))]
    NotReady(Vec<(&'static str, String)>),
}

fn names(findings: &[(&'static str, String)]) -> String {
    let names: Vec<&str> = findings.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

impl Explained for Obstacle {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Obstacle::NoCurrentDirectory(_) => {
                "go to a directory that exists, or name one with -C DIR"
            }
            Obstacle::Signals(_) => {
                "look at the limits of this user and of this container; nothing was changed"
            }
            Obstacle::StandardInput(_) => "name a file with --from, or pipe the content in",
            Obstacle::Scratch(_) => {
                "free some space for temporary files, fix the permissions, or set TMPDIR to another directory"
            }
            Obstacle::Inputs { .. } => {
                "use the proctor that started it; its worktree and its branch are as they were"
            }
            Obstacle::NotRemoved { .. } => "fix its permissions and run the command again",
            Obstacle::Page { .. } => "name another file with --output",
            Obstacle::NoCacheDirectory => "set PROCTOR_CACHE_DIR to a directory of your own",
            Obstacle::Closed { .. } => {
                "fix its permissions, or set PROCTOR_STATE_DIR to a directory of your own"
            }
            Obstacle::Full { .. } => FREE_SPACE,
            Obstacle::NotReady(findings) => {
                let hints = findings.iter();
                return hints
                    .map(|(name, remedy)| format!("{name}: {remedy}"))
                    .collect();
            }
        };
        vec![hint.to_owned()]
    }
}

#[cfg(test)]
impl Sampled for Obstacle {
    fn samples() -> Vec<Self> {
        let (text, system) = (str::to_owned, || io::Error::other("REASON"));
        let path = || PathBuf::from("PATH");
        proctor_core::samples!(Obstacle {
            Obstacle::NoCurrentDirectory(_) => Obstacle::NoCurrentDirectory(system()),
            Obstacle::Signals(_) => Obstacle::Signals(system()),
            Obstacle::StandardInput(_) => Obstacle::StandardInput(system()),
            Obstacle::Scratch(_) => Obstacle::Scratch(system()),
            Obstacle::Inputs { .. } => Obstacle::Inputs { run: text("RUN"), problem: text("REASON") },
            Obstacle::NotRemoved { .. } => Obstacle::NotRemoved { path: path(), source: system() },
            Obstacle::Page { .. } => Obstacle::Page { path: path(), source: system() },
            Obstacle::NoCacheDirectory => Obstacle::NoCacheDirectory,
            Obstacle::Closed { .. } => Obstacle::Closed { what: "worktrees", path: path() },
            Obstacle::Full { .. } => Obstacle::Full { megabytes: 20, what: "worktrees", path: path() },
            Obstacle::NotReady(_) => Obstacle::NotReady(vec![("NAME", text("REMEDY"))]),
        })
    }
}

/// The remedy for little free space, also before it is too little.
pub(crate) const FREE_SPACE: &str =
    "free some space; a run keeps two checkouts and the tests' output";
