//! `proctor run`

use std::path::PathBuf;

use clap::Args;
use proctor_core::permission::Autonomy;
use proctor_host::driver::{
    Inputs, Intake, IntakeError, StartRequest, branch_name, could_start, find_document, is_issue,
};
use proctor_host::model::{ModelSpec, SpecError, Story};
use proctor_host::settings::{Settings, SettingsFile};
use proctor_host::test_runner::test_commands;
use proctor_host::trust::{Purpose, Trust};
use proctor_host::workspace::BaseBranch;
use serde_json::json;

use crate::failure::{Failure, Misuse};
use crate::intake::{ContextOptions, budget_rows, file_rows};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{ContextRow, PlanDocument, ok};

/// Take an issue from its design document to a merge
///
/// The model writes tests, which have to fail, then the files of the document's table, which have to make them
/// pass; what a gate refuses goes back to it, three times. You decide about the diff. Nothing is written to your
/// checkout before that; a run that was interrupted goes on with `proctor resume`.
///
/// Example: proctor run --issue 87 --model anthropic:claude-sonnet-5-5
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The issue; becomes part of the branch name feat/issue-ID
    #[arg(long, value_name = "ID")]
    pub(crate) issue: String,
    /// The design document, Markdown; without it the one file docs/**/ID*.md
    #[arg(long, value_name = "FILE")]
    pub(crate) lld: Option<PathBuf>,
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
    let workspace = session.workspace()?;
    let settings = SettingsFile::read(workspace.top())?;
    let trust = Trust::of(workspace.repository(), &session.surroundings);
    let settings = trust.settings(&settings, Purpose::Run)?;
    let base = workspace.base(arguments.base.as_deref())?;
    let lld = match &arguments.lld {
        Some(given) => given.clone(),
        None => session.seen_from_here(&workspace, &find_document(workspace.repository(), issue)?),
    };
    let document = session.directory.join(&lld);
    let allowed = arguments.context.allowed();
    let context = arguments.context.arguments(&session.directory, &allowed);
    let progress = session.progress();
    let intake = progress
        .during("reading the design document and the context", || {
            let repository = workspace.repository();
            Intake::read(repository, &base.tip, &lld, &context, &settings)
        })
        .map_err(may_not_be_sent)?;
    let model = choose_model(session, &settings, arguments.model.as_deref())?;
    // Opened once before anything is created: a script that cannot be read is wrong usage.
    let opened = session.open_model(&model, &[], &settings.model)?;
    opened.ready()?;
    let inquiry = session.inquiry(settings.sandbox.mode);
    let test_commands = progress.during("looking for the test runner", || {
        let tree = workspace.repository().objects().tree_of(&base.tip)?;
        test_commands(workspace.repository(), &tree, &settings, inquiry)
    })?;
    let inputs = Inputs {
        document_path: document,
        document: intake.document.clone(),
        context: intake
            .context
            .iter()
            .map(|file| (file.path.clone(), file.text.clone()))
            .collect(),
        loaded: intake.loaded.clone(),
        model: model.to_text(),
        settings,
        test_commands,
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
        base_branch: &base.name,
        base: base.tip.clone(),
        autonomy,
        inputs: &inputs,
    };
    if arguments.dry_run {
        let journal = workspace.existing_journal()?;
        could_start(
            workspace.repository(),
            journal.as_ref(),
            &session.surroundings,
            &request,
        )?;
        plan(session, issue, &base, &intake, &inputs.model);
        return Ok(());
    }
    session.begin(&workspace, &request, &arguments.context.allow_secret)
}

/// For scripts with everything that has to stay here.
fn may_not_be_sent(error: IntakeError) -> Failure {
    let details = match error.problems() {
        [] => json!({}),
        problems => json!({ "problems": problems }),
    };
    Failure::from(error).details(details)
}

/// `--model`, else `AGENTOS_MOCK_LLM=1`, else `PROCTOR_MODEL`, else the configured one.
fn choose_model(
    session: &Session<'_>,
    settings: &Settings,
    wanted: Option<&str>,
) -> Result<ModelSpec, Failure> {
    if wanted.is_none() && session.surroundings.text("AGENTOS_MOCK_LLM") == Some("1") {
        return Ok(ModelSpec::BuiltIn(Story::default()));
    }
    let text = wanted
        .or_else(|| session.surroundings.text("PROCTOR_MODEL"))
        .or(settings.model.default.as_deref())
        .ok_or(SpecError::Missing)?;
    Ok(ModelSpec::parse(text, &session.directory)?)
}

fn plan(session: &Session<'_>, issue: &str, base: &BaseBranch, intake: &Intake, model: &str) {
    let mut text = Text::from(format!("issue      {issue}: {}", intake.design.title));
    let (branch, tip) = (branch_name(issue), base.tip.short());
    text.line(format_args!(
        "branch     {branch} from {} ({tip})",
        base.name
    ));
    text.line(format_args!("model      {model}"));
    text.line("");
    text.line("files");
    let files = || intake.loaded.tests.iter().chain(&intake.loaded.sources);
    file_rows(&mut text, files());
    text.line("");
    text.line("what the model would be sent");
    budget_rows(&mut text, &intake.portions);
    for warning in &intake.warnings {
        let (line, message) = (warning.line, &warning.message);
        text.lines(2, format_args!("warning: line {line}: {message}"));
    }
    text.line("");
    text.line("nothing was changed");
    let warnings = intake.warnings.iter();
    let document = PlanDocument {
        issue,
        branch: branch_name(issue),
        base: &base.tip,
        model: Some(model),
        files: files().collect(),
        scenarios: &intake.design.scenarios,
        requirements: &intake.design.requirements,
        context: ContextRow::all(&intake.context),
        total_tokens: intake.loaded.tokens,
        warnings: warnings.map(|warning| warning.message.as_str()).collect(),
        dry_run: true,
    };
    session.output.result(text, &ok(document));
}
