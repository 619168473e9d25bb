//! A sample of every failure that a user can meet.
//!
//! A new variant of an error does not compile here until it has a sample, and the sample does not pass until
//! `docs/troubleshooting.md` has its message. `crates/cli/tests/end_to_end/messages` provokes what the page lists.

use std::collections::BTreeSet;
use std::io::Error;
use std::path::PathBuf;

use proctor_core::gate::BaselineError;
use proctor_core::limits::{ContextProblem, Portion, check_total};
use proctor_core::merge::{MergeError, Side};
use proctor_core::object_id::CommitId;
use proctor_core::path::ProjectPath;
use proctor_core::safe_write::Concern;
use proctor_core::secrets::AllowedSecrets;
use proctor_core::workflow::{Stage, Unexpected};
use proctor_host::clock::Clock;
use proctor_host::driver::{DriveError, IntakeError, StartError};
use proctor_host::files::{ContextArguments, FileError, Root, load_context};
use proctor_host::gate::GateError;
use proctor_host::git::{Discovery, GitError, OwnCommitError, SnapshotError, WorktreeError};
use proctor_host::journal::{Journal, JournalError, RunLockError};
use proctor_host::model::{ModelError, SpecError};
use proctor_host::preparation::PreparationError;
use proctor_host::process::{ProcessError, SandboxError, SandboxLevel};
use proctor_host::safe_write::WriteError;
use proctor_host::settings::SettingsError;
use proctor_host::test_runner::RunnerError;

use super::Failure;

/// Adds a sample of every variant; leaving one out does not compile.
macro_rules! every {
    ($all:ident, $type:ty { $($pattern:pat => $sample:expr),+ $(,)? }) => {
        every!($all, $type { $($pattern => $sample),+ } as Failure::from)
    };
    ($all:ident, $type:ty { $($pattern:pat => $sample:expr),+ $(,)? } as $failure:expr) => {{
        let samples: Vec<$type> = vec![$($sample),+];
        let mut variants = BTreeSet::new();
        for sample in &samples {
            variants.insert(match sample { $($pattern => stringify!($pattern)),+ });
        }
        assert_eq!(variants.len(), samples.len(), "a sample for each variant");
        $all.extend(samples.into_iter().map($failure));
    }};
}

// Below the macro, which they use.
mod commands;
mod models;

use models::unusable;

fn path() -> PathBuf {
    "PATH".into()
}

fn text(word: &str) -> String {
    word.to_owned()
}

fn reason() -> String {
    text("REASON")
}

fn system() -> Error {
    Error::other("REASON")
}

fn no_program() -> ProcessError {
    ProcessError::NotFound {
        program: "PROGRAM".into(),
    }
}

fn setup() -> PreparationError {
    PreparationError::Setup {
        command: text("COMMAND"),
        reason: text("ended with code 1: REASON"),
        evidence: path(),
    }
}

fn git() -> GitError {
    GitError::Failed {
        command: text("COMMAND"),
        message: reason(),
    }
}

pub(super) fn commit() -> CommitId {
    CommitId::parse(&"0".repeat(40)).expect("forty digits")
}

/// A journal that is no database, as it is met.
#[expect(
    clippy::disallowed_methods,
    reason = "a damaged file is what this is about"
)]
fn unreadable_journal() -> JournalError {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("journal.db"), "no database at all").expect("written");
    match Journal::open(directory.path(), Clock::system()) {
        Err(JournalError::Unreadable { source, .. }) => JournalError::Unreadable {
            path: path(),
            source,
        },
        other => panic!("{:?}", other.err()),
    }
}

