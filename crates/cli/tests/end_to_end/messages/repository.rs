//! Git and the journal that are not as they have to be.

use super::world::{Situation, meet, situation};

pub(super) const GIT: &[Situation] = &[
    situation(
        5,
        "git is not installed, or not on the search path",
        |world| {
            world.environment.set_variable("PATH", "/nowhere");
            world.say(["status"]);
        },
    ),
    situation(
        5,
        "git VERSION is too old: Proctor needs 2.38 or newer",
        |world| {
            let record = r#"echo '{"event":"version","exe":"2.30.2"}' >&2; exit 0"#;
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", record);
            world.say(["status"]);
        },
    ),
    situation(
        5,
        "git COMMAND answered something unexpected: \"ANSWER\"",
        |world| {
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", "echo perhaps; exit 0");
            world.say(["status"]);
        },
    ),
    situation(5, "git COMMAND failed: REASON", |world| {
        world.repository.write(".git/index", "this is not an index");
        world.say(["review"]);
    }),
    situation(5, "PATH cannot be looked at: REASON", |world| {
        world.repository.git(["init", "--quiet", "nested"]);
        world.say(["review", "--all"]);
    }),
    situation(
        5,
        "git cannot be run: cannot start PROGRAM: REASON",
        |world| {
            world
                .environment
                .put_program("git", "#!/no/such/interpreter\n");
            world.say(["status"]);
        },
    ),
    situation(
        5,
        "a file that git needs cannot be read or written: REASON",
        |world| {
            world.environment.set_variable("TMPDIR", "/nowhere");
            world.say(["review"]);
        },
    ),
    situation(5, "PATH is not inside a git repository: REASON", |world| {
        world.say(["-C", "../home", "status"]);
    }),
    situation(
        5,
        "git does not trust PATH, because it belongs to another user",
        |world| {
            // Only root can give a repository away.
            let refusal =
                "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128";
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", refusal);
            world.say(["status"]);
        },
    ),
    situation(
        5,
        "PATH is a bare repository: there is no checkout to work from",
        |world| {
            world
                .repository
                .git(["init", "--quiet", "--bare", "../bare.git"]);
            world.say(["-C", "../bare.git", "status"]);
        },
    ),
    situation(5, "branch BRANCH has no commit yet", |world| {
        world
            .repository
            .git(["checkout", "--quiet", "--orphan", "fresh"]);
        world.run(&[]);
    }),
    situation(
        5,
        "branch BRANCH already exists and is not at the base commit",
        |world| {
            let run = world.open_run();
            world.say(["resume", &run]);
        },
    ),
    situation(5, "branch BRANCH is checked out at PATH", |world| {
        world.environment.use_pytest();
        world.repository.git([
            "worktree",
            "add",
            "--quiet",
            "-b",
            "feat/issue-87",
            "../mine",
        ]);
        world.run(&[]);
        world.say_again(["resume"]);
    }),
];

pub(super) const JOURNAL: &[Situation] = &[
    situation(5, "PATH cannot be made: REASON", |world| {
        world.repository.write(".git/proctor", "in the way");
        world.write("new.txt", "x\n", &[]);
    }),
    situation(5, "the journal PATH cannot be used: REASON", |world| {
        let words = "this is not a database\n".repeat(100);
        world.repository.write(".git/proctor/journal.db", words);
        world.say(["status"]);
    }),
    situation(5, "PATH is not a Proctor journal", |world| {
        world.repository.write(".git/proctor/journal.db", "");
        world.change_journal("create table recipes (name text);");
        world.say(["status"]);
    }),
    situation(
        5,
        "the journal PATH has layout 9; this proctor knows up to 1",
        |world| {
            world.open_run();
            world.change_journal("pragma user_version = 9;");
            world.say(["status"]);
        },
    ),
    situation(
        5,
        "record 7 of the journal cannot be read: REASON",
        |world| {
            world.open_run();
            world.change_journal("update records set body = 'x' where kind = 'event';");
            world.say(["status"]);
        },
    ),
    situation(
        1,
        "record 7 of the audit trail is broken: REASON",
        |world| {
            world.open_run();
            world.change_journal("update records set actor = 'no one' where seq = 1;");
            world.say(["log", "--verify"]);
        },
    ),
    situation(5, "the inputs of run RUN cannot be read: REASON", |world| {
        let run = world.open_run();
        world.change_journal("update runs set inputs = '{}';");
        world.say(["resume", &run]);
    }),
    situation(5, "cannot lock run RUN: REASON", |world| {
        let run = world.open_run();
        let lock = world
            .repository
            .path()
            .join(format!(".git/proctor/locks/{run}.lock"));
        std::fs::remove_file(&lock).expect("removed");
        std::fs::create_dir(&lock).expect("made");
        world.say(["resume", &run]);
    }),
];

#[test]
fn git_that_cannot_be_used_is_answered_as_documented() {
    meet(GIT);
}

#[test]
fn a_journal_that_cannot_be_used_is_answered_as_documented() {
    meet(JOURNAL);
}
