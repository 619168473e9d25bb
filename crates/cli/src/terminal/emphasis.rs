//! Words that changed within a line stand out from those that did not.

use std::collections::BTreeMap;
use std::ops::Range;

use proctor_core::diff::{Hunk, Piece, Tag, changed_words};
use proctor_core::visible::escape;

/// Which bytes of a hunk's lines, as they are shown, are other words than before.
#[derive(Debug, Default)]
pub(super) struct Emphasis {
    lines: BTreeMap<usize, Vec<Range<usize>>>,
}

impl Emphasis {
    /// Pairs each deleted line with the added one that replaces it. Lines with hidden characters are left out: other
    /// code shows what they hide.
    pub(super) fn of(hunk: &Hunk) -> Self {
        let mut emphasis = Self::default();
        let mut position = 0;
        while position < hunk.lines.len() {
            let run = |from: usize, tag| {
                let lines = hunk.lines[from..].iter();
                lines.take_while(|line| line.tag == tag).count()
            };
            let removed = run(position, Tag::Removed);
            let added = run(position + removed, Tag::Added);
            if removed == added {
                for offset in 0..removed {
                    emphasis.pair(hunk, position + offset, position + removed + offset);
                }
            }
            position += (removed + added).max(1);
        }
        emphasis
    }

    fn pair(&mut self, hunk: &Hunk, old: usize, new: usize) {
        let shown = |position: usize| escape(hunk.lines[position].content());
        let (before, after) = (shown(old), shown(new));
        if before.has_hidden_characters || after.has_hidden_characters {
            return;
        }
        if let Some((before, after)) = changed_words(&before.text, &after.text) {
            self.lines.insert(old, changed(&before));
            self.lines.insert(new, changed(&after));
        }
    }

    /// The ranges to mark in the line at a position of the hunk.
    pub(super) fn line(&self, position: usize) -> &[Range<usize>] {
        self.lines.get(&position).map_or(&[], Vec::as_slice)
    }
}

fn changed(pieces: &[Piece<'_>]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut ranges = Vec::new();
    for (changed, text) in pieces {
        if *changed {
            ranges.push(start..start + text.len());
        }
        start += text.len();
    }
    ranges
}

#[cfg(test)]
mod tests {
    use proctor_core::diff::LineDiff;

    use super::*;

    #[test]
    fn changed_words_are_found_in_both_lines() {
        let diff = LineDiff::between(b"return limit + 1\n", b"return bounds + 1\n");
        let emphasis = Emphasis::of(&diff.hunks[0]);
        assert_eq!(emphasis.line(0), std::slice::from_ref(&(7..12)));
        assert_eq!(emphasis.line(1), std::slice::from_ref(&(7..13)));
    }
}