/// Everything for which a context file may not be sent, as it is met.
#[expect(
    clippy::disallowed_methods,
    reason = "files with something wrong are what this is about"
)]
fn context_problems() -> Vec<ContextProblem> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let place = |name: &str| directory.path().join(name);
    let write = |name: &str, content: &[u8]| std::fs::write(place(name), content).expect("written");
    write("BINARY", &[0xff, 0xfe]);
    write("LARGE", "x".repeat(200_000).as_bytes());
    write("ID_RSA", b"");
    // In two pieces, or this file could not be sent to a model itself.
    write("SOURCE", ["AKIA", "QYLPMN5HHHFPZAM2"].concat().as_bytes());
    std::os::unix::fs::symlink("BINARY", place("LINK")).expect("linked");
    let _socket = std::os::unix::net::UnixListener::bind(place("SOCKET")).expect("bound");
    let names = [
        "MISSING", "../PATH", "LINK", "SOCKET", "BINARY", "LARGE", "ID_RSA", "SOURCE",
    ];
    let root = Root::open(directory.path()).expect("just made");
    let (_, mut problems) = load_context(
        &root,
        &ContextArguments {
            paths: &names.map(str::to_owned),
            here: directory.path(),
            allowed: &AllowedSecrets::default(),
        },
    );
    let (name, bytes, tokens) = (text("PATH"), 1_000_000, 300_000);
    problems.extend(check_total(&[Portion {
        name,
        bytes,
        tokens,
    }]));
    let kinds: BTreeSet<String> = problems.iter().map(|it| format!("{:?}", it.kind)).collect();
    assert_eq!(kinds.len(), 9, "{problems:#?}");
    problems
}

fn held() -> RunLockError {
    RunLockError::Held {
        run: text("RUN"),
        holder: text(" (process NUMBER)"),
    }
}

pub(super) fn every_failure() -> Vec<Failure> {
    let mut all: Vec<Failure> = Vec::new();
    every!(all, Discovery {
        Discovery::NoGit => Discovery::NoGit,
        Discovery::TooOld { .. } => Discovery::TooOld { found: text("VERSION") },
        Discovery::NotTrusted { .. } => Discovery::NotTrusted { directory: path() },
        Discovery::NotARepository { .. } => Discovery::NotARepository { directory: path(), message: reason() },
        Discovery::Bare { .. } => Discovery::Bare { directory: path() },
        Discovery::Git(_) => Discovery::Git(git()),
    });
    every!(all, GitError {
        GitError::Failed { .. } => git(),
        GitError::Process(_) => GitError::Process(ProcessError::System {
            action: "start",
            program: "PROGRAM".into(),
            source: system(),
        }),
        GitError::Unexpected { .. } => GitError::Unexpected { command: text("COMMAND"), answer: text("ANSWER") },
        GitError::File(_) => GitError::File(system()),
    });
    every!(all, JournalError {
        JournalError::Unreadable { .. } => unreadable_journal(),
        JournalError::Directory { .. } => JournalError::Directory { path: path(), source: system() },
        JournalError::Foreign { .. } => JournalError::Foreign { path: path() },
        JournalError::Newer { .. } => JournalError::Newer { path: path(), found: 9, known: 1 },
        JournalError::Damaged { .. } => JournalError::Damaged { seq: 7, problem: reason() },
        JournalError::OpenRun { .. } => JournalError::OpenRun { issue: text("ISSUE"), run: text("RUN") },
        JournalError::NoSuchRun(_) => JournalError::NoSuchRun(text("RUN")),
        JournalError::Locked(_) => JournalError::Locked(held()),
    });
    every!(all, RunLockError {
        RunLockError::Held { .. } => held(),
        RunLockError::Unavailable { .. } => RunLockError::Unavailable { run: text("RUN"), source: system() },
    } as |error| JournalError::Locked(error).into());
    every!(all, SettingsError {
        SettingsError::Io(_) => SettingsError::Io(system()),
        SettingsError::Invalid(_) => SettingsError::Invalid(reason()),
        SettingsError::UnknownKey { .. } => SettingsError::UnknownKey { key: text("KEY"), nearest: text("NEAREST") },
        SettingsError::Unsupported { .. } => SettingsError::Unsupported { key: "KEY", value: text("VALUE"), supported: "VALUES" },
    });
    every!(all, SpecError {
        SpecError::Missing => SpecError::Missing,
        SpecError::Unknown(_) => SpecError::Unknown(text("SPEC")),
        SpecError::NoName(_) => SpecError::NoName(text("SPEC")),
        SpecError::Service(_) => unusable("ollama:NAME", &[("OLLAMA_HOST", "ftp://HOST")]),
        SpecError::NoProgram(_) => SpecError::NoProgram(text("PROGRAM")),
        SpecError::Script(_) => unusable("script:/nowhere/PATH", &[]),
    });
    every!(all, IntakeError {
        IntakeError::Document { .. } => IntakeError::Document { path: path(), source: system() },
        IntakeError::NoFiles { .. } => IntakeError::NoFiles { path: path(), reason: reason() },
        IntakeError::Context(_) => IntakeError::Context(context_problems().into_iter().take(2).collect()),
        IntakeError::Root(_) => IntakeError::Root(system()),
        IntakeError::Git(_) => IntakeError::Git(git()),
    });
    let one_by_one = context_problems().into_iter();
    all.push(unusable("ollama:NAME", &[("SSL_CERT_FILE", "/nowhere/PATH")]).into());
    all.extend(one_by_one.map(|problem| IntakeError::Context(vec![problem]).into()));
    every!(all, StartError {
        StartError::NoStateDirectory => StartError::NoStateDirectory,
        StartError::StateInRepository(_) => StartError::StateInRepository(path()),
        StartError::Journal(_) => StartError::Journal(JournalError::NoSuchRun(text("RUN"))),
    });
    runs(&mut all);
    models::models(&mut all);
    writes(&mut all);
    commands::commands(&mut all);
    commands::waiting(&mut all);
    commands::unsafe_requests(&mut all);
    all
}

