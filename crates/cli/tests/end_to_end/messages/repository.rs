//! Git and the journal that are not as they have to be.

use super::world::{Situation, meet};

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
            let record = r#"echo '{"event":"version","exe":"2.30.2"}' >&2; exit 0"#;
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", record);
            world.say(["status"]);
        },
    },
    Situation {
        row: "git COMMAND answered something unexpected: \"ANSWER\"",
        code: 5,
        provoke: |world| {
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", "echo perhaps; exit 0");
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
        row: "PATH cannot be looked at: REASON",
        code: 5,
        provoke: |world| {
            world.repository.git(["init", "--quiet", "nested"]);
            world.say(["review", "--all"]);
        },
    },
    Situation {
        row: "git cannot be run: cannot start PROGRAM: REASON",
        code: 5,
        provoke: |world| {
            world
                .environment
                .put_program("git", "#!/no/such/interpreter\n");
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
        row: "git does not trust PATH, because it belongs to another user",
        code: 5,
        provoke: |world| {
            // Only root can give a repository away.
            let refusal =
                "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128";
            world
                .environment
                .pretend_git("*rev-parse*--show-toplevel*", refusal);
            world.say(["status"]);
        },
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

#[test]
fn git_that_cannot_be_used_is_answered_as_documented() {
    meet(GIT);
}

#[test]
fn a_journal_that_cannot_be_used_is_answered_as_documented() {
    meet(JOURNAL);
}
