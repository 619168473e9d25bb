//! Moving lines to another depth, in the habit of another file.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::language::children;
use super::outline::last_row;

/// The indentation of most lines of a text, if any are indented.
pub(super) fn unit(text: &str) -> Option<String> {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before = "";
    for line in text.lines() {
        let indent = leading(line);
        if line.trim().is_empty() {
            continue;
        }
        if let Some(step) = indent.strip_prefix(before)
            && !step.is_empty()
            && (step == "\t" || step.bytes().all(|byte| byte == b' '))
        {
            *steps.entry(step).or_default() += 1;
        }
        before = indent;
    }
    steps
        .into_iter()
        .filter(|(step, _)| *step == "\t" || step.len() > 1)
        .max_by_key(|(step, count)| (*count, usize::MAX - step.len()))
        .map(|(step, _)| step.to_owned())
}

/// The white space that a line begins with.
pub(super) fn leading(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// How lines move from one text to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift<'a> {
    /// The lines' original indentation.
    pub(super) from: &'a str,
    /// Their new indentation.
    pub(super) to: &'a str,
    pub(super) from_unit: &'a str,
    pub(super) to_unit: &'a str,
}

impl Shift<'_> {
    /// One line in its new place. A line that is less deep than the first stays where it is.
    pub(super) fn line(self, line: &str) -> String {
        if line.trim().is_empty() {
            return String::new();
        }
        let Some(rest) = line.strip_prefix(self.from) else {
            return line.to_owned();
        };
        if self.from_unit == self.to_unit {
            return format!("{}{rest}", self.to);
        }
        let mut indent = leading(rest);
        let code = &rest[indent.len()..];
        let mut depth = 0;
        while let Some(less) = indent.strip_prefix(self.from_unit) {
            depth += 1;
            indent = less;
        }
        format!("{}{}{indent}{code}", self.to, self.to_unit.repeat(depth))
    }
}

/// For every row of a text whether it begins inside a string.
pub(super) fn rows_in_strings(root: Node<'_>) -> Vec<bool> {
    let mut rows = vec![false; root.end_position().row + 2];
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        let is_string = matches!(
            node.kind(),
            "string" | "template_string" | "string_literal" | "raw_string_literal"
        );
        let (first, last) = (node.start_position().row, last_row(node));
        if is_string {
            rows[first + 1..=last.max(first)].fill(true);
        } else if last > first {
            pending.extend(children(node));
        }
    }
    rows
}
