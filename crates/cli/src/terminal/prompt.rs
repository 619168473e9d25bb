//! The questions that only a person answers.
//!
//! An answer is a whole word. `y`, Enter and a closed input come from habit, so they decide nothing; neither does input
//! typed before the question was on the screen.

use std::io;
use std::os::fd::AsFd;

use proctor_core::permission::Presence;
use proctor_core::review_gate::ReportedFile;
use proctor_core::safe_write::Proposal;
use proctor_core::workflow::{Choice, LintResult};
use proctor_host::driver::{ReviewSheet, Subject, TestsAnswer};
use proctor_host::process::{Editor, Interrupt};
use proctor_host::safe_write::{WriteAnswer, WriteApprover};

use super::comments;
use super::diff_view::{recap, review_document};
use super::document::Document;
use super::few_names::in_short;
use super::file_diff::FileDiff;
use super::keyboard::{Keyboard, Typed};
use super::pager::page;
use super::screen::Screen;
use super::style::{Ink, Line, blank};
use super::text::{counted, phrase};

/// An answer at the review.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReviewAnswer {
    Choice(Choice),
    AskForComments,
    ShowAgain,
    Unclear(&'static str),
}

impl ReviewAnswer {
    /// A whole word decides; `REJECT` and `COMMENT` may be followed by words of the person's own.
    pub(crate) fn read(line: &str, sheet: &ReviewSheet<'_>) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        let in_run = matches!(sheet.subject, Subject::Run { .. });
        match word.to_ascii_uppercase().as_str() {
            "APPROVE" if rest.is_empty() => Self::Choice(Choice::Approve),
            "REJECT" => Self::Choice(Choice::Reject { reason: rest }),
            "ABORT" if rest.is_empty() => Self::Choice(Choice::Abort),
            "COMMENT" if in_run && rest.is_empty() => Self::AskForComments,
            "COMMENT" if in_run => Self::Choice(Choice::Comment { text: rest }),
            "DIFF" if rest.is_empty() => Self::ShowAgain,
            _ if in_run => Self::Unclear(
                "Only a whole word is accepted: APPROVE, REJECT, COMMENT, DIFF, ABORT.",
            ),
            _ => Self::Unclear("Only a whole word is accepted: APPROVE, REJECT, DIFF, ABORT."),
        }
    }
}

/// The question below the sheet, with the linter's result; it is softer where nothing is flagged.
pub(crate) fn review_question(sheet: &ReviewSheet<'_>) -> String {
    let mut files = sheet.files.iter();
    let flagged = files.any(|file| file.report.requires_review);
    let first = match linter_words(sheet.lint) {
        Some(words) => format!("{words} "),
        None if flagged => String::new(),
        None => "Nothing is flagged. ".to_owned(),
    };
    let last = match sheet.subject {
        Subject::Run { .. } => " COMMENT sends it back to the model.",
        Subject::Own { .. } => "",
    };
    format!("{first}Type APPROVE to continue or REJECT to abort.{last}")
}

/// The linter's result in words; none where it found nothing.
fn linter_words(lint: Option<&LintResult>) -> Option<String> {
    match lint? {
        LintResult::Absent | LintResult::Clean { .. } => None,
        LintResult::Complaints { output, .. } => {
            let lines = output.lines().filter(|line| !line.trim().is_empty());
            let more = match lines.count() {
                0 | 1 => String::new(),
                count => format!(" and {} more", counted(count - 1, "line")),
            };
            Some(format!("The linter found: {}{more}.", phrase(output)))
        }
        LintResult::Unusable { .. } => Some("The linter could not be run.".to_owned()),
    }
}

/// A screen of no more lines is too small for a pager.
const LEAST_LINES: usize = 4;
/// Lines for the question below the text.
const BELOW: usize = 3;

/// How a document was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Printed,
    /// With the answer typed there.
    Paged(Option<String>),
}

/// Asks the person at the terminal.
#[derive(Debug)]
pub(crate) struct TerminalApprover<Input = io::Stdin> {
    screen: Screen,
    editor: Option<Editor>,
    keyboard: Keyboard<Input>,
    /// Whether no one is asked although there is a terminal.
    is_anothers: bool,
}

impl TerminalApprover {
    /// Asks on this screen and takes the answers from standard input.
    pub(crate) fn new(screen: Screen, interrupt: Interrupt) -> Self {
        Self::reading(io::stdin(), screen, interrupt)
    }

    /// The same; if the terminal is a coding agent's, there is no one to ask.
    pub(crate) fn unless_anothers(self, is_anothers: bool) -> Self {
        Self {
            is_anothers,
            ..self
        }
    }

    /// The same; long answers are written in an editor, if the person has one.
    pub(crate) fn with_editor(self, editor: Option<Editor>) -> Self {
        Self { editor, ..self }
    }
}

