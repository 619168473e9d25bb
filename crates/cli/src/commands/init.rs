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
use proctor_host::test_runner::{
    FoundPart, ProjectFiles, RunnerError, TestCommand, find_parts, own_python, test_command,
};
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

/// The detected facts.
struct Found {
    languages: Vec<Language>,
    /// Of the repository as one, unless it has parts.
    environment: Option<Environment>,
    /// Of each part, if it has parts.
    parts: Vec<(FoundPart, Environment)>,
    linters: Vec<FoundLinter>,
    branch: Option<String>,
}

/// The environment that would run the tests.
struct Environment {
    /// The runner and its command, if it was found.
    command: Option<TestCommand>,
    /// Its problem and the remedy.
    problem: Option<Failure>,
}

pub(crate) fn init(session: &Session<'_>) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let top = workspace.top();
    let look = || {
        let parts = find_parts(top).into_iter();
        let parts = parts.map(|part| {
            let settings = TestSettings {
                root: part.root.clone(),
                runner: Some(part.runner),
                ..TestSettings::default()
            };
            let found = environment(session, &workspace, &settings);
            (part, found)
        });
        let parts: Vec<(FoundPart, Environment)> = parts.collect();
        // There are no settings yet, and another repository's do not apply.
        let whole = || environment(session, &workspace, &TestSettings::default());
        (parts.is_empty().then(whole), parts)
    };
    let progress = session.progress();
    let (whole, parts) = progress.during("looking for the test runner", look);
    let commands: Vec<TestCommand> = whole
        .iter()
        .chain(parts.iter().map(|(_, environment)| environment))
        .filter_map(|environment| environment.command.clone())
        .collect();
    let programs = Programs::of(top, &commands, &session.surroundings);
    let found = Found {
        languages: languages_of(top, &parts),
        linters: find_linters(&programs),
        environment: whole,
        parts,
        branch: workspace.current_branch()?,
    };
    let roots: Vec<(&str, &str)> = found
        .parts
        .iter()
        .map(|(part, _)| (part.root.as_str(), part.runner.name()))
        .collect();
    let text = template(&found.presets(), &roots);
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

/// The languages of all parts.
fn languages_of(top: &Path, parts: &[(FoundPart, Environment)]) -> Vec<Language> {
    let below = parts
        .iter()
        .flat_map(|(part, _)| languages(&top.join(&part.root)));
    let mut found: Vec<Language> = languages(top).into_iter().chain(below).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn environment(
    session: &Session<'_>,
    workspace: &Workspace,
    settings: &TestSettings,
) -> Environment {
    let inquiry = session.inquiry(SandboxMode::Auto);
    let (repository, top) = (workspace.repository(), workspace.top());
    let directory = top.join(&settings.root);
    let files = ProjectFiles::of_directory(&directory);
    match test_command(repository, &files, settings, inquiry) {
        Ok(command) => Environment {
            command: Some(command),
            problem: None,
        },
        Err(error) => Environment {
            // The Python is told all the same.
            command: match &error {
                RunnerError::PytestMissing { .. } => own_python(repository, &directory, inquiry)
                    .ok()
                    .map(TestCommand::Pytest),
                _ => None,
            },
            problem: Some(error.into()),
        },
    }
}

impl Environment {
    /// The runner, if there is one that can be used here.
    fn runner(&self) -> Option<&'static str> {
        let command = self.command.as_ref()?;
        self.problem.is_none().then(|| command.runner().name())
    }

    /// The words that start it.
    fn words(&self) -> Vec<String> {
        let command = self.command.as_ref();
        command.map(TestCommand::text).unwrap_or_default()
    }

    fn document(&self) -> Value {
        json!({
            "command": self.words(),
            "problem": self.problem.as_ref().map(|failure| &failure.message),
        })
    }

    /// For a person, line by line.
    fn lines(&self) -> Vec<String> {
        match &self.problem {
            None => {
                let runner = self.runner().unwrap_or_default();
                vec![format!("{runner}, started by {}", self.words().join(" "))]
            }
            Some(failure) => {
                let mut lines = vec![format!("none: {}", failure.message)];
                lines.extend(failure.hints().into_iter().map(str::to_owned));
                lines
            }
        }
    }
}

impl Found {
    /// The settings worth writing: facts about the project, not about this machine.
    fn presets(&self) -> Vec<Preset> {
        let mut presets = Vec::new();
        let is_python = self.languages.contains(&Language::Python);
        let runner = self.runner().or(is_python.then_some("pytest"));
        presets.extend(
            runner
                .filter(|_| !self.languages.is_empty() && self.parts.is_empty())
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
        let parts: Vec<Value> = self
            .parts
            .iter()
            .map(|(part, environment)| {
                json!({
                    "root": part.root,
                    "runner": part.runner.name(),
                    "environment": environment.document(),
                })
            })
            .collect();
        json!({
            "path": path,
            "languages": self.languages.iter().map(|language| language.key()).collect::<Vec<_>>(),
            "runner": self.runner(),
            "environment": self.environment.as_ref().map(Environment::document),
            "parts": parts,
            "linters": linters,
            "base_branch": self.branch,
        })
    }

    /// The runner, if there is one that can be used here.
    fn runner(&self) -> Option<&'static str> {
        self.environment.as_ref().and_then(Environment::runner)
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
        let whole = self.environment.iter().map(|it| (String::new(), it));
        let parts = self.parts.iter();
        let parts = parts.map(|(part, it)| (format!("{}: ", part.root), it));
        for (place, environment) in whole.chain(parts) {
            let mut lines = environment.lines().into_iter();
            let first = lines.next().unwrap_or_default();
            line("runner", &format!("{place}{first}"));
            for hint in lines {
                line("", &hint);
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
