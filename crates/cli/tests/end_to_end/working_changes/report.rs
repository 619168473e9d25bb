//! The display of a person's own changes.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::desk::{Desk, at_question, folded, numbered};
use crate::project::{PROMPT, text};

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

    WARNING: look closely at these files
      rewritten.py  REPLACED  MAJOR-CHANGE
      shortened.py  REPLACED  MAJOR-CHANGE

      REPLACED      lost most of its lines, and few came in their place
      MAJOR-CHANGE  differs in more than half as many lines as it had

     rewritten.py | +56 -270 ++++++---------------------------------  REPLACED  MAJOR-CHANGE
     shortened.py | +0 -214  --------------------------  REPLACED  MAJOR-CHANGE
     2 files changed, 56 insertions(+), 484 deletions(-)

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    rewritten.py  REPLACED  MAJOR-CHANGE
    @@ -1,270 +1,56 @@
       1 -old = 1
    …
     270 -old = 270
       1 +new = 1
    …
      56 +new = 56

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    shortened.py  REPLACED  MAJOR-CHANGE
    @@ -54,217 +54,3 @@
      54  old = 54
      55  old = 55
      56  old = 56
      57 -old = 57
    …
     270 -old = 270

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
    // An attribute must not hide changes; git is asked without it below.
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

    WARNING: look closely at these files
      excluded.py  NEW  EXCLUDED
      hidden.py  MAJOR-CHANGE
      listed.py  NEW  EXCLUDED
      skipped.py  MAJOR-CHANGE

      MAJOR-CHANGE  differs in more than half as many lines as it had
      EXCLUDED      is hidden from `git status` by a list inside the git directory

     excluded.py | +1 -0 +  NEW  EXCLUDED
     hidden.py   | +1 -1 +-  MAJOR-CHANGE
     listed.py   | +1 -0 +  NEW  EXCLUDED
     skipped.py  | +1 -1 +-  MAJOR-CHANGE
     4 files changed, 4 insertions(+), 2 deletions(-)

    Not part of it, because lists inside the git directory hide these directories
      packages/  2 files

    ────────────────────────────────────────────────────────────────────────────────
    excluded.py  new file  NEW  EXCLUDED
    @@ -0,0 +1,1 @@
       1 +a = 1

    ────────────────────────────────────────────────────────────────────────────────
    hidden.py  MAJOR-CHANGE
    @@ -1,1 +1,1 @@
       1 -a = 1
       1 +a = 2

    ────────────────────────────────────────────────────────────────────────────────
    listed.py  new file  NEW  EXCLUDED
    @@ -0,0 +1,1 @@
       1 +a = 1

    ────────────────────────────────────────────────────────────────────────────────
    skipped.py  MAJOR-CHANGE
    @@ -1,1 +1,1 @@
       1 -a = 1
       1 +a = 2

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
