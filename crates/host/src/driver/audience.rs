//! The people around a run: who watches, and who decides.

use proctor_core::workflow::{
    Choice, Effect, Event, GateResult, LintResult, Presence, Run, TreeId,
};

use crate::git::FileMode;
use crate::journal::RunId;
use crate::model::Destination;

/// Somebody who is told what happens. Nothing depends on what they do with it.
pub trait Watcher {
    /// Work on this effect begins.
    fn begins(&mut self, run: &Run, effect: &Effect);

    /// A process that the current effect started printed a line.
    fn line(&mut self, line: &str);

    /// This happened and is journalled; `run` is as it is afterwards.
    fn happened(&mut self, run: &Run, event: &Event);

    /// Something worth knowing that changes nothing.
    fn remark(&mut self, text: &str);

    /// The first prompt of this run is about to go there.
    fn about_to_send(&mut self, destination: &Destination, tokens: usize);
}

/// Somebody who can be asked.
pub trait Approver {
    /// Whether anybody is there.
    fn presence(&self) -> Presence;

    /// Shows the sheet and asks for a decision; `None` if the person left without one.
    fn decide(&mut self, sheet: &ReviewSheet<'_>) -> Option<Choice>;

    /// Asks whether an existing file may be replaced; `None` if the person left without an answer.
    fn may_replace(&mut self, replacement: &Replacement<'_>) -> Option<bool>;
}

/// What a person decides about at the review gate.
#[derive(Debug)]
pub struct ReviewSheet<'a> {
    /// The run.
    pub run: &'a RunId,
    /// The issue.
    pub issue: &'a str,
    /// The branch that the tree would be merged into.
    pub base_branch: &'a str,
    /// Exactly what would be merged.
    pub tree: &'a TreeId,
    /// Every file that differs from the base, tests first.
    pub files: Vec<ReviewedFile>,
    /// The red gate's verdict.
    pub red: Option<&'a GateResult>,
    /// The green gate's verdict.
    pub green: Option<&'a GateResult>,
    /// The linter's.
    pub lint: Option<&'a LintResult>,
}

/// One file of the diff.
#[derive(Debug, Clone)]
pub struct ReviewedFile {
    /// Its name, in bytes as git has it.
    pub path: Vec<u8>,
    /// Mode and content before, if it was there.
    pub before: Option<(FileMode, Vec<u8>)>,
    /// Mode and content after, if it still is.
    pub after: Option<(FileMode, Vec<u8>)>,
    /// What a person should notice, such as `TEST`, `OUTSIDE-LLD`, `PROTECTED`.
    pub labels: Vec<&'static str>,
}

/// A write that needs permission.
#[derive(Debug)]
pub struct Replacement<'a> {
    /// The file.
    pub path: &'a str,
    /// Its content now.
    pub before: &'a [u8],
    /// What the model wants it to be.
    pub after: &'a [u8],
}
