//! The gates: what has to be run so that a red or a green can be judged, and running it.
//!
//! The rules are in [`proctor_core::test_outcome`]; here trees are laid out, altered and run. A run of the
//! suite comes first and decides most; the further runs take only the new tests:
//!
//! | gate | runs of pytest | why |
//! |---|---|---|
//! | baseline | 1: the suite at the base | what has to go on passing |
//! | red | 1: the suite with the new tests | what fails, and why |
//! | | +1 if a test file cannot be collected: against stubs | whether its tests test anything |
//! | | +2 if new tests pass already: their twins | whether they can fail |
//! | green | 1: the suite on the judged tree | whether everything passes |
//! | | +1 the new tests in the opposite order | whether they depend on it, or on chance |
//! | | +1 if existing tests were changed: those as they were | whether they were made weaker |
//! | | +1 the new tests without the source change | whether the change is what makes them pass |
//! | | +2 their twins, negated and with other values | whether anything makes tests pass whatever they say |
//!
//! Each kind of twin needs a process of its own because it has to have the original's names. A green that
//! is refused by its first run stops there.

mod bench;
mod configuration;
mod evidence;
mod green;
mod lint;
mod red;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use proctor_core::gate::{Analysis, Baseline, FlagKind, SourceFlag, TwinKind, TwinRun, Verdict};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::pytest::acts_on_runner;
use proctor_core::secrets::LineMask;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateRun;
use thiserror::Error;

use crate::crash_point::crash_point;
use crate::files::FileError;
use crate::git::{GitError, Repository};
use crate::process::{
    Confinement, Environment, Interrupt, Launcher, ProcessError, Sandbox, SandboxLevel,
};
use crate::settings::TestSettings;
use crate::test_runner::{
    PytestOutcome, PytestRun, PythonReader, PythonSource, RunnerError, Variant,
};

pub use bench::Bench;
pub use green::GreenRequest;
pub use lint::{LintCall, LintRequest};
pub use red::RedRequest;

use evidence::Evidence;

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
    /// A directory or file of Proctor's own could not be written.
    #[error("{} cannot be written: {source}", path.display())]
    Own {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl GateError {
    /// Whether a person interrupted.
    pub fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Self::Linter(ProcessError::Interrupted)
                | Self::Runner(RunnerError::Process(ProcessError::Interrupted))
        )
    }
}

/// The place where trees are judged.
pub struct Gate<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// Where trees are laid out.
    pub bench: &'a mut Bench,
    /// The words that start the runner.
    pub command: Vec<OsString>,
    /// `[test]` of the settings.
    pub settings: &'a TestSettings,
    /// Where tests lie besides the usual places: `[test] paths`, and what was named beside them.
    pub test_paths: &'a [String],
    /// How jobs are started.
    pub launcher: &'a Launcher,
    /// What the tests are confined with.
    pub sandbox: &'a Sandbox,
    /// What they do not see: the git directory, other runs.
    pub hidden: Vec<PathBuf>,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The environment Proctor was started with.
    pub environment: &'a Environment,
    /// Where the output of all runs is kept.
    pub evidence: PathBuf,
    /// Who sees the tests' output while it appears.
    pub on_line: &'a mut dyn FnMut(&str),
}

/// A verdict with everything that is kept of it.
#[derive(Debug)]
pub struct Judged {
    /// What the rules concluded.
    pub verdict: Verdict,
    /// The run of the whole suite.
    pub observation: Observation,
    /// Every run, in order.
    pub runs: Vec<GateRun>,
    /// What a person should look at in the source files.
    pub flags: Vec<SourceFlag>,
}

/// One run that a gate asks for.
struct Wanted<'a> {
    /// What it is, for the evidence.
    what: &'static str,
    select: Vec<String>,
    plugins: Option<&'a [String]>,
    variant: Variant,
}

