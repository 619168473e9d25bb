//! The machine that takes a run from a design document to a merge.
//!
//! An [`Event`] is a fact from outside, an [`Effect`] a request to it. [`step`] takes a [`Run`] and an event and
//! returns the run afterwards; [`Run::effect`] is the next task. Both are pure, so a run is its journal: replaying the
//! events gives the same run and the same next effect, which is how a run survives a crash.
//!
//! The alternative, storing the current state, was rejected: two writes that have to agree can disagree, and an audit
//! trail that the program does not run on is decoration.

mod candidate;
mod conversation;
mod effect;
mod event;
mod machine;
mod reopening;
mod retry_budget;
mod run;
mod stage;
mod transitions;
mod verdicts;

pub use candidate::Staged;
pub use conversation::Usage;
pub use effect::{Effect, MergeOrder};
pub use event::{Choice, ContextLoaded, Decision, Event, GateResult, GateRun, LintResult, Started};
pub use machine::{Unexpected, step};
pub use reopening::{Asker, Reopening};
pub use retry_budget::{ATTEMPTS, Attempts, CUT_OFF_REPLIES};
pub use run::Run;
pub use stage::{Stage, State, Waiting};
pub use transitions::{From, Signal, TRANSITIONS, To, Transition, mermaid};
