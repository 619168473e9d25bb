//! `proctor gate`

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum};
use proctor_core::gate::{Baseline, Disposition, Reason, SourceFlag, Verdict};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::pytest::acts_on_runner;
use proctor_core::pytest::{is_test_configuration, is_test_file};
use proctor_core::workflow::GateRun;
use proctor_host::driver::{DriveError, Watcher};
use proctor_host::gate::{Bench, Gate, GreenRequest, Judged, RedRequest};
use proctor_host::git::{Change, FileMode, Repository};
use proctor_host::preparation::{Preparation, PreparationError};
use proctor_host::process::{Sandbox, joined};
use proctor_host::settings::{FILE_NAME, Settings};
use serde_json::json;

use super::run::test_command;
use crate::failure::{Failure, Misuse, Obstacle, Refused};
use crate::session::{Session, ok};

/// Judge the changes in your checkout with the red or the green gate alone
///
/// For code that people or other agents write. `red` takes the changed test files alone, without any other
/// change, and wants them to fail for a good reason; `green` wants that red first and then everything to
/// pass. Nothing is written to your checkout.
///
/// Example: proctor gate green --base main
#[derive(Debug, Args)]
pub(crate) struct GateArguments {
    /// Which gate
    #[arg(value_enum)]
    colour: Colour,
    /// What the changes are measured against
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,
    /// A file or directory of tests, where their names do not tell; may be given several times
    #[arg(long, value_name = "PATH")]
    test: Vec<String>,
}

/// The two gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// The new tests fail, for a reason that an implementation removes
    Red,
    /// The new tests pass, and everything that passed before
    Green,
}

pub(crate) fn gate(session: &Session<'_>, arguments: &GateArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let base = base(&repository, &arguments.base)?;
    let base_tree = repository.objects().tree_of(&base)?;
    let settings = settings_at(&repository, &base_tree)?;
    let command = test_command(session, &repository, &settings)?;
    let scratch = tempfile::Builder::new()
        .prefix("proctor-gate-")
        .tempdir()
        .map_err(Obstacle::Scratch)?;
    let test_paths: Vec<String> = settings
        .test
        .paths
        .iter()
        .chain(&arguments.test)
        .cloned()
        .collect();
    let mut bench = Bench::new(scratch.path().join("tree"));
    // Reading the checkout takes about as long as laying out the base, which does not wait for it.
    let (tree, changes, sandbox) = std::thread::scope(|scope| {
        let laid_out = scope.spawn(|| bench.show(&repository, &base_tree));
        let sandbox = Sandbox::choose(
            settings.sandbox.mode,
            &session.launcher,
            session.surroundings.all(),
        )?;
        let tree = repository.checkout()?.snapshot(&base_tree, |_| {})?.tree;
        let changes = Changes::between(&repository, &base_tree, &tree, &test_paths)?;
        joined(laid_out)?;
        Ok::<_, Failure>((tree, changes, sandbox))
    })?;
    let mut judge = Judge {
        session,
        repository: &repository,
        settings: &settings,
        test_paths: &test_paths,
        command,
        bench,
        sandbox,
        scratch: scratch.path(),
        base: &base_tree,
        tree: &tree,
        changes,
        runs: Vec::new(),
        flags: Vec::new(),
    };
    judge.prepare()?;
    let (valid, verdict) = judge.judge(arguments.colour)?;
    judge.bench.clear()?;
    report(session, arguments.colour, valid, &verdict, &judge)
}

/// The settings of the base commit: the changes that are judged do not say how.
pub(super) fn settings_at(repository: &Repository, tree: &TreeId) -> Result<Settings, Failure> {
    let file = repository
        .objects()
        .files_at(tree, &[FILE_NAME])?
        .pop()
        .flatten();
    let text = file.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Settings::parse(&text.unwrap_or_default())?)
}

fn base(repository: &Repository, revision: &str) -> Result<CommitId, Failure> {
    let commit = repository.refs().commit(revision)?;
    Ok(commit.ok_or_else(|| Misuse::NoCommit(revision.to_owned()))?)
}

/// What differs, sorted by what it is.
struct Changes {
    tests: Vec<ProjectPath>,
    sources: Vec<ProjectPath>,
    /// Test files as they are now.
    sealed: TreeId,
    /// Why no verdict could be believed, whatever the tests say.
    refused: Vec<Reason>,
    notes: Vec<String>,
}

