//! What goes wrong between the start of a run and its end.

use proctor_core::limits::{ContextProblem, ProblemKind};
use proctor_host::driver::{DriveError, IntakeError, StartError};
use proctor_host::gate::{ChangeError, GateError};
use proctor_host::preparation::PreparationError;
use proctor_host::process::{ProcessError, SandboxError};
use proctor_host::test_runner::RunnerError;
use serde_json::json;

use super::{Failure, Kind, Misuse, Obstacle};

/// How many problems are printed one by one.
const PROBLEMS_SHOWN: usize = 20;

/// Documents and context that stay here; the first of them one by one.
fn may_not_be_sent(problems: &[ContextProblem]) -> Failure {
    let (shown, rest) = problems.split_at(problems.len().min(PROBLEMS_SHOWN));
    let mut lines: Vec<String> = shown.iter().map(ToString::to_string).collect();
    if problems.len() > 1 {
        lines.insert(
            0,
            format!("{} problems with what is to be sent", problems.len()),
        );
    }
    if !rest.is_empty() {
        lines.push(format!("and {} more; --format json lists all", rest.len()));
    }
    let has = |kind| problems.iter().any(|problem| problem.kind == kind);
    let failure = Failure::new(Kind::Safety, lines.join("\n"))
        .hint("nothing was created and nothing was sent; leave these files out of --context")
        .details(json!({ "problems": problems }));
    if has(ProblemKind::SecretContent) {
        return failure.hint("a finding that is no secret passes with --allow-secret FINGERPRINT");
    }
    failure
}

impl From<IntakeError> for Failure {
    fn from(error: IntakeError) -> Self {
        let text = error.to_string();
        match error {
            IntakeError::Document { .. } => {
                Self::new(Kind::Usage, text).hint("name an existing Markdown file with --lld")
            }
            IntakeError::NoFiles { .. } => Self::new(Kind::Refused, text).hint(
                "list at least one file that is not a test, in a table `| File | Change Type | Description |` under a heading `Files Changed`",
            ),
            IntakeError::Context(problems) => may_not_be_sent(&problems),
            IntakeError::Root(_) => Self::new(Kind::Environment, text)
                .hint("mend its permissions; nothing was created"),
            IntakeError::Git(error) => error.into(),
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let text = error.to_string();
        match error {
            StartError::Journal(error) => error.into(),
            StartError::NoStateDirectory => Self::new(Kind::Environment, text)
                .hint("set PROCTOR_STATE_DIR to a directory of your own"),
            StartError::StateInRepository(_) => Self::new(Kind::Usage, text)
                .hint("choose a directory outside: PROCTOR_STATE_DIR or `[worktree] directory`"),
        }
    }
}

impl From<DriveError> for Failure {
    fn from(error: DriveError) -> Self {
        let text = error.to_string();
        let environment = Self::new(Kind::Environment, text.clone());
        match error {
            DriveError::Interrupted => Self::new(Kind::Interrupted, text),
            DriveError::Journal(error) => error.into(),
            DriveError::Git(error) => error.into(),
            DriveError::Spec(error) => error.into(),
            DriveError::Gate(error) => error.into(),
            DriveError::Sandbox(error) => error.into(),
            DriveError::Preparation(error) => error.into(),
            DriveError::Worktree(error) => error.into(),
            DriveError::WorktreeGone { .. } => {
                environment.hint("what it had written is in the journal")
            }
            DriveError::File(error) => error.into(),
            DriveError::Own { .. } => {
                environment.hint("free some disk space or mend the permissions; nothing was lost")
            }
            DriveError::Model(error) => error.into(),
            DriveError::Baseline(_) => {
                environment.hint("make the suite start at the base commit first; failing tests alone are no obstacle")
            }
            DriveError::NoBaseBranch(_) => environment.hint("make the branch again, or abort the run"),
            DriveError::NoIdentity => {
                environment.hint("git config user.name \"Your Name\" && git config user.email you@example.org")
            }
            DriveError::NoModel | DriveError::Unexpected(_) => Self::new(Kind::Bug, text),
        }
    }
}

impl From<PreparationError> for Failure {
    fn from(error: PreparationError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            PreparationError::Process(ProcessError::Interrupted) => Self {
                kind: Kind::Interrupted,
                ..failure
            },
            PreparationError::Setup { evidence, .. } => failure.hint(format!(
                "all that it printed is in {}; if the command itself is wrong, mend `[worktree] setup`, abort the run and start again",
                evidence.display()
            )),
            PreparationError::Process(_) => failure
                .hint("install it, or mend `[worktree] setup`, abort the run and start again"),
            PreparationError::Copy(_) => failure.hint(
                "put it there, or mend `copy_ignored` under `[worktree]`, abort the run and start again",
            ),
            PreparationError::Git(error) => error.into(),
            PreparationError::Own { .. } => {
                failure.hint("free some disk space or mend the permissions; nothing was lost")
            }
        }
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Self {
        Self::new(Kind::Environment, error.to_string()).hint(error.hint())
    }
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            RunnerError::NoPython => {
                failure.hint("install Python 3, or set `[test] command` in proctor.toml")
            }
            RunnerError::PytestMissing { hint, .. } => failure.hint(hint),
            RunnerError::Command(_) => failure.hint("mend `[test] command` in proctor.toml"),
            RunnerError::Environment { .. } => failure.hint(
                "mend what it complains about, or install pytest in an environment of your own and activate it",
            ),
            RunnerError::Process(_) => {
                failure.hint("install it, or set `[test] command` in proctor.toml")
            }
            RunnerError::File { .. } => {
                failure.hint("free some disk space or mend the permissions; nothing was lost")
            }
        }
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NoCommit(revision) => Misuse::NoCommit(revision).into(),
            ChangeError::Scratch(error) => Obstacle::Scratch(error).into(),
            ChangeError::Checkout(error) => error.into(),
            ChangeError::Settings(error) => error.into(),
            // What is kept of it goes with the scratch directory.
            ChangeError::Gate(GateError::Preparation(error @ PreparationError::Setup { .. })) => {
                Obstacle::Setup(error).into()
            }
            ChangeError::Gate(error) => error.into(),
        }
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Self {
        let text = error.to_string();
        match error {
            _ if error.is_interrupt() => Self::new(Kind::Interrupted, text),
            GateError::Linter(_) => Self::new(Kind::Environment, text)
                .hint("install it, or mend `[lint] command` in proctor.toml"),
            GateError::Runner(error) => error.into(),
            GateError::Git(error) => error.into(),
            GateError::File(error) => error.into(),
            GateError::Sandbox(error) => error.into(),
            GateError::Preparation(error) => error.into(),
            GateError::Baseline(error) => DriveError::Baseline(error).into(),
            GateError::Own { .. } => Self::new(Kind::Environment, text)
                .hint("free some disk space or mend the permissions; nothing was lost"),
        }
    }
}
