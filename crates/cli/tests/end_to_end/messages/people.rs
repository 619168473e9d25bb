//! A person at a terminal who does not agree, or is absent.

use super::world::{Person, Situation, World, meet, situation};
use crate::desk::numbered;
use crate::project::PROMPT;

/// Something to review.
fn changed(world: &mut World) {
    world.repository.write("README.md", "other\n");
    world.say(["review", "--all"]);
}

/// A change to review, and a person's answer.
fn reviewed(world: &mut World, person: Person) {
    changed(world);
    world.person(person);
}

/// A file so large that a person is asked.
fn large(world: &mut World) {
    world.repository.write("large.py", numbered("value", 270));
    world.write("large.py", "x = 1\n", &[]);
}

pub(super) const REVIEWS: &[Situation] = &[
    situation(
        3,
        "a person has to approve this at a terminal; nothing was committed",
        changed,
    ),
    situation(
        3,
        "this is a coding agent's terminal (VARIABLE is set), and a review is a person's",
        |world| {
            world.environment.set_variable("CLAUDECODE", "1");
            changed(world);
        },
    ),
    situation(
        3,
        "this is a coding agent's terminal (VARIABLE is set), and a person has to agree: PATH has 120 lines and would have 3 afterwards",
        |world| {
            world.environment.set_variable("GEMINI_CLI", "1");
            large(world);
        },
    ),
    situation(
        3,
        "this is a coding agent's terminal (VARIABLE is set), and trusting settings is a person's",
        |world| {
            world.environment.set_variable("AI_AGENT", "x");
            world.environment.trust_nothing();
            world
                .repository
                .write("proctor.toml", "[lint]\ncommand = \"./lint\"\n");
            world.say(["trust"]);
        },
    ),
    situation(1, "rejected; nothing was committed", |world| {
        reviewed(world, |terminal, _| {
            terminal.expect(PROMPT);
            terminal.send_line("REJECT");
        });
    }),
    situation(3, "nothing was decided, nothing was committed", |world| {
        reviewed(world, |terminal, _| {
            terminal.expect(PROMPT);
            terminal.send_control('d');
        });
    }),
    situation(3, "there is no message, nothing was committed", |world| {
        reviewed(world, |terminal, _| {
            terminal.expect(PROMPT);
            terminal.send_line("APPROVE");
            terminal.expect("Commit message:");
            terminal.send_control('d');
        });
    }),
    situation(
        5,
        "another git process works in this repository: PATH is there",
        |world| {
            reviewed(world, |terminal, repository| {
                terminal.expect(PROMPT);
                repository.write(".git/index.lock", "");
                terminal.send_line("APPROVE");
                terminal.expect("Commit message:");
                terminal.send_line("Words");
            });
        },
    ),
    situation(130, "interrupted; nothing was committed", |world| {
        reviewed(world, |terminal, _| {
            terminal.expect(PROMPT);
            terminal.send_control('c');
        });
    }),
    situation(
        5,
        "a merge is in progress, and a commit now would be part of it",
        |world| {
            let head = world.repository.head();
            world.repository.write(".git/MERGE_HEAD", head + "\n");
            changed(world);
        },
    ),
    situation(
        5,
        "files are in conflict, so it is unclear what is staged",
        |world| {
            let base = world.repository.head();
            world.repository.write("README.md", "one\n");
            world.repository.git(["stash", "--quiet"]);
            world.repository.write("README.md", "two\n");
            world.repository.commit_all("Another line");
            let popped = world.repository.git_command(["stash", "pop"]).output();
            assert!(!popped.expect("git starts").status.success(), "{base}");
            world.say(["review"]);
        },
    ),
    situation(1, "git hook run pre-commit failed: REASON", |world| {
        let settings = "[review]\npre_commit_hook = true\n";
        world.repository.write("proctor.toml", settings);
        world.repository.commit_all("The hook counts");
        let hook = "#!/bin/sh\necho 'a line is too long' >&2\nexit 1\n";
        world
            .repository
            .write_executable(".git/hooks/pre-commit", hook);
        changed(world);
    }),
    situation(
        5,
        "git does not know your name and e-mail address, which the commit needs",
        |world| {
            world
                .environment
                .write("home/.gitconfig", "[user]\nuseConfigOnly = true\n");
            changed(world);
        },
    ),
];

pub(super) const WRITES: &[Situation] = &[
    situation(1, "PATH was skipped; it is as it was", |world| {
        large(world);
        world.person(|terminal, _| {
            terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
            terminal.send_line("SKIP");
        });
    }),
    situation(130, "interrupted; PATH is as it was", |world| {
        large(world);
        world.person(|terminal, _| {
            terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
            terminal.send_control('c');
        });
    }),
];

#[test]
fn reviews_that_end_without_a_commit_are_answered_as_documented() {
    meet(REVIEWS);
}

#[test]
fn questions_about_a_write_that_are_left_are_answered_as_documented() {
    meet(WRITES);
}
