//! Whose the runner is that would be used.

use std::ffi::OsString;

use proctor_core::dialect::Runner;
use proctor_host::git::Repository;
use proctor_host::process::{Interrupt, Launcher, SandboxMode};
use proctor_host::surroundings::Surroundings;
use proctor_host::test_runner::{Inquiry, NodeCommand, NodeSearch, RunnerError, node_command};
use proctor_testkit::TestEnvironment;

use super::node;

const PACKAGE: &str = r#"{"scripts": {"test": "vitest run"}}"#;

/// The result in a repository whose packages are ignored, or in git too.
fn found(are_tracked: bool) -> Option<Result<Option<NodeCommand>, RunnerError>> {
    let node = node()?;
    let environment = TestEnvironment::without_binary();
    let user = environment.init_repository();
    user.write("package.json", PACKAGE);
    user.write(
        "node_modules/vitest/package.json",
        r#"{"version": "4.0.0"}"#,
    );
    user.write("node_modules/vitest/dist/node.js", "");
    if !are_tracked {
        user.write(".gitignore", "node_modules\n");
    }
    user.commit_all("first");
    let command = environment.command("git");
    let variables = command.get_envs();
    let variables = variables.filter_map(|(name, value)| Some((name.into(), value?.into())));
    let surroundings = Surroundings::from_list(variables.collect());
    let repository = Repository::discover(user.path(), &surroundings).expect("a repository");
    let path = node.parent().map_or_else(OsString::new, OsString::from);
    let variables = vec![("PATH".into(), path)];
    let (launcher, interrupt) = (Launcher::plain(), Interrupt::never());
    Some(node_command(
        &repository,
        &NodeSearch {
            runner: None,
            configured: &[],
            package: Some(PACKAGE),
            names: &[],
            checkout: repository.top(),
            top: repository.top(),
            inquiry: Inquiry {
                environment: &variables,
                launcher: &launcher,
                interrupt: &interrupt,
                mode: SandboxMode::Off,
            },
        },
    ))
}

#[test]
fn a_runner_that_the_repository_brings_is_not_run() {
    let Some(installed) = found(false) else {
        return;
    };
    let command = installed.expect("found").expect("a runner");
    assert_eq!(command.runner, Runner::Vitest);
    match found(true) {
        Some(Err(RunnerError::TrackedRunner(path))) => {
            assert!(path.starts_with("node_modules/vitest"));
        }
        other => panic!("{other:?}"),
    }
}
