//! `proctor clean`

use clap::Args;
use proctor_core::workflow::Event;
use proctor_host::driver::remove_leftovers;
use proctor_host::files::remove_own_directory;
use serde_json::json;

use crate::failure::{Failure, Obstacle};
use crate::session::Session;
use crate::wire::ok;

/// Remove what ended runs left behind
///
/// Worktrees and branches that an interrupted removal left, and the kept output of their test runs. What
/// is uncommitted is saved under refs/proctor/rescue/RUN first. The journal stays.
///
/// Example: proctor clean
#[derive(Debug, Args)]
pub(crate) struct CleanArguments {}

pub(crate) fn clean(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let mut cleaned = Vec::new();
    if let Some(mut journal) = workspace.existing_journal()? {
        for row in journal
            .runs()?
            .into_iter()
            .filter(|row| row.run.state().has_ended())
        {
            // Another process is finishing it right now.
            let Ok(_lock) = journal.lock(&row.id) else {
                continue;
            };
            // Read again: the lock's last holder may have finished it.
            let row = journal.run(row.id.as_str())?;
            let evidence = workspace.run_data(&row).evidence_directory();
            let has_evidence = evidence.exists();
            let removed = remove_own_directory(&evidence);
            removed.map_err(|source| Obstacle::NotRemoved {
                path: evidence,
                source,
            })?;
            if !row.run.worktree_removed() {
                let rescue =
                    remove_leftovers(workspace.repository(), &row, session.clock.seconds())?;
                let event = Event::WorktreeRemoved { rescue };
                journal.record_event(&row.id, &event, "proctor", true)?;
                cleaned.push(row.id.to_string());
            } else if has_evidence {
                cleaned.push(row.id.to_string());
            }
        }
    }
    let text = if cleaned.is_empty() {
        "nothing to clean".to_owned()
    } else {
        format!("cleaned {}", cleaned.join(", "))
    };
    session
        .output
        .result(text, &ok(json!({ "cleaned": cleaned })));
    Ok(())
}
