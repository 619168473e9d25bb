//! What the commands themselves find wrong.

use std::collections::BTreeSet;

use proctor_core::edit::{Refusal, RefusalKind};
use proctor_core::gate::Reason;
use proctor_core::generation::{HeldSecret, Hold};
use proctor_core::path::PathProblem;
use proctor_core::workflow::Waiting;
use proctor_host::driver::DriveError;
use proctor_host::git::GitError;
use proctor_host::settings::SettingsError;

use super::{path, reason, setup, system, text};
use crate::failure::{Bug, Failure, Interruption, Misuse, Obstacle, Refused, Unanswered, Unsafe};

pub(super) fn commands(all: &mut Vec<Failure>) {
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
        Refused::NotAtReview { .. } => Refused::NotAtReview {
            run: text("RUN"), stage: "STAGE", resume: text("proctor resume RUN"),
        },
        Refused::Over { .. } => Refused::Over { run: text("RUN"), state: "merged" },
        Refused::Merged { .. } => Refused::Merged { run: text("RUN"), commit: text("COMMIT") },
        Refused::Rejected => Refused::Rejected,
        Refused::BranchMoved { .. } => Refused::BranchMoved { again: text("proctor review") },
        Refused::Hook(_) => Refused::Hook(GitError::Failed { command: text("hook run pre-commit"), message: reason() }),
        Refused::BrokenTrail { .. } => Refused::BrokenTrail { seq: 7, problem: "REASON" },
        Refused::Gate { .. } => Refused::Gate { colour: "red", reasons: vec![Reason {
            rule: text("RULE"), test: Some(text("TEST")), message: reason(),
        }] },
        Refused::Changes(_) => Refused::Changes(vec![Refusal {
            index: Some(1), kind: RefusalKind::NotFound, message: reason(), lines: Vec::new(),
        }]),
        Refused::NothingToChange(_) => Refused::NothingToChange(text("PATH")),
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
    });
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
pub(super) fn waiting(all: &mut Vec<Failure>) {
    every!(all, Unanswered {
        Unanswered::Parked { .. } => parked(Waiting::Review, true),
        Unanswered::NoTerminal { .. } => Unanswered::NoTerminal { again: text("proctor review") },
        Unanswered::Undecided { .. } => Unanswered::Undecided { again: text("proctor review") },
        Unanswered::NoMessage => Unanswered::NoMessage,
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
pub(super) fn unsafe_requests(all: &mut Vec<Failure>) {
    every!(all, Unsafe {
        Unsafe::Path(_) => Unsafe::Path(PathProblem::Empty),
        Unsafe::PathNotText => Unsafe::PathNotText,
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