impl Gate<'_> {
    /// The suite at the base commit.
    pub fn baseline(
        &mut self,
        tree: &TreeId,
    ) -> Result<(Result<Baseline, String>, Vec<GateRun>), GateError> {
        let mut evidence = Evidence::default();
        self.bench.show(self.repository, tree)?;
        crash_point("judged tree laid out");
        let wanted = Wanted {
            what: "the suite at the base",
            select: self.settings.paths.clone(),
            plugins: None,
            variant: Variant::Plain,
        };
        let observation = self.run(&wanted, &mut evidence)?;
        let runs = evidence.keep(&self.evidence)?;
        Ok((Baseline::from_observation(&observation), runs))
    }

    /// Runs what lies on the bench.
    fn run(
        &mut self,
        wanted: &Wanted<'_>,
        evidence: &mut Evidence,
    ) -> Result<Observation, GateError> {
        let run = PytestRun {
            command: self.command.clone(),
            tree: self.bench.directory().to_owned(),
            checkout: Some(self.repository.top().to_owned()),
            timeout: Duration::from_secs(self.settings.timeout_seconds),
            select: wanted.select.clone(),
            plugins: wanted.plugins.map(<[String]>::to_vec),
            variant: wanted.variant,
            environment: self.environment.clone(),
            confinement: Some(Confinement {
                read_only: self.bench.extras().exposed(),
                hidden: self.hidden.clone(),
                ..Confinement::new(self.sandbox.clone())
            }),
        };
        let mut mask = LineMask::default();
        let on_line = &mut *self.on_line;
        let ended = run.run(self.launcher, self.interrupt, &mut |line| {
            on_line(&mask.line(line));
        });
        // Only a sandbox keeps the tests from writing here.
        if self.sandbox.level() == SandboxLevel::Off {
            self.bench.distrust();
        }
        let PytestOutcome {
            observation,
            command,
            elapsed,
        } = ended?;
        let observation = observation.masked(self.bench.extras().confidential());
        evidence.add(wanted.what, &command, &observation, elapsed);
        Ok(observation)
    }

    /// What the test files say.
    fn analyse(
        &self,
        base: &TreeId,
        tree: &TreeId,
        tests: &[ProjectPath],
        evidence: &mut Evidence,
    ) -> Result<Analysis, GateError> {
        let files = self.python_files(base, tree, tests)?;
        if files.is_empty() {
            return Ok(Analysis::default());
        }
        let read = self.reader().analyse(&files)?;
        Ok(read.unwrap_or_else(|problem| {
            evidence.remark(&format!("the test files could not be read: {problem}"));
            let paths = files.iter().map(|file| file.path.as_str());
            Analysis::of_unreadable(paths, &problem)
        }))
    }

    fn reader(&self) -> PythonReader<'_> {
        PythonReader {
            command: &self.command,
            environment: self.environment,
            launcher: self.launcher,
            interrupt: self.interrupt,
        }
    }

    /// What a person should look at in the changed source files.
    fn flags(
        &self,
        base: &TreeId,
        tree: &TreeId,
        tests: &[ProjectPath],
        sources: &[ProjectPath],
    ) -> Result<Vec<SourceFlag>, GateError> {
        let mut flags: Vec<SourceFlag> = sources
            .iter()
            .filter_map(|path| {
                Some(SourceFlag {
                    path: path.to_string(),
                    line: 1,
                    flag: FlagKind::Shadows,
                    what: acts_on_runner(path)?,
                })
            })
            .collect();
        let sources = self.python_files(base, tree, sources)?;
        if !sources.is_empty() {
            let tests = self.python_files(base, tree, tests)?;
            flags.extend(self.reader().flags(&tests, &sources)?);
        }
        Ok(flags)
    }

    /// The Python files among these, as they are and as they were.
    fn python_files(
        &self,
        base: &TreeId,
        tree: &TreeId,
        paths: &[ProjectPath],
    ) -> Result<Vec<PythonSource>, GateError> {
        let python: Vec<&str> = paths
            .iter()
            .filter(|path| path.is_python())
            .map(ProjectPath::as_str)
            .collect();
        let now = self.repository.objects().files_at(tree, &python)?;
        let before = self.repository.objects().files_at(base, &python)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let files = python
            .into_iter()
            .zip(now.into_iter().zip(before))
            .filter_map(|(path, (now, before))| {
                Some(PythonSource {
                    path: path.to_owned(),
                    text: text(now?),
                    base: before.map(text),
                })
            });
        Ok(files.collect())
    }

    /// The whole suite, or what of it the settings select; the new tests belong to it.
    fn selection(&self, tests: &[ProjectPath]) -> Vec<String> {
        let mut select = self.settings.paths.clone();
        if !select.is_empty() {
            let own = texts(tests).into_iter();
            select.extend(own.filter(|path| self.bench.directory().join(path).is_file()));
        }
        select
    }

    /// A verdict that says so if only a part of the suite was run.
    fn narrowed(&self, mut verdict: Verdict) -> Verdict {
        if !self.settings.paths.is_empty() {
            verdict.notes.push(format!(
                "only {} and the new tests were run, here and at the base: `[test] paths` narrows the suite",
                self.settings.paths.join(", ")
            ));
        }
        verdict
    }

    /// The new tests' twins of every kind there is.
    fn all_twins(
        &mut self,
        base: &TreeId,
        tree: &TreeId,
        analysis: &Analysis,
        wanted: &Wanted<'_>,
        evidence: &mut Evidence,
    ) -> Result<Vec<(TwinKind, Observation)>, GateError> {
        let mut runs = Vec::new();
        for kind in TwinKind::ALL {
            self.show_held(base, tree)?;
            let run = self.twins(kind, analysis, wanted, evidence)?;
            runs.extend(run.map(|observation| (kind, observation)));
        }
        Ok(runs)
    }

    /// The new tests' twins of one kind, in the place of the tests that lie on the bench; none if there
    /// are none.
    fn twins(
        &mut self,
        kind: TwinKind,
        analysis: &Analysis,
        wanted: &Wanted<'_>,
        evidence: &mut Evidence,
    ) -> Result<Option<Observation>, GateError> {
        if !analysis.has_twins(kind) {
            return Ok(None);
        }
        let mut select = Vec::new();
        for file in &analysis.files {
            if let (Some(twin), Ok(path)) = (file.twins.get(&kind), ProjectPath::parse(&file.path))
            {
                self.bench.alter(&path, Some(twin.as_bytes()))?;
                select.push(file.path.clone());
            }
        }
        let what = match kind {
            TwinKind::Negated => "twins, every assertion negated",
            TwinKind::Changed => "twins, other values expected",
        };
        let wanted = Wanted {
            what,
            select,
            plugins: wanted.plugins,
            variant: Variant::Plain,
        };
        self.run(&wanted, evidence).map(Some)
    }
}

/// The runs of twins as the rules take them.
fn borrowed(runs: &[(TwinKind, Observation)]) -> Vec<TwinRun<'_>> {
    runs.iter()
        .map(|(kind, observation)| TwinRun {
            kind: *kind,
            observation,
        })
        .collect()
}

/// The paths as text.
fn texts(paths: &[ProjectPath]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

/// The test files that the runner finds tests in, or could if they were loaded.
fn collected(observation: &Observation, tests: &[ProjectPath]) -> Vec<String> {
    let Ok(report) = &observation.report else {
        return Vec::new();
    };
    let seen = |path: &str| {
        let inside = |id: &String| id == path || id.starts_with(&format!("{path}::"));
        report.collected.iter().any(inside) || report.errors.iter().any(|error| inside(&error.file))
    };
    texts(tests).into_iter().filter(|path| seen(path)).collect()
}
