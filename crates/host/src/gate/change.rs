//! `proctor gate`: judging what differs between a checkout and a commit, without a run.

use std::collections::BTreeSet;

use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::{
    ChangedFile, GreenOrder, RedOrder, SealedTests, SortedChange, SourceFlag, Verdict,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::workflow::{GateResult, GateRun};
use thiserror::Error;

use super::{Arbiter, GateError, Place, Rooms};
use crate::git::{self, Change, GitError, Repository, SnapshotError};
use crate::preparation::PreparationError;
use crate::process::{SandboxLevel, joined};
use crate::settings::{FILE_NAME, SettingsError};
use crate::test_runner::{RunnerError, test_command};
use crate::workspace::{CommittedSettingsError, settings_at};

/// What is to be judged.
#[derive(Debug, Clone, Copy)]
pub struct ChangeRequest<'a> {
    /// Which gate has to be passed.
    pub gate: WhichGate,
    /// What the checkout is measured against.
    pub base: &'a str,
    /// Files or directories of tests beside those of `[test] paths`.
    pub tests: &'a [String],
}

/// The two gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichGate {
    /// The new tests fail, for a reason that an implementation removes.
    Red,
    /// The red of the tests alone, and then everything passes.
    Green,
}

/// What came of it.
#[derive(Debug)]
pub struct ChangeJudged {
    /// The verdict that decided.
    pub verdict: Verdict,
    /// Every run, in order.
    pub runs: Vec<GateRun>,
    /// What a person should look at.
    pub flags: Vec<SourceFlag>,
    /// What the tests were confined with.
    pub sandbox: SandboxLevel,
}

