//! `proctor demo`: the whole workflow on a small sample project.
//!
//! Everything is real but the model: the repository, the tests, the verdicts, the review, the merge. The
//! scripted model first writes tests that no implementation could pass, then good ones; then an
//! implementation with a mistake, then one that makes the tests pass by a trick, then a right one.

use std::path::Path;

use clap::Args;
use proctor_core::gate::TestLine;
use proctor_core::path::ProjectPath;
use proctor_core::permission::Autonomy;
use proctor_core::secrets::AllowedSecrets;
use proctor_core::test_outcome::Ending;
use proctor_core::workflow::Event;
use proctor_host::driver::{Inputs, Intake, StartRequest};
use proctor_host::files::ContextArguments;
use proctor_host::model::ModelSpec;
use proctor_host::process::SandboxMode;
use proctor_host::settings::Settings;
use proctor_host::test_runner::{
    PythonSearch, RunnerError, TestCommand, find_python, managed_environment, verify_pytest,
};
use proctor_host::workspace::{FirstCommit, Workspace};

use crate::arguments::Global;
use crate::failure::{Bug, Failure, Obstacle};
use crate::session::Session;
use crate::terminal::{Ink, Line, phrase};

/// Watch the whole workflow on a sample repository
///
/// Makes a small Python project in a temporary directory and takes an issue of it from design document
/// to review, with a scripted model, the real git and the real pytest. If the machine has no pytest, one
/// is set up once in Proctor's cache directory.
///
/// Example: proctor demo
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {}

const DOCUMENT: &str = "docs/lld-42.md";

/// The cheat that the scripted model tries.
const TRICK: &str = "the trick, a number whose `==` says yes to anything";

/// What the scripted model gets wrong on purpose, and how the last of it is found out.
const WHAT_TO_WATCH: [&str; 3] = [
    "The scripted model fails on purpose: it tests a module that does not exist, then a limit is off by one, then it cheats.",
    "The cheat is a number whose `==` says yes to anything, so every test passes. Proctor also compares it with numbers that no test \
     expects: it says yes to those too, and is refused.",
    "At the review you may type COMMENT as well; a script cannot read it, so the same files come back and are judged again.",
];

const SAMPLE: &[(&str, &str)] = &[
    (".gitignore", include_str!("sample/.gitignore")),
    ("README.md", include_str!("sample/README.md")),
    ("pyproject.toml", include_str!("sample/pyproject.toml")),
    (
        "src/invoicekit/__init__.py",
        include_str!("sample/src/invoicekit/__init__.py"),
    ),
    (
        "src/invoicekit/invoice.py",
        include_str!("sample/src/invoicekit/invoice.py"),
    ),
    (
        "tests/test_invoice.py",
        include_str!("sample/tests/test_invoice.py"),
    ),
    (DOCUMENT, include_str!("lld.md")),
];

pub(crate) fn demo(session: &Session<'_>) -> Result<(), Failure> {
    let directory = tempfile::Builder::new()
        .prefix("proctor-demo-")
        .tempdir()
        .map_err(Obstacle::Scratch)?
        .keep();
    let top = directory.join("invoicekit");
    std::fs::create_dir(&top).map_err(Obstacle::Scratch)?;
    let files: Vec<(ProjectPath, &[u8])> = SAMPLE
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
            "A sample project is in {}; its design document is {DOCUMENT}.",
            top.display()
        ),
    );
    for line in WHAT_TO_WATCH {
        say(session, line.to_owned());
    }
    let mut settings = Settings::default();
    settings.worktree.directory = Some(directory.join("worktrees"));
    let base = workspace.current_commit()?.ok_or(Bug::NoSample)?;
    let document_path = top.join(DOCUMENT);
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
        model: ModelSpec::BuiltIn.to_text(),
        test_commands: vec![test_command(session, &top)?],
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
    for line in closing(&inside, &workspace, &ended)? {
        say(session, line);
    }
    ended
}

/// What was caught on the way, and what to do next.
fn closing(
    session: &Session<'_>,
    workspace: &Workspace,
    ended: &Result<(), Failure>,
) -> Result<Vec<String>, Failure> {
    let Some(journal) = workspace.existing_journal()? else {
        return Ok(Vec::new());
    };
    let row = journal.named("42")?;
    let events = journal.events(&row.id)?;
    let caught: Vec<String> = events.iter().filter_map(caught).collect();
    let mut lines = Vec::new();
    if !caught.is_empty() {
        lines.extend([String::new(), "What was caught".to_owned()]);
        lines.extend(caught.into_iter().map(|words| format!("  {words}")));
    }
    // A run that waits says itself how it goes on.
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

/// What a gate refused, in a line. An implementation that is refused although every test passes is the trick.
fn caught(event: &Event) -> Option<String> {
    let (node, what, result) = match event {
        Event::RedJudged(result) => ("N2", "tests that nothing could pass", result),
        Event::GreenJudged(result) => {
            let passes = |test: &TestLine| test.outcome == Ending::Passed;
            let what = if result.verdict.tests.iter().all(passes) {
                TRICK
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

/// The machine's own pytest, else one of Proctor's.
fn test_command(session: &Session<'_>, top: &Path) -> Result<TestCommand, Failure> {
    let environment = session.surroundings.all();
    let inquiry = session.inquiry(SandboxMode::Auto);
    let search = PythonSearch {
        configured: &[],
        checkout: top,
        inquiry,
    };
    let words = find_python(&search)?;
    match verify_pytest(words.clone(), top, inquiry) {
        Ok(words) => return Ok(TestCommand::Pytest(words)),
        Err(RunnerError::PytestMissing { .. }) => {}
        Err(other) => return Err(other.into()),
    }
    let cache = session.surroundings.cache_directory();
    let cache = cache.ok_or(Obstacle::NoCacheDirectory)?;
    say(
        session,
        format!(
            "This Python has no pytest; one is being set up, once, in {}.",
            cache.display()
        ),
    );
    let python = words
        .first()
        .map(std::path::PathBuf::from)
        .unwrap_or_default();
    let python = session.progress().during("setting up pytest", || {
        managed_environment(&cache, &python, environment)
    })?;
    Ok(TestCommand::Pytest(vec![python.into()]))
}
