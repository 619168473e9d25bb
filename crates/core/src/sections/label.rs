//! The lines that structure a reply.

/// A line that structures the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label<'a> {
    /// A file's block or its changes follow; holds the path, which may be empty.
    File(&'a str),
    /// A change follows; its number and description as far as they are given.
    Change(Option<u32>, &'a str),
    /// The text to be found follows. The one label that a block may contain: it closes nothing.
    Find,
    /// The replacement follows.
    ReplaceWith,
    /// The model gives up; holds the reason as far as it is on this line.
    GiveUp(&'a str),
    /// The model says that the tests are wrong; holds the reason as far as it is on this line.
    TestsAreWrong(&'a str),
    /// The reply is complete.
    End,
}

/// Reads a line as a label, if it is one.
pub(crate) fn label_of(line: &str) -> Option<Label<'_>> {
    let line = line.trim_end();
    match line {
        "FIND:" | "**FIND:**" => return Some(Label::Find),
        "REPLACE WITH:" | "**REPLACE WITH:**" => return Some(Label::ReplaceWith),
        "### END" => return Some(Label::End),
        _ => {}
    }
    let rest = line.strip_prefix("### ")?;
    if let Some(path) = rest.strip_prefix("FILE:") {
        return Some(Label::File(cleaned(path.trim())));
    }
    if let Some(rest) = rest.strip_prefix("CHANGE") {
        return change(rest);
    }
    let give_up = reason_behind("GIVE UP", rest).map(Label::GiveUp);
    give_up.or_else(|| reason_behind("TESTS ARE WRONG", rest).map(Label::TestsAreWrong))
}

/// The reason after these words, if the line has them; it may be empty.
fn reason_behind<'a>(words: &str, line: &'a str) -> Option<&'a str> {
    match line.strip_prefix(words)? {
        "" => Some(""),
        rest => rest.strip_prefix(':').map(str::trim),
    }
}

/// The text after `### CHANGE`: a number, a description, both or nothing. `### CHANGE LOG` is a heading.
fn change(rest: &str) -> Option<Label<'_>> {
    let rest = rest.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    let description = match rest.strip_prefix(':') {
        Some(description) => description.trim(),
        None if rest.is_empty() => "",
        None => return None,
    };
    Some(Label::Change(number.parse().ok(), description))
}

/// The path without the backticks that models like to put around it.
fn cleaned(written: &str) -> &str {
    written
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'))
        .unwrap_or(written)
        .trim()
}

/// A line of the other way to write a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    /// `<<<<<<< SEARCH`
    Search,
    /// `=======`, which ordinary text may contain as well.
    Divider,
    /// `>>>>>>> REPLACE`
    Replace,
}

/// Reads a line as a marker, if it is one.
pub(crate) fn marker_of(line: &str) -> Option<Marker> {
    match line.trim_end() {
        "<<<<<<< SEARCH" => Some(Marker::Search),
        "=======" => Some(Marker::Divider),
        ">>>>>>> REPLACE" => Some(Marker::Replace),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Label, label_of};

    #[test]
    fn labels_are_recognised_with_trailing_space() {
        let cases = [
            ("### FILE: a b.py \r\n", Label::File("a b.py")),
            ("### FILE:`a.py`\n", Label::File("a.py")),
            ("### GIVE UP: why\n", Label::GiveUp("why")),
            ("### TESTS ARE WRONG: why\n", Label::TestsAreWrong("why")),
            ("### TESTS ARE WRONG", Label::TestsAreWrong("")),
            ("### END  \n", Label::End),
            ("### CHANGE 12: why\r\n", Label::Change(Some(12), "why")),
            ("### CHANGE 3\n", Label::Change(Some(3), "")),
            ("### CHANGE: why\n", Label::Change(None, "why")),
            ("### CHANGE\n", Label::Change(None, "")),
            ("FIND: \n", Label::Find),
            ("**FIND:**\n", Label::Find),
            ("REPLACE WITH:\r\n", Label::ReplaceWith),
            ("**REPLACE WITH:**", Label::ReplaceWith),
        ];
        for (line, label) in cases {
            assert_eq!(label_of(line), Some(label), "{line:?}");
        }
    }

    #[test]
    fn other_headings_are_no_labels() {
        for line in [
            "## FILE: a",
            " ### FILE: a",
            "### FILES",
            "### ENDING",
            "### GIVE UPON",
            "### CHANGE LOG",
            "### CHANGES",
            "### CHANGE 1 and 2",
            " FIND:",
            "FIND: x",
            "find:",
            "REPLACE WITH: x",
        ] {
            assert_eq!(label_of(line), None, "{line}");
        }
    }
}
