//! Fence lines and the blocks between them.

use std::ops::Range;

use super::Malformed;
use super::label::{Label, Marker, label_of, marker_of};
use crate::remark::Remark;

/// The shortest run of characters that is a fence.
const MIN_FENCE: usize = 3;
/// More leading spaces than this make a line indented code, not a fence.
const MAX_INDENT: usize = 3;

/// A line of the reply with the `\n` that ends it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Number of the line, from 1.
    pub(crate) number: usize,
    /// Where it starts in the reply.
    pub(crate) start: usize,
    /// The whole line with its end.
    pub(crate) text: &'a str,
}

/// Splits at `\n` only, so that contents keep every other byte.
pub(crate) fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .enumerate()
        .map(|(index, text)| {
            let line = Line {
                number: index + 1,
                start,
                text,
            };
            start += text.len();
            line
        })
        .collect()
}

/// A line that opens or closes a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    character: char,
    length: usize,
    is_bare: bool,
}

impl Fence {
    /// Reads a line as a fence, if it is one.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let unindented = line.trim_start_matches(' ');
        if line.len() - unindented.len() > MAX_INDENT {
            return None;
        }
        let character = unindented.chars().next().filter(|c| "`~".contains(*c))?;
        let info = unindented.trim_start_matches(character);
        let length = unindented.len() - info.len();
        // A backtick later in the line makes it a code span in running text.
        if length < MIN_FENCE || (character == '`' && info.contains('`')) {
            return None;
        }
        Some(Self {
            character,
            length,
            is_bare: info.trim().is_empty(),
        })
    }

    /// Whether this line, standing inside a block that `opening` opened, bears on its end.
    fn concerns(self, opening: Self) -> bool {
        self.character == opening.character && self.length >= opening.length
    }

    /// Whether the writer chose a fence longer than needed, to wrap fences and labels.
    fn is_long(self) -> bool {
        self.length > MIN_FENCE
    }
}

/// Why a block has no single reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockProblem {
    /// The reply ended inside the block.
    Unclosed,
    /// A label precedes the end of the block; the index of its line.
    LabelInside(usize),
    /// After the closing fence another fence line follows before the next label; its index.
    FenceAfter(usize),
}

impl BlockProblem {
    /// The message about the block of `owner` that opens at line `opening`; `content` names its contents in a word.
    pub(crate) fn explained(
        self,
        lines: &[Line<'_>],
        opening: usize,
        owner: &str,
        content: &str,
    ) -> Malformed {
        match self {
            Self::Unclosed => {
                let problem = format!("the block of {owner} that opens here is never closed");
                let message = Remark::from(problem).so(format!(
                    "close it, and if the {content} contains fence lines itself, use a longer outer fence"
                ));
                if ends_with_a_fence(lines) {
                    Malformed::at(lines[opening].number, message)
                } else {
                    Malformed::cut_off(lines[opening].number, message)
                }
            }
            Self::LabelInside(label) => {
                let problem = format!(
                    "this label stands inside the block of {owner}, which is not closed yet"
                );
                let message = Remark::from(problem).so(format!(
                    "close it first, or if the line is part of the {content}, use a longer outer fence (four or more \
                     characters)"
                ));
                Malformed::at(lines[label].number, message)
            }
            Self::FenceAfter(after) => {
                let problem = format!("this fence line follows the end of the block of {owner}");
                let message = Remark::from(problem).so(format!(
                    "send one block after each label, and if the {content} contains fence lines itself, use a longer \
                     outer fence than any of them"
                ));
                Malformed::at(lines[after].number, message)
            }
        }
    }
}

/// A block that reads in one way only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The bytes of the content within the reply.
    pub(crate) content: Range<usize>,
    /// Index of the first line that is not part of the section: a label, or the end.
    pub(crate) next: usize,
}

/// Reads the block that opens at line `opening_index`, up to the next label or the end.
///
/// An inner fence line with an info string opens an inner block, and the next bare one closes that
/// first. Shorter fences, or fences of the other character, are plain content.
pub(crate) fn read_block(
    lines: &[Line<'_>],
    opening_index: usize,
    opening: Fence,
) -> Result<Block, BlockProblem> {
    let closing_index = find_closing(lines, opening_index, opening)?;
    let mut next = closing_index + 1;
    while let Some(line) = lines.get(next) {
        if label_of(line.text).is_some() || marker_of(line.text) == Some(Marker::Search) {
            break;
        }
        if Fence::of(line.text).is_some() {
            return Err(BlockProblem::FenceAfter(next));
        }
        next += 1;
    }
    let first = &lines[opening_index];
    Ok(Block {
        content: first.start + first.text.len()..lines[closing_index].start,
        next,
    })
}

fn find_closing(
    lines: &[Line<'_>],
    opening_index: usize,
    opening: Fence,
) -> Result<usize, BlockProblem> {
    let mut inner: Vec<Fence> = Vec::new();
    for (index, line) in lines.iter().enumerate().skip(opening_index + 1) {
        // With the shortest fence a label more likely means that the closing fence is missing.
        if !opening.is_long() && label_of(line.text).is_some_and(|label| label != Label::Find) {
            return Err(BlockProblem::LabelInside(index));
        }
        let Some(fence) = Fence::of(line.text).filter(|fence| fence.concerns(opening)) else {
            continue;
        };
        if !fence.is_bare {
            inner.push(fence);
        } else if inner.is_empty() {
            return Ok(index);
        } else if inner.last().is_some_and(|opened| fence.concerns(*opened)) {
            inner.pop();
        }
    }
    Err(BlockProblem::Unclosed)
}

/// Whether the reply ends as whole replies do: then a block that is open has its fences wrong, and nothing
/// was cut off.
fn ends_with_a_fence(lines: &[Line<'_>]) -> bool {
    let last = lines.iter().rev().find(|line| !line.text.trim().is_empty());
    last.is_some_and(|line| {
        Fence::of(line.text).is_some() || label_of(line.text) == Some(Label::End)
    })
}

/// The longest run of backticks that starts a line: a fence around the text has to be longer.
pub(crate) fn longest_fence(text: &str) -> usize {
    let run = |line: &str| {
        line.trim_start()
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count()
    };
    text.lines().map(run).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Fence;

    #[test]
    fn fence_lines_are_recognised() {
        for line in ["```\n", "```python\n", "   ~~~~  \r\n", "`````", "~~~ a`b"] {
            assert!(Fence::of(line).is_some(), "{line:?}");
        }
    }

    #[test]
    fn other_lines_are_no_fences() {
        for line in [
            "``\n",
            "    ```\n",
            "```code``` text\n",
            "text ```\n",
            "",
            "\t```\n",
        ] {
            assert!(Fence::of(line).is_none(), "{line:?}");
        }
    }
}
