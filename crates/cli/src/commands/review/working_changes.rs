//! `proctor review` without a run: the person's own changes in their checkout.

use std::cell::Cell;

use proctor_core::object_id::CommitId;
use proctor_core::review_gate::ReportedFile;
use proctor_host::driver::{Subject, Watcher as _};
use proctor_host::working_changes::{Decider, FirstSight, Selection, WorkingChanges};

use super::{ReviewArguments, print};
use crate::failure::Failure;
use crate::output::Text;
use crate::session::Session;
use crate::terminal::{FirstLook, counted, first_lines, installed_words, stat_text};
use crate::wire::{self, ReviewDocument, ok};

impl ReviewArguments {
    fn selection(&self) -> Selection {
        match (self.staged, self.all) {
            (true, _) => Selection::Staged,
            (_, true) => Selection::Everything,
            _ => Selection::StagedIfAny,
        }
    }
}

/// Reviews and, if the person approves, commits.
pub(super) fn review(session: &Session<'_>, arguments: &ReviewArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let repository = workspace.repository();
    WorkingChanges::check(repository)?;
    if !arguments.dry_run
        && let Some(said) = WorkingChanges::run_hook(repository)?
    {
        session.progress().remark(&said);
    }
    let said = Cell::new(false);
    let look = (!arguments.dry_run).then(|| FirstLook::on(session.screen()));
    let (changes, files) = session.progress().during("reading what changed", || {
        WorkingChanges::read(repository, arguments.selection(), &|sight| {
            say_installed(session, &sight, &said);
            if let Some(look) = &look {
                show(session, look, &sight);
            }
        })
    })?;
    if files.is_empty() {
        drop(look);
        let details = details(&changes, &[], None, None);
        session.output.result(nothing(&changes), &ok(details));
        return Ok(());
    }
    let sheet = changes.sheet(files);
    if arguments.dry_run {
        let details = details(&changes, &sheet.files, None, None);
        print(session, &sheet, &details);
        return Ok(());
    }
    let mut person = session.person(session.approver());
    if arguments.web {
        person = person.on_page(arguments.message.is_none())?;
    }
    let mut decider = Decider {
        repository,
        surroundings: &session.surroundings,
        clock: session.clock,
        interrupt: &session.interrupt,
        approver: &mut person,
        message: arguments.message.as_deref(),
        again: session.command("review"),
    };
    let commit = decider.decide(&changes, &sheet).map_err(|error| {
        let known = details(&changes, &sheet.files, error.decision(), error.commit());
        let known = wire::value(&known);
        Failure::from(error).details(known)
    })?;
    let details = details(&changes, &sheet.files, Some("approved"), Some(&commit));
    let text = format!("committed {} on {}", commit.short(), changes.branch);
    session.output.result(text, &ok(details));
    Ok(())
}

/// The details for scripts.
fn details<'a>(
    changes: &'a WorkingChanges,
    files: &'a [ReportedFile],
    decision: Option<&'a str>,
    commit: Option<&'a CommitId>,
) -> ReviewDocument<'a> {
    let left_out = changes.left_out.iter();
    ReviewDocument {
        decision,
        commit,
        left_out: Some(left_out.map(|(directory, _)| directory.as_str()).collect()),
        ..ReviewDocument::of(&changes.tree, files, stat_text)
    }
}

fn nothing(changes: &WorkingChanges) -> Text {
    let mut text = Text::from("there is nothing to review: no changes");
    for (directory, _) in &changes.left_out {
        text.line(format_args!(
            "not looked at, because a list inside the git directory hides it: {directory}"
        ));
    }
    text
}

/// Warns once, before anything is hashed, that installed or built files are about to be committed.
fn say_installed(session: &Session<'_>, sight: &FirstSight<'_>, said: &Cell<bool>) {
    let new = sight.names.iter().filter(|(letter, _)| *letter == 'A');
    let words = installed_words(new.map(|(_, name)| *name));
    if let Some(words) = words.filter(|_| !said.replace(true)) {
        session.progress().remark(&words);
    }
}

/// The first screen while everything is read, if there is enough to show.
fn show(session: &Session<'_>, look: &FirstLook, sight: &FirstSight<'_>) {
    let count = sight.names.len();
    let Some(enough) = look.enough().filter(|enough| count > *enough) else {
        return;
    };
    let subject = Subject::Own {
        branch: &sight.branch,
        what: sight.what,
        left_out: &[],
    };
    let screen = session.screen();
    let names = sight.names.iter().copied();
    let (appearance, width) = (screen.appearance(), screen.width());
    let lines = first_lines(&subject, sight.tree, names, appearance, width);
    let lines = lines.into_iter().take(enough);
    let status = format!(" {} are being read", counted(count, "file"));
    look.show(lines, &status);
}
