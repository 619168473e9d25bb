//! `proctor status`

use std::fmt::Write as _;

use clap::Args;
use proctor_core::workflow::State;

use crate::failure::Failure;
use crate::output::Text;
use crate::run_view::summary;
use crate::session::{Session, find_run};
use crate::wire::{RunDocument, RunsDocument, ok};

/// Show runs, their stage and what they wait for
///
/// With RUN: that one in detail, with its tokens and cost.
///
/// Example: proctor status 87-k3x9qd --format json
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// One run, in detail
    run: Option<String>,
}

pub(crate) fn status(session: &Session<'_>, arguments: &StatusArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    if arguments.run.is_some() {
        let (_, row) = find_run(&workspace, arguments.run.as_deref())?;
        session
            .output
            .result(summary(&row), &ok(RunDocument::of(&row, &workspace)));
        return Ok(());
    }
    let journal = workspace.existing_journal()?;
    let rows = journal.map_or(Ok(Vec::new()), |journal| journal.runs())?;
    let mut text = Text::default();
    for row in &rows {
        let run = &row.run;
        let mut words = format!(
            "{}  {}  {} {}",
            row.id,
            run.state().key(),
            run.stage().node(),
            run.stage().title()
        );
        if let State::Parked(waiting) = run.state() {
            let _ = write!(words, "  waits for {waiting}");
        }
        text.lines(4, words);
    }
    if rows.is_empty() {
        text.line("no runs yet");
    }
    let runs = rows.iter().map(|row| RunDocument::of(row, &workspace));
    let document = RunsDocument {
        runs: runs.collect(),
    };
    session.output.result(text, &ok(document));
    Ok(())
}
