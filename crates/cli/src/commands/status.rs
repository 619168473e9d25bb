//! `proctor status`

use clap::Args;
use proctor_core::workflow::State;
use proctor_host::journal::{Journal, RunRow};

use crate::failure::Failure;
use crate::output::Text;
use crate::run_view::{Activity, age_words, subject, summary};
use crate::session::{Session, find_run};
use crate::terminal::{padded, phrase, width};
use crate::wire::{RunDocument, RunsDocument, StatusDocument, ok};

/// Show runs, what they are doing and what to type next
///
/// A run is running, interrupted (`proctor resume` goes on) or waiting for a person, merged or aborted. With RUN: that
/// one in detail, with its tokens and cost. A run is named by its id, a beginning of it that no other has, or its issue.
///
/// Example: proctor status 87 --format json
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// One run, in detail
    run: Option<String>,
}

/// A run as the list shows it.
struct Shown<'a> {
    row: &'a RunRow,
    activity: Activity,
    subject: String,
    age: String,
    next: Option<String>,
}

impl<'a> Shown<'a> {
    fn of(session: &Session<'_>, journal: &Journal, row: &'a RunRow) -> Self {
        let activity = Activity::of(row, journal);
        Self {
            row,
            activity,
            subject: subject(row),
            age: session
                .clock
                .since(&row.created_at)
                .map_or(String::new(), age_words),
            next: activity.next(row).map(|words| session.command(&words)),
        }
    }

    fn cells(&self) -> [String; 4] {
        let stage = self.row.run.stage();
        [
            self.row.id.to_string(),
            self.activity.word().to_owned(),
            format!("{} {}", stage.node(), stage.title()),
            self.age.clone(),
        ]
    }

    fn document<'d>(
        &'d self,
        workspace: &proctor_host::workspace::Workspace,
    ) -> StatusDocument<'d> {
        StatusDocument {
            run: RunDocument::of(self.row, workspace),
            title: &self.subject,
            activity: self.activity.word(),
            next: self.next.as_deref(),
        }
    }
}

pub(crate) fn status(session: &Session<'_>, arguments: &StatusArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    if arguments.run.is_some() {
        let (journal, row) = find_run(&workspace, arguments.run.as_deref())?;
        let shown = Shown::of(session, &journal, &row);
        let mut text = summary(&row, Some((&shown.subject, shown.activity)));
        if let Some(next) = &shown.next {
            text.line("");
            text.line("next");
            text.line(format_args!("  {next}"));
        }
        let document = ok(shown.document(&workspace));
        session.output.result(text, &document);
        return Ok(());
    }
    let journal = workspace.existing_journal()?;
    let rows = match &journal {
        Some(journal) => journal.runs()?,
        None => Vec::new(),
    };
    let shown: Vec<Shown<'_>> = rows
        .iter()
        .zip(journal.iter().cycle())
        .map(|(row, journal)| Shown::of(session, journal, row))
        .collect();
    let text = if shown.is_empty() {
        Text::from("no runs yet")
    } else {
        table(&shown)
    };
    let runs = shown.iter().map(|shown| shown.document(&workspace));
    let document = RunsDocument {
        runs: runs.collect(),
    };
    session.output.result(text, &ok(document));
    Ok(())
}

/// A line for each run, and below it what an open one waits for and the command that continues it.
fn table(shown: &[Shown<'_>]) -> Text {
    let head = ["run", "state", "stage", "age"].map(str::to_owned);
    let cells: Vec<[String; 4]> = std::iter::once(head)
        .chain(shown.iter().map(Shown::cells))
        .collect();
    let widest = |column: usize| cells.iter().map(|row| width(&row[column])).max();
    let widths: Vec<usize> = (0..4).map(|column| widest(column).unwrap_or(0)).collect();
    let line = |cells: &[String; 4], last: &str| {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            line += &padded(cell, *width);
            line += "  ";
        }
        (line + last).trim_end().to_owned()
    };
    let mut text = Text::from(line(&cells[0], "title"));
    for (shown, cells) in shown.iter().zip(&cells[1..]) {
        text.line(line(cells, &shown.subject));
        if let State::Parked(waiting) = shown.row.run.state() {
            let waiting = format!("    waits for {}", phrase(&waiting.to_string()));
            text.lines(4, waiting);
        }
        let next = shown.next.as_ref();
        if let Some(next) = next.filter(|_| !shown.row.run.state().has_ended()) {
            text.line(format_args!("    {next}"));
        }
    }
    text
}
