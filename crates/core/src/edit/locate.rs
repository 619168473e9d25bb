//! Where texts are, for all changes at once.
//!
//! From each text its longest line is taken, and one pass over the file finds all of these lines, so a thousand changes
//! cost hardly more than one. Around each find the whole text is compared. That could take long for texts that repeat
//! themselves, so the comparing has a budget; a text that exceeds it is searched for with an algorithm that is linear
//! for every text.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem::Finder;

use super::indentation::{Shift, is_blank, trimmed};
use super::refusal::MAX_LINES;

/// Longer lines are looked up by their beginning.
const MAX_ANCHOR: usize = 256;
/// Bytes that may be compared for one change, as a multiple of the file's.
const BUDGET: usize = 8;

/// Where a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Places {
    /// The text itself begins at these bytes.
    Exact(Vec<usize>),
    /// Lines that differ only in white space, from the first to the end of the last without its line end.
    Whitespace(Vec<(std::ops::Range<usize>, Shift)>),
    /// It is not in the file.
    Nowhere,
}

/// Finds every text in the body of a file. No text is blank or has the line end of its last line.
pub(super) fn locate(body: &[u8], needles: &[&[u8]]) -> Vec<Places> {
    let anchors: Vec<Anchor<'_>> = needles.iter().map(|text| Anchor::of(text)).collect();
    let all: Vec<usize> = (0..needles.len()).collect();
    let mut exact = vec![Search::default(); needles.len()];
    for_each_anchor(body, &anchors, &all, |index, hit| {
        exact[index].try_at(body, hit, anchors[index].offset, needles[index]);
    });
    for (search, needle) in exact.iter_mut().zip(needles) {
        if search.is_given_up {
            search.places = occurrences(body, needle);
        }
    }
    let missing: Vec<usize> = all
        .into_iter()
        .filter(|index| exact[*index].places.is_empty())
        .collect();
    let mut places: Vec<Places> = exact
        .into_iter()
        .map(|search| Places::Exact(search.places))
        .collect();
    let mut loose: Vec<LooseSearch<'_>> =
        needles.iter().map(|text| LooseSearch::of(text)).collect();
    for_each_anchor(body, &anchors, &missing, |index, hit| {
        loose[index].try_at(body, hit, anchors[index].line);
    });
    for index in missing {
        let found = std::mem::take(&mut loose[index].places);
        places[index] = if found.is_empty() {
            Places::Nowhere
        } else {
            Places::Whitespace(found)
        };
    }
    places
}

/// The line of a text that it is looked up by.
#[derive(Debug, Clone, Copy)]
struct Anchor<'a> {
    /// The longest line, trimmed, as far as it is looked up.
    text: &'a [u8],
    /// Its offset in the text.
    offset: usize,
    /// Which line of the text it is.
    line: usize,
}

impl<'a> Anchor<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mut best = Self {
            text: &[],
            offset: 0,
            line: 0,
        };
        let mut start = 0;
        for (line, content) in text.split(|byte| *byte == b'\n').enumerate() {
            let (indentation, middle) = trimmed(content);
            if middle.len() > best.text.len() {
                best = Self {
                    text: middle,
                    offset: start + indentation,
                    line,
                };
            }
            start += content.len() + 1;
        }
        best.text = &best.text[..best.text.len().min(MAX_ANCHOR)];
        best
    }
}