/// Why nothing was judged.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// The base does not exist.
    #[error("there is no commit {0:?}")]
    NoCommit(String),
    /// There is no place to work in.
    #[error("a temporary directory cannot be made: {0}")]
    Scratch(std::io::Error),
    /// The checkout cannot be read.
    #[error(transparent)]
    Checkout(#[from] SnapshotError),
    /// The base's settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Something that judging needs failed.
    #[error(transparent)]
    Gate(#[from] GateError),
}

impl Explained for ChangeError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoCommit(_) => Kind::Usage,
            Self::Scratch(_) => Kind::Environment,
            Self::Checkout(error) => error.kind(),
            Self::Settings(error) => error.kind(),
            Self::Gate(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::NoCommit(_) => "name a branch, a tag or a commit with --base REV",
            Self::Scratch(_) => {
                "free some space for temporary files, mend the permissions, or set TMPDIR to another directory"
            }
            Self::Checkout(error) => return error.hints(),
            Self::Settings(error) => return error.hints(),
            // What is kept of it goes with the scratch directory.
            Self::Gate(GateError::Preparation(PreparationError::Setup { .. })) => {
                "`proctor gate -v` shows all that it prints; mend `[worktree] setup` or what it needs"
            }
            Self::Gate(error) => return error.hints(),
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for ChangeError {
    fn samples() -> Vec<Self> {
        let setup = PreparationError::Setup {
            command: "COMMAND".to_owned(),
            reason: "ended with code 1: REASON".to_owned(),
            evidence: "PATH".into(),
        };
        proctor_core::samples!(ChangeError {
            ChangeError::NoCommit(_) => ChangeError::NoCommit("REVISION".to_owned()),
            ChangeError::Scratch(_) => ChangeError::Scratch(std::io::Error::other("REASON")),
            ChangeError::Checkout(_) => ChangeError::Checkout(SnapshotError::Git(GitError::sample())),
            ChangeError::Settings(_) => ChangeError::Settings(SettingsError::Invalid("REASON".to_owned())),
            ChangeError::Gate(GateError::Preparation(_)) => ChangeError::Gate(GateError::Preparation(setup)),
            ChangeError::Gate(_) => ChangeError::Gate(GateError::Git(GitError::sample())),
        })
    }
}

impl From<CommittedSettingsError> for ChangeError {
    fn from(error: CommittedSettingsError) -> Self {
        match error {
            CommittedSettingsError::Git(error) => error.into(),
            CommittedSettingsError::Settings(error) => error.into(),
        }
    }
}

impl From<GitError> for ChangeError {
    fn from(error: GitError) -> Self {
        Self::Gate(error.into())
    }
}

impl From<RunnerError> for ChangeError {
    fn from(error: RunnerError) -> Self {
        Self::Gate(error.into())
    }
}

/// Judges what differs in the checkout. Nothing is written to it.
pub fn judge_change(
    place: Place<'_>,
    request: &ChangeRequest<'_>,
    on_line: &mut dyn FnMut(&str),
) -> Result<ChangeJudged, ChangeError> {
    let repository = place.repository;
    let base = repository.refs().commit(request.base)?;
    let base = base.ok_or_else(|| ChangeError::NoCommit(request.base.to_owned()))?;
    let base = repository.objects().tree_of(&base)?;
    // The settings of the base: what is judged does not say how.
    let settings = settings_at(repository, &base)?;
    let variables = place.surroundings.all();
    let command = test_command(&settings.test.command, repository.top(), variables)?;
    let scratch = tempfile::Builder::new()
        .prefix("proctor-gate-")
        .tempdir()
        .map_err(ChangeError::Scratch)?;
    let rooms = Rooms::below(scratch.path());
    let mut arbiter = Arbiter::new(place, settings, &command, rooms).with_tests_at(request.tests);
    let sandbox = arbiter.sandbox()?.level();
    // Reading the checkout takes about as long as laying out the base, which does not wait for it.
    let (tree, changed) = std::thread::scope(|scope| {
        let laid_out = scope.spawn(|| arbiter.lay_out(&base));
        let tree = repository.checkout()?.snapshot(&base, |_| {})?.tree;
        let changed = repository.objects().changed_files(&base, &tree)?;
        joined(laid_out)?;
        Ok::<_, ChangeError>((tree, changed))
    })?;
    let refused = |verdict| ChangeJudged {
        verdict,
        runs: Vec::new(),
        flags: Vec::new(),
        sandbox,
    };
    let change = match SortedChange::sort(changed.iter().map(sides), &arbiter.test_paths, FILE_NAME)
    {
        Ok(change) => change,
        Err(verdict) => return Ok(refused(verdict)),
    };
    if request.gate == WhichGate::Red
        && let Some(verdict) = change.without_tests()
    {
        return Ok(refused(verdict));
    }
    let mut judgement = Judgement {
        sealed: SealedTests {
            tree: tests_alone(repository, &base, &changed, &change)?,
            base,
            files: change.tests().to_vec(),
        },
        arbiter: &mut arbiter,
        change: &change,
        on_line,
        runs: Vec::new(),
        flags: Vec::new(),
    };
    let verdict = judgement.judge(request.gate, tree)?;
    let (runs, flags) = (judgement.runs, judgement.flags);
    arbiter.clear()?;
    Ok(ChangeJudged {
        verdict,
        runs,
        flags,
        sandbox,
    })
}
fn sides(file: &git::ChangedFile) -> ChangedFile<'_> {
    ChangedFile {
        path: &file.path,
        before: file.before.as_ref().map(|(mode, _)| *mode),
        after: file.after.as_ref().map(|(mode, _)| *mode),
    }
}

/// The base with the changed test files and nothing else.
fn tests_alone(
    repository: &Repository,
    base: &TreeId,
    changed: &[git::ChangedFile],
    change: &SortedChange,
) -> Result<TreeId, GitError> {
    let after = |path: &ProjectPath| {
        let mut files = changed.iter();
        let file = files.find(|file| file.path == path.as_str().as_bytes())?;
        file.after.clone()
    };
    let tests = change.tests().iter();
    let written: Vec<_> = tests
        .filter_map(|path| Some((path, after(path)?)))
        .collect();
    let ids: Vec<_> = written.iter().map(|(_, (_, id))| id.clone()).collect();
    let contents = repository.objects().blobs(&ids)?;
    let mut writes: Vec<Change> = written
        .into_iter()
        .zip(contents)
        .map(|((path, (mode, _)), content)| Change::Write {
            path: path.clone(),
            content,
            mode,
        })
        .collect();
    let removed = change.removed_tests().iter().cloned();
    writes.extend(removed.map(|path| Change::Delete { path }));
    repository.objects().write_tree(base, &writes)
}

/// A change on its way through the gates.
struct Judgement<'j, 'a> {
    arbiter: &'j mut Arbiter<'a>,
    change: &'j SortedChange,
    sealed: SealedTests,
    on_line: &'j mut dyn FnMut(&str),
    runs: Vec<GateRun>,
    flags: Vec<SourceFlag>,
}

impl Judgement<'_, '_> {
    /// The red of the tests alone and, if that is asked for and the red is valid, the green of everything.
    fn judge(&mut self, gate: WhichGate, tree: TreeId) -> Result<Verdict, GateError> {
        let base = self.sealed.base.clone();
        let (baseline, runs) = self.arbiter.baseline(&base, self.on_line)?;
        self.runs = runs;
        let (mut passed_at_red, mut failed_at_red) = (BTreeSet::new(), BTreeSet::new());
        if !self.sealed.files.is_empty() {
            let order = RedOrder {
                tree: self.sealed.tree.clone(),
                tests: self.sealed.files.clone(),
                declared: self.change.sources().to_vec(),
                open: true,
                baseline: baseline.clone(),
            };
            let red = self.arbiter.red(&base, &order, "red", self.on_line)?;
            let red = self.take(red);
            if gate == WhichGate::Red || !red.is_accepted() {
                return Ok(red);
            }
            passed_at_red = red.passed();
            failed_at_red = red.failed();
        }
        let order = GreenOrder {
            tree,
            sealed: self.sealed.clone(),
            sources: self.change.sources().to_vec(),
            baseline,
            passed_at_red,
            failed_at_red,
            listed_tests: Vec::new(),
        };
        let green = self.arbiter.green(&base, &order, "green", self.on_line)?;
        Ok(self.take(green))
    }

    fn take(&mut self, result: GateResult) -> Verdict {
        self.runs.extend(result.runs);
        self.flags.extend(result.flags);
        let mut verdict = result.verdict;
        verdict.notes.extend_from_slice(self.change.notes());
        verdict
    }
}
