//! The questions that only a person answers.
//!
//! An answer is a whole word. `y`, Enter and a closed input are what fingers do by themselves, so they
//! decide nothing; neither does what was typed before the question stood on the screen.

use std::io;
use std::os::fd::AsFd;

use proctor_core::workflow::{Choice, Presence};
use proctor_host::driver::{Approver, Replacement, ReviewSheet, Subject};
use proctor_host::process::Interrupt;

use super::diff_view::review_lines;
use super::keyboard::{Keyboard, Typed};
use super::replacement_view::replacement_lines;
use super::screen::Screen;
use super::style::{Ink, Line, blank};
use super::text::visible;

const REVIEW_QUESTION: &str = "Type APPROVE to merge exactly this, REJECT or ABORT to end the run:";
const REPLACE_QUESTION: &str = "Type REPLACE to allow it, or KEEP to refuse it:";

const REVIEW_ANSWERS: [(&str, Choice); 3] = [
    ("APPROVE", Choice::Approve),
    ("REJECT", Choice::Reject),
    ("ABORT", Choice::Abort),
];
const REPLACE_ANSWERS: [(&str, bool); 2] = [("REPLACE", true), ("KEEP", false)];

/// Asks the person at the terminal.
#[derive(Debug)]
pub(crate) struct TerminalApprover<Input = io::Stdin> {
    screen: Screen,
    keyboard: Keyboard<Input>,
}

impl TerminalApprover {
    /// Asks on this screen and takes the answers from standard input.
    pub(crate) fn new(screen: Screen, interrupt: Interrupt) -> Self {
        Self::reading(io::stdin(), screen, interrupt)
    }
}

impl<Input: AsFd> TerminalApprover<Input> {
    fn reading(input: Input, screen: Screen, interrupt: Interrupt) -> Self {
        Self {
            screen,
            keyboard: Keyboard::new(input, interrupt),
        }
    }

    /// Shows something and asks until one of the words is typed; `None` without an answer.
    ///
    /// What could not be shown is not asked about.
    pub(super) fn ask<Answer: Clone>(
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
                // The cursor still stands behind the question.
                let _ = self
                    .screen
                    .print(&[blank(), Line::of(Ink::Plain, farewell)]);
                return None;
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

    fn ask_for_decision(&self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        let shown = review_lines(sheet, self.screen.appearance(), self.screen.width());
        let again = match sheet.subject {
            Subject::Run { run, .. } => format!("proctor review {}", visible(run.as_str())),
            Subject::Own { .. } => "proctor review".to_owned(),
        };
        let farewell = format!("Nothing was decided; come back with `{again}`.");
        self.ask(&shown, REVIEW_QUESTION, &REVIEW_ANSWERS, &farewell)
    }

    fn ask_for_permission(&self, replacement: &Replacement<'_>) -> Option<bool> {
        self.ask(
            &replacement_lines(replacement),
            REPLACE_QUESTION,
            &REPLACE_ANSWERS,
            "Nothing was decided; the file stays as it is.",
        )
    }
}

impl<Input: AsFd> Approver for TerminalApprover<Input> {
    fn presence(&self) -> Presence {
        if self.keyboard.is_terminal() {
            Presence::AtTerminal
        } else {
            Presence::NoTerminal
        }
    }

    fn decide(&mut self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        match self.presence() {
            Presence::AtTerminal => self.ask_for_decision(sheet),
            Presence::NoTerminal => None,
        }
    }

    fn may_replace(&mut self, replacement: &Replacement<'_>) -> Option<bool> {
        match self.presence() {
            Presence::AtTerminal => self.ask_for_permission(replacement),
            Presence::NoTerminal => None,
        }
    }
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
