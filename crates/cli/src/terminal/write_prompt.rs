//! How large files are changed: the person chooses, sees the result, and confirms it.
//!
//! Several files begin with an overview and are then decided about one by one; the choice for one may be repeated for
//! all the rest that it works for.

use std::os::fd::AsFd;

use proctor_core::diff::Excerpt;
use proctor_core::failure::Explained as _;
use proctor_core::merge::{Merge, MergeError, Strategy};
use proctor_core::safe_write::{Proposal, Way};
use proctor_host::safe_write::WriteAnswer;

use super::document::{Document, Part, Topic};
use super::prompt::TerminalApprover;
use super::replacement_view::{change_lines, numbers, whole_change};
use super::style::{Ink, Line, blank};
use super::text::counted;

const LEFT: &str = "Nothing was decided; no file was changed.";
const HIDDEN: &str = "type WHOLE to see them in a pager";

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
    All,
    Whole,
    Back,
}

/// The result of one question.
enum Chosen {
    This(Proposal),
    /// This one, and the same way for as many of the others as it works for.
    All(Proposal, Merge),
    Skip,
    Abort,
}

impl<Input: AsFd> TerminalApprover<Input> {
    /// Asks how to write each file; `None` if the person left without an answer.
    pub(super) fn ask_about_writes(&self, questions: &[&Proposal]) -> Option<WriteAnswer> {
        let mut chosen: Vec<Option<Proposal>> = Vec::new();
        chosen.resize_with(questions.len(), || None);
        if questions.len() > 1 {
            self.screen().take_down();
            self.screen().print(&overview(questions)).ok()?;
        }
        for (index, question) in questions.iter().enumerate() {
            if chosen[index].is_some() {
                continue;
            }
            let open: Vec<usize> = (index + 1..questions.len())
                .filter(|other| chosen[*other].is_none())
                .collect();
            if questions.len() > 1 {
                let place = format!("File {} of {}", index + 1, questions.len());
                let place = [blank(), Line::of(Ink::Strong, place)];
                self.screen().print(&place).ok()?;
            }
            match self.ask_about_write(question, open.len())? {
                Chosen::Skip => return Some(WriteAnswer::Skip(question.path.clone())),
                Chosen::Abort => return Some(WriteAnswer::Abort),
                Chosen::This(proposal) => chosen[index] = Some(proposal),
                Chosen::All(proposal, merge) => {
                    chosen[index] = Some(proposal);
                    for (other, proposal) in self.same_for(questions, &open, merge)? {
                        chosen[other] = Some(proposal);
                    }
                }
            }
        }
        Some(WriteAnswer::Write(chosen.into_iter().flatten().collect()))
    }

