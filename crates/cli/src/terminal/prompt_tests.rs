//! The questions through pipes, and on a real terminal: this test program starts itself there again.

use std::io::Write as _;

use proctor_core::workflow::{Effect, step};
use proctor_host::driver::Watcher as _;
use proctor_host::surroundings::Surroundings;
use proctor_testkit::{Terminal, TestEnvironment};
use rustix::event::{PollFd, PollFlags, poll};

use super::*;
use crate::terminal::progress::{Progress, Verbosity};
use crate::terminal::sample::{
    LOG, answered, file, files, new_run, replacement, story, text, with_sheet,
};
use crate::terminal::style::ColourChoice;

const REVIEW_QUESTION: &str = "Type APPROVE to continue or REJECT to abort.";

/// The variable that tells this program, started on a terminal, which scene to play.
const SCENE: &str = "PROCTOR_TEST_SCENE";

fn decision(typed: &str) -> (Option<Choice>, String) {
    let (approver, captured) = answered(typed);
    let files = vec![file("a.py", text("a\n"), text("b\n"))];
    let choice = with_sheet(files, |sheet| approver.ask_for_decision(sheet));
    (choice, captured.text())
}

fn rejected(reason: &str) -> Choice {
    Choice::Reject {
        reason: reason.to_owned(),
    }
}

fn commented(text: &str) -> Choice {
    Choice::Comment {
        text: text.to_owned(),
    }
}

#[test]
fn no_comment_is_asked_again() {
    let (choice, text) = decision("comment\n.\nAPPROVE\n");
    assert_eq!(choice, Some(Choice::Approve));
    assert_eq!(text.matches("Type APPROVE").count(), 2);
}

#[test]
fn whole_words_in_any_letter_case_decide() {
    for (typed, choice) in [
        ("APPROVE\n", Choice::Approve),
        ("  approve \r\n", Choice::Approve),
        ("Reject\n", rejected("")),
        ("REJECT it breaks tax\n", rejected("it breaks tax")),
        ("COMMENT round it\n", commented("round it")),
        (
            "comment\nsrc/a.py:3: round it\n\nand test it\n.\n",
            commented("src/a.py:3: round it\n\nand test it"),
        ),
        ("abort\n", Choice::Abort),
    ] {
        assert_eq!(decision(typed).0, Some(choice), "{typed:?}");
    }
}

#[test]
fn anything_else_is_asked_again() {
    let (choice, text) = decision("y\nyes\n\nAPPROVE it\nAPPROV\nA P P R O V E\nreject\n");
    assert_eq!(choice, Some(rejected("")));
    assert_eq!(text.matches(REVIEW_QUESTION).count(), 7);
    let help = "Only a whole word is accepted: APPROVE, REJECT, COMMENT, DIFF, ABORT.";
    assert_eq!(text.matches(help).count(), 6);
}

#[test]
fn the_end_of_input_decides_nothing() {
    for typed in ["", "y\n", "APPROVE"] {
        let (choice, text) = decision(typed);
        assert_eq!(choice, None, "{typed:?}");
        assert!(text.ends_with("come back with `proctor review 87-123456`.\n"));
    }
}

#[test]
fn a_pipe_is_not_a_person() {
    let (mut approver, captured) = answered("APPROVE\nREPLACE\n");
    assert_eq!(approver.presence(), Presence::NoTerminal);
    assert_eq!(with_sheet(files(), |sheet| approver.decide(sheet)), None);
    assert!(approver.choose_writes(&[&replacement()]).is_none());
    assert_eq!(captured.text(), "");
}

#[test]
fn what_cannot_be_shown_is_not_asked_about() {
    struct Broken;
    impl io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::BrokenPipe))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (reader, mut writer) = io::pipe().expect("pipes are to be had");
    writer.write_all(b"APPROVE\n").expect("the pipe is open");
    let screen = Screen::to(Box::new(Broken), LOG);
    let approver = TerminalApprover::reading(reader, screen, Interrupt::never());
    let choice = with_sheet(files(), |sheet| approver.ask_for_decision(sheet));
    assert_eq!(choice, None);
}

/// Not a test on its own: plays a scene when one of the tests below starts this program.
#[test]
fn scene() {
    let surroundings = Surroundings::of_this_process();
    let Some(scene) = surroundings.text(SCENE) else {
        return;
    };
    let screen = Screen::stderr(ColourChoice::Auto, &surroundings);
    let interrupt = Interrupt::install().expect("signals can be handled");
    let mut approver = TerminalApprover::new(screen.clone(), interrupt);
    let answer = match scene {
        "decide" => format!("{:?}", with_sheet(files(), |sheet| approver.decide(sheet))),
        "replace" => {
            format!("{:?}", approver.choose_writes(&[&replacement()]))
        }
        "story" => play_story(&screen, &mut approver),
        other => panic!("no scene {other}"),
    };
    screen
        .print(&[Line::of(Ink::Plain, format!("answer: {answer}"))])
        .expect("the terminal is open");
}

