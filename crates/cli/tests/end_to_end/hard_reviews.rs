//! Reviews of large, odd or broken changes: shown, or refused with nothing committed.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};

use proctor_testkit::Terminal;

use crate::desk::{Desk, numbered};
use crate::messages::says;
use crate::project::{PROMPT, approve};
use crate::write_faults::has_strace;

const MEGABYTE: u64 = 1 << 20;

#[test]
fn a_commit_without_a_branch_is_made_where_head_is() {
    let desk = Desk::new();
    let main = desk.repository.head();
    desk.repository.git(["checkout", "-q", "--detach"]);
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&["-m", "Detached"]);
    terminal.expect("(no branch)");
    approve(&mut terminal);
    let repository = &desk.repository;
    assert_eq!(repository.git(["log", "-1", "--format=%s"]), "Detached");
    assert_eq!(repository.git(["rev-parse", "main"]), main);
    assert_eq!(repository.git(["status", "--porcelain"]), "");
}

#[test]
fn a_binary_of_200_megabytes_is_weighed_and_not_held() {
    let desk = Desk::new();
    let file = File::create(desk.repository.path().join("big.bin")).unwrap();
    file.set_len(200 * MEGABYTE).unwrap();
    let mut terminal = desk.review_at_terminal(&["-m", "Big"]);
    terminal.expect("0 -> 209715200 bytes");
    terminal.expect("BINARY");
    terminal.expect(PROMPT);
    let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.process_id()));
    let status = status.unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().strip_suffix(" kB"));
    let peak: u64 = peak.expect("a peak").trim().parse().unwrap();
    assert!(peak < 64 * 1024, "{peak} kB");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
}

#[test]
fn a_file_of_100_000_lines_is_read_to_its_end() {
    let mut desk = Desk::new();
    desk.environment.remove_variable("PAGER");
    desk.repository.write("long.txt", numbered("old", 100_000));
    desk.repository.commit_all("Long");
    desk.repository.write("long.txt", numbered("new", 100_000));
    let mut terminal = desk.review_at_terminal(&["-m", "Long"]);
    terminal.expect_display(&["long.txt | +100000 -100000", "overview"]);
    terminal.send(b"G");
    terminal.expect_display(&["+new = 100000", "1 file changed"]);
    terminal.send(b"/old = 77777\r");
    terminal.expect_display(&["-old = 77777", "1/1 long.txt  MAJOR-CHANGE"]);
    terminal.send(b"q");
    terminal.expect("DIFF shows it again");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let desk = Desk::new();
    desk.repository.write("secret.txt", "a\n");
    let path = desk.repository.path().join("secret.txt");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    let mut command = desk
        .environment
        .proctor_command(["review", "--all", "-m", "No"]);
    if File::open(&path).is_ok() {
        // Root reads everything, unless the right to do so is taken away.
        let mut without_rights = desk.environment.command("setpriv");
        without_rights
            .arg("--bounding-set=-dac_override,-dac_read_search")
            .arg(command.get_program())
            .args(command.get_args());
        command = without_rights;
    }
    let output = desk.environment.run(command);
    assert_eq!(output.code, 5, "{}", output.stderr);
    assert!(output.stderr.contains("secret.txt"), "{}", output.stderr);
}

