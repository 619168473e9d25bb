//! How a large file is changed: the person chooses, sees what comes of it, and confirms that.

use std::os::fd::AsFd;

use proctor_core::context::ProjectPath;
use proctor_core::merge::{Merge, MergeError, Strategy};
use proctor_core::safe_write::Proposal;

use super::document::{Document, Part, Topic};
use super::prompt::TerminalApprover;
use super::replacement_view::{change_lines, whole_change};
use super::style::{Ink, Line};
use super::text::visible;

const MENU: &str = "Type APPEND, INSERT, EXTEND or REPLACE to see what it does, WHOLE for the whole \
                    difference, SKIP or ABORT:";
const CONFIRM: &str =
    "Type WRITE to write exactly this, WHOLE to see all of it, BACK to choose again:";
const LEFT: &str = "Nothing was decided; the file stays as it is.";
const HIDDEN: &str = "type WHOLE to see them in a pager";

/// A write that a person has to look at.
#[derive(Debug)]
pub(crate) struct WriteQuestion<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) before: Option<&'a [u8]>,
    pub(crate) given: &'a [u8],
    /// What was asked for on the command line.
    pub(crate) wanted: Merge,
}

/// What the person said.
#[derive(Debug)]
pub(crate) enum WriteAnswer {
    /// Exactly this.
    Write(Box<Proposal>),
    /// Not this file.
    Skip,
    /// Nothing at all.
    Abort,
}

#[derive(Debug, Clone, Copy)]
enum Choice {
    Try(Strategy),
    Whole,
    Skip,
    Abort,
}

#[derive(Debug, Clone, Copy)]
enum Confirmation {
    Write,
    Whole,
    Back,
}

impl<Input: AsFd> TerminalApprover<Input> {
    /// Asks how to write; `None` if the person left without an answer.
    pub(crate) fn ask_about_write(&self, question: &WriteQuestion<'_>) -> Option<WriteAnswer> {
        let choices = [
            ("APPEND", Choice::Try(Strategy::Append)),
            ("INSERT", Choice::Try(Strategy::Insert)),
            ("EXTEND", Choice::Try(Strategy::Extend)),
            ("REPLACE", Choice::Try(Strategy::Replace)),
            ("WHOLE", Choice::Whole),
            ("SKIP", Choice::Skip),
            ("ABORT", Choice::Abort),
        ];
        let wanted = question.proposal(question.wanted);
        let first = wanted.or_else(|_| question.proposal(Merge::Replace)).ok()?;
        let mut shown = change_lines(&first, HIDDEN);
        loop {
            let choice = self.ask(&shown, MENU, &choices, LEFT)?;
            shown = Vec::new();
            let merge = match choice {
                Choice::Skip => return Some(WriteAnswer::Skip),
                Choice::Abort => return Some(WriteAnswer::Abort),
                Choice::Whole => {
                    self.page(&first);
                    continue;
                }
                Choice::Try(Strategy::Insert) => self.ask_for_line()?,
                Choice::Try(Strategy::Append) => Merge::Append,
                Choice::Try(Strategy::Extend) => Merge::Extend,
                Choice::Try(Strategy::Replace) => Merge::Replace,
            };
            match question.proposal(merge) {
                Err(error) => shown = refusal(&error),
                Ok(proposal) => {
                    if self.confirm(&proposal)? {
                        return Some(WriteAnswer::Write(Box::new(proposal)));
                    }
                }
            }
        }
    }

    /// Shows what exactly would be written; whether the person agrees.
    fn confirm(&self, proposal: &Proposal) -> Option<bool> {
        let answers = [
            ("WRITE", Confirmation::Write),
            ("WHOLE", Confirmation::Whole),
            ("BACK", Confirmation::Back),
        ];
        let mut shown = change_lines(proposal, HIDDEN);
        loop {
            match self.ask(&shown, CONFIRM, &answers, LEFT)? {
                Confirmation::Write => return Some(true),
                Confirmation::Back => return Some(false),
                Confirmation::Whole => self.page(proposal),
            }
            shown = Vec::new();
        }
    }

    fn ask_for_line(&self) -> Option<Merge> {
        let typed = self.ask_freely("Which line is it to begin at?", LEFT)?;
        // What is no number is no line of the file either.
        let line = typed.trim().parse().unwrap_or(0);
        Some(Merge::Insert { line })
    }

    fn page(&self, proposal: &Proposal) {
        let make = |_| whole_change(proposal);
        let part = Part::new(Topic::Overview, proposal.path.as_str(), make);
        // What cannot be shown is not asked about: the question that follows fails as well.
        let _ = self.show(&Document::new(vec![part]));
    }
}

impl WriteQuestion<'_> {
    fn proposal(&self, merge: Merge) -> Result<Proposal, MergeError> {
        let before = self.before.map(<[u8]>::to_vec);
        Proposal::new(self.path.clone(), before, self.given.to_vec(), merge)
    }
}

fn refusal(error: &MergeError) -> Vec<Line> {
    let message = visible(&error.to_string());
    vec![
        Line::of(Ink::Alarm, format!("That does not work: {message}")),
        Line::of(Ink::Plain, format!("hint: {}", error.hint())),
    ]
}
