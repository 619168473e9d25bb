//! `proctor keys`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use proctor_core::approval::{SIGNERS_FILE, SignerLine, Signers};
use proctor_host::approval::{Roster, RosterError, SigningKey, policy_at};
use proctor_host::workspace::Workspace;

use crate::failure::{Failure, Misuse};
use crate::output::Text;
use crate::session::Session;
use crate::terminal::counted;
use crate::wire::{KeyRow, KeysDocument, SkippedRow, ok};

/// Say who may approve
///
/// Writes `.proctor/allowed_signers` in your checkout and nothing else. A line counts for the commits that follow the one
/// which adds it, and that one needs an approval of somebody who is listed already: see `proctor verify`.
///
/// Example: proctor keys add ~/.ssh/approval.pub
#[derive(Debug, Args)]
pub(crate) struct KeysArguments {
    #[command(subcommand)]
    act: Act,
}

/// What to do with the file.
#[derive(Debug, Subcommand)]
enum Act {
    /// Add a line for a key
    Add {
        /// The public key [default: the key that you sign with]
        file: Option<PathBuf>,
        /// Whose it is [default: your address, as git knows it]
        #[arg(long = "as", value_name = "ADDRESS")]
        principal: Option<String>,
    },
    /// Show who may approve
    List,
    /// Take out the lines of a person or a key
    Remove {
        /// An address, or a fingerprint as `list` shows it
        name: String,
    },
}

pub(crate) fn keys(session: &Session<'_>, arguments: &KeysArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let mut roster = Roster::read(workspace.top())?;
    let (mut text, added, removed) = match &arguments.act {
        Act::Add { file, principal } => {
            let key = match file {
                Some(file) => SigningKey::File(session.directory.join(file)),
                None => own_key(session, &workspace)?,
            };
            let key = key.public().map_err(RosterError::from)?;
            let person = workspace.person()?;
            let principal = principal
                .clone()
                .or_else(|| Some(person.as_ref()?.email.clone()));
            let principal = principal.ok_or(Misuse::NoAddress)?;
            let comment = person.map_or_else(String::new, |person| person.name);
            let (line, is_new) = roster.add(&principal, &key, &comment)?;
            let words = if is_new { "added to" } else { "is already in" };
            let mut text = Text::from(format_args!(
                "{} of {principal} {words} {SIGNERS_FILE}",
                key.fingerprint()
            ));
            if is_new {
                text.line("it counts once a commit that somebody listed has approved brings it in");
            }
            (text, is_new.then_some(line), None)
        }
        Act::List => (Text::default(), None, None),
        Act::Remove { name } => {
            let count = roster.remove(name)?;
            let mut text = Text::from(format_args!(
                "{} of {name} taken out of {SIGNERS_FILE}",
                counted(count, "line")
            ));
            text.line("what they approved before stays approved; to take that back, list the key in .proctor/revoked_signers");
            (text, None, Some(count))
        }
    };
    let signers = roster.signers();
    if matches!(arguments.act, Act::List) {
        list(&signers, &mut text);
    }
    let document = KeysDocument {
        path: SIGNERS_FILE,
        keys: signers.lines.iter().map(KeyRow::of).collect(),
        skipped: skipped(&signers),
        added,
        removed,
    };
    session.output.result(text, &ok(document));
    Ok(())
}

fn own_key(session: &Session<'_>, workspace: &Workspace) -> Result<SigningKey, Failure> {
    let base = workspace.current_commit()?;
    let settings = policy_at(workspace.repository(), base.as_ref())?;
    let key = SigningKey::find(workspace.repository(), &settings, &session.surroundings);
    Ok(key.map_err(RosterError::from)?)
}

fn skipped(signers: &Signers) -> Vec<SkippedRow> {
    let rows = signers.skipped.iter().map(|(line, why)| SkippedRow {
        line: *line,
        reason: why.to_string(),
    });
    rows.collect()
}

fn list(signers: &Signers, text: &mut Text) {
    if signers.lines.is_empty() {
        text.line(format_args!("{SIGNERS_FILE} names nobody"));
    }
    for line in &signers.lines {
        text.line(format_args!(
            "{}  {}  {}{}",
            line.principals.join(","),
            line.key.fingerprint(),
            line.key.algorithm(),
            remarks(line)
        ));
    }
    for (number, why) in &signers.skipped {
        text.line(format_args!("line {number} says nothing: {why}"));
    }
}

fn remarks(line: &SignerLine) -> String {
    let mut words = Vec::new();
    if line.is_authority {
        words.push("authority");
    }
    if line.key.material.is_in_hardware() {
        words.push("hardware");
    }
    if line.valid_after.is_some() || line.valid_before.is_some() {
        words.push("limited in time");
    }
    if !line.is_authority && line.has_wildcard() {
        words.push("counts for nobody: a pattern is for authorities only");
    }
    if words.is_empty() {
        String::new()
    } else {
        format!("  ({})", words.join(", "))
    }
}
