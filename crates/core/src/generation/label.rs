//! The lines that structure a reply.

/// A line that structures the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label<'a> {
    /// A file's block follows; holds the path, which may be empty.
    File(&'a str),
    /// The model gives up; holds the reason as far as it is on this line.
    GiveUp(&'a str),
    /// The reply is complete.
    End,
}

/// Reads a line as a label, if it is one.
pub(super) fn label_of(line: &str) -> Option<Label<'_>> {
    let rest = line.trim_end().strip_prefix("### ")?;
    if rest == "END" {
        return Some(Label::End);
    }
    if let Some(path) = rest.strip_prefix("FILE:") {
        return Some(Label::File(cleaned(path.trim())));
    }
    match rest.strip_prefix("GIVE UP")? {
        "" => Some(Label::GiveUp("")),
        rest => rest.strip_prefix(':').map(|it| Label::GiveUp(it.trim())),
    }
}

/// The path without the backticks that models like to put around it.
fn cleaned(written: &str) -> &str {
    written
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'))
        .unwrap_or(written)
        .trim()
}

#[cfg(test)]
mod tests {
    use super::{Label, label_of};

    #[test]
    fn labels_are_recognised_with_trailing_space() {
        assert_eq!(
            label_of("### FILE: a b.py \r\n"),
            Some(Label::File("a b.py"))
        );
        assert_eq!(label_of("### FILE:`a.py`\n"), Some(Label::File("a.py")));
        assert_eq!(label_of("### GIVE UP: why\n"), Some(Label::GiveUp("why")));
        assert_eq!(label_of("### END  \n"), Some(Label::End));
    }

    #[test]
    fn other_headings_are_no_labels() {
        for line in [
            "## FILE: a",
            " ### FILE: a",
            "### FILES",
            "### ENDING",
            "### GIVE UPON",
        ] {
            assert_eq!(label_of(line), None, "{line}");
        }
    }
}
