//! `proctor resume`

use clap::Args;

use crate::failure::Failure;
use crate::session::{Intent, Session, find_run};

/// Go on with an interrupted or parked run
///
/// A run whose attempts are spent gets three more. Example: proctor resume 87-k3x9qd
#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The run; without it the newest that has not ended
    run: Option<String>,
}

pub(crate) fn resume(session: &Session<'_>, arguments: &ResumeArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let mut journal = session.existing_journal(&repository)?;
    let row = find_run(journal.as_ref(), arguments.run.as_deref())?;
    let Some(journal) = journal.as_mut() else {
        return Ok(());
    };
    let lock = journal.lock(&row.id)?;
    // Read again: the process that had the lock may have gone on in between.
    let row = journal.run(row.id.as_str())?;
    session.drive(&repository, journal, row, Intent::GoOn, &lock)
}
