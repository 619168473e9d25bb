//! Finding the run that a command is about.

use proctor_host::driver::Inputs;
use proctor_host::journal::{Journal, JournalError, RunLock, RunRow};
use proctor_host::workspace::Workspace;

use crate::failure::{Failure, Misuse, Obstacle};

/// The journal and the named run, or the newest one.
pub(crate) fn find_any_run(
    workspace: &Workspace,
    name: Option<&str>,
) -> Result<(Journal, RunRow), Failure> {
    if name.is_some() {
        return find_run(workspace, name);
    }
    let journal = workspace.existing_journal()?;
    let newest = match &journal {
        Some(journal) => journal.runs()?.pop(),
        None => None,
    };
    Ok(journal.zip(newest).ok_or(Misuse::NoRunYet)?)
}

/// The journal and the run of that name (see [`Journal::named`]), or the newest run that has not ended.
pub(crate) fn find_run(
    workspace: &Workspace,
    name: Option<&str>,
) -> Result<(Journal, RunRow), Failure> {
    let journal = workspace.existing_journal()?;
    let journal = journal.ok_or_else(|| match name {
        Some(name) => Failure::from(JournalError::NoSuchRun(name.to_owned())),
        None => Misuse::NothingToGoOnWith.into(),
    })?;
    let row = match name {
        Some(name) => journal.named(name)?,
        None => journal
            .runs()?
            .into_iter()
            .rev()
            .find(|row| !(row.run.state().has_ended() && row.run.worktree_removed()))
            .ok_or(Misuse::NothingToGoOnWith)?,
    };
    Ok((journal, row))
}

/// A run's initial inputs.
pub(crate) fn inputs_of(row: &RunRow) -> Result<Inputs, Failure> {
    let read = serde_json::from_str(&row.inputs);
    Ok(read.map_err(|problem| Obstacle::Inputs {
        run: row.id.to_string(),
        problem: problem.to_string(),
    })?)
}

/// Takes a run for this process, in its state after taking: its last owner may have continued.
pub(crate) fn take(journal: &Journal, row: &RunRow) -> Result<(RunRow, RunLock), Failure> {
    let lock = journal.lock(&row.id)?;
    Ok((journal.run(row.id.as_str())?, lock))
}
