//! Words that changed within a line stand out from those that did not.

use std::collections::BTreeMap;

use proctor_core::diff::{Hunk, Piece, Tag, changed_words, escape};

use super::style::{Ink, Line};

/// Lines of a hunk that are shown with their changed words marked.
#[derive(Debug, Default)]
pub(super) struct Emphasis {
    lines: BTreeMap<usize, Line>,
}

impl Emphasis {
    /// Pairs each deleted line with the added one that took its place. Lines with hidden characters are left
    /// out: what they hide is shown by somebody else.
    pub(super) fn of(hunk: &Hunk) -> Self {
        let mut emphasis = Self::default();
        let mut position = 0;
        while position < hunk.lines.len() {
            let run = |from: usize, tag| {
                let lines = hunk.lines[from..].iter();
                lines.take_while(|line| line.tag == tag).count()
            };
            let removed = run(position, Tag::Removed);
            let added = run(position + removed, Tag::Added);
            if removed == added {
                for offset in 0..removed {
                    emphasis.pair(hunk, position + offset, position + removed + offset);
                }
            }
            position += (removed + added).max(1);
        }
        emphasis
    }

    fn pair(&mut self, hunk: &Hunk, old: usize, new: usize) {
        let shown = |position: usize| escape(hunk.lines[position].content());
        let (before, after) = (shown(old), shown(new));
        if before.has_hidden_characters || after.has_hidden_characters {
            return;
        }
        if let Some((before, after)) = changed_words(&before.text, &after.text) {
            let line = |sign, pieces: Vec<Piece<'_>>, plain, marked| {
                pieces
                    .iter()
                    .fold(Line::of(plain, sign), |line, (changed, text)| {
                        line.and(if *changed { marked } else { plain }, *text)
                    })
            };
            self.lines
                .insert(old, line("-", before, Ink::Bad, Ink::BadWord));
            self.lines
                .insert(new, line("+", after, Ink::Good, Ink::GoodWord));
        }
    }

    /// The line at a position of the hunk, if words of it changed.
    pub(super) fn line(&self, position: usize) -> Option<&Line> {
        self.lines.get(&position)
    }
}

#[cfg(test)]
mod tests {
    use proctor_core::diff::LineDiff;

    use super::*;

    #[test]
    fn a_changed_word_stands_out_and_the_text_stays_the_same() {
        let diff = LineDiff::between(b"return limit + 1\n", b"return bound + 1\n");
        let emphasis = Emphasis::of(&diff.hunks[0]);
        let line = |position| emphasis.line(position).expect("both lines are alike");
        assert_eq!(line(0).plain(), "-return limit + 1");
        assert_eq!(line(1).plain(), "+return bound + 1");
        assert!(
            line(0)
                .painted()
                .contains("\u{1b}[1m\u{1b}[4m\u{1b}[31mlimit")
        );
        assert!(
            line(1)
                .painted()
                .contains("\u{1b}[1m\u{1b}[4m\u{1b}[32mbound")
        );
    }
}
