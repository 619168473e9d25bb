//! `proctor doctor`

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use proctor_core::generation::{dollars, prompts};
use proctor_core::secrets::AllowedSecrets;
use proctor_host::approval::SigningDesk;
use proctor_host::driver::{DriveError, StartError};
use proctor_host::files::{free_bytes, is_writable};
use proctor_host::gate::GateError;
use proctor_host::model::{Asking, Destination, ModelSpec, Request, clear};
use proctor_host::process::{ProcessError, Sandbox, SandboxLevel};
use proctor_host::project::{Programs, find_linters};
use proctor_host::run_data::{data_directory, worktrees_directory};
use proctor_host::settings::{FILE_NAME, Settings, SettingsFile};
use proctor_host::test_runner::{ProjectFiles, TestCommand, test_command};
use proctor_host::trust::{Purpose, Trust};
use proctor_host::workspace::Workspace;
use serde_json::{Value, json};

use crate::failure::{FREE_SPACE, Failure, Obstacle, Unsafe};
use crate::output::Text;
use crate::session::Session;
use crate::wire::ok;

/// Check that everything a run needs is there
///
/// Looks at git, your name in it, the settings, the test runner, the linter, the key that you sign approvals with, the
/// sandbox, the model, the terminal, the directories that a run writes to and their disk space, each with a remedy.
/// The sandbox's level is found by trying what must not work.
///
/// Example: proctor doctor
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The model to ask one tiny question; as for `run`
    #[arg(long, value_name = "SPEC")]
    model: Option<String>,
}

/// The status of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// As it should be.
    Ok,
    /// A run can continue, but not as far or not as well.
    Warning,
    /// A run would fail.
    Error,
}

