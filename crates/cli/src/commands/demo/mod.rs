//! `proctor demo`: the whole workflow on a small sample project.
//!
//! Told in Python or in TypeScript. Everything is real but the model: the repository, the tests, the verdicts, the review, the merge. The
//! scripted model first writes tests that no implementation could pass, then good ones; then an
//! implementation with a mistake, then one that makes the tests pass by a trick, then a right one.

mod runner;
mod telling;

use clap::{Args, ValueEnum};
use proctor_core::gate::TestLine;
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::secrets::AllowedSecrets;
use proctor_core::test_outcome::Ending;
use proctor_core::workflow::Event;
use proctor_host::driver::{Inputs, Intake, StartRequest};
use proctor_host::files::ContextArguments;
use proctor_host::model::{ModelSpec, Story};
use proctor_host::settings::Settings;
use proctor_host::workspace::{FirstCommit, Workspace};

use crate::arguments::Global;
use crate::failure::{Bug, Failure, Obstacle};
use crate::session::Session;
use crate::terminal::{Ink, Line, phrase};
use telling::Telling;

/// Watch the whole workflow on a sample repository
///
/// Makes a small project in a temporary directory and takes an issue of it from design document to review, with a
/// scripted model, the real git and the real pytest or vitest. If the machine has no pytest, one is set up once in
/// Proctor's cache directory; vitest always is, by npm. Without --language it is Python, or TypeScript where there is
/// a node but no Python.
///
/// Example: proctor demo --language typescript
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The language of the sample project
    #[arg(long)]
    language: Option<DemoLanguage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DemoLanguage {
    /// With pytest
    Python,
    /// With vitest
    #[value(name = "typescript", alias = "javascript")]
    TypeScript,
}

pub(crate) fn demo(session: &Session<'_>, arguments: &DemoArguments) -> Result<(), Failure> {
    let directory = tempfile::Builder::new()
        .prefix("proctor-demo-")
        .tempdir()
        .map_err(Obstacle::Scratch)?
        .keep();
    let story = match arguments.language {
        Some(DemoLanguage::Python) => Story::Python,
        Some(DemoLanguage::TypeScript) => Story::TypeScript,
        None => runner::possible(session, &directory),
    };
    let telling = Telling::of(story);
    if arguments.language.is_none() && story != Story::default() {
        say(
            session,
            "There is no Python here, so the sample project is in TypeScript.".to_owned(),
        );
    }
    let top = directory.join("invoicekit");
    std::fs::create_dir(&top).map_err(Obstacle::Scratch)?;
    let files: Vec<(ProjectPath, &[u8])> = telling
        .files
        .iter()
        .map(|(path, text)| {
            (
                ProjectPath::parse(path).expect("our own plain paths"),
                text.as_bytes(),
            )
        })
        .collect();
    let first = FirstCommit {
        name: "Demo User",
        email: "demo@example.org",
        files: &files,
        message: "A library for invoices\n",
    };
    let workspace = Workspace::init(&top, &session.surroundings, session.clock, &first)?;
    say(
        session,
        format!(
            "A sample project is in {}; its design document is {}.",
            top.display(),
            telling::DOCUMENT
        ),
    );
    for line in telling.what_to_watch {
        say(session, line.to_owned());
    }
    let mut settings = Settings::default();
    settings.worktree.directory = Some(directory.join("worktrees"));
    let base = workspace.current_commit()?.ok_or(Bug::NoSample)?;
    let document_path = top.join(telling::DOCUMENT);
    let context = ContextArguments {
        paths: &[],
        here: workspace.top(),
        allowed: &AllowedSecrets::default(),
    };
    let intake = Intake::read(
        workspace.repository(),
        &base,
        &document_path,
        &context,
        &settings,
    )?;
    let inputs = Inputs {
        document_path,
        document: intake.document,
        context: Vec::new(),
        loaded: intake.loaded,
        model: ModelSpec::BuiltIn(story).to_text(),
        test_commands: vec![runner::test_command(session, &workspace, story)?],
        settings,
        record: None,
    };
    let request = StartRequest {
        issue: "42",
        base_branch: "main",
        base,
        autonomy: Autonomy::default(),
        inputs: &inputs,
    };
    // Commands that are suggested have to work from where the user is.
    let global = Global {
        directory: Some(top),
        ..session.global.clone()
    };
    let inside = session.at(&global);
    let ended = inside.begin(&workspace, &request, &[]);
    for line in closing(&inside, &workspace, &telling, &ended)? {
        say(session, line);
    }
    ended
}

/// The tricks that were caught on the way, and the next step.
fn closing(
    session: &Session<'_>,
    workspace: &Workspace,
    telling: &Telling,
    ended: &Result<(), Failure>,
) -> Result<Vec<String>, Failure> {
    let Some(journal) = workspace.existing_journal()? else {
        return Ok(Vec::new());
    };
    let row = journal.named("42")?;
    let events = journal.events(&row.id)?;
    let caught: Vec<String> = events
        .iter()
        .filter_map(|event| caught(event, telling))
        .collect();
    let mut lines = Vec::new();
    if !caught.is_empty() {
        lines.extend([String::new(), "What was caught".to_owned()]);
        lines.extend(caught.into_iter().map(|words| format!("  {words}")));
    }
    // A waiting run itself says how to continue.
    let is_over = ended
        .as_ref()
        .map_or_else(|failure| failure.is_answer, |()| true);
    if is_over {
        let look = session.command("report");
        lines.extend([
            String::new(),
            "What to do next".to_owned(),
            format!("  {look}"),
            "    makes a page about this run and says where it is".to_owned(),
            "  proctor init".to_owned(),
            "    in a repository of yours: looks around and writes its settings".to_owned(),
            "  proctor new 1 \"TITLE\"".to_owned(),
            "    writes a design document there, and `proctor run --issue 1` begins".to_owned(),
        ]);
    }
    Ok(lines)
}

/// A gate's refusal, in a line. An implementation that is refused although every test passes is the trick.
fn caught(event: &Event, telling: &Telling) -> Option<String> {
    let (node, what, result) = match event {
        Event::RedJudged(result) => ("N2", "tests that nothing could pass", result),
        Event::GreenJudged(result) => {
            let passes = |test: &TestLine| test.outcome == Ending::Passed;
            let what = if result.verdict.tests.iter().all(passes) {
                telling.trick
            } else {
                "a limit that is off by one"
            };
            ("N4", what, result)
        }
        _ => return None,
    };
    let reason = result.verdict.reasons.first()?;
    let told = format!("{node}  {what}: {}", phrase(&reason.message));
    (!result.verdict.is_accepted()).then_some(told)
}

/// Tells a person what the demo does beyond the run itself.
fn say(session: &Session<'_>, text: String) {
    if !session.global.quiet {
        // A terminal that is gone changes nothing.
        let _ = session.screen().tell(&[Line::of(Ink::Plain, text)]);
    }
}
