//! `proctor write`: nothing is overwritten silently.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

use proctor_testkit::{RunOutput, Terminal};
use serde_json::Value;

use crate::desk::{Desk, at_question, folded, numbered};
use crate::messages::says;

impl Desk {
    /// A committed file of 270 lines, and 56 lines that somebody wants in its place.
    fn with_large_file() -> Self {
        let desk = Self::new();
        desk.repository.write("state.py", numbered("old", 270));
        desk.environment.write("new.py", numbered("new", 56));
        desk
    }

    fn write(&self, path: &str, content: &str, more: &[&str]) -> RunOutput {
        let from = self.environment.write("content", content);
        let from = from.display().to_string();
        let mut arguments = vec!["write", "--from", &from];
        arguments.extend(more);
        arguments.extend(["--", path]);
        self.environment.proctor(arguments)
    }

    fn json(&self, path: &str, content: &str, more: &[&str]) -> (i32, Value) {
        let mut arguments = vec!["--format", "json"];
        arguments.extend(more);
        let output = self.write(path, content, &arguments);
        (output.code, output.json())
    }

    fn write_at_terminal(&self) -> Terminal {
        let from = self.environment.root().join("new.py");
        let from = from.display().to_string();
        self.environment
            .proctor_on_terminal(["write", "state.py", "--from", &from])
    }

    fn trail(&self) -> Vec<Value> {
        let log = self
            .environment
            .proctor(["log", "--verify", "--format", "json"]);
        log.expect_code(0);
        log.json()["records"].as_array().expect("records").clone()
    }

    fn acts(&self) -> Vec<String> {
        let act = |record: &Value| record["body"]["act"].as_str().map(str::to_owned);
        self.trail().iter().filter_map(act).collect()
    }
}

#[test]
fn a_new_file_is_written_without_a_question() {
    let desk = Desk::new();
    let (code, written) = desk.json("src/deep/a.py", "x = 1\n", &[]);
    assert_eq!(code, 0, "{written:#}");
    assert_eq!(written["path"], "src/deep/a.py");
    assert_eq!(written["existed"], false);
    assert_eq!(written["existing_lines"], 0);
    assert_eq!(written["new_lines"], 1);
    assert_eq!(written["requires_approval"], false);
    assert_eq!(written["strategy"], "replace");
    assert_eq!(written["written"], true);
    assert_eq!(written["sha256_before"], Value::Null);
    assert_eq!(written["sha256_after"].as_str().map(str::len), Some(64));
    assert_eq!(desk.repository.read("src/deep/a.py"), "x = 1\n");
    assert_eq!(desk.acts(), ["proposed", "approved", "written"]);
}

#[test]
fn up_to_one_hundred_lines_are_replaced_without_a_question_and_one_more_is_not() {
    for (lines, code) in [(1, 0), (50, 0), (100, 0), (101, 3), (150, 3)] {
        let desk = Desk::new();
        desk.repository.write("a.py", numbered("old", lines));
        let (found, written) = desk.json("a.py", "x = 1\n", &[]);
        assert_eq!(found, code, "{lines}: {written:#}");
        assert_eq!(written["requires_approval"], code == 3);
        assert_eq!(written["written"], code == 0);
        assert_eq!(desk.repository.read("a.py") == "x = 1\n", code == 0);
    }
}

#[test]
fn a_large_replacement_is_blocked_in_auto_mode_and_the_block_is_audited() {
    let desk = Desk::with_large_file();
    let before = desk.repository.read("state.py");
    let (code, refused) = desk.json("state.py", &numbered("new", 56), &["--auto"]);
    assert_eq!(code, 4);
    assert_eq!(refused["ok"], false);
    assert_eq!(refused["error"]["kind"], "safety");
    assert_eq!(refused["existing_lines"], 270);
    assert_eq!(refused["new_lines"], 56);
    assert_eq!(desk.repository.read("state.py"), before);
    // Without the flag and without a terminal somebody is needed; --force alone changes nothing.
    for more in [&[][..], &["--force"]] {
        let (code, refused) = desk.json("state.py", &numbered("new", 56), more);
        assert_eq!(code, 3, "{refused:#}");
    }
    assert_eq!(desk.repository.read("state.py"), before);
    let expected = ["proposed", "blocked"].repeat(3);
    assert_eq!(desk.acts(), expected);
}

