//! A write that is killed, or that the disk fails, at every system call.
//!
//! Needs `strace`; without it the tests say so and pass.

use std::io::Write as _;
use std::process::Command;

use crate::desk::Desk;
use crate::messages::says;

const OLD: &str = "old\n";
const NEW: &str = "new content\n";

/// The calls that the writer and the journal change the disk with.
const CHANGING: [&str; 6] = [
    "write",
    "pwrite64",
    "fchmod",
    "fsync",
    "fdatasync",
    "renameat",
];

/// The others that they make on the way.
const OTHERS: [&str; 4] = ["openat2", "openat", "unlinkat", "flock"];

pub(crate) fn has_strace() -> bool {
    let found = Command::new("strace").arg("-V").output().is_ok();
    if !found {
        let words = "SKIPPED: strace is not installed, so no fault was injected\n";
        let _ = std::io::stderr().write_all(words.as_bytes());
    }
    found
}

/// The command that starts a program in which one system call fails: the injected one, and where a path is given, only
/// there.
pub(crate) fn failing(injection: &str, path: Option<&str>) -> Vec<String> {
    let call = injection.split(':').next().unwrap_or_default();
    let (traced, injected) = (format!("trace={call}"), format!("inject={injection}"));
    let mut words = vec!["strace", "-qq", "-o", "/dev/null"];
    words.extend(["-e", &traced, "-e", &injected]);
    if let Some(path) = path {
        words.extend(["-P", path]);
    }
    words.into_iter().map(str::to_owned).collect()
}

/// A file to be replaced, and a journal, as there is in every use but the first.
fn desk() -> Desk {
    let desk = Desk::empty();
    desk.environment.write("new.txt", NEW);
    desk.repository.write("file.txt", "older\n");
    write(&desk, None);
    desk.repository.write("file.txt", OLD);
    desk
}

