//! `proctor write`: nothing is overwritten silently.

mod at_terminal;
mod names;

use proctor_testkit::{RunOutput, Terminal};
use serde_json::Value;

use crate::desk::{Desk, numbered};

impl Desk {
    /// A committed file of 270 lines, and 56 lines to replace it.
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
    // Without the flag and without a terminal a person is needed; --force alone changes nothing.
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
    hint: fix it first, or use another strategy; nothing was written

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
