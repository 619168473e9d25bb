//! Every error that a user can meet, in one style and in the documentation.
//!
//! A new variant of an error does not compile here until it has a sample, and the sample does not pass until
//! `docs/troubleshooting.md` has its message.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Error;
use std::path::{Path, PathBuf};

use proctor_core::merge::Side;
use proctor_core::workflow::{CommitId, Stage, Unexpected};
use proctor_host::clock::Clock;
use proctor_host::journal::{Journal, RunLockError};
use proctor_host::model::{Model, ModelSpec};
use proctor_host::process::{Interrupt, Launcher, SandboxLevel};
use proctor_host::settings::ModelSettings;

use super::*;

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

fn git() -> GitError {
    GitError::Failed {
        command: text("COMMAND"),
        message: reason(),
    }
}

fn commit() -> CommitId {
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

fn locked() -> JournalError {
    JournalError::Locked(RunLockError::Held {
        run: text("RUN"),
        holder: text(" (process NUMBER)"),
    })
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
    ($all:ident, $type:ty { $($pattern:pat => $sample:expr),+ $(,)? }) => {{
        let samples: Vec<$type> = vec![$($sample),+];
        let mut variants = BTreeSet::new();
        for sample in &samples {
            variants.insert(match sample { $($pattern => stringify!($pattern)),+ });
        }
        assert_eq!(variants.len(), samples.len(), "a sample for each variant");
        $all.extend(samples.into_iter().map(Failure::from));
    }};
}

fn every_failure() -> Vec<Failure> {
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
        GitError::Process(_) => GitError::Process(no_program()),
        GitError::Unexpected { .. } => GitError::Unexpected { command: text("COMMAND"), answer: text("ANSWER") },
        GitError::Scratch(_) => GitError::Scratch(system()),
    });
    every!(all, JournalError {
        JournalError::Unreadable { .. } => unreadable_journal(),
        JournalError::Directory { .. } => JournalError::Directory { path: path(), source: system() },
        JournalError::Foreign { .. } => JournalError::Foreign { path: path() },
        JournalError::Newer { .. } => JournalError::Newer { path: path(), found: 9, known: 1 },
        JournalError::Damaged { .. } => JournalError::Damaged { seq: 7, problem: reason() },
        JournalError::OpenRun { .. } => JournalError::OpenRun { issue: text("ISSUE"), run: text("RUN") },
        JournalError::NoSuchRun(_) => JournalError::NoSuchRun(text("RUN")),
        JournalError::Locked(_) => locked(),
    });
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
        IntakeError::Context(_) => IntakeError::Context(vec![ContextProblem {
            kind: ProblemKind::SecretContent,
            message: text("holds something that looks like a secret"),
            location: text("PATH"),
        }]),
        IntakeError::Root(_) => IntakeError::Root(system()),
        IntakeError::Git(_) => IntakeError::Git(git()),
    });
    every!(all, StartError {
        StartError::NoStateDirectory => StartError::NoStateDirectory,
        StartError::StateInRepository(_) => StartError::StateInRepository(path()),
        StartError::Journal(_) => StartError::Journal(JournalError::NoSuchRun(text("RUN"))),
    });
    runs(&mut all);
    writes(&mut all);
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
    let models = [
        ModelError::Program {
            program: text("PROGRAM"),
            problem: reason(),
        },
        no_key(),
        ModelError::Interrupted,
        ModelError::Process(no_program()),
    ];
    all.extend(models.map(|error| DriveError::Model(error).into()));
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
        PreparationError::Setup { .. } => PreparationError::Setup {
            command: text("COMMAND"),
            reason: text("ended with code 1: REASON"),
            evidence: path(),
        },
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
        MergeError::Place { .. } => MergeError::Place { member: text("MEMBER"), reason: "REASON", side: Side::New, line: 1 },
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
            source: JournalError::NoSuchRun(text("RUN")),
        },
    });
}

#[test]
fn every_message_is_one_lower_case_sentence_with_a_hint() {
    for failure in every_failure() {
        let message = &failure.message;
        let first = message.split(' ').next().unwrap_or_default();
        // Placeholders and names may begin as they like.
        let is_name = first.chars().all(|letter| !letter.is_lowercase());
        assert!(
            is_name || !message.starts_with(char::is_uppercase),
            "begins like a title: {message}"
        );
        assert!(
            !message.ends_with(['.', '!', '?']),
            "ends like a book: {message}"
        );
        assert!(!message.contains('\n'), "more than a sentence: {message}");
        let hints = failure.hints();
        assert!(!hints.is_empty(), "no hint: {message}");
        for hint in hints {
            assert!(
                !hint.starts_with(char::is_uppercase) || hint.starts_with("PYTHON"),
                "{hint}"
            );
            assert!(!hint.ends_with(['.', '!']), "{hint}");
        }
        assert!(
            (1..=5).contains(&failure.kind.exit_code())
                || matches!(failure.kind, Kind::Bug | Kind::Interrupted)
        );
    }
}

/// The table of the page, by exit code.
fn table() -> String {
    let mut by_code: BTreeMap<u8, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for failure in every_failure() {
        let rows = by_code.entry(failure.kind.exit_code()).or_default();
        let cell = |text: &str| {
            text.replace('|', "\\|")
                .replace(&commit().to_string(), "COMMIT")
        };
        let hint = cell(&failure.hints().join("; "));
        rows.entry(cell(&failure.message)).or_default().insert(hint);
    }
    let mut text = String::new();
    for (code, rows) in by_code {
        let _ = write!(
            text,
            "\n## Exit code {code}\n\n| message | what to do |\n|---|---|\n"
        );
        for (message, hints) in rows {
            let hints: Vec<String> = hints.into_iter().collect();
            let _ = writeln!(text, "| {message} | {} |", hints.join("<br>"));
        }
    }
    text
}

const HEAD: &str = "\
# Troubleshooting

Every failure is one sentence after `error:` (or `waiting:`, where nothing went wrong and a person is needed), then what to do after `hint:`.
With `--format json` both are in `error`. `proctor doctor` looks at everything that a run needs before one is started.

Words in capitals stand for names of yours. This page is made from the samples in `crates/cli/src/failure_tests.rs`.
";

/// `UPDATE_DOCS=1 cargo test` writes the page.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the page is written on the developer's own word only"
)]
fn every_message_is_in_the_documentation() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/troubleshooting.md");
    let wanted = format!("{HEAD}{}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(place, &wanted).expect("the repository can be written");
    }
    let page = std::fs::read_to_string(place).unwrap_or_default();
    assert!(
        page == wanted,
        "docs/troubleshooting.md is to be:\n{wanted}"
    );
}
