//! Asking a person in their browser: a review, the touch of a passkey, a new passkey.
//!
//! Each is a page of Proctor's own on this machine (see `proctor_host::local_page`), opened with the address that is
//! printed at the terminal. Style and script come from the binary, nothing from elsewhere; text of a model or a
//! repository is escaped by the template and spelled out as on the screen. An answer's meaning is decided where the
//! terminal's answers are.

mod enrolment;
mod markup;
mod person;
mod signing;

use std::time::Instant;

use proctor_host::local_page::{Asset, Left, LocalPage, Reply, Response, Visit};
use proctor_host::process::Interrupt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::terminal::{Ink, Line, Screen};

pub(crate) use enrolment::new_passkey;
pub(crate) use person::Person;

/// The pages' assets besides their text.
static ASSETS: [Asset; 3] = [
    Asset {
        path: "/report.css",
        content_type: "text/css",
        content: crate::report::STYLE,
    },
    Asset {
        path: "/page.css",
        content_type: "text/css",
        content: include_str!("page.css"),
    },
    Asset {
        path: "/page.js",
        content_type: "text/javascript",
        content: include_str!("page.js"),
    },
];

/// A page, and the terminal that names its address.
struct Desk {
    page: LocalPage,
    screen: Screen,
    /// The purpose of the page.
    what_for: &'static str,
}

/// Something that a page sent to this path.
struct Sent {
    path: String,
    body: Vec<u8>,
    reply: Reply,
}

impl Desk {
    fn open(screen: Screen, interrupt: &Interrupt) -> std::io::Result<Self> {
        Ok(Self {
            page: LocalPage::open(interrupt, &ASSETS)?,
            screen,
            what_for: "",
        })
    }

    /// Names the address at the terminal.
    fn announce(&mut self, what_for: &'static str) {
        self.what_for = what_for;
        let address = self.page.address();
        // On a line of its own, so that terminals make a link of all of it.
        let lines = [
            Line::of(Ink::Strong, format!("{what_for}:")),
            Line::of(Ink::Place, address),
        ];
        // A user who cannot read it cannot come.
        let _ = self.screen.print(&lines);
    }

    /// Waits for the page's message; any browser that opens it meanwhile gets this page.
    fn next(
        &mut self,
        until: Option<Instant>,
        page: &dyn Fn(&str) -> String,
    ) -> Result<Sent, Left> {
        loop {
            match self.page.next(until)? {
                Visit::Opened { session, reply } => reply.send(Response::page(page(&session))),
                Visit::Posted { path, body, reply } => return Ok(Sent { path, body, reply }),
                Visit::Spent => self.announce(self.what_for),
            }
        }
    }
}

impl Sent {
    /// The message, if it is valid for this path.
    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }

    fn answer(self, value: &Value) {
        self.reply.send(Response::json(value));
    }

    /// The last answer, in words for the person.
    fn end(self, words: &str) {
        self.answer(&json!({ "next": "end", "words": words }));
    }

    fn refuse(self, status: u16, words: &str) {
        self.reply.send(Response::refusal(status, words));
    }

    /// Of another time, or of no time at all.
    fn not_now(self) {
        self.refuse(409, "this is not what is asked now");
    }

    fn unreadable(self) {
        self.refuse(422, "this cannot be read");
    }
}