/// What can go wrong while a run works.
fn runs(all: &mut Vec<Failure>) {
    every!(all, RunnerError {
        RunnerError::NoPython => RunnerError::NoPython,
        RunnerError::PytestMissing { .. } => RunnerError::PytestMissing {
            python: text("PYTHON"),
            hint: text("make an environment with it: PYTHON -m venv .venv && .venv/bin/python -m pip install pytest"),
        },
        RunnerError::Command(_) => RunnerError::Command(reason()),
        RunnerError::Environment { .. } => RunnerError::Environment { directory: path(), reason: reason() },
        RunnerError::Process(_) => RunnerError::Process(no_program()),
        RunnerError::File { .. } => RunnerError::File { action: "write", path: path(), source: system() },
    });
    every!(all, DriveError {
        DriveError::Interrupted => DriveError::Interrupted,
        DriveError::Journal(_) => DriveError::Journal(JournalError::NoSuchRun(text("RUN"))),
        DriveError::Git(_) => DriveError::Git(git()),
        DriveError::Worktree(_) => DriveError::Worktree(WorktreeError::Git(git())),
        DriveError::WorktreeGone { .. } => DriveError::WorktreeGone { path: path(), source: system() },
        DriveError::File(_) => DriveError::File(FileError::Missing { path: text("PATH") }),
        DriveError::Own { .. } => DriveError::Own { path: path(), source: system() },
        DriveError::Model(_) => DriveError::Model(ModelError::NoScriptedReply {
            script: text("PATH"),
            question: text("QUESTION"),
        }),
        DriveError::Spec(_) => DriveError::Spec(SpecError::Missing),
        DriveError::Gate(_) => DriveError::Gate(GateError::Git(git())),
        DriveError::Preparation(_) => DriveError::Preparation(PreparationError::Git(git())),
        DriveError::Sandbox(_) => DriveError::Sandbox(SandboxError::NoHelper),
        DriveError::Baseline(_) => DriveError::Baseline(BaselineError::NotRun { code: 4, meaning: "REASON" }),
        DriveError::NoBaseBranch(_) => DriveError::NoBaseBranch(text("BRANCH")),
        DriveError::NoIdentity => DriveError::NoIdentity,
        DriveError::NoModel => DriveError::NoModel,
        DriveError::Unexpected(_) => DriveError::Unexpected(Unexpected {
            stage: Stage::Review,
            state: "parked",
            event: text("EVENT"),
        }),
    });
    every!(all, SandboxError {
        SandboxError::NoHelper => SandboxError::NoHelper,
        SandboxError::Unavailable(_) => SandboxError::Unavailable(vec![(SandboxLevel::Bubblewrap, reason())]),
    });
    every!(all, GateError {
        GateError::Git(_) => GateError::Git(git()),
        GateError::Runner(_) => GateError::Runner(RunnerError::NoPython),
        GateError::Linter(_) => GateError::Linter(no_program()),
        GateError::File(_) => GateError::File(FileError::Missing { path: text("PATH") }),
        GateError::Sandbox(_) => GateError::Sandbox(SandboxError::NoHelper),
        GateError::Preparation(_) => GateError::Preparation(PreparationError::Git(git())),
        GateError::Baseline(_) => GateError::Baseline(BaselineError::NotRun { code: 4, meaning: "REASON" }),
        GateError::Own { .. } => GateError::Own { path: path(), source: system() },
    });
    every!(all, PreparationError {
        PreparationError::Process(_) => PreparationError::Process(no_program()),
        PreparationError::Setup { .. } => setup(),
        PreparationError::Copy(_) => PreparationError::Copy(FileError::Missing { path: text("PATH") }),
        PreparationError::Git(_) => PreparationError::Git(git()),
        PreparationError::Own { .. } => PreparationError::Own { path: path(), source: system() },
    });
    every!(all, OwnCommitError {
        OwnCommitError::IndexLocked { .. } => OwnCommitError::IndexLocked { path: path() },
        OwnCommitError::Git(_) => OwnCommitError::Git(git()),
        OwnCommitError::Unfinished { .. } => OwnCommitError::Unfinished { commit: commit(), source: GitError::File(system()) },
    });
    every!(all, SnapshotError {
        SnapshotError::Unreadable { .. } => SnapshotError::Unreadable { path: text("PATH"), problem: reason() },
        SnapshotError::Git(_) => SnapshotError::Git(git()),
    });
    every!(all, WorktreeError {
        WorktreeError::BranchDiverged { .. } => WorktreeError::BranchDiverged { branch: text("BRANCH"), base: commit() },
        WorktreeError::BranchInUse { .. } => WorktreeError::BranchInUse { branch: text("BRANCH"), at: text("PATH") },
        WorktreeError::NotSaved { .. } => WorktreeError::NotSaved { path: text("PATH"), problem: reason() },
        WorktreeError::Git(_) => WorktreeError::Git(git()),
    });
}

