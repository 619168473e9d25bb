use std::path::Path;

use super::*;
use crate::files::write_own;
use crate::process::{Environment, Interrupt, Launcher, SandboxMode};

struct Project {
    directory: tempfile::TempDir,
    environment: Environment,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            write_own(&directory.path().join(name), text.as_bytes()).expect("a file");
        }
        let bin = directory.path().join("bin");
        write_own(&bin.join("node"), b"").expect("a file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(bin.join("node"), mode).expect("its mode");
        let environment = vec![("PATH".into(), bin.into_os_string())];
        Self {
            directory,
            environment,
        }
    }

    fn search<R>(&self, names: &[&str], ask: impl FnOnce(&NodeSearch<'_>) -> R) -> R {
        self.search_in("", names, ask)
    }

    fn search_in<R>(
        &self,
        part: &str,
        names: &[&str],
        ask: impl FnOnce(&NodeSearch<'_>) -> R,
    ) -> R {
        let checkout = &self.directory.path().join(part);
        let package = std::fs::read_to_string(checkout.join("package.json")).ok();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let (launcher, interrupt) = (Launcher::plain(), Interrupt::never());
        ask(&NodeSearch {
            runner: None,
            configured: &[],
            package: package.as_deref(),
            names: &names,
            checkout,
            top: self.directory.path(),
            inquiry: Inquiry {
                environment: &self.environment,
                launcher: &launcher,
                interrupt: &interrupt,
                mode: SandboxMode::Off,
            },
        })
    }

    fn command(&self) -> Result<Option<NodeCommand>, RunnerError> {
        self.search(&[], command_of)
    }
}

fn command_of(search: &NodeSearch<'_>) -> Result<Option<NodeCommand>, RunnerError> {
    search.command()
}

const VITEST: (&str, &str) = (
    "package.json",
    r#"{"devDependencies": {"vitest": "^4"}, "scripts": {"test": "vitest run"}}"#,
);

#[test]
fn a_projects_own_files_name_its_runner() {
    use Runner::{Jest, Node, Vitest};
    let table: [(&str, &[&str], Option<Runner>); 12] = [
        (r#"{"scripts": {"test": "vitest run"}}"#, &[], Some(Vitest)),
        (r#"{"scripts": {"test": "npx jest --ci"}}"#, &[], Some(Jest)),
        (
            r#"{"scripts": {"test": "node --test"}, "devDependencies": {"jest": "30"}}"#,
            &[],
            Some(Node),
        ),
        (
            r#"{"scripts": {"test": "node node_modules/jest/bin/jest.js"}}"#,
            &[],
            Some(Jest),
        ),
        ("{}", &["vitest.config.ts"], Some(Vitest)),
        ("{}", &["jest.config.js"], Some(Jest)),
        (r#"{"jest": {}}"#, &[], Some(Jest)),
        (r#"{"devDependencies": {"vitest": "4"}}"#, &[], Some(Vitest)),
        (
            r#"{"devDependencies": {"vitest": "4", "playwright": "1"}}"#,
            &[],
            Some(Vitest),
        ),
        (r#"{"scripts": {"test": "make check"}}"#, &[], None),
        ("{}", &["vite.config.ts"], None),
        ("", &[], None),
    ];
    for (package, names, expected) in table {
        let project = Project::new(&[("package.json", package)]);
        let found = project.search(names, find_runner);
        assert_eq!(found.expect("supported"), expected, "{package} {names:?}");
    }
}

#[test]
fn a_runner_without_a_witness_is_named() {
    for (package, name) in [
        (r#"{"scripts": {"test": "mocha"}}"#, "mocha"),
        (r#"{"devDependencies": {"ava": "6"}}"#, "ava"),
        (
            r#"{"scripts": {"test": "react-scripts test"}, "devDependencies": {"jest": "27"}}"#,
            "react-scripts",
        ),
    ] {
        let project = Project::new(&[("package.json", package)]);
        match project.search(&[], find_runner) {
            Err(RunnerError::UnsupportedRunner(found)) => assert_eq!(found, name),
            other => panic!("{package}: {other:?}"),
        }
    }
}

#[test]
fn the_program_comes_from_the_installed_packages() {
    let installed = ("node_modules/vitest/dist/node.js", "");
    let with_version = |version: &'static str| ("node_modules/vitest/package.json", version);
    let new = with_version(r#"{"version": "4.1.0"}"#);
    let project = Project::new(&[VITEST, installed, new]);
    let command = project.command().expect("found").expect("a runner");
    assert_eq!(command.version, "4.1.0");
    let program = command.program.as_deref().expect("a program");
    assert!(program.ends_with(Path::new(installed.0)));
    assert!(command.node.ends_with("bin/node"));

    let old = with_version(r#"{"version": "2.1.9"}"#);
    let refused = Project::new(&[VITEST, installed, old]).command();
    assert!(matches!(refused, Err(RunnerError::UnsupportedRunner(name)) if name == "vitest 2.1.9"));
}

#[test]
fn a_part_is_run_by_what_is_installed_for_it_or_else_around_it() {
    let manifest = ("packages/a/package.json", VITEST.1);
    let above = [
        ("node_modules/vitest/dist/node.js", ""),
        (
            "node_modules/vitest/package.json",
            r#"{"version": "4.1.0"}"#,
        ),
    ];
    let own = [
        ("packages/a/node_modules/vitest/dist/node.js", ""),
        (
            "packages/a/node_modules/vitest/package.json",
            r#"{"version": "3.2.0"}"#,
        ),
    ];
    let version = |files: &[(&str, &str)]| {
        let project = Project::new(files);
        let found = project.search_in("packages/a/", &[], command_of);
        found.map(|command| command.expect("a runner").version)
    };
    let hoisted = version(&[manifest, above[0], above[1]]);
    assert_eq!(hoisted.expect("found"), "4.1.0");
    let nearest = version(&[manifest, above[0], above[1], own[0], own[1]]);
    assert_eq!(nearest.expect("found"), "3.2.0");
    match version(&[manifest, ("pnpm-lock.yaml", "")]) {
        Err(RunnerError::PackageMissing { install, .. }) => assert_eq!(install, "pnpm install"),
        other => panic!("{other:?}"),
    }
    let linked = version(&[manifest, (".pnp.cjs", "")]);
    assert!(matches!(linked, Err(RunnerError::PlugAndPlay)));
    // Files beyond the repository are not the project's.
    let project = Project::new(&[manifest, above[0], above[1]]);
    let outside = project.search_in("packages/a", &[], |search| {
        let top = search.checkout;
        command_of(&NodeSearch {
            top,
            ..search.clone()
        })
    });
    assert!(matches!(outside, Err(RunnerError::PackageMissing { .. })));
}

#[test]
fn what_is_not_installed_is_asked_for_in_the_words_of_its_manager() {
    for (lock, expected) in [
        ("package-lock.json", "npm install"),
        ("pnpm-lock.yaml", "pnpm install"),
        ("yarn.lock", "yarn install"),
    ] {
        let project = Project::new(&[VITEST, (lock, "")]);
        match project.command() {
            Err(RunnerError::PackageMissing { package, install }) => {
                assert_eq!((package.as_str(), install.as_str()), ("vitest", expected));
            }
            other => panic!("{lock}: {other:?}"),
        }
    }
    let project = Project::new(&[VITEST, (".pnp.cjs", "")]);
    assert!(matches!(project.command(), Err(RunnerError::PlugAndPlay)));
    let mut project = Project::new(&[VITEST]);
    project.environment.clear();
    assert!(matches!(project.command(), Err(RunnerError::NoNode)));
}

#[test]
fn only_a_node_can_be_configured() {
    let project = Project::new(&[(
        "package.json",
        r#"{"scripts": {"test": "node --import tsx --test 'test/*.ts'"}}"#,
    )]);
    let with = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        project.search(&[], |search| {
            NodeSearch {
                configured: &words,
                ..search.clone()
            }
            .command()
        })
    };
    let command = with(&["bin/node"]).expect("found").expect("a runner");
    assert_eq!(command.loaded, ["--import=tsx"]);
    assert_eq!(command.patterns, ["test/*.ts"]);
    assert!(matches!(
        with(&["npx", "vitest"]),
        Err(RunnerError::Command(_))
    ));
}
