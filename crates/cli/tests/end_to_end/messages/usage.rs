//! Wrong usage, and settings and models that cannot be used.

use super::world::{Situation, meet};

pub(super) const COMMAND_LINES: &[Situation] = &[
    Situation {
        row: "there is no directory PATH",
        code: 2,
        provoke: |world| world.say(["-C", "/no/such/place", "status"]),
    },
    Situation {
        row: "there is no run yet",
        code: 2,
        provoke: |world| world.say(["report"]),
    },
    Situation {
        row: "there is no run to go on with",
        code: 2,
        provoke: |world| world.say(["resume"]),
    },
    Situation {
        row: "there is no run \"RUN\" in this repository",
        code: 2,
        provoke: |world| world.say(["status", "87-nobody"]),
    },
    Situation {
        row: "there is no command \"COMMAND\"",
        code: 2,
        provoke: |world| world.say(["man", "dance"]),
    },
    Situation {
        row: "insert needs a line",
        code: 2,
        provoke: |world| world.say(["write", "README.md", "--strategy", "insert"]),
    },
    Situation {
        row: "--line is for --strategy insert",
        code: 2,
        provoke: |world| world.say(["write", "README.md", "--line", "3"]),
    },
    Situation {
        row: "there is no content to write",
        code: 2,
        provoke: |world| {
            world.say(["write", "new.txt"]);
            world.person(|_, _| {});
        },
    },
    Situation {
        row: "PATH cannot be read: REASON",
        code: 2,
        provoke: |world| world.say(["write", "new.txt", "--from", "../nowhere"]),
    },
    Situation {
        row: "PATH cannot be read: REASON",
        code: 2,
        provoke: |world| world.say(["apply", "README.md", "--from", "../nowhere"]),
    },
    Situation {
        row: "there is no commit \"REVISION\"",
        code: 2,
        provoke: |world| world.say(["gate", "red", "--base", "no-such"]),
    },
    Situation {
        row: "there is no line 9 to insert at; the file has 3",
        code: 2,
        provoke: |world| {
            world.say(["write", "README.md", "--strategy", "insert", "--line", "12"]);
        },
    },
    Situation {
        row: "\"ISSUE\" cannot be an issue: it becomes part of a branch name",
        code: 2,
        provoke: |world| world.say(["run", "--issue", "a b", "--lld", "lld.md"]),
    },
    Situation {
        row: "HEAD is detached, so there is no branch to merge into",
        code: 2,
        provoke: |world| {
            world.repository.git(["checkout", "--quiet", "--detach"]);
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
    Situation {
        row: "there is no branch \"BRANCH\"",
        code: 2,
        provoke: |world| {
            let words = world.run_words(&["--base", "no-such"]);
            world.say(words);
        },
    },
    Situation {
        row: "the design document PATH cannot be read: REASON",
        code: 2,
        provoke: |world| world.say(["check", "--lld", "../nowhere.md"]),
    },
    Situation {
        row: "issue ISSUE already has an open run, RUN",
        code: 2,
        provoke: |world| {
            world.open_run();
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
];

pub(super) const SETTINGS: &[Situation] = &[
    Situation {
        row: "proctor.toml cannot be read: REASON",
        code: 2,
        provoke: |world| {
            world.repository.write("proctor.toml", b"[test]\n# \xff\n");
            world.say(["check", "--context", "README.md"]);
        },
    },
    Situation {
        row: "proctor.toml has an unknown key \"KEY\"",
        code: 2,
        provoke: |world| {
            world
                .repository
                .write("proctor.toml", "[test]\ntimeout = 3\n");
            world.say(["check", "--context", "README.md"]);
        },
    },
    Situation {
        row: "proctor.toml is not valid: REASON",
        code: 2,
        provoke: |world| {
            world.repository.write("proctor.toml", "[test\n");
            world.say(["check", "--context", "README.md"]);
        },
    },
    Situation {
        row: "proctor.toml: KEY = \"VALUE\" is not supported",
        code: 2,
        provoke: |world| {
            world
                .repository
                .write("proctor.toml", "[test]\nrunner = \"nose\"\n");
            world.say(["check", "--context", "README.md"]);
        },
    },
    Situation {
        row: "the directory for worktrees, PATH, is inside the repository",
        code: 2,
        provoke: |world| {
            world.environment.use_pytest();
            world
                .repository
                .write("proctor.toml", "[worktree]\ndirectory = \"trees\"\n");
            let words = world.run_words(&[]);
            world.say(words);
        },
    },
];

pub(super) const MODELS: &[Situation] = &[
    Situation {
        row: "no model is chosen",
        code: 2,
        provoke: |world| {
            let mut words = world.run_words(&[]);
            words.truncate(5);
            world.say(words);
        },
    },
    Situation {
        row: "\"SPEC\" names no model",
        code: 2,
        provoke: |world| {
            let words = world.run_words(&["--model", "gpt"]);
            world.say(words);
        },
    },
    Situation {
        row: "\"SPEC\" names no model of that service",
        code: 2,
        provoke: |world| {
            let words = world.run_words(&["--model", "openai:"]);
            world.say(words);
        },
    },
    Situation {
        row: "the model program \"PROGRAM\" cannot be found",
        code: 2,
        provoke: |world| {
            let words = world.run_words(&["--model", "command:no-such-program"]);
            world.say(words);
        },
    },
    Situation {
        row: "the model script PATH cannot be read: REASON",
        code: 2,
        provoke: |world| {
            let words = world.run_words(&["--model", "script:/nowhere/replies.jsonl"]);
            world.say(words);
        },
    },
    Situation {
        row: "anthropic needs a key, and ANTHROPIC_API_KEY is not set",
        code: 5,
        provoke: |world| {
            let words = world.run_words(&["--model", "anthropic:some-model"]);
            world.say(words);
        },
    },
    Situation {
        row: "ollama cannot be used: SSL_CERT_FILE cannot be read: REASON",
        code: 5,
        provoke: |world| {
            world
                .environment
                .set_variable("SSL_CERT_FILE", "/no/such/file");
            let words = world.run_words(&["--model", "ollama:some-model"]);
            world.say(words);
        },
    },
    Situation {
        row: "PATH holds what looks like SECRET (fingerprint 0123456789ab)",
        code: 4,
        provoke: |world| {
            world
                .environment
                .set_variable("ANTHROPIC_API_KEY", "sesame");
            world.finding("model");
            // In two pieces, or this file could not be sent to a model itself.
            let key = ["anthropic:AKIA", "QYLPMN5HHHFPZAM2"].concat();
            world.say(["doctor", "--model", &key]);
        },
    },
    Situation {
        row: "ollama cannot be used: OLLAMA_HOST has to begin with http:// or https://",
        code: 5,
        provoke: |world| {
            world
                .environment
                .set_variable("OLLAMA_HOST", "ftp://somewhere");
            let words = world.run_words(&["--model", "ollama:some-model"]);
            world.say(words);
        },
    },
];

#[test]
fn a_command_line_that_cannot_be_obeyed_is_answered_as_documented() {
    meet(COMMAND_LINES);
}

#[test]
fn settings_that_cannot_be_used_are_answered_as_documented() {
    meet(SETTINGS);
}

#[test]
fn models_that_cannot_be_used_are_answered_as_documented() {
    meet(MODELS);
}
