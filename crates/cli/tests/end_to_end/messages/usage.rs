//! Wrong usage, and settings and models that cannot be used.

use super::world::{Situation, World, meet, situation};

pub(super) const COMMAND_LINES: &[Situation] = &[
    situation(2, "there is no directory PATH", |world| {
        world.say(["-C", "/no/such/place", "status"]);
    }),
    situation(2, "there is no run yet", |world| world.say(["report"])),
    situation(2, "there is no run to go on with", |world| {
        world.say(["resume"]);
    }),
    situation(2, "there is no run \"RUN\" in this repository", |world| {
        world.say(["status", "87-unknown"]);
    }),
    situation(2, "a design document needs a title", |world| {
        world.say(["new", "87", " "]);
    }),
    situation(2, "there is nothing to check", |world| {
        world.say(["check"]);
    }),
    situation(2, "there is no command \"COMMAND\"", |world| {
        world.say(["man", "dance"]);
    }),
    situation(2, "insert needs a line", |world| {
        world.say(["write", "README.md", "--strategy", "insert"]);
    }),
    situation(2, "--line is for --strategy insert", |world| {
        world.say(["write", "README.md", "--line", "3"]);
    }),
    situation(2, "there is no content to write", |world| {
        world.say(["write", "new.txt"]);
        world.person(|_, _| {});
    }),
    situation(2, "PATH cannot be read: REASON", |world| {
        world.say(["write", "new.txt", "--from", "../nowhere"]);
    }),
    situation(2, "PATH cannot be read: REASON", |world| {
        world.say(["apply", "README.md", "--from", "../nowhere"]);
    }),
    situation(2, "there is no commit \"REVISION\"", |world| {
        world.say(["gate", "red", "--base", "no-such"]);
    }),
    situation(
        2,
        "commit \"REVISION\" has no parent to be measured against",
        |world| world.say(["gate", "change", "--commit", "HEAD"]),
    ),
    situation(
        2,
        "--test PATH names nothing: the judged tree has no such file or directory",
        |world| world.say(["gate", "red", "--test", "nowhere"]),
    ),
    situation(
        2,
        "there is no line 9 to insert at; the file has 3",
        |world| {
            world.say(["write", "README.md", "--strategy", "insert", "--line", "12"]);
        },
    ),
    situation(
        2,
        "\"ISSUE\" cannot be an issue: it becomes part of a branch name",
        |world| world.say(["run", "--issue", "a b", "--lld", "lld.md"]),
    ),
    situation(
        2,
        "HEAD is detached, so there is no branch to merge into",
        |world| {
            world.repository.git(["checkout", "--quiet", "--detach"]);
            world.run(&[]);
        },
    ),
    situation(2, "there is no branch \"BRANCH\"", |world| {
        world.run(&["--base", "no-such"]);
    }),
    situation(
        2,
        "the design document PATH cannot be read: REASON",
        |world| world.say(["check", "--lld", "../nowhere.md"]),
    ),
    situation(2, "issue ISSUE already has an open run, RUN", |world| {
        world.open_run();
        world.run(&[]);
    }),
];

/// A command that reads the settings, of which these are part.
fn check_with(world: &mut World, settings: &[u8]) {
    world.repository.write("proctor.toml", settings);
    world.say(["check", "--context", "README.md"]);
}

pub(super) const SETTINGS: &[Situation] = &[
    situation(2, "proctor.toml cannot be read: REASON", |world| {
        check_with(world, b"[test]\n# \xff\n");
    }),
    situation(2, "proctor.toml has an unknown key \"KEY\"", |world| {
        check_with(world, b"[test]\ntimeout = 3\n");
    }),
    situation(2, "proctor.toml is not valid: REASON", |world| {
        check_with(world, b"[test\n");
    }),
    situation(
        2,
        "proctor.toml: KEY = \"VALUE\" is not supported",
        |world| {
            check_with(world, b"[test]\nrunner = \"nose\"\n");
        },
    ),
    situation(
        2,
        "the directory for worktrees, PATH, is inside the repository",
        |world| {
            world.environment.use_pytest();
            world
                .repository
                .write("proctor.toml", "[worktree]\ndirectory = \"trees\"\n");
            world.run(&[]);
        },
    ),
];

/// A run by an agent, where none is installed.
fn without_agents(world: &mut World, model: &str) {
    world.environment.set_variable("PATH", "/usr/bin:/bin");
    world.run(&["--model", model]);
}

pub(super) const MODELS: &[Situation] = &[
    situation(2, "no model is chosen", |world| {
        let mut words = world.run_words(&[]);
        words.truncate(5);
        world.say(words);
    }),
    situation(2, "\"SPEC\" names no model", |world| {
        world.run(&["--model", "zzz"]);
    }),
    situation(2, "\"openai:\" names no model of that service", |world| {
        world.run(&["--model", "openai:"]);
    }),
    situation(
        2,
        "the model program \"PROGRAM\" cannot be found",
        |world| {
            world.run(&["--model", "command:no-such-program"]);
        },
    ),
    situation(2, "the model program \"claude\" cannot be found", |world| {
        without_agents(world, "claude-cli");
    }),
    situation(2, "the model program \"codex\" cannot be found", |world| {
        without_agents(world, "codex-cli:o4-mini");
    }),
    situation(2, "the model program \"gemini\" cannot be found", |world| {
        without_agents(world, "gemini-cli");
    }),
    situation(2, "the model script PATH cannot be read: REASON", |world| {
        world.run(&["--model", "script:/nowhere/replies.jsonl"]);
    }),
    situation(
        5,
        "anthropic needs a key, and ANTHROPIC_API_KEY is not set",
        |world| {
            world.run(&["--model", "anthropic:some-model"]);
        },
    ),
    situation(
        5,
        "ollama cannot be used: SSL_CERT_FILE cannot be read: REASON",
        |world| {
            world
                .environment
                .set_variable("SSL_CERT_FILE", "/no/such/file");
            world.run(&["--model", "ollama:some-model"]);
        },
    ),
    situation(
        4,
        "PATH holds what looks like SECRET (fingerprint 0123456789ab)",
        |world| {
            world
                .environment
                .set_variable("ANTHROPIC_API_KEY", "sesame");
            world.finding("model");
            // In two pieces, or this file could not be sent to a model itself.
            let key = ["anthropic:AKIA", "QYLPMN5HHHFPZAM2"].concat();
            world.say(["doctor", "--model", &key]);
        },
    ),
    situation(
        5,
        "ollama cannot be used: OLLAMA_HOST has to begin with http:// or https://",
        |world| {
            world
                .environment
                .set_variable("OLLAMA_HOST", "ftp://somewhere");
            world.run(&["--model", "ollama:some-model"]);
        },
    ),
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
