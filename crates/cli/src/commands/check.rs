//! `proctor check`

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use proctor_core::limits::{ContextFile, ContextProblem, MAX_TOTAL_TOKENS, Portion};
use proctor_core::lld::PlannedFile;
use proctor_core::secrets::{AllowedSecrets, Fingerprint};
use proctor_host::driver::{Examination, IntakeError};
use proctor_host::files::ContextArguments;
use proctor_host::settings::Settings;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::session::{Session, ok};
use crate::terminal::{counted, grouped};

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

/// What goes to the model besides the document.
#[derive(Debug, Args)]
pub(crate) struct ContextOptions {
    /// A file, directory or pattern ('src/**/*.py') that the model may see; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) context: Vec<String>,
    /// Let one finding of the secret scan pass; its fingerprint is in the message. May be given several times
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) allow_secret: Vec<Fingerprint>,
}

impl ContextOptions {
    /// The findings that are let through.
    pub(crate) fn allowed(&self) -> AllowedSecrets {
        self.allow_secret.iter().cloned().collect()
    }

    /// The same for the intake.
    pub(crate) fn arguments<'a>(
        &'a self,
        session: &'a Session<'_>,
        allowed: &'a AllowedSecrets,
    ) -> ContextArguments<'a> {
        ContextArguments {
            paths: &self.context,
            here: &session.directory,
            allowed,
        }
    }
}

pub(crate) fn check(session: &Session<'_>, arguments: &CheckArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    let settings = Settings::read(repository.top())?;
    let base = match repository.checkout()?.branch()? {
        Some(branch) => repository.refs().commit(&format!("refs/heads/{branch}"))?,
        None => repository.refs().commit("HEAD")?,
    };
    let document = arguments
        .lld
        .as_ref()
        .map(|path| session.directory.join(path));
    let allowed = arguments.context.allowed();
    let found = Examination::of(
        &repository,
        base.as_ref(),
        document.as_deref(),
        &arguments.context.arguments(session, &allowed),
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
        "total_tokens": found.tokens(),
        "problems": problems,
    });
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
    session
        .output
        .result(&text(&found, &problems), &ok(details));
    Ok(())
}

fn text(found: &Examination, problems: &[ContextProblem]) -> String {
    let mut text = String::new();
    if !found.design.title.is_empty() {
        let _ = writeln!(text, "{}\n", found.design.title);
    }
    if !found.document.is_empty() {
        let _ = writeln!(text, "files");
        text.push_str(&file_rows(found.sources.iter().chain(&found.tests)));
        let _ = writeln!(
            text,
            "\n{}, {}, {}\n",
            counted(found.sources.len() + found.tests.len(), "file"),
            counted(found.design.requirements.len(), "requirement"),
            counted(found.design.scenarios.len(), "test scenario")
        );
    }
    let _ = writeln!(text, "what the model would be sent");
    text.push_str(&budget_rows(&found.portions));
    for problem in problems {
        let _ = writeln!(text, "warning: {problem}");
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

/// What each portion costs, a row each, and all together; also for a run's plan.
pub(super) fn budget_rows(portions: &[Portion]) -> String {
    let mut rows = format!("  {:>9}  {:>9}  {:>7}\n", "bytes", "tokens", "share");
    let row = |name: &str, bytes: usize, tokens: usize| {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a share is shown with one digit"
        )]
        let share = tokens as f64 * 100.0 / MAX_TOTAL_TOKENS as f64;
        format!(
            "  {:>9}  {:>9}  {share:>5.1} %  {name}\n",
            grouped(bytes as u64),
            grouped(tokens as u64)
        )
    };
    for portion in portions {
        rows.push_str(&row(&portion.name, portion.bytes, portion.tokens));
    }
    let total = |size: fn(&Portion) -> usize| portions.iter().map(size).sum();
    rows.push_str(&row(
        &format!(
            "in all; a run may send {} tokens (estimate)",
            grouped(MAX_TOTAL_TOKENS as u64)
        ),
        total(|portion| portion.bytes),
        total(|portion| portion.tokens),
    ));
    rows
}

/// The same for scripts.
pub(super) fn context_document(context: &[ContextFile]) -> Vec<Value> {
    let document = |file: &ContextFile| json!({ "path": file.path, "bytes": file.bytes, "tokens": file.tokens });
    context.iter().map(document).collect()
}
