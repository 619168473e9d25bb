//! `proctor review` of a person's own changes: the approved tree is the committed one.

mod report;

use proctor_testkit::{RunOutput, Terminal};
use serde_json::Value;

use crate::desk::{Desk, at_question, numbered};
use crate::messages::says;
use crate::project::{PROMPT, approve};

impl Desk {
    pub(crate) fn report(&self, more: &[&str]) -> Value {
        let mut arguments = vec!["--format", "json", "review", "--dry-run"];
        arguments.extend(more);
        let output = self.environment.proctor(arguments);
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.json()
    }

    fn file(&self, path: &str) -> Value {
        let report = self.report(&[]);
        let files = report["files"].as_array().expect("files");
        let found = files.iter().find(|file| file["path"] == path);
        found
            .unwrap_or_else(|| panic!("{path} in {report}"))
            .clone()
    }

    pub(crate) fn review_at_terminal(&self, more: &[&str]) -> Terminal {
        let mut arguments = vec!["review"];
        arguments.extend(more);
        self.environment.proctor_on_terminal(arguments)
    }

    /// The output when nothing is committed.
    pub(crate) fn refused(&self) -> RunOutput {
        let head = self.repository.git_command(["rev-parse", "HEAD"]).output();
        let output = self.environment.proctor(["review", "-m", "no"]);
        let after = self.repository.git_command(["rev-parse", "HEAD"]).output();
        assert_eq!(
            head.expect("git runs").stdout,
            after.expect("git runs").stdout,
            "nothing is committed"
        );
        output
    }
}

#[test]
fn approval_commits_exactly_what_was_shown_and_the_checkout_is_clean_afterwards() {
    let desk = Desk::new();
    desk.repository.write("README.md", numbered("line", 9));
    desk.repository.write("src/new.py", "x = 1\n");
    let tree = desk.report(&[])["tree"]
        .as_str()
        .expect("a tree")
        .to_owned();
    let mut terminal = desk.review_at_terminal(&["-m", "Shorten it"]);
    terminal.expect(PROMPT);
    insta::assert_snapshot!(at_question(&desk.environment, &mut terminal), @"
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    Review of everything that is not committed
      into   main
      tree   [ID]

     README.md  | +0 -1 -
     src/new.py | +1 -0 +  NEW
     2 files changed, 1 insertion(+), 1 deletion(-)

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    README.md
    @@ -7,4 +7,3 @@
       7  line = 7
       8  line = 8
       9  line = 9
      10 -line = 10

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    src/new.py  new file  NEW
    @@ -0,0 +1,1 @@
       1 +x = 1

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    2 files changed, 1 insertion(+), 1 deletion(-); tree [ID] into main
    Nothing is flagged. Type APPROVE to continue or REJECT to abort. DIFF shows it again:
    ");
    for nothing in ["y", "yes", "", "APPROVE it"] {
        terminal.send_line(nothing);
        terminal.expect("Only a whole word is accepted");
    }
    terminal.send_line("approve");
    assert_eq!(terminal.wait(), 0);
    let repository = &desk.repository;
    assert_eq!(repository.tree_of("HEAD"), tree);
    assert_eq!(repository.git(["status", "--porcelain"]), "");
    let message = repository.git(["log", "-1", "--format=%B"]);
    insta::assert_snapshot!(desk.environment.normalise(&message), @"
    Shorten it

    Approved-By: Ada Tester <ada@example.com>
    Proctor-Evidence: sha256:[ID]
    ");
    assert_eq!(repository.git(["rev-list", "--count", "HEAD"]), "2");
    repository.git(["fsck", "--strict"]);
    assert_eq!(desk.environment.proctor(["log", "--verify"]).code, 0);
}

#[test]
fn without_a_message_one_is_asked_for() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&[]);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    terminal.expect("Commit message:");
    terminal.send_line("Add a");
    assert_eq!(terminal.wait(), 0);
    assert_eq!(desk.repository.git(["log", "-1", "--format=%s"]), "Add a");
}

#[test]
fn what_is_staged_is_taken_before_the_rest_and_the_rest_stays() {
    let desk = Desk::new();
    desk.repository.write("staged.txt", "staged\n");
    desk.repository.git(["add", "staged.txt"]);
    desk.repository.write("staged.txt", "changed since\n");
    desk.repository.write("other.txt", "other\n");
    let report = desk.report(&[]);
    assert_eq!(report["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        desk.report(&["--all"])["files"].as_array().map(Vec::len),
        Some(2)
    );
    let mut terminal = desk.review_at_terminal(&["-m", "Staged"]);
    terminal.expect("Review of what is staged");
    terminal.expect(PROMPT);
    // Neither of these was shown.
    desk.repository
        .write("staged.txt", "changed while looking\n");
    desk.repository.git(["add", "staged.txt", "other.txt"]);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0);
    assert_eq!(desk.repository.file_at("HEAD", "staged.txt"), "staged\n");
    let status = desk.repository.git(["status", "--porcelain"]);
    assert_eq!(status, "A  other.txt\nM  staged.txt");
}

