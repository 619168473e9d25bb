//! `proctor check`

use std::path::PathBuf;

use clap::Args;
use proctor_core::limits::ContextProblem;
use proctor_core::lld::LldProblem;
use proctor_host::driver::{Examination, IntakeError};
use proctor_host::settings::SettingsFile;
use serde_json::Value;

use crate::failure::{Failure, Misuse};
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
/// Example: proctor check docs/lld/87-round-prices.md --context src/util.py
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The design document, Markdown
    #[arg(value_name = "FILE", conflicts_with = "lld")]
    document: Option<PathBuf>,
    /// The same, as `proctor run` takes it
    #[arg(long, value_name = "FILE")]
    lld: Option<PathBuf>,
    #[command(flatten)]
    context: ContextOptions,
}

pub(crate) fn check(session: &Session<'_>, arguments: &CheckArguments) -> Result<(), Failure> {
    let document = arguments.lld.as_deref().or(arguments.document.as_deref());
    if document.is_none() && arguments.context.context.is_empty() {
        return Err(Misuse::NothingToCheck.into());
    }
    let workspace = session.workspace()?;
    let settings = SettingsFile::read(workspace.top())?;
    let base = workspace.current_commit()?;
    let allowed = arguments.context.allowed();
    let words = "reading the document and the context";
    let found = session.progress().during(words, || {
        Examination::of(
            workspace.repository(),
            base.as_ref(),
            document,
            &arguments.context.arguments(&session.directory, &allowed),
            settings.protective(),
        )
    })?;
    let given = document.map(|path| path.display().to_string());
    let given = given.unwrap_or_default();
    let weaknesses = found.weaknesses.iter().cloned();
    let warnings: Vec<ContextProblem> = weaknesses
        .map(|problem| problem.into_context_problem(&given))
        .collect();
    let refusals = found.refusals.iter();
    let problems = refusals.chain(&warnings).collect();
    let files: Vec<_> = found.sources.iter().chain(&found.tests).collect();
    let details = CheckDocument {
        files,
        scenarios: &found.design.scenarios,
        requirements: &found.design.requirements,
        context: ContextRow::all(&found.context),
        total_tokens: found.tokens(),
        problems,
        suggested_context: &found.suggested,
    };
    let unusable = if found.refusals.is_empty() {
        document.and_then(|path| found.without_files(path))
    } else {
        Some(IntakeError::Context(found.refusals.clone()))
    };
    let Some(error) = unusable else {
        session.output.result(text(&found, &warnings), &ok(details));
        return Ok(());
    };
    let failure = Failure::from(error).details(details);
    // Weaknesses of the document are reported as well, but not counted as obstacles.
    let fatal = found.weaknesses.iter().map(LldProblem::is_fatal);
    let others = warnings.iter().zip(fatal).filter(|(_, fatal)| !fatal);
    let others: Vec<ContextProblem> = others.map(|(warning, _)| warning.clone()).collect();
    if !(session.output.is_json() || others.is_empty()) {
        let mut text = Text::default();
        warn(&mut text, &others);
        session.output.result(text, &Value::Null);
    }
    Err(failure)
}

fn warn(text: &mut Text, warnings: &[ContextProblem]) {
    for warning in warnings {
        text.lines(2, format_args!("warning: {warning}"));
    }
}

fn text(found: &Examination, warnings: &[ContextProblem]) -> Text {
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
    if !found.suggested.is_empty() {
        text.line("");
        text.line("imported by these files, but not shown to the model; add what it needs");
        for path in &found.suggested {
            text.line(format_args!("  --context {path}"));
        }
    }
    if !warnings.is_empty() {
        text.line("");
        warn(&mut text, warnings);
    }
    text.line("");
    text.line(format_args!(
        "no problems, {}",
        match warnings.len() {
            0 => "no warnings".to_owned(),
            number => counted(number, "warning"),
        }
    ));
    text
}