impl<Input: AsFd> TerminalApprover<Input> {
    pub(super) fn reading(input: Input, screen: Screen, interrupt: Interrupt) -> Self {
        Self {
            screen,
            editor: None,
            keyboard: Keyboard::new(input, interrupt),
            is_anothers: false,
        }
    }

    /// Shows something and asks until one of the words is typed; `None` without an answer.
    ///
    /// If the text could not be shown, nothing is asked.
    pub(crate) fn ask<Answer: Clone>(
        &self,
        shown: &[Line],
        question: &str,
        answers: &[(&str, Answer)],
        farewell: &str,
    ) -> Option<Answer> {
        self.screen.take_down();
        self.screen.print(shown).ok()?;
        self.keyboard.forget_typed_ahead();
        loop {
            self.screen.ask(&Line::of(Ink::Strong, question)).ok()?;
            let Typed::Line(line) = self.keyboard.line() else {
                return self.leave(farewell);
            };
            let word = line.trim();
            let answer = answers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(word));
            if let Some((_, answer)) = answer {
                return Some(answer.clone());
            }
            let names: Vec<&str> = answers.iter().map(|(name, _)| *name).collect();
            let help = format!("Only a whole word is accepted: {}.", names.join(", "));
            self.screen.print(&[Line::of(Ink::Alarm, help)]).ok()?;
        }
    }

    /// Asks for any line; `None` without one.
    pub(super) fn ask_freely(&self, question: &str, farewell: &str) -> Option<String> {
        self.keyboard.forget_typed_ahead();
        self.screen.ask(&Line::of(Ink::Strong, question)).ok()?;
        if let Typed::Line(line) = self.keyboard.line() {
            return Some(line);
        }
        let farewell = [blank(), Line::of(Ink::Plain, farewell)];
        let _ = self.screen.print(&farewell);
        None
    }

    pub(super) fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Shows the sheet and asks until there is a decision; `None` without one.
    fn ask_for_decision(&self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        self.screen.take_down();
        let question = review_question(sheet);
        let mut typed = self.show_review(sheet, &question).ok()?;
        loop {
            let asked = format!("{question} DIFF shows it again:");
            self.screen.ask(&Line::of(Ink::Strong, asked)).ok()?;
            let answer = match typed.take() {
                Some(line) => {
                    // Typed where it is not to be seen any more.
                    let said = Line::of(Ink::Plain, line.as_str());
                    self.screen.print(&[said]).ok()?;
                    Typed::Line(line)
                }
                None => self.keyboard.line(),
            };
            let Typed::Line(line) = answer else {
                let again = match sheet.subject {
                    Subject::Run { run, .. } => format!("proctor review {run}"),
                    Subject::Own { .. } => "proctor review".to_owned(),
                };
                let farewell = format!("Nothing was decided; come back with `{again}`.");
                return self.leave(&farewell);
            };
            match ReviewAnswer::read(&line, sheet) {
                ReviewAnswer::Choice(choice) => return Some(choice),
                ReviewAnswer::AskForComments => {
                    let text = self.comments(sheet)?;
                    if !text.is_empty() {
                        return Some(Choice::Comment { text });
                    }
                }
                ReviewAnswer::ShowAgain => typed = self.show_review(sheet, &question).ok()?,
                ReviewAnswer::Unclear(help) => {
                    self.screen.print(&[Line::of(Ink::Alarm, help)]).ok()?;
                }
            }
        }
    }

    /// Shows the sheet, and discards input typed meanwhile, except for an answer below it.
    fn show_review(&self, sheet: &ReviewSheet<'_>, question: &str) -> io::Result<Option<String>> {
        let document = review_document(sheet, self.screen.appearance());
        let shown = self.show(&document, Some(question))?;
        self.keyboard.forget_typed_ahead();
        let Shown::Paged(answer) = shown else {
            return Ok(None);
        };
        // The pager left nothing on the screen.
        self.screen.print(&recap(sheet))?;
        Ok(answer)
    }

    /// Shows all of a document: in the pager if it is longer than the screen, and the question needs room too.
    pub(super) fn show(
        &self,
        document: &Document<'_>,
        question: Option<&str>,
    ) -> io::Result<Shown> {
        let columns = self.screen.width();
        if self.is_paged(document) {
            let answer = page(document, question, &self.screen, &self.keyboard)?;
            return Ok(Shown::Paged(answer));
        }
        // Less came of it than it looked like at first.
        drop(self.screen.take_over());
        for lines in document.whole(columns) {
            self.screen.print(&lines)?;
        }
        Ok(Shown::Printed)
    }

    /// Whether a document is longer than the screen, on a terminal that can page.
    pub(super) fn is_paged(&self, document: &Document<'_>) -> bool {
        let (columns, lines) = (self.screen.width(), self.screen.height());
        let can = self.screen.appearance().paged && lines > LEAST_LINES && self.is_terminal();
        can && !document.fits(columns, lines - BELOW)
    }

    fn is_terminal(&self) -> bool {
        self.keyboard.is_terminal()
    }

    /// The person's comments for the model; `None` if they left.
    fn comments(&self, sheet: &ReviewSheet<'_>) -> Option<String> {
        let Some(editor) = &self.editor else {
            return self.comments_by_line(sheet);
        };
        let waiting = "waiting for your editor to be closed";
        self.screen.print(&[Line::of(Ink::Faint, waiting)]).ok()?;
        let words = match editor.change(&comments::template(sheet)) {
            Ok(text) => comments::written(&text),
            Err(error) => {
                let message = format!("The editor did not work: {error}");
                self.screen.print(&[Line::of(Ink::Alarm, message)]).ok()?;
                String::new()
            }
        };
        self.keyboard.forget_typed_ahead();
        if words.is_empty() {
            let message = "Nothing was written, so nothing goes to the model.";
            self.screen.print(&[Line::of(Ink::Plain, message)]).ok()?;
        }
        Some(words)
    }

    /// The same line by line, up to one with a dot alone.
    fn comments_by_line(&self, sheet: &ReviewSheet<'_>) -> Option<String> {
        let files = sheet.files.iter();
        let names: Vec<&str> = files.map(|file| file.report.path.as_str()).collect();
        let help = [
            "Write what the model should do otherwise, as `path:line: comment` or in free words."
                .to_owned(),
            format!(
                "The files are {}. A line with a dot alone ends it.",
                in_short(&names)
            ),
        ];
        let help = help.map(|words| Line::of(Ink::Faint, words));
        self.screen.print(&help).ok()?;
        let mut lines = Vec::new();
        loop {
            let Typed::Line(line) = self.keyboard.line() else {
                return self.leave("Nothing was decided.");
            };
            if line.trim() == "." {
                return Some(lines.join("\n").trim().to_owned());
            }
            lines.push(line);
        }
    }

    /// The cursor is still after a question.
    fn leave<T>(&self, farewell: &str) -> Option<T> {
        let _ = self
            .screen
            .print(&[blank(), Line::of(Ink::Plain, farewell)]);
        None
    }
}

