//! All changes, or none.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::Change;
use super::locate::{Places, locate};
use super::nearest::nearest;
use super::place::{Splice, Texts, at_bytes, at_lines, without_last_end};
use super::position::LineNumbers;
use super::refusal::{MAX_LINES, Refusal, RefusalKind, lines_in_words};
use super::suspicious::{has_line_numbers, marker_residue, placeholder, without_line_numbers};
use crate::diff::line_count;
use crate::remark::Remark;

/// The mark that some editors put first.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// For how many changes the nearest region is looked up.
const MAX_NEAREST: usize = 5;

/// How a change was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Byte for byte.
    Exact,
    /// Line by line, but for white space at their ends and one indentation.
    Whitespace,
}

/// A file with all changes applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new content.
    pub content: Vec<u8>,
    /// The changes made, in the order of the reply.
    pub changes: Vec<AppliedChange>,
    /// Lines that the changes take out and put in, with those that they only quote.
    pub touched_lines: usize,
}

/// A change that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedChange {
    /// Its number in the reply, from 1.
    pub index: usize,
    /// The model's description of the change.
    pub description: String,
    /// The line of the original at which it begins.
    pub line: usize,
    /// How it was found.
    pub tier: Tier,
}

/// A change with its place.
struct Located {
    index: usize,
    splice: Splice,
    tier: Tier,
}

/// Applies every change to the original, or says everything that is wrong with them.
///
/// Each text is looked up in the original, never in another change's result.
pub fn apply(original: &[u8], changes: &[Change]) -> Result<Applied, Vec<Refusal>> {
    let mark = if original.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    // The mark stays where it is; a text that was copied with it means the text after it.
    let unmarked: Vec<Change>;
    let changes = if mark == 0 {
        changes
    } else {
        unmarked = changes.iter().map(without_mark).collect();
        &unmarked
    };
    let editor = Editor {
        body: &original[mark..],
        numbers: LineNumbers::of(&original[mark..]),
        changes,
    };
    let mut located = editor.locate_all()?;
    let applied = located.iter().map(|located| AppliedChange {
        index: located.index + 1,
        description: changes[located.index].description.clone(),
        line: editor.numbers.at(located.splice.range.start),
        tier: located.tier,
    });
    let applied = applied.collect();
    located.sort_by_key(|located| located.splice.range.start);
    editor.refuse_overlaps(&located)?;
    let touched_lines = located.iter().map(|Located { splice, .. }| {
        line_count(&editor.body[splice.range.clone()]) + line_count(&splice.replacement)
    });
    let touched_lines = touched_lines.sum();
    let grown: usize = located.iter().map(|it| it.splice.replacement.len()).sum();
    let mut content = Vec::with_capacity(original.len() + grown);
    content.extend_from_slice(&original[..mark]);
    let mut from = 0;
    for Located { splice, .. } in &located {
        content.extend_from_slice(&editor.body[from..splice.range.start]);
        content.extend_from_slice(&splice.replacement);
        from = splice.range.end;
    }
    content.extend_from_slice(&editor.body[from..]);
    Ok(Applied {
        content,
        changes: applied,
        touched_lines,
    })
}

fn without_mark(change: &Change) -> Change {
    let plain = |text: &str| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    Change {
        description: change.description.clone(),
        find: plain(&change.find),
        replace: plain(&change.replace),
    }
}

struct Editor<'a> {
    /// The file without its byte order mark.
    body: &'a [u8],
    numbers: LineNumbers<'a>,
    changes: &'a [Change],
}

