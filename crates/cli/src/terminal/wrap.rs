//! Long lines on a narrow screen, broken between words and indented below their beginning.
//!
//! For sentences only. Lines of a diff are broken where the screen ends, and marked (`pager/rows.rs`).

use super::style::Line;
use super::text::width;

/// Columns within which a line's heading ends, such as `✓ N2 RedGate      `.
const HEADING: usize = 20;

/// The quotes around a command in a sentence.
const QUOTE: char = '`';

/// Bytes of a remark that is not worth breaking.
const SHORT_REMARK: usize = 12;

/// The line as several, none wider than `columns` unless a single word is. A name that fits on no line, such as that of
/// a test, is broken at its joints. Text that a person copies stays whole: a line that is a command, and text between
/// backticks.
pub(crate) fn wrapped(line: &Line, columns: usize) -> Vec<Line> {
    let plain = line.plain();
    if width(&plain) <= columns || plain.trim_start().starts_with("proctor ") {
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
                _ if indent + width(body) <= columns || body.starts_with(QUOTE) => vec![body],
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

/// Words with the spaces after them; a short remark in parentheses, such as `(0.3 s)`, is one, and so is text between
/// backticks.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let remark = rest.starts_with('(').then(|| rest.find(')')).flatten();
        let remark = remark.filter(|end| *end < SHORT_REMARK);
        let quoted = rest
            .strip_prefix(QUOTE)
            .and_then(|behind| behind.find(QUOTE));
        let from = remark.or(quoted.map(|end| end + 1)).unwrap_or(0);
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

/// Where the sentence starts: after the last gap of two spaces near the beginning, or a little further in than the line
/// itself.
fn hanging_indent(text: &str) -> usize {
    let leading = text.len() - text.trim_start_matches(' ').len();
    let gaps = text[leading..].match_indices("  ").map(|(at, _)| {
        let behind = text[leading + at..].trim_start_matches(' ');
        (width(&text[..text.len() - behind.len()]), behind)
    });
    let starts = gaps.filter(|(start, behind)| *start <= HEADING && !behind.is_empty());
    starts.map(|(start, _)| start).max().unwrap_or(leading + 2)
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
    fn what_is_copied_stays_whole() {
        let command = "proctor resume 87-k3x9qd --allow-secret 0123456789ab";
        assert_eq!(
            shown(
                &format!("hint: if that is not a secret, `{command}` lets it pass"),
                40
            ),
            [
                "hint: if that is not a secret,",
                &format!("  `{command}`"),
                "  lets it pass"
            ]
        );
        assert_eq!(shown(&format!("  {command}"), 40), [format!("  {command}")]);
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
