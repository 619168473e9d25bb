//! `proctor review`

use clap::Args;
use proctor_core::workflow::{Stage, State};
use proctor_host::driver::{Inputs, review_sheet};
use serde_json::json;

use crate::failure::{Failure, Kind};
use crate::session::{Intent, Session, ok, take};
use crate::terminal::review_lines;

/// Look at a run's diff and decide
///
/// Shows everything that would be merged and asks for APPROVE, REJECT or ABORT at the terminal.
/// Example: proctor review 87-k3x9qd
#[derive(Debug, Args)]
pub(crate) struct ReviewArguments {
    /// The run
    run: String,
    /// Print the diff and decide nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn review(session: &Session<'_>, arguments: &ReviewArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let (mut journal, row) = session.find_run(&repository, Some(&arguments.run))?;
    let at_review = row.run.stage() == Stage::Review && !row.run.state().has_ended();
    if !at_review {
        let message = format!(
            "run {} is {} at {} and has nothing to review",
            row.id,
            row.run.state().key(),
            row.run.stage().title()
        );
        let failure = Failure::new(Kind::Refused, message);
        return Err(match row.run.state() {
            State::Running | State::Parked(_) => failure.hint(format!(
                "go on with `{}`",
                session.command(&format!("resume {}", row.id))
            )),
            State::Merged(_) | State::Aborted => failure,
        });
    }
    if arguments.dry_run {
        let inputs: Inputs = serde_json::from_str(&row.inputs)
            .map_err(|problem| Failure::new(Kind::Environment, problem.to_string()))?;
        let Some(tree) = row.run.tree() else {
            return Ok(());
        };
        let sheet = review_sheet(&repository, &row, &inputs, tree)?;
        let files: Vec<_> = sheet
            .files
            .iter()
            .map(|file| String::from_utf8_lossy(&file.path).into_owned())
            .collect();
        let document = json!({ "run": row.id, "tree": tree, "changed": files, "decision": null });
        let screen = session.screen();
        let lines = review_lines(&sheet, screen.appearance(), screen.width());
        let text: String = lines.iter().map(|line| line.painted() + "\n").collect();
        session.output.result(&text, &ok(document));
        return Ok(());
    }
    let (row, lock) = take(&journal, &row)?;
    session.drive(&repository, &mut journal, row, Intent::Review, &lock)
}
