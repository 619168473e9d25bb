//! Text for a screen: visible, of a known width, counted as people count.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns between two tab stops.
pub(super) const TAB: usize = 8;

/// How much of one reason is shown; all of it is in the evidence.
const LONGEST_PHRASE: usize = 400;

/// The first meaningful line, of bearable length.
pub(crate) fn phrase(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut characters = line.chars();
    let mut short: String = characters.by_ref().take(LONGEST_PHRASE).collect();
    if characters.next().is_some() {
        short.push_str("...");
    }
    short
}

/// The beginning of a visible line that fits into this many columns, with tabs as spaces.
pub(crate) fn cut(line: &str, columns: usize) -> String {
    let mut short = String::new();
    let mut used = 0;
    for character in line.chars() {
        let width = if character == '\t' {
            TAB - used % TAB
        } else {
            character.width().unwrap_or(0)
        };
        if used + width > columns {
            break;
        }
        if character == '\t' {
            short.extend(std::iter::repeat_n(' ', width));
        } else {
            short.push(character);
        }
        used += width;
    }
    short
}

/// The text with spaces after it, as wide as asked for; a wider text stays as it is.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// The columns that a visible text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with its further lines indented this far, where none of them passes for a line of ours.
pub(crate) fn hanging(text: &str, columns: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(columns)))
}

/// `1 file`, `2 files`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_one_line() {
        assert_eq!(phrase("\n  first words\nsecond"), "first words");
        assert_eq!(phrase(""), "");
        assert_eq!(phrase(&"a".repeat(500)).len(), 403);
    }

    #[test]
    fn cutting_counts_columns_not_characters() {
        assert_eq!(cut("中文字", 5), "中文");
        assert_eq!(cut("a\tb", 9), "a       b");
        assert_eq!(cut("a\tb", 4), "a");
        assert_eq!(padded("中", 4), "中  ");
    }

    #[test]
    fn numbers_are_grouped_and_nouns_agree() {
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(1_234_567, "line"), "1,234,567 lines");
        assert_eq!(counted(0, "line"), "0 lines");
    }
}
