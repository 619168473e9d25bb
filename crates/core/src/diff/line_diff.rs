//! The difference between two versions of a file, in hunks as git groups them.
//!
//! For edits of a file the counts agree with `git diff --numstat`. For two texts that have little in common neither
//! program looks for the smallest difference to the end, each stops in its own way, and the counts may be a few lines
//! apart; a caller that needs git's exact figure has to ask git.

use memchr::{memchr, memchr_iter};
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Unchanged lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// How far git looks for a NUL byte before it calls a file text.
const BINARY_PROBE_BYTES: usize = 8000;

/// Which side of the difference a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// The line is in both versions.
    Context,
    /// The line is only in the new version.
    Added,
    /// The line is only in the old version.
    Removed,
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// Which side it is on.
    pub tag: Tag,
    /// Its bytes with the `\n` that ends it; a last line may have none.
    pub bytes: Vec<u8>,
}

impl DiffLine {
    /// The bytes without the `\n` that ends them.
    pub fn content(&self) -> &[u8] {
        self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes)
    }

    /// Whether this is a last line that git would mark with "No newline at end of file".
    pub fn lacks_newline(&self) -> bool {
        !self.bytes.ends_with(b"\n")
    }
}

/// Changed lines that lie close together, with the unchanged lines around them.
///
/// Starts count from 1; a side without any line names the line before it, as git does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// First line in the old version.
    pub old_start: usize,
    /// Number of lines of the old version.
    pub old_lines: usize,
    /// First line in the new version.
    pub new_start: usize,
    /// Number of lines of the new version.
    pub new_lines: usize,
    /// The lines, removed before added.
    pub lines: Vec<DiffLine>,
}

/// The difference between two versions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDiff {
    /// The changes in file order; none for binary files.
    pub hunks: Vec<Hunk>,
    /// Number of added lines.
    pub added: usize,
    /// Number of deleted lines.
    pub deleted: usize,
    /// Whether a version is binary, so that there are no lines to compare.
    pub is_binary: bool,
}

impl LineDiff {
    /// Compares two versions line by line.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        if is_binary(old) || is_binary(new) {
            return Self {
                hunks: Vec::new(),
                added: 0,
                deleted: 0,
                is_binary: true,
            };
        }
        let old_lines: Vec<&[u8]> = lines_of(old).collect();
        let new_lines: Vec<&[u8]> = lines_of(new).collect();
        let operations = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
        let changes = || operations.iter().filter(|it| it.tag() != DiffTag::Equal);
        let added = changes().map(|it| it.new_range().len()).sum();
        let deleted = changes().map(|it| it.old_range().len()).sum();
        let hunks = group_diff_ops(operations, CONTEXT_LINES)
            .iter()
            .filter_map(|group| hunk_of(group, &old_lines, &new_lines))
            .collect();
        Self {
            hunks,
            added,
            deleted,
            is_binary: false,
        }
    }

    /// The lines that only the new version has, from 1.
    pub fn added_lines(&self) -> Vec<u32> {
        let mut added = Vec::new();
        for hunk in &self.hunks {
            let mut line = hunk.new_start;
            for entry in &hunk.lines {
                if entry.tag == Tag::Added {
                    added.extend(u32::try_from(line).ok());
                }
                line += usize::from(entry.tag != Tag::Removed);
            }
        }
        added
    }

    /// Whether the two versions are the same text.
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty() && !self.is_binary
    }
}

/// Lines as people count them: a last line without a line end is one.
pub fn line_count(content: &[u8]) -> usize {
    let unended = content.last().is_some_and(|byte| *byte != b'\n');
    memchr_iter(b'\n', content).count() + usize::from(unended)
}

/// Whether git would call these contents binary.
pub fn is_binary(content: &[u8]) -> bool {
    let probed = content.len().min(BINARY_PROBE_BYTES);
    memchr(0, &content[..probed]).is_some()
}

/// Lines with the `\n` that ends them; nothing else ends a line.
fn lines_of(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|&byte| byte == b'\n')
}

fn hunk_of(group: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) -> Option<Hunk> {
    let (first, last) = (group.first()?, group.last()?);
    let old_range = first.old_range().start..last.old_range().end;
    let new_range = first.new_range().start..last.new_range().end;
    let mut lines = Vec::new();
    for operation in group {
        if operation.tag() == DiffTag::Equal {
            lines.extend(tagged(Tag::Context, &old[operation.old_range()]));
        } else {
            lines.extend(tagged(Tag::Removed, &old[operation.old_range()]));
            lines.extend(tagged(Tag::Added, &new[operation.new_range()]));
        }
    }
    Some(Hunk {
        old_start: start_of(&old_range),
        old_lines: old_range.len(),
        new_start: start_of(&new_range),
        new_lines: new_range.len(),
        lines,
    })
}

