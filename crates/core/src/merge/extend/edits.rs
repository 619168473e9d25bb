//! Changes to a text, collected first and made together.

use std::ops::Range;

use tree_sitter::{InputEdit, Point, Tree};

/// Changes to one text.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Puts a text in front of the byte at `position`; several at one place stay in their order.
    pub(super) fn insert(&mut self, position: usize, text: String) {
        self.list.push((position..position, text));
    }

    /// Puts a text in the place of another.
    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        self.list.push((range, text));
    }

    /// In the order of the text, with the line ends of the text around them.
    pub(super) fn settled(mut self, line_end: &str) -> Self {
        self.list.sort_by_key(|(range, _)| range.start);
        for (_, new) in &mut self.list {
            *new = new.replace('\n', line_end);
        }
        self
    }

    /// Whether nothing changes.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text with all changes.
    pub(super) fn applied(&self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut next = 0;
        for (range, new) in &self.list {
            result.push_str(&text[next..range.start]);
            result.push_str(new);
            next = range.end;
        }
        result.push_str(&text[next..]);
        result
    }

    /// Applies the changes to a tree of the text, so that only the touched parts are parsed again.
    pub(super) fn tell(&self, tree: &mut Tree, text: &str) {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let point = |byte: usize| {
            let row = ends.partition_point(|end| *end < byte);
            let start = row.checked_sub(1).map_or(0, |before| ends[before] + 1);
            Point::new(row, byte - start)
        };
        // From the end, so that no change moves one that is still to be applied.
        for (range, new) in self.list.iter().rev() {
            let start = point(range.start);
            let rows = new.matches('\n').count();
            let column = match new.rfind('\n') {
                Some(at) => new.len() - at - 1,
                None => start.column + new.len(),
            };
            tree.edit(&InputEdit {
                start_byte: range.start,
                old_end_byte: range.end,
                new_end_byte: range.start + new.len(),
                start_position: start,
                old_end_position: point(range.end),
                new_end_position: Point::new(start.row + rows, column),
            });
        }
    }
}
