//! The transition table: the machine itself, not a description of it.
//!
//! [`step`](super::step) turns an event into a [`Signal`] and looks the signal up here; a transition that is not in the
//! table cannot happen. `proctor graph` draws the same rows.

use std::fmt::Write as _;

use super::Stage;

/// Where a row starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The stage is being worked on.
    At(Stage),
    /// The run is parked at this stage.
    ParkedAt(Stage),
}

/// Where a row leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// On with this stage.
    Go(Stage),
    /// Rest at the current stage until a person comes.
    Park,
    /// The run is done.
    Merged,
    /// Ended by a person.
    Aborted,
}

/// The meaning of an event for the machine, given counters and verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signal {
    /// Design document and context are usable.
    ContextLoaded,
    /// The worktree exists.
    WorktreeCreated,
    /// The suite ran at the base.
    BaselineTaken,
    /// The request may not leave.
    RequestHeld,
    /// The model answered.
    Replied,
    /// The reply was refused and an attempt is left.
    Refused,
    /// Files were written and more are to be asked for.
    WroteSome,
    /// All files of this round are written.
    WroteAll,
    /// A write needs a person.
    WriteHeld,
    /// The model gave up.
    GaveUp,
    /// A gate accepted.
    Accepted,
    /// The red gate accepted tests for which there is an implementation already.
    AcceptedAgain,
    /// A gate sends the work back and an attempt is left.
    Revise,
    /// The tests are at fault and an attempt at them is left.
    TestsAtFault,
    /// The tests are at fault, but the attempts at them are spent.
    TestsSpent,
    /// The model calls the tests wrong, and a person has to say whether they are.
    Disputed,
    /// A person has the tests written again.
    TestsReopened,
    /// A person's own tests replace the current ones.
    TestsTaken,
    /// The red gate refuses tests that a person wrote.
    OwnTestsRefused,
    /// Work would go back, but the attempts are spent.
    AttemptsSpent,
    /// A gate could not judge.
    Escalated,
    /// A person approved the very tree that was judged.
    Approved,
    /// A person sends the work back with comments.
    Commented,
    /// A person sends the work back with comments that are about tests.
    CommentedTests,
    /// A person goes back to the last green that was accepted.
    Recalled,
    /// A person rejected.
    Rejected,
    /// No person could be asked.
    NoOneToAsk,
    /// The base branch moved; the merged tree has to be judged again.
    BaseMoved,
    /// The base branch clashes.
    Conflicted,
    /// The base branch's checkout cannot follow.
    CheckoutBusy,
    /// It is on the base branch.
    Merged,
    /// A person continues where the run stopped.
    Resumed,
    /// A person continues and grants the model more attempts.
    MoreAttempts,
    /// The same for tests that are at fault.
    MoreTests,
    /// A person ends the run.
    Aborted,
}

impl Signal {
    /// The words on the arrow.
    pub fn label(self) -> &'static str {
        match self {
            Self::ContextLoaded => "context loaded",
            Self::WorktreeCreated => "worktree created",
            Self::BaselineTaken => "baseline taken",
            Self::RequestHeld => "request may not leave",
            Self::Replied => "model replied",
            Self::Refused => "reply refused",
            Self::WroteSome => "file written, more to ask for",
            Self::WroteAll => "files written",
            Self::WriteHeld => "write needs a person",
            Self::GaveUp => "model gave up",
            Self::Accepted => "accepted",
            Self::AcceptedAgain => "accepted, implementation kept",
            Self::Revise => "sent back",
            Self::TestsAtFault => "tests are wrong",
            Self::TestsSpent => "tests are wrong, attempts spent",
            Self::Disputed => "tests are wrong, says the model again",
            Self::TestsReopened => "resume with words about the tests",
            Self::TestsTaken => "tests of a person's own",
            Self::OwnTestsRefused => "a person's tests sent back",
            Self::AttemptsSpent => "attempts spent",
            Self::Escalated => "cannot be judged",
            Self::Approved => "APPROVE",
            Self::Commented => "comments",
            Self::CommentedTests => "comments on tests",
            Self::Recalled => "review of the last green",
            Self::Rejected => "REJECT",
            Self::NoOneToAsk => "no one to ask",
            Self::BaseMoved => "base moved",
            Self::Conflicted => "conflict",
            Self::CheckoutBusy => "checkout busy",
            Self::Merged => "merged",
            Self::Resumed => "resume",
            Self::MoreAttempts => "resume with new attempts",
            Self::MoreTests => "resume with new attempts at the tests",
            Self::Aborted => "abort",
        }
    }
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// Where the run is.
    pub from: From,
    /// The event's signal.
    pub on: Signal,
    /// Where it goes.
    pub to: To,
}

