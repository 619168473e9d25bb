//! Reading a review with keys, on a real terminal.

use std::io::Write as _;

use proctor_testkit::Terminal;

use crate::desk::{Desk, at_question, numbered};

/// Shown at the question itself, not below the diff in the pager.
const QUESTION: &str = "DIFF shows it again";

/// Forty small files, a replaced one that is flagged, and a test.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.environment.remove_variable("PAGER");
    desk.repository.write("big.py", numbered("old", 270));
    for number in 1..=40 {
        let name = format!("src/part{number:02}.py");
        desk.repository.write(name, numbered("value", 20));
    }
    desk.repository.commit_all("Parts");
    desk.repository.write("big.py", numbered("new", 56));
    for number in 1..=40 {
        let name = format!("src/part{number:02}.py");
        let changed = numbered("value", 20).replace("value = 7\n", "value = seven\n");
        desk.repository
            .write(name, changed.replace("value = 19\n", "value = nineteen\n"));
    }
    desk.repository
        .write("tests/test_part.py", "def test_part():\n    assert 1\n");
    desk
}

/// At the first screen.
fn reading(desk: &Desk) -> Terminal {
    let mut terminal = desk.review_at_terminal(&["-m", "Parts"]);
    terminal.expect_display(&["Review of everything", "overview", "q: decide  h: keys"]);
    terminal
}

/// Presses keys and waits until the screen shows all of this.
fn press(terminal: &mut Terminal, keys: &str, shown: &[&str]) {
    terminal.send(keys.as_bytes());
    terminal.expect_display(shown);
}

/// A git that waits in one of its commands until a line is written into a pipe, and then continues or fails.
fn hesitating(desk: &mut Desk, command: &str) -> std::path::PathBuf {
    let pipe = desk.environment.root().join("pipe");
    let made = desk.environment.command("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let hesitate = format!(
        "read word < '{}'; [ \"$word\" = on ] || exit 9",
        pipe.display()
    );
    desk.environment.pretend_git(command, &hesitate);
    pipe
}