fn tagged<'a>(tag: Tag, lines: &'a [&'a [u8]]) -> impl Iterator<Item = DiffLine> + 'a {
    lines.iter().map(move |bytes| DiffLine {
        tag,
        bytes: bytes.to_vec(),
    })
}

/// The line number of a range that counts from 0; an empty one names the line before it.
fn start_of(range: &std::ops::Range<usize>) -> usize {
    if range.is_empty() {
        range.start
    } else {
        range.start + 1
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::{LineDiff, Tag, is_binary, line_count};

    fn unified(diff: &LineDiff) -> String {
        let mut text = String::new();
        for hunk in &diff.hunks {
            writeln!(
                text,
                "@@ -{},{} +{},{} @@",
                hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
            )
            .expect("a string takes everything");
            for line in &hunk.lines {
                text.push(match line.tag {
                    Tag::Context => ' ',
                    Tag::Added => '+',
                    Tag::Removed => '-',
                });
                text.push_str(&String::from_utf8_lossy(line.content()));
                text.push_str(if line.lacks_newline() {
                    "<no newline>\n"
                } else {
                    "\n"
                });
            }
        }
        text
    }

    /// Rebuilds the new version from the old one and the hunks alone.
    fn apply(old: &[u8], diff: &LineDiff) -> Vec<u8> {
        let lines: Vec<&[u8]> = super::lines_of(old).collect();
        let mut result = Vec::new();
        let mut next = 0;
        for hunk in &diff.hunks {
            let first = if hunk.old_lines == 0 {
                hunk.old_start
            } else {
                hunk.old_start - 1
            };
            result.extend(lines[next..first].concat());
            for line in hunk.lines.iter().filter(|line| line.tag != Tag::Removed) {
                result.extend_from_slice(&line.bytes);
            }
            next = first + hunk.old_lines;
        }
        result.extend(lines[next..].concat());
        result
    }

    #[test]
    fn added_lines_have_the_numbers_of_the_new_version() {
        let lines =
            |old: &str, new: &str| LineDiff::between(old.as_bytes(), new.as_bytes()).added_lines();
        assert_eq!(lines("a\nb\nc\n", "a\nx\nc\ny\n"), [2, 4]);
        assert_eq!(lines("", "a\nb\n"), [1, 2]);
        assert_eq!(lines("a\nb\n", "b\n"), [0_u32; 0]);
    }

    #[test]
    fn same_text_has_no_hunks() {
        assert!(LineDiff::between(b"a\nb\n", b"a\nb\n").is_empty());
        assert!(LineDiff::between(b"", b"").is_empty());
    }

    #[test]
    fn changed_line_stands_between_three_context_lines() {
        let old = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = b"1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let diff = LineDiff::between(old, new);
        assert_eq!((diff.added, diff.deleted), (1, 1));
        assert_eq!(
            unified(&diff),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn changes_far_apart_are_two_hunks() {
        let old: String = (1..=20).map(|number| number.to_string() + "\n").collect();
        let new = old.replace("2\n3\n", "3\n").replace("18\n", "18\nx\n");
        let diff = LineDiff::between(old.as_bytes(), new.as_bytes());
        assert_eq!(diff.hunks.len(), 2);
    }

    #[test]
    fn new_file_starts_at_line_zero_of_the_old_side() {
        let diff = LineDiff::between(b"", b"a\nb\n");
        assert_eq!(unified(&diff), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!((diff.added, diff.deleted), (2, 0));
    }

    #[test]
    fn deleted_file_ends_at_line_zero_of_the_new_side() {
        let diff = LineDiff::between(b"a\nb\n", b"");
        assert_eq!(unified(&diff), "@@ -1,2 +0,0 @@\n-a\n-b\n");
    }

    #[test]
    fn losing_the_final_newline_changes_the_last_line() {
        let diff = LineDiff::between(b"a\nb\n", b"a\nb");
        assert_eq!(unified(&diff), "@@ -1,2 +1,2 @@\n a\n-b\n+b<no newline>\n");
        assert_eq!((diff.added, diff.deleted), (1, 1));
    }

    #[test]
    fn only_line_feed_ends_a_line() {
        let diff = LineDiff::between(b"a\rb\x0cc\xe2\x80\xa8d\n", b"a\rb\x0cc\xe2\x80\xa8e\n");
        assert_eq!((diff.added, diff.deleted), (1, 1));
    }

    #[test]
    fn carriage_returns_are_a_difference() {
        let diff = LineDiff::between(b"a\nb\n", b"a\r\nb\n");
        assert_eq!((diff.added, diff.deleted), (1, 1));
    }

    #[test]
    fn binary_contents_are_not_compared_by_line() {
        let diff = LineDiff::between(b"a\0b", b"a\n");
        assert!(diff.is_binary);
        assert!(!diff.is_empty());
        assert_eq!((diff.added, diff.deleted), (0, 0));
    }

    #[test]
    fn nul_counts_as_binary_only_in_the_first_8000_bytes() {
        let mut content = vec![b'a'; 8000];
        content.push(0);
        assert!(!is_binary(&content));
        content[7999] = 0;
        assert!(is_binary(&content));
    }

    proptest! {
        #[test]
        fn hunks_rebuild_the_new_version(
            old in "([abc]{0,1}\n){0,12}[ab]{0,1}", new in "([abc]{0,1}\n){0,12}[ab]{0,1}"
        ) {
            let diff = LineDiff::between(old.as_bytes(), new.as_bytes());
            prop_assert_eq!(apply(old.as_bytes(), &diff), new.as_bytes());
            let count = |tag| diff.hunks.iter()
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.tag == tag)
                .count();
            prop_assert_eq!(count(Tag::Added), diff.added);
            prop_assert_eq!(count(Tag::Removed), diff.deleted);
        }
    }

    #[test]
    fn a_last_line_without_line_end_is_a_line() {
        assert_eq!(line_count(b""), 0);
        assert_eq!(line_count(b"a\nb"), 2);
        assert_eq!(line_count(b"a\nb\n"), 2);
        assert_eq!(line_count(b"\n\n"), 2);
    }
}
