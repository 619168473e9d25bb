//! `proctor keys`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use proctor_core::approval::{SIGNERS_FILE, SignerLine, Signers};
use proctor_host::approval::{Roster, RosterError, SigningKey, policy_at};
use proctor_host::workspace::Workspace;

use crate::browser::new_passkey;
use crate::failure::{Failure, Interruption, Misuse};
use crate::output::Text;
use crate::session::Session;
use crate::terminal::counted;
use crate::wire::{KeyRow, KeysDocument, SkippedRow, ok};

/// Say who may approve
///
/// Writes `.proctor/allowed_signers` in your checkout and nothing else. A line counts for the commits that follow the one
/// which adds it, and that one needs the approval of a listed signer: see `proctor verify`.
///
/// A passkey is made on a page of this machine, whose address the terminal shows.
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
        /// Make a passkey in your browser, and call it so [default: your name]
        #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with = "file")]
        passkey: Option<String>,
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
        Act::Add {
            file,
            principal,
            passkey,
        } => {
            let person = workspace.person()?;
            let principal = principal
                .clone()
                .or_else(|| Some(person.as_ref()?.email.clone()));
            let principal = principal.ok_or(Misuse::NoAddress)?;
            let mut comment = person.map_or_else(String::new, |person| person.name);
            let key = match (passkey, file) {
                (Some(name), _) => {
                    Roster::check_principal(&principal)?;
                    let known = passkeys_of(&roster.signers(), &principal);
                    let made =
                        new_passkey(&session.screen(), &session.interrupt, &principal, &known);
                    if made.is_err() && session.interrupt.is_set() {
                        return Err(Interruption.into());
                    }
                    let made = made.map_err(RosterError::from)?;
                    if !name.is_empty() {
                        comment.clone_from(name);
                    }
                    let word = SignerLine::credential_word(&made.credential);
                    comment = format!("{comment} {word}");
                    made.key
                }
                (None, Some(file)) => {
                    let key = SigningKey::File(session.directory.join(file));
                    key.public().map_err(RosterError::from)?
                }
                (None, None) => {
                    let key = own_key(session, &workspace)?;
                    key.public().map_err(RosterError::from)?
                }
            };
            let (line, is_new) = roster.add(&principal, &key, &comment)?;
            let words = if is_new { "added to" } else { "is already in" };
            let mut text = Text::from(format_args!(
                "{} of {principal} {words} {SIGNERS_FILE}",
                key.fingerprint()
            ));
            if is_new {
                text.line("it counts once a commit that a listed signer has approved brings it in");
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

/// The credential ids of the passkeys that a person already has.
fn passkeys_of(signers: &Signers, principal: &str) -> Vec<Vec<u8>> {
    let lines = signers.lines.iter();
    let theirs = lines.filter(|line| line.key.is_local_passkey() && line.names(principal));
    theirs.filter_map(SignerLine::credential).collect()
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
        text.line(format_args!("{SIGNERS_FILE} names no one"));
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
        words.push("counts for no one: a pattern is for authorities only");
    }
    if words.is_empty() {
        String::new()
    } else {
        format!("  ({})", words.join(", "))
    }
}
