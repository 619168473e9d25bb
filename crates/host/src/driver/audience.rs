//! The people around a run: the watchers, and the approver.

use proctor_core::approval::{Evidence, GateEvidence};
use proctor_core::gate::{Verdict, VerdictWord};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::review_gate::ReportedFile;
use proctor_core::workflow::{Choice, Effect, Event, GateResult, LintResult, Reopening, Run};

use crate::approval::PasskeyHolder;
use crate::journal::RunId;
use crate::model::{Destination, News};
use crate::safe_write::WriteApprover;

/// An observer of events. Nothing depends on its reaction.
pub trait Watcher {
    /// Work on this effect begins.
    fn begins(&mut self, run: &Run, effect: &Effect);

    /// The current effect consists of several; this one begins now. In it tests may fail on purpose.
    fn check(&mut self, what: &str);

    /// A process that the current effect started printed a line.
    fn line(&mut self, line: &str);

    /// This happened and is journalled; `run` is as it is afterwards.
    fn record(&mut self, run: &Run, event: &Event);

    /// The model that was asked has not answered yet, but there is something to tell.
    fn model_news(&mut self, news: &News);

    /// Something worth knowing that changes nothing.
    fn remark(&mut self, text: &str);

    /// The first prompt of this run is about to go there.
    fn about_to_send(&mut self, destination: &Destination, tokens: usize);
}

/// A person who can be asked.
pub trait Approver: WriteApprover + PasskeyHolder {
    /// Where they are asked, for the record.
    fn place(&self) -> String;

    /// Shows the sheet and asks for a decision; `None` if the person left without one.
    fn decide(&mut self, sheet: &ReviewSheet<'_>) -> Option<Choice>;

    /// Shows how a person's own edit changes the tests, and asks whether it takes their place; `None` without an answer.
    fn choose_tests(&mut self, files: &[ReportedFile]) -> Option<TestsAnswer>;

    /// Asks for a line of the person's own words; `None` if they left without one.
    fn ask_for_words(&mut self, question: &str) -> Option<String>;
}

/// A person's decision about their own edit of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestsAnswer {
    /// It replaces the tests.
    Take,
    /// The tests are put back, and the edit is kept aside.
    Restore,
}

/// Whose change is reviewed.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// The tree of a run.
    Run {
        /// The run's id.
        run: &'a RunId,
        /// Its issue.
        issue: &'a str,
        /// The branch that the tree would be merged into.
        base_branch: &'a str,
    },
    /// The person's own, in their checkout.
    Own {
        /// The branch that the commit would be on; a commit's id where none is checked out.
        branch: &'a str,
        /// A description of the changes.
        what: &'a str,
        /// Directories that a list inside the git directory hides, and how many files they have.
        left_out: &'a [(String, usize)],
    },
}

impl Subject<'_> {
    /// Where it would go.
    pub fn branch(&self) -> &str {
        match self {
            Self::Run { base_branch, .. } => base_branch,
            Self::Own { branch, .. } => branch,
        }
    }
}

/// The sheet that a person decides by at the review gate.
#[derive(Debug)]
pub struct ReviewSheet<'a> {
    /// Whose change it is.
    pub subject: Subject<'a>,
    /// Its subject: the title of a run's document, without the issue.
    pub about: String,
    /// The commit that it is shown against; none for a first commit.
    pub base: Option<&'a CommitId>,
    /// Exactly the tree that would be committed.
    pub tree: &'a TreeId,
    /// Every file that differs from the base, in the order in which it is read.
    pub files: Vec<ReportedFile>,
    /// Tests that were changed after they had been sealed: from how they were first to how they are.
    pub opened: Vec<ReportedFile>,
    /// The requesters and reasons of changes to sealed tests.
    pub reopenings: &'a [Reopening],
    /// The red gate's verdict.
    pub red: Option<&'a GateResult>,
    /// The green gate's verdict.
    pub green: Option<&'a GateResult>,
    /// The linter's result.
    pub lint: Option<&'a LintResult>,
}

impl<'a> ReviewSheet<'a> {
    /// A change that no gate has judged.
    pub(crate) fn unjudged(
        subject: Subject<'a>,
        base: Option<&'a CommitId>,
        tree: &'a TreeId,
        files: Vec<ReportedFile>,
    ) -> Self {
        Self {
            subject,
            about: String::new(),
            base,
            tree,
            files,
            opened: Vec::new(),
            reopenings: &[],
            red: None,
            green: None,
            lint: None,
        }
    }

    /// The facts about the tree besides its contents, as another machine could reproduce them.
    pub fn evidence(&self) -> Evidence {
        let gate = |result: &GateResult, word: fn(&Verdict) -> VerdictWord| {
            GateEvidence::of(word(&result.verdict), &result.verdict, result.sandbox)
        };
        let lint = self.lint.map(|lint| match lint {
            LintResult::Absent => "absent",
            LintResult::Clean { .. } => "clean",
            LintResult::Complaints { .. } => "complaints",
            LintResult::Unusable { .. } => "unusable",
        });
        Evidence {
            base: self.base.cloned(),
            tree: self.tree.clone(),
            red: self.red.map(|result| gate(result, VerdictWord::red)),
            green: self.green.map(|result| gate(result, VerdictWord::green)),
            lint: lint.map(str::to_owned),
        }
    }
}
