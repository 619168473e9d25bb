//! The style of error messages, checked whenever a test makes something fail.

use crate::RunOutput;

/// The one sentence that a document promises word for word.
const PROMISED: &str = "Diff review gate cannot be bypassed.";

/// Fails the test unless this is one lower-case sentence without a full stop, as messages and hints are.
#[track_caller]
pub fn assert_message_style(said: &str) {
    let first = said.split(' ').next().unwrap_or_default();
    // Placeholders, names and files may begin as they like.
    let is_name = first.contains(['.', '/']) || !first.contains(char::is_lowercase);
    assert!(!said.trim().is_empty(), "a failure without words");
    assert!(
        is_name || !said.starts_with(char::is_uppercase) || said.starts_with(PROMISED),
        "begins like a title: {said}"
    );
    assert!(!said.ends_with(['.', '!']), "ends like a book: {said}");
}

/// Fails the test if a failed `proctor` did not say so in one sentence of our style and with a hint.
#[track_caller]
pub(crate) fn check(output: &RunOutput) {
    if !matches!(output.code, 1..=5 | 70 | 130) {
        return;
    }
    let starts = ["error: ", "waiting: ", "done: "];
    let said = output.stderr.lines().rev().find_map(|line| {
        let line = starts.iter().find_map(|start| line.strip_prefix(start))?;
        Some(line)
    });
    let shown = || output.normalised();
    let said = said.unwrap_or_else(|| panic!("nothing says what went wrong\n{}", shown()));
    assert_message_style(said);
    let mut hints = output
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("hint: "))
        .peekable();
    assert!(
        hints.peek().is_some(),
        "a failure without a hint: {said}\n{}",
        shown()
    );
    hints.for_each(assert_message_style);
}
