//! A line as the rows of a screen: broken where the screen ends, nothing left out.

use unicode_width::UnicodeWidthChar as _;

use super::search::Pattern;
use crate::terminal::style::{Ink, Line};
use crate::terminal::text::TAB;

/// A piece of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) ink: Ink,
    pub(super) text: String,
    /// Whether it is what was searched for.
    pub(super) found: bool,
}

/// One row of a screen.
pub(super) type Row = Vec<Piece>;

/// How many rows a line takes.
pub(in crate::terminal) fn row_count(line: &Line, columns: usize) -> usize {
    let pieces = line.pieces();
    let plain = |byte: u8| (0x20..0x7f).contains(&byte);
    if pieces.iter().all(|(_, text)| text.bytes().all(plain)) {
        let width: usize = pieces.iter().map(|(_, text)| text.len()).sum();
        return width.div_ceil(columns).max(1);
    }
    rows(line, columns, None).len()
}

/// The rows of a line, at least one.
pub(super) fn rows(line: &Line, columns: usize, pattern: Option<&Pattern>) -> Vec<Row> {
    let marks = pattern.map_or_else(Vec::new, |pattern| pattern.places(&line.plain()));
    let mut rows = vec![Row::new()];
    let mut used = 0;
    // Where the next tab stop is depends on the line, not on the row.
    let mut column = 0;
    let mut position = 0;
    for (ink, text) in line.pieces() {
        for character in text.chars() {
            let found = marks.iter().any(|range| range.contains(&position));
            position += character.len_utf8();
            let (shown, width) = match character {
                '\t' => (' ', TAB - column % TAB),
                _ => (character, character.width().unwrap_or(0)),
            };
            column += width;
            let count = if character == '\t' { width } else { 1 };
            let step = if character == '\t' { 1 } else { width };
            for _ in 0..count {
                if used + step > columns && used > 0 {
                    rows.push(Row::new());
                    used = 0;
                }
                used += step;
                if let Some(row) = rows.last_mut() {
                    push(row, *ink, shown, found);
                }
            }
        }
    }
    rows
}

fn push(row: &mut Row, ink: Ink, character: char, found: bool) {
    match row.last_mut() {
        Some(last) if last.ink == ink && last.found == found => last.text.push(character),
        _ => row.push(Piece {
            ink,
            text: character.to_string(),
            found,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &Line, columns: usize) -> Vec<String> {
        let rows = rows(line, columns, None);
        assert_eq!(rows.len(), row_count(line, columns), "{line:?}");
        let text = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect();
        rows.iter().map(text).collect()
    }

    #[test]
    fn a_long_line_goes_on_in_the_next_row() {
        let line = Line::of(Ink::Good, "+abc").and(Ink::GoodWord, "defgh");
        assert_eq!(texts(&line, 4), ["+abc", "defg", "h"]);
        assert_eq!(texts(&line, 9), ["+abcdefgh"]);
        assert_eq!(texts(&Line::default(), 4), [""]);
    }

    #[test]
    fn wide_characters_are_not_cut_in_two_and_tabs_keep_their_stops() {
        assert_eq!(texts(&Line::of(Ink::Plain, "a中中"), 4), ["a中", "中"]);
        assert_eq!(texts(&Line::of(Ink::Plain, "a\tb"), 20), ["a       b"]);
        assert_eq!(texts(&Line::of(Ink::Plain, "a\tb"), 6), ["a     ", "  b"]);
        // Wider than the screen: shown all the same.
        assert_eq!(texts(&Line::of(Ink::Plain, "中中"), 1), ["中", "中"]);
    }

    #[test]
    fn what_was_searched_for_is_marked_also_across_pieces() {
        let line = Line::of(Ink::Good, "+return ").and(Ink::GoodWord, "limit");
        let pattern = Pattern::new("n lim").expect("not empty");
        let marked: Vec<String> = rows(&line, 80, Some(&pattern))
            .concat()
            .into_iter()
            .filter(|piece| piece.found)
            .map(|piece| piece.text)
            .collect();
        assert_eq!(marked, ["n ", "lim"]);
    }
}