impl Status {
    fn key(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that was looked at.
struct Finding {
    /// Its name for scripts, which does not change.
    id: &'static str,
    status: Status,
    /// The finding or the problem.
    words: String,
    remedy: Option<String>,
    details: Vec<String>,
}

impl Finding {
    fn good(id: &'static str, words: impl Into<String>) -> Self {
        Self {
            id,
            status: Status::Ok,
            words: words.into(),
            remedy: None,
            details: Vec::new(),
        }
    }

    fn warning(id: &'static str, words: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            status: Status::Warning,
            remedy: Some(remedy.into()),
            ..Self::good(id, words)
        }
    }

    fn bad(id: &'static str, failure: &Failure) -> Self {
        Self {
            status: Status::Error,
            remedy: Some(failure.hints().join("; ")),
            ..Self::good(id, failure.message.clone())
        }
    }

    /// The same, for the part of the repository with this root.
    fn of_part(mut self, root: &str) -> Self {
        if !root.is_empty() {
            self.words = format!("in {root}: {}", self.words);
        }
        self
    }
}

pub(crate) fn doctor(session: &Session<'_>, arguments: &DoctorArguments) -> Result<(), Failure> {
    let findings = session
        .progress()
        .during("looking at everything that a run needs", || {
            look(session, arguments)
        });
    report(session, &findings)
}

fn look(session: &Session<'_>, arguments: &DoctorArguments) -> Vec<Finding> {
    let mut findings = Vec::new();
    let workspace = match session.workspace() {
        Ok(workspace) => {
            let (major, minor) = workspace.repository().version();
            let words = format!(
                "version {major}.{minor}, repository {}",
                workspace.top().display()
            );
            findings.push(Finding::good("git", words));
            findings.push(identity(&workspace));
            Some(workspace)
        }
        Err(failure) => {
            findings.push(Finding::bad("git", &failure));
            None
        }
    };
    let root = workspace
        .as_ref()
        .map_or(session.directory.as_path(), Workspace::top);
    let file = SettingsFile::read(root).map_err(Failure::from);
    let settings = file.clone().and_then(|file| match &workspace {
        Some(workspace) => Trust::of(workspace.repository(), &session.surroundings)
            .settings(&file, Purpose::Run)
            .map_err(Failure::from),
        None => Ok(file.protective().clone()),
    });
    findings.push(match &settings {
        Ok(_) if root.join(FILE_NAME).exists() => {
            Finding::good("settings", format!("{FILE_NAME} is valid"))
        }
        Ok(_) => Finding::good(
            "settings",
            format!("the defaults; `proctor init` writes a {FILE_NAME}"),
        ),
        Err(failure) => Finding::bad("settings", failure),
    });
    // Untrusted settings are not used here either.
    let protective = || {
        file.map(|file| file.protective().clone())
            .unwrap_or_default()
    };
    let settings = settings.unwrap_or_else(|_| protective());
    if let Some(workspace) = &workspace {
        let inquiry = session.inquiry(settings.sandbox.mode);
        let mut commands = Vec::new();
        for part in settings.parts() {
            let files = ProjectFiles::of_directory(&workspace.top().join(&part.root));
            let command = test_command(workspace.repository(), &files, part, inquiry);
            let finding = match command.map_err(Failure::from) {
                Ok(command) => {
                    let (words, runner) = (command.text().join(" "), command.runner().name());
                    commands.push(command);
                    Finding::good("runner", format!("{words} has {runner}"))
                }
                Err(failure) => Finding::bad("runner", &failure),
            };
            findings.push(finding.of_part(&part.root));
        }
        findings.push(linter(session, workspace, &settings, &commands));
        findings.extend(approval(session, workspace));
    }
    findings.push(sandbox(session, &settings));
    findings.push(model(session, &settings, arguments.model.as_deref()));
    findings.push(if std::io::stdin().is_terminal() {
        Finding::good("terminal", "a person can be asked")
    } else {
        let words = "stdin is not a terminal, so Proctor cannot ask for confirmation";
        Finding::warning(
            "terminal",
            words,
            "a run waits at its review; `proctor review RUN` at a terminal goes on",
        )
    });
    let places = places(session, workspace.as_ref(), &settings);
    findings.push(state(&places));
    findings.push(disk(&places));
    findings
}

/// Whose name the merged commit would bear.
fn identity(workspace: &Workspace) -> Finding {
    match workspace.person() {
        Ok(Some(person)) => Finding::good("identity", person.to_string()),
        Ok(None) => Finding::bad("identity", &DriveError::NoIdentity.into()),
        Err(error) => Finding::bad("identity", &error.into()),
    }
}

/// Whether an approval could be signed, where the last commit asks for that.
fn approval(session: &Session<'_>, workspace: &Workspace) -> Option<Finding> {
    let desk = SigningDesk {
        repository: workspace.repository(),
        surroundings: &session.surroundings,
        passkey_only: false,
    };
    let base = match workspace.current_commit() {
        Ok(base) => base,
        Err(error) => return Some(Finding::bad("approval", &error.into())),
    };
    match desk.prepare(base.as_ref()) {
        Ok(None) => None,
        Ok(Some(signing)) => {
            let words = format!("signed with {}", signing.fingerprint());
            Some(Finding::good("approval", words))
        }
        Err(error) => Some(Finding::bad("approval", &error.into())),
    }
}

fn linter(
    session: &Session<'_>,
    workspace: &Workspace,
    settings: &Settings,
    test_commands: &[TestCommand],
) -> Finding {
    let programs = Programs::of(workspace.top(), test_commands, &session.surroundings);
    let Some(words) = &settings.lint.command else {
        let found = find_linters(&programs);
        let missing = found.iter().find(|found| found.program.is_none());
        if let Some(missing) = missing {
            let name = missing.linter.name();
            let file = missing.configured_by.unwrap_or(FILE_NAME);
            return Finding::warning(
                "linter",
                format!("{file} configures {name}, which is not installed"),
                format!("install {name} in the project's environment"),
            );
        }
        let names: Vec<&str> = found.iter().map(|found| found.linter.name()).collect();
        return Finding::good(
            "linter",
            if names.is_empty() {
                "none is configured or found; changes are not linted".to_owned()
            } else {
                format!("{}, found by itself", names.join(", "))
            },
        );
    };
    let Some(first) = words.first() else {
        return Finding::good("linter", "switched off");
    };
    let Some(program) = programs.find(first) else {
        let program = first.into();
        let error = GateError::Linter(ProcessError::NotFound { program });
        return Finding::bad("linter", &error.into());
    };
    Finding::good("linter", program.display().to_string())
}

/// Directories that a run writes to, and their purpose.
fn places(
    session: &Session<'_>,
    workspace: Option<&Workspace>,
    settings: &Settings,
) -> Vec<(&'static str, PathBuf)> {
    let repository = workspace.map(Workspace::repository);
    let worktrees = worktrees_directory(repository, &settings.worktree, &session.surroundings);
    let mut places: Vec<(&str, PathBuf)> = Vec::new();
    places.extend(worktrees.map(|path| ("worktrees", path)));
    places.extend(repository.map(|repository| ("run data", data_directory(repository))));
    places
}

fn state(places: &[(&'static str, PathBuf)]) -> Finding {
    if !places.iter().any(|(what, _)| *what == "worktrees") {
        return Finding::bad("state", &StartError::NoStateDirectory.into());
    }
    let closed = places.iter().find(|(_, path)| !is_writable(path));
    if let Some((what, path)) = closed {
        let (what, path) = (*what, path.clone());
        return Finding::bad("state", &Obstacle::Closed { what, path }.into());
    }
    let shown: Vec<String> = places
        .iter()
        .map(|(what, path)| format!("{what} in {}", path.display()))
        .collect();
    Finding::good("state", shown.join(", "))
}

/// Less than this, and a large checkout or a long test run may not fit.
const SCARCE_BYTES: u64 = 1024 * 1024 * 1024;
/// Less than this, and not even the journal is safe.
const LEAST_BYTES: u64 = 50 * 1024 * 1024;

fn disk(places: &[(&'static str, PathBuf)]) -> Finding {
    let temporary = ("temporary files", std::env::temp_dir());
    let least = places
        .iter()
        .chain([&temporary])
        .filter_map(|(what, path)| Some((free_bytes(path)?, *what, path.clone())))
        .min();
    let Some((free, what, path)) = least else {
        let words = "how much space is free cannot be found out";
        return Finding::warning("disk", words, "look with `df -h`");
    };
    let megabytes = free / 1_000_000;
    let words = format!("{megabytes} MB are free for {what} in {}", path.display());
    if free >= SCARCE_BYTES {
        return Finding::good("disk", words);
    }
    if free >= LEAST_BYTES {
        return Finding::warning("disk", format!("only {words}"), FREE_SPACE);
    }
    let failure = Obstacle::Full {
        megabytes,
        what,
        path,
    };
    Finding::bad("disk", &failure.into())
}

fn sandbox(session: &Session<'_>, settings: &Settings) -> Finding {
    let chosen = Sandbox::choose(
        settings.sandbox.mode,
        &session.launcher,
        session.surroundings.all(),
    );
    match chosen {
        Ok(sandbox) if sandbox.level() == SandboxLevel::Off => Finding {
            details: sandbox.gaps().iter().map(ToString::to_string).collect(),
            ..Finding::warning(
                "sandbox",
                "switched off: tests can do whatever you can",
                "set `mode = \"auto\"` under `[sandbox]` in proctor.toml",
            )
        },
        Ok(sandbox) => Finding {
            details: sandbox.gaps().iter().map(ToString::to_string).collect(),
            ..Finding::good("sandbox", format!("level {}", sandbox.level()))
        },
        Err(error) => Finding::bad("sandbox", &error.into()),
    }
}

fn model(session: &Session<'_>, settings: &Settings, wanted: Option<&str>) -> Finding {
    let named = wanted
        .or_else(|| session.surroundings.text("PROCTOR_MODEL"))
        .or(settings.model.default.as_deref());
    let Some(named) = named else {
        return Finding::warning(
            "model",
            "none is chosen",
            "name one with `run --model SPEC`, PROCTOR_MODEL or `[model] default`",
        );
    };
    let asked = wanted.is_some();
    match look_at_model(session, settings, named, asked) {
        Ok(words) => Finding::good("model", words),
        Err(failure) => Finding::bad("model", &failure),
    }
}

/// Opens the model and, if the user named it here, asks it the smallest question.
fn look_at_model(
    session: &Session<'_>,
    settings: &Settings,
    named: &str,
    asked: bool,
) -> Result<String, Failure> {
    let spec = ModelSpec::parse(named, &session.directory)?;
    let mut model = session.open_model(&spec, &[], &settings.model)?;
    model.ready()?;
    if !asked || model.destination() == Destination::Nowhere {
        return Ok(format!("{named} can be used; it was not asked anything"));
    }
    let prompt = prompts::probe();
    let request = Request {
        asking: Asking::Scaffold,
        attempt: 1,
        cut_off: 0,
        prompt: &prompt,
    };
    let allowed = AllowedSecrets::default();
    let cleared = clear(model.as_ref(), &request, &allowed).map_err(Unsafe::Held)?;
    let began = Instant::now();
    let reply = model.send(&cleared)?;
    let milliseconds = began.elapsed().as_millis();
    let cost = match reply.cost_micro_usd {
        Some(cost) => dollars(cost),
        None => "at a price that is not known".to_owned(),
    };
    let by = match model.answered_by() {
        Some(name) => format!(" as {name}"),
        None => String::new(),
    };
    Ok(format!(
        "{named} answered{by} in {milliseconds} ms: {} tokens in, {} out, {cost}",
        reply.input_tokens, reply.output_tokens
    ))
}

fn report(session: &Session<'_>, findings: &[Finding]) -> Result<(), Failure> {
    let checks: Vec<Value> = findings
        .iter()
        .map(|finding| {
            json!({
                "id": finding.id,
                "status": finding.status.key(),
                "message": finding.words,
                "remedy": finding.remedy,
                "details": finding.details,
            })
        })
        .collect();
    let document = json!({ "checks": checks });
    let mut text = Text::default();
    for finding in findings {
        let (status, id, words) = (finding.status.key(), finding.id, &finding.words);
        text.lines(19, format_args!("{status:<8} {id:<9} {words}"));
        for detail in &finding.details {
            text.lines(19, format_args!("{:19}not prevented: {detail}", ""));
        }
        if let (Status::Warning, Some(remedy)) = (finding.status, &finding.remedy) {
            text.lines(19, format_args!("{:19}{remedy}", ""));
        }
    }
    let bad: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.status == Status::Error)
        .collect();
    if bad.is_empty() {
        session.output.result(text, &ok(document));
        return Ok(());
    }
    if !session.output.is_json() {
        session.output.result(text, &document);
    }
    let remedy = |finding: &Finding| finding.remedy.clone().unwrap_or_default();
    let bad = bad.into_iter().map(|it| (it.id, remedy(it))).collect();
    Err(Failure::from(Obstacle::NotReady(bad)).details(document))
}