/// Calls `found` with the index of a text and the place, wherever its anchor occurs.
fn for_each_anchor(
    body: &[u8],
    anchors: &[Anchor<'_>],
    wanted: &[usize],
    mut found: impl FnMut(usize, usize),
) {
    if wanted.is_empty() {
        return;
    }
    let mut patterns: Vec<&[u8]> = wanted.iter().map(|index| anchors[*index].text).collect();
    patterns.sort_unstable();
    patterns.dedup();
    let mut texts: Vec<Vec<usize>> = vec![Vec::new(); patterns.len()];
    for index in wanted {
        let pattern = patterns.binary_search(&anchors[*index].text);
        texts[pattern.expect("every anchor is a pattern")].push(*index);
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(&patterns);
    let Ok(automaton) = automaton else {
        // More patterns than an automaton has states for; a reply of such a size does not exist.
        return;
    };
    for hit in automaton.find_overlapping_iter(body) {
        for index in &texts[hit.pattern().as_usize()] {
            found(*index, hit.start());
        }
    }
}

/// The search for the very bytes.
#[derive(Debug, Clone, Default)]
struct Search {
    places: Vec<usize>,
    compared: usize,
    is_given_up: bool,
}

impl Search {
    fn try_at(&mut self, body: &[u8], hit: usize, offset: usize, text: &[u8]) {
        if self.is_given_up || self.places.len() > MAX_LINES {
            return;
        }
        self.compared += text.len();
        if self.compared > BUDGET * body.len() + text.len() {
            self.is_given_up = true;
            return;
        }
        let start = hit.checked_sub(offset);
        let start = start.filter(|start| body[*start..].starts_with(text));
        self.places
            .extend(start.filter(|start| stands_for_itself(body, *start, text)));
    }
}

/// An empty line at either end of a text means an empty line, not the end of another one.
fn stands_for_itself(body: &[u8], start: usize, text: &[u8]) -> bool {
    let end = start + text.len();
    let begins = !text.starts_with(b"\n") && !text.starts_with(b"\r\n");
    let ends = !text.ends_with(b"\n");
    (begins || start == 0 || body[start - 1] == b'\n')
        && (ends || matches!(body[end..], [] | [b'\n', ..] | [b'\r', b'\n', ..]))
}

/// The slow but sure way.
fn occurrences(body: &[u8], text: &[u8]) -> Vec<usize> {
    let finder = Finder::new(text);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = finder.find(&body[from..]) {
        let start = from + found;
        if stands_for_itself(body, start, text) {
            places.push(start);
        }
        from = start + 1;
        if places.len() > MAX_LINES {
            break;
        }
    }
    places
}

/// The search for the same lines with other white space around them.
#[derive(Debug)]
struct LooseSearch<'a> {
    lines: Vec<&'a [u8]>,
    places: Vec<(std::ops::Range<usize>, Shift)>,
    compared: usize,
    bytes: usize,
}

impl<'a> LooseSearch<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self {
            lines: text.split(|byte| *byte == b'\n').collect(),
            places: Vec::new(),
            compared: 0,
            bytes: text.len(),
        }
    }

    fn try_at(&mut self, body: &[u8], hit: usize, anchor_line: usize) {
        self.compared += self.bytes;
        // Beyond the budget nothing is found any more: the text repeats itself endlessly.
        if self.places.len() > MAX_LINES || self.compared > BUDGET * body.len() + self.bytes {
            return;
        }
        let Some((range, lines)) = self.matching_lines(body, hit, anchor_line) else {
            return;
        };
        if let Some(shift) = Shift::between(&self.lines, &lines) {
            self.places.push((range, shift));
        }
    }

    /// The lines of the file around the anchor, if all are the same after trimming.
    fn matching_lines<'b>(
        &self,
        body: &'b [u8],
        hit: usize,
        anchor_line: usize,
    ) -> Option<(std::ops::Range<usize>, Vec<&'b [u8]>)> {
        let start_of_line = hit - white_space_before(&body[..hit]);
        let mut start = start_of_line;
        let mut above = Vec::new();
        for expected in self.lines[..anchor_line].iter().rev() {
            let line_end = start.checked_sub(1).filter(|end| body[*end] == b'\n')?;
            let line = line_before(&body[..line_end], expected)?;
            start = line_end - line.len();
            above.push(line);
        }
        if start != 0 && body[start - 1] != b'\n' {
            return None;
        }
        above.reverse();
        let mut lines = above;
        let mut end = start_of_line;
        for (number, expected) in self.lines[anchor_line..].iter().enumerate() {
            if number > 0 {
                end += 1;
                if body.get(end - 1) != Some(&b'\n') {
                    return None;
                }
            }
            let line = line_at(&body[end..], expected)?;
            end += line.len();
            lines.push(line);
        }
        Some((start..end, lines))
    }
}

fn white_space_before(text: &[u8]) -> usize {
    let is_white = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().rev().take_while(is_white).count()
}

/// The last line of `text`, if it is `expected` after trimming; reads no further than necessary.
fn line_before<'b>(text: &'b [u8], expected: &[u8]) -> Option<&'b [u8]> {
    let (_, middle) = trimmed(expected);
    let is_white = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let rest = &text[..text.len() - text.iter().rev().take_while(is_white).count()];
    let rest = rest.strip_suffix(middle)?;
    // A blank line has been consumed whole, with the text before it.
    let indentation = if middle.is_empty() {
        0
    } else {
        white_space_before(rest)
    };
    let start = rest.len() - indentation;
    (start == 0 || text[start - 1] == b'\n').then(|| &text[start..])
}

/// The first line of `text` without its line end, if it is `expected` after trimming.
fn line_at<'b>(text: &'b [u8], expected: &[u8]) -> Option<&'b [u8]> {
    let (_, middle) = trimmed(expected);
    let indentation = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let behind = text[indentation.count()..].strip_prefix(middle)?;
    let white = behind
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    let end = text.len() - behind.len() + white.count();
    let line = &text[..end];
    (matches!(text.get(end), None | Some(b'\n')) && is_blank(middle) == is_blank(line))
        .then_some(line)
}
