//! Files that are not written, not changed or not sent.

use std::os::unix::ffi::OsStringExt as _;

use super::world::{Situation, World, meet};
use crate::desk::numbered;

/// New text for an existing file, member by member.
fn extend(world: &mut World, name: &str, before: &str, content: &str) {
    world.repository.write(name, before);
    let from = world.environment.write("content", content);
    let from = from.display().to_string();
    world.say(["write", name, "--strategy", "extend", "--from", &from]);
}

/// A model's changes for a file.
fn change(world: &mut World, name: &str, find: &str) {
    let reply = format!("### CHANGE 1: x\nFIND:\n```\n{find}\n```\nREPLACE WITH:\n```\nnew\n```\n");
    let reply = world.environment.write("reply.md", reply);
    let reply = reply.display().to_string();
    world.say(["apply", name, "--from", &reply]);
}

fn write(world: &mut World, name: &str, more: &[&str]) {
    let from = world.environment.write("content", "x = 1\n");
    let from = from.display().to_string();
    let mut words = vec!["write", name, "--from", &from];
    words.extend(more);
    world.say(words);
}

pub(super) const MERGES: &[Situation] = &[
    Situation {
        row: "MEMBER cannot be placed: REASON (line 1 of the existing text)",
        code: 1,
        provoke: |world| {
            let new = "class A:\n    \"\"\"Words.\"\"\"\n";
            extend(world, "a.py", "class A: x = 1\n", new);
        },
    },
    Situation {
        row: "MEMBER is at line 1 already and differs from line 2 of the new text",
        code: 1,
        provoke: |world| {
            let (old, new) = ("def f():\n    return 1\n", "def f():\n    return 2\n");
            extend(world, "a.py", old, new);
        },
    },
    Situation {
        row: "PATH is not in a language that can be extended",
        code: 1,
        provoke: |world| extend(world, "notes.txt", "one\n", "two\n"),
    },
    Situation {
        row: "the existing content is not text",
        code: 1,
        provoke: |world| {
            world.repository.write("picture.bin", [0, 159, 1]);
            write(world, "picture.bin", &["--strategy", "append"]);
        },
    },
    Situation {
        row: "the new text has MEMBER twice, at lines 1 and 2",
        code: 1,
        provoke: |world| {
            let new = "def g():\n    return 1\n\n\ndef g():\n    return 2\n";
            extend(world, "a.py", "x = 1\n", new);
        },
    },
    Situation {
        row: "the new text has a syntax error at line 1, column 2",
        code: 1,
        provoke: |world| extend(world, "a.py", "x = 1\n", "def (\n"),
    },
];

pub(super) const CHANGES: &[Situation] = &[
    Situation {
        row: "PATH does not exist, so there is nothing to change in it",
        code: 1,
        provoke: |world| change(world, "nowhere.py", "x"),
    },
    Situation {
        row: "change 1: REASON",
        code: 1,
        provoke: |world| change(world, "README.md", "no such line"),
    },
    Situation {
        row: "PATH is not text: it has a NUL byte",
        code: 4,
        provoke: |world| {
            world.repository.write("picture.bin", [0, 159, 1]);
            change(world, "picture.bin", "x");
        },
    },
];

