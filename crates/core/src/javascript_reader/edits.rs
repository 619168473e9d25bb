//! Changes of a text that leave every line where it is.

use std::ops::Range;

use tree_sitter::Node;

/// Where an insertion belongs among others at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Behind a piece of code: shorter pieces first.
    Behind(usize),
    /// Before it: longer pieces first.
    Before(std::cmp::Reverse<usize>),
    /// In its place.
    Instead,
}

/// Insertions and replacements that were collected.
#[derive(Debug, Default)]
pub(super) struct Edits {
    all: Vec<(usize, Rank, usize, Range<usize>, String)>,
}

impl Edits {
    /// Puts text before and after a piece of code. Later surroundings of the same piece go further inside.
    pub(super) fn surround(&mut self, node: Node<'_>, before: &str, behind: &str) {
        self.surround_range(node.byte_range(), before, behind);
    }

    /// The same for any piece of the text.
    pub(super) fn surround_range(&mut self, range: Range<usize>, before: &str, behind: &str) {
        let (length, order) = (range.len(), self.all.len());
        if !before.is_empty() {
            let rank = Rank::Before(std::cmp::Reverse(length));
            self.push(range.start..range.start, rank, order, before.to_owned());
        }
        if !behind.is_empty() {
            // The last one inserted before comes first after.
            let order = usize::MAX - order;
            let rank = Rank::Behind(length);
            self.push(range.end..range.end, rank, order, behind.to_owned());
        }
    }

    /// Puts something in the place of a piece of the text, whose line ends stay.
    pub(super) fn replace(&mut self, text: &str, range: Range<usize>, by: &str) {
        let old = text.get(range.clone()).unwrap_or_default();
        let ends: String = old.chars().filter(|letter| *letter == '\n').collect();
        let order = self.all.len();
        self.push(range, Rank::Instead, order, format!("{by}{ends}"));
    }

    fn push(&mut self, range: Range<usize>, rank: Rank, order: usize, text: String) {
        self.all.push((range.start, rank, order, range, text));
    }

    /// The text with all of them.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.all
            .sort_by_key(|(start, rank, order, _, _)| (*start, *rank, *order));
        let mut result = String::with_capacity(text.len() * 2);
        let mut end = 0;
        for (start, _, _, range, inserted) in self.all {
            result.push_str(text.get(end..start).unwrap_or_default());
            result.push_str(&inserted);
            end = end.max(range.end);
        }
        result.push_str(text.get(end..).unwrap_or_default());
        result
    }
}

#[cfg(test)]
mod tests {
    use super::Edits;

    #[test]
    fn what_surrounds_more_is_further_outside_and_lines_stay() {
        let mut edits = Edits::default();
        edits.surround_range(0..1, "(", ")");
        edits.surround_range(0..3, "[", "]");
        edits.surround_range(0..3, "{", "}");
        edits.surround_range(3..4, "<", ">");
        assert_eq!(edits.apply("abcd"), "[{(a)bc}]<d>");
        let mut edits = Edits::default();
        edits.replace("a\n.not.b", 1..6, "[x]");
        assert_eq!(edits.apply("a\n.not.b"), "a[x]\n.b");
        let mut edits = Edits::default();
        edits.replace("abc", 0..2, "x");
        edits.surround_range(0..3, "(", ")");
        assert_eq!(edits.apply("abc"), "(xc)");
    }
}
