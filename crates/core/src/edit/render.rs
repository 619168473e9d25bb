//! Changes as a careful model writes them.

use std::fmt::Write as _;

use super::Change;
use crate::sections::longest_fence;

/// The changes as a reply that is read back as the same changes, however many fences and labels their
/// texts contain.
pub fn render(changes: &[Change]) -> String {
    let mut text = String::new();
    for (index, change) in changes.iter().enumerate() {
        // Longer than the shortest fence, because only those may contain labels.
        let inner = longest_fence(&change.find).max(longest_fence(&change.replace));
        let fence = "`".repeat(inner.max(3) + 1);
        let description: Vec<&str> = change.description.split_whitespace().collect();
        let _ = write!(
            text,
            "### CHANGE {}: {}\nFIND:\n{fence}\n{}{fence}\n\nREPLACE WITH:\n{fence}\n{}{fence}\n\n",
            index + 1,
            description.join(" "),
            ended(&change.find),
            ended(&change.replace),
        );
    }
    text + "### END\n"
}

/// With a line end, because a fence needs a line of its own.
fn ended(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{text}{end}")
}
