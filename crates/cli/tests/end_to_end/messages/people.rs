//! A person at a terminal who does not agree, or is not there.

use super::world::{Situation, World, meet};
use crate::desk::numbered;
use crate::project::PROMPT;

/// Something to review.
fn changed(world: &mut World) {
    world.repository.write("README.md", "other\n");
    world.say(["review", "--all"]);
}

/// A file so large that somebody is asked.
fn large(world: &mut World) {
    world.repository.write("large.py", numbered("value", 270));
    let from = world.environment.write("content", "x = 1\n");
    world.say(["write", "large.py", "--from", &from.display().to_string()]);
}

pub(super) const REVIEWS: &[Situation] = &[
    Situation {
        row: "a person has to approve this at a terminal; nothing was committed",
        code: 3,
        provoke: changed,
    },
    Situation {
        row: "rejected; nothing was committed",
        code: 1,
        provoke: |world| {
            changed(world);
            world.person(|terminal, _| {
                terminal.expect(PROMPT);
                terminal.send_line("REJECT");
            });
        },
    },
    Situation {
        row: "nothing was decided, nothing was committed",
        code: 3,
        provoke: |world| {
            changed(world);
            world.person(|terminal, _| {
                terminal.expect(PROMPT);
                terminal.send_control('d');
            });
        },
    },
    Situation {
        row: "there is no message, nothing was committed",
        code: 3,
        provoke: |world| {
            changed(world);
            world.person(|terminal, _| {
                terminal.expect(PROMPT);
                terminal.send_line("APPROVE");
                terminal.expect("Commit message:");
                terminal.send_control('d');
            });
        },
    },
    Situation {
        row: "another git process works in this repository: PATH is there",
        code: 5,
        provoke: |world| {
            changed(world);
            world.person(|terminal, repository| {
                terminal.expect(PROMPT);
                repository.write(".git/index.lock", "");
                terminal.send_line("APPROVE");
                terminal.expect("Commit message:");
                terminal.send_line("Words");
            });
        },
    },
    Situation {
        row: "interrupted; nothing was committed",
        code: 130,
        provoke: |world| {
            changed(world);
            world.person(|terminal, _| {
                terminal.expect(PROMPT);
                terminal.send_control('c');
            });
        },
    },
    Situation {
        row: "a merge is in progress, and a commit now would be part of it",
        code: 5,
        provoke: |world| {
            let head = world.repository.head();
            world.repository.write(".git/MERGE_HEAD", head + "\n");
            changed(world);
        },
    },
    Situation {
        row: "files are in conflict, so nobody knows what is staged",
        code: 5,
        provoke: |world| {
            let base = world.repository.head();
            world.repository.write("README.md", "one\n");
            world.repository.git(["stash", "--quiet"]);
            world.repository.write("README.md", "two\n");
            world.repository.commit_all("Another line");
            let popped = world.repository.git_command(["stash", "pop"]).output();
            assert!(!popped.expect("git starts").status.success(), "{base}");
            world.say(["review"]);
        },
    },
    Situation {
        row: "git hook run pre-commit failed: REASON",
        code: 1,
        provoke: |world| {
            let settings = "[review]\npre_commit_hook = true\n";
            world.repository.write("proctor.toml", settings);
            world.repository.commit_all("The hook counts");
            let hook = "#!/bin/sh\necho 'a line is too long' >&2\nexit 1\n";
            world
                .repository
                .write_executable(".git/hooks/pre-commit", hook);
            changed(world);
        },
    },
    Situation {
        row: "git does not know your name and e-mail address, which the commit needs",
        code: 5,
        provoke: |world| {
            world
                .environment
                .write("home/.gitconfig", "[user]\nuseConfigOnly = true\n");
            changed(world);
        },
    },
];

pub(super) const WRITES: &[Situation] = &[
    Situation {
        row: "PATH was skipped; it is as it was",
        code: 1,
        provoke: |world| {
            large(world);
            world.person(|terminal, _| {
                terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
                terminal.send_line("SKIP");
            });
        },
    },
    Situation {
        row: "interrupted; PATH is as it was",
        code: 130,
        provoke: |world| {
            large(world);
            world.person(|terminal, _| {
                terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
                terminal.send_control('c');
            });
        },
    },
];

#[test]
fn reviews_that_end_without_a_commit_are_answered_as_documented() {
    meet(REVIEWS);
}

#[test]
fn questions_about_a_write_that_are_left_are_answered_as_documented() {
    meet(WRITES);
}
