//! Files that are not written, not changed or not sent.

use std::os::unix::ffi::OsStringExt as _;

use super::world::{Situation, World, meet, situation};
use crate::desk::numbered;

/// New text for an existing file, member by member.
fn extend(world: &mut World, name: &str, before: &str, content: &str) {
    world.repository.write(name, before);
    world.write(name, content, &["--strategy", "extend"]);
}

pub(super) const MERGES: &[Situation] = &[
    situation(
        1,
        "MEMBER cannot be placed: REASON (line 1 of the existing text)",
        |world| {
            let new = "class A:\n    \"\"\"Words.\"\"\"\n";
            extend(world, "a.py", "class A: x = 1\n", new);
        },
    ),
    situation(
        1,
        "MEMBER is at line 1 already and differs from line 2 of the new text",
        |world| {
            let (old, new) = ("def f():\n    return 1\n", "def f():\n    return 2\n");
            extend(world, "a.py", old, new);
        },
    ),
    situation(
        1,
        "PATH is not in a language that can be extended",
        |world| extend(world, "notes.txt", "one\n", "two\n"),
    ),
    situation(1, "the existing content is not text", |world| {
        world.repository.write("picture.bin", [0, 159, 1]);
        world.write("picture.bin", "x = 1\n", &["--strategy", "append"]);
    }),
    situation(
        1,
        "the new text has MEMBER twice, at lines 1 and 2",
        |world| {
            let new = "def g():\n    return 1\n\n\ndef g():\n    return 2\n";
            extend(world, "a.py", "x = 1\n", new);
        },
    ),
    situation(
        1,
        "the new text has a syntax error at line 1, column 2",
        |world| extend(world, "a.py", "x = 1\n", "def (\n"),
    ),
];

pub(super) const CHANGES: &[Situation] = &[
    situation(
        1,
        "PATH does not exist, so there is nothing to change in it",
        |world| world.apply("nowhere.py", "x"),
    ),
    situation(1, "change 1: REASON", |world| {
        world.apply("README.md", "no such line");
    }),
    situation(4, "PATH is not text: it has a NUL byte", |world| {
        world.repository.write("picture.bin", [0, 159, 1]);
        world.apply("picture.bin", "x");
    }),
];

pub(super) const WRITES: &[Situation] = &[
    situation(
        3,
        "PATH has 120 lines and would have 3 afterwards; a person has to agree",
        |world| {
            world.repository.write("large.py", numbered("value", 270));
            world.write("large.py", "x = 1\n", &[]);
        },
    ),
    situation(
        4,
        "PATH has 120 lines and would have 3 afterwards; --auto does not do that without a person",
        |world| {
            world.repository.write("large.py", numbered("value", 270));
            world.write("large.py", "x = 1\n", &["--auto"]);
        },
    ),
    situation(
        4,
        "tools execute PATH automatically: it is a protected file",
        |world| {
            world.write("conftest.py", "x = 1\n", &[]);
        },
    ),
    situation(4, "PATH has more than one hard link", |world| {
        let top = world.repository.path();
        std::fs::hard_link(top.join("README.md"), top.join("second.md")).expect("linked");
        world.write("second.md", "x = 1\n", &[]);
    }),
    situation(4, "PATH is not a regular file", |world| {
        world.repository.write("directory/x", "x\n");
        world.write("directory", "x = 1\n", &[]);
    }),
    situation(4, "PATH is or leads through a symbolic link", |world| {
        let link = world.repository.path().join("link");
        std::os::unix::fs::symlink("/etc", link).expect("linked");
        world.write("link/passwd", "x = 1\n", &[]);
    }),
    situation(4, "PATH exists already and is left as it is", |world| {
        world.repository.write("proctor.toml", "");
        world.say(["init"]);
    }),
    situation(4, "PATH exists already and is not a report", |world| {
        world.open_run();
        world.say(["report", "--output", "README.md"]);
    }),
    situation(5, "standard input cannot be read: REASON", |world| {
        world.input("/");
        world.say(["write", "new.txt"]);
    }),
    situation(5, "standard input cannot be read: REASON", |world| {
        world.input("/");
        world.say(["apply", "README.md"]);
    }),
];

pub(super) const DOCUMENTS: &[Situation] = &[
    situation(
        1,
        "the design document PATH has no usable list of files: REASON",
        |world| {
            world
                .environment
                .write("prose.md", "# 87\n\nPlease improve everything.\n");
            world.say(["check", "--lld", "../prose.md"]);
        },
    ),
    situation(
        1,
        "the design document PATH has no usable list of files: REASON",
        |world| {
            let only_tests = "# 87\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                              | `tests/test_x.py` | Add | x |\n";
            world.environment.write("tests.md", only_tests);
            world.say(["check", "--lld", "../tests.md"]);
        },
    ),
];

