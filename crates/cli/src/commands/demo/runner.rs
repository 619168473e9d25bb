//! The runner of the demo's sample project.

use std::path::{Path, PathBuf};

use proctor_core::dialect::Runner;
use proctor_host::model::Story;
use proctor_host::process::{SandboxMode, find_program};
use proctor_host::settings::TestSettings;
use proctor_host::test_runner::{
    ProjectFiles, PythonSearch, RunnerError, TestCommand, farm, find_python, managed_environment,
    managed_packages, verify_pytest,
};
use proctor_host::workspace::Workspace;

use super::say;
use crate::failure::{Failure, Obstacle};
use crate::session::Session;

/// The story that this machine can be told: in Python, unless it has only a node with npm.
pub(super) fn possible(session: &Session<'_>, directory: &Path) -> Story {
    let path = session.surroundings.get("PATH").unwrap_or_default();
    let has = |name: &str| find_program(Path::new(name), path, directory).is_some();
    let python = find_python(&search(session, directory));
    if python.is_err() && has("node") && has("npm") {
        Story::TypeScript
    } else {
        Story::Python
    }
}

/// The command that runs the sample's tests in this workspace.
pub(super) fn test_command(
    session: &Session<'_>,
    workspace: &Workspace,
    story: Story,
) -> Result<TestCommand, Failure> {
    match story {
        Story::Python => pytest(session, workspace.top()),
        Story::TypeScript => vitest(session, workspace),
    }
}

fn search<'s>(session: &'s Session<'_>, checkout: &'s Path) -> PythonSearch<'s> {
    PythonSearch {
        configured: &[],
        checkout,
        inquiry: session.inquiry(SandboxMode::Auto),
    }
}

fn cache_directory(session: &Session<'_>) -> Result<PathBuf, Failure> {
    let cache = session.surroundings.cache_directory();
    Ok(cache.ok_or(Obstacle::NoCacheDirectory)?)
}

/// The machine's own pytest, else one of Proctor's.
fn pytest(session: &Session<'_>, top: &Path) -> Result<TestCommand, Failure> {
    let inquiry = session.inquiry(SandboxMode::Auto);
    let words = find_python(&search(session, top))?;
    match verify_pytest(words.clone(), top, inquiry) {
        Ok(words) => return Ok(TestCommand::Pytest(words)),
        Err(RunnerError::PytestMissing { .. }) => {}
        Err(other) => return Err(other.into()),
    }
    let cache = cache_directory(session)?;
    say(
        session,
        format!(
            "This Python has no pytest; one is being set up, once, in {}.",
            cache.display()
        ),
    );
    let python = words.first().map(PathBuf::from).unwrap_or_default();
    let python = session.progress().during("setting up pytest", || {
        managed_environment(&cache, &python, session.surroundings.all())
    })?;
    Ok(TestCommand::Pytest(vec![python.into()]))
}

/// A vitest of Proctor's, which the sample is given as if npm had installed it there.
fn vitest(session: &Session<'_>, workspace: &Workspace) -> Result<TestCommand, Failure> {
    let cache = cache_directory(session)?;
    say(
        session,
        format!(
            "Its vitest is taken from {}, where npm installs it the first time.",
            cache.display()
        ),
    );
    let packages = session.progress().during("setting up vitest", || {
        managed_packages(&cache, session.surroundings.all())
    })?;
    farm(&packages, workspace.top()).map_err(Obstacle::Scratch)?;
    let part = TestSettings {
        runner: Some(Runner::Vitest),
        ..TestSettings::default()
    };
    let files = ProjectFiles::of_directory(workspace.top());
    let inquiry = session.inquiry(SandboxMode::Auto);
    let command =
        proctor_host::test_runner::test_command(workspace.repository(), &files, &part, inquiry)?;
    Ok(command)
}