/// Replaces the file; with an injection under strace, of this process alone.
fn write(desk: &Desk, injection: Option<&str>) -> (Option<i32>, String) {
    let from = desk.environment.root().join("new.txt");
    let mut words = injection.map_or_else(Vec::new, |injection| failing(injection, None));
    words.push(env!("CARGO_BIN_EXE_proctor").to_owned());
    let mut command = desk.environment.command(&words[0]);
    command.args(&words[1..]);
    command.args(["write", "file.txt", "--from"]).arg(from);
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

/// How often the program makes a call when it replaces the file.
fn count(desk: &Desk, call: &str) -> usize {
    let from = desk.environment.root().join("new.txt");
    let trace = desk.environment.root().join("trace");
    let mut command = desk.environment.command("strace");
    command
        .args(["-qq", "-e", &format!("trace={call}"), "-o"])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_proctor"))
        .args(["write", "file.txt", "--from"])
        .arg(from);
    command.output().expect("the program starts");
    desk.repository.write("file.txt", OLD);
    std::fs::read_to_string(trace)
        .expect("strace wrote its trace")
        .lines()
        .filter(|line| line.contains(&format!("{call}(")))
        .count()
}

/// Points of a call to inject at: all of them, or an even choice of a great many.
fn points(count: usize) -> Vec<usize> {
    let step = count.div_ceil(25).max(1);
    (1..=count).rev().step_by(step).collect()
}

#[test]
fn a_write_killed_at_any_system_call_leaves_the_old_or_the_new_content() {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let mut kills = 0;
    for call in OTHERS.into_iter().chain(CHANGING) {
        for point in points(count(&desk, call)) {
            desk.repository.write("file.txt", OLD);
            let (code, said) = write(&desk, Some(&format!("{call}:signal=KILL:when={point}")));
            let content = desk.repository.read("file.txt");
            assert!(
                content == OLD || content == NEW,
                "{call} {point}: {content:?}"
            );
            // A stray that was swept while counting makes one call more than there is now.
            if code == Some(0) {
                assert_eq!(content, NEW, "{call} {point}: {said}");
                continue;
            }
            kills += 1;
        }
    }
    // Git is called from other threads; only the write itself and its trail are counted here.
    assert!(kills > 40, "{kills}");
    // All leftovers go with the next write, and the trail holds.
    write(&desk, None);
    assert_eq!(desk.repository.read("file.txt"), NEW);
    let names = std::fs::read_dir(desk.repository.path()).unwrap().flatten();
    let strays = names.filter(|it| it.file_name().to_string_lossy().starts_with(".proctor-"));
    assert_eq!(strays.count(), 0);
    desk.environment.proctor(["log", "--verify"]).expect_code(0);
}

#[test]
fn a_new_file_killed_at_any_system_call_is_whole_or_not_there() {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let file = desk.repository.path().join("file.txt");
    let (mut kills, mut made) = (0, 0);
    for call in ["openat", "write", "fsync", "renameat2"] {
        // As often as for one that is replaced; the last kills are then of a process that has ended.
        for point in 1..=count(&desk, call).clamp(1, 25) {
            let _ = std::fs::remove_file(&file);
            let (code, said) = write(&desk, Some(&format!("{call}:signal=KILL:when={point}")));
            match std::fs::read_to_string(&file) {
                Ok(content) => assert_eq!(content, NEW, "{call} {point}: {said}"),
                Err(_) => assert_ne!(code, Some(0), "{call} {point}: {said}"),
            }
            kills += usize::from(code != Some(0));
            made += usize::from(file.exists());
        }
    }
    assert!(kills > 20 && made > 0, "{kills} {made}");
    // It has one name, so that it can be written again.
    assert_eq!(write(&desk, None).0, Some(0));
    assert_eq!(desk.repository.read("file.txt"), NEW);
}

#[test]
fn an_error_of_the_disk_at_any_system_call_is_reported_and_the_original_intact() {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let (mut reported, mut unrecorded) = (0, 0);
    for error in ["ENOSPC", "EIO"] {
        for call in CHANGING {
            for point in points(count(&desk, call)) {
                desk.repository.write("file.txt", OLD);
                let injection = format!("{call}:error={error}:when={point}");
                let (code, said) = write(&desk, Some(&injection));
                let content = desk.repository.read("file.txt");
                reported += usize::from(code != Some(0));
                match code {
                    Some(0) => assert_eq!(content, NEW, "{injection}: {said}"),
                    // It says itself that the content is in place, where it is.
                    Some(code) if content == NEW && said.contains("was written") => {
                        says(
                            (code, said.as_str()),
                            5,
                            "PATH was written, but the audit trail could not be: the journal PATH cannot be used: REASON",
                        );
                        unrecorded += 1;
                    }
                    _ if content == NEW => {
                        assert!(said.contains("was changed"), "{injection}: {said}");
                    }
                    _ => assert_eq!(content, OLD, "{injection}: {said}"),
                }
            }
        }
    }
    assert!(reported > 30, "{reported}");
    assert!(unrecorded > 0);
}

#[test]
fn a_change_that_the_disk_does_not_confirm_is_said_to_be_uncertain() {
    if !has_strace() {
        return;
    }
    let desk = desk();
    let reply = "### CHANGE 1: x\nFIND:\n```\nold\n```\nREPLACE WITH:\n```\nnew content\n```\n";
    let reply = desk.environment.write("reply.md", reply);
    // The file's own content is on the disk by then; its name in the directory is not.
    let directory = desk.repository.path().display().to_string();
    let words = failing("fsync:error=EIO", Some(&directory));
    let mut command = desk.environment.command(&words[0]);
    command.args(&words[1..]);
    command.arg(env!("CARGO_BIN_EXE_proctor"));
    command.args(["apply", "file.txt", "--from"]).arg(reply);
    let output = desk.environment.run(command);
    says(
        &output,
        5,
        "PATH was changed, but it is not certain that this survives a power failure: REASON",
    );
    assert_eq!(desk.repository.read("file.txt"), NEW);
}
