//! The style of what goes wrong, looked at whenever a test makes something go wrong.

use crate::RunOutput;

/// The one sentence that a document promises word for word.
const PROMISED: &str = "Diff review gate cannot be bypassed.";

/// Fails the test if a failed `proctor` did not say so in one lower-case sentence without a full stop and with a hint.
#[track_caller]
pub(crate) fn check(output: &RunOutput) {
    let is_ours = matches!(output.code, 1..=5 | 70 | 130);
    // The parser of arguments has a style of its own.
    let is_usage = output.stderr.contains("For more information, try");
    if !is_ours || is_usage {
        return;
    }
    let starts = ["error: ", "waiting: "];
    let said = output.stderr.lines().rev().find_map(|line| {
        let line = starts.iter().find_map(|start| line.strip_prefix(start))?;
        Some(line)
    });
    let shown = || output.normalised();
    let said = said.unwrap_or_else(|| panic!("nothing says what went wrong\n{}", shown()));
    let first = said.split(' ').next().unwrap_or_default();
    let is_name = first.chars().all(|letter| !letter.is_lowercase());
    assert!(
        is_name || !said.starts_with(char::is_uppercase) || said.starts_with(PROMISED),
        "a message begins like a title: {said}\n{}",
        shown()
    );
    assert!(
        !said.ends_with('.') || said.ends_with(PROMISED),
        "a message ends with a full stop: {said}\n{}",
        shown()
    );
    let has_hint = output.stderr.lines().any(|line| line.starts_with("hint: "));
    assert!(has_hint, "a failure without a hint: {said}\n{}", shown());
}