impl<Input: AsFd> WriteApprover for TerminalApprover<Input> {
    fn presence(&self) -> Presence {
        if self.is_terminal() && !self.is_anothers {
            Presence::AtTerminal
        } else {
            Presence::NoTerminal
        }
    }

    fn choose_writes(&mut self, proposals: &[&Proposal]) -> Option<WriteAnswer> {
        match self.presence() {
            Presence::AtTerminal => self.ask_about_writes(proposals),
            Presence::NoTerminal => None,
        }
    }
}

impl<Input: AsFd> TerminalApprover<Input> {
    /// Where they are asked, for the record.
    #[expect(clippy::unused_self, reason = "it is this one's place")]
    pub(crate) fn place(&self) -> String {
        // Where the system does not say, all that is known is that it is a terminal.
        let link = std::fs::read_link("/proc/self/fd/0");
        link.map_or_else(|_| "terminal".to_owned(), |path| path.display().to_string())
    }

    /// Shows the sheet and asks for a decision; `None` if the person left without one.
    pub(crate) fn decide(&self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        match self.presence() {
            Presence::AtTerminal => self.ask_for_decision(sheet),
            Presence::NoTerminal => None,
        }
    }

    /// Shows how a person's own edit changes the tests, and asks whether it takes their place.
    pub(crate) fn choose_tests(&self, files: &[ReportedFile]) -> Option<TestsAnswer> {
        if self.presence() == Presence::NoTerminal {
            return None;
        }
        let words = "You changed tests of this run in its worktree:";
        let mut shown = vec![blank(), Line::of(Ink::Strong, words)];
        for file in files {
            shown.push(Line::of(Ink::Strong, file.report.path.clone()));
            shown.extend(FileDiff::of(file, &|_, _| false).lines);
        }
        shown.push(blank());
        self.ask(
            &shown,
            "Type TAKE to have them judged in the place of the run's tests, or RESTORE to put those back:",
            &[
                ("TAKE", TestsAnswer::Take),
                ("RESTORE", TestsAnswer::Restore),
            ],
            "Nothing was decided.",
        )
    }

    /// Asks for a line of the person's own words; `None` if they left without one.
    pub(crate) fn ask_for_words(&self, question: &str) -> Option<String> {
        loop {
            self.screen.ask(&Line::of(Ink::Strong, question)).ok()?;
            let Typed::Line(line) = self.keyboard.line() else {
                return self.leave("Nothing was decided.");
            };
            if !line.trim().is_empty() {
                return Some(line.trim().to_owned());
            }
        }
    }
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
