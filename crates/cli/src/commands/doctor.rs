//! `proctor doctor`

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::Instant;

use clap::Args;
use proctor_core::context::AllowedSecrets;
use proctor_core::generation::{dollars, prompts};
use proctor_host::model::{Asking, Destination, ModelSpec, Request, clear};
use proctor_host::process::Sandbox;
use proctor_host::settings::Settings;
use serde_json::{Value, json};

use super::run::test_command;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ok};

/// Check that everything a run needs is there
///
/// Looks at git, the settings, the test runner, the sandbox, the model and the terminal, each with a remedy.
/// The sandbox's level is found by trying what must not work. Example: proctor doctor
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The model to ask one tiny question; as for `run`
    #[arg(long, value_name = "SPEC")]
    model: Option<String>,
}

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    /// What was found, or what is wrong.
    words: String,
    remedy: Option<String>,
    details: Vec<String>,
}

impl Finding {
    fn good(name: &'static str, words: impl Into<String>) -> Self {
        Self {
            name,
            words: words.into(),
            remedy: None,
            details: Vec::new(),
        }
    }

    fn bad(name: &'static str, failure: &Failure) -> Self {
        let remedy = failure.hints.join("; ");
        Self {
            name,
            words: failure.message.clone(),
            remedy: Some(remedy),
            details: Vec::new(),
        }
    }
}

pub(crate) fn doctor(session: &Session<'_>, arguments: &DoctorArguments) -> Result<(), Failure> {
    let mut findings = Vec::new();
    let repository = match session.repository() {
        Ok(repository) => {
            let words = format!("repository {}", repository.top().display());
            findings.push(Finding::good("git", words));
            Some(repository)
        }
        Err(failure) => {
            findings.push(Finding::bad("git", &failure));
            None
        }
    };
    let root = repository
        .as_ref()
        .map_or(session.directory.as_path(), |repository| repository.top());
    let settings = Settings::read(root).map_err(Failure::from);
    findings.push(match &settings {
        Ok(_) => Finding::good("settings", "proctor.toml is valid, or not there"),
        Err(failure) => Finding::bad("settings", failure),
    });
    let settings = settings.unwrap_or_default();
    if let Some(repository) = &repository {
        findings.push(match test_command(session, repository, &settings) {
            Ok(words) => Finding::good("runner", format!("{} has pytest", words.join(" "))),
            Err(failure) => Finding::bad("runner", &failure),
        });
    }
    findings.push(sandbox(session, &settings));
    findings.push(model(session, &settings, arguments.model.as_deref()));
    findings.push(if std::io::stdin().is_terminal() {
        Finding::good("terminal", "somebody can be asked")
    } else {
        let words = "standard input is no terminal: a review waits for `proctor review RUN` at one";
        Finding::good("terminal", words)
    });
    report(session, &findings)
}

fn sandbox(session: &Session<'_>, settings: &Settings) -> Finding {
    let chosen = Sandbox::choose(
        settings.sandbox.mode,
        &session.launcher,
        session.surroundings.all(),
    );
    match chosen {
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
        return Finding::good("model", "none is chosen; `run` needs --model SPEC");
    };
    let asked = wanted.is_some();
    match look_at_model(session, settings, named, asked) {
        Ok(words) => Finding::good("model", words),
        Err(failure) => Finding::bad("model", &failure),
    }
}

/// Opens the model and, if somebody named it here, asks it the smallest question.
fn look_at_model(
    session: &Session<'_>,
    settings: &Settings,
    named: &str,
    asked: bool,
) -> Result<String, Failure> {
    let mut model = ModelSpec::parse(named, &session.directory)?.open(
        super::demo::SCRIPT,
        &[],
        &settings.model,
        &session.launcher,
        session.surroundings.all(),
        &session.interrupt,
    )?;
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
    let cleared = clear(model.as_ref(), &request, &allowed)
        .map_err(|hold| Failure::new(Kind::Safety, hold.to_string()))?;
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
                "name": finding.name,
                "ok": finding.remedy.is_none(),
                "message": finding.words,
                "hint": finding.remedy,
                "details": finding.details,
            })
        })
        .collect();
    let document = json!({ "checks": checks });
    let mut text = String::new();
    for finding in findings {
        let mark = if finding.remedy.is_some() {
            "bad"
        } else {
            "ok"
        };
        let _ = writeln!(text, "{mark:<4} {:<9} {}", finding.name, finding.words);
        for detail in &finding.details {
            let _ = writeln!(text, "               not prevented: {detail}");
        }
    }
    let bad: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.remedy.is_some())
        .collect();
    if bad.is_empty() {
        session.output.result(&text, &ok(document));
        return Ok(());
    }
    let names: Vec<&str> = bad.iter().map(|finding| finding.name).collect();
    let message = format!("{}not ready: {}", text, names.join(", "));
    let mut failure = Failure::new(Kind::Environment, message);
    for finding in bad {
        let remedy = finding.remedy.as_deref().unwrap_or_default();
        failure = failure.hint(format!("{}: {remedy}", finding.name));
    }
    Err(failure.details(document))
}
