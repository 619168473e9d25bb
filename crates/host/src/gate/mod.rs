//! The gates: the runs needed to judge a red or a green, and running them.
//!
//! The rules are in [`proctor_core::test_outcome`]; here trees are checked out, altered and run. A run of the suite
//! comes first and decides most; the further runs take only the new tests:
//!
//! | gate | runs of pytest | why |
//! |---|---|---|
//! | baseline | 1: the suite at the base, unless it is cached | the tests that have to keep passing |
//! | red | 1: the suite with the new tests; right before a green the new test files alone, if the base has none of them | which fail, and why |
//! | | +2 if new tests wait for code: against stubs that raise, and that answer | whether they test anything, and what lies behind their first failure |
//! | | +2 if new tests pass already: their twins | whether they can fail |
//! | red, green | +1 to 13 if few old tests fail: those alone, here and at the base | whether it is chance |
//! | green | 1: the suite on the judged tree, blind | whether the actual values are the expected ones |
//! | | 1: the suite on the judged tree; at a quick pace without old tests that the blind run settles | whether everything passes |
//! | | +1 to 5 if an answer is in another test: without the others | whether it is read there |
//! | green, refactor | +1 if old tests meet a class's own equality: those at the base, judged blind | whether they did before |
//! | | +1 the new tests in the opposite order | whether they depend on it, or on chance |
//! | | +1 if existing tests were changed: those as they were | whether they were made weaker |
//! | | +1 the new tests without the source change | whether the change makes them pass |
//! | | +2 if some cannot be judged blind: their twins, negated and with other values | whether anything makes tests pass whatever they assert |
//! | refactor | 2: the suite on the judged tree, the second time watched line by line | whether everything passes, and executes the changed lines |
//! | all but red | +1 the tests watched, and one per mutant | the mistakes that the tests notice |
//!
//! Each kind of twin needs a process of its own because it has to have the original's names. A green that
//! is refused by the suite stops there, and one whose new tests do not hold blind stops after the opposite order.

mod arbiter;
mod asking;
mod bench;
mod blind;
mod by_kind;
mod change;
mod change_error;
mod configuration;
mod evidence;
mod green;
mod hidden;
mod lint;
mod memory;
mod mutants;
mod neutral;
mod parts;
mod readers;
mod reading;
mod red;
mod refactor;
mod rerun;
mod stopped;
mod stubs;
mod twins;
mod watching;

use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::{Analysis, BaselineError, SourceFlag, Verdict, feedback};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateResult;
use thiserror::Error;

use crate::files::{FileError, OwnFileError};
use crate::git::GitError;
use crate::preparation::PreparationError;
use crate::process::{ProcessError, SandboxError};
use crate::test_runner::RunnerError;

pub use arbiter::{Arbiter, Place, Rooms};
pub use change::{ChangeJudged, ChangeRequest, Judged, Pace, WhichGate, judge_change};
pub use change_error::ChangeError;
pub use lint::{LintCall, LintRequest};
pub use neutral::Naming;

use arbiter::Sitting;
use parts::Part;

