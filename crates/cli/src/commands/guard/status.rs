//! `proctor guard status` and `refactor`

use proctor_core::guard::{Answer, Client};
use proctor_host::guard::{Report, git_hooks_installed, installed_clients};

use super::guard_of;
use crate::failure::{Failure, Refused};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{GuardDocument, ok};

pub(super) fn status(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let known = guard_of(session, &workspace).session()?;
    let clients = installed_clients(workspace.repository());
    let git = git_hooks_installed(workspace.repository())?;
    let document = GuardDocument::of(&known, &clients, git);
    let mut text = Text::from(format_args!("the change is {}", known.stage().as_str()));
    for file in &known.seal.0 {
        text.line(format_args!("sealed: {}", file.path));
    }
    if let Some(green) = &known.green {
        text.line(format_args!(
            "accepted: {} ({})",
            green.tree.short(),
            green.word.words()
        ));
    }
    let names: Vec<&str> = clients.iter().copied().map(Client::name).collect();
    let names = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    text.line(format_args!("clients with hooks: {names}"));
    text.line(format_args!(
        "git's hooks: {}",
        if git { "installed" } else { "not installed" }
    ));
    session.output.result(text, &ok(document));
    Ok(())
}

pub(super) fn refactor(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let guard = guard_of(session, &workspace);
    match guard.answer(&Report::Refactor, &session.directory)? {
        Answer::Refuse(words) => Err(Refused::Guarded(words).into()),
        Answer::Pass(told) => {
            let known = guard.session()?;
            let clients = installed_clients(workspace.repository());
            let git = git_hooks_installed(workspace.repository())?;
            let document = GuardDocument::of(&known, &clients, git);
            session
                .output
                .result(told.unwrap_or_default(), &ok(document));
            Ok(())
        }
    }
}
