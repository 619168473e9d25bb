//! One run of tests, whichever runner it is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{NodeRun, PytestRun, RunOutcome, RunnerError, TestLimit};
use crate::process::{Interrupt, Launcher};

/// A run of tests.
#[derive(Debug, Clone)]
pub enum TestRun {
    /// With pytest.
    Pytest(Box<PytestRun>),
    /// With vitest, jest or node's own runner.
    Node(Box<NodeRun>),
}

impl TestRun {
    /// The same of other tests in another tree.
    #[must_use]
    pub fn of(mut self, tree: PathBuf, select: Vec<String>) -> Self {
        match &mut self {
            Self::Pytest(run) => (run.tree, run.select) = (tree, select),
            Self::Node(run) => (run.tree, run.select) = (tree, select),
        }
        self
    }

    /// The same within another time.
    #[must_use]
    pub fn within(mut self, timeout: Duration) -> Self {
        match &mut self {
            Self::Pytest(run) => run.timeout = timeout,
            Self::Node(run) => run.timeout = timeout,
        }
        self
    }

    /// Lets the tests write to a directory.
    pub fn may_write(&mut self, directory: &Path) {
        let confinement = match self {
            Self::Pytest(run) => &mut run.confinement,
            Self::Node(run) => &mut run.confinement,
        };
        if let Some(confinement) = confinement {
            confinement.writable.push(directory.to_owned());
        }
    }

    /// Runs the tests, with a limit for each; lines of output go to `on_line` as they appear.
    pub fn run_within(
        &self,
        limit: Option<&TestLimit>,
        launcher: &Launcher,
        interrupt: &Interrupt,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutcome, RunnerError> {
        match self {
            Self::Pytest(run) => run.run_within(limit, launcher, interrupt, on_line),
            Self::Node(run) => run.run_within(limit, launcher, interrupt, on_line),
        }
    }
}