pub(super) const WRITES: &[Situation] = &[
    Situation {
        row: "PATH has 120 lines and would have 3 afterwards; a person has to agree",
        code: 3,
        provoke: |world| {
            world.repository.write("large.py", numbered("value", 270));
            write(world, "large.py", &[]);
        },
    },
    Situation {
        row: "PATH has 120 lines and would have 3 afterwards; --auto does not do that without a person",
        code: 4,
        provoke: |world| {
            world.repository.write("large.py", numbered("value", 270));
            write(world, "large.py", &["--auto"]);
        },
    },
    Situation {
        row: "tools act on PATH merely because it is there",
        code: 4,
        provoke: |world| write(world, "conftest.py", &[]),
    },
    Situation {
        row: "PATH has more than one hard link",
        code: 4,
        provoke: |world| {
            let top = world.repository.path();
            std::fs::hard_link(top.join("README.md"), top.join("second.md")).expect("linked");
            write(world, "second.md", &[]);
        },
    },
    Situation {
        row: "PATH is not a regular file",
        code: 4,
        provoke: |world| {
            world.repository.write("directory/x", "x\n");
            write(world, "directory", &[]);
        },
    },
    Situation {
        row: "PATH is or leads through a symbolic link",
        code: 4,
        provoke: |world| {
            let link = world.repository.path().join("link");
            std::os::unix::fs::symlink("/etc", link).expect("linked");
            write(world, "link/passwd", &[]);
        },
    },
    Situation {
        row: "PATH exists already and is left as it is",
        code: 4,
        provoke: |world| {
            world.repository.write("proctor.toml", "");
            world.say(["init"]);
        },
    },
    Situation {
        row: "PATH is there already and is no report",
        code: 4,
        provoke: |world| {
            world.open_run();
            world.say(["report", "--output", "README.md"]);
        },
    },
    Situation {
        row: "standard input cannot be read: REASON",
        code: 5,
        provoke: |world| {
            world.input("/");
            world.say(["write", "new.txt"]);
        },
    },
    Situation {
        row: "standard input cannot be read: REASON",
        code: 5,
        provoke: |world| {
            world.input("/");
            world.say(["apply", "README.md"]);
        },
    },
];

pub(super) const DOCUMENTS: &[Situation] = &[
    Situation {
        row: "the design document PATH has no usable list of files: REASON",
        code: 1,
        provoke: |world| {
            world
                .environment
                .write("prose.md", "# 87\n\nPlease improve everything.\n");
            world.say(["check", "--lld", "../prose.md"]);
        },
    },
    Situation {
        row: "the design document PATH has no usable list of files: REASON",
        code: 1,
        provoke: |world| {
            let only_tests = "# 87\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                              | `tests/test_x.py` | Add | x |\n";
            world.environment.write("tests.md", only_tests);
            world.say(["check", "--lld", "../tests.md"]);
        },
    },
];

/// Every reason for which a context file is not sent.
pub(super) const CONTEXT: &[Situation] = &[
    Situation {
        row: "2 problems with what is to be sent\nMISSING does not exist\n../PATH: the path resolves outside the project's root",
        code: 4,
        provoke: |world| world.say(["check", "--context", "nowhere.py", "--context", "../home"]),
    },
    Situation {
        row: "MISSING does not exist",
        code: 4,
        provoke: |world| world.say(["check", "--context", "nowhere.py"]),
    },
    Situation {
        row: "../PATH: the path resolves outside the project's root",
        code: 4,
        provoke: |world| world.say(["check", "--context", "../home"]),
    },
    Situation {
        row: "LINK is or leads through a symbolic link",
        code: 4,
        provoke: |world| {
            let link = world.repository.path().join("link.py");
            std::os::unix::fs::symlink("README.md", link).expect("linked");
            world.say(["check", "--context", "link.py"]);
        },
    },
    Situation {
        row: "SOCKET is not a regular file",
        code: 4,
        provoke: |world| {
            let socket = world.repository.path().join("socket");
            std::os::unix::net::UnixListener::bind(socket).expect("bound");
            world.say(["check", "--context", "socket"]);
        },
    },
    Situation {
        row: "BINARY: the file is not text: invalid UTF-8 at offset 0",
        code: 4,
        provoke: |world| {
            world.repository.write("picture.bin", [0xff, 0xfe]);
            world.say(["check", "--context", "picture.bin"]);
        },
    },
    Situation {
        row: "LARGE: the file has 102401 bytes, more than the limit of 102400 (100 KB)",
        code: 4,
        provoke: |world| {
            world
                .repository
                .write("large.py", numbered("value", 10_000));
            world.say(["check", "--context", "large.py"]);
        },
    },
    Situation {
        row: "ID_RSA: files named like this hold secrets (id_rsa and other private keys) and are never sent",
        code: 4,
        provoke: |world| {
            world.repository.write("id_rsa", "");
            world.say(["check", "--context", "id_rsa"]);
        },
    },
    Situation {
        row: "SOURCE: line 1 holds what looks like an AWS access key id (fingerprint 53de5baa315b), which is never sent",
        code: 4,
        provoke: |world| {
            // In two pieces, or this file could not be sent to a model itself.
            let key = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
            world
                .repository
                .write("cloud.py", format!("KEY = \"{key}\"\n"));
            world.say(["check", "--context", "cloud.py"]);
        },
    },
    Situation {
        row: "PATH: document, listed files and context have about 300000 tokens in all, more than the limit of 200000; the largest: PATH 300000",
        code: 4,
        provoke: |world| {
            for number in 0..5 {
                let words = "a b c d e f g h ".repeat(6_250);
                world.repository.write(format!("words/{number}.txt"), words);
            }
            world.say(["check", "--context", "words"]);
        },
    },
];

