//! Lines that a model writes by mistake: the reply's own format, remarks in place of code, line numbers.

use memchr::memmem;

use crate::sections::{Label, Marker, label_of, marker_of};

/// A line of the reply's format in a text that is to become part of the file, where the file has no such line.
pub(super) fn marker_residue<'a>(replace: &'a str, body: &[u8]) -> Option<&'a str> {
    let is_format = |line: &&str| {
        marker_of(line).is_some_and(|marker| marker != Marker::Divider)
            || matches!(label_of(line), Some(Label::Change(..) | Label::ReplaceWith))
    };
    new_line(replace, body, is_format)
}

/// A remark such as `// ... rest of the code`, where the file has no such line.
pub(super) fn placeholder<'a>(replace: &'a str, body: &[u8]) -> Option<&'a str> {
    new_line(replace, body, |line| is_placeholder(line))
}

fn new_line<'a>(
    replace: &'a str,
    body: &[u8],
    is_wanted: impl Fn(&&'a str) -> bool,
) -> Option<&'a str> {
    let lines = replace.split('\n').map(|line| line.trim_end_matches('\r'));
    let mut found = lines.filter(is_wanted);
    found
        .find(|line| memmem::find(body, line.trim().as_bytes()).is_none())
        .map(str::trim)
}

/// Markers that begin a comment in some language.
const COMMENTS: [&str; 8] = ["//", "#", "--", "/*", "<!--", ";", "%", "*"];
/// Words with which something is left out.
const LEFT_OUT: [&str; 12] = [
    "rest",
    "existing",
    "remaining",
    "remainder",
    "unchanged",
    "omitted",
    "previous",
    "same",
    "other",
    "code",
    "implementation",
    "here",
];
/// Beginnings of remarks that leave something out when an ellipsis ends them.
const BEGINNINGS: [&str; 5] = [
    "rest of",
    "the rest of",
    "existing",
    "remaining",
    "unchanged",
];

fn is_placeholder(line: &str) -> bool {
    let line = line.trim();
    let Some(comment) = COMMENTS
        .iter()
        .find_map(|opening| line.strip_prefix(opening))
    else {
        return false;
    };
    let comment = comment.trim_end_matches("*/").trim_end_matches("-->");
    let comment = comment.trim_matches(|c: char| c.is_whitespace() || "[](){}/#".contains(c));
    let comment = comment.to_lowercase();
    let after = comment
        .strip_prefix("...")
        .or_else(|| comment.strip_prefix('…'));
    if let Some(after) = after {
        let words = after.trim_matches(|c: char| !c.is_alphanumeric());
        let mut all = words.split(|c: char| !c.is_alphanumeric());
        return words.is_empty() || all.any(|word| LEFT_OUT.contains(&word));
    }
    let ends = comment.ends_with("...") || comment.ends_with('…');
    ends && BEGINNINGS.iter().any(|words| comment.starts_with(words))
}

/// The text without `12 | ` before each line, if every line has that.
pub(super) fn without_line_numbers(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        plain.push_str(without_line_number(line)?);
    }
    (!plain.is_empty()).then_some(plain)
}

/// Whether some line has a number before it.
pub(super) fn has_line_numbers(text: &str) -> bool {
    text.lines().any(|line| without_line_number(line).is_some())
}

fn without_line_number(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() == rest.len() {
        return None;
    }
    let rest = digits.trim_start_matches(' ').strip_prefix('|')?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_in_place_of_code_are_recognised() {
        for line in [
            "// ... rest of code",
            "    # ... existing code ...",
            "# ...",
            "/* ... */",
            "<!-- … unchanged … -->",
            "# [... the remaining methods ...]",
            "// rest of the function unchanged ...",
            "-- ... same as before",
        ] {
            assert!(is_placeholder(line), "{line}");
        }
        for line in [
            "...",
            "    ...",
            "# wait for the server ...",
            "# read the remaining bytes...",
            "print('...')",
            "# existing users keep their names",
            "* a list",
            "#!/bin/sh",
            "# ... and then some",
        ] {
            assert!(!is_placeholder(line), "{line}");
        }
    }

    #[test]
    fn line_numbers_go_only_together() {
        let plain = without_line_numbers("  9 | a\n 10 |     b\n 11 |\n");
        assert_eq!(plain.as_deref(), Some("a\n    b\n\n"));
        assert_eq!(without_line_numbers("1 | a\nb\n"), None);
        assert_eq!(without_line_numbers("a | b\n"), None);
        assert!(has_line_numbers("b\n1 | a\n"));
        assert!(!has_line_numbers("b | 1\n"));
    }

    #[test]
    fn lines_of_the_format_are_residue_unless_the_file_has_them() {
        let text = "a\n>>>>>>> REPLACE\nb\n";
        assert_eq!(marker_residue(text, b"x"), Some(">>>>>>> REPLACE"));
        assert_eq!(marker_residue(text, b"x\n>>>>>>> REPLACE\n"), None);
        assert_eq!(marker_residue("a\n=======\n<<<<<<< HEAD\n", b"x"), None);
        assert_eq!(
            marker_residue("### CHANGE 2: x\n", b""),
            Some("### CHANGE 2: x")
        );
    }
}
