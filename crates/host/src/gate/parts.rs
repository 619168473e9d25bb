//! The parts of a repository that are tested apart, each by a runner of its own, and runs of all of them.
//!
//! Outside of here paths and ids are those of the repository. A runner works in the directory of its part and knows
//! nothing of the rest.

use std::path::Path;
use std::time::Duration;

use proctor_core::dialect::Dialect;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;

use super::GateError;
use crate::process::{Interrupt, Launcher};
use crate::settings::{Settings, TestSettings};
use crate::test_runner::{RunOutcome, TestCommand, TestLimit, TestRun, Watched};

/// A part of a repository.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) settings: TestSettings,
    pub(super) command: TestCommand,
}

impl Part {
    /// The parts that the settings name, with the test command of each.
    pub(super) fn all(settings: &Settings, commands: Vec<TestCommand>) -> Vec<Self> {
        let parts = settings.parts().cloned().zip(commands);
        parts
            .map(|(settings, command)| Self { settings, command })
            .collect()
    }

    pub(super) fn root(&self) -> &str {
        &self.settings.root
    }

    /// The language of its tests.
    pub(super) fn dialect(&self) -> Dialect {
        self.command.runner().dialect()
    }

    /// A path or an id from the directory of the part; none if it does not lie there.
    pub(super) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.root().is_empty() {
            return Some(path);
        }
        let rest = path.strip_prefix(self.root())?;
        if rest.is_empty() {
            return Some(rest);
        }
        rest.strip_prefix('/')
    }

    /// Whether its reader reads a file.
    pub(super) fn reads(&self, path: &ProjectPath) -> bool {
        self.inside(path.as_str()).is_some() && self.dialect().reads(path)
    }

    /// `[test] paths`, from the repository's root.
    pub(super) fn test_paths(&self) -> impl Iterator<Item = String> {
        self.settings.whole_paths()
    }

    /// A path of the part from the repository's root.
    pub(super) fn whole(&self, path: &str) -> String {
        self.settings.whole(path)
    }

    /// Those of these that lie in the part, in its runner's terms; none if there are none. An empty list means
    /// everything.
    pub(super) fn selected(&self, wanted: &[String]) -> Option<Vec<String>> {
        let inside: Vec<&str> = wanted.iter().filter_map(|id| self.inside(id)).collect();
        if inside.is_empty() && !wanted.is_empty() {
            return None;
        }
        let whole = inside.contains(&"");
        Some(if whole {
            Vec::new()
        } else {
            inside.into_iter().map(str::to_owned).collect()
        })
    }

    /// Those of these files that its runner watches.
    pub(super) fn watched(&self, watched: &Watched) -> Watched {
        match watched {
            Watched::Files(files) => {
                let inside = files.iter().filter_map(|file| self.inside(file));
                Watched::Files(inside.map(str::to_owned).collect())
            }
            other => other.clone(),
        }
    }

    fn limit(&self, limit: &TestLimit) -> TestLimit {
        let inside = |ids: &[String]| {
            let ids = ids.iter().filter_map(|id| self.inside(id));
            ids.map(str::to_owned).collect()
        };
        TestLimit {
            seconds: limit.seconds,
            only: inside(&limit.only),
            without: inside(&limit.without),
        }
    }
}

/// A run of each part that it concerns.
#[derive(Debug, Clone)]
pub(super) struct Order(pub(super) Vec<(Part, TestRun)>);

/// The result of an order.
#[derive(Debug)]
pub(super) struct Carried {
    /// All parts as one.
    pub(super) observation: Observation,
    /// The values that the tests of each part sent, if any, by its root.
    pub(super) sent: Vec<(String, String)>,
    /// The activity when a test was stopped, if one was.
    pub(super) stopped: Option<String>,
}

/// The result of one part.
pub(super) struct PartOutcome {
    pub(super) root: String,
    pub(super) observation: Observation,
    pub(super) command: String,
    pub(super) elapsed: Duration,
    sent: String,
    stopped: Option<String>,
}

impl Carried {
    /// All parts as one.
    pub(super) fn of(parts: Vec<PartOutcome>) -> Self {
        let (mut observations, mut sent, mut stopped) = (Vec::new(), Vec::new(), None);
        for part in parts {
            observations.push(part.observation);
            if !part.sent.is_empty() {
                sent.push((part.root, part.sent));
            }
            stopped = stopped.or(part.stopped);
        }
        Self {
            observation: Observation::joined(observations).unwrap_or_else(Observation::of_nothing),
            sent,
            stopped,
        }
    }
}

impl Order {
    /// The same of other tests in another tree.
    pub(super) fn of(&self, tree: &Path, select: &[String]) -> Self {
        let runs = self.0.iter().filter_map(|(part, run)| {
            let select = part.selected(select)?;
            Some((part.clone(), run.clone().of(tree.to_owned(), select)))
        });
        Self(runs.collect())
    }

    /// Lets the tests write to a directory.
    pub(super) fn may_write(&mut self, directory: &Path) {
        for (_, run) in &mut self.0 {
            run.may_write(directory);
        }
    }

    /// The same within another time.
    pub(super) fn within(self, timeout: Duration) -> Self {
        let runs = self.0.into_iter();
        Self(
            runs.map(|(part, run)| (part, run.within(timeout)))
                .collect(),
        )
    }

    /// Runs the tests of one part after the other.
    pub(super) fn carry_out(
        &self,
        limit: Option<&TestLimit>,
        launcher: &Launcher,
        interrupt: &Interrupt,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<Vec<PartOutcome>, GateError> {
        let mut outcomes = Vec::new();
        for (part, run) in &self.0 {
            let limit = limit.map(|limit| part.limit(limit));
            let RunOutcome {
                observation,
                command,
                elapsed,
                sent,
                stopped,
            } = run.run_within(limit.as_ref(), launcher, interrupt, on_line)?;
            outcomes.push(PartOutcome {
                root: part.root().to_owned(),
                observation: observation.below(part.root()),
                command,
                elapsed,
                sent,
                stopped,
            });
        }
        Ok(outcomes)
    }
}
