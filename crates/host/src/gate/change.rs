//! `proctor gate`: judging the differences between two trees, without a run.

use std::sync::Arc;

use proctor_core::gate::{
    ChangeKind, ChangedFile, RefusedChange, SealedTests, SortedChange, SourceFlag, Verdict,
    VerdictWord,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::pytest::{CONFIGURING, fits, own_test_names};
use proctor_core::workflow::GateRun;

use super::by_kind::{Judgement, Said};
use super::change_error::ChangeError;
use super::neutral::ProjectTexts;
use super::{Arbiter, Place, Rooms, Told};
use crate::git::{self, Change, GitError, Repository};
use crate::process::SandboxLevel;
use crate::settings::FILE_NAME;
use crate::test_runner::test_commands;
use crate::trust::{Purpose, Trust};
use crate::workspace::settings_at;

/// A request to judge a change.
#[derive(Debug, Clone, Copy)]
pub struct ChangeRequest<'a> {
    /// Which gate has to be passed.
    pub gate: WhichGate,
    /// The judged code.
    pub judged: Judged<'a>,
    /// The base of comparison; not given: the last commit, or the judged commit's first parent.
    pub base: Option<&'a str>,
    /// Files or directories of tests beside those of `[test] paths`.
    pub tests: &'a [String],
    /// Whether everything is judged again, regardless of the cache.
    pub fresh: bool,
    /// How much is run.
    pub pace: Pace,
}

/// How much is run for a verdict; the rules are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Everything, for a person or a server.
    Thorough,
    /// For an agent that waits for its tool: a red runs new test files alone, because the green runs the whole suite; a green
    /// runs old tests once if their values can be compared outside; mutants are tried only if they decide about the verdict.
    Quick,
}

/// The tree that is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged<'a> {
    /// Everything in the checkout.
    Checkout,
    /// The staged files.
    Staged,
    /// A commit's tree.
    Commit(&'a str),
    /// Exactly this tree.
    Tree(&'a TreeId),
}

/// The gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichGate {
    /// The new tests fail, for a reason that an implementation removes.
    Red,
    /// The red of the tests alone, and then everything passes.
    Green,
    /// The gate for the kind of the change.
    Change,
}

/// The result of judging a change.
#[derive(Debug)]
pub struct ChangeJudged {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The verdict's name.
    pub word: VerdictWord,
    /// The test files that were added or changed.
    pub tests: Vec<ProjectPath>,
    /// The verdict that decided.
    pub verdict: Verdict,
    /// Every run, in order.
    pub runs: Vec<GateRun>,
    /// Facts that a person should look at.
    pub flags: Vec<SourceFlag>,
    /// The test runners, by name; of several parts all of them.
    pub runner: String,
    /// The tests' sandbox; none if nothing was run.
    pub sandbox: Option<SandboxLevel>,
}

impl ChangeJudged {
    /// A verdict for which nothing had to be run.
    fn at_once(
        kind: ChangeKind,
        word: VerdictWord,
        change: &SortedChange,
        verdict: Verdict,
        runner: String,
    ) -> Self {
        Self {
            kind,
            word,
            tests: change.tests().to_vec(),
            verdict,
            runs: Vec::new(),
            flags: Vec::new(),
            runner,
            sandbox: None,
        }
    }
}

