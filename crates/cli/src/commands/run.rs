//! `proctor run`

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use proctor_core::object_id::CommitId;
use proctor_core::permission::Autonomy;
use proctor_core::secrets::Fingerprint;
use proctor_host::driver::{
    Inputs, Intake, IntakeError, StartRequest, branch_name, is_issue, start,
};
use proctor_host::git::Repository;
use proctor_host::model::{ModelSpec, SpecError};
use proctor_host::settings::Settings;
use proctor_host::test_runner::{PythonSearch, find_python, verify_pytest};
use serde_json::json;

use super::check::{ContextOptions, budget_rows, context_document, file_rows};
use crate::failure::{Failure, Misuse, Obstacle};
use crate::session::{Intent, Session, ok};

/// Take an issue from its design document to a merge
///
/// The model writes tests, which have to fail, then the files of the document's table, which have to make them
/// pass; what a gate refuses goes back to it, three times. You decide about the diff. Nothing is written to your
/// checkout before that; a run that was interrupted goes on with `proctor resume`.
///
/// Example: proctor run --issue 87 --lld docs/lld-87.md --model script:replies.jsonl
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The issue; becomes part of the branch name feat/issue-ID
    #[arg(long, value_name = "ID")]
    pub(crate) issue: String,
    /// The design document, Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) lld: PathBuf,
    #[command(flatten)]
    pub(crate) context: ContextOptions,
    /// The branch to work from and merge into; the current one if not given
    #[arg(long, value_name = "BRANCH")]
    pub(crate) base: Option<String>,
    /// Who writes: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli, codex-cli, gemini-cli, script:FILE or command:PROGRAM
    #[arg(long, value_name = "SPEC")]
    pub(crate) model: Option<String>,
    /// Ask no questions; the review still needs a person, later
    #[arg(long)]
    pub(crate) auto: bool,
    /// With --auto: let large files be replaced in the worktree
    #[arg(long)]
    pub(crate) force: bool,
    /// Write the model's replies to DIR, as a script that plays this run again
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Check everything, count tokens, print the plan, change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(crate) fn run(session: &Session<'_>, arguments: &RunArguments) -> Result<(), Failure> {
    let issue = arguments
        .issue
        .strip_prefix('#')
        .unwrap_or(&arguments.issue);
    if !is_issue(issue) {
        return Err(Misuse::Issue(arguments.issue.clone()).into());
    }
    Intake::prepare();
    let repository = session.repository()?;
    let settings = Settings::read(repository.top())?;
    let (base_branch, base) = base(&repository, arguments.base.as_deref())?;
    let document = session.directory.join(&arguments.lld);
    let allowed = arguments.context.allowed();
    let context = arguments.context.arguments(session, &allowed);
    let intake = Intake::read(&repository, &base, &document, &context, &settings)
        .map_err(may_not_be_sent)?;
    let model = choose_model(session, &settings, arguments.model.as_deref());
    if arguments.dry_run {
        let model = model.map(|model| model.to_text()).ok();
        plan(
            session,
            issue,
            &base_branch,
            &base,
            &intake,
            model.as_deref(),
        );
        return Ok(());
    }
    let model = model?;
    // Opened once before anything is created: a script that cannot be read is wrong usage.
    let opened = session.open_model(&model, &[], &settings.model)?;
    opened.ready()?;
    let test_command = test_command(session, &repository, &settings)?;
    let inputs = Inputs {
        document_path: document,
        document: intake.document,
        context: intake
            .context
            .into_iter()
            .map(|file| (file.path, file.text))
            .collect(),
        loaded: intake.loaded,
        model: model.to_text(),
        settings,
        test_command,
        record: arguments
            .record
            .as_ref()
            .map(|directory| session.directory.join(directory)),
    };
    let autonomy = Autonomy {
        auto: arguments.auto,
        force: arguments.force,
    };
    let request = StartRequest {
        issue,
        base_branch: &base_branch,
        base,
        autonomy,
        inputs: &inputs,
    };
    begin(
        session,
        &repository,
        &request,
        &arguments.context.allow_secret,
    )
}