impl Changes {
    fn between(
        repository: &Repository,
        base: &TreeId,
        tree: &TreeId,
        test_paths: &[String],
    ) -> Result<Self, Failure> {
        let (mut written, mut changes) = (Vec::new(), Vec::new());
        let (mut tests, mut sources) = (Vec::new(), Vec::new());
        let (mut refused, mut notes) = (Vec::new(), Vec::new());
        for file in repository.objects().changed_files(base, tree)? {
            let name = String::from_utf8_lossy(&file.path).into_owned();
            let path = match ProjectPath::parse(&name) {
                Ok(path) => path,
                Err(problem) => {
                    refused.push(reason("invalid_path", &name, &problem.to_string()));
                    continue;
                }
            };
            if let (Some(found), Some(_)) = (acts_on_runner(&path), &file.after)
                && file.before.is_none()
            {
                refused.push(reason("acts_on_runner", &name, &found));
            }
            if is_test_configuration(&path) || path.as_str() == FILE_NAME {
                notes.push(format!("{path} is held at the base commit while judging"));
            }
            let is_link = |side: &Option<(FileMode, _)>| {
                matches!(side, Some((FileMode::Symlink | FileMode::Submodule, _)))
            };
            if is_link(&file.after) {
                refused.push(reason("link", &name, "is a link; judged are files"));
            }
            if !is_test_file(path.as_str(), test_paths) {
                sources.push(path);
                continue;
            }
            match file.after {
                Some((mode, id)) => {
                    written.push((mode, id));
                    tests.push(path);
                }
                None => changes.push(Change::Delete { path }),
            }
        }
        let (modes, ids): (Vec<_>, Vec<_>) = written.into_iter().unzip();
        let contents = repository.objects().blobs(&ids)?;
        let files = tests.iter().zip(modes).zip(contents);
        changes.extend(files.map(|((path, mode), content)| Change::Write {
            path: path.clone(),
            content,
            mode,
        }));
        Ok(Self {
            sealed: repository.objects().write_tree(base, &changes)?,
            tests,
            sources,
            refused,
            notes,
        })
    }
}

fn reason(rule: &str, path: &str, message: &str) -> Reason {
    Reason {
        rule: rule.to_owned(),
        test: Some(path.to_owned()),
        message: message.to_owned(),
    }
}

struct Judge<'a> {
    session: &'a Session<'a>,
    repository: &'a Repository,
    settings: &'a Settings,
    test_paths: &'a [String],
    command: Vec<String>,
    bench: Bench,
    sandbox: Sandbox,
    scratch: &'a Path,
    base: &'a TreeId,
    tree: &'a TreeId,
    changes: Changes,
    runs: Vec<GateRun>,
    flags: Vec<SourceFlag>,
}

