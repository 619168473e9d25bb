//! Directories, disks and system calls that fail.

use super::world::{Situation, World, meet, situation};
use crate::full_disk::{can_mount, tiny};
use crate::write_faults::{failing, has_strace};

pub(super) const DIRECTORIES: &[Situation] = &[
    situation(5, "the current directory is gone: REASON", |world| {
        let script = "mkdir ../gone && cd ../gone && rmdir ../gone && exec \"$@\"";
        world.through(["sh", "-c", script, "sh"]);
        world.say(["status"]);
    }),
    situation(5, "a temporary directory cannot be made: REASON", |world| {
        world.environment.set_variable("TMPDIR", "/nowhere");
        world.say(["demo"]);
    }),
    situation(
        5,
        "there is no directory for worktrees: HOME is not set",
        |world| {
            world.environment.use_pytest();
            for name in ["HOME", "XDG_STATE_HOME", "PROCTOR_STATE_DIR"] {
                world.environment.remove_variable(name);
            }
            world.run(&[]);
        },
    ),
    situation(5, "the page cannot be written to PATH: REASON", |world| {
        world.open_run();
        world.say(["report", "--output", "README.md/page.html"]);
    }),
    situation(5, "worktrees cannot be written to PATH", |world| {
        let file = world.environment.write("file", "");
        world
            .environment
            .set_variable("PROCTOR_STATE_DIR", file.join("state"));
        world.finding("state");
    }),
    situation(5, "only 20 MB are free for worktrees in PATH", |world| {
        if world.only_if(can_mount()) {
            let mounted = tiny(&world.environment.state_directory(), 1000);
            let script = format!("{mounted}\nexec \"$@\"");
            world.through(["unshare", "-rm", "sh", "-c", &script, "sh"]);
        }
        world.finding("disk");
    }),
    situation(4, "PATH is on another filesystem than the root", |world| {
        world.repository.write("elsewhere/README.md", "x\n");
        world.repository.commit_all("A directory");
        if world.only_if(can_mount()) {
            let mounted = tiny(&world.repository.path().join("elsewhere"), 1000);
            let script = format!("{mounted}\nexec \"$@\"");
            world.through(["unshare", "-rm", "sh", "-c", &script, "sh"]);
        }
        world.write("elsewhere/new.txt", "x\n", &[]);
    }),
];

pub(super) const BUGS: &[Situation] = &[situation(70, "a bug in proctor: REASON", |world| {
    world
        .environment
        .set_variable("PROCTOR_PANIC_AT", "write approved");
    world.write("new.txt", "x\n", &[]);
})];

/// One system call of Proctor's own that fails, of those on a path if there is one.
fn fail(world: &mut World, injection: &str, path: Option<&str>) {
    if world.only_if(has_strace()) {
        world.through(failing(injection, path));
    }
}

pub(super) const FAULTS: &[Situation] = &[
    situation(5, "PATH cannot be read or written: REASON", |world| {
        world.apply("README.md", "line = 3");
        fail(world, "renameat:error=EIO", None);
    }),
    situation(
        5,
        "the repository's root cannot be opened: REASON",
        |world| {
            let top = world.repository.path().display().to_string();
            world.say(["init"]);
            fail(world, "?open,openat:error=EACCES", Some(&top));
        },
    ),
    situation(5, "signals cannot be handled: REASON", |world| {
        world.say(["status"]);
        // The first few are made by the language's own runtime, which takes no refusal.
        fail(world, "rt_sigaction:error=EPERM:when=8+", None);
    }),
    situation(5, "PATH cannot be removed: REASON", |world| {
        let run = world.open_run();
        world.environment.proctor(["abort", &run]).expect_code(0);
        world
            .repository
            .write(format!(".git/proctor/evidence/{run}/red.txt"), "x\n");
        world.say(["clean"]);
        fail(world, "unlinkat:error=EACCES", None);
    }),
];

#[test]
fn directories_that_cannot_be_used_are_answered_as_documented() {
    meet(DIRECTORIES);
}

#[test]
fn system_calls_that_fail_are_answered_as_documented() {
    meet(FAULTS);
    meet(BUGS);
}
