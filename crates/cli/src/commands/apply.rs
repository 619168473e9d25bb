//! `proctor apply`

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;
use proctor_core::context::{ProjectPath, mask_secrets};
use proctor_core::diff::{LineDiff, Tag, escape};
use proctor_core::edit::{self, Applied, Change, Refusal, RefusalKind};
use proctor_core::generation::{Body, Reply, parse_reply};
use proctor_host::files::{FileError, Root};
use serde_json::{Value, json};

use crate::failure::{Failure, Kind};
use crate::session::{Session, ok};
use crate::terminal::counted;

/// Apply a model's reply with changes to a file, all of them or none
///
/// The reply has FIND and REPLACE WITH blocks, or SEARCH/REPLACE markers. Each text has to be at exactly one
/// place of the file; otherwise everything that is wrong is said, and the file stays as it is.
///
/// Example: proctor apply src/app.py --from reply.md --dry-run
#[derive(Debug, Args)]
pub(crate) struct ApplyArguments {
    /// The file, relative to the repository's root
    path: String,
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
    let repository = session.repository()?;
    let given = &arguments.path;
    let path = given.strip_prefix("./").unwrap_or(given);
    let path = ProjectPath::parse(path).map_err(|problem| {
        Failure::new(Kind::Safety, problem.to_string())
            .hint("give a path relative to the repository's root")
    })?;
    let root = Root::open(repository.top()).map_err(|error| {
        let message = format!("the repository's root cannot be opened: {error}");
        Failure::new(Kind::Environment, message)
    })?;
    let reply = reply(session, arguments)?;
    let original = match root.read(&path, MAX_BYTES) {
        Ok(content) => content,
        Err(FileError::Missing { .. }) => {
            let message = format!("{path} does not exist, so there is nothing to change in it");
            let refusal = Refusal::of_reply(RefusalKind::NotFound, message);
            return Err(refused(&path, &[refusal]).hint(
                "give the path relative to the repository's root; a new file is written whole",
            ));
        }
        Err(error) => return Err(unsafe_file(&error)),
    };
    if let Some(problem) = not_editable(&path, &original) {
        return Err(problem);
    }
    let applied = changes(&reply, &path)
        .and_then(|changes| edit::apply(&original, &changes))
        .map_err(|refusals| {
            refused(&path, &refusals).hint("nothing was written; have all changes sent again")
        })?;
    if !arguments.dry_run {
        // Whoever wrote to it meanwhile has not seen these changes, nor have they seen theirs.
        let now = root
            .read(&path, MAX_BYTES)
            .map_err(|error| unsafe_file(&error))?;
        if now != original {
            let message = format!("{path} was changed while the changes were being applied");
            let refusal = Refusal::of_reply(RefusalKind::NotFound, message);
            return Err(refused(&path, &[refusal]).hint("nothing was written; try again"));
        }
        root.write(&path, &applied.content, false)
            .map_err(|error| unsafe_file(&error))?;
    }
    report(session, arguments, &path, &original, &applied);
    Ok(())
}

/// The reply's text.
fn reply(session: &Session<'_>, arguments: &ApplyArguments) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let read = match &arguments.from {
        Some(path) => std::fs::File::open(session.directory.join(path))
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut content)),
        None => std::io::stdin().take(MAX_BYTES).read_to_end(&mut content),
    };
    match read {
        Ok(_) => Ok(content),
        Err(error) => {
            let name = arguments.from.as_ref();
            let name = name.map_or("standard input".to_owned(), |path| {
                path.display().to_string()
            });
            Err(
                Failure::new(Kind::Usage, format!("{name} cannot be read: {error}"))
                    .hint("name the file with the model's reply with --from FILE"),
            )
        }
    }
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

fn not_editable(path: &ProjectPath, content: &[u8]) -> Option<Failure> {
    let message = if content.len() as u64 > MAX_BYTES {
        format!("{path} has more than {MAX_BYTES} bytes")
    } else if content.contains(&0) {
        format!("{path} is not text: it has a NUL byte")
    } else {
        return None;
    };
    Some(Failure::new(Kind::Safety, message).hint("nothing was written"))
}

fn unsafe_file(error: &FileError) -> Failure {
    let kind = match error {
        FileError::Io { .. } | FileError::Indeterminate { .. } => Kind::Environment,
        _ => Kind::Safety,
    };
    let failure = Failure::new(kind, error.to_string());
    match kind {
        Kind::Safety => failure.hint("only a regular file, reached without links, is changed"),
        _ => failure.hint("free some disk space or mend the permissions"),
    }
}

fn refused(path: &ProjectPath, refusals: &[Refusal]) -> Failure {
    let lines: Vec<String> = refusals
        .iter()
        .flat_map(|refusal| {
            let text = refusal.to_string();
            text.lines()
                .map(|line| escape(line.as_bytes()).text)
                .collect::<Vec<_>>()
        })
        .collect();
    // A message may quote the file.
    let masked = refusals.iter().cloned().map(|mut refusal| {
        refusal.message = mask_secrets(&refusal.message).into_owned();
        refusal
    });
    let masked: Vec<Refusal> = masked.collect();
    Failure::new(Kind::Refused, lines.join("\n")).details(document(path, false, &[], &masked))
}

fn document(
    path: &ProjectPath,
    applied: bool,
    changes: &[edit::AppliedChange],
    errors: &[Refusal],
) -> Value {
    json!({ "path": path, "applied": applied, "changes": changes, "errors": errors })
}

fn report(
    session: &Session<'_>,
    arguments: &ApplyArguments,
    path: &ProjectPath,
    original: &[u8],
    applied: &Applied,
) {
    let mut details = document(path, !arguments.dry_run, &applied.changes, &[]);
    let text = if arguments.dry_run {
        let difference = difference(path, original, &applied.content);
        details["dry_run"] = json!(true);
        details["diff"] = json!(difference);
        difference
    } else {
        let mut text = format!(
            "{path}: {} applied\n",
            counted(applied.changes.len(), "change")
        );
        for change in &applied.changes {
            let how = match change.tier {
                edit::Tier::Exact => "",
                edit::Tier::Whitespace => ", white space adapted",
            };
            let description = escape(change.description.as_bytes()).text;
            let line = format!("  line {}{how}  {description}", change.line);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    };
    session.output.result(&text, &ok(details));
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
