//! Lines that went in one place and came in another.
//!
//! A reader who knows that a block only moved can look at it once. At least three lines with words in them have to be
//! the same, apart from indentation; shorter blocks are too often the same by chance.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{LineDiff, Tag};

/// Fewer lines with words are not a block.
const LEAST_LINES: usize = 3;
/// How many places of a line are tried; a line that is in more places says nothing.
const MOST_PLACES: usize = 30;

/// A changed line: of which file, whether it is new, and which line of its side, from 1.
type Key = (usize, bool, usize);

#[derive(Debug, Clone, Copy)]
struct ChangedLine {
    key: Key,
    /// Of its words; indentation may differ.
    digest: u64,
    has_words: bool,
}

/// Collects the changes of all files, and says which lines moved.
#[derive(Debug, Default)]
pub struct MovedLines {
    /// With a gap wherever lines are not consecutive.
    removed: Vec<Option<ChangedLine>>,
    added: Vec<Option<ChangedLine>>,
    moved: BTreeSet<Key>,
}

impl MovedLines {
    /// Takes in the difference of another file.
    pub fn add(&mut self, file: usize, difference: &LineDiff) {
        for hunk in &difference.hunks {
            let (mut old, mut new) = (hunk.old_start.max(1), hunk.new_start.max(1));
            for line in &hunk.lines {
                let words = line.content().trim_ascii();
                let mut hasher = DefaultHasher::new();
                words.hash(&mut hasher);
                let changed = |key| ChangedLine {
                    key,
                    digest: hasher.finish(),
                    has_words: words.iter().any(u8::is_ascii_alphanumeric),
                };
                match line.tag {
                    Tag::Removed => {
                        self.removed.push(Some(changed((file, false, old))));
                        old += 1;
                    }
                    Tag::Added => {
                        self.added.push(Some(changed((file, true, new))));
                        new += 1;
                    }
                    Tag::Context => {
                        self.removed.push(None);
                        self.added.push(None);
                        (old, new) = (old + 1, new + 1);
                    }
                }
            }
            self.removed.push(None);
            self.added.push(None);
        }
    }

    /// Compares the collected lines; whether anything moved.
    pub fn compare(&mut self) -> bool {
        let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (position, line) in self.removed.iter().enumerate() {
            if let Some(line) = line.filter(|line| line.has_words) {
                places.entry(line.digest).or_default().push(position);
            }
        }
        let mut position = 0;
        while position < self.added.len() {
            let starts = self.added[position].and_then(|line| places.get(&line.digest));
            let starts = starts.filter(|starts| starts.len() <= MOST_PLACES);
            let candidates = starts.into_iter().flatten();
            let blocks = candidates.map(|start| (self.common(*start, position), *start));
            let Some((count, start)) = blocks.max() else {
                position += 1;
                continue;
            };
            let block = &self.added[position..position + count];
            let with_words = block.iter().flatten().filter(|line| line.has_words);
            if with_words.count() >= LEAST_LINES {
                let both = block.iter().chain(&self.removed[start..start + count]);
                self.moved.extend(both.flatten().map(|line| line.key));
            }
            position += count;
        }
        self.removed = Vec::new();
        self.added = Vec::new();
        !self.moved.is_empty()
    }

    /// Lines that are the same from these two on.
    fn common(&self, removed: usize, added: usize) -> usize {
        let pairs = self.removed[removed..].iter().zip(&self.added[added..]);
        pairs
            .take_while(|pair| matches!(pair, (Some(old), Some(new)) if old.digest == new.digest))
            .count()
    }

    /// Whether a line of a side, counted from 1, moved.
    pub fn contains(&self, file: usize, tag: Tag, line: usize) -> bool {
        tag != Tag::Context && self.moved.contains(&(file, tag == Tag::Added, line))
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, LineDiff, MovedLines};

    fn moved(files: &[(&str, &str)]) -> Vec<Key> {
        let mut lines = MovedLines::default();
        for (number, (old, new)) in files.iter().enumerate() {
            lines.add(number, &LineDiff::between(old.as_bytes(), new.as_bytes()));
        }
        lines.compare();
        lines.moved.into_iter().collect()
    }

    #[test]
    fn a_block_that_went_here_and_came_there_moved() {
        let block = "def tax(a):\n    b = a * 2\n\n    return b\n";
        let old = format!("import os\n{block}end = 1\n");
        let new = format!("x = 1\n{}", block.replace("    ", "\t"));
        let found = moved(&[(&old, "import os\nend = 1\n"), ("x = 1\n", &new)]);
        let side = |file, added| (2..6).map(move |line| (file, added, line));
        let expected: Vec<_> = side(0, false).chain(side(1, true)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn two_lines_or_lines_without_words_did_not_move() {
        for (gone, come) in [
            ("a = 1\nb = 2\n", "a = 1\nb = 2\n"),
            ("}\n\n}\n{\n", "}\n\n}\n{\n"),
            ("a = 1\nb = 2\nc = 3\n", "a = 1\nx = 0\nb = 2\nc = 3\n"),
        ] {
            assert_eq!(moved(&[(gone, ""), ("", come)]), [], "{gone}");
        }
    }

    #[test]
    fn the_same_line_a_thousand_times_takes_no_time() {
        let same = "same line\n".repeat(20_000);
        assert_eq!(moved(&[(&same, ""), ("", &same)]), []);
    }
}