/// Every reason for which a context file is not sent.
pub(super) const CONTEXT: &[Situation] = &[
    situation(
        4,
        "2 problems with what is to be sent\nMISSING does not exist\n../PATH: the path resolves outside the project's root",
        |world| world.say(["check", "--context", "nowhere.py", "--context", "../home"]),
    ),
    situation(4, "MISSING does not exist", |world| {
        world.say(["check", "--context", "nowhere.py"]);
    }),
    situation(
        4,
        "../PATH: the path resolves outside the project's root",
        |world| world.say(["check", "--context", "../home"]),
    ),
    situation(4, "LINK is or leads through a symbolic link", |world| {
        let link = world.repository.path().join("link.py");
        std::os::unix::fs::symlink("README.md", link).expect("linked");
        world.say(["check", "--context", "link.py"]);
    }),
    situation(4, "SOCKET is not a regular file", |world| {
        let socket = world.repository.path().join("socket");
        std::os::unix::net::UnixListener::bind(socket).expect("bound");
        world.say(["check", "--context", "socket"]);
    }),
    situation(
        4,
        "BINARY: the file is not text: invalid UTF-8 at offset 0",
        |world| {
            world.repository.write("picture.bin", [0xff, 0xfe]);
            world.say(["check", "--context", "picture.bin"]);
        },
    ),
    situation(
        4,
        "LARGE: the file has 200000 bytes, more than the limit of 102400 (100 KB)",
        |world| {
            world.repository.write("large.py", "x".repeat(200_000));
            world.say(["check", "--context", "large.py"]);
        },
    ),
    situation(
        4,
        "ID_RSA: files named like this hold secrets (id_rsa and other private keys) and are never sent",
        |world| {
            world.repository.write("id_rsa", "");
            world.say(["check", "--context", "id_rsa"]);
        },
    ),
    situation(
        4,
        "SOURCE: line 1 holds what looks like an AWS access key id (fingerprint 53de5baa315b), which is never sent",
        |world| {
            // In two pieces, or this file could not be sent to a model itself.
            let key = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
            world
                .repository
                .write("cloud.py", format!("KEY = \"{key}\"\n"));
            world.say(["check", "--context", "cloud.py"]);
        },
    ),
    situation(
        4,
        "PATH: document, listed files and context have about 300000 tokens in all, more than the limit of 200000; the largest: PATH 300000",
        |world| {
            for number in 0..5 {
                let words = "a b c d e f g h ".repeat(6_250);
                world.repository.write(format!("words/{number}.txt"), words);
            }
            world.say(["check", "--context", "words"]);
        },
    ),
];

/// Every rule for names, each with a name that breaks it.
pub(super) const NAMES: &[Situation] = &[
    situation(4, "the path is empty", |world| {
        world.write("", "x = 1\n", &[]);
    }),
    situation(
        4,
        "the path PATH is absolute; give a relative one",
        |world| world.write("/etc/passwd", "x = 1\n", &[]),
    ),
    situation(4, "the path PATH is longer than 4096 bytes", |world| {
        world.write(&"long/".repeat(900), "x = 1\n", &[]);
    }),
    situation(
        4,
        "the path PATH has a component longer than 255 bytes",
        |world| world.write(&"l".repeat(300), "x = 1\n", &[]),
    ),
    situation(4, "the path PATH has an empty component", |world| {
        world.write("a//b", "x = 1\n", &[]);
    }),
    situation(
        4,
        "the path PATH has a component that is a dot or two dots",
        |world| world.write("../outside", "x = 1\n", &[]),
    ),
    situation(4, "the path PATH contains a control character", |world| {
        world.write("a\nb", "x = 1\n", &[]);
    }),
    situation(
        4,
        "the path PATH contains an invisible or text-reordering character",
        |world| world.write("a\u{202e}b", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH contains one of the characters :\\*?\"<>|",
        |world| world.write("a:b", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH contains a character that looks like a slash",
        |world| world.write("a\u{2215}b", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH would change under Unicode normalisation",
        |world| world.write("a\u{301}", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH has a component that starts with a hyphen or a tilde",
        |world| world.write("~/x", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH has a component that ends in a dot or a space",
        |world| world.write("x./y", "x = 1\n", &[]),
    ),
    situation(
        4,
        "the path PATH has a component that is a reserved device name",
        |world| world.write("con.txt", "x = 1\n", &[]),
    ),
    situation(4, "the path PATH leads into git's own directory", |world| {
        world.write(".git/config", "x = 1\n", &[]);
    }),
    situation(4, "the path is not UTF-8 text", |world| {
        let odd = std::ffi::OsString::from_vec(b"odd\xff.py".to_vec());
        world.say(["write".into(), odd]);
    }),
];

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
