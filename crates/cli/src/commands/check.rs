//! `proctor check`

use std::path::PathBuf;

use clap::Args;
use proctor_core::limits::ContextProblem;
use proctor_host::driver::{Examination, IntakeError};
use proctor_host::settings::SettingsFile;

use crate::failure::Failure;
use crate::intake::{ContextOptions, budget_rows, file_rows};
use crate::output::Text;
use crate::session::Session;
use crate::terminal::counted;
use crate::wire::{CheckDocument, ContextRow, ok};

/// Check a design document and context files without starting a run
///
/// Lists the files, requirements and test scenarios that Proctor reads in the document, what each context
/// file costs, and everything that is wrong, all at once.
///
/// Example: proctor check --lld docs/lld-87.md --context src/util.py
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The design document, Markdown
    #[arg(long, value_name = "FILE", required_unless_present = "context")]
    lld: Option<PathBuf>,
    #[command(flatten)]
    context: ContextOptions,
}

pub(crate) fn check(session: &Session<'_>, arguments: &CheckArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let settings = SettingsFile::read(workspace.top())?;
    let base = workspace.current_commit()?;
    let allowed = arguments.context.allowed();
    let found = Examination::of(
        workspace.repository(),
        base.as_ref(),
        arguments.lld.as_deref(),
        &arguments.context.arguments(&session.directory, &allowed),
        settings.protective(),
    )?;
    let given = arguments
        .lld
        .as_ref()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let weaknesses = found
        .weaknesses
        .iter()
        .cloned()
        .map(|problem| problem.into_context_problem(&given));
    let problems: Vec<ContextProblem> = found.refusals.iter().cloned().chain(weaknesses).collect();
    let files: Vec<_> = found.sources.iter().chain(&found.tests).collect();
    let details = CheckDocument {
        files,
        scenarios: &found.design.scenarios,
        requirements: &found.design.requirements,
        context: ContextRow::all(&found.context),
        total_tokens: found.tokens(),
        problems: &problems,
    };
    let unusable = if found.refusals.is_empty() {
        arguments
            .lld
            .as_deref()
            .and_then(|path| found.without_files(path))
    } else {
        Some(IntakeError::Context(problems.clone()))
    };
    if let Some(error) = unusable {
        return Err(Failure::from(error).details(details));
    }
    session.output.result(text(&found, &problems), &ok(details));
    Ok(())
}

fn text(found: &Examination, problems: &[ContextProblem]) -> Text {
    let mut text = Text::default();
    if !found.design.title.is_empty() {
        text.line(format_args!("design: {}", found.design.title));
        text.line("");
    }
    if !found.document.is_empty() {
        text.line("files");
        file_rows(&mut text, found.sources.iter().chain(&found.tests));
        text.line("");
        text.line(format_args!(
            "{}, {}, {}",
            counted(found.sources.len() + found.tests.len(), "file"),
            counted(found.design.requirements.len(), "requirement"),
            counted(found.design.scenarios.len(), "test scenario")
        ));
        text.line("");
    }
    text.line("what the model would be sent");
    budget_rows(&mut text, &found.portions);
    for problem in problems {
        text.lines(2, format_args!("warning: {problem}"));
    }
    text
}