#[test]
fn the_names_are_on_the_screen_while_everything_is_still_being_read() {
    let mut desk = desk();
    let pipe = hesitating(&mut desk, "*--numstat*");
    let mut terminal = desk.review_at_terminal(&["-m", "Parts"]);
    let first = [
        "Review of everything that is not committed",
        "tree",
        " M big.py",
        " M src/part01.py",
        "42 files are being read",
    ];
    terminal.expect_display(&first);
    insta::assert_snapshot!(desk.display(&mut terminal), @"
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    Review of everything that is not committed
      into   main
      tree   [ID]

     M big.py
     M src/part01.py
     M src/part02.py
     M src/part03.py
     M src/part04.py
     M src/part05.py
     M src/part06.py
     M src/part07.py
     M src/part08.py
     M src/part09.py
     M src/part10.py
     M src/part11.py
     M src/part12.py
     M src/part13.py
     M src/part14.py
     M src/part15.py
     M src/part16.py
     M src/part17.py
     M src/part18.py
     M src/part19.py
     M src/part20.py
     M src/part21.py
     M src/part22.py
     M src/part23.py
     42 files are being read
    ");
    // The difference has not been shown yet, so nothing that is typed now counts.
    terminal.send(b"APPROVE\r");
    std::fs::write(&pipe, "on\n").expect("the pager reads it");
    terminal.expect_display(&["overview", "q: decide  h: keys"]);
    press(&mut terminal, "q", &[QUESTION]);
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
    insta::assert_snapshot!(desk.display(&mut terminal), @"
    42 files changed, 138 insertions(+), 350 deletions(-); tree [ID] into main
    WARNING: look closely at big.py
    Type APPROVE to continue or REJECT to abort. DIFF shows it again: done: rejected; nothing was committed
    hint: your files are as they were; change them and review again
    ");

    // Errors meanwhile are printed on the screen that stays.
    let mut terminal = desk.review_at_terminal(&["-m", "Parts"]);
    terminal.expect_display(&first);
    std::fs::write(&pipe, "fail\n").expect("the pager reads it");
    assert_eq!(terminal.wait(), 5, "{}", terminal.screen());
    insta::assert_snapshot!(desk.display(&mut terminal), @"
    error: git diff-tree failed: exit code 9
    hint: fix what git complains about and run the command again; nothing was lost
    ");
}

#[test]
fn what_turns_out_to_be_short_is_printed_all_the_same() {
    let desk = desk();
    desk.repository.commit_all("All of it");
    // Git has to look at all of them, and finds that nothing differs.
    let touch = |seconds: u64| {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        for name in desk.repository.git(["ls-files"]).lines() {
            let file = std::fs::File::open(desk.repository.path().join(name));
            file.and_then(|file| file.set_modified(time)).expect("ours");
        }
    };
    touch(1_000_000_000);
    let mut terminal = desk.review_at_terminal(&["-m", "Short"]);
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    let all = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    assert!(all.contains("43 files are being read"), "{all}");
    insta::assert_snapshot!(desk.display(&mut terminal), @"there is nothing to review: no changes");

    touch(1_000_000_001);
    let changed = desk.repository.read("src/part01.py");
    let changed = changed.replace("value = 3\n", "value = three\n");
    desk.repository.write("src/part01.py", changed);
    let mut terminal = desk.review_at_terminal(&["-m", "Short"]);
    terminal.expect(QUESTION);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    insta::assert_snapshot!(desk.display(&mut terminal), @"
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    Review of everything that is not committed
      into   main
      tree   [ID]

     src/part01.py | +1 -1 +-
     1 file changed, 1 insertion(+), 1 deletion(-)

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    src/part01.py
    @@ -1,6 +1,6 @@
       1  value = 1
       2  value = 2
       3 -value = 3
       3 +value = three
       4  value = 4
       5  value = 5
       6  value = 6

    ────────────────────────────────────────────────────────────────────────────────────────────────────
    1 file changed, 1 insertion(+), 1 deletion(-); tree [ID] into main
    Nothing is flagged. Type APPROVE to continue or REJECT to abort. DIFF shows it again: committed [ID] on main
    ");
}

#[test]
fn keys_lead_through_files_changes_and_flags_and_q_to_the_question() {
    let desk = desk();
    let mut terminal = reading(&desk);
    let terminal = &mut terminal;
    insta::assert_snapshot!("pager_overview", desk.display(terminal));
    press(
        terminal,
        "f",
        &["1/42 big.py  REPLACED MAJOR-CHANGE", "@@ -1,270 +1,56 @@"],
    );
    insta::assert_snapshot!("pager_flagged_file", desk.display(terminal));
    press(terminal, "f", &["no flagged file below"]);
    press(
        terminal,
        "]",
        &["2/42 tests/test_part.py  TEST NEW", "+def test_part():"],
    );
    press(terminal, "\t", &["3/42 src/part01.py", "+value = seven"]);
    press(terminal, "}", &["line 4 of", "@@ -4,7 +4,7 @@"]);
    press(terminal, "}", &["line 13 of", "+value = nineteen"]);
    press(terminal, "{", &["line 4 of"]);
    press(terminal, "j", &["line 5 of"]);
    press(terminal, "\x1b[A\x1b[A", &["line 3 of"]);
    press(terminal, " ", &["4/42 src/part02.py  line 11 of 19"]);
    press(terminal, "b", &["3/42 src/part01.py  line 3 of 19"]);
    press(
        terminal,
        "G",
        &["42 files changed", "WARNING: look closely at big.py"],
    );
    press(terminal, "g", &["overview  line 1 of"]);
    press(terminal, "/part17\r", &["line 30 of"]);
    press(terminal, "n", &["19/42 src/part17.py"]);
    press(terminal, "N", &["overview"]);
    press(terminal, "/nowhere\r", &["nowhere is nowhere"]);
    press(
        terminal,
        "?",
        &["next, previous flagged file", "any key goes back"],
    );
    insta::assert_snapshot!("pager_keys", desk.display(terminal));
    press(terminal, " ", &["overview"]);
    press(terminal, "~", &["h lists the keys"]);
    // The text after the key that leaves was not typed at the question.
    terminal.send(b"qAPPROVE\r");
    terminal.expect(QUESTION);
    at_question(&desk.environment, terminal);
    insta::assert_snapshot!("pager_question", desk.display(terminal));
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
    terminal.send_line("diff");
    terminal.expect_display(&["overview  line 1 of"]);
    terminal.send(b"q");
    terminal.expect(QUESTION);
    terminal.send_line("approve");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert_eq!(desk.repository.git(["status", "--porcelain"]), "");
}

#[test]
fn the_answer_may_be_typed_below_the_diff_as_the_same_whole_word() {
    let desk = desk();
    let mut terminal = reading(&desk);
    let terminal = &mut terminal;
    // Half a word is nothing, and can be deleted.
    press(terminal, "APPR", &["Type APPROVE to continue", "> APPR"]);
    press(terminal, "\x1b", &["q: decide  h: keys"]);
    press(terminal, "AB\x7f\x7f", &["q: decide  h: keys"]);
    // Another word is asked again at the question.
    press(terminal, "abc", &["> abc"]);
    terminal.send(b"\r");
    terminal.expect("Only a whole word is accepted");
    terminal.expect(QUESTION);
    terminal.send_line("DIFF");
    terminal.expect_display(&["overview  line 1 of", "Type APPROVE to continue"]);
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
    press(terminal, "approve", &["> approve"]);
    terminal.send(b"\r");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert!(terminal.screen().contains("Type APPROVE to continue"));
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "3");
}

#[test]
fn what_was_typed_before_the_first_screen_answers_nothing() {
    let mut desk = desk();
    let pipe = hesitating(&mut desk, "*show-toplevel*");
    let mut terminal = desk.review_at_terminal(&["-m", "Parts"]);
    // Opens as soon as git waits at its other end.
    let mut pipe = std::fs::File::create(pipe).expect("a pipe");
    terminal.send(b"APPROVE\rAPPROVE\r");
    pipe.write_all(b"on\n").expect("git reads it");
    terminal.expect_display(&["Review of everything", "q: decide  h: keys"]);
    press(&mut terminal, "]", &["1/42 big.py"]);
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
}

#[test]
fn what_fits_the_screen_is_printed_and_so_is_everything_without_a_pager() {
    let mut desk = Desk::new();
    desk.environment.remove_variable("PAGER");
    desk.repository.write("a.txt", "a\n");
    let mut terminal = desk.review_at_terminal(&["-m", "a"]);
    terminal.expect_display(&["+a", QUESTION]);
    terminal.send_line("reject");
    assert_eq!(terminal.wait(), 1);

    desk.repository.write("a.txt", numbered("a", 200));
    for variable in ["TERM", "PAGER", ""] {
        let before = match variable {
            "TERM" => "xterm",
            _ => "less",
        };
        let without = match variable {
            "TERM" => "dumb",
            _ => "cat",
        };
        let mut more = vec!["-m", "a"];
        if variable.is_empty() {
            more.push("--no-pager");
        } else {
            desk.environment.set_variable(variable, without);
        }
        let mut terminal = desk.review_at_terminal(&more);
        terminal.expect("+a = 200");
        terminal.expect(QUESTION);
        terminal.send_line("reject");
        assert_eq!(terminal.wait(), 1);
        if !variable.is_empty() {
            desk.environment.set_variable(variable, before);
        }
    }
}

#[test]
fn a_resized_window_is_redrawn_and_long_lines_are_wrapped() {
    let desk = desk();
    let line = format!("long = \"{}end of the line\"\n", "0123456789".repeat(30));
    desk.repository.write("src/part01.py", line);
    let mut terminal = reading(&desk);
    terminal.resize(40, 12);
    terminal.expect_display_where("a whole screen is", |display| {
        display.contains("q: decide") && display.lines().count() == 12
    });
    press(
        &mut terminal,
        "/end of the\r",
        &["\n↪ 45678901234567890123456789012345678901\n↪ 23456789end of the line\""],
    );
    terminal.resize(200, 50);
    terminal.expect_display_where("a whole screen is", |display| {
        display.contains("end of the line\"")
            && display.contains("q: decide")
            && display.lines().count() > 40
    });
    press(&mut terminal, "q", &[QUESTION]);
}

#[test]
fn hostile_bytes_stay_text_in_the_pager() {
    let desk = desk();
    let sneaky = format!(
        "# \x1b[2J\x1b[1;1Hgone \u{202e} back\n{}",
        numbered("x", 60)
    );
    desk.repository.write("src/part01.py", sneaky);
    let mut terminal = reading(&desk);
    press(
        &mut terminal,
        "/gone\r",
        &["\\x1b[2J\\x1b[1;1Hgone <U+202E> back"],
    );
    let raw = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    assert!(!raw.contains('\u{202e}') && !raw.contains("\x1b[1;1Hgone"));
}

/// The output of `stty` about a terminal before and after, where a shell waits for the program.
fn around(desk: &Desk, script: &str) -> Terminal {
    let proctor = desk.environment.proctor_command(["review", "-m", "no"]);
    let mut command = desk.environment.command("bash");
    let script = format!("set -m; before=$(stty -g); {script}");
    command.args(["--norc", "-c", &script]);
    command.arg("bash").arg(proctor.get_program());
    command.args(proctor.get_args());
    Terminal::spawn(&command)
}

const SAME: &str = "test \"$before\" = \"$(stty -g)\" && echo the terminal is as it was";

#[test]
fn interrupting_gives_the_terminal_back_and_decides_nothing() {
    let desk = desk();
    let mut terminal = around(&desk, &format!("\"$@\"; echo \"code $?\"; {SAME}"));
    terminal.expect_display(&["overview  line 1 of"]);
    terminal.send_control('c');
    terminal.expect_display(&["code 130", "the terminal is as it was"]);
    assert_eq!(terminal.wait(), 0);
    insta::assert_snapshot!(desk.display(&mut terminal), @"
    42 files changed, 138 insertions(+), 350 deletions(-); tree [ID] into main
    WARNING: look closely at big.py
    Type APPROVE to continue or REJECT to abort. DIFF shows it again: 
    Nothing was decided; come back with `proctor review`.
    error: interrupted; nothing was committed
    hint: come back with `proctor review`
    code 130
    the terminal is as it was
    ");
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
}

#[test]
fn putting_it_aside_gives_the_terminal_back_and_coming_back_draws_again() {
    let desk = desk();
    let script = format!(
        "\"$@\"; echo \"code $?\"; {SAME}; read line; fg > /dev/null; echo \"code $?\"; {SAME}"
    );
    let mut terminal = around(&desk, &script);
    terminal.expect_display(&["overview  line 1 of"]);
    terminal.send(b"]");
    terminal.expect_display(&["1/42 big.py"]);
    terminal.send_control('z');
    terminal.expect_display(&["code 148", "the terminal is as it was"]);
    assert!(
        !terminal.display().contains("big.py"),
        "{}",
        terminal.display()
    );
    terminal.send_line("");
    terminal.expect_display(&["1/42 big.py"]);
    press(&mut terminal, "q", &[QUESTION]);
    terminal.send_line("reject");
    terminal.expect("code 1");
    terminal.expect("the terminal is as it was");
}

#[test]
fn the_whole_question_is_there_on_a_narrow_screen_too() {
    let desk = desk();
    let mut terminal = reading(&desk);
    terminal.resize(40, 20);
    terminal.expect_display(&["Type APPROVE to continue or REJECT to", "  abort."]);
    press(&mut terminal, "q", &["abort. DIFF shows it again:"]);
}

#[test]
fn a_bug_of_ours_gives_the_terminal_back_and_is_told_on_it() {
    let mut desk = desk();
    desk.environment
        .set_variable("PROCTOR_PANIC_AT", "pager drawn");
    let mut terminal = around(&desk, &format!("\"$@\"; echo \"code $?\"; {SAME}"));
    terminal.expect_display(&[
        "error: a bug in proctor",
        "code 70",
        "the terminal is as it was",
    ]);
    let display = terminal.display();
    assert!(!display.contains("overview"), "{display}");
    let drawn = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    assert!(drawn.contains("overview"), "it had been in the pager");
    assert_eq!(terminal.wait(), 0);
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
}

#[test]
fn a_terminal_that_is_closed_decides_nothing() {
    let desk = desk();
    drop(reading(&desk));
    assert_eq!(desk.repository.git(["rev-list", "--count", "HEAD"]), "2");
}
