//! What a reviewer sees is so.

use crate::desk::{Desk, at_question, numbered};
use crate::project::PROMPT;

#[test]
fn the_tail_of_a_long_line_cannot_pass_for_a_line_of_its_own() {
    let mut desk = Desk::new();
    desk.environment.set_variable("NO_COLOR", "1");
    // Breaks where the screen of 100 columns ends, just before what looks like another line.
    let long = format!("{}-    check_password(user)", "x".repeat(99));
    desk.repository.write("long.py", format!("{long}\n"));
    let mut terminal = desk.review_at_terminal(&["-m", "Long"]);
    terminal.expect(PROMPT);
    let shown = at_question(&desk.environment, &mut terminal);
    assert!(shown.contains("\n↪ -    check_password(user)\n"), "{shown}");
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);

    // The same in the pager, where there are no more letters than ASCII's.
    desk.environment.remove_variable("PAGER");
    desk.environment.set_variable("LC_ALL", "C");
    desk.repository.write("more.py", numbered("value", 60));
    let mut terminal = desk.review_at_terminal(&["-m", "Long"]);
    terminal.expect_display(&["overview"]);
    terminal.send(b"]");
    terminal.expect_display(&["long.py", "> -    check_password(user)"]);
    terminal.send(b"q");
    terminal.expect("DIFF shows it again");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
}

#[test]
fn a_line_that_fits_is_not_broken_and_a_pipe_gets_lines_whole() {
    let desk = Desk::new();
    let long = "x".repeat(300);
    desk.repository.write("long.py", format!("{long}\n"));
    let output = desk.environment.proctor(["review", "--all", "--dry-run"]);
    output.expect_code(0);
    assert!(
        output.stdout.contains(&format!("\n+{long}\n")),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains('↪'), "{}", output.stdout);
}
