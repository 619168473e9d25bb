//! A sample of every failure that a user can meet.
//!
//! A new variant of an error does not compile here until it has a sample, and the sample does not pass until
//! `docs/troubleshooting.md` has its message. `crates/cli/tests/end_to_end/messages` provokes what the page lists.

use std::collections::BTreeSet;
use std::io::Error;
use std::path::{Path, PathBuf};

use proctor_core::context::{AllowedSecrets, ContextProblem, PathProblem, Portion, check_total};
use proctor_core::edit::{Refusal, RefusalKind};
use proctor_core::generation::{HeldSecret, Hold};
use proctor_core::merge::{MergeError, Side};
use proctor_core::test_outcome::Reason;
use proctor_core::workflow::{CommitId, Stage, Unexpected, Waiting};
use proctor_host::clock::Clock;
use proctor_host::driver::{DriveError, IntakeError, StartError};
use proctor_host::files::{ContextArguments, FileError, Root, load_context};
use proctor_host::gate::GateError;
use proctor_host::git::{Discovery, GitError, WorktreeError};
use proctor_host::journal::{Journal, JournalError, RunLockError};
use proctor_host::model::{
    FaultKind, Model, ModelError, ModelSpec, Service, ServiceFailure, SpecError,
};
use proctor_host::preparation::PreparationError;
use proctor_host::process::{Interrupt, Launcher, ProcessError, SandboxError, SandboxLevel};
use proctor_host::safe_write::WriteError;
use proctor_host::settings::{ModelSettings, SettingsError};
use proctor_host::test_runner::RunnerError;

use super::{Bug, Concern, Failure, Interruption, Misuse, Obstacle, Refused, Unanswered, Unsafe};

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
    write("LARGE", &[b'x'; 200_000]);
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

fn opened(model: &str, variables: &[(&str, &str)]) -> Result<Box<dyn Model>, SpecError> {
    let variables = variables
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    ModelSpec::parse(model, Path::new("/"))?.open(
        "",
        &[],
        &ModelSettings::default(),
        &Launcher::plain(),
        &variables.collect(),
        &Interrupt::default(),
    )
}

fn unusable(model: &str, variables: &[(&str, &str)]) -> SpecError {
    opened(model, variables).err().expect("it cannot be used")
}

fn no_key() -> ModelError {
    let service = opened("anthropic:NAME", &[]).expect("the key is looked for later");
    service.ready().expect_err("there is none")
}

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