const fn at(stage: Stage, on: Signal, to: To) -> Transition {
    Transition {
        from: From::At(stage),
        on,
        to,
    }
}

const fn parked(stage: Stage, on: Signal, to: To) -> Transition {
    Transition {
        from: From::ParkedAt(stage),
        on,
        to,
    }
}

use Signal as S;
use Stage::{GreenGate, Implement, Lint, LoadContext, Merge, RedGate, Review, Scaffold};
use To::{Go, Park};

/// Every way from one stage to another.
#[rustfmt::skip]
pub const TRANSITIONS: &[Transition] = &[
    at(LoadContext, S::ContextLoaded,   Go(LoadContext)),
    at(LoadContext, S::WorktreeCreated, Go(LoadContext)),
    at(LoadContext, S::BaselineTaken,   Go(Scaffold)),
    at(LoadContext, S::Aborted,         To::Aborted),

    at(Scaffold,    S::RequestHeld,     Park),
    at(Scaffold,    S::Replied,         Go(Scaffold)),
    at(Scaffold,    S::WroteAll,        Go(RedGate)),
    at(Scaffold,    S::Refused,         Go(Scaffold)),
    at(Scaffold,    S::AttemptsSpent,   Park),
    at(Scaffold,    S::GaveUp,          Park),
    at(Scaffold,    S::WriteHeld,       Park),
    at(Scaffold,    S::TestsReopened,   Go(Scaffold)),
    at(Scaffold,    S::TestsTaken,      Go(RedGate)),
    at(Scaffold,    S::Recalled,        Go(Review)),
    at(Scaffold,    S::Aborted,         To::Aborted),

    at(RedGate,     S::BaselineTaken,   Go(RedGate)),
    at(RedGate,     S::Accepted,        Go(Implement)),
    at(RedGate,     S::AcceptedAgain,   Go(GreenGate)),
    at(RedGate,     S::Revise,          Go(Scaffold)),
    at(RedGate,     S::AttemptsSpent,   Park),
    at(RedGate,     S::Escalated,       Park),
    at(RedGate,     S::OwnTestsRefused, Park),
    at(RedGate,     S::TestsReopened,   Go(Scaffold)),
    at(RedGate,     S::TestsTaken,      Go(RedGate)),
    at(RedGate,     S::Recalled,        Go(Review)),
    at(RedGate,     S::Aborted,         To::Aborted),

    at(Implement,   S::RequestHeld,     Park),
    at(Implement,   S::Replied,         Go(Implement)),
    at(Implement,   S::WroteSome,       Go(Implement)),
    at(Implement,   S::WroteAll,        Go(GreenGate)),
    at(Implement,   S::Refused,         Go(Implement)),
    at(Implement,   S::AttemptsSpent,   Park),
    at(Implement,   S::GaveUp,          Park),
    at(Implement,   S::WriteHeld,       Park),
    at(Implement,   S::TestsAtFault,    Go(Scaffold)),
    at(Implement,   S::Disputed,        Park),
    at(Implement,   S::TestsReopened,   Go(Scaffold)),
    at(Implement,   S::TestsTaken,      Go(RedGate)),
    at(Implement,   S::Recalled,        Go(Review)),
    at(Implement,   S::Aborted,         To::Aborted),

    at(GreenGate,   S::BaselineTaken,   Go(GreenGate)),
    at(GreenGate,   S::Accepted,        Go(Lint)),
    at(GreenGate,   S::Revise,          Go(Implement)),
    at(GreenGate,   S::AttemptsSpent,   Park),
    at(GreenGate,   S::Escalated,       Park),
    at(GreenGate,   S::TestsAtFault,    Go(Scaffold)),
    at(GreenGate,   S::TestsSpent,      Park),
    at(GreenGate,   S::TestsReopened,   Go(Scaffold)),
    at(GreenGate,   S::TestsTaken,      Go(RedGate)),
    at(GreenGate,   S::Recalled,        Go(Review)),
    at(GreenGate,   S::Aborted,         To::Aborted),

    at(Lint,        S::Accepted,        Go(Review)),
    at(Lint,        S::Revise,          Go(Implement)),
    at(Lint,        S::AttemptsSpent,   Go(Review)),
    at(Lint,        S::TestsReopened,   Go(Scaffold)),
    at(Lint,        S::TestsTaken,      Go(RedGate)),
    at(Lint,        S::Recalled,        Go(Review)),
    at(Lint,        S::Aborted,         To::Aborted),

    at(Review,      S::Approved,        Go(Merge)),
    at(Review,      S::Commented,       Go(Implement)),
    at(Review,      S::CommentedTests,  Go(Scaffold)),
    at(Review,      S::TestsReopened,   Go(Scaffold)),
    at(Review,      S::TestsTaken,      Go(RedGate)),
    at(Review,      S::Rejected,        To::Aborted),
    at(Review,      S::NoOneToAsk,          Park),
    at(Review,      S::Aborted,         To::Aborted),

    at(Merge,       S::Merged,          To::Merged),
    at(Merge,       S::BaseMoved,       Go(GreenGate)),
    at(Merge,       S::Conflicted,      Park),
    at(Merge,       S::CheckoutBusy,    Park),
    at(Merge,       S::Aborted,         To::Aborted),

    parked(Scaffold,  S::Resumed,       Go(Scaffold)),
    parked(Scaffold,  S::MoreAttempts,  Go(Scaffold)),
    parked(Scaffold,  S::TestsReopened, Go(Scaffold)),
    parked(Scaffold,  S::TestsTaken,    Go(RedGate)),
    parked(Scaffold,  S::Recalled,      Go(Review)),
    parked(Scaffold,  S::Aborted,       To::Aborted),
    parked(RedGate,   S::Resumed,       Go(RedGate)),
    parked(RedGate,   S::MoreAttempts,  Go(Scaffold)),
    parked(RedGate,   S::TestsReopened, Go(Scaffold)),
    parked(RedGate,   S::TestsTaken,    Go(RedGate)),
    parked(RedGate,   S::Recalled,      Go(Review)),
    parked(RedGate,   S::Aborted,       To::Aborted),
    parked(Implement, S::Resumed,       Go(Implement)),
    parked(Implement, S::MoreAttempts,  Go(Implement)),
    parked(Implement, S::TestsReopened, Go(Scaffold)),
    parked(Implement, S::TestsTaken,    Go(RedGate)),
    parked(Implement, S::Recalled,      Go(Review)),
    parked(Implement, S::Aborted,       To::Aborted),
    parked(GreenGate, S::Resumed,       Go(GreenGate)),
    parked(GreenGate, S::MoreAttempts,  Go(Implement)),
    parked(GreenGate, S::MoreTests,     Go(Scaffold)),
    parked(GreenGate, S::TestsReopened, Go(Scaffold)),
    parked(GreenGate, S::TestsTaken,    Go(RedGate)),
    parked(GreenGate, S::Recalled,      Go(Review)),
    parked(GreenGate, S::Aborted,       To::Aborted),
    parked(Review,    S::Resumed,       Go(Review)),
    parked(Review,    S::TestsReopened, Go(Scaffold)),
    parked(Review,    S::TestsTaken,    Go(RedGate)),
    parked(Review,    S::Aborted,       To::Aborted),
    parked(Merge,     S::Resumed,       Go(Merge)),
    parked(Merge,     S::TestsReopened, Go(Scaffold)),
    parked(Merge,     S::TestsTaken,    Go(RedGate)),
    parked(Merge,     S::Aborted,       To::Aborted),
];

/// The row for a signal, if there is one.
pub(super) fn lookup(from: From, on: Signal) -> Option<To> {
    TRANSITIONS
        .iter()
        .find(|row| row.from == from && row.on == on)
        .map(|row| row.to)
}

/// The table as a Mermaid state diagram.
pub fn mermaid() -> String {
    let mut text = String::from("stateDiagram-v2\n");
    for stage in Stage::ALL {
        let _ = writeln!(
            text,
            "    {} : {} {}",
            stage.title(),
            stage.node(),
            stage.title()
        );
    }
    let _ = writeln!(text, "    [*] --> {}", Stage::LoadContext.title());
    for row in TRANSITIONS {
        let (from, parked_at) = match row.from {
            From::At(stage) => (stage.title(), String::new()),
            From::ParkedAt(stage) => ("Parked", format!(" (at {})", stage.title())),
        };
        let to = match row.to {
            Go(stage) => stage.title(),
            Park => "Parked",
            To::Merged => "Merged",
            To::Aborted => "Aborted",
        };
        let _ = writeln!(text, "    {from} --> {to} : {}{parked_at}", row.on.label());
    }
    text.push_str("    Merged --> [*]\n    Aborted --> [*]\n");
    text
}
