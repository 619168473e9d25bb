//! Directories, disks and system calls that fail.

use super::world::{Situation, World, meet};
use crate::full_disk::{can_mount, tiny};
use crate::write_faults::has_strace;

pub(super) const DIRECTORIES: &[Situation] = &[
    Situation {
        row: "the current directory is gone: REASON",
        code: 5,
        provoke: |world| {
            let script = "mkdir ../gone && cd ../gone && rmdir ../gone && exec \"$@\"";
            world.through(["sh", "-c", script, "sh"]);
            world.say(["status"]);
        },
    },
    Situation {
        row: "a temporary directory cannot be made: REASON",
        code: 5,
        provoke: |world| {
            world.environment.set_variable("TMPDIR", "/nowhere");
            world.say(["demo"]);
        },
    },
    Situation {
        row: "there is no directory for worktrees: HOME is not set",
        code: 5,
        provoke: |world| {
            world.environment.use_pytest();
            for name in ["HOME", "XDG_STATE_HOME", "PROCTOR_STATE_DIR"] {
                world.environment.remove_variable(name);
            }
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "the page cannot be written to PATH: REASON",
        code: 5,
        provoke: |world| {
            world.open_run();
            world.say(["report", "--output", "README.md/page.html"]);
        },
    },
    Situation {
        row: "worktrees cannot be written to PATH",
        code: 5,
        provoke: |world| {
            let file = world.environment.write("file", "");
            world
                .environment
                .set_variable("PROCTOR_STATE_DIR", file.join("state"));
            world.finding("state");
        },
    },
    Situation {
        row: "only 20 MB are free for worktrees in PATH",
        code: 5,
        provoke: |world| {
            if world.only_if(can_mount()) {
                let mounted = tiny(&world.environment.state_directory(), 1000);
                let script = format!("{mounted}\nexec \"$@\"");
                world.through(["unshare", "-rm", "sh", "-c", &script, "sh"]);
            }
            world.finding("disk");
        },
    },
    Situation {
        row: "PATH is on another filesystem than the root",
        code: 4,
        provoke: |world| {
            world.repository.write("elsewhere/README.md", "x\n");
            world.repository.commit_all("A directory");
            if world.only_if(can_mount()) {
                let mounted = tiny(&world.repository.path().join("elsewhere"), 1000);
                let script = format!("{mounted}\nexec \"$@\"");
                world.through(["unshare", "-rm", "sh", "-c", &script, "sh"]);
            }
            let from = world.environment.write("content", "x\n");
            world.say([
                "write",
                "elsewhere/new.txt",
                "--from",
                &from.display().to_string(),
            ]);
        },
    },
];

pub(super) const BUGS: &[Situation] = &[Situation {
    row: "a bug in proctor: REASON",
    code: 70,
    provoke: |world| {
        world
            .environment
            .set_variable("PROCTOR_PANIC_AT", "write approved");
        let from = world.environment.write("content", "x\n");
        world.say(["write", "new.txt", "--from", &from.display().to_string()]);
    },
}];

/// One system call of Proctor's own that fails, of those on a path if there is one.
fn fail(world: &mut World, injection: &str, path: Option<&str>) {
    if !world.only_if(has_strace()) {
        return;
    }
    let call = injection.split(':').next().unwrap_or_default();
    let traced = format!("trace={call}");
    let injected = format!("inject={injection}");
    let mut words = vec![
        "strace",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &traced,
        "-e",
        &injected,
    ];
    if let Some(path) = path {
        words.extend(["-P", path]);
    }
    world.through(words);
}

/// A change that fits.
fn fitting_change(world: &mut World) {
    let reply =
        "### CHANGE 1: x\nFIND:\n```\nline = 3\n```\nREPLACE WITH:\n```\nline = three\n```\n";
    let reply = world.environment.write("reply.md", reply);
    let reply = reply.display().to_string();
    world.say(["apply", "README.md", "--from", &reply]);
}

pub(super) const FAULTS: &[Situation] = &[
    Situation {
        row: "PATH cannot be read or written: REASON",
        code: 5,
        provoke: |world| {
            fitting_change(world);
            fail(world, "renameat:error=EIO", None);
        },
    },
    Situation {
        row: "the repository's root cannot be opened: REASON",
        code: 5,
        provoke: |world| {
            let top = world.repository.path().display().to_string();
            world.say(["init"]);
            fail(world, "?open,openat:error=EACCES", Some(&top));
        },
    },
    Situation {
        row: "signals cannot be handled: REASON",
        code: 5,
        provoke: |world| {
            world.say(["status"]);
            // The first few are made by the language's own runtime, which takes no refusal.
            fail(world, "rt_sigaction:error=EPERM:when=8+", None);
        },
    },
    Situation {
        row: "PATH cannot be removed: REASON",
        code: 5,
        provoke: |world| {
            let run = world.open_run();
            world.environment.proctor(["abort", &run]).expect_code(0);
            world
                .repository
                .write(format!(".git/proctor/evidence/{run}/red.txt"), "x\n");
            world.say(["clean"]);
            fail(world, "unlinkat:error=EACCES", None);
        },
    },
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
