//! `proctor guard doctor`

use proctor_core::guard::Client;
use proctor_host::guard::{git_hooks_installed, try_hook};

use crate::failure::{Failure, Refused};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{TrialDocument, TrialRow, ok};

pub(super) fn doctor(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let place = session.place(&workspace);
    let mut text = Text::default();
    let mut rows = Vec::new();
    let mut silent = Vec::new();
    for client in Client::ALL {
        let name = client.name();
        let trial = session
            .progress()
            .during(&format!("asking the hook of {name}"), || {
                try_hook(place, client)
            })?;
        let Some(trial) = trial else { continue };
        if trial.denied {
            text.line(format_args!(
                "{name}: the hook answers, and refuses what it has to"
            ));
        } else {
            silent.push(format!("{name}: {}", trial.words));
        }
        if trial.trusted == Some(false) {
            silent.push(format!(
                "{name}: it was never told to trust hooks of this project, so it runs none of them; start it here once and answer"
            ));
        }
        rows.push(TrialRow {
            client,
            denies: trial.denied,
        });
    }
    let git = git_hooks_installed(workspace.repository())?;
    if rows.is_empty() {
        text.line(
            "no client has the guard's hooks; `proctor guard install CLIENT` puts them there",
        );
    }
    text.line(format_args!(
        "git's hooks: {}",
        if git {
            "installed"
        } else {
            "not installed; `proctor guard install CLIENT --git` puts them there"
        }
    ));
    let document = TrialDocument { clients: rows, git };
    if silent.is_empty() {
        session.output.result(text, &ok(document));
        return Ok(());
    }
    if !session.output.is_json() {
        session.output.result(text, &serde_json::Value::Null);
    }
    Err(Failure::from(Refused::GuardSilent(silent)).details(document))
}
