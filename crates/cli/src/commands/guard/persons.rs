//! `proctor guard reopen` and `off`: a person's, at a terminal of their own.

use proctor_core::guard::Session as GuardSession;
use proctor_core::object_id::TreeId;
use proctor_core::permission::Presence;
use proctor_host::guard::{git_hooks_installed, installed_clients};
use proctor_host::safe_write::WriteApprover as _;

use super::guard_of;
use crate::failure::{Failure, Matter, Refused, Unanswered};
use crate::session::Session;
use crate::terminal::{Ink, Line};
use crate::wire::{GuardDocument, ok};

/// The question for a person, and the session after it.
struct Question {
    command: &'static str,
    warning: &'static str,
    word: &'static str,
    done: &'static str,
    change: fn(GuardSession, &TreeId) -> GuardSession,
}

pub(super) fn reopen(session: &Session<'_>) -> Result<(), Failure> {
    ask(
        session,
        &Question {
            command: "reopen",
            warning: "The seal goes: an agent may write the tests again, and everything is judged again.",
            word: "REOPEN",
            done: "the change is open again",
            change: GuardSession::reopened,
        },
    )
}

pub(super) fn off(session: &Session<'_>) -> Result<(), Failure> {
    ask(
        session,
        &Question {
            command: "off",
            warning: "Agents in this checkout may do anything until `proctor guard reopen`; git's hooks stay.",
            word: "OFF",
            done: "the guard is off in this checkout; `proctor guard reopen` switches it on again",
            change: |session, _| session.off(),
        },
    )
}

fn ask(session: &Session<'_>, question: &Question) -> Result<(), Failure> {
    if let Some(refusal) = session.in_agents_terminal(&Matter::Guard(question.command)) {
        return Err(refusal.into());
    }
    let workspace = session.workspace()?;
    let guard = guard_of(session, &workspace);
    let known = guard.session()?;
    let unanswered = || {
        let way = session.command(&format!("guard {}", question.command));
        Failure::from(Unanswered::Guard { way })
    };
    let approver = session.approver();
    if approver.presence() != Presence::AtTerminal {
        return Err(unanswered());
    }
    let now = format!("The change is {}.", known.stage().as_str());
    let shown = [
        Line::of(Ink::Strong, now),
        Line::of(Ink::Alarm, question.warning),
    ];
    let words = format!(
        "Type {} to do that, LEAVE to leave it as it is:",
        question.word
    );
    let answers = [(question.word, true), ("LEAVE", false)];
    match approver.ask(&shown, &words, &answers, "Nothing was decided.") {
        None => Err(unanswered()),
        Some(false) => Err(Refused::GuardStays.into()),
        Some(true) => {
            let person = workspace.person()?;
            let person = person.map_or_else(|| "a person".to_owned(), |it| it.to_string());
            let after = guard.by_person(&person, question.change)?;
            let clients = installed_clients(workspace.repository());
            let git = git_hooks_installed(workspace.repository())?;
            let document = GuardDocument::of(&after, &clients, git);
            session.output.result(question.done, &ok(document));
            Ok(())
        }
    }
}
