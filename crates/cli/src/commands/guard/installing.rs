//! `proctor guard install` and `uninstall`

use std::path::Path;

use clap::Args;
use proctor_core::diff::{LineDiff, Tag};
use proctor_core::guard::Client;
use proctor_host::guard::{Installation, PlannedFile, installed_clients};
use proctor_host::workspace::Workspace;

use super::client_name;
use crate::failure::{Failure, Matter};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{InstallDocument, InstallRow, ok};

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// Whose settings
    #[arg(value_parser = client_name())]
    client: Client,
    /// Also have git itself ask: nothing becomes part of a branch, and nothing is pushed, that no gate has accepted
    #[arg(long)]
    git: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArguments {
    /// Whose settings [default: of every client that has the hooks, and git's]
    #[arg(value_parser = client_name())]
    client: Option<Client>,
    /// Git's hooks as well
    #[arg(long)]
    git: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn install(session: &Session<'_>, wanted: &InstallArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let repository = workspace.repository();
    let mut plan = Installation::of(repository, wanted.client)?;
    if wanted.git {
        plan = plan.with_git(repository)?;
    }
    let after = match wanted.client {
        Client::Codex => Some(
            "Codex asks you once whether these hooks are trusted; until then it runs none of them and says nothing",
        ),
        Client::Opencode => Some(
            "OpenCode has no hook at the end: whether the work is done is judged when it is committed",
        ),
        _ => None,
    };
    finish(session, &workspace, &[plan], wanted.dry_run, after)
}

pub(super) fn uninstall(session: &Session<'_>, wanted: &UninstallArguments) -> Result<(), Failure> {
    if let Some(question) = session.in_agents_terminal(&Matter::Guard("uninstall")) {
        return Err(question.into());
    }
    let workspace = session.workspace()?;
    let repository = workspace.repository();
    let clients = match wanted.client {
        Some(client) => vec![client],
        None => installed_clients(repository),
    };
    let mut plans = Vec::new();
    for client in clients {
        plans.push(Installation::without(repository, client)?);
    }
    if wanted.git || wanted.client.is_none() {
        plans.push(Installation::default().without_git(repository)?);
    }
    finish(session, &workspace, &plans, wanted.dry_run, None)
}

fn finish(
    session: &Session<'_>,
    workspace: &Workspace,
    plans: &[Installation],
    dry_run: bool,
    after: Option<&str>,
) -> Result<(), Failure> {
    let files: Vec<&PlannedFile> = plans.iter().flat_map(|plan| &plan.files).collect();
    let mut text = Text::default();
    for file in &files {
        difference(&mut text, workspace.top(), file);
    }
    if !dry_run {
        for plan in plans {
            plan.carry_out()?;
        }
    }
    match (files.len(), dry_run) {
        (0, _) => text.line("nothing to change"),
        (_, true) => text.line("nothing was written"),
        (_, false) => {
            text.line("written; commit the settings with `proctor review`, so that they hold in every checkout");
            if let Some(after) = after {
                text.line(after);
            }
        }
    }
    let rows = files.iter().map(|file| InstallRow {
        path: shown(workspace.top(), &file.path),
        change: match (&file.before, &file.after) {
            (None, _) => "add",
            (_, None) => "remove",
            _ => "modify",
        },
    });
    let document = InstallDocument {
        files: rows.collect(),
        written: !dry_run,
    };
    session.output.result(text, &ok(document));
    Ok(())
}

fn shown(top: &Path, path: &Path) -> String {
    path.strip_prefix(top).unwrap_or(path).display().to_string()
}

fn difference(text: &mut Text, top: &Path, file: &PlannedFile) {
    text.line(shown(top, &file.path));
    let before = file.before.as_deref().unwrap_or_default();
    let after = file.after.as_deref().unwrap_or_default();
    for hunk in LineDiff::between(before, after).hunks {
        for line in hunk.lines {
            let sign = match line.tag {
                Tag::Context => ' ',
                Tag::Added => '+',
                Tag::Removed => '-',
            };
            let content = String::from_utf8_lossy(line.content()).into_owned();
            text.line(format_args!("  {sign} {content}"));
        }
    }
}
