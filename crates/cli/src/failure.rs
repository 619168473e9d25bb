//! What goes wrong, as a user meets it: a kind, one sentence, hints. Printed once, in `main`.

use proctor_core::context::{ContextProblem, ProblemKind, mask_secrets};
use proctor_core::merge::MergeError;
use proctor_host::driver::{DriveError, IntakeError, StartError};
use proctor_host::files::FileError;
use proctor_host::gate::GateError;
use proctor_host::git::{Discovery, GitError, WorktreeError};
use proctor_host::journal::JournalError;
use proctor_host::model::{ModelError, ServiceFailure, SpecError};
use proctor_host::preparation::PreparationError;
use proctor_host::process::{ProcessError, SandboxError};
use proctor_host::safe_write::WriteError;
use proctor_host::settings::SettingsError;
use proctor_host::test_runner::RunnerError;
use serde_json::{Value, json};

/// What sort of failure, which is also the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The work was refused on its merits.
    Refused,
    /// Wrong usage.
    Usage,
    /// A person is needed.
    NeedsPerson,
    /// Refused for safety.
    Safety,
    /// Git, test runner, model, disk.
    Environment,
    /// A bug in Proctor.
    Bug,
    /// Interrupted; resumable.
    Interrupted,
}

impl Kind {
    /// The documented exit code.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NeedsPerson => 3,
            Self::Safety => 4,
            Self::Environment => 5,
            Self::Bug => 70,
            Self::Interrupted => 130,
        }
    }

    /// What to do where nothing better is known.
    fn hint(self) -> &'static str {
        match self {
            Self::Refused => {
                "nothing was merged, committed or written; mend what is named and try again"
            }
            Self::Usage => "see `proctor --help`",
            Self::NeedsPerson => "`proctor status` says what each run waits for",
            Self::Safety => "nothing was written and nothing was sent",
            Self::Environment => "`proctor doctor` looks at everything that a run needs",
            Self::Bug => "please report it; the run, if there is one, can be resumed",
            Self::Interrupted => "`proctor resume` goes on with a run; nothing was lost",
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Usage => "usage",
            Self::NeedsPerson => "needs_person",
            Self::Safety => "safety",
            Self::Environment => "environment",
            Self::Bug => "bug",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How many problems are printed one by one.
const PROBLEMS_SHOWN: usize = 20;

/// A failure that a user sees.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
    /// Fields that the JSON document has besides the error.
    pub(crate) details: Value,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        let message: String = message.into();
        Self {
            kind,
            // A message may quote a program's last words; what is allowed to be sent is not to be printed.
            message: mask_secrets(&message).into_owned(),
            hints: Vec::new(),
            details: json!({}),
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn details(mut self, details: Value) -> Self {
        self.details = details;
        self
    }

    /// Documents and context that stay here; the first of them one by one.
    pub(crate) fn may_not_be_sent(problems: &[ContextProblem]) -> Self {
        let (shown, rest) = problems.split_at(problems.len().min(PROBLEMS_SHOWN));
        let mut lines: Vec<String> = shown.iter().map(ToString::to_string).collect();
        if !rest.is_empty() {
            lines.push(format!("and {} more; --format json lists all", rest.len()));
        }
        let has = |kind| problems.iter().any(|problem| problem.kind == kind);
        let mut failure = Self::new(Kind::Safety, lines.join("\n"))
            .hint("nothing was created and nothing was sent; leave these files out of --context");
        if has(ProblemKind::SecretContent) {
            failure =
                failure.hint("a finding that is no secret passes with --allow-secret FINGERPRINT");
        }
        failure
    }

    /// What to do: its own hints, else what can be said of every failure of its kind.
    pub(crate) fn hints(&self) -> Vec<&str> {
        if self.hints.is_empty() {
            return vec![self.kind.hint()];
        }
        self.hints.iter().map(String::as_str).collect()
    }

    /// The one JSON document of a failed command.
    pub(crate) fn to_json(&self) -> Value {
        let mut document = json!({
            "schema": 1,
            "ok": false,
            "error": {
                "kind": self.kind.key(),
                "message": self.message,
                "hint": self.hints().join("; "),
            },
        });
        if let (Value::Object(document), Value::Object(details)) = (&mut document, &self.details) {
            for (key, value) in details {
                document.entry(key.clone()).or_insert(value.clone());
            }
        }
        document
    }
}

impl From<Discovery> for Failure {
    fn from(error: Discovery) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            Discovery::NoGit => failure.hint("install git 2.38 or newer"),
            Discovery::TooOld { .. } => {
                failure.hint("upgrade git; if a newer one is installed, put it first on PATH")
            }
            Discovery::NotARepository { .. } => failure.hint(
                "run proctor inside a repository, or name one with -C DIR; `git init` makes one",
            ),
            Discovery::Bare { .. } => failure.hint("clone it and run proctor in the clone"),
            Discovery::Git(error) => error.into(),
        }
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        failure.hint(match error {
            GitError::Failed { .. } | GitError::Unexpected { .. } => {
                "mend what git complains about and run the command again; nothing was lost"
            }
            GitError::Process(_) => "check that git is installed and can be started",
            GitError::Scratch(_) => {
                "free some space for temporary files or mend the permissions; nothing was lost"
            }
        })
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let text = error.to_string();
        match error {
            JournalError::Unreadable { .. } | JournalError::Directory { .. } => {
                Self::new(Kind::Environment, text)
                    .hint("check that the git directory can be written and the disk is not full; nothing was changed")
            }
            JournalError::Foreign { .. } | JournalError::Damaged { .. } => {
                Self::new(Kind::Environment, text)
                    .hint("proctor does not write over it; move the file away to begin anew, or restore it from a backup")
            }
            JournalError::Newer { .. } => {
                Self::new(Kind::Environment, text).hint("use the newer proctor that wrote it")
            }
            JournalError::OpenRun { run, .. } => Self::new(Kind::Usage, text)
                .hint(format!("go on with `proctor resume {run}`, or end it with `proctor abort {run}`")),
            JournalError::NoSuchRun(_) => {
                Self::new(Kind::Usage, text).hint("`proctor status` lists the runs")
            }
            JournalError::Locked(_) => Self::new(Kind::Environment, text)
                .hint("wait for it to end, or stop it; a crashed process holds no lock"),
        }
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let failure = Self::new(Kind::Usage, error.to_string());
        match error {
            SettingsError::UnknownKey { nearest, .. } => {
                failure.hint(format!("did you mean {nearest:?}?"))
            }
            SettingsError::Unsupported { supported, .. } => {
                failure.hint(format!("supported: {supported}"))
            }
            SettingsError::Io(_) | SettingsError::Invalid(_) => failure
                .hint("mend the file, or move it away and have `proctor init` write a new one"),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        let failure = Self::new(Kind::Usage, error.to_string());
        match error {
            SpecError::Missing => failure.hint(
                "name one with --model (such as `anthropic:NAME` or `script:FILE`), PROCTOR_MODEL or `[model] default`",
            ),
            SpecError::Unknown(_) => failure.hint(
                "known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM",
            ),
            SpecError::NoName(_) => failure.hint("write SERVICE:NAME, with the name that the service has for the model"),
            SpecError::Service(error) => error.into(),
            SpecError::NoProgram(_) => {
                failure.hint("give a program on PATH, or a path from the current directory")
            }
            SpecError::Script(_) => failure.hint("a script is JSON Lines: one object with a `text` a line"),
        }
    }
}

