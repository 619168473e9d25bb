//! `proctor init`

use std::path::Path;

use clap::Args;
use proctor_core::lint::Linter;
use proctor_core::path::ProjectPath;
use proctor_host::driver::IntakeError;
use proctor_host::files::Root;
use proctor_host::process::SandboxMode;
use proctor_host::project::{FoundLinter, Language, Programs, find_linters, languages};
use proctor_host::settings::{FILE_NAME, Preset, SettingsFile, template};
use proctor_host::test_runner::{as_text, own_python, verify_pytest};
use proctor_host::trust::Trust;
use proctor_host::workspace::Workspace;
use serde_json::{Value, json};

use crate::failure::{Bug, Failure};
use crate::output::Text;
use crate::session::Session;
use crate::wire::ok;

/// Write a commented proctor.toml for this repository
///
/// Looks at languages, the test runner, the environment, linters and the branch, and says what it found. The file goes
/// to the repository's root; one that is there already stays as it is.
///
/// Example: proctor init
#[derive(Debug, Args)]
pub(crate) struct InitArguments {}

/// What was found out.
struct Found {
    languages: Vec<Language>,
    environment: Environment,
    linters: Vec<FoundLinter>,
    branch: Option<String>,
}

/// The Python that would run the tests.
struct Environment {
    /// Its words; empty if there is none.
    command: Vec<String>,
    /// What is wrong with it, and what to do.
    problem: Option<Failure>,
}

pub(crate) fn init(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let top = workspace.top();
    let environment = session
        .progress()
        .during("looking for the test runner", || {
            environment(session, &workspace)
        });
    let programs = Programs::of(top, &environment.command, &session.surroundings);
    let found = Found {
        languages: languages(top),
        linters: find_linters(&programs),
        environment,
        branch: workspace.current_branch()?,
    };
    let text = template(&found.presets());
    let settings = SettingsFile::parse(&text).map_err(Bug::Settings)?;
    let root = Root::open(top).map_err(IntakeError::Root)?;
    let path = ProjectPath::parse(FILE_NAME).expect("a plain name");
    root.write_over(&path, None, text.as_bytes())?;
    // Every word of it is our own.
    Trust::of(workspace.repository(), &session.surroundings).remember(&settings)?;
    let path = top.join(FILE_NAME);
    let document = found.document(&path);
    session
        .output
        .result(found.words(session, &path), &ok(document));
    Ok(())
}

fn environment(session: &Session<'_>, workspace: &Workspace) -> Environment {
    // There are no settings yet, and a stranger's are none of ours.
    let inquiry = session.inquiry(SandboxMode::Auto);
    let found = own_python(workspace.repository(), inquiry).map_err(Failure::from);
    match found {
        Ok(words) => Environment {
            problem: verify_pytest(words.clone(), workspace.top(), inquiry)
                .err()
                .map(Failure::from),
            command: as_text(words),
        },
        Err(failure) => Environment {
            command: Vec::new(),
            problem: Some(failure),
        },
    }
}

impl Found {
    /// What is worth writing down: facts about the project, not about this machine.
    fn presets(&self) -> Vec<Preset> {
        let mut presets = Vec::new();
        if self.languages.contains(&Language::Python) {
            presets.push(Preset {
                table: "test",
                name: "runner",
                value: "\"pytest\"".to_owned(),
            });
        }
        // Several linters are found again each time; a key holds one command. One that is not installed is missed
        // anyway, and named here it would stop runs.
        if let [one] = &self.linters[..]
            && one.program.is_some()
        {
            let command = match one.linter {
                Linter::Ruff => Some("\"ruff check\""),
                Linter::Flake8 => Some("\"flake8\""),
                // These are best called with options that make them readable.
                Linter::Eslint | Linter::Clippy => None,
            };
            presets.extend(command.map(|command| Preset {
                table: "lint",
                name: "command",
                value: command.to_owned(),
            }));
        }
        presets
    }

    fn document(&self, path: &Path) -> Value {
        let linters: Vec<Value> = self
            .linters
            .iter()
            .map(|found| {
                json!({
                    "name": found.linter.name(),
                    "program": found.program,
                    "configured_by": found.configured_by,
                })
            })
            .collect();
        json!({
            "path": path,
            "languages": self.languages.iter().map(|language| language.key()).collect::<Vec<_>>(),
            "runner": self.runner(),
            "environment": {
                "command": self.environment.command,
                "problem": self.environment.problem.as_ref().map(|failure| &failure.message),
            },
            "linters": linters,
            "base_branch": self.branch,
        })
    }

    /// The runner, if there is one that can be used here.
    fn runner(&self) -> Option<&'static str> {
        let is_other = !self.languages.is_empty() && !self.languages.contains(&Language::Python);
        (!is_other && self.environment.problem.is_none()).then_some("pytest")
    }

    fn words(&self, session: &Session<'_>, path: &Path) -> Text {
        let mut text = Text::default();
        let mut line = |name: &str, value: &str| {
            text.lines(13, format_args!("{name:<12} {value}"));
        };
        let names: Vec<&str> = self.languages.iter().map(|it| it.name()).collect();
        let is_python = names.is_empty() || self.languages.contains(&Language::Python);
        line(
            "language",
            &if names.is_empty() {
                "none found yet".to_owned()
            } else {
                names.join(", ")
            },
        );
        let command = self.environment.command.join(" ");
        match &self.environment.problem {
            _ if !is_python => line(
                "runner",
                "none for this language yet; `proctor run` needs pytest",
            ),
            None => line("runner", &format!("pytest, started by {command}")),
            Some(failure) => {
                line("runner", &format!("none: {}", failure.message));
                for hint in failure.hints() {
                    line("", hint);
                }
            }
        }
        for found in &self.linters {
            let place = match &found.program {
                Some(program) => program.display().to_string(),
                None => "configured, but not installed".to_owned(),
            };
            let by = found
                .configured_by
                .map_or(String::new(), |file| format!(", configured by {file}"));
            line("linter", &format!("{} ({place}){by}", found.linter.name()));
        }
        if self.linters.is_empty() {
            line("linter", "none found");
        }
        let branch = self.branch.as_deref();
        line(
            "base branch",
            branch.unwrap_or("none: HEAD is detached; name one with --base"),
        );
        line("written", &path.display().to_string());
        text.line("");
        text.line("next");
        text.line(format_args!("  look at {FILE_NAME} and commit it"));
        let commands = ["doctor", "new ID \"TITLE\"", "run --issue ID --model SPEC"];
        for command in commands {
            text.line(format_args!("  {}", session.command(command)));
        }
        text
    }
}
