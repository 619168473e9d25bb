//! `proctor review` of a person's own changes: what is approved is what is committed.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use proctor_testkit::{RunOutput, Terminal};
use serde_json::{Value, json};

use crate::desk::{Desk, at_question, folded, numbered};
use crate::messages::says;
use crate::project::{PROMPT, approve, text};

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

    /// What is said when nothing is committed.
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
fn a_file_of_270_lines_that_becomes_one_of_56_is_replaced_as_rewrite_and_as_deletion() {
    let desk = Desk::new();
    let old = numbered("old", 270);
    desk.repository.write("rewritten.py", &old);
    desk.repository.write("shortened.py", &old);
    desk.repository.commit_all("Two files");
    desk.repository.write("rewritten.py", numbered("new", 56));
    let kept: String = old.split_inclusive('\n').take(56).collect();
    desk.repository.write("shortened.py", kept);
    for (path, added, deleted, ratio) in [
        ("rewritten.py", 56, 270, 1.0),
        ("shortened.py", 0, 214, 0.792_592_592_592_592_6),
    ] {
        let file = desk.file(path);
        assert_eq!(file["status"], "modified");
        assert_eq!(file["lines_before"], 270);
        assert_eq!(file["lines_after"], 56);
        assert_eq!(
            (&file["added"], &file["deleted"]),
            (&added.into(), &deleted.into())
        );
        assert_eq!(file["change_ratio"], ratio);
        assert_eq!(file["is_replacement"], true);
        assert_eq!(file["requires_review"], true);
        let flags = file["flags"].as_array().expect("flags");
        assert!(flags.contains(&"REPLACED".into()), "{file}");
    }
    let mut terminal = desk.review_at_terminal(&["-m", "Rewrite"]);
    terminal.expect(PROMPT);
    let shown = at_question(&desk.environment, &mut terminal);
    insta::assert_snapshot!(folded(&shown), @"
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    Review of everything that is not committed
      into   main
      tree   [ID]

     rewritten.py | +56 -270 ++++++---------------------------------  REPLACED  MAJOR-CHANGE
     shortened.py | +0 -214  --------------------------  REPLACED  MAJOR-CHANGE
     2 files changed, 56 insertions(+), 484 deletions(-)

    WARNING: look closely at these files
      rewritten.py  REPLACED  MAJOR-CHANGE
      shortened.py  REPLACED  MAJOR-CHANGE

      REPLACED      lost most of its lines, and few came in their place
      MAJOR-CHANGE  differs in more than half as many lines as it had

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    rewritten.py  REPLACED  MAJOR-CHANGE
    @@ -1,270 +1,56 @@
    -old = 1
    …
    -old = 270
    +new = 1
    …
    +new = 56

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    shortened.py  REPLACED  MAJOR-CHANGE
    @@ -54,217 +54,3 @@
     old = 54
     old = 55
     old = 56
    -old = 57
    …
    -old = 270

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    2 files changed, 56 insertions(+), 484 deletions(-); tree [ID] into main
    WARNING: look closely at rewritten.py, shortened.py
    Type APPROVE to continue or REJECT to abort. DIFF shows it again:
    ");
    terminal.send_line("REJECT it loses everything");
    assert_eq!(terminal.wait(), 1);
    insta::assert_snapshot!(desk.environment.proctor(["log"]).normalised(), @"
    exit code: 0
    --- stdout
        1  [MOMENT]  -  review rejected: tree [ID], [TERMINAL]  Ada Tester <ada@example.com>
    --- stderr
    ");
}

#[test]
fn every_number_is_gits_own() {
    let desk = Desk::new();
    for (name, before, after) in [
        (
            "plain.py",
            numbered("a", 40),
            numbered("a", 40).replace("7\n", "seven\n"),
        ),
        ("rewrite.py", numbered("x", 80), numbered("y", 90)),
        ("shuffled.py", numbered("x", 60), {
            let mut lines: Vec<String> = numbered("x", 60).lines().map(str::to_owned).collect();
            lines.rotate_left(17);
            lines.swap(3, 40);
            lines.join("\n")
        }),
        ("crlf.txt", "a\r\nb\r\n".to_owned(), "a\nb\n".to_owned()),
        ("$(whoami); rm -rf .py", "a\n".to_owned(), "b\n".to_owned()),
        ("-dash.py", "a\n".to_owned(), "a\nb".to_owned()),
        (
            "new\nline \"quoted\".py",
            "a\n".to_owned(),
            "c\n".to_owned(),
        ),
        ("emptied.txt", "a\n".to_owned(), String::new()),
        ("gone.txt", "a\nb\n".to_owned(), "\0".to_owned()),
    ] {
        desk.repository.write(name, before);
        desk.environment.write(format!("after/{name}"), after);
    }
    desk.repository.write(".gitattributes", "*.py -diff\n");
    desk.repository.write(".gitignore", "ignored/\n");
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff.py");
    desk.repository.write(odd, "a\n");
    desk.repository.commit_all("Before");
    // An attribute must not hide what changed; git is asked without it below.
    desk.repository.write(".gitattributes", "");
    let after = desk.environment.root().join("after");
    for entry in std::fs::read_dir(&after).expect("readable") {
        let entry = entry.expect("readable");
        let content = std::fs::read(entry.path()).expect("readable");
        desk.repository.write(entry.file_name(), content);
    }
    desk.repository.write(odd, "b\n");
    desk.repository.write("ignored/x.py", "no\n");
    std::fs::remove_file(desk.repository.path().join("README.md")).expect("removed");
    symlink("/etc/passwd", desk.repository.path().join("link")).expect("linked");
    desk.repository.write_executable("run.sh", "#!/bin/sh\n");

    let report = desk.report(&["--all"]);
    desk.repository.git(["add", "--all"]);
    assert_eq!(
        desk.repository.git(["write-tree"]),
        report["tree"],
        "the same tree"
    );
    let arguments = ["diff", "--cached", "--numstat", "-z", "--no-renames"];
    let output = desk
        .repository
        .git_command(arguments)
        .output()
        .expect("git runs");
    let mut expected = BTreeMap::new();
    for line in output
        .stdout
        .split(|byte| *byte == 0)
        .filter(|line| !line.is_empty())
    {
        let text = String::from_utf8_lossy(line).into_owned();
        let parts: Vec<&str> = text.splitn(3, '\t').collect();
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        let name = parts[2].replace('\n', "\\x0a").replace('\u{fffd}', "<ff>");
        expected.insert(name, (number(parts[0]), number(parts[1])));
    }
    let mut found = BTreeMap::new();
    for file in report["files"].as_array().expect("files") {
        let number = |key: &str| file[key].as_u64().expect("a number");
        let path = file["path"].as_str().expect("a path").to_owned();
        found.insert(path, (number("added"), number("deleted")));
    }
    assert_eq!(found, expected);
    for (path, flag) in [
        ("README.md", "DELETED"),
        ("link", "SYMLINK"),
        ("run.sh", "MODE"),
        ("gone.txt", "BINARY"),
        ("odd<ff>.py", "ODD-NAME"),
        (".gitattributes", "PROTECTED"),
    ] {
        let flagged = report["flagged"].as_array().expect("flagged");
        assert!(flagged.contains(&path.into()), "{path}");
        let file = report["files"].as_array().expect("files").iter();
        let file = file
            .clone()
            .find(|file| file["path"] == path)
            .expect("there");
        let flags = file["flags"].as_array().expect("flags");
        assert!(flags.contains(&flag.into()), "{file}");
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
     line = 7
     line = 8
     line = 9
    -line = 10

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    src/new.py  new file  NEW
    @@ -0,0 +1,1 @@
    +x = 1

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
    // Neither of these is what was shown.
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
fn what_git_is_told_to_hide_is_shown() {
    let desk = Desk::new();
    desk.repository.write("hidden.py", "a = 1\n");
    desk.repository.write("skipped.py", "a = 1\n");
    desk.repository.commit_all("Two");
    let git = |arguments: &[&str]| desk.repository.git(arguments);
    git(&["update-index", "--assume-unchanged", "hidden.py"]);
    git(&["update-index", "--skip-worktree", "skipped.py"]);
    git(&["config", "diff.ignoreSubmodules", "all"]);
    desk.repository.write("hidden.py", "a = 2\n");
    desk.repository.write("skipped.py", "a = 2\n");
    // Lists inside the git directory hide new files.
    let own_list = desk.environment.write("list", "listed.py\n");
    let own_list = own_list.display().to_string();
    git(&["config", "core.excludesFile", &own_list]);
    desk.repository
        .write(".git/info/exclude", "excluded.py\n/inner/\n/packages/\n");
    desk.repository.write("listed.py", "a = 1\n");
    desk.repository.write("packages/one.py", "a = 1\n");
    desk.repository.write("packages/two/three.py", "a = 1\n");
    desk.repository.write("excluded.py", "a = 1\n");
    // Nothing that could be committed.
    git(&["init", "--quiet", "inner"]);
    assert_eq!(
        git(&["status", "--porcelain"]),
        "",
        "git itself says nothing"
    );
    let report = desk.report(&["--all"]);
    assert_eq!(report["left_out"], json!(["packages/"]));
    let shown = desk.environment.proctor(["review", "--all", "--dry-run"]);
    insta::assert_snapshot!(shown.normalised(), @"
    exit code: 0
    --- stdout
    ────────────────────────────────────────────────────────────────────────────────
    Review of everything that is not committed
      into   main
      tree   [ID]

     excluded.py | +1 -0 +  NEW  EXCLUDED
     hidden.py   | +1 -1 +-  MAJOR-CHANGE
     listed.py   | +1 -0 +  NEW  EXCLUDED
     skipped.py  | +1 -1 +-  MAJOR-CHANGE
     4 files changed, 4 insertions(+), 2 deletions(-)

    WARNING: look closely at these files
      excluded.py  NEW  EXCLUDED
      hidden.py  MAJOR-CHANGE
      listed.py  NEW  EXCLUDED
      skipped.py  MAJOR-CHANGE

      MAJOR-CHANGE  differs in more than half as many lines as it had
      EXCLUDED      is hidden from `git status` by a list inside the git directory

    Not part of it, because lists inside the git directory hide these directories
      packages/  2 files

    ────────────────────────────────────────────────────────────────────────────────
    excluded.py  new file  NEW  EXCLUDED
    @@ -0,0 +1,1 @@
    +a = 1

    ────────────────────────────────────────────────────────────────────────────────
    hidden.py  MAJOR-CHANGE
    @@ -1,1 +1,1 @@
    -a = 1
    +a = 2

    ────────────────────────────────────────────────────────────────────────────────
    listed.py  new file  NEW  EXCLUDED
    @@ -0,0 +1,1 @@
    +a = 1

    ────────────────────────────────────────────────────────────────────────────────
    skipped.py  MAJOR-CHANGE
    @@ -1,1 +1,1 @@
    -a = 1
    +a = 2

    ────────────────────────────────────────────────────────────────────────────────
    4 files changed, 4 insertions(+), 2 deletions(-); tree [ID] into main
    WARNING: look closely at excluded.py, hidden.py, listed.py, skipped.py
    --- stderr
    ");
    let files: Vec<(String, String)> = report["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (text(&file["path"]), file["flags"].to_string()))
        .collect();
    let marked = r#"["NEW","EXCLUDED"]"#;
    let major = r#"["MAJOR-CHANGE"]"#;
    let expected = [
        ("excluded.py", marked),
        ("hidden.py", major),
        ("listed.py", marked),
        ("skipped.py", major),
    ];
    assert_eq!(
        files,
        expected.map(|(path, flags)| (path.to_owned(), flags.to_owned()))
    );
}

#[test]
fn what_a_gitignore_or_the_users_own_list_rules_out_is_left_out() {
    for named in [false, true] {
        let desk = Desk::new();
        desk.repository.write(".gitignore", "*.log\n");
        desk.repository.commit_all("Rules");
        if named {
            desk.environment.write("mine", "*.swp\n");
            let config = ["config", "--global", "core.excludesFile", "~/../mine"];
            desk.repository.git(config);
        } else {
            desk.environment.write("home/.config/git/ignore", "*.swp\n");
        }
        for name in ["a.log", "b.swp", "c.py"] {
            desk.repository.write(name, "a\n");
        }
        let files = desk.report(&["--all"])["files"].clone();
        let files = files.as_array().expect("files");
        let paths: Vec<String> = files.iter().map(|file| text(&file["path"])).collect();
        assert_eq!(paths, ["c.py"], "{named}");
    }
}

#[test]
fn nobody_but_a_person_at_a_terminal_approves() {
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
    error: files are in conflict, so nobody knows what is staged
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
fn a_hook_runs_only_if_somebody_committed_that_it_is_wanted_and_what_it_changes_is_shown() {
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
    hint: mend what the hook complains about, then review again
    ");
}
