//! The line at the bottom of the screen, and the list of keys.

use super::rows::{Row, rows};
use crate::terminal::style::{Ink, Line};
use crate::terminal::text::width;

/// The bottom line below the list of keys.
pub(super) const LEAVE_HELP: &str = " any key goes back";

/// Every key and its action.
pub(crate) const KEYS: [(&str, &str); 14] = [
    ("space  b", "a screen down, up"),
    ("d  u", "half a screen down, up"),
    ("j  k", "a line down, up; so do the arrows"),
    ("g  G", "to the beginning, to the end"),
    (
        "]  [",
        "next, previous file; so do tab and shift-tab, n and p",
    ),
    ("}  {", "next, previous change; so do J and K"),
    ("f  F", "next, previous flagged file"),
    ("/", "search; small letters find capital ones too"),
    ("n  N", "next, previous place of what was searched for"),
    ("x", "show what is folded here, fold it again"),
    ("h  ?", "this list"),
    ("q", "leave, and decide"),
    (
        "A  R  C",
        "begin the answer to a question below: APPROVE, REJECT, COMMENT, ABORT",
    ),
    ("Ctrl-C", "leave and decide nothing; Ctrl-Z puts it aside"),
];

/// The keys and their actions.
pub(super) fn help(columns: usize, height: usize) -> Vec<Row> {
    let mut lines = vec![Line::of(Ink::Strong, "Keys"), Line::default()];
    lines.extend(KEYS.map(|(keys, meaning)| {
        Line::of(Ink::Strong, format!("  {keys:<10}")).and(Ink::Plain, meaning)
    }));
    let mut shown: Vec<Row> = lines
        .iter()
        .flat_map(|line| rows(line, columns, "", None))
        .collect();
    shown.truncate(height);
    shown
}

/// The position, and the possible actions; of a long name the end is kept, and the flags always.
pub(super) fn line(whereabouts: &[String; 3], message: &str, columns: usize) -> String {
    let [name, notice, position] = whereabouts;
    let notice = if notice.is_empty() {
        String::new()
    } else {
        format!("  {notice}")
    };
    let right = if message.is_empty() {
        "q: decide  h: keys"
    } else {
        message
    };
    let tail = format!("{notice}  {position}");
    let room = columns.saturating_sub(width(&tail) + width(right) + 4);
    let name = shortened(name, room.max(12));
    let left = format!(" {name}{tail}");
    let gap = columns.saturating_sub(width(&left) + width(right) + 1);
    format!("{left}{}{right} ", " ".repeat(gap.max(2)))
}

fn shortened(name: &str, columns: usize) -> String {
    if width(name) <= columns {
        return name.to_owned();
    }
    let mut start = name.char_indices().map(|(at, _)| at);
    let kept = start.find(|at| width(&name[*at..]) + 2 <= columns);
    format!("..{}", &name[kept.unwrap_or(name.len())..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, notice: &str, columns: usize) -> String {
        let whereabouts = [name, notice, "line 3 of 40"].map(str::to_owned);
        line(&whereabouts, "", columns)
    }

    #[test]
    fn the_line_fills_the_screen_and_keeps_the_flags() {
        assert_eq!(
            of("3/9 src/total.py", "REPLACED", 80),
            " 3/9 src/total.py  REPLACED  line 3 of 40                    q: decide  h: keys "
        );
        let long = of(
            &format!("3/9 {}/total.py", "deep/".repeat(30)),
            "REPLACED",
            80,
        );
        assert!(long.contains("/total.py  REPLACED  line 3 of 40"), "{long}");
        assert!(width(&long) <= 80, "{long}");
    }

    #[test]
    fn the_list_of_keys_fits_a_small_screen() {
        assert!(help(80, 100).len() <= 23);
        assert_eq!(help(80, 5).len(), 5);
    }
}
