//! A line as the rows of a screen: broken where the screen ends, nothing left out.
//!
//! Each further row begins with a mark and a little further in: the tail of an added line could otherwise pass for a
//! line that stays, or for one that is gone.

use unicode_width::UnicodeWidthChar as _;

use super::search::Pattern;
use crate::terminal::style::{Ink, Line};
use crate::terminal::text::TAB;

/// A piece of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) ink: Ink,
    pub(super) text: String,
    /// Whether it is a search hit.
    pub(super) found: bool,
}

/// One row of a screen.
pub(super) type Row = Vec<Piece>;

/// Columns of the mark that a further row begins with; none where there is hardly room for the text.
fn mark_columns(columns: usize) -> usize {
    if columns < 8 { 0 } else { 2 }
}

/// The line as lines that a screen of this width has room for, each further one with the mark before it.
pub(in crate::terminal) fn broken(line: &Line, columns: usize, mark: &str) -> Vec<Line> {
    if row_count(line, columns) == 1 {
        return vec![line.clone()];
    }
    let line_of = |row: Row| {
        let pieces = row.into_iter();
        pieces.fold(Line::default(), |line, piece| {
            line.and(piece.ink, piece.text)
        })
    };
    let rows = rows(line, columns, mark, None);
    rows.into_iter().map(line_of).collect()
}

/// How many rows a line takes.
pub(in crate::terminal) fn row_count(line: &Line, columns: usize) -> usize {
    let pieces = line.pieces();
    let plain = |byte: u8| (0x20..0x7f).contains(&byte);
    if pieces.iter().all(|(_, text)| text.bytes().all(plain)) {
        let width: usize = pieces.iter().map(|(_, text)| text.len()).sum();
        let further = width.saturating_sub(columns);
        return 1 + further.div_ceil(columns - mark_columns(columns));
    }
    rows(line, columns, "", None).len()
}

/// The rows of a line, at least one.
pub(super) fn rows(line: &Line, columns: usize, mark: &str, pattern: Option<&Pattern>) -> Vec<Row> {
    let marks = pattern.map_or_else(Vec::new, |pattern| pattern.places(&line.plain()));
    let mut rows = vec![Row::new()];
    let indent = mark_columns(columns);
    // Where the row begins, and how far it goes.
    let (mut start, mut used) = (0, 0);
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
                if used + step > columns && used > start {
                    rows.push(further_row(mark, indent));
                    (start, used) = (indent, indent);
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

fn further_row(mark: &str, indent: usize) -> Row {
    if indent == 0 {
        return Row::new();
    }
    let mark = Piece {
        ink: Ink::Place,
        text: mark.to_owned(),
        found: false,
    };
    vec![mark]
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
        let rows = rows(line, columns, "↪ ", None);
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
    fn a_further_row_is_marked_and_cannot_pass_for_a_line_of_the_file() {
        let line = Line::of(Ink::Good, "+12345678 -gone or  stays and so on");
        assert_eq!(
            texts(&line, 10),
            [
                "+12345678 ",
                "↪ -gone or",
                "↪   stays ",
                "↪ and so o",
                "↪ n"
            ]
        );
        let lines = broken(&line, 10, "> ");
        assert_eq!(lines[1].plain(), "> -gone or");
        let tabs = Line::of(Ink::Good, "+\tx");
        assert_eq!(broken(&tabs, 10, "> "), [tabs], "what fits stays as it is");
        assert_eq!(
            texts(&Line::of(Ink::Plain, "+中中中中中中"), 8),
            ["+中中中", "↪ 中中中"]
        );
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
        let marked: Vec<String> = rows(&line, 80, "↪ ", Some(&pattern))
            .concat()
            .into_iter()
            .filter(|piece| piece.found)
            .map(|piece| piece.text)
            .collect();
        assert_eq!(marked, ["n ", "lim"]);
    }
}