/// An event of a judgement in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told<'a> {
    /// A further run begins; in it tests may fail on purpose.
    Check(&'a str),
    /// A process printed a line.
    Line(&'a str),
}

/// The most that goes back to the model from one judgement.
const FEEDBACK_BYTES: usize = 12_000;

/// Why nothing could be judged.
#[derive(Debug, Error)]
pub enum GateError {
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The runner could not be run.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// A linter could not be run.
    #[error("the linter cannot be run: {0}")]
    Linter(ProcessError),
    /// A file of the bench could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no sandbox to run tests in.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The tests' files besides git's could not be made.
    #[error(transparent)]
    Preparation(#[from] PreparationError),
    /// The suite cannot be judged at the base commit.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A directory or file of Proctor's own could not be written.
    #[error(transparent)]
    Own(#[from] OwnFileError),
}

impl Explained for GateError {
    fn kind(&self) -> Kind {
        match self {
            _ if self.is_interrupt() => Kind::Interrupted,
            Self::Linter(_) => Kind::Environment,
            Self::Baseline(error) => error.kind(),
            Self::Runner(error) => error.kind(),
            Self::Git(error) => error.kind(),
            Self::File(error) => error.kind(),
            Self::Sandbox(error) => error.kind(),
            Self::Preparation(error) => error.kind(),
            Self::Own(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            _ if self.is_interrupt() => Vec::new(),
            Self::Linter(_) => {
                vec!["install it, or fix `[lint] command` in proctor.toml".to_owned()]
            }
            Self::Runner(error) => error.hints(),
            Self::Git(error) => error.hints(),
            Self::File(error) => error.hints(),
            Self::Sandbox(error) => error.hints(),
            Self::Preparation(error) => error.hints(),
            Self::Baseline(error) => error.hints(),
            Self::Own(error) => error.hints(),
        }
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for GateError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(GateError {
            GateError::Git(_) => GateError::Git(GitError::sample()),
            GateError::Runner(_) => GateError::Runner(RunnerError::NoPython),
            GateError::Linter(_) => GateError::Linter(ProcessError::NotFound { program: "PROGRAM".into() }),
            GateError::File(_) => GateError::File(FileError::Missing { path: "PATH".to_owned() }),
            GateError::Sandbox(_) => GateError::Sandbox(SandboxError::NoHelper),
            GateError::Preparation(_) => GateError::Preparation(PreparationError::Git(GitError::sample())),
            GateError::Baseline(_) => GateError::Baseline(BaselineError::sample()),
            GateError::Own(_) => GateError::Own(OwnFileError::sample()),
        })
    }
}

impl GateError {
    /// Whether a person interrupted.
    pub fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Self::Linter(ProcessError::Interrupted)
                | Self::Preparation(PreparationError::Process(ProcessError::Interrupted))
                | Self::Runner(RunnerError::Process(ProcessError::Interrupted))
        )
    }
}

impl Arbiter<'_> {
    /// The subset of these files that the base has.
    fn existing(&self, base: &TreeId, files: &[ProjectPath]) -> Result<Vec<String>, GateError> {
        let names: Vec<&str> = files.iter().map(ProjectPath::as_str).collect();
        let contents = self.place.repository.objects().files_at(base, &names)?;
        let files = names.into_iter().zip(contents);
        let existing = files.filter(|(_, content)| content.is_some());
        Ok(existing.map(|(path, _)| path.to_owned()).collect())
    }
}

impl Sitting<'_, '_> {
    /// Everything that is known about a judged tree; its runs are written to the evidence.
    fn conclude(
        &mut self,
        tree: &TreeId,
        mut verdict: Verdict,
        suite: Option<&Observation>,
        flags: Vec<SourceFlag>,
    ) -> Result<GateResult, GateError> {
        let parts = self.arbiter.parts.iter();
        let paths: Vec<String> = parts.flat_map(Part::test_paths).collect();
        if !paths.is_empty() {
            verdict.notes.push(format!(
                "only {} and the new tests were run, here and at the base: `[test] paths` narrows the suite",
                paths.join(", ")
            ));
        }
        let runs = self.keep()?;
        Ok(GateResult {
            tree: tree.clone(),
            feedback: feedback(suite, &verdict, FEEDBACK_BYTES),
            verdict,
            evidence: self.kept(),
            command: runs
                .first()
                .map_or_else(String::new, |run| run.command.clone()),
            elapsed_ms: runs.iter().map(|run| run.elapsed_ms).sum(),
            flags,
            sandbox: Some(self.level()),
            runs,
        })
    }

    /// The whole suite, or the part of it that the settings select; the new tests belong to it.
    fn selection(&self, tests: &[ProjectPath]) -> Vec<String> {
        let parts = &self.arbiter.parts;
        if let [part] = &parts[..]
            && part.settings.paths.is_empty()
        {
            return Vec::new();
        }
        let mut select = Vec::new();
        for part in parts {
            if part.settings.paths.is_empty() {
                select.push(part.root().to_owned());
                continue;
            }
            select.extend(part.test_paths());
            let own = texts(tests).into_iter();
            select.extend(own.filter(|path| {
                part.inside(path).is_some() && self.directory().join(path).is_file()
            }));
        }
        select
    }
}

/// Paths or ids as text of their own.
fn texts<T: ToString>(paths: &[T]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

/// The files in which the runner finds the tests that are written in these, or could if they were loaded.
fn running(observation: &Observation, analysis: &Analysis, tests: &[&str]) -> Vec<String> {
    let report = observation.report.iter();
    report
        .flat_map(|report| analysis.files_running(tests, report))
        .map(str::to_owned)
        .collect()
}
