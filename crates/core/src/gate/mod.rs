//! The rules of the gates: whether a red and a green are valid.
//!
//! A gate concludes a [`Verdict`] from runs of the tests and from the test files' contents. It does not run anything
//! and does not read a runner's report; its input are [observations](crate::test_outcome).

mod analysis;
mod answers_elsewhere;
mod asking;
mod baseline;
mod blind;
mod case_names;
mod cause;
mod change;
mod check;
mod comparison;
mod conclusion;
pub mod exit_code_router;
mod feedback;
mod findings;
mod further_runs;
#[cfg(test)]
mod further_runs_tests;
mod green;
#[cfg(test)]
mod green_tests;
mod kind;
mod left_out_parts;
mod not_here;
mod order;
mod readability;
mod red;
mod red_suite;
#[cfg(test)]
mod red_tests;
mod refactor;
mod rerun;
mod rule;
mod seal;
mod settled;
mod several_parts;
mod source_flags;
mod stub_runs;
#[cfg(test)]
mod stub_runs_tests;
mod test_files;
#[cfg(test)]
mod testing;
mod twins;
mod untold;
mod usable;
mod verdict;
mod verified;
mod what_files_say;

pub use crate::test_outcome::TwinKind;
pub use analysis::{AnalysedFile, AnalysedTest, Analysis, SourceText, Weakness};
pub use answers_elsewhere::AloneRun;
pub use asking::Asking;
pub use baseline::{BaseTest, Baseline, BaselineError};
pub use blind::{
    Blind, BlindAgain, BlindPlace, BlindReport, BlindRun, BlindTest, By, Judgement, OpenPlace,
    PlaceOf,
};
pub use change::{ChangedFile, RefusedChange, SortedChange};
pub use check::{Check, CheckName, CheckOutcome};
pub use conclusion::VerdictWord;
pub use feedback::feedback;
pub use further_runs::{FurtherRuns, GreenRuns, WithoutChange};
pub use green::{GreenSuite, SeenSuite, judge_suite};
pub use kind::{ChangeKind, Readers};
pub use order::{GreenOrder, RedOrder, RedScope, SealedTests};
pub use readability::{ReadFile, refuse_unreadable};
pub use red::{RedRule, RedRuns, RedSuite, SeenScaffold, judge_scaffold};
pub use refactor::{ChangeSeen, DataFile, PassingSuite};
pub use rerun::{RerunOn, Reruns};
pub use rule::Rule;
pub use seal::IntactSeal;
pub use settled::SettledTests;
pub use source_flags::{FlagKind, SourceFlag, flag_of_mutants, flags_of_deeds};
pub use stub_runs::StubRuns;
pub use twins::{Apart, TwinRun};
pub use untold::Untold;
pub use usable::Unusable;
pub use verdict::{Disposition, Reason, TestLine, Verdict};
pub use verified::Verified;