/// What can go wrong when a file is written.
fn writes(all: &mut Vec<Failure>) {
    every!(all, MergeError {
        MergeError::Line { .. } => MergeError::Line { line: 9, lines: 3 },
        MergeError::NotText(_) => MergeError::NotText(Side::Existing),
        MergeError::Language(_) => MergeError::Language(text("PATH")),
        MergeError::Syntax { .. } => MergeError::Syntax { side: Side::New, line: 1, column: 2 },
        MergeError::Conflict { .. } => MergeError::Conflict { member: text("MEMBER"), existing: 1, new: 2 },
        MergeError::Twice { .. } => MergeError::Twice { member: text("MEMBER"), first: 1, second: 2 },
        MergeError::Place { .. } => MergeError::Place { member: text("MEMBER"), reason: "REASON", side: Side::Existing, line: 1 },
        MergeError::Members(_) => MergeError::Members(text("MEMBER")),
    });
    every!(all, FileError {
        FileError::Symlink { .. } => FileError::Symlink { path: text("PATH") },
        FileError::NotRegular { .. } => FileError::NotRegular { path: text("PATH") },
        FileError::HardLinked { .. } => FileError::HardLinked { path: text("PATH") },
        FileError::Exists { .. } => FileError::Exists { path: text("PATH") },
        FileError::ChangedMeanwhile { .. } => FileError::ChangedMeanwhile { path: text("PATH") },
        FileError::Missing { .. } => FileError::Missing { path: text("PATH") },
        FileError::OtherFilesystem { .. } => FileError::OtherFilesystem { path: text("PATH") },
        FileError::Indeterminate { .. } => FileError::Indeterminate { path: text("PATH"), source: system() },
        FileError::Io { .. } => FileError::Io { path: text("PATH"), source: system() },
    });
    let file = || ProjectPath::parse("PATH").expect("a plain path");
    let large = || Concern::Large {
        path: file(),
        before: 120,
        after: 3,
    };
    all.push(
        WriteError::NeedsPerson {
            concern: large(),
            command: "apply",
        }
        .into(),
    );
    every!(all, WriteError {
        WriteError::Unattended(_) => WriteError::Unattended(large()),
        WriteError::Protected(_) => WriteError::Protected(Concern::Protected { path: file() }),
        WriteError::NeedsPerson { .. } => WriteError::NeedsPerson { concern: large(), command: "write" },
        WriteError::Declined { .. } => WriteError::Declined { path: file(), word: "skipped" },
        WriteError::Interrupted(_) => WriteError::Interrupted(file()),
        WriteError::Rescue(_) => WriteError::Rescue(git()),
        WriteError::Journal(_) => WriteError::Journal(JournalError::NoSuchRun(text("RUN"))),
        WriteError::File(_) => WriteError::File(FileError::Missing { path: text("PATH") }),
        WriteError::Unrecorded { .. } => WriteError::Unrecorded {
            path: text("PATH"),
            source: unreadable_journal(),
        },
    });
}