#[test]
fn auto_and_force_replace_it_audited_and_what_was_there_can_be_had_back() {
    let desk = Desk::with_large_file();
    let before = desk.repository.read("state.py");
    let (code, written) = desk.json("state.py", &numbered("new", 56), &["--auto", "--force"]);
    assert_eq!(code, 0, "{written:#}");
    assert_eq!(desk.repository.read("state.py"), numbered("new", 56));
    let trail = desk.trail();
    let last = trail.last().expect("a record");
    assert_eq!(last["actor"], "--auto --force");
    assert_eq!(last["run"], Value::Null);
    let body = &last["body"];
    assert_eq!(body["act"], "written");
    assert_eq!(body["strategy"], "replace");
    assert_eq!(body["sha256_before"], written["sha256_before"]);
    assert_eq!(body["sha256_after"], written["sha256_after"]);
    let rescue = body["rescue"].as_str().expect("a reference");
    assert!(rescue.starts_with("refs/proctor/rescue/"));
    let kept = desk.repository.git(["cat-file", "blob", rescue]);
    assert_eq!(kept + "\n", before);
    insta::assert_snapshot!(desk.environment.proctor(["log"]).normalised(), @"
    exit code: 0
    --- stdout
        1  [MOMENT]  -  write proposed: state.py (replace, 270 -> 56 lines)  Ada Tester <ada@example.com>
        2  [MOMENT]  -  write approved: state.py (replace, 270 -> 56 lines)  --auto --force
        3  [MOMENT]  -  write written: state.py (replace, 270 -> 56 lines)  --auto --force
    --- stderr
    ");
}

#[test]
fn a_person_sees_the_replacement_and_confirms_exactly_that() {
    let desk = Desk::with_large_file();
    let mut terminal = desk.write_at_terminal();
    terminal.expect("-old = 1");
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    let shown = at_question(&desk.environment, &mut terminal);
    insta::assert_snapshot!(folded(shown.trim()), @"
    About to replace 270 lines with 56 lines of state.py
    strategy: replace
    56 added, 270 deleted
    @@ -1,270 +1,56 @@
    -old = 1
    …
    -old = 270
    +new = 1
    …
    +new = 56
    Type APPEND, INSERT, EXTEND or REPLACE to see what it does, WHOLE for the whole difference, SKIP or
      ABORT:
    ");
    // Fingers say these by themselves.
    for nothing in ["y", "", "yes"] {
        terminal.send_line(nothing);
        terminal.expect("Only a whole word is accepted");
    }
    terminal.send_line("replace");
    terminal.expect("strategy: replace");
    terminal.expect("Type WRITE to write exactly this");
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
    terminal.send_line("WRITE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert_eq!(desk.repository.read("state.py"), numbered("new", 56));
    assert_eq!(desk.acts(), ["proposed", "approved", "written"]);
    let trail = desk.trail();
    assert_eq!(trail[2]["actor"], "Ada Tester <ada@example.com>");
}

#[test]
fn every_strategy_can_be_chosen_and_is_shown_before_it_is_confirmed() {
    let (old, new) = (numbered("old", 270), numbered("new", 56));
    let cases = [
        ("APPEND", None, format!("{old}{new}")),
        ("INSERT", Some("1"), format!("{new}{old}")),
        ("REPLACE", None, new.clone()),
    ];
    for (word, line, expected) in cases {
        let desk = Desk::with_large_file();
        let mut terminal = desk.write_at_terminal();
        terminal.expect("Type APPEND");
        terminal.send_line(word);
        if let Some(line) = line {
            terminal.expect("Which line");
            terminal.send_line("900");
            terminal.expect("there is no line 900");
            terminal.expect("Type APPEND");
            terminal.send_line(word);
            terminal.expect("Which line");
            terminal.send_line(line);
        }
        terminal.expect(&format!("strategy: {}", word.to_lowercase()));
        terminal.expect("Type WRITE");
        terminal.send_line("back");
        terminal.expect("Type APPEND");
        terminal.send_line(word);
        if let Some(line) = line {
            terminal.expect("Which line");
            terminal.send_line(line);
        }
        terminal.expect("Type WRITE");
        terminal.send_line("write");
        assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
        assert_eq!(desk.repository.read("state.py"), expected, "{word}");
    }
}

#[test]
fn a_strategy_that_does_not_work_is_said_and_another_can_be_chosen() {
    let desk = Desk::with_large_file();
    desk.environment.write("new.py", "old = 5\n");
    let mut terminal = desk.write_at_terminal();
    terminal.expect("Type APPEND");
    terminal.send_line("EXTEND");
    terminal.expect("strategy: extend");
    terminal.expect("Type WRITE");
    terminal.send_line("BACK");
    terminal.expect("Type APPEND");
    terminal.send_line("SKIP");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
    desk.environment.write("new.py", "def broken(:\n");
    let mut terminal = desk.write_at_terminal();
    terminal.expect("Type APPEND");
    terminal.send_line("EXTEND");
    terminal.expect("That does not work: the new text has a syntax error at line 1");
    terminal.expect("Type APPEND");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
    let expected = ["proposed", "declined"].repeat(2);
    assert_eq!(desk.acts(), expected);
}

#[test]
fn leaving_decides_nothing_and_what_was_typed_before_does_not_count() {
    let desk = Desk::with_large_file();
    let mut terminal = desk.write_at_terminal();
    terminal.send_line("REPLACE");
    terminal.send_line("WRITE");
    terminal.expect("Type APPEND");
    terminal.send_control('d');
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
}

#[test]
fn a_file_that_somebody_saves_while_the_question_stands_is_not_written_over() {
    let desk = Desk::with_large_file();
    let mut terminal = desk.write_at_terminal();
    terminal.expect("Type APPEND");
    terminal.send_line("APPEND");
    terminal.expect("Type WRITE");
    let saved = numbered("saved", 271);
    desk.repository.write("state.py", &saved);
    terminal.send_line("WRITE");
    says(
        &mut terminal,
        1,
        "PATH was changed by somebody else meanwhile and is left as it is",
    );
    assert_eq!(desk.repository.read("state.py"), saved);
    assert_eq!(desk.acts(), ["proposed", "approved", "failed"]);
}

#[test]
fn writers_at_the_same_time_wait_for_each_other_and_nothing_is_lost() {
    const WRITERS: usize = 8;
    let desk = Desk::new();
    desk.repository.write("list.txt", "first\n");
    let writers: Vec<_> = (0..WRITERS)
        .map(|number| {
            let from = format!("line-{number}");
            let from = desk.environment.write(&from, format!("{from}\n"));
            let arguments = ["write", "list.txt", "--strategy", "append", "--from"];
            let mut command = desk.environment.proctor_command(arguments);
            command.arg(from);
            command.stdout(std::process::Stdio::null());
            command.spawn().expect("started")
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().expect("ended").success());
    }
    let text = desk.repository.read("list.txt");
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.remove(0), "first");
    lines.sort_unstable();
    let expected: Vec<String> = (0..WRITERS)
        .map(|number| format!("line-{number}"))
        .collect();
    assert_eq!(lines, expected);
    assert_eq!(desk.acts().len(), WRITERS * 3);
}

#[test]
fn a_long_difference_is_cut_and_the_whole_of_it_is_shown_in_a_pager() {
    let mut desk = Desk::new();
    desk.repository.write("state.py", numbered("old", 3000));
    desk.environment.write("new.py", numbered("new", 56));
    desk.environment.remove_variable("PAGER");
    let mut terminal = desk.write_at_terminal();
    terminal.expect("are hidden here; type WHOLE to see them in a pager");
    assert!(!terminal.screen().contains("old = 2999"));
    terminal.expect("Type APPEND");
    terminal.send_line("WHOLE");
    terminal.expect_display(&["@@ -1,3000 +1,56 @@", "state.py"]);
    terminal.send(b"G");
    terminal.expect_display(&["+new = 56"]);
    terminal.send(b"q");
    terminal.expect("Type APPEND");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1);
}

#[test]
fn deletions_are_red_additions_green_and_changed_words_stand_out() {
    let mut desk = Desk::with_large_file();
    desk.environment.remove_variable("NO_COLOR");
    let changed = numbered("old", 270).replace("old = 9\n", "old = nine\n");
    desk.environment.write("new.py", changed);
    let mut terminal = desk.write_at_terminal();
    terminal.expect("Type APPEND");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1);
    let raw = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    let changed = raw
        .lines()
        .filter(|line| line.contains('9') || line.contains("nine"));
    let changed: Vec<String> = changed.map(|line| format!("{line:?}")).collect();
    insta::assert_snapshot!(changed.join("\n"), @r#"
    "\u{1b}[31m-old = \u{1b}[0m\u{1b}[1m\u{1b}[4m\u{1b}[31m9\u{1b}[0m"
    "\u{1b}[32m+old = \u{1b}[0m\u{1b}[1m\u{1b}[4m\u{1b}[32mnine\u{1b}[0m"
    "#);
}

#[test]
fn append_insert_and_extend_from_the_command_line() {
    let desk = Desk::new();
    desk.repository.write("a.txt", "one\ntwo\n");
    desk.write("a.txt", "three\n", &["--strategy", "append"])
        .expect_code(0);
    desk.write("a.txt", "zero\n", &["--strategy", "insert", "--line", "1"])
        .expect_code(0);
    assert_eq!(desk.repository.read("a.txt"), "zero\none\ntwo\nthree\n");
    desk.repository.write("a.py", "class A:\n    x = 1\n");
    let (code, written) = desk.json("a.py", "class A:\n    y = 2\n", &["--strategy", "extend"]);
    assert_eq!(code, 0, "{written:#}");
    assert_eq!(written["strategy"], "extend");
    assert_eq!(
        desk.repository.read("a.py"),
        "class A:\n    x = 1\n    y = 2\n"
    );
    // A large file: adding a little keeps it, so --auto may; a replacement it may not.
    desk.repository.write("large.py", numbered("old", 200));
    desk.write("large.py", "new = 1\n", &["--strategy", "append", "--auto"])
        .expect_code(0);
    desk.write("large.py", "new = 1\n", &["--auto"])
        .expect_code(4);
}

#[test]
fn what_cannot_be_merged_says_why_and_changes_nothing() {
    let desk = Desk::new();
    desk.repository.write("a.py", "def f():\n    return 1\n");
    desk.repository.write("a.rb", "puts 1\n");
    let insert = |line: &'static str| ["--strategy", "insert", "--line", line];
    let extend = ["--strategy", "extend"];
    let cases: [(&str, &str, &[&str], i32); 8] = [
        ("a.py", "x", &["--strategy", "insert"], 2),
        ("a.py", "x", &["--line", "3"], 2),
        ("a.py", "x", &insert("0"), 2),
        ("a.py", "x", &insert("-1"), 2),
        ("a.py", "x", &insert("3"), 2),
        ("a.py", "def f():\n    return 2\n", &extend, 1),
        ("a.py", "def (", &extend, 1),
        ("a.rb", "x", &extend, 1),
    ];
    let mut said = Vec::new();
    for (path, content, more, code) in cases {
        let before = desk.repository.read(path);
        let output = desk.write(path, content, more);
        output.expect_code(code);
        said.push(format!("{} {content:?}", more.join(" ")));
        said.push(output.normalised_stderr());
        assert_eq!(desk.repository.read(path), before);
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    --strategy insert "x"
    error: insert needs a line
    hint: add --line N, counted from 1

    --line 3 "x"
    error: --line is for --strategy insert
    hint: add --strategy insert, or leave --line out

    --strategy insert --line 0 "x"
    error: there is no line 0 to insert at; the file has 2
    hint: give a line of the file with --line, or use --strategy append

    --strategy insert --line -1 "x"
    error: there is no line -1 to insert at; the file has 2
    hint: give a line of the file with --line, or use --strategy append

    --strategy insert --line 3 "x"
    error: there is no line 3 to insert at; the file has 2
    hint: give a line of the file with --line, or use --strategy append

    --strategy extend "def f():\n    return 2\n"
    error: function `f` is at line 1 already and differs from line 1 of the new text
    hint: extend only adds; change the member by an edit, or use --strategy replace

    --strategy extend "def ("
    error: the new text has a syntax error at line 1, column 1
    hint: mend it first, or use another strategy; nothing was written

    --strategy extend "x"
    error: a.rb is not in a language that can be extended
    hint: extend knows Python, TypeScript, JavaScript, Rust, Go and Java; append, insert and replace work on every text
    "#);
}

#[test]
fn a_dry_run_says_what_would_happen_and_leaves_nothing() {
    let desk = Desk::with_large_file();
    let (code, said) = desk.json("state.py", "x = 1\n", &["--dry-run"]);
    assert_eq!(code, 0, "{said:#}");
    assert_eq!(said["requires_approval"], true);
    assert_eq!(said["written"], false);
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
    assert!(!desk.repository.exists(".git/proctor"));
}

#[test]
fn hostile_paths_are_refused_and_nothing_is_created() {
    let desk = Desk::new();
    let outside = desk.environment.write("outside/secret.txt", "outside\n");
    let root = desk.repository.path();
    symlink(outside.parent().unwrap(), root.join("way-out")).unwrap();
    symlink(&outside, root.join("leaf")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink(".git", root.join("alias")).unwrap();
    symlink("/proc/self/root", root.join("magic")).unwrap();
    std::fs::hard_link(&outside, root.join("hard")).unwrap();
    std::fs::create_dir(root.join("directory")).unwrap();
    let made = desk.environment.run({
        let mut command = desk.environment.command("mkfifo");
        command.arg(root.join("pipe"));
        command
    });
    made.expect_code(0);
    let _socket = UnixListener::bind(root.join("socket")).unwrap();
    let long = "x".repeat(256);
    let before = desk.environment.run(listing(&desk));
    for hostile in [
        "../outside/x",
        "src/../../x",
        "../repo-evil/s",
        "/etc/passwd",
        "//etc/passwd",
        "",
        "/",
        "src/a.py/",
        ".",
        "..",
        "way-out/x",
        "leaf",
        "dangling",
        "loop",
        "alias/config",
        "alias/hooks/pre-commit",
        "magic/tmp/x",
        "hard",
        "directory",
        "pipe",
        "socket",
        "pipe/x",
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".git\\config",
        "sub/.git/config",
        "git~1/config",
        ".g\u{200c}it/config",
        "C:\\x",
        "\\\\srv\\s",
        "CON",
        "aux.rs",
        "a\nb",
        "a\u{1b}[2J",
        "a\u{202e}b",
        "a\u{200b}b",
        "\u{ff0e}\u{ff0e}/x",
        "-rf",
        "~/x",
        ":(top)x",
        "a*",
        "a?",
        "name.",
        "name ",
        "e\u{301}.py",
        &long,
    ] {
        let output = desk.write(hostile, "evil\n", &["--auto", "--force"]);
        assert_eq!(output.code, 4, "{hostile:?}: {}", output.stderr);
    }
    let after = desk.environment.run(listing(&desk));
    assert_eq!(before.stdout, after.stdout);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "outside\n");
}

/// Every name below the environment, with kind, size and time; what the test hands over aside.
fn listing(desk: &Desk) -> std::process::Command {
    let mut command = desk.environment.command("sh");
    command
        .args([
            "-c",
            "find repo outside home state -printf '%p %y %s %T@\\n' | sort",
        ])
        .current_dir(desk.environment.root());
    command
}

#[test]
fn a_directory_swapped_for_a_link_while_writing_lets_nothing_out() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let desk = Desk::new();
    let outside = desk.environment.write("outside/file.txt", "outside\n");
    let link = desk.environment.root().join("link");
    symlink(outside.parent().unwrap(), &link).unwrap();
    desk.repository.write("swapped/file.txt", "inside\n");
    let swapped = desk.repository.path().join("swapped");
    let exchange = || renameat_with(CWD, &swapped, CWD, &link, RenameFlags::EXCHANGE).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                // At no moment is there nothing under either name.
                exchange();
            }
        });
        for number in 0..30 {
            let output = desk.write("swapped/file.txt", &format!("{number}\n"), &["--auto"]);
            // Where it is a link at that moment the write is refused, or the file's turn has come.
            assert!([0, 4, 5].contains(&output.code), "{}", output.stderr);
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "outside\n");
    let beside = std::fs::read_dir(outside.parent().unwrap()).unwrap();
    assert_eq!(beside.count(), 1, "nothing was made there either");
}

