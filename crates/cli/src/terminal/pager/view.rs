//! A person's position in a document, and the rows they see there. No terminal: keys come in as moves, rows go out.
//!
//! Only the parts around the screen are kept; the others are made again on demand.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{Row, row_count, rows};
use super::search::Pattern;
use crate::terminal::document::{ABOVE_THE_NAME, Document, Look, Part};
use crate::terminal::style::{Appearance, Ink, Line};
use crate::terminal::text::{counted, grouped};

/// A part of more bytes is announced before it is made.
const SLOW: u64 = 1 << 17;

/// A row of the document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    part: usize,
    line: usize,
    row: usize,
}

/// Which way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Back,
}

/// A document on a screen.
pub(super) struct View<'d, 'a> {
    document: &'d Document<'a>,
    made: BTreeMap<usize, Vec<Line>>,
    unfolded: BTreeSet<usize>,
    top: Place,
    columns: usize,
    height: usize,
    pattern: Option<Pattern>,
    mark: &'static str,
}

impl<'d, 'a> View<'d, 'a> {
    /// From the first line; `height` is without the status line.
    pub(super) fn new(document: &'d Document<'a>, columns: usize, height: usize) -> Self {
        Self {
            document,
            made: BTreeMap::new(),
            unfolded: BTreeSet::new(),
            top: Place::default(),
            columns: columns.max(1),
            height: height.max(1),
            pattern: None,
            mark: Appearance::default().continuation(),
        }
    }

    /// The same, as the screen can show it.
    pub(super) fn looking(self, appearance: Appearance) -> Self {
        Self {
            mark: appearance.continuation(),
            ..self
        }
    }

    /// The screen has another size now.
    pub(super) fn resize(&mut self, columns: usize, height: usize) {
        self.columns = columns.max(1);
        self.height = height.max(1);
        self.top.row = 0;
        self.forget();
    }

    /// Everything is to be made again.
    pub(super) fn forget(&mut self) {
        self.made.clear();
        // Another width may have given the part other lines.
        let last = self.lines(self.top.part).len().saturating_sub(1);
        self.top.line = self.top.line.min(last);
    }

    pub(super) fn scroll(&mut self, way: Way, count: usize) {
        match way {
            Way::Back => self.top = self.before(self.top, count).0,
            Way::Forward => {
                let below = self.after(self.top, count + self.height - 1).1;
                // The last screen is a full one, but its rows are not moved down again.
                let step = (below + 1).saturating_sub(self.height);
                self.top = self.after(self.top, step.min(count)).0;
            }
        }
    }

    pub(super) fn page(&mut self, way: Way) {
        self.scroll(way, self.height.saturating_sub(1).max(1));
    }

    pub(super) fn half_page(&mut self, way: Way) {
        self.scroll(way, (self.height / 2).max(1));
    }

    pub(super) fn go_to_start(&mut self) {
        self.top = Place::default();
    }

    pub(super) fn go_to_end(&mut self) {
        let part = self.document.parts.len().saturating_sub(1);
        let line = self.lines(part).len().saturating_sub(1);
        let row = self.rows_of(part, line).saturating_sub(1);
        self.top = self.before(Place { part, line, row }, self.height - 1).0;
    }

