//! `proctor trust`

use clap::Args;
use proctor_core::permission::Presence;
use proctor_host::safe_write::WriteApprover as _;
use proctor_host::settings::{FILE_NAME, SettingsFile};
use proctor_host::trust::Trust;

use crate::failure::{Failure, Matter, Refused, Unanswered};
use crate::session::Session;
use crate::terminal::{Ink, Line};
use crate::wire::{TrustDocument, ok};

/// Let this repository's proctor.toml lower the guard
///
/// Commands that it names, files of yours that it shows to tests and a sandbox that it switches off count only once
/// you have trusted exactly this content, in this repository; until then, what would use them is refused. Shows
/// what the file would allow and asks. Where no person is, `PROCTOR_TRUST=DIGEST` says the same; the digest is the
/// file's SHA-256, and several are separated by commas.
///
/// Example: proctor trust
#[derive(Debug, Args)]
pub(crate) struct TrustArguments {
    /// Forget everything that was trusted in this repository
    #[arg(long)]
    revoke: bool,
}

pub(crate) fn trust(session: &Session<'_>, arguments: &TrustArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let top = workspace.top();
    let trust = Trust::of(workspace.repository(), &session.surroundings);
    if arguments.revoke {
        trust.revoke()?;
    }
    let files = workspace.settings_files()?;
    let document = |trusted| TrustDocument::of(top, &files[0], trusted);
    let open: Vec<(usize, &SettingsFile)> = files
        .iter()
        .enumerate()
        .filter(|(_, file)| !trust.has(file))
        .collect();
    if arguments.revoke {
        let text = "nothing is trusted in this repository any more";
        let trusted = open.is_empty();
        session.output.result(text, &ok(document(trusted)));
        return Ok(());
    }
    if open.is_empty() {
        let text = if files.iter().all(|file| file.lowering().is_empty()) {
            format!("nothing in {FILE_NAME} lowers the guard")
        } else {
            format!("{FILE_NAME} is trusted already")
        };
        session.output.result(text, &ok(document(true)));
        return Ok(());
    }
    let mut shown: Vec<Line> = Vec::new();
    for (index, file) in &open {
        shown.extend(lines(*index > 0, file));
    }
    let digests: Vec<&str> = open.iter().map(|(_, file)| file.digest()).collect();
    let unanswered = || {
        let digests = digests.join(",");
        Failure::from(Unanswered::Trust { digests }).details(document(false))
    };
    let approver = session.approver();
    if approver.presence() != Presence::AtTerminal {
        // A person who has to decide elsewhere needs to see it all the same.
        let _ = session.screen().tell(&shown);
        return Err(match session.in_agents_terminal(&Matter::Trust) {
            Some(question) => Failure::from(question).details(document(false)),
            None => unanswered(),
        });
    }
    let question = "Type TRUST to allow this in this repository, LEAVE to leave it as it is:";
    let answers = [("TRUST", true), ("LEAVE", false)];
    let farewell = "Nothing was decided; nothing is trusted.";
    match approver.ask(&shown, question, &answers, farewell) {
        None => Err(unanswered()),
        Some(false) => Err(Failure::from(Refused::NotTrusted).details(document(false))),
        Some(true) => {
            for (_, file) in open {
                trust.remember(file)?;
            }
            let text = format!("{FILE_NAME} is trusted in this repository");
            session.output.result(text, &ok(document(true)));
            Ok(())
        }
    }
}

/// The permissions that a file would give; its text is untrusted until a person has trusted it.
fn lines(is_committed: bool, file: &SettingsFile) -> Vec<Line> {
    let which = if is_committed {
        "of the last commit"
    } else {
        "of your checkout"
    };
    let digest = file.digest();
    let heading = format!("{FILE_NAME} {which} ({digest}) would allow:");
    let mut lines = vec![Line::of(Ink::Strong, heading)];
    for lowering in file.lowering() {
        lines.push(Line::of(
            Ink::Alarm,
            format!("  {} = {}", lowering.key, lowering.value),
        ));
        lines.push(Line::of(Ink::Plain, format!("      {}", lowering.allows)));
    }
    lines
}