impl From<ServiceFailure> for Failure {
    fn from(error: ServiceFailure) -> Self {
        Self::new(Kind::Environment, error.to_string()).hint(error.hint())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let environment = Self::new(Kind::Environment, error.to_string());
        match error {
            ModelError::Service(error) => error.into(),
            ModelError::Interrupted => Self {
                kind: Kind::Interrupted,
                ..environment
            },
            ModelError::NoScriptedReply { .. } => {
                environment.hint("add a line for it to the script")
            }
            ModelError::Program { .. } | ModelError::Process(_) => {
                environment.hint("nothing was lost; the question is asked again on resume")
            }
        }
    }
}

impl From<IntakeError> for Failure {
    fn from(error: IntakeError) -> Self {
        let text = error.to_string();
        match error {
            IntakeError::Document { .. } => {
                Self::new(Kind::Usage, text).hint("name an existing Markdown file with --lld")
            }
            IntakeError::NoFiles { .. } => Self::new(Kind::Refused, text).hint(
                "add a table `| File | Change Type | Description |` under a heading `Files Changed`",
            ),
            IntakeError::Context(problems) => {
                Self::may_not_be_sent(&problems).details(json!({ "problems": problems }))
            }
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
                environment.hint("`proctor abort` ends the run; what it had written is in the journal")
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
            GateError::Own { .. } => Self::new(Kind::Environment, text)
                .hint("free some disk space or mend the permissions; nothing was lost"),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let kind = match error {
            MergeError::Line { .. } => Kind::Usage,
            _ => Kind::Refused,
        };
        Self::new(kind, error.to_string()).hint(error.hint())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let text = error.to_string();
        match error {
            FileError::Io { .. } => Self::new(Kind::Environment, text)
                .hint("free some disk space or mend the permissions; the file is as it was"),
            FileError::Missing { .. } => {
                Self::new(Kind::Environment, text).hint("put it back, or name a file that is there")
            }
            FileError::Indeterminate { .. } => Self::new(Kind::Environment, text)
                .hint("look at the file before you go on; what it held is in `proctor log`"),
            FileError::Exists { .. } => Self::new(Kind::Safety, text)
                .hint("edit it, or move it away and run the command again"),
            FileError::Symlink { .. }
            | FileError::NotRegular { .. }
            | FileError::HardLinked { .. }
            | FileError::OtherFilesystem { .. } => Self::new(Kind::Safety, text)
                .hint("nothing was written; name a regular file inside the repository"),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Rescue(error) => error.into(),
            WriteError::Journal(error) => error.into(),
            WriteError::File(error) => error.into(),
            WriteError::Unrecorded { .. } => Self::new(Kind::Environment, error.to_string())
                .hint("the content is in place; mend the journal's disk"),
        }
    }
}

impl From<WorktreeError> for Failure {
    fn from(error: WorktreeError) -> Self {
        let failure = Self::new(Kind::Environment, error.to_string());
        match error {
            WorktreeError::BranchDiverged { branch, base } => failure.hint(format!(
                "look at it with `git log {base}..{branch}`, then rename or delete it"
            )),
            WorktreeError::BranchInUse { at, .. } => failure.hint(format!(
                "switch {at} to another branch, or remove that worktree"
            )),
            WorktreeError::NotSaved { .. } => {
                failure.hint("move it away and run the command again")
            }
            WorktreeError::Git(error) => error.into(),
        }
    }
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
