//! A project in JavaScript whose tests cannot be run.

use super::world::{Situation, World, situation};

/// Replaces a program that is only looked for.
const FOUND: &str = "#!/bin/sh\nexit 1\n";
/// An npm that has no network.
const OFFLINE: &str = "#!/bin/sh\necho 'npm error network request failed' >&2\nexit 1\n";

/// A project whose `npm test` is this, and a run in it.
fn project(world: &mut World, command: &str, files: &[(&str, &str)]) {
    let package = format!("{{\"scripts\": {{\"test\": \"{command}\"}}}}\n");
    world.repository.write("package.json", package);
    for (path, content) in files {
        world.repository.write(path, content);
    }
    world.repository.commit_all("A project");
    world.environment.put_program("node", FOUND);
    world.run(&[]);
}

/// No other programs than git and those put beside it.
fn only_git(world: &mut World) {
    world.environment.pretend_git("nothing", "exit 0");
    let only = world.environment.root().join("bin");
    world.environment.set_variable("PATH", only);
}

pub(super) const NODE: &[Situation] = &[
    situation(5, "no node was found for this project's tests", |world| {
        project(world, "node --test", &[]);
        let node = world.environment.root().join("bin/node");
        std::fs::remove_file(node).expect("removed");
        only_git(world);
    }),
    situation(5, "PACKAGE is not installed in this project", |world| {
        project(world, "vitest run", &[]);
    }),
    situation(
        5,
        "this project's packages are installed by yarn's plug'n'play, which is not supported",
        |world| project(world, "jest", &[(".pnp.cjs", "")]),
    ),
    situation(
        5,
        "tests that are run by RUNNER are not supported",
        |world| project(world, "mocha", &[]),
    ),
    situation(
        4,
        "git tracks PATH, so what would run the tests is the repository's own",
        |world| {
            let files = [
                (
                    "node_modules/vitest/package.json",
                    "{\"version\": \"4.0.0\"}\n",
                ),
                ("node_modules/vitest/dist/node.js", ""),
            ];
            project(world, "vitest run", &files);
        },
    ),
    situation(
        5,
        "no test runner that Proctor knows was found for this project",
        |world| {
            world.repository.write("Cargo.toml", "[package]\n");
            world.repository.commit_all("A project");
            world.run(&[]);
        },
    ),
    situation(5, "no npm was found to install vitest with", |world| {
        only_git(world);
        world.say(["demo", "--language", "typescript"]);
    }),
    situation(5, "npm could not install vitest in PATH: REASON", |world| {
        world.environment.put_program("npm", OFFLINE);
        world.say(["demo", "--language", "typescript"]);
    }),
];