#[test]
fn odd_but_legitimate_names_are_written() {
    let desk = Desk::new();
    for name in [
        "é.py",
        "a; rm -rf .py",
        "$(whoami).txt",
        "src/app.test.tsx",
        "docs/[id].md",
        ".hidden",
        "a b.txt",
        "中文/文件.md",
    ] {
        desk.write(name, "fine\n", &[]).expect_code(0);
        assert_eq!(desk.repository.read(name), "fine\n");
    }
}

#[test]
fn names_that_make_tools_act_need_a_person() {
    let desk = Desk::new();
    for name in [
        ".gitattributes",
        "conftest.py",
        ".github/workflows/ci.yml",
        "build.rs",
    ] {
        desk.write(name, "x\n", &[]).expect_code(4);
        desk.write(name, "x\n", &["--auto"]).expect_code(4);
        assert!(!desk.repository.exists(name), "{name}");
    }
    desk.write("conftest.py", "x = 1\n", &["--auto", "--force"])
        .expect_code(0);
}

#[test]
fn standard_input_is_content_and_a_leftover_is_swept() {
    let desk = Desk::new();
    let stray = desk
        .repository
        .write(".proctor-0123456789abcdef.tmp", "half");
    let script = "printf 'piped\\n' | \"$0\" write a.txt";
    let mut command = desk.environment.command("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_proctor")]);
    desk.environment.run(command).expect_code(0);
    assert_eq!(desk.repository.read("a.txt"), "piped\n");
    assert!(!stray.exists());
}