    /// To the next file for which this holds; false if there is none.
    fn go_to_part(&mut self, way: Way, wanted: impl Fn(&Part<'a>) -> bool) -> bool {
        let parts = &self.document.parts;
        let here = self.top.part;
        let in_the_middle = self.top > start_of(&parts[here], here);
        let found = match way {
            Way::Forward => (here + 1..parts.len()).find(|part| wanted(&parts[*part])),
            Way::Back => {
                let end = if in_the_middle { here + 1 } else { here };
                (0..end).rev().find(|part| wanted(&parts[*part]))
            }
        };
        if let Some(part) = found {
            self.top = start_of(&parts[part], part);
        }
        found.is_some()
    }

    pub(super) fn go_to_file(&mut self, way: Way) -> bool {
        self.go_to_part(way, Part::is_file)
    }

    pub(super) fn go_to_flagged(&mut self, way: Way) -> bool {
        self.go_to_part(way, Part::is_flagged)
    }

    /// To the next line for which this holds, and from the other end if there is none.
    fn go_to_line(&mut self, way: Way, around: bool, wanted: impl Fn(&Line) -> bool) -> bool {
        let count = self.document.parts.len();
        let Place { part, line, .. } = self.top;
        let further = if around { count } else { 0 };
        for step in 0..=count {
            let at = match way {
                Way::Forward => part + step,
                Way::Back => part + count - step,
            };
            let inside = match way {
                Way::Forward => at < count,
                Way::Back => at >= count,
            };
            if !inside && further == 0 {
                return false;
            }
            let at = at % count;
            let kept = self.made.contains_key(&at);
            let lines = self.lines(at);
            let mut hits = lines.iter().enumerate().filter(|(_, line)| wanted(line));
            // The whole round ends in the part in which it began.
            let found = match way {
                Way::Forward => hits.find(|(number, _)| step > 0 || *number > line),
                Way::Back => hits.rfind(|(number, _)| step > 0 || *number < line),
            }
            .map(|(number, _)| number);
            if let Some(line) = found {
                self.top = Place {
                    part: at,
                    line,
                    row: 0,
                };
                return true;
            }
            if !kept {
                self.made.remove(&at);
            }
        }
        false
    }

    pub(super) fn go_to_hunk(&mut self, way: Way) -> bool {
        self.go_to_line(way, false, is_hunk)
    }

    /// Searches for something else from here on; false if it is nowhere.
    pub(super) fn search(&mut self, pattern: Pattern) -> bool {
        let found = self.go_to_line(Way::Forward, true, |line| pattern.is_in(&line.plain()));
        self.pattern = Some(pattern);
        found
    }

    /// To the next hit of the search; false if there is none or nothing was searched for.
    pub(super) fn search_again(&mut self, way: Way) -> bool {
        match self.pattern.clone() {
            Some(pattern) => self.go_to_line(way, true, |line| pattern.is_in(&line.plain())),
            None => false,
        }
    }

    pub(super) fn pattern(&self) -> Option<&Pattern> {
        self.pattern.as_ref()
    }

    /// Unfolds the part here, or folds it again; false if it cannot be folded.
    pub(super) fn unfold(&mut self) -> bool {
        let part = self.top.part;
        if !self.document.parts[part].is_folded() {
            return false;
        }
        if !self.unfolded.remove(&part) {
            self.unfolded.insert(part);
        }
        self.made.remove(&part);
        self.top = start_of(&self.document.parts[part], part);
        true
    }

    /// The screen's rows, and whether they are complete: a part that takes long to make is only announced unless
    /// `patient`.
    pub(super) fn frame(&mut self, patient: bool) -> (Vec<Row>, bool) {
        let mut shown = Vec::new();
        let mut place = self.top;
        let mut complete = true;
        while shown.len() < self.height && place.part < self.document.parts.len() {
            let part = &self.document.parts[place.part];
            if !patient && part.bytes > SLOW && !self.made.contains_key(&place.part) {
                let line = Line::of(Ink::Faint, format!("comparing {}", part.name));
                shown.extend(rows(&line, self.columns, self.mark, None));
                complete = false;
                break;
            }
            let (columns, pattern) = (self.columns, self.pattern.clone());
            let (height, mark) = (self.height, self.mark);
            for line in self.lines(place.part).iter().skip(place.line) {
                let rows = rows(line, columns, mark, pattern.as_ref());
                shown.extend(rows.into_iter().skip(place.row));
                place.row = 0;
                if shown.len() >= height {
                    break;
                }
            }
            place = Place {
                part: place.part + 1,
                ..Place::default()
            };
        }
        shown.truncate(self.height);
        let near = self.top.part.saturating_sub(1)..=place.part;
        self.made.retain(|part, _| near.contains(part));
        (shown, complete)
    }

    /// The current part, its notice, and the position in it.
    pub(super) fn whereabouts(&self) -> [String; 3] {
        let parts = &self.document.parts;
        let part = &parts[self.top.part];
        let files = |parts: &[Part<'_>]| parts.iter().filter(|part| part.is_file()).count();
        let name = if part.is_file() {
            let number = files(&parts[..=self.top.part]);
            format!(
                "{}/{} {}",
                grouped(number as u64),
                grouped(files(parts) as u64),
                part.name
            )
        } else {
            part.name.clone()
        };
        let position = match self.made.get(&self.top.part) {
            Some(lines) => format!(
                "line {} of {}",
                grouped(self.top.line as u64 + 1),
                grouped(lines.len() as u64)
            ),
            None => counted(self.top.line + 1, "line"),
        };
        [name, part.notice.clone(), position]
    }

    fn lines(&mut self, part: usize) -> &[Line] {
        let look = Look {
            columns: self.columns,
            unfolded: self.unfolded.contains(&part),
        };
        let document = self.document;
        self.made
            .entry(part)
            .or_insert_with(|| document.parts[part].lines(look))
    }

    fn rows_of(&mut self, part: usize, line: usize) -> usize {
        let columns = self.columns;
        self.lines(part)
            .get(line)
            .map_or(1, |line| row_count(line, columns))
    }

    /// So many rows further down, or at the last row; and how many it were.
    fn after(&mut self, from: Place, count: usize) -> (Place, usize) {
        let mut place = from;
        for step in 0..count {
            let Some(next) = self.next(place) else {
                return (place, step);
            };
            place = next;
        }
        (place, count)
    }

    /// So many rows further up, or at the first row; and how many it were.
    fn before(&mut self, from: Place, count: usize) -> (Place, usize) {
        let mut place = from;
        for step in 0..count {
            let Some(previous) = self.previous(place) else {
                return (place, step);
            };
            place = previous;
        }
        (place, count)
    }

    fn next(&mut self, Place { part, line, row }: Place) -> Option<Place> {
        if row + 1 < self.rows_of(part, line) {
            return Some(Place {
                part,
                line,
                row: row + 1,
            });
        }
        if line + 1 < self.lines(part).len() {
            return Some(Place {
                part,
                line: line + 1,
                row: 0,
            });
        }
        let part =
            (part + 1..self.document.parts.len()).find(|part| !self.lines(*part).is_empty())?;
        Some(Place {
            part,
            ..Place::default()
        })
    }

    fn previous(&mut self, Place { part, line, row }: Place) -> Option<Place> {
        if row > 0 {
            return Some(Place {
                part,
                line,
                row: row - 1,
            });
        }
        let (part, line) = if let Some(line) = line.checked_sub(1) {
            (part, line)
        } else {
            let mut earlier = (0..part).rev();
            let part = earlier.find(|part| !self.lines(*part).is_empty())?;
            (part, self.lines(part).len() - 1)
        };
        let row = self.rows_of(part, line).saturating_sub(1);
        Some(Place { part, line, row })
    }
}

/// Where a person begins to read a part: a file at its name.
fn start_of(part: &Part<'_>, number: usize) -> Place {
    Place {
        part: number,
        line: if part.is_file() { ABOVE_THE_NAME } else { 0 },
        row: 0,
    }
}

/// Whether a line says where a hunk is. Lines of content begin with another ink.
fn is_hunk(line: &Line) -> bool {
    let first = line.pieces().first();
    first.is_some_and(|(ink, text)| *ink == Ink::Place && text.starts_with("@@ "))
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