#[test]
fn what_is_neither_file_nor_link_is_refused() {
    let desk = Desk::new();
    let path = desk.repository.path().join("pipe");
    // A pipe is nothing that git would list, a socket neither; a repository inside is.
    std::fs::create_dir(&path).unwrap();
    desk.repository.git(["init", "-q", "pipe"]);
    desk.repository.write("pipe/a.txt", "a\n");
    insta::assert_snapshot!(desk.refused().normalised(), @"
    exit code: 5
    --- stdout
    --- stderr
    error: pipe/ cannot be looked at: it is a repository of its own
    hint: move it away, let it be read, or rule it out in a .gitignore; nothing was changed
    ");
}

#[test]
fn a_file_that_changes_while_it_is_read_is_committed_as_it_was_shown_or_not_at_all() {
    let desk = Desk::new();
    desk.repository.write("a.txt", numbered("0", 5000));
    let path = desk.repository.path().join("a.txt");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1.. {
                std::fs::write(&path, numbered(&round.to_string(), 5000)).unwrap();
                if done.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        let mut terminal = desk.review_at_terminal(&["-m", "Moving"]);
        let ended = terminal.expect_or_end(PROMPT);
        if ended.is_none() {
            terminal.send_line("APPROVE");
        }
        let code = terminal.wait();
        done.store(true, Ordering::SeqCst);
        let commits = desk.repository.git(["rev-list", "--count", "HEAD"]);
        match code {
            0 => {
                assert_eq!(commits, "2");
                let screen = terminal.screen();
                let tree = desk.repository.tree_of("HEAD");
                assert!(screen.contains(&format!("tree   {tree}")), "{tree}");
                let content = desk.repository.file_at("HEAD", "a.txt");
                for line in content.lines().rev().take(20) {
                    assert!(screen.contains(&format!("+{line}\n")), "{line}");
                }
            }
            _ => assert_eq!((code, commits.as_str()), (5, "1")),
        }
    });
    desk.repository.git(["fsck", "--strict"]);
}

#[test]
fn git_failing_after_the_approval_commits_nothing() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let head = desk.repository.head();
    let mut terminal = desk.review_at_terminal(&["-m", "no"]);
    terminal.expect(PROMPT);
    let objects = desk.repository.path().join(".git/objects");
    let away = desk.environment.root().join("objects");
    std::fs::rename(&objects, &away).unwrap();
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 5, "{}", terminal.screen());
    std::fs::rename(&away, &objects).unwrap();
    assert_eq!(desk.repository.head(), head);
    assert_eq!(desk.repository.git(["status", "--porcelain"]), "?? a.txt");
}

#[test]
fn while_another_git_process_has_the_index_nothing_is_committed() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let head = desk.repository.head();
    let lock = desk.repository.write(".git/index.lock", "");
    let mut terminal = desk.review_at_terminal(&["-m", "no"]);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    terminal.expect("another git process works in this repository");
    assert_eq!(terminal.wait(), 5, "{}", terminal.screen());
    assert_eq!(desk.repository.head(), head);
    // It is the other's, so it stays.
    std::fs::remove_file(&lock).unwrap();
    assert_eq!(desk.repository.git(["status", "--porcelain"]), "?? a.txt");
}

#[test]
fn a_commit_that_the_index_does_not_learn_of_is_said_to_be_one() {
    if !has_strace() {
        return;
    }
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let mut command = desk.environment.command("strace");
    command.args(["-qq", "-o", "/dev/null", "-e", "trace=/^rename"]);
    command.args(["-e", "inject=/^rename:error=EIO", "-P"]);
    command.arg(desk.repository.path().join(".git/index.lock"));
    command.arg(env!("CARGO_BIN_EXE_proctor"));
    command.args(["review", "-m", "Words"]);
    let mut terminal = Terminal::spawn(&command);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    says(
        &mut terminal,
        5,
        "committed as 0000000000, but that could not be finished: a file that git needs cannot be read or written: REASON",
    );
    assert_eq!(desk.repository.git(["log", "-1", "--format=%s"]), "Words");
    assert!(!desk.repository.exists(".git/index.lock"));
    // It is on record as well.
    let log = desk.environment.proctor(["log", "--format", "json"]).json();
    let records = log["records"].as_array().expect("records");
    let last = records.last().expect("a record");
    assert_eq!(last["body"]["decision"], "committed");
}

#[test]
fn nothing_is_committed_into_the_middle_of_something_else() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let mut said = String::new();
    for name in [
        "rebase-merge",
        "rebase-apply",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
        "sequencer",
    ] {
        let path = desk.repository.path().join(".git").join(name);
        std::fs::create_dir(&path).unwrap();
        said += &desk.refused().expect_code(5).normalised_stderr();
        std::fs::remove_dir(&path).unwrap();
    }
    insta::assert_snapshot!(said, @"
    error: a rebase is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    error: a rebase is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    error: a cherry-pick is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    error: a revert is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    error: a cherry-pick or revert of several commits is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    ");
}