/// For scripts with everything that has to stay here.
fn may_not_be_sent(error: IntakeError) -> Failure {
    let details = match error.problems() {
        [] => json!({}),
        problems => json!({ "problems": problems }),
    };
    Failure::from(error).details(details)
}

/// Registers the run and drives it.
pub(crate) fn begin(
    session: &Session<'_>,
    repository: &Repository,
    request: &StartRequest<'_>,
    allowed: &[Fingerprint],
) -> Result<(), Failure> {
    let mut journal = session.journal(repository)?;
    let (row, lock) = start(repository, &mut journal, &session.surroundings, request)?;
    let intent = Intent::GoOn { allowed };
    session.drive(repository, &mut journal, row, intent, &lock)
}

/// The branch to merge into, and its tip.
fn base(repository: &Repository, wanted: Option<&str>) -> Result<(String, CommitId), Failure> {
    let branch = match wanted {
        Some(branch) => branch.to_owned(),
        None => repository.checkout()?.branch()?.ok_or(Misuse::Detached)?,
    };
    let tip = repository.refs().commit(&format!("refs/heads/{branch}"))?;
    match tip {
        Some(tip) => Ok((branch, tip)),
        None if wanted.is_some() => Err(Misuse::NoBranch(branch).into()),
        None => Err(Obstacle::NoCommitYet(branch).into()),
    }
}

/// `--model`, else `AGENTOS_MOCK_LLM=1`, else `PROCTOR_MODEL`, else the configured one.
fn choose_model(
    session: &Session<'_>,
    settings: &Settings,
    wanted: Option<&str>,
) -> Result<ModelSpec, Failure> {
    if wanted.is_none() && session.surroundings.text("AGENTOS_MOCK_LLM") == Some("1") {
        return Ok(ModelSpec::BuiltIn);
    }
    let text = wanted
        .or_else(|| session.surroundings.text("PROCTOR_MODEL"))
        .or(settings.model.default.as_deref())
        .ok_or(SpecError::Missing)?;
    Ok(ModelSpec::parse(text, &session.directory)?)
}

/// The words that start the project's own pytest.
pub(super) fn test_command(
    session: &Session<'_>,
    repository: &Repository,
    settings: &Settings,
) -> Result<Vec<String>, Failure> {
    let environment = session.surroundings.all();
    let words = find_python(&PythonSearch {
        configured: &settings.test.command,
        checkout: repository.top(),
        environment,
    })?;
    let words = verify_pytest(words, repository.top(), environment)?;
    Ok(to_text(words))
}

/// The words as text; what is not text cannot be stored and is shown as such.
pub(crate) fn to_text(words: Vec<OsString>) -> Vec<String> {
    words
        .into_iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

fn plan(
    session: &Session<'_>,
    issue: &str,
    base_branch: &str,
    base: &CommitId,
    intake: &Intake,
    model: Option<&str>,
) {
    let mut text = format!(
        "issue      {issue}: {}\nbranch     {} from {base_branch} ({})\nmodel      {}\n\nfiles\n",
        intake.design.title,
        branch_name(issue),
        base.short(),
        model.unwrap_or("none chosen"),
    );
    let files = || intake.loaded.tests.iter().chain(&intake.loaded.sources);
    text.push_str(&file_rows(files()));
    let _ = writeln!(text, "\nwhat the model would be sent");
    text.push_str(&budget_rows(&intake.portions));
    for warning in &intake.warnings {
        let _ = writeln!(text, "warning: line {}: {}", warning.line, warning.message);
    }
    text.push_str("\nnothing was changed\n");
    let document = json!({
        "issue": issue,
        "branch": branch_name(issue),
        "base": base,
        "model": model,
        "files": files().collect::<Vec<_>>(),
        "scenarios": intake.design.scenarios,
        "requirements": intake.design.requirements,
        "context": context_document(&intake.context),
        "total_tokens": intake.loaded.tokens,
        "warnings": intake.warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(),
        "dry_run": true,
    });
    session.output.result(&text, &ok(document));
}