impl Judge<'_> {
    /// What the tests need besides git, by the settings of the base commit and before any change is there.
    fn prepare(&mut self) -> Result<(), Failure> {
        let mut progress = self.session.progress();
        let mut on_line = |line: &str| progress.line(line);
        let extras = Preparation {
            repository: self.repository,
            settings: &self.settings.worktree,
            directory: self.scratch.join("prepared"),
            evidence: self.scratch.join("setup.txt"),
            launcher: &self.session.launcher,
            interrupt: &self.session.interrupt,
            environment: self.session.surroundings.all(),
            on_line: &mut on_line,
        }
        .prepare(self.base)
        .map_err(|error| match error {
            // What is kept goes with the scratch directory.
            PreparationError::Setup { .. } => Failure::from(Obstacle::Setup(error)),
            other => other.into(),
        })?;
        self.bench.furnish(extras);
        Ok(())
    }

    /// Whether it is valid, and the verdict that decided.
    fn judge(&mut self, colour: Colour) -> Result<(bool, Verdict), Failure> {
        if !self.changes.refused.is_empty() {
            return Ok((false, refused(std::mem::take(&mut self.changes.refused))));
        }
        if colour == Colour::Red && self.changes.tests.is_empty() {
            let message = "no test file differs from the base; a red needs new tests";
            let reason = Reason {
                rule: "nothing_collected".to_owned(),
                test: None,
                message: message.to_owned(),
            };
            return Ok((false, refused(vec![reason])));
        }
        let base = self.base.clone();
        let (baseline, runs) = self.with_gate(|gate| gate.baseline(&base))?;
        self.runs.extend(runs);
        let baseline = baseline.map_err(DriveError::Baseline)?;
        let mut passed = BTreeSet::new();
        if !self.changes.tests.is_empty() {
            let red = self.red(&baseline)?;
            let valid = red.disposition == Disposition::Accepted;
            if colour == Colour::Red || !valid {
                return Ok((valid, red));
            }
            let lines = red.tests.into_iter();
            passed = lines
                .filter(|test| test.outcome == "passed")
                .map(|test| test.id)
                .collect();
        }
        let green = self.green(&baseline, &passed)?;
        Ok((green.disposition == Disposition::Accepted, green))
    }

    fn red(&mut self, baseline: &Baseline) -> Result<Verdict, Failure> {
        let (base, sealed) = (self.base.clone(), self.changes.sealed.clone());
        let (tests, sources) = (self.changes.tests.clone(), self.changes.sources.clone());
        let rule = self.settings.test.red;
        let judged = self.with_gate(|gate| {
            gate.red(&RedRequest {
                base: &base,
                tree: &sealed,
                tests: &tests,
                declared: &sources,
                open: true,
                baseline,
                rule,
            })
        })?;
        Ok(self.take(judged))
    }

    fn green(
        &mut self,
        baseline: &Baseline,
        passed_at_red: &BTreeSet<String>,
    ) -> Result<Verdict, Failure> {
        let (base, sealed, tree) = (
            self.base.clone(),
            self.changes.sealed.clone(),
            self.tree.clone(),
        );
        let (tests, sources) = (self.changes.tests.clone(), self.changes.sources.clone());
        let judged = self.with_gate(|gate| {
            gate.green(&GreenRequest {
                base: &base,
                sealed: &sealed,
                tree: &tree,
                tests: &tests,
                sources: &sources,
                baseline,
                passed_at_red,
            })
        })?;
        Ok(self.take(judged))
    }

    fn take(&mut self, judged: Judged) -> Verdict {
        self.runs.extend(judged.runs);
        self.flags.extend(judged.flags);
        let mut verdict = judged.verdict;
        verdict.notes.extend(self.changes.notes.iter().cloned());
        verdict
    }

    fn with_gate<T>(
        &mut self,
        judge: impl FnOnce(&mut Gate<'_>) -> Result<T, proctor_host::gate::GateError>,
    ) -> Result<T, Failure> {
        let mut progress = self.session.progress();
        let mut on_line = |line: &str| progress.line(line);
        let mut gate = Gate {
            repository: self.repository,
            bench: &mut self.bench,
            command: self.command.iter().map(Into::into).collect(),
            settings: &self.settings.test,
            test_paths: self.test_paths,
            launcher: &self.session.launcher,
            sandbox: &self.sandbox,
            hidden: vec![
                self.repository.common_directory().to_owned(),
                self.repository.top().join(".git"),
            ],
            interrupt: &self.session.interrupt,
            environment: self.session.surroundings.all(),
            evidence: self.scratch.join("evidence.txt"),
            on_line: &mut on_line,
        };
        Ok(judge(&mut gate)?)
    }
}

fn refused(reasons: Vec<Reason>) -> Verdict {
    Verdict {
        disposition: Disposition::Revise,
        exit_code: None,
        tests: Vec::new(),
        reasons,
        checks: Vec::new(),
        notes: Vec::new(),
    }
}

fn report(
    session: &Session<'_>,
    colour: Colour,
    valid: bool,
    verdict: &Verdict,
    judge: &Judge<'_>,
) -> Result<(), Failure> {
    let colour = match colour {
        Colour::Red => "red",
        Colour::Green => "green",
    };
    let word = if valid { "valid" } else { "invalid" };
    let document = json!({
        "verdict": format!("{word}_{colour}"),
        "reasons": verdict.reasons,
        "tests": verdict.tests,
        "exit_code": verdict.exit_code,
        "checks": verdict.checks,
        "notes": verdict.notes,
        "flags": judge.flags,
        "runs": judge.runs,
        "sandbox": judge.sandbox.level().to_string(),
    });
    let mut text = format!("{word} {colour}\n");
    for test in &verdict.tests {
        let _ = write!(text, "  {:<8} {}", test.outcome, test.id);
        if !test.reason.is_empty() {
            let _ = write!(text, ": {}", test.reason);
        }
        text.push('\n');
    }
    for fact in &verdict.checks {
        let _ = writeln!(text, "checked: {fact}");
    }
    for note in &verdict.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for flag in &judge.flags {
        let _ = writeln!(text, "look at {flag}");
    }
    if valid {
        session.output.result(&text, &ok(document));
        return Ok(());
    }
    let reasons = verdict.reasons.clone();
    Err(Failure::from(Refused::Gate { colour, reasons }).details(document))
}
