//! `proctor new`

use clap::Args;
use proctor_host::driver::{is_issue, write_document};
use serde_json::json;

use crate::failure::{Failure, Misuse};
use crate::output::Text;
use crate::session::Session;
use crate::wire::ok;

/// Write a design document to start from
///
/// The document is docs/lld/ID-title.md, from a template in which every section is there that Proctor reads: the table
/// of files, requirements, test scenarios. A file that is there already stays as it is. `proctor run --issue ID` finds it.
///
/// Example: proctor new 87 "Round prices to cents"
#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The issue
    #[arg(value_name = "ID")]
    issue: String,
    /// What it is about, in a few words
    title: String,
}

pub(crate) fn new(session: &Session<'_>, arguments: &NewArguments) -> Result<(), Failure> {
    let given = &arguments.issue;
    let issue = given.strip_prefix('#').unwrap_or(given);
    if !is_issue(issue) {
        return Err(Misuse::Issue(given.clone()).into());
    }
    if arguments.title.trim().is_empty() {
        return Err(Misuse::NoTitle.into());
    }
    let workspace = session.workspace()?;
    let base = workspace.current_commit()?;
    let written = write_document(
        workspace.repository(),
        base.as_ref(),
        issue,
        &arguments.title,
    )?;
    let path = session.seen_from_here(&workspace, &written.path);
    let path = path.display();
    let mut text = Text::from(format_args!("{path} written"));
    text.line("");
    text.line("next");
    text.line("  fill it in: files, requirements, test scenarios");
    for command in [format!("check {path}"), format!("run --issue {issue}")] {
        text.line(format_args!("  {}", session.command(&command)));
    }
    let document = json!({ "issue": issue, "path": written.path });
    session.output.result(text, &ok(document));
    Ok(())
}
