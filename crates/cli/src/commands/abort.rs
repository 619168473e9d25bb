//! `proctor abort`

use clap::Args;

use crate::failure::{Failure, Refused};
use crate::session::{Intent, Session, find_run, take};

/// End a run without merging
///
/// Everything uncommitted in its worktree is saved under refs/proctor/rescue/RUN, then the worktree and
/// the branch are removed.
///
/// Example: proctor abort 87-k3x9qd
#[derive(Debug, Args)]
pub(crate) struct AbortArguments {
    /// The run
    run: String,
}

pub(crate) fn abort(session: &Session<'_>, arguments: &AbortArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let (mut journal, row) = find_run(&workspace, Some(&arguments.run))?;
    let (row, lock) = take(&journal, &row)?;
    if let proctor_core::workflow::State::Merged(commit) = row.run.state() {
        let (run, commit) = (row.id.to_string(), commit.short().to_owned());
        return Err(Refused::Merged { run, commit }.into());
    }
    session.drive(&workspace, &mut journal, row, Intent::Abort, &lock)
}