/// Every rule for names, each with a name that breaks it.
pub(super) const NAMES: &[Situation] = &[
    name("the path is empty", |world| write(world, "", &[])),
    name(
        "the path PATH is absolute; give it relative to the project's root",
        |world| {
            write(world, "/etc/passwd", &[]);
        },
    ),
    name("the path PATH is longer than 4096 bytes", |world| {
        write(world, &"long/".repeat(900), &[]);
    }),
    name(
        "the path PATH has a component longer than 255 bytes",
        |world| {
            write(world, &"l".repeat(300), &[]);
        },
    ),
    name("the path PATH has an empty component", |world| {
        write(world, "a//b", &[]);
    }),
    name(
        "the path PATH has a component that is a dot or two dots",
        |world| {
            write(world, "../outside", &[]);
        },
    ),
    name("the path PATH contains a control character", |world| {
        write(world, "a\nb", &[]);
    }),
    name(
        "the path PATH contains an invisible or text-reordering character",
        |world| {
            write(world, "a\u{202e}b", &[]);
        },
    ),
    name(
        "the path PATH contains one of the characters :\\*?\"<>|",
        |world| {
            write(world, "a:b", &[]);
        },
    ),
    name(
        "the path PATH would change under Unicode normalisation",
        |world| {
            write(world, "a\u{301}", &[]);
        },
    ),
    name(
        "the path PATH has a component that starts with a hyphen or a tilde",
        |world| {
            write(world, "~/x", &[]);
        },
    ),
    name(
        "the path PATH has a component that ends in a dot or a space",
        |world| {
            write(world, "x./y", &[]);
        },
    ),
    name(
        "the path PATH has a component that is a reserved device name",
        |world| {
            write(world, "con.txt", &[]);
        },
    ),
    name("the path PATH leads into git's own directory", |world| {
        write(world, ".git/config", &[]);
    }),
    name("the path is not UTF-8 text", |world| {
        let odd = std::ffi::OsString::from_vec(b"odd\xff.py".to_vec());
        world.say(["write".into(), odd]);
    }),
];

const fn name(row: &'static str, provoke: fn(&mut World)) -> Situation {
    Situation {
        row,
        code: 4,
        provoke,
    }
}

#[test]
fn texts_that_cannot_be_merged_are_answered_as_documented() {
    meet(MERGES);
}

#[test]
fn changes_that_do_not_fit_are_answered_as_documented() {
    meet(CHANGES);
}

#[test]
fn writes_that_are_not_made_are_answered_as_documented() {
    meet(WRITES);
}

#[test]
fn documents_that_cannot_be_used_are_answered_as_documented() {
    meet(DOCUMENTS);
}

#[test]
fn context_that_may_not_be_sent_is_answered_as_documented() {
    meet(CONTEXT);
}

#[test]
fn names_that_are_no_paths_are_answered_as_documented() {
    meet(NAMES);
}