impl Editor<'_> {
    /// Where each change goes, in the order of the reply.
    fn locate_all(&self) -> Result<Vec<Located>, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let mut sound = Vec::new();
        for (index, change) in self.changes.iter().enumerate() {
            match self.unsound(index, change) {
                Some(refusal) => refusals.push(refusal),
                None => sound.push(index),
            }
        }
        let texts = |index: &usize| Texts {
            find: &self.changes[*index].find,
            replace: &self.changes[*index].replace,
        };
        let mut located = Vec::new();
        let mut missing = Vec::new();
        let wanted: Vec<Texts<'_>> = sound.iter().map(texts).collect();
        for (index, places) in sound.into_iter().zip(self.places(&wanted)) {
            match self.settle(index, places, texts(&index)) {
                Ok(Some(found)) => located.push(found),
                Ok(None) => missing.push(index),
                Err(refusal) => refusals.push(refusal),
            }
        }
        self.without_numbers(&missing, &mut located, &mut refusals);
        if refusals.is_empty() {
            located.sort_by_key(|located| located.index);
            Ok(located)
        } else {
            refusals.sort_by_key(|refusal| refusal.index);
            Err(refusals)
        }
    }

    fn places(&self, wanted: &[Texts<'_>]) -> Vec<Places> {
        let needles: Vec<&[u8]> = wanted
            .iter()
            .map(|texts| without_last_end(texts.find))
            .collect();
        locate(self.body, &needles)
    }

    /// A problem that can be seen without looking for the change's place.
    fn unsound(&self, index: usize, change: &Change) -> Option<Refusal> {
        let refuse = |kind, message: Remark| Some(Refusal::of_change(index, kind, message));
        if change.find.trim().is_empty() {
            let message = Remark::from("the FIND text is empty")
                .so("to insert text, FIND a line beside it and repeat that line in REPLACE WITH");
            return refuse(RefusalKind::EmptyFind, message);
        }
        if change.find == change.replace {
            let message =
                Remark::from("FIND and REPLACE WITH are the same").so("leave the change out");
            return refuse(RefusalKind::NoChange, message);
        }
        if change.replace.contains('\0') {
            let message = "REPLACE WITH holds a NUL byte, which no text file has";
            return refuse(RefusalKind::Malformed, message.into());
        }
        if let Some(line) = marker_residue(&change.replace, self.body) {
            let message = format!(
                "REPLACE WITH holds the line `{line}`, which belongs to the format of the reply and \
                 not to the file"
            );
            return refuse(RefusalKind::MarkerResidue, message.into());
        }
        if let Some(line) = placeholder(&change.replace, self.body) {
            let message = Remark::from(format!("REPLACE WITH holds `{line}` in place of code")).so(
                "write out every line that is to be there, or choose a FIND text \
                     that does not include what stays",
            );
            return refuse(RefusalKind::Malformed, message);
        }
        None
    }

    /// The one place of a change, `None` if there is none, or why it cannot be settled.
    fn settle(
        &self,
        index: usize,
        places: Places,
        texts: Texts<'_>,
    ) -> Result<Option<Located>, Refusal> {
        let (splice, tier) = match places {
            Places::Nowhere => return Ok(None),
            Places::Exact(starts) => match starts.as_slice() {
                [start] => (at_bytes(self.body, *start, texts), Tier::Exact),
                _ => return Err(self.ambiguous(index, &starts, Tier::Exact)),
            },
            Places::Whitespace(ranges) => {
                let [(range, shift)] = ranges.as_slice() else {
                    let starts: Vec<usize> = ranges.iter().map(|(range, _)| range.start).collect();
                    return Err(self.ambiguous(index, &starts, Tier::Whitespace));
                };
                let splice = at_lines(self.body, range, shift, texts);
                let splice = splice.ok_or_else(|| self.not_indentable(index, range.start))?;
                (splice, Tier::Whitespace)
            }
        };
        if self.body[splice.range.clone()] == splice.replacement {
            let message = Remark::from("the change leaves the file as it is").so("leave it out");
            let refusal = Refusal::of_change(index, RefusalKind::NoChange, message);
            return Err(refusal.at(vec![self.numbers.at(splice.range.start)]));
        }
        Ok(Some(Located {
            index,
            splice,
            tier,
        }))
    }

    /// Tries the changes that were not found without the line numbers before their lines.
    fn without_numbers(
        &self,
        missing: &[usize],
        located: &mut Vec<Located>,
        refusals: &mut Vec<Refusal>,
    ) {
        let mut plain = Vec::new();
        for (number, index) in missing.iter().enumerate() {
            let change = &self.changes[*index];
            let Some(find) = without_line_numbers(&change.find) else {
                refusals.push(self.not_found(*index, number < MAX_NEAREST));
                continue;
            };
            match without_line_numbers(&change.replace) {
                Some(replace) => plain.push((*index, find, replace)),
                None if has_line_numbers(&change.replace) => {
                    let message =
                        Remark::from("some lines begin with a line number and some do not")
                            .so("send the text as the file has it, without line numbers");
                    refusals.push(Refusal::of_change(*index, RefusalKind::Malformed, message));
                }
                None => plain.push((*index, find, change.replace.clone())),
            }
        }
        let texts: Vec<Texts<'_>> = plain
            .iter()
            .map(|(_, find, replace)| Texts { find, replace })
            .collect();
        if texts.is_empty() {
            return;
        }
        for (((index, ..), texts), places) in plain.iter().zip(&texts).zip(self.places(&texts)) {
            match self.settle(*index, self.whole_lines(places, *texts), *texts) {
                Ok(Some(found)) => located.push(found),
                Ok(None) => refusals.push(self.not_found(*index, false)),
                Err(refusal) => refusals.push(refusal),
            }
        }
    }

    /// Only places that are whole lines: a number stood before the beginning of a line, not before part of one.
    fn whole_lines(&self, places: Places, texts: Texts<'_>) -> Places {
        let Places::Exact(mut starts) = places else {
            return places;
        };
        let length = without_last_end(texts.find).len();
        starts.retain(|start| {
            let behind = self.body.get(start + length);
            (*start == 0 || self.body[start - 1] == b'\n')
                && matches!(behind, None | Some(b'\n' | b'\r'))
        });
        if starts.is_empty() {
            Places::Nowhere
        } else {
            Places::Exact(starts)
        }
    }

    fn ambiguous(&self, index: usize, starts: &[usize], tier: Tier) -> Refusal {
        let mut lines: Vec<usize> = starts.iter().map(|start| self.numbers.at(*start)).collect();
        lines.dedup();
        lines.truncate(MAX_LINES);
        let how = match tier {
            Tier::Exact => "",
            Tier::Whitespace => ", apart from white space",
        };
        let places = lines_in_words(&lines);
        let message = Remark::from(format!(
            "the FIND text is in the file more than once{how}: at {places}"
        ))
        .so("add lines above or below it until it is at one place only");
        Refusal::of_change(index, RefusalKind::Ambiguous, message).at(lines)
    }

    fn not_indentable(&self, index: usize, start: usize) -> Refusal {
        let line = self.numbers.at(start);
        let message = Remark::from(format!(
            "the FIND text is at line {line} only with another indentation, and REPLACE WITH cannot be \
             indented like that"
        ))
.so(
                    "send both exactly as they are to stand in the file"
            );
        Refusal::of_change(index, RefusalKind::NotFound, message).at(vec![line])
    }

    fn not_found(&self, index: usize, with_region: bool) -> Refusal {
        let change = &self.changes[index];
        let find = without_last_end(&change.find);
        let mut fact = String::from("the FIND text is not in the file");
        let mut order = None;
        let mut lines = Vec::new();
        let replace = without_last_end(&change.replace);
        let there = (!change.replace.trim().is_empty())
            .then(|| memchr::memmem::find(self.body, replace))
            .flatten();
        if let Some(start) = there {
            lines.push(self.numbers.at(start));
            let _ = write!(
                fact,
                ", and the text of REPLACE WITH is there already, at line {}: already applied?",
                lines[0]
            );
        } else if let Some(region) = with_region.then(|| nearest(self.body, find)).flatten() {
            lines = region.lines;
            order = Some(format!(
                "copy it exactly, with its white space. The nearest lines, with their numbers, which do not \
                 belong to them:{}",
                region.text
            ));
        } else {
            let shown = "copy it exactly from the file as it is shown, with its white space";
            order = Some(shown.to_owned());
        }
        let mut message = Remark::from(fact);
        if let Some(order) = order {
            message = message.so(order);
        }
        Refusal::of_change(index, RefusalKind::NotFound, message).at(lines)
    }

    /// Changes that touch the same bytes; `located` is in the order of the file.
    fn refuse_overlaps(&self, located: &[Located]) -> Result<(), Vec<Refusal>> {
        let mut refusals = Vec::new();
        let mut furthest: Option<&Located> = None;
        for next in located {
            let range = &next.splice.range;
            if let Some(earlier) = furthest.filter(|it| it.splice.range.end > range.start) {
                let line = self.numbers.at(range.start);
                let (one, other) = (earlier.index.min(next.index), earlier.index.max(next.index));
                let message = Remark::from(format!(
                    "it touches the same text as change {}, at line {line}",
                    one + 1
                ))
                .so("make one change of both");
                let refusal = Refusal::of_change(other, RefusalKind::Overlap, message);
                refusals.push(refusal.at(vec![line]));
            }
            if furthest.is_none_or(|it| it.splice.range.end < range.end) {
                furthest = Some(next);
            }
        }
        if refusals.is_empty() {
            Ok(())
        } else {
            Err(refusals)
        }
    }
}
