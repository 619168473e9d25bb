//! `proctor review`

mod commit;
mod working_changes;

use clap::Args;
use proctor_core::workflow::{Event, Stage, step};
use proctor_host::driver::{ReviewSheet, review_sheet};
use proctor_host::journal::RunRow;

use crate::failure::{Failure, Matter, Refused};
use crate::session::{Intent, Session, find_run, inputs_of, take};
use crate::terminal::{review_lines, stat_text};
use crate::wire::{ReviewDocument, ok};

/// Look at a diff and decide
///
/// With RUN: everything that the run would merge. Without: your own changes, those that are staged or else
/// all that are not ignored; what you approve is committed, exactly as it was shown. With --commit: a commit that is
/// there already; what you approve is signed, for `proctor verify`. Asks for APPROVE or
/// REJECT at the terminal, as a whole word; a run can also be sent back with COMMENT. In a terminal that a
/// coding agent has marked as its own, there is no one to ask. With --web: the same on a page of this machine, whose address the
/// terminal shows; there only a passkey approves (`proctor keys add --passkey`).
///
/// Example: proctor review --all -m "Round prices to cents"
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct ReviewArguments {
    /// The run; your own changes without it
    run: Option<String>,
    /// Your own changes: only what is staged
    #[arg(long, conflicts_with_all = ["run", "all"])]
    staged: bool,
    /// Your own changes: everything that is not ignored
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// The commit message; asked for after the approval without it
    #[arg(short, long, value_name = "MESSAGE", conflicts_with = "run")]
    message: Option<String>,
    /// A commit that is there already: sign an approval of it
    #[arg(long, value_name = "REV", conflicts_with_all = ["run", "all", "staged", "message"])]
    commit: Option<String>,
    /// Review in your browser, and approve with a passkey
    #[arg(long, conflicts_with = "dry_run")]
    web: bool,
    /// Print the report and decide nothing
    #[arg(long)]
    dry_run: bool,
}

/// Prints the sheet, or its document; comparing every file takes far longer than the report.
fn print(session: &Session<'_>, sheet: &ReviewSheet<'_>, document: &ReviewDocument<'_>) {
    if session.output.is_json() {
        return session.output.page("", &ok(document));
    }
    let screen = session.screen();
    let lines = review_lines(sheet, screen.appearance(), screen.width());
    session.output.lines(lines, &screen, &ok(document));
}

pub(crate) fn review(session: &Session<'_>, arguments: &ReviewArguments) -> Result<(), Failure> {
    let matter = Matter::Review(arguments.run.as_deref());
    if let Some(question) = session.in_agents_terminal(&matter)
        && !arguments.dry_run
    {
        return Err(question.into());
    }
    if let Some(revision) = &arguments.commit {
        return commit::review(session, arguments, revision);
    }
    let Some(run) = &arguments.run else {
        return working_changes::review(session, arguments);
    };
    let workspace = session.workspace()?;
    let (mut journal, row) = find_run(&workspace, Some(run))?;
    let at_review = row.run.stage() == Stage::Review && !row.run.state().has_ended();
    // Before a person's own tests are judged there is nothing to recall, and the run continues.
    let offered = recalled(&row);
    if !at_review && offered.is_none() {
        let (run, state) = (row.id.to_string(), row.run.state());
        if state.has_ended() {
            let state = state.key();
            return Err(Refused::Over { run, state }.into());
        }
        let resume = session.command(&format!("resume {run}"));
        return Err(Refused::NotAtReview {
            stage: row.run.stage().title(),
            run,
            resume,
        }
        .into());
    }
    if arguments.dry_run {
        let row = offered.unwrap_or(row);
        let inputs = inputs_of(&row)?;
        let Some(tree) = row.run.tree() else {
            return Ok(());
        };
        let sheet = review_sheet(workspace.repository(), &row, &inputs, tree)?;
        let document = ReviewDocument {
            run: Some(&row.id),
            ..ReviewDocument::of(tree, &sheet.files, stat_text)
        };
        print(session, &sheet, &document);
        return Ok(());
    }
    let (row, lock) = take(&journal, &row)?;
    let intent = Intent::Review { web: arguments.web };
    session.drive(&workspace, &mut journal, row, intent, &lock)
}

/// The run as it is once the last green that was accepted is recalled; none where it is already at its review, or
/// nothing was accepted.
fn recalled(row: &RunRow) -> Option<RunRow> {
    let tree = row.run.offered()?.clone();
    let run = step(&row.run, &Event::GreenRecalled { tree }).ok()?;
    Some(RunRow { run, ..row.clone() })
}
