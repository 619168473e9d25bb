//! The person who is asked: at the terminal or on a page, and with a passkey on a page either way.

use proctor_core::permission::Presence;
use proctor_core::review_gate::ReportedFile;
use proctor_core::safe_write::Proposal;
use proctor_core::workflow::Choice;
use proctor_host::approval::{PasskeyHolder, PasskeyOrder, SignError};
use proctor_host::driver::{Approver, ReviewSheet, TestsAnswer};
use proctor_host::process::Interrupt;
use proctor_host::safe_write::{WriteAnswer, WriteApprover};
use serde::Deserialize;
use serde_json::json;

use super::{Desk, markup, signing};
use crate::terminal::{ReviewAnswer, Screen, TerminalApprover};

/// The person who decides.
pub(crate) struct Person {
    terminal: TerminalApprover,
    screen: Screen,
    interrupt: Interrupt,
    /// The page on which they review; at the terminal without it.
    review: Option<Review>,
}

/// A review on a page.
struct Review {
    desk: Desk,
    /// Whether the page asks for a commit message.
    asks_message: bool,
    message: Option<String>,
}

/// The review page's message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    answer: String,
    #[serde(default)]
    message: String,
}

impl Person {
    /// At the terminal.
    pub(crate) fn at(terminal: TerminalApprover, screen: Screen, interrupt: Interrupt) -> Self {
        Self {
            terminal,
            screen,
            interrupt,
            review: None,
        }
    }

    /// The same person, who reviews on a page and approves with a passkey alone.
    pub(crate) fn on_page(mut self, asks_message: bool) -> Result<Self, SignError> {
        let desk = Desk::open(self.screen.clone(), &self.interrupt).map_err(SignError::NoPage)?;
        self.review = Some(Review {
            desk,
            asks_message,
            message: None,
        });
        Ok(self)
    }
}

impl Review {
    /// Shows the sheet on the page until there is a decision; none if the person stopped Proctor.
    fn decide(&mut self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        self.desk.announce("Review it in your browser");
        let asks_message = self.asks_message;
        let page = |session: &str| markup::review(sheet, session, asks_message);
        loop {
            let sent = self.desk.next(None, &page).ok()?;
            if sent.path != "/answer" {
                sent.not_now();
                continue;
            }
            let Some(Answer { answer, message }) = sent.read() else {
                sent.unreadable();
                continue;
            };
            let message = message.trim();
            match ReviewAnswer::read(&answer, sheet) {
                ReviewAnswer::Choice(Choice::Approve) if asks_message && message.is_empty() => {
                    sent.refuse(422, "write a commit message first");
                }
                ReviewAnswer::Choice(choice) => {
                    self.message = Some(message.to_owned()).filter(|it| !it.is_empty());
                    match &choice {
                        Choice::Approve => sent.answer(&json!({ "next": "sign" })),
                        Choice::Comment { .. } => sent.end("Your comments are on their way to the model. The terminal shows how it goes on."),
                        Choice::Reject { .. } | Choice::Abort => sent.end("Rejected. The terminal has the rest."),
                    }
                    return Some(choice);
                }
                ReviewAnswer::AskForComments => {
                    sent.refuse(422, "write comments beside the lines first");
                }
                ReviewAnswer::ShowAgain => sent.refuse(422, "the difference is above"),
                ReviewAnswer::Unclear(help) => sent.refuse(422, help),
            }
        }
    }
}

impl WriteApprover for Person {
    fn presence(&self) -> Presence {
        match self.review {
            Some(_) => Presence::AtTerminal,
            None => self.terminal.presence(),
        }
    }

    fn choose_writes(&mut self, proposals: &[&Proposal]) -> Option<WriteAnswer> {
        self.terminal.choose_writes(proposals)
    }
}

impl PasskeyHolder for Person {
    fn passkey_only(&self) -> bool {
        self.review.is_some()
    }

    fn have_signed(&mut self, order: &PasskeyOrder<'_>) -> Result<String, SignError> {
        if let Some(review) = &mut self.review {
            return signing::have_signed(&mut review.desk, order);
        }
        let desk = Desk::open(self.screen.clone(), &self.interrupt);
        let mut desk = desk.map_err(SignError::NoPage)?;
        desk.announce("Sign it with your passkey, in your browser");
        signing::have_signed(&mut desk, order)
    }
}

impl Approver for Person {
    fn place(&self) -> String {
        match &self.review {
            Some(review) => format!("page {}", review.desk.page.origin()),
            None => self.terminal.place(),
        }
    }

    fn decide(&mut self, sheet: &ReviewSheet<'_>) -> Option<Choice> {
        match &mut self.review {
            Some(review) => review.decide(sheet),
            None => self.terminal.decide(sheet),
        }
    }

    fn choose_tests(&mut self, files: &[ReportedFile]) -> Option<TestsAnswer> {
        self.terminal.choose_tests(files)
    }

    fn ask_for_words(&mut self, question: &str) -> Option<String> {
        match &mut self.review {
            Some(review) => review.message.take(),
            None => self.terminal.ask_for_words(question),
        }
    }
}
