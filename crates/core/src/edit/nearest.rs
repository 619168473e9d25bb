//! The region of a file that is most like a text that is not in it.
//!
//! Only for the message: a model that sees the file's real text at that place corrects its own. Nothing is ever changed
//! at a place that is only near.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::indentation::trimmed;

/// Lines that are shown.
const MAX_SHOWN: usize = 16;
/// Characters of a line that are shown.
const MAX_WIDTH: usize = 200;
/// Longer lines are not looked into.
const MAX_COMPARED: usize = 1000;
/// The score of a line that is the same after trimming.
const SAME: u32 = 100;
/// The score from which a line counts as near.
const NEAR: u32 = 50;

/// A region: its line numbers and its lines, numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) lines: Vec<usize>,
    pub(super) text: String,
}

/// The region that has most in common with `wanted`, if anything.
pub(super) fn nearest(body: &[u8], wanted: &[u8]) -> Option<Region> {
    let wanted_lines: Vec<&[u8]> = wanted.split(|byte| *byte == b'\n').collect();
    let height = wanted_lines.len().min(MAX_SHOWN);
    let whole: BTreeSet<&[u8]> = wanted_lines
        .iter()
        .map(|line| trimmed(line).1)
        .filter(|line| !line.is_empty())
        .collect();
    let pairs = Pairs::of(&wanted_lines);
    let score = |line: &[u8]| {
        let (_, content) = trimmed(line);
        if content.is_empty() || content.len() > MAX_COMPARED {
            0
        } else if whole.contains(content) {
            SAME
        } else {
            pairs.share(content)
        }
    };
    // A window as high as the text slides over the lines' scores.
    let mut scores = std::collections::VecDeque::with_capacity(height);
    let (mut sum, mut best, mut best_end) = (0, 0, 0);
    for (index, line) in body.split(|byte| *byte == b'\n').enumerate() {
        if scores.len() == height {
            sum -= scores.pop_front().unwrap_or(0);
        }
        let here = score(line);
        scores.push_back(here);
        sum += here;
        if sum > best {
            (best, best_end) = (sum, index);
        }
    }
    (best >= NEAR).then(|| region(body, (best_end + 1).saturating_sub(height), best_end))
}

fn region(body: &[u8], first: usize, last: usize) -> Region {
    let mut found = Region {
        lines: Vec::new(),
        text: String::new(),
    };
    let lines = body.split(|byte| *byte == b'\n').enumerate();
    for (index, line) in lines.skip(first).take(last + 1 - first) {
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * MAX_WIDTH)]);
        let shown: String = line.trim_end().chars().take(MAX_WIDTH).collect();
        found.lines.push(index + 1);
        let _ = write!(found.text, "\n{:>6} | {shown}", index + 1);
    }
    found
}

/// Which pairs of neighbouring bytes occur in a text.
struct Pairs {
    bits: Vec<u64>,
}

impl Pairs {
    fn of(lines: &[&[u8]]) -> Self {
        let mut pairs = Self {
            bits: vec![0; 1024],
        };
        for line in lines {
            for pair in trimmed(line).1.windows(2) {
                let (word, bit) = place(pair);
                pairs.bits[word] |= bit;
            }
        }
        pairs
    }

    /// How many of a line's pairs are among them, for lines where it is most of them.
    fn share(&self, line: &[u8]) -> u32 {
        let total = line.len().saturating_sub(1);
        let is_in = |pair: &&[u8]| {
            let (word, bit) = place(pair);
            self.bits[word] & bit != 0
        };
        let found = line.windows(2).filter(is_in).count();
        let share = u32::try_from(found * 90 / total.max(1)).unwrap_or(0);
        if share > 60 { share } else { 0 }
    }
}

fn place(pair: &[u8]) -> (usize, u64) {
    let number = usize::from(pair[0]) << 8 | usize::from(pair[1]);
    (number / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const FILE: &[u8] = b"import os\n\n\ndef first():\n    return 1\n\n\ndef second(value):\n    total = value + 1\n    return total\n";

    #[test]
    fn a_mistyped_line_is_near_the_right_one() {
        let region = nearest(FILE, b"def second(valu):").expect("something is near");
        assert_eq!(region.lines, [8]);
        assert_eq!(region.text, "\n     8 | def second(value):");
    }

    #[test]
    fn a_block_with_a_different_middle_is_near_its_own_ends() {
        let wanted = b"def second(value):\n    total = value * 2\n    return total";
        let region = nearest(FILE, wanted).expect("something is near");
        assert_eq!(region.lines, [8, 9, 10]);
    }

    #[test]
    fn nothing_is_near_a_text_of_another_kind() {
        assert_eq!(nearest(FILE, b"{\"zq\": [7, 8]}"), None);
        assert_eq!(nearest(b"", b"x"), None);
    }
}
