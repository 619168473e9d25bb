//! Git, the journal, directories, Python and disks that are not as they have to be.

use super::world::{Situation, World, meet};
use crate::full_disk::{can_mount, tiny};
use crate::write_faults::has_strace;

/// The real git behind one that answers a word differently.
fn pretend(world: &mut World, pattern: &str, answer: &str) {
    let path = std::env::var("PATH").expect("a search path");
    let mut places = std::env::split_paths(&path).map(|place| place.join("git"));
    let git = places.find(|git| git.is_file()).expect("git is installed");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in {pattern}) {answer};; esac\nexec {} \"$@\"\n",
        git.display()
    );
    world.program("git", &script);
}

pub(super) const GIT: &[Situation] = &[
    Situation {
        row: "git is not installed, or not on the search path",
        code: 5,
        provoke: |world| {
            world.environment.set_variable("PATH", "/nowhere");
            world.say(["status"]);
        },
    },
    Situation {
        row: "git VERSION is too old: Proctor needs 2.38 or newer",
        code: 5,
        provoke: |world| {
            pretend(world, "version", "echo 'git version 2.30.2'; exit 0");
            world.say(["status"]);
        },
    },
    Situation {
        row: "git COMMAND answered something unexpected: \"ANSWER\"",
        code: 5,
        provoke: |world| {
            pretend(world, "*rev-parse*--show-toplevel*", "echo perhaps; exit 0");
            world.say(["status"]);
        },
    },
    Situation {
        row: "git COMMAND failed: REASON",
        code: 5,
        provoke: |world| {
            world.repository.write(".git/index", "this is no index");
            world.say(["review"]);
        },
    },
    Situation {
        row: "git cannot be run: cannot start PROGRAM: REASON",
        code: 5,
        provoke: |world| {
            world.program("git", "#!/no/such/interpreter\n");
            world.say(["status"]);
        },
    },
    Situation {
        row: "a file that git needs cannot be read or written: REASON",
        code: 5,
        provoke: |world| {
            world.environment.set_variable("TMPDIR", "/nowhere");
            world.say(["review"]);
        },
    },
    Situation {
        row: "PATH is not inside a git repository: REASON",
        code: 5,
        provoke: |world| world.say(["-C", "../home", "status"]),
    },
    Situation {
        row: "PATH is a bare repository: there is no checkout to work from",
        code: 5,
        provoke: |world| {
            world
                .repository
                .git(["init", "--quiet", "--bare", "../bare.git"]);
            world.say(["-C", "../bare.git", "status"]);
        },
    },
    Situation {
        row: "branch BRANCH has no commit yet",
        code: 5,
        provoke: |world| {
            world
                .repository
                .git(["checkout", "--quiet", "--orphan", "fresh"]);
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "branch BRANCH already exists and is not at the base commit",
        code: 5,
        provoke: |world| {
            let run = world.open_run();
            world.say(["resume", &run]);
        },
    },
    Situation {
        row: "branch BRANCH is checked out at PATH",
        code: 5,
        provoke: |world| {
            world.environment.use_pytest();
            world.repository.git([
                "worktree",
                "add",
                "--quiet",
                "-b",
                "feat/issue-87",
                "../mine",
            ]);
            let words = world.run_words(&[]);
            world.say(words);
            world.say_again(["resume"]);
        },
    },
];

pub(super) const JOURNAL: &[Situation] = &[
    Situation {
        row: "PATH cannot be made: REASON",
        code: 5,
        provoke: |world| {
            world.repository.write(".git/proctor", "in the way");
            let from = world.environment.write("content", "x\n");
            world.say(["write", "new.txt", "--from", &from.display().to_string()]);
        },
    },
    Situation {
        row: "the journal PATH cannot be used: REASON",
        code: 5,
        provoke: |world| {
            let words = "this is not a database\n".repeat(100);
            world.repository.write(".git/proctor/journal.db", words);
            world.say(["status"]);
        },
    },
    Situation {
        row: "PATH is not a Proctor journal",
        code: 5,
        provoke: |world| {
            world.repository.write(".git/proctor/journal.db", "");
            world.change_journal("create table recipes (name text);");
            world.say(["status"]);
        },
    },
    Situation {
        row: "the journal PATH has layout 9; this proctor knows up to 1",
        code: 5,
        provoke: |world| {
            world.open_run();
            world.change_journal("pragma user_version = 9;");
            world.say(["status"]);
        },
    },
    Situation {
        row: "record 7 of the journal cannot be read: REASON",
        code: 5,
        provoke: |world| {
            world.open_run();
            world.change_journal("update records set body = 'x' where kind = 'event';");
            world.say(["status"]);
        },
    },
    Situation {
        row: "record 7 of the audit trail is broken: REASON",
        code: 1,
        provoke: |world| {
            world.open_run();
            world.change_journal("update records set actor = 'nobody' where seq = 1;");
            world.say(["log", "--verify"]);
        },
    },
    Situation {
        row: "the inputs of run RUN cannot be read: REASON",
        code: 5,
        provoke: |world| {
            let run = world.open_run();
            world.change_journal("update runs set inputs = '{}';");
            world.say(["resume", &run]);
        },
    },
    Situation {
        row: "cannot lock run RUN: REASON",
        code: 5,
        provoke: |world| {
            let run = world.open_run();
            let lock = world
                .repository
                .path()
                .join(format!(".git/proctor/locks/{run}.lock"));
            std::fs::remove_file(&lock).expect("removed");
            std::fs::create_dir(&lock).expect("made");
            world.say(["resume", &run]);
        },
    },
];

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

/// No pytest, and a Python that fails in every other way too.
const FAILING: &str = "#!/bin/sh\necho 'no module named anything' >&2\nexit 1\n";

/// The settings, committed.
fn settings(world: &mut World, text: &str) {
    world.repository.write("proctor.toml", text);
    world.repository.commit_all("Settings");
}

pub(super) const PYTHON: &[Situation] = &[
    Situation {
        row: "no python interpreter was found for this project",
        code: 5,
        provoke: |world| {
            pretend(world, "nothing", "exit 0");
            world.program("sh", "");
            let directory = world.environment.root().join("bin");
            std::fs::remove_file(directory.join("sh")).expect("removed");
            world.environment.set_variable("PATH", directory);
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "pytest cannot be imported by PYTHON",
        code: 5,
        provoke: |world| {
            world.program("python3", FAILING);
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "the configured test command cannot be used: REASON",
        code: 5,
        provoke: |world| {
            settings(world, "[test]\ncommand = [\"\"]\n");
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "the test runner cannot be run: program not found: PROGRAM",
        code: 5,
        provoke: |world| {
            settings(world, "[test]\ncommand = \"no-such-program\"\n");
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "the test environment in PATH could not be made: REASON",
        code: 5,
        provoke: |world| {
            world.program("python3", FAILING);
            world.say(["demo"]);
        },
    },
    Situation {
        row: "cannot write PATH: REASON",
        code: 5,
        provoke: |world| {
            world.program("python3", FAILING);
            let file = world.environment.write("file", "");
            world
                .environment
                .set_variable("PROCTOR_CACHE_DIR", file.join("cache"));
            world.say(["demo"]);
        },
    },
    Situation {
        row: "there is no cache directory: HOME is not set",
        code: 5,
        provoke: |world| {
            world.program("python3", FAILING);
            for name in ["HOME", "XDG_CACHE_HOME", "PROCTOR_CACHE_DIR"] {
                world.environment.remove_variable(name);
            }
            world.say(["demo"]);
        },
    },
    Situation {
        row: "not ready: NAME",
        code: 5,
        provoke: |world| {
            world.program("python3", FAILING);
            world.say(["doctor"]);
        },
    },
    Situation {
        row: "tests cannot be confined here: bubblewrap: REASON",
        code: 5,
        provoke: |world| {
            settings(world, "[sandbox]\nmode = \"bubblewrap\"\n");
            world.environment.use_pytest();
            world.program("bwrap", FAILING);
            world.say(["gate", "red"]);
        },
    },
    Situation {
        row: "tests cannot be confined without proctor's own helper",
        code: 5,
        provoke: |world| {
            world.environment.use_pytest();
            if world.only_if(can_mount()) {
                // Without it a program does not know its own file.
                let script = "mount -t tmpfs tmpfs /proc || exit 99\nexec \"$@\"";
                world.through(["unshare", "-rm", "sh", "-c", script, "sh"]);
            }
            world.say(["gate", "red"]);
        },
    },
    Situation {
        row: "this is no valid red\nTEST: REASON (RULE)",
        code: 1,
        provoke: |world| {
            world.environment.use_pytest();
            let link = world.repository.path().join("test_link.py");
            std::os::unix::fs::symlink("README.md", link).expect("linked");
            world.say(["gate", "red"]);
        },
    },
];

/// A run that stops before its tests, and goes on.
fn run_prepared(world: &mut World, text: &str) {
    world.environment.use_pytest();
    settings(world, text);
    let words = world.run_words(&[]);
    world.say(words);
    world.say_again(["resume"]);
}

pub(super) const PREPARATION: &[Situation] = &[
    Situation {
        row: "the setup command `COMMAND` ended with code 1: REASON",
        code: 5,
        provoke: |world| run_prepared(world, "[worktree]\nsetup = \"ls /nowhere\"\n"),
    },
    Situation {
        row: "the setup command `COMMAND` ended with code 1: REASON",
        code: 5,
        provoke: |world| {
            world.environment.use_pytest();
            settings(world, "[worktree]\nsetup = \"ls /nowhere\"\n");
            world.say(["gate", "red"]);
        },
    },
    Situation {
        row: "the setup command cannot be run: program not found: PROGRAM",
        code: 5,
        provoke: |world| run_prepared(world, "[worktree]\nsetup = \"no-such-program\"\n"),
    },
    Situation {
        row: "a file of `copy_ignored` cannot be copied: PATH does not exist",
        code: 5,
        provoke: |world| run_prepared(world, "[worktree]\ncopy_ignored = [\"settings.local\"]\n"),
    },
    Situation {
        row: "PATH cannot be written: REASON",
        code: 5,
        provoke: |world| {
            run_prepared(world, "[worktree]\nsetup = \"true\"\n");
            world
                .repository
                .write(".git/proctor/evidence", "in the way");
        },
    },
    Situation {
        row: "PATH cannot be saved, so the worktree stays: REASON",
        code: 5,
        provoke: |world| {
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
    },
];

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

/// A change that fits, with the file put back afterwards by whoever reads this as a test.
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
            fail(world, "fsync:error=EIO:when=1", None);
        },
    },
    Situation {
        row: "the repository's root cannot be opened: REASON",
        code: 5,
        provoke: |world| {
            let top = world.repository.path().display().to_string();
            world.say(["init"]);
            fail(world, "open,openat:error=EACCES", Some(&top));
        },
    },
    Situation {
        row: "signals cannot be handled: REASON",
        code: 5,
        provoke: |world| {
            world.say(["status"]);
            fail(world, "rt_sigaction:error=EPERM:when=6+", None);
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
fn git_that_cannot_be_used_is_answered_as_documented() {
    meet(GIT);
}

#[test]
fn a_journal_that_cannot_be_used_is_answered_as_documented() {
    meet(JOURNAL);
}

#[test]
fn directories_that_cannot_be_used_are_answered_as_documented() {
    meet(DIRECTORIES);
}

#[test]
fn a_python_or_a_sandbox_that_cannot_be_used_is_answered_as_documented() {
    meet(PYTHON);
}

#[test]
fn what_cannot_be_prepared_is_answered_as_documented() {
    meet(PREPARATION);
}

#[test]
fn system_calls_that_fail_are_answered_as_documented() {
    meet(FAULTS);
}