    /// Asks about one file, of which `others` are still to come.
    fn ask_about_write(&self, question: &Proposal, others: usize) -> Option<Chosen> {
        let mut choices: Vec<(&str, Choice)> = NAMES
            .into_iter()
            .filter(|(_, strategy)| question.strategies().contains(strategy))
            .map(|(name, strategy)| (name, Choice::Try(strategy)))
            .collect();
        // The requested way comes first; replacing, which is the default without a request, stays last.
        if let Some(asked) = asked_for(question) {
            choices.sort_by_key(|(name, _)| *name != asked);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let menu = format!(
            "Type {} to see what it does, WHOLE for the whole difference, SKIP or ABORT:",
            either(&names)
        );
        choices.extend([
            ("WHOLE", Choice::Whole),
            ("SKIP", Choice::Skip),
            ("ABORT", Choice::Abort),
        ]);
        let mut shown = self.before_question(question);
        loop {
            let choice = self.ask(&shown, &menu, &choices, LEFT)?;
            shown = Vec::new();
            let merge = match choice {
                Choice::Skip => return Some(Chosen::Skip),
                Choice::Abort => return Some(Chosen::Abort),
                Choice::Whole => {
                    self.page(question);
                    continue;
                }
                Choice::Try(Strategy::Insert) => self.ask_for_line()?,
                Choice::Try(Strategy::Append) => Merge::Append,
                Choice::Try(Strategy::Extend) => Merge::Extend,
                Choice::Try(Strategy::Replace) => Merge::Replace,
            };
            match question.by(merge) {
                Err(error) => shown = refusal(&error),
                Ok(proposal) => match self.confirm(&proposal, others)? {
                    Confirmation::Write => return Some(Chosen::This(proposal)),
                    Confirmation::All => return Some(Chosen::All(proposal, merge)),
                    Confirmation::Back | Confirmation::Whole => {}
                },
            }
        }
    }

    /// Shows exactly the text that would be written; returns the person's answer.
    fn confirm(&self, proposal: &Proposal, others: usize) -> Option<Confirmation> {
        let mut question = "Type WRITE to write exactly this, WHOLE to see all of it".to_owned();
        let mut answers = vec![
            ("WRITE", Confirmation::Write),
            ("WHOLE", Confirmation::Whole),
            ("BACK", Confirmation::Back),
        ];
        // A line of one file says nothing about another.
        if others > 0 && !matches!(proposal.way, Way::Merged(Merge::Insert { .. })) {
            question += ", ALL for the same with the rest";
            answers.push(("ALL", Confirmation::All));
        }
        question += ", BACK to choose again:";
        let mut shown = self.before_question(proposal);
        loop {
            match self.ask(&shown, &question, &answers, LEFT)? {
                Confirmation::Whole => self.page(proposal),
                other => return Some(other),
            }
            shown = Vec::new();
        }
    }

    /// The same way for those of the rest that it works for, if the person agrees to the result.
    fn same_for(
        &self,
        questions: &[&Proposal],
        open: &[usize],
        merge: Merge,
    ) -> Option<Vec<(usize, Proposal)>> {
        let fitting: Vec<(usize, Proposal)> = open
            .iter()
            .filter(|index| questions[**index].strategies().contains(&merge.strategy()))
            .filter_map(|index| Some((*index, questions[*index].by(merge).ok()?)))
            .collect();
        let mut shown = vec![blank()];
        shown.extend(fitting.iter().map(|(_, proposal)| summary(proposal)));
        let left = open.len() - fitting.len();
        if left > 0 {
            let words = format!(
                "{} cannot be changed this way; you will be asked",
                counted(left, "file")
            );
            shown.push(Line::of(Ink::Alarm, words));
        }
        if fitting.is_empty() {
            self.screen().print(&shown).ok()?;
            return Some(fitting);
        }
        let question = "Type WRITE to write all of these, BACK to see them one by one:";
        let answers = [("WRITE", true), ("BACK", false)];
        let agreed = self.ask(&shown, question, &answers, LEFT)?;
        Some(if agreed { fitting } else { Vec::new() })
    }

    fn ask_for_line(&self) -> Option<Merge> {
        let typed = self.ask_freely("Which line is it to begin at?", LEFT)?;
        // Anything but a number is not a line of the file either.
        let line = typed.trim().parse().unwrap_or(0);
        Some(Merge::Insert { line })
    }

    /// The lines above a question about a change: the beginning of the difference or, where that is longer than the
    /// screen and there is a pager, the numbers alone, after the whole was shown there.
    fn before_question(&self, proposal: &Proposal) -> Vec<Line> {
        let preview = change_lines(proposal, HIDDEN);
        let rows = preview.clone();
        let part = Part::new(Topic::Overview, proposal.path.as_str(), move |_| {
            rows.clone()
        });
        if !self.is_paged(&Document::new(vec![part])) {
            return preview;
        }
        self.page(proposal);
        numbers(proposal)
    }

    fn page(&self, proposal: &Proposal) {
        let make = |_| {
            let mut lines = numbers(proposal);
            lines.extend(whole_change(proposal));
            lines
        };
        let part = Part::new(Topic::Overview, proposal.path.as_str(), make);
        // If it cannot be shown, nothing is asked: the question that follows fails as well.
        let _ = self.show(&Document::new(vec![part]), None);
    }
}

/// The word for the strategy that was asked for, if it is not simply to replace.
fn asked_for(question: &Proposal) -> Option<&'static str> {
    let Way::Merged(merge) = question.way else {
        return None;
    };
    let mut names = NAMES.into_iter();
    let asked = names.find(|(_, strategy)| *strategy == merge.strategy());
    asked
        .filter(|(_, strategy)| *strategy != Strategy::Replace)
        .map(|(name, _)| name)
}

const NAMES: [(&str, Strategy); 4] = [
    ("APPEND", Strategy::Append),
    ("INSERT", Strategy::Insert),
    ("EXTEND", Strategy::Extend),
    ("REPLACE", Strategy::Replace),
];

/// Every file in question, with the requested change.
fn overview(questions: &[&Proposal]) -> Vec<Line> {
    let heading = format!(
        "{} have more than 100 lines and would be changed:",
        counted(questions.len(), "existing file")
    );
    let mut lines = vec![blank(), Line::of(Ink::Alarm, heading)];
    lines.extend(questions.iter().map(|proposal| summary(proposal)));
    lines
}

/// A file in one line.
fn summary(proposal: &Proposal) -> Line {
    let before = proposal.before.as_deref().map_or(&[][..], Vec::as_slice);
    let difference = Excerpt::between(before, &proposal.after, 0).difference;
    let text = format!(
        "  {}: {}, {} before, {} after, {} added, {} deleted",
        proposal.path,
        proposal.way.key(),
        counted(proposal.existing_lines(), "line"),
        proposal.new_lines(),
        difference.added,
        difference.deleted
    );
    Line::of(Ink::Plain, text)
}

/// `A, B or C`.
fn either(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.join(""),
    }
}

fn refusal(error: &MergeError) -> Vec<Line> {
    vec![
        Line::of(Ink::Alarm, format!("That does not work: {error}")),
        Line::of(Ink::Plain, format!("hint: {}", error.hints().join("; "))),
    ]
}

#[cfg(test)]
#[path = "write_prompt_tests.rs"]
mod tests;
