//! The beginning of a difference, in bounded memory however large the files are.
//!
//! For a preview only: lines that both versions begin and end with are skipped without being kept, and where more
//! differs than anyone would read, the old lines count as deleted and the new as added.

use super::line_diff::{DiffLine, Hunk, LineDiff, Tag, line_count};

/// Lines around a change.
const CONTEXT_LINES: usize = 3;
/// More differing lines than this are not compared with each other.
const COMPARED_LINES: usize = 20_000;

/// A difference, or as much of it as is worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The difference; of a very large one, the beginning of the deleted and of the added lines.
    pub difference: LineDiff,
    /// Lines of the difference that are not in its hunks.
    pub left_out_lines: usize,
    /// The bytes that were left out.
    pub left_out_bytes: usize,
}

impl Excerpt {
    /// Compares two versions; of a very large difference about `limit` bytes are kept.
    pub fn between(old: &[u8], new: &[u8], limit: usize) -> Self {
        let head = common_head(old, new);
        let tail = common_tail(&old[head..], &new[head..]);
        let start = back_by_lines(old, head, CONTEXT_LINES);
        let middle = |text: &'_ [u8]| text.len() - tail;
        let (old_middle, new_middle) = (&old[head..middle(old)], &new[head..middle(new)]);
        let (deleted, added) = (line_count(old_middle), line_count(new_middle));
        let first_line = line_count(&old[..start]);
        if deleted + added <= COMPARED_LINES {
            let context = forward_by_lines(&old[middle(old)..], CONTEXT_LINES);
            let end = |text: &[u8]| middle(text) + context;
            let mut difference = LineDiff::between(&old[start..end(old)], &new[start..end(new)]);
            for hunk in &mut difference.hunks {
                hunk.old_start += first_line;
                hunk.new_start += first_line;
            }
            return Self {
                difference,
                left_out_lines: 0,
                left_out_bytes: 0,
            };
        }
        let mut lines = Vec::new();
        let mut kept = 0;
        for (tag, text) in [(Tag::Removed, old_middle), (Tag::Added, new_middle)] {
            let mut budget = limit / 2;
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                if line.len() > budget {
                    break;
                }
                budget -= line.len();
                kept += line.len() + 1;
                lines.push(DiffLine {
                    tag,
                    bytes: line.to_vec(),
                });
            }
        }
        let shown = lines.len();
        let place = line_count(&old[..head]) + 1;
        let hunk = Hunk {
            old_start: place,
            old_lines: deleted,
            new_start: place,
            new_lines: added,
            lines,
        };
        Self {
            left_out_lines: deleted + added - shown,
            left_out_bytes: (old_middle.len() + new_middle.len() + deleted + added)
                .saturating_sub(kept),
            difference: LineDiff {
                hunks: vec![hunk],
                added,
                deleted,
                is_binary: false,
            },
        }
    }
}

/// Bytes of the whole lines that both begin with.
fn common_head(old: &[u8], new: &[u8]) -> usize {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    if same == old.len() && same == new.len() {
        return same;
    }
    old[..same]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1)
}

/// Bytes of the whole lines that both end with.
fn common_tail(old: &[u8], new: &[u8]) -> usize {
    let pairs = old.iter().rev().zip(new.iter().rev());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let tail = &old[old.len() - same..];
    // The line that the two part in is not common, unless they part exactly at its beginning.
    let begins_line = |text: &[u8]| text.len() == same || text[text.len() - same - 1] == b'\n';
    if begins_line(old) && begins_line(new) {
        return same;
    }
    tail.iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| same - at - 1)
}

fn back_by_lines(text: &[u8], from: usize, lines: usize) -> usize {
    let mut start = from;
    for _ in 0..lines {
        let before = text[..start].strip_suffix(b"\n").unwrap_or(&text[..start]);
        start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
    }
    start
}

fn forward_by_lines(text: &[u8], lines: usize) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(lines);
    lines.map(<[u8]>::len).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbered(word: &str, count: usize) -> String {
        let lines: Vec<String> = (1..=count)
            .map(|number| format!("{word}{number:05}\n"))
            .collect();
        lines.concat()
    }

    proptest! {
        #[test]
        fn an_excerpt_of_small_files_is_their_difference(
            old in "([abc]{0,1}\n){0,12}[ab]{0,1}", new in "([abc]{0,1}\n){0,12}[ab]{0,1}"
        ) {
            let excerpt = Excerpt::between(old.as_bytes(), new.as_bytes(), 100);
            let whole = LineDiff::between(old.as_bytes(), new.as_bytes());
            prop_assert_eq!(excerpt.left_out_lines, 0);
            prop_assert_eq!(excerpt.difference.is_empty(), whole.is_empty());
            prop_assert_eq!(
                excerpt.difference.added + whole.deleted,
                whole.added + excerpt.difference.deleted
            );
        }
    }

    #[test]
    fn a_change_in_the_middle_has_its_place_and_context() {
        let old = numbered("", 50);
        let new = old.replace("00025\n", "x\n");
        let whole = LineDiff::between(old.as_bytes(), new.as_bytes());
        assert_eq!(
            Excerpt::between(old.as_bytes(), new.as_bytes(), 10).difference,
            whole
        );
    }

    #[test]
    fn a_huge_difference_shows_what_goes_and_what_comes_and_counts_the_rest() {
        let (old, new) = (numbered("old ", 30_000), numbered("new ", 15_000));
        let excerpt = Excerpt::between(old.as_bytes(), new.as_bytes(), 1000);
        let difference = &excerpt.difference;
        assert_eq!((difference.deleted, difference.added), (30_000, 15_000));
        let shown = difference.hunks[0].lines.len();
        assert_eq!(shown, 100);
        assert_eq!(excerpt.left_out_lines, 45_000 - shown);
        assert_eq!(excerpt.left_out_bytes, (45_000 - shown) * 11);
    }
}
