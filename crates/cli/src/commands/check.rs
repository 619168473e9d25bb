//! `proctor check`

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use proctor_core::context::{ContextFile, ContextProblem, MAX_TOTAL_TOKENS, ProblemKind};
use proctor_core::lld::PlannedFile;
use proctor_host::driver::Examination;
use proctor_host::settings::Settings;
use serde_json::{Value, json};

use crate::failure::{Failure, Kind};
use crate::session::{Session, ok};
use crate::terminal::counted;

/// Check a design document and context files without starting a run
///
/// Lists the files, requirements and test scenarios that Proctor reads in the document, what each context
/// file costs, and everything that is wrong, all at once.
/// Example: proctor check --lld docs/lld-87.md --context src/util.py
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The design document, Markdown
    #[arg(long, value_name = "FILE", required_unless_present = "context")]
    lld: Option<PathBuf>,
    /// A context file; may be given several times
    #[arg(long, value_name = "PATH")]
    context: Vec<String>,
}

pub(crate) fn check(session: &Session<'_>, arguments: &CheckArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let settings = Settings::read(repository.top())?;
    let base = match repository.current_branch()? {
        Some(branch) => repository.commit(&format!("refs/heads/{branch}"))?,
        None => repository.commit("HEAD")?,
    };
    let document = arguments
        .lld
        .as_ref()
        .map(|path| session.directory.join(path));
    let found = Examination::of(
        &repository,
        base.as_ref(),
        document.as_deref(),
        &arguments.context,
        &settings,
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
    let details = json!({
        "files": files,
        "scenarios": found.design.scenarios,
        "requirements": found.design.requirements,
        "context": context_document(&found.context),
        "total_tokens": found.tokens,
        "problems": problems,
    });
    let fatal = document.is_some() && found.sources.is_empty();
    if found.refusals.is_empty() && !fatal {
        session
            .output
            .result(&text(&found, &problems), &ok(details));
        return Ok(());
    }
    let lines: Vec<String> = problems
        .iter()
        .filter(|problem| !found.refusals.is_empty() || problem.kind == ProblemKind::LldNoFiles)
        .map(|problem| format!("{}: {}", problem.location, problem.message))
        .collect();
    let failure = if found.refusals.is_empty() {
        Failure::new(Kind::Refused, lines.join("\n")).hint(
            "list at least one file that is not a test, in a table `| File | Change Type | Description |`",
        )
    } else {
        Failure::new(Kind::Safety, lines.join("\n")).hint("leave these files out; nothing was sent")
    };
    Err(failure.details(details))
}

fn text(found: &Examination, problems: &[ContextProblem]) -> String {
    let mut text = String::new();
    if !found.design.title.is_empty() {
        let _ = writeln!(text, "{}\n", found.design.title);
    }
    let _ = writeln!(text, "files");
    text.push_str(&file_rows(found.sources.iter().chain(&found.tests)));
    let _ = writeln!(
        text,
        "\n{}, {}",
        counted(found.design.requirements.len(), "requirement"),
        counted(found.design.scenarios.len(), "test scenario")
    );
    if !found.context.is_empty() {
        let _ = writeln!(text, "\ncontext");
    }
    text.push_str(&context_rows(&found.context));
    let share = found.tokens * 100 / MAX_TOTAL_TOKENS;
    let _ = writeln!(
        text,
        "\nabout {} tokens in all, {share} % of what a run may send",
        found.tokens
    );
    for problem in problems {
        let _ = writeln!(text, "warning: {}: {}", problem.location, problem.message);
    }
    text
}

/// The files of a design document, a row each; also for a run's plan.
pub(super) fn file_rows<'a>(files: impl Iterator<Item = &'a PlannedFile>) -> String {
    files.fold(String::new(), |mut rows, file| {
        let _ = writeln!(rows, "  {:<7} {}", file.change.to_string(), file.path);
        rows
    })
}

/// What each context file costs, a row each; also for a run's plan.
pub(super) fn context_rows(context: &[ContextFile]) -> String {
    context.iter().fold(String::new(), |mut rows, file| {
        let (tokens, bytes) = (file.tokens, file.bytes);
        let _ = writeln!(
            rows,
            "  {tokens:>8} tokens  {bytes:>8} bytes  {}",
            file.path
        );
        rows
    })
}

/// The same for scripts.
pub(super) fn context_document(context: &[ContextFile]) -> Vec<Value> {
    let document = |file: &ContextFile| json!({ "path": file.path, "bytes": file.bytes, "tokens": file.tokens });
    context.iter().map(document).collect()
}
