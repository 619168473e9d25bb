//! `proctor apply`

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;
use proctor_core::diff::{LineDiff, Tag};
use proctor_core::edit::{self, Change, Refusal, RefusalKind};
use proctor_core::generation::{Body, Reply, parse_reply};
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::safe_write::{Content, Proposal};
use proctor_core::secrets::mask_secrets;
use proctor_core::visible::escape;
use proctor_host::driver::IntakeError;
use proctor_host::files::{FileError, Root};
use proctor_host::safe_write::{CheckoutWriter, WriteError};

use crate::failure::{Failure, Misuse, Obstacle, Refused, Unsafe};
use crate::output::Text;
use crate::session::Session;
use crate::terminal::{Ink, Line, counted};
use crate::wire::{ApplyDocument, Rehearsal, ok};

/// Apply a model's reply with changes to a file, all of them or none
///
/// The reply has FIND and REPLACE WITH blocks, or SEARCH/REPLACE markers. Each text has to be at exactly one
/// place of the file; otherwise everything that is wrong is said, and the file stays as it is. What tools act on,
/// and a large file of which less than half would stay, is changed only after you confirmed it at the terminal.
/// Every change is in the audit trail, and what it replaced is kept under refs/proctor/rescue.
///
/// Example: proctor apply src/app.py --from reply.md --dry-run
#[derive(Debug, Args)]
pub(crate) struct ApplyArguments {
    /// The file, from where you are
    path: OsString,
    /// Where the reply is; standard input if not given
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Show the difference and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The largest file that is changed, and the largest reply that is read.
const MAX_BYTES: u64 = 1 << 30;

pub(crate) fn apply(session: &Session<'_>, arguments: &ApplyArguments) -> Result<(), Failure> {
    let (workspace, path) = session.project_path(&arguments.path)?;
    let root = Root::open(workspace.top()).map_err(IntakeError::Root)?;
    let reply = reply(session, arguments)?;
    let turn = (!arguments.dry_run).then(|| root.take_turn());
    let original = match root.read_replaceable(&path, MAX_BYTES) {
        Ok(content) => Content::from(content),
        Err(FileError::Missing { .. }) => {
            return Err(not_found(&path, Refused::NothingToChange(path.to_string())));
        }
        Err(error) => return Err(error.into()),
    };
    editable(&path, &original)?;
    let applied = changes(&reply, &path)
        .and_then(|changes| edit::apply(&original, &changes))
        .map_err(|refusals| refused(&path, Refused::Changes(refusals.clone()), &refusals))?;
    let changes = applied.changes.clone();
    let mut proposal = Proposal::edited(path, original, applied);
    if let Some(turn) = turn {
        let mut writer = CheckoutWriter {
            repository: workspace.repository(),
            root: &root,
            clock: session.clock,
            interrupt: &session.interrupt,
            autonomy: Autonomy::default(),
            approver: &mut session.approver(),
        };
        let written = writer.write(&mut proposal, turn);
        written.map_err(|error| not_written(session, &proposal.path, error))?;
    }
    report(session, arguments, &proposal, &changes);
    Ok(())
}

fn not_written(session: &Session<'_>, path: &ProjectPath, error: WriteError) -> Failure {
    match error {
        WriteError::File(error @ FileError::ChangedMeanwhile { .. }) => not_found(path, error),
        other => refused(path, session.not_written("apply", other), &[]),
    }
}

/// The reply's text.
fn reply(session: &Session<'_>, arguments: &ApplyArguments) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let Some(path) = &arguments.from else {
        let input = std::io::stdin().take(MAX_BYTES).read_to_end(&mut content);
        input.map_err(Obstacle::StandardInput)?;
        return Ok(content);
    };
    std::fs::File::open(session.directory.join(path))
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut content))
        .map_err(|source| Misuse::Unreadable {
            path: path.clone(),
            source,
        })?;
    Ok(content)
}