/// Judges the differences. Nothing is written to the checkout.
pub fn judge_change(
    place: Place<'_>,
    request: &ChangeRequest<'_>,
    told: &mut dyn FnMut(Told<'_>),
) -> Result<ChangeJudged, ChangeError> {
    let repository = place.repository;
    let base = base_of(repository, request)?;
    // The settings of the base: the judged code does not decide how it is judged.
    let settings = settings_at(repository, &base)?;
    let trust = Trust::of(repository, place.surroundings);
    let settings = trust.settings(&settings, Purpose::Judging)?;
    let inquiry = place.inquiry(settings.sandbox.mode);
    let commands = test_commands(repository, &base, &settings, inquiry);
    let scratch = tempfile::Builder::new()
        .prefix("proctor-gate-")
        .tempdir()
        .map_err(ChangeError::Scratch)?;
    let rooms = Rooms::below(scratch.path());
    let found = commands.as_ref().cloned().unwrap_or_default();
    let mut arbiter = Arbiter::new(place, settings, found, rooms).with_tests_at(request.tests);
    if request.fresh {
        arbiter = arbiter.without_memory();
    }
    if request.pace == Pace::Quick {
        arbiter = arbiter.quick();
    }
    let tree = tree_of(repository, request.judged, &base)?;
    let changed = repository.objects().changed_files(&base, &tree)?;
    let own = own_test_files(repository, &base, &paths_of(&changed))?;
    arbiter = arbiter.with_tests_at(&own);
    for path in request.tests {
        is_there(repository, [&tree, &base], path)?;
    }
    let texts = ProjectTexts::read(repository, &tree, &changed)?;
    let readers = texts.readers(&arbiter.test_paths);
    let sorted = SortedChange::sort(changed.iter().map(sides), &arbiter.test_paths, FILE_NAME);
    let without_runs = |kind, change: &_, verdict| {
        let word = word_of(request.gate, kind, &verdict);
        ChangeJudged::at_once(kind, word, change, verdict, arbiter.runners())
    };
    let (kind, change) = match sorted.map_err(|refused| *refused) {
        Ok(change) => (ChangeKind::of(&change, &readers), change),
        Err(RefusedChange { change, verdict }) => {
            let kind = ChangeKind::of_refused(&change, &readers);
            return Ok(without_runs(kind, &change, verdict));
        }
    };
    if let Some(verdict) = at_once(request.gate, kind, &change) {
        return Ok(without_runs(kind, &change, verdict));
    }
    commands?;
    arbiter.concerns(&paths_of(&changed));
    let sandbox = arbiter.sandbox()?.level();
    let mut judgement = Judgement {
        sealed: SealedTests {
            tree: tests_alone(repository, &base, &changed, &change)?,
            base,
            files: change.tests().to_vec(),
        },
        arbiter: &mut arbiter,
        change: &change,
        readers: &readers,
        pace: request.pace,
        told,
        runs: Vec::new(),
        flags: Vec::new(),
        known: Vec::new(),
    };
    let Said {
        kind,
        word,
        verdict,
    } = judgement.judge(request.gate, kind, tree)?;
    let (runs, flags) = (judgement.runs, judgement.flags);
    let runner = arbiter.runners();
    arbiter.clear()?;
    Ok(ChangeJudged {
        kind,
        word,
        tests: change.tests().to_vec(),
        verdict,
        runs,
        flags,
        runner,
        sandbox: Some(sandbox),
    })
}

fn paths_of(changed: &[git::ChangedFile]) -> Vec<&str> {
    let paths = changed.iter();
    paths
        .filter_map(|file| std::str::from_utf8(&file.path).ok())
        .collect()
}

/// Changed files that the base's own configuration of pytest collects by their names.
pub(super) fn own_test_files(
    repository: &Repository,
    base: &TreeId,
    paths: &[&str],
) -> Result<Vec<String>, GitError> {
    let contents = repository.objects().files_at(base, &CONFIGURING)?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let contents: Vec<Option<String>> = contents.into_iter().map(|file| file.map(text)).collect();
    let patterns = own_test_names(&contents);
    let own = paths
        .iter()
        .filter(|path| patterns.iter().any(|pattern| fits(pattern, path)));
    Ok(own.map(|path| (*path).to_owned()).collect())
}

/// The base of comparison.
fn base_of(repository: &Repository, request: &ChangeRequest<'_>) -> Result<TreeId, ChangeError> {
    let commit = |revision: &str| repository.refs().commit(revision);
    let base = match (request.base, request.judged) {
        (Some(base), _) => commit(base)?.ok_or_else(|| ChangeError::NoCommit(base.to_owned()))?,
        (None, Judged::Commit(revision)) => {
            commit(revision)?.ok_or_else(|| ChangeError::NoCommit(revision.to_owned()))?;
            let parent = commit(&format!("{revision}^1"))?;
            parent.ok_or_else(|| ChangeError::NoParent(revision.to_owned()))?
        }
        (None, Judged::Checkout | Judged::Staged | Judged::Tree(_)) => {
            commit("HEAD")?.ok_or_else(|| ChangeError::NoCommit("HEAD".to_owned()))?
        }
    };
    Ok(repository.objects().tree_of(&base)?)
}

/// The judged tree.
fn tree_of(
    repository: &Repository,
    judged: Judged<'_>,
    base: &TreeId,
) -> Result<TreeId, ChangeError> {
    Ok(match judged {
        Judged::Checkout => repository.checkout()?.snapshot(base, |_| {})?.tree,
        Judged::Staged => repository.checkout()?.staged_tree()?,
        Judged::Tree(tree) => tree.clone(),
        Judged::Commit(revision) => {
            let commit = repository.refs().commit(revision)?;
            let commit = commit.ok_or_else(|| ChangeError::NoCommit(revision.to_owned()))?;
            repository.objects().tree_of(&commit)?
        }
    })
}

/// A path that is given as a test has to be in one of the trees.
fn is_there(repository: &Repository, trees: [&TreeId; 2], path: &str) -> Result<(), ChangeError> {
    let name = path.trim_start_matches("./").trim_end_matches('/');
    let below = format!("{name}/");
    for tree in trees {
        let entries: Arc<_> = repository.objects().entries(tree)?;
        let mut names = entries.keys();
        if names.any(|entry| entry == name || entry.starts_with(&below)) {
            return Ok(());
        }
    }
    Err(ChangeError::NoTest(path.to_owned()))
}

/// The verdict on a change for which nothing has to be run.
fn at_once(gate: WhichGate, kind: ChangeKind, change: &SortedChange) -> Option<Verdict> {
    match (gate, kind) {
        (WhichGate::Red, _) => change.without_tests(),
        (WhichGate::Green, _) => change.tests().is_empty().then(Verdict::no_new_tests),
        (WhichGate::Change, ChangeKind::Nothing) => Some(Verdict::nothing_changed()),
        (WhichGate::Change, ChangeKind::Neutral) => {
            Some(Verdict::neutral(&super::texts(change.sources())))
        }
        (WhichGate::Change, _) => None,
    }
}

/// The name of a gate's verdict.
pub(super) fn word_of(gate: WhichGate, kind: ChangeKind, verdict: &Verdict) -> VerdictWord {
    match gate {
        WhichGate::Red => VerdictWord::red(verdict),
        WhichGate::Green => VerdictWord::green(verdict),
        WhichGate::Change => VerdictWord::change(kind, verdict),
    }
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
