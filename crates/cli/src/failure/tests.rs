//! Every failure in one style and in the documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proctor_core::failure::{Kind, Sampled as _};
use proctor_core::merge::MergeError;
use proctor_core::path::PathProblem;
use proctor_core::permission::REVIEW_CANNOT_BE_BYPASSED;
use proctor_host::approval::{RosterError, SignError, VerifyError};
use proctor_host::driver::{DocumentError, DriveError, IntakeError, StartError};
use proctor_host::files::{FileError, OwnFileError};
use proctor_host::gate::{ChangeError, GateError};
use proctor_host::git::{Discovery, GitError, OwnCommitError, SnapshotError, WorktreeError};
use proctor_host::guard::GuardError;
use proctor_host::journal::{JournalError, RunLockError};
use proctor_host::model::{ModelError, ServiceFailure, SpecError};
use proctor_host::preparation::PreparationError;
use proctor_host::process::SandboxError;
use proctor_host::safe_write::WriteError;
use proctor_host::settings::SettingsError;
use proctor_host::test_runner::RunnerError;
use proctor_host::trust::TrustError;
use proctor_host::working_changes::WorkingChangesError;
use proctor_host::workspace::BaseError;
use proctor_testkit::assert_message_style;

use super::{Bug, Failure, Interruption, Misuse, Obstacle, Refused, Unanswered, Unsafe};

/// A sample of every failure that a user can meet. `crates/cli/tests/end_to_end/messages` provokes the failures that
/// the page lists.
fn every_failure() -> Vec<Failure> {
    let mut all = Vec::new();
    macro_rules! of {
        ($($error:ty),+ $(,)?) => {
            $(all.extend(<$error>::samples().into_iter().map(Failure::from));)+
        };
    }
    of!(
        Discovery,
        GitError,
        OwnCommitError,
        SnapshotError,
        WorktreeError,
        JournalError,
        RunLockError,
        SettingsError,
        TrustError,
        SpecError,
        ModelError,
        ServiceFailure,
        IntakeError,
        DocumentError,
        StartError,
        DriveError,
        GateError,
        ChangeError,
        GuardError,
        PreparationError,
        SandboxError,
        RunnerError,
        FileError,
        OwnFileError,
        WriteError,
        WorkingChangesError,
        SignError,
        VerifyError,
        RosterError,
        BaseError,
        MergeError,
        PathProblem,
        Bug,
        Interruption,
        Misuse,
        Obstacle,
        Refused,
        Unanswered,
        Unsafe,
    );
    // As a run words it, which can name itself.
    all.push(Failure::from(DriveError::Interrupted).hint("go on with `proctor resume RUN`"));
    all
}

#[test]
fn every_message_is_one_lower_case_sentence_with_a_hint() {
    for failure in every_failure() {
        // Each item of the list below the sentence has its own line.
        let message = failure.message.lines().next().unwrap_or_default();
        assert_message_style(message);
        let promised = message.starts_with(REVIEW_CANNOT_BE_BYPASSED);
        assert!(
            promised || !message.contains(". "),
            "two sentences: {message}"
        );
        let hints = failure.hints();
        assert!(!hints.is_empty(), "no hint: {message}");
        hints.into_iter().for_each(assert_message_style);
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
                .replace('\n', "<br>")
                .replace(&"0".repeat(40), "COMMIT")
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
With `PROCTOR_LOG=debug` in the environment every command also says on standard error which processes it started, git's among them: how
each ended, how long it took and its arguments, in which keys are masked. `trace` says it before they start as well. Live lines and the pager are off meanwhile.

Words in capitals stand for names of yours. This page is made from the samples beside every error.
";

#[test]
fn every_message_is_in_the_documentation() {
    proctor_testkit::expect_page("troubleshooting.md", &format!("{HEAD}{}", table()));
}
