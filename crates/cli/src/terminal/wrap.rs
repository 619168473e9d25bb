//! Long lines on a narrow screen, broken between words and indented below what they belong to.
//!
//! For sentences only. Lines of a diff are broken where the screen ends, and marked (`pager/rows.rs`).

use super::style::Line;
use super::text::width;

/// Columns within which a line's heading ends, such as `✓ N2 RedGate      `.
const HEADING: usize = 20;

/// Bytes of a remark that is not worth breaking.
const SHORT_REMARK: usize = 12;

/// The line as several, none wider than `columns` unless a single word is. A name that fits on no line, such as
/// that of a test, is broken at its joints.
pub(super) fn wrapped(line: &Line, columns: usize) -> Vec<Line> {
    if width(&line.plain()) <= columns {
        return vec![line.clone()];
    }
    let indent = hanging_indent(&line.plain()).min(columns / 2);
    let mut lines = Vec::new();
    let mut current = Line::default();
    let mut used = 0;
    let mut has_words = false;
    // The spaces before the next word; at a break they go.
    let mut gap = String::new();
    for (ink, text) in line.pieces() {
        for word in words(text) {
            let body = word.trim_end_matches(' ');
            let parts = match body {
                "" => Vec::new(),
                _ if indent + width(body) <= columns => vec![body],
                _ => joints(body),
            };
            for part in parts {
                if has_words && used + gap.len() + width(part) > columns {
                    lines.push(std::mem::take(&mut current));
                    gap = " ".repeat(indent);
                    used = 0;
                }
                used += gap.len() + width(part);
                current = current.and(*ink, std::mem::take(&mut gap) + part);
                has_words = true;
            }
            gap.push_str(&word[body.len()..]);
        }
    }
    lines.push(current);
    lines
}

/// Words with the spaces behind them; a short remark in parentheses, such as `(0.3 s)`, is one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let remark = rest.starts_with('(').then(|| rest.find(')')).flatten();
        let from = remark.filter(|end| *end < SHORT_REMARK).unwrap_or(0);
        let end = rest[from..]
            .find(' ')
            .map_or(rest.len(), |at| from + at + 1);
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// The parts of a name, each with the sign that ends it.
fn joints(name: &str) -> Vec<&str> {
    let parts = name.split_inclusive('/');
    parts.flat_map(|part| part.split_inclusive("::")).collect()
}

/// Where the sentence starts: behind the first gap of two spaces near the beginning, or a little further
/// in than the line itself.
fn hanging_indent(text: &str) -> usize {
    let leading = text.len() - text.trim_start_matches(' ').len();
    let rest = &text[leading..];
    let gap = rest
        .find("  ")
        .map(|at| (at, rest[at..].trim_start_matches(' ')));
    match gap {
        Some((_, behind)) if !behind.is_empty() => {
            let start = width(&text[..text.len() - behind.len()]);
            if start <= HEADING { start } else { leading + 2 }
        }
        _ => leading + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::style::Ink;

    fn shown(text: &str, columns: usize) -> Vec<String> {
        let lines = wrapped(&Line::of(Ink::Plain, text), columns);
        lines.iter().map(Line::plain).collect()
    }

    #[test]
    fn a_long_line_is_broken_between_words_below_its_sentence() {
        assert_eq!(
            shown(
                "✗ N2 RedGate      refused: the module does not exist at all",
                40
            ),
            [
                "✗ N2 RedGate      refused: the module",
                "                  does not exist at all"
            ]
        );
    }

    #[test]
    fn a_detail_is_indented_a_little_further_than_it_begins() {
        assert_eq!(
            shown(
                "      tests/test_a.py::test_x: still fails with an error",
                40
            ),
            [
                "      tests/test_a.py::test_x: still",
                "        fails with an error"
            ]
        );
    }

    #[test]
    fn a_line_that_is_exactly_full_has_no_space_behind_it() {
        let lines = wrapped(&Line::of(Ink::Plain, "aaaa bbbb cccc"), 9);
        let plain: Vec<String> = lines.iter().map(Line::plain).collect();
        assert_eq!(plain, ["aaaa bbbb", "  cccc"]);
    }

    #[test]
    fn a_line_that_fits_and_a_word_that_never_will_stay_as_they_are() {
        assert_eq!(shown("short", 40), ["short"]);
        let word = "x".repeat(60);
        assert_eq!(shown(&word, 40), [word.as_str()]);
    }

    #[test]
    fn a_short_remark_in_parentheses_stays_whole() {
        assert_eq!(
            shown("✓ N1 Scaffold     the model replied  (0.0 s)", 41),
            [
                "✓ N1 Scaffold     the model replied",
                "                  (0.0 s)"
            ]
        );
    }

    #[test]
    fn a_name_that_fits_on_no_line_is_broken_at_its_joints() {
        assert_eq!(
            shown(
                "       failed  tests/shop/test_discount.py::TestTotals::test_ten_percent  (a reason)",
                40
            ),
            [
                "       failed  tests/shop/",
                "               test_discount.py::",
                "               TestTotals::",
                "               test_ten_percent",
                "               (a reason)",
            ]
        );
    }

    #[test]
    fn no_word_is_lost_and_no_line_is_too_wide() {
        let text = "• N4 GreenGate    refused: 2 new tests fail, 5 new tests pass, 6 earlier tests still pass  (0.3 s)";
        for columns in 24..120 {
            let lines = shown(text, columns);
            let words: Vec<&str> = lines
                .iter()
                .flat_map(|line| line.split_whitespace())
                .collect();
            assert_eq!(
                words,
                text.split_whitespace().collect::<Vec<_>>(),
                "{columns}"
            );
            assert!(
                lines.iter().all(|line| width(line) <= columns),
                "{columns}: {lines:?}"
            );
        }
    }
}
