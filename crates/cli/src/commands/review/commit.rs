//! `proctor review --commit`: an existing commit, also for a second approver.

use proctor_host::working_changes::{CommittedChange, Decider};

use super::{ReviewArguments, print};
use crate::failure::Failure;
use crate::output::Text;
use crate::session::Session;
use crate::terminal::stat_text;
use crate::wire::{self, ReviewDocument, ok};

/// Reviews and, if the person approves, keeps a signed approval.
pub(super) fn review(
    session: &Session<'_>,
    arguments: &ReviewArguments,
    revision: &str,
) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let repository = workspace.repository();
    let (change, files) = session.progress().during("reading the commit", || {
        CommittedChange::read(repository, revision)
    })?;
    let what = format!("commit {}", change.commit.short());
    let sheet = change.sheet(&what, files);
    let document = |decision| ReviewDocument {
        decision,
        commit: Some(&change.commit),
        ..ReviewDocument::of(&change.tree, &sheet.files, stat_text)
    };
    if arguments.dry_run {
        print(session, &sheet, &document(None));
        return Ok(());
    }
    let mut person = session.person(session.approver());
    if arguments.web {
        person = person.on_page(false)?;
    }
    let mut decider = Decider {
        repository,
        surroundings: &session.surroundings,
        clock: session.clock,
        interrupt: &session.interrupt,
        approver: &mut person,
        message: None,
        again: session.command(&format!("review --commit {revision}")),
    };
    let reference = decider.decide_commit(&change, &sheet).map_err(|error| {
        let known = wire::value(&document(error.decision()));
        Failure::from(error).details(known)
    })?;
    let mut text = Text::from(format_args!("{what} is approved: {reference}"));
    text.line(format_args!(
        "others see it after `git push origin {reference}`"
    ));
    session.output.result(text, &ok(document(Some("approved"))));
    Ok(())
}