#[test]
fn only_a_person_at_a_terminal_approves() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    insta::assert_snapshot!(desk.refused().normalised(), @"
    exit code: 3
    --- stdout
    --- stderr
    waiting: a person has to approve this at a terminal; nothing was committed
    hint: run `proctor review` in a terminal
    hint: `proctor review --dry-run` prints the report alone
    ");
    // Typed ahead, and left.
    let mut terminal = desk.review_at_terminal(&["-m", "no"]);
    terminal.send_line("APPROVE");
    terminal.expect(PROMPT);
    terminal.send_control('d');
    assert_eq!(terminal.wait(), 3);
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "1");
}

#[test]
fn no_changes_are_said_and_nothing_is_committed() {
    let desk = Desk::new();
    let output = desk.environment.proctor(["review"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "there is nothing to review: no changes\n")
    );
    let report = desk.report(&[]);
    assert_eq!(
        (&report["decision"], &report["commit"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(report["files"].as_array().map(Vec::len), Some(0));
}

#[test]
fn in_the_middle_of_something_else_nothing_is_committed() {
    let desk = Desk::new();
    let git = |arguments: &[&str]| desk.repository.git(arguments);
    git(&["checkout", "-qb", "other"]);
    desk.repository.write("README.md", "theirs\n");
    desk.repository.commit_all("Theirs");
    git(&["checkout", "-q", "-"]);
    desk.repository.write("README.md", "ours\n");
    desk.repository.commit_all("Ours");
    let merged = desk.repository.git_command(["merge", "other"]).output();
    assert!(!merged.expect("git runs").status.success(), "it conflicts");
    insta::assert_snapshot!(desk.refused().normalised(), @"
    exit code: 5
    --- stdout
    --- stderr
    error: a merge is in progress, and a commit now would be part of it
    hint: finish or abort it with git, then review
    ");
    std::fs::remove_file(desk.repository.path().join(".git/MERGE_HEAD")).expect("removed");
    insta::assert_snapshot!(desk.refused().normalised(), @"
    exit code: 5
    --- stdout
    --- stderr
    error: files are in conflict, so it is unclear what is staged
    hint: resolve them, stage them with `git add`, then review
    ");
}

#[test]
fn the_first_commit_of_a_repository_can_be_reviewed() {
    let desk = Desk::empty();
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&["-m", "Begin"]);
    terminal.expect("+a");
    approve(&mut terminal);
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(desk.repository.git(["status", "--porcelain"]), "");
}

#[test]
fn a_branch_that_moved_while_the_person_looked_is_not_moved_back() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&["-m", "Add a"]);
    terminal.expect(PROMPT);
    let other = desk
        .repository
        .git(["commit-tree", "-p", "HEAD", "-m", "Other", "HEAD^{tree}"]);
    desk.repository.git(["update-ref", "HEAD", &other]);
    terminal.send_line("APPROVE");
    says(
        &mut terminal,
        1,
        "the branch moved while you were looking; nothing was committed",
    );
    assert_eq!(desk.repository.head(), other);
}

#[test]
fn a_hook_runs_only_if_a_commit_asks_for_it_and_its_changes_are_shown() {
    let desk = Desk::new();
    let hook = "#!/bin/sh\necho formatted > formatted.txt\n";
    desk.repository
        .write_executable(".git/hooks/pre-commit", hook);
    desk.repository
        .write("proctor.toml", "[review]\npre_commit_hook = true\n");
    desk.refused().expect_code(3);
    assert!(
        !desk.repository.exists("formatted.txt"),
        "the change itself asks for it"
    );
    desk.repository.git(["add", "proctor.toml"]);
    desk.repository.git([
        "-c",
        "core.hooksPath=/dev/null",
        "commit",
        "-qm",
        "Settings",
    ]);
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&["-m", "Add a"]);
    terminal.expect("+formatted");
    terminal.expect(PROMPT);
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
    desk.repository.write_executable(
        ".git/hooks/pre-commit",
        "#!/bin/sh\necho too long; exit 1\n",
    );
    insta::assert_snapshot!(desk.refused().normalised(), @"
    exit code: 1
    --- stdout
    --- stderr
    error: git hook run pre-commit failed: too long
    hint: fix what the hook complains about, then review again
    ");
}
