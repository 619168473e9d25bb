//! A Python, a sandbox or a setup that tests cannot be run with.

use super::world::{Situation, World, meet, situation};
use crate::full_disk::can_mount;

/// No pytest, and a Python that fails in every other way too.
const FAILING: &str = "#!/bin/sh\necho 'no module named anything' >&2\nexit 1\n";

/// The settings, committed.
fn settings(world: &mut World, text: &str) {
    world.repository.write("proctor.toml", text);
    world.repository.commit_all("Settings");
}

pub(super) const PYTHON: &[Situation] = &[
    situation(
        5,
        "no python interpreter was found for this project",
        |world| {
            world.environment.pretend_git("nothing", "exit 0");
            let only_git = world.environment.root().join("bin");
            world.environment.set_variable("PATH", only_git);
            world.run(&[]);
        },
    ),
    situation(5, "pytest cannot be imported by PYTHON", |world| {
        world.environment.put_program("python3", FAILING);
        world.run(&[]);
    }),
    situation(
        5,
        "the configured test command cannot be used: REASON",
        |world| {
            settings(world, "[test]\ncommand = [\"\"]\n");
            world.run(&[]);
        },
    ),
    situation(
        5,
        "the test runner cannot be run: program not found: PROGRAM",
        |world| {
            settings(world, "[test]\ncommand = \"no-such-program\"\n");
            world.run(&[]);
        },
    ),
    situation(
        5,
        "the test environment in PATH could not be made: REASON",
        |world| {
            world.environment.put_program("python3", FAILING);
            world.say(["demo"]);
        },
    ),
    situation(5, "cannot write PATH: REASON", |world| {
        world.environment.put_program("python3", FAILING);
        let file = world.environment.write("file", "");
        world
            .environment
            .set_variable("PROCTOR_CACHE_DIR", file.join("cache"));
        world.say(["demo"]);
    }),
    situation(5, "there is no cache directory: HOME is not set", |world| {
        world.environment.put_program("python3", FAILING);
        for name in ["HOME", "XDG_CACHE_HOME", "PROCTOR_CACHE_DIR"] {
            world.environment.remove_variable(name);
        }
        world.say(["demo"]);
    }),
    situation(5, "not ready: NAME", |world| {
        world.environment.put_program("python3", FAILING);
        world.say(["doctor"]);
    }),
    situation(
        5,
        "tests cannot be confined here: bubblewrap: REASON",
        |world| {
            settings(world, "[sandbox]\nmode = \"bubblewrap\"\n");
            world.environment.use_pytest();
            world.environment.put_program("bwrap", FAILING);
            new_test(world);
            world.say(["gate", "red"]);
        },
    ),
    situation(
        5,
        "tests cannot be confined without proctor's own helper",
        |world| {
            world.environment.use_pytest();
            if world.only_if(can_mount()) {
                // Without it a program does not know its own file.
                let script = "mount -t tmpfs tmpfs /proc || exit 99\nexec \"$@\"";
                world.through(["unshare", "-rm", "sh", "-c", script, "sh"]);
            }
            new_test(world);
            world.say(["gate", "red"]);
        },
    ),
    situation(1, "this is not a valid red\nTEST: REASON (RULE)", |world| {
        world.environment.use_pytest();
        let link = world.repository.path().join("test_link.py");
        std::os::unix::fs::symlink("README.md", link).expect("linked");
        world.say(["gate", "red"]);
    }),
    situation(3, "a person has to decide\nTEST: REASON (RULE)", |world| {
        world.environment.use_pytest();
        new_test(world);
        world.repository.git(["add", "-A"]);
        world.repository.git(["commit", "-q", "-m", "Tests"]);
        std::fs::remove_file(world.repository.path().join("test_new.py")).expect("removed");
        world.say(["gate", "change"]);
    }),
];

/// Something for a gate to judge.
fn new_test(world: &World) {
    let test = "def test_new():\n    assert 1 + 1 == 3\n";
    world.repository.write("test_new.py", test);
}

/// A run that stops before its tests, and continues.
fn run_prepared(world: &mut World, text: &str) {
    world.environment.use_pytest();
    settings(world, text);
    world.run(&[]);
    world.say_again(["resume"]);
}

pub(super) const PREPARATION: &[Situation] = &[
    situation(
        5,
        "the setup command `COMMAND` ended with code 1: REASON",
        |world| run_prepared(world, "[worktree]\nsetup = \"ls /nowhere\"\n"),
    ),
    situation(
        5,
        "the setup command `COMMAND` ended with code 1: REASON",
        |world| {
            world.environment.use_pytest();
            settings(world, "[worktree]\nsetup = \"ls /nowhere\"\n");
            new_test(world);
            world.say(["gate", "red"]);
        },
    ),
    situation(
        5,
        "the setup command cannot be run: program not found: PROGRAM",
        |world| run_prepared(world, "[worktree]\nsetup = \"no-such-program\"\n"),
    ),
    situation(
        5,
        "a file of `copy_ignored` cannot be copied: PATH does not exist",
        |world| run_prepared(world, "[worktree]\ncopy_ignored = [\"settings.local\"]\n"),
    ),
    situation(5, "PATH cannot be written: REASON", |world| {
        run_prepared(world, "[worktree]\nsetup = \"true\"\n");
        world
            .repository
            .write(".git/proctor/evidence", "in the way");
    }),
    situation(
        5,
        "PATH cannot be saved, so the worktree stays: REASON",
        |world| {
            run_prepared(world, "[worktree]\nsetup = \"false\"\n");
            let words = world.run_words(&[]);
            world.environment.proctor(words).expect_code(5);
            let all = world
                .environment
                .proctor(["status", "--format", "json"])
                .json();
            let text = |name: &str| all["runs"][0][name].as_str().expect("a run").to_owned();
            let inside = format!("{}/inside", text("worktree"));
            world.repository.git(["init", "--quiet", &inside]);
            let words = ["abort".to_owned(), text("run")];
            world.say(words.clone());
            world.say_again(words);
        },
    ),
];

#[test]
fn a_python_or_a_sandbox_that_cannot_be_used_is_answered_as_documented() {
    meet(PYTHON);
}

#[test]
fn what_cannot_be_prepared_is_answered_as_documented() {
    meet(PREPARATION);
}