/// The changes that a reply brings for this file and nothing else.
fn changes(reply: &[u8], path: &ProjectPath) -> Result<Vec<Change>, Vec<Refusal>> {
    let refuse = |kind, message: String| Err(vec![Refusal::of_reply(kind, message)]);
    let malformed = |message: String| refuse(RefusalKind::Malformed, message);
    let Ok(text) = std::str::from_utf8(reply) else {
        return malformed("the reply is not valid UTF-8 text".to_owned());
    };
    let files = match parse_reply(text, Some(path)) {
        Ok(Reply::Files(files)) => files,
        Ok(Reply::GiveUp(reason)) => return malformed(format!("the model gave up: {reason}")),
        Ok(Reply::TestsAreWrong(reason)) => {
            return malformed(format!("the model says that the tests are wrong: {reason}"));
        }
        Err(problem) if problem.is_cut_off => {
            return refuse(RefusalKind::Truncated, problem.to_string());
        }
        Err(problem) => return malformed(problem.to_string()),
    };
    if let Some(other) = files.iter().find(|file| file.path != path.as_str()) {
        return malformed(format!(
            "the reply is about {:?}, not about {path}",
            other.path
        ));
    }
    match files.into_iter().next().map(|file| file.body) {
        Some(Body::Edits(changes)) => Ok(changes),
        _ => malformed(
            "the reply brings a whole file; send the changes, each with FIND: and REPLACE WITH: blocks"
                .to_owned(),
        ),
    }
}

fn editable(path: &ProjectPath, content: &[u8]) -> Result<(), Unsafe> {
    if content.len() as u64 > MAX_BYTES {
        let (path, limit) = (path.to_string(), MAX_BYTES);
        return Err(Unsafe::TooLarge { path, limit });
    }
    if content.contains(&0) {
        return Err(Unsafe::NotText(path.to_string()));
    }
    Ok(())
}

/// For scripts the same as a text that is nowhere: there is nothing that the changes fit.
fn not_found(path: &ProjectPath, error: impl Into<Failure> + ToString) -> Failure {
    let refusal = Refusal::of_reply(RefusalKind::NotFound, error.to_string());
    refused(path, error, &[refusal])
}

fn refused(path: &ProjectPath, error: impl Into<Failure>, refusals: &[Refusal]) -> Failure {
    // A message may quote the file.
    let masked = refusals.iter().cloned().map(|mut refusal| {
        let message = refusal.message;
        refusal.message = message.reworded(|text| mask_secrets(text).into_owned());
        refusal
    });
    let masked: Vec<Refusal> = masked.collect();
    let failure: Failure = error.into();
    failure.details(ApplyDocument {
        path,
        applied: false,
        changes: &[],
        errors: &masked,
        rehearsal: None,
    })
}

fn report(
    session: &Session<'_>,
    arguments: &ApplyArguments,
    proposal: &Proposal,
    changes: &[edit::AppliedChange],
) {
    let path = &proposal.path;
    let original = proposal.before.as_deref().map_or(&[][..], Vec::as_slice);
    let difference = (arguments.dry_run).then(|| difference(path, original, &proposal.after));
    let document = ok(ApplyDocument {
        path,
        applied: !arguments.dry_run,
        changes,
        errors: &[],
        rehearsal: difference.as_deref().map(Rehearsal::new),
    });
    if let Some(difference) = &difference {
        let lines = difference.lines().map(|line| Line::of(Ink::Plain, line));
        return session.output.lines(lines, &session.screen(), &document);
    }
    let applied = counted(changes.len(), "change");
    let mut text = Text::from(format!("{path}: {applied} applied"));
    for change in changes {
        let how = match change.tier {
            edit::Tier::Exact => "",
            edit::Tier::Whitespace => ", white space adapted",
        };
        let line = format!("  line {}{how}  {}", change.line, change.description);
        text.line(line.trim_end());
    }
    session.output.result(text, &document);
}

/// The difference as people know it, with every byte visible.
fn difference(path: &ProjectPath, before: &[u8], after: &[u8]) -> String {
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    for hunk in LineDiff::between(before, after).hunks {
        let _ = writeln!(
            text,
            "@@ -{},{} +{},{} @@",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        );
        for line in &hunk.lines {
            let sign = match line.tag {
                Tag::Context => ' ',
                Tag::Added => '+',
                Tag::Removed => '-',
            };
            let _ = writeln!(text, "{sign}{}", escape(line.content()).text);
            if line.lacks_newline() {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}
