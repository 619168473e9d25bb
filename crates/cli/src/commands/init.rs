//! `proctor init`

use std::path::Path;

use clap::Args;
use proctor_core::lint::Linter;
use proctor_core::path::ProjectPath;
use proctor_host::driver::IntakeError;
use proctor_host::files::Root;
use proctor_host::process::SandboxMode;
use proctor_host::project::{FoundLinter, Language, Programs, find_linters, languages};
use proctor_host::settings::{FILE_NAME, Preset, SettingsFile, TestSettings, template};
use proctor_host::test_runner::{ProjectFiles, RunnerError, TestCommand, own_python, test_command};
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

/// What would run the tests.
struct Environment {
    /// The runner and what starts it, if it was found.
    command: Option<TestCommand>,
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
    let programs = Programs::of(top, environment.command.as_slice(), &session.surroundings);
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
    let (repository, top) = (workspace.repository(), workspace.top());
    let files = ProjectFiles::of_directory(top);
    match test_command(repository, &files, &TestSettings::default(), inquiry) {
        Ok(command) => Environment {
            command: Some(command),
            problem: None,
        },
        Err(error) => Environment {
            // The Python is told all the same.
            command: match &error {
                RunnerError::PytestMissing { .. } => own_python(repository, top, inquiry)
                    .ok()
                    .map(TestCommand::Pytest),
                _ => None,
            },
            problem: Some(error.into()),
        },
    }
}

impl Found {
    /// What is worth writing down: facts about the project, not about this machine.
    fn presets(&self) -> Vec<Preset> {
        let mut presets = Vec::new();
        let is_python = self.languages.contains(&Language::Python);
        let runner = self.runner().or(is_python.then_some("pytest"));
        presets.extend(
            runner
                .filter(|_| !self.languages.is_empty())
                .map(|runner| Preset {
                    table: "test",
                    name: "runner",
                    value: format!("{runner:?}"),
                }),
        );
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
                "command": self.command(),
                "problem": self.environment.problem.as_ref().map(|failure| &failure.message),
            },
            "linters": linters,
            "base_branch": self.branch,
        })
    }

    /// The runner, if there is one that can be used here.
    fn runner(&self) -> Option<&'static str> {
        let command = self.environment.command.as_ref()?;
        let found = self.environment.problem.is_none();
        found.then(|| command.runner().name())
    }

    /// The words that start it.
    fn command(&self) -> Vec<String> {
        let command = self.environment.command.as_ref();
        command.map(TestCommand::text).unwrap_or_default()
    }

    fn words(&self, session: &Session<'_>, path: &Path) -> Text {
        let mut text = Text::default();
        let mut line = |name: &str, value: &str| {
            text.lines(13, format_args!("{name:<12} {value}"));
        };
        let names: Vec<&str> = self.languages.iter().map(|it| it.name()).collect();
        line(
            "language",
            &if names.is_empty() {
                "none found yet".to_owned()
            } else {
                names.join(", ")
            },
        );
        let command = self.command().join(" ");
        match &self.environment.problem {
            None => {
                let runner = self.runner().unwrap_or_default();
                line("runner", &format!("{runner}, started by {command}"));
            }
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
