//! `proctor abort`

use clap::Args;

use crate::failure::{Failure, Kind};
use crate::session::{Intent, Session, find_run};

/// End a run without merging
///
/// Everything uncommitted in its worktree is saved under refs/proctor/rescue/RUN, then the worktree and
/// the branch are removed.
#[derive(Debug, Args)]
pub(crate) struct AbortArguments {
    /// The run
    run: String,
}

pub(crate) fn abort(session: &Session<'_>, arguments: &AbortArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let mut journal = session.existing_journal(&repository)?;
    let row = find_run(journal.as_ref(), Some(&arguments.run))?;
    let Some(journal) = journal.as_mut() else {
        return Ok(());
    };
    let lock = journal.lock(&row.id)?;
    let row = journal.run(row.id.as_str())?;
    if let proctor_core::workflow::State::Merged(commit) = row.run.state() {
        let message = format!(
            "run {} is merged as {} and cannot be aborted",
            row.id,
            commit.short()
        );
        return Err(
            Failure::new(Kind::Refused, message).hint("`git revert` undoes a merged commit")
        );
    }
    session.drive(&repository, journal, row, Intent::Abort, &lock)
}
