//! A person is asked, and answers.

use crate::desk::{Desk, at_question, folded, numbered};
use crate::messages::says;

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
fn what_needs_a_person_is_left_to_one_in_an_agents_terminal() {
    let mut desk = Desk::with_large_file();
    desk.environment.set_variable("CLAUDECODE", "1");
    let mut terminal = desk.write_at_terminal();
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    insta::assert_snapshot!(desk.environment.normalise(terminal.screen().trim()), @"
    waiting: this is a coding agent's terminal (CLAUDECODE is set), and a person has to agree: state.py
      has 270 lines and would have 56 afterwards
    hint: in a terminal of your own: `proctor write` with the content in --from FILE; `--dry-run` says
      anywhere what would happen
    ");
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
    assert_eq!(desk.acts(), ["proposed", "blocked"]);
    // Tools act on this one, and an answer would come from a terminal all the same.
    let output = desk.write("conftest.py", "x = 1\n", &[]);
    output.expect_code(3);
    let said =
        "a person has to agree: tools execute conftest.py automatically: it is a protected file";
    assert!(output.stderr.contains(said), "{}", output.stderr);
    assert!(!desk.repository.path().join("conftest.py").exists());
    // Writes that need no consent continue, and so do dry runs.
    desk.write("small.py", "x = 1\n", &[]).expect_code(0);
    desk.write("state.py", "x = 1\n", &["--dry-run"])
        .expect_code(0);
    desk.write("state.py", "x = 1\n", &["--auto"])
        .expect_code(4);
    desk.write("state.py", "x = 1\n", &["--auto", "--force"])
        .expect_code(0);
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
fn a_file_saved_while_the_question_is_open_is_not_overwritten() {
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
        "PATH was changed by another program meanwhile and is left as it is",
    );
    assert_eq!(desk.repository.read("state.py"), saved);
    assert_eq!(desk.acts(), ["proposed", "approved", "failed"]);
}

#[test]
fn a_long_difference_is_cut_and_the_whole_of_it_is_shown_in_a_pager() {
    let mut desk = Desk::new();
    desk.repository.write("state.py", numbered("old", 3000));
    desk.environment.write("new.py", numbered("new", 56));
    let mut terminal = desk.write_at_terminal();
    terminal.expect("are hidden here; type WHOLE to see them in a pager");
    assert!(!terminal.screen().contains("old = 2999"));
    terminal.expect("Type APPEND");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1);

    // Where there is a pager it opens automatically, and again.
    desk.environment.remove_variable("PAGER");
    let mut terminal = desk.write_at_terminal();
    for (asked, again) in [(1, "WHOLE"), (2, "ABORT")] {
        terminal.expect_display(&["@@ -1,3000 +1,56 @@", "state.py"]);
        terminal.send(b"G");
        terminal.expect_display(&["+new = 56"]);
        terminal.send(b"q");
        terminal.expect_display(&["56 added, 3000 deleted"]);
        // The first question is on the screen again before the second one is asked.
        terminal.expect_display_where("the question is", |display| {
            display.matches("Type APPEND").count() == asked
                && display.trim_end().ends_with("ABORT:")
        });
        terminal.send_line(again);
    }
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
fn a_change_that_is_longer_than_the_screen_is_paged_and_what_was_asked_for_comes_first() {
    let mut desk = Desk::with_large_file();
    desk.environment.remove_variable("PAGER");
    let content = desk.environment.write("new.py", numbered("new", 56));
    let content = content.display().to_string();
    let words = [
        "write",
        "state.py",
        "--strategy",
        "append",
        "--from",
        &content,
    ];
    let mut terminal = desk.environment.proctor_on_terminal(words);
    // The pager has the whole screen; `q` leads to the question, with the numbers above it.
    terminal.expect("+new = 1");
    terminal.expect("h: keys");
    terminal.send(b"q");
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
    let words = [
        "write",
        "state.py",
        "--strategy",
        "insert",
        "--line",
        "1",
        "--from",
        &content,
    ];
    let mut terminal = desk.environment.proctor_on_terminal(words);
    terminal.expect("h: keys");
    terminal.send(b"q");
    terminal.expect("Type INSERT, APPEND, EXTEND or REPLACE");
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
    assert_eq!(desk.repository.read("state.py"), numbered("old", 270));
}