/// A whole run in which the person is asked for real. The tests run until something was typed.
fn play_story(screen: &Screen, approver: &mut TerminalApprover) -> String {
    let mut progress = Progress::new(screen.clone(), Verbosity::Usual);
    let mut run = new_run();
    let mut answer = None;
    for event in story() {
        let effect = run.effect();
        progress.begins(&run, &effect);
        if matches!(effect, Effect::AskPerson { .. }) {
            answer = with_sheet(files(), |sheet| approver.decide(sheet));
            if answer != Some(Choice::Approve) {
                break;
            }
        } else if matches!(effect, Effect::JudgeRed(_)) {
            for number in 1..=8 {
                progress.line(&format!(
                    "tests/test_{number}.py::test_\u{1b}[31mred PASSED"
                ));
            }
            let stdin = io::stdin();
            poll(&mut [PollFd::new(&stdin, PollFlags::IN)], None).expect("stdin is open");
        }
        run = step(&run, &event).expect("the story is possible");
        progress.record(&run, &event);
    }
    format!("{answer:?}")
}

fn on_terminal(scene: &str) -> Terminal {
    let mut environment = TestEnvironment::without_binary();
    environment.set_variable(SCENE, scene);
    let program = std::env::current_exe().expect("this test is a program");
    let mut command = environment.command(program);
    command.args(["--exact", "--nocapture", "terminal::prompt::tests::scene"]);
    Terminal::spawn(&command)
}

#[test]
fn at_a_terminal_the_person_decides() {
    let mut terminal = on_terminal("decide");
    terminal.expect("+symbolic link to /etc/\\x1b[2Jpasswd");
    terminal.expect(REVIEW_QUESTION);
    terminal.send_line("y");
    terminal.expect("Only a whole word is accepted: APPROVE, REJECT, COMMENT, DIFF, ABORT.");
    terminal.expect(REVIEW_QUESTION);
    terminal.send_line("Approve");
    terminal.expect("answer: Some(Approve)");
    assert_eq!(terminal.wait(), 0);
}

#[test]
fn what_was_typed_before_the_question_does_not_answer_it() {
    let mut terminal = on_terminal("story");
    terminal.expect("N2 RedGate");
    terminal.send_line("APPROVE");
    terminal.expect(REVIEW_QUESTION);
    terminal.send_line("reject");
    terminal.expect("answer: Some(Reject { reason: \"\" })");
    assert_eq!(terminal.wait(), 0);
}

#[test]
fn closing_the_input_and_interrupting_decide_nothing() {
    for letter in ['d', 'c'] {
        let mut terminal = on_terminal("decide");
        terminal.expect(REVIEW_QUESTION);
        terminal.send_control(letter);
        terminal.expect("Nothing was decided; come back with `proctor review 87-123456`.");
        terminal.expect("answer: None");
        assert_eq!(terminal.wait(), 0);
    }
}

#[test]
fn at_a_terminal_the_person_allows_a_replacement() {
    let mut terminal = on_terminal("replace");
    terminal.expect("About to replace 2 lines with 1 line of src/x.py");
    terminal.expect("Type APPEND, INSERT, EXTEND or REPLACE");
    terminal.send_line("replace");
    terminal.expect("Type WRITE to write exactly this");
    terminal.send_line("write");
    terminal.expect("answer: Some(Write(");
}

#[test]
fn a_live_line_shows_the_last_output_and_gives_way_to_the_outcome() {
    let mut terminal = on_terminal("story");
    let line = |number| format!("    tests/test_{number}.py::test_\\x1b[31mred PASSED ");
    terminal.expect_display(&[
        "N2 RedGate      running the tests; the new ones have to fail (",
        " s)",
        &line(6),
        &line(7),
        &line(8),
    ]);
    terminal.send_line("");
    terminal.expect("✗ N2 RedGate      refused: tests/test_discount.py: the module");
    terminal.expect(REVIEW_QUESTION);
    terminal.send_line("abort");
    terminal.expect("answer: Some(Abort)");
    // Nothing draws while the person is asked.
    let screen = terminal.screen();
    let asked = screen.rfind(REVIEW_QUESTION).expect("it was asked");
    assert!(!screen[asked..].contains("waiting for you"), "{screen}");
}