pub(super) fn every_failure() -> Vec<Failure> {
    let mut all: Vec<Failure> = Vec::new();
    every!(all, Discovery {
        Discovery::NoGit => Discovery::NoGit,
        Discovery::TooOld { .. } => Discovery::TooOld { found: text("VERSION") },
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
    models(&mut all);
    writes(&mut all);
    commands(&mut all);
    waiting(&mut all);
    unsafe_requests(&mut all);
    all
}

/// What can go wrong while a run works.
fn runs(all: &mut Vec<Failure>) {
    every!(all, RunnerError {
        RunnerError::NoPython => RunnerError::NoPython,
        RunnerError::PytestMissing { .. } => RunnerError::PytestMissing {
            python: text("PYTHON"),
            hint: text("install it with: PYTHON -m pip install pytest"),
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
        DriveError::Baseline(_) => DriveError::Baseline(reason()),
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
        GateError::Own { .. } => GateError::Own { path: path(), source: system() },
    });
    every!(all, PreparationError {
        PreparationError::Process(_) => PreparationError::Process(no_program()),
        PreparationError::Setup { .. } => setup(),
        PreparationError::Copy(_) => PreparationError::Copy(FileError::Missing { path: text("PATH") }),
        PreparationError::Git(_) => PreparationError::Git(git()),
        PreparationError::Own { .. } => PreparationError::Own { path: path(), source: system() },
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
        FileError::Missing { .. } => FileError::Missing { path: text("PATH") },
        FileError::OtherFilesystem { .. } => FileError::OtherFilesystem { path: text("PATH") },
        FileError::Indeterminate { .. } => FileError::Indeterminate { path: text("PATH"), source: system() },
        FileError::Io { .. } => FileError::Io { path: text("PATH"), source: system() },
    });
    every!(all, WriteError {
        WriteError::Rescue(_) => WriteError::Rescue(git()),
        WriteError::Journal(_) => WriteError::Journal(JournalError::NoSuchRun(text("RUN"))),
        WriteError::File(_) => WriteError::File(FileError::Missing { path: text("PATH") }),
        WriteError::Unrecorded { .. } => WriteError::Unrecorded {
            path: text("PATH"),
            source: unreadable_journal(),
        },
    });
}

/// What can go wrong with whoever replies.
fn models(all: &mut Vec<Failure>) {
    every!(all, ModelError {
        ModelError::NoScriptedReply { .. } => ModelError::NoScriptedReply {
            script: text("PATH"),
            question: text("QUESTION"),
        },
        ModelError::Program { .. } => ModelError::Program { program: text("PROGRAM"), problem: reason() },
        ModelError::Service(_) => no_key(),
        ModelError::Interrupted => ModelError::Interrupted,
        ModelError::Process(_) => ModelError::Process(no_program()),
    } as |error| DriveError::Model(error).into());
    every!(all, FaultKind {
        FaultKind::Key => FaultKind::Key,
        FaultKind::Billing => FaultKind::Billing,
        FaultKind::NotFound => FaultKind::NotFound,
        FaultKind::ContextOverflow => FaultKind::ContextOverflow,
        FaultKind::BadRequest => FaultKind::BadRequest,
        FaultKind::RateLimit => FaultKind::RateLimit,
        FaultKind::Unavailable => FaultKind::Unavailable,
        FaultKind::Redirected => FaultKind::Redirected,
        FaultKind::Connection => FaultKind::Connection,
        FaultKind::Certificate => FaultKind::Certificate,
        FaultKind::Stalled => FaultKind::Stalled,
        FaultKind::Malformed => FaultKind::Malformed,
        FaultKind::Empty => FaultKind::Empty,
    } as |kind| {
        let words = match kind {
            FaultKind::Key => "401 REASON",
            FaultKind::Billing => "402 REASON",
            FaultKind::NotFound => "404 REASON",
            FaultKind::ContextOverflow => "413 REASON",
            FaultKind::BadRequest => "400 REASON",
            FaultKind::RateLimit => "429 REASON",
            FaultKind::Unavailable => "500 REASON",
            FaultKind::Redirected => "307 REASON",
            _ => "REASON",
        };
        ServiceFailure::met(Service::Anthropic, "HOST", kind, words).into()
    });
}

/// What the commands themselves find wrong.
fn commands(all: &mut Vec<Failure>) {
    every!(all, Misuse {
        Misuse::Arguments { .. } => Misuse::Arguments { message: text("the following required arguments were not provided: ARGUMENTS"), tip: None },
        Misuse::NoDirectory(_) => Misuse::NoDirectory(path()),
        Misuse::NoRunYet => Misuse::NoRunYet,
        Misuse::NothingToGoOnWith => Misuse::NothingToGoOnWith,
        Misuse::NoCommand(_) => Misuse::NoCommand(text("COMMAND")),
        Misuse::InsertWithoutLine => Misuse::InsertWithoutLine,
        Misuse::LineWithoutInsert => Misuse::LineWithoutInsert,
        Misuse::NoContent => Misuse::NoContent,
        Misuse::Unreadable { .. } => Misuse::Unreadable { path: path(), source: system() },
        Misuse::NoCommit(_) => Misuse::NoCommit(text("REVISION")),
        Misuse::Issue(_) => Misuse::Issue(text("ISSUE")),
        Misuse::Detached => Misuse::Detached,
        Misuse::NoBranch(_) => Misuse::NoBranch(text("BRANCH")),
        Misuse::PageForTerminal { .. } => Misuse::PageForTerminal { run: text("RUN") },
    });
    every!(all, Refused {
        Refused::Ended { rescued: true, .. } => Refused::Ended { run: text("RUN"), rescued: true },
        Refused::Ended { rescued: false, .. } => Refused::Ended { run: text("RUN"), rescued: false },
        Refused::NothingToReview { resume: None, .. } => Refused::NothingToReview {
            run: text("RUN"), state: "merged", stage: "STAGE", resume: None,
        },
        Refused::NothingToReview { resume: Some(_), .. } => Refused::NothingToReview {
            run: text("RUN"), state: "running", stage: "STAGE", resume: Some(text("proctor resume RUN")),
        },
        Refused::Merged { .. } => Refused::Merged { run: text("RUN"), commit: text("COMMIT") },
        Refused::Rejected => Refused::Rejected,
        Refused::BranchMoved { .. } => Refused::BranchMoved { again: text("proctor review") },
        Refused::Hook(_) => Refused::Hook(GitError::Failed { command: text("hook run pre-commit"), message: reason() }),
        Refused::NotWritten { .. } => Refused::NotWritten { path: text("PATH"), word: "skipped" },
        Refused::BrokenTrail { .. } => Refused::BrokenTrail { seq: 7, problem: "REASON" },
        Refused::Gate { .. } => Refused::Gate { colour: "red", reasons: vec![Reason {
            rule: text("RULE"), test: Some(text("TEST")), message: reason(),
        }] },
        Refused::Changes(_) => Refused::Changes(vec![Refusal {
            index: Some(1), kind: RefusalKind::NotFound, message: reason(), lines: Vec::new(),
        }]),
        Refused::NothingToChange(_) => Refused::NothingToChange(text("PATH")),
        Refused::ChangedMeanwhile(_) => Refused::ChangedMeanwhile(text("PATH")),
    });
    every!(all, Obstacle {
        Obstacle::NoCurrentDirectory(_) => Obstacle::NoCurrentDirectory(system()),
        Obstacle::Signals(_) => Obstacle::Signals(system()),
        Obstacle::StandardInput(_) => Obstacle::StandardInput(system()),
        Obstacle::Scratch(_) => Obstacle::Scratch(system()),
        Obstacle::Inputs { .. } => Obstacle::Inputs { run: text("RUN"), problem: reason() },
        Obstacle::UnderWay(_) => Obstacle::UnderWay("a merge"),
        Obstacle::Conflict => Obstacle::Conflict,
        Obstacle::NoCommitYet(_) => Obstacle::NoCommitYet(text("BRANCH")),
        Obstacle::Setup(_) => Obstacle::Setup(setup()),
        Obstacle::NotRemoved { .. } => Obstacle::NotRemoved { path: path(), source: system() },
        Obstacle::Page { .. } => Obstacle::Page { path: path(), source: system() },
        Obstacle::NoCacheDirectory => Obstacle::NoCacheDirectory,
        Obstacle::Closed { .. } => Obstacle::Closed { what: "worktrees", path: path() },
        Obstacle::Full { .. } => Obstacle::Full { megabytes: 20, what: "worktrees", path: path() },
        Obstacle::NotReady(_) => Obstacle::NotReady(vec![("NAME", text("REMEDY"))]),
    });
    every!(all, Bug {
        Bug::Panic(_) => Bug::Panic(reason()),
        Bug::NoReason(_) => Bug::NoReason(text("RUN")),
        Bug::Settings(_) => Bug::Settings(SettingsError::Invalid(reason())),
        Bug::NoSample => Bug::NoSample,
    });
    // As a run says it, which can name itself.
    all.push(Failure::from(DriveError::Interrupted).hint("go on with `proctor resume RUN`"));
    every!(all, Interruption {
        Interruption::Work => Interruption::Work,
        Interruption::Review { .. } => Interruption::Review { again: text("proctor review") },
        Interruption::Write(_) => Interruption::Write(text("PATH")),
    });
}

fn large() -> Concern {
    Concern::Large {
        path: text("PATH"),
        before: 120,
        after: 3,
    }
}

fn parked(waiting: Waiting, auto: bool) -> Unanswered {
    Unanswered::Parked {
        run: text("RUN"),
        waiting,
        auto,
        proctor: text("proctor"),
    }
}

/// What waits for a person.
fn waiting(all: &mut Vec<Failure>) {
    every!(all, Unanswered {
        Unanswered::Parked { .. } => parked(Waiting::Review, true),
        Unanswered::NoTerminal { .. } => Unanswered::NoTerminal { again: text("proctor review") },
        Unanswered::Undecided { .. } => Unanswered::Undecided { again: text("proctor review") },
        Unanswered::NoMessage => Unanswered::NoMessage,
        Unanswered::Write(_) => Unanswered::Write(large()),
    });
    every!(all, Waiting {
        Waiting::Review => Waiting::Review,
        Waiting::Attempts { .. } => Waiting::Attempts { last_reason: reason() },
        Waiting::GaveUp { .. } => Waiting::GaveUp { reason: reason() },
        Waiting::Judgement { .. } => Waiting::Judgement { reason: reason() },
        Waiting::Request(Hold::Secrets { .. }) => Waiting::Request(held_secrets()),
        Waiting::Request(Hold::TooLarge { .. }) => {
            Waiting::Request(Hold::TooLarge { tokens: 300_000, largest: text("PATH") })
        },
        Waiting::Request(Hold::OverBudget { most: Some(_), .. }) => {
            Waiting::Request(Hold::OverBudget { limit: 1_000_000, spent: 900_000, most: Some(200_000) })
        },
        Waiting::Request(Hold::OverBudget { most: None, .. }) => {
            Waiting::Request(Hold::OverBudget { limit: 1_000_000, spent: 900_000, most: None })
        },
        Waiting::Request(Hold::OverTokens { .. }) => {
            Waiting::Request(Hold::OverTokens { limit: 1000, spent: 900, most: 200 })
        },
        Waiting::Write { .. } => Waiting::Write { reason: reason() },
        Waiting::Worktree { .. } => Waiting::Worktree { reason: reason() },
        Waiting::Conflict { .. } => Waiting::Conflict { files: vec![text("PATH")] },
        Waiting::Checkout { .. } => Waiting::Checkout { reason: reason() },
    } as |waiting| parked(waiting, false).into());
}

fn held_secrets() -> Hold {
    Hold::Secrets {
        secrets: vec![HeldSecret {
            place: text("PATH"),
            description: text("SECRET"),
            fingerprint: "0123456789ab".parse().expect("twelve digits"),
        }],
    }
}

/// What is not done because it is not safe.
fn unsafe_requests(all: &mut Vec<Failure>) {
    every!(all, Unsafe {
        Unsafe::Path(_) => Unsafe::Path(PathProblem::Empty),
        Unsafe::PathNotText => Unsafe::PathNotText,
        Unsafe::Unattended(_) => Unsafe::Unattended(large()),
        Unsafe::Protected(_) => Unsafe::Protected(Concern::Protected { path: text("PATH") }),
        Unsafe::NoReport(_) => Unsafe::NoReport(path()),
        Unsafe::TooLarge { .. } => Unsafe::TooLarge { path: text("PATH"), limit: 1 << 30 },
        Unsafe::NotText(_) => Unsafe::NotText(text("PATH")),
        Unsafe::Held(_) => Unsafe::Held(held_secrets()),
    });
    let name = || text("PATH");
    every!(all, PathProblem {
        PathProblem::Empty => PathProblem::Empty,
        PathProblem::Absolute(_) => PathProblem::Absolute(name()),
        PathProblem::TooLong(_) => PathProblem::TooLong(name()),
        PathProblem::ComponentTooLong(_) => PathProblem::ComponentTooLong(name()),
        PathProblem::EmptyComponent(_) => PathProblem::EmptyComponent(name()),
        PathProblem::DotComponent(_) => PathProblem::DotComponent(name()),
        PathProblem::ControlCharacter(_) => PathProblem::ControlCharacter(name()),
        PathProblem::HiddenCharacter(_) => PathProblem::HiddenCharacter(name()),
        PathProblem::ForbiddenCharacter(_) => PathProblem::ForbiddenCharacter(name()),
        PathProblem::NotNormalised(_) => PathProblem::NotNormalised(name()),
        PathProblem::LeadingCharacter(_) => PathProblem::LeadingCharacter(name()),
        PathProblem::TrailingCharacter(_) => PathProblem::TrailingCharacter(name()),
        PathProblem::DeviceName(_) => PathProblem::DeviceName(name()),
        PathProblem::GitDirectory(_) => PathProblem::GitDirectory(name()),
    } as |problem| Unsafe::Path(problem).into());
}
