//! Cutting a text into the pieces that are encoded one by one.
//!
//! The vocabulary defines them by a regular expression, whose alternatives are the arms here:
//!
//! ```text
//! (?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3}
//!   | \x20?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//! ```

use std::ops::Range;
use std::sync::LazyLock;

use regex_syntax::hir;

/// What the expression asks of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    /// Carriage return or line feed.
    Newline,
    /// Any other white space.
    Space,
    Other,
}

/// The class of every character up to the last that is not [`Class::Other`].
///
/// They come from the library with which the tokenizer compiles the expression: another one may know
/// another version of Unicode.
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let mut classes = Vec::new();
    for (pattern, class) in [
        (r"\p{L}", Class::Letter),
        (r"\p{N}", Class::Number),
        (r"\s", Class::Space),
        (r"[\r\n]", Class::Newline),
    ] {
        for (first, last) in ranges(pattern) {
            if classes.len() <= last {
                classes.resize(last + 1, Class::Other);
            }
            classes[first..=last].fill(class);
        }
    }
    classes
});

fn ranges(pattern: &str) -> Vec<(usize, usize)> {
    let parsed = regex_syntax::parse(pattern).expect("the patterns above are valid");
    let hir::HirKind::Class(hir::Class::Unicode(class)) = parsed.kind() else {
        unreachable!("each of the patterns above is one class of characters")
    };
    let bounds = |range: &hir::ClassUnicodeRange| (range.start() as usize, range.end() as usize);
    class.ranges().iter().map(bounds).collect()
}

/// Where the pieces of a text are, in order and without gaps.
pub(super) struct Pieces<'a> {
    text: &'a str,
    classes: &'static [Class],
    start: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text,
            classes: &CLASSES,
            start: 0,
        }
    }

    /// The class of the character at a position, and the position behind it.
    #[inline]
    fn character(&self, position: usize) -> Option<(Class, usize)> {
        let byte = *self.text.as_bytes().get(position)?;
        if byte.is_ascii() {
            Some((self.classes[usize::from(byte)], position + 1))
        } else {
            self.wide_character(position)
        }
    }

    #[inline(never)]
    fn wide_character(&self, position: usize) -> Option<(Class, usize)> {
        let character = self.text[position..].chars().next()?;
        let class = self.classes.get(character as usize);
        let class = class.copied().unwrap_or(Class::Other);
        Some((class, position + character.len_utf8()))
    }

    /// Where the run of such characters that goes on at a position ends.
    #[inline]
    fn run(&self, mut position: usize, wanted: impl Fn(Class) -> bool) -> usize {
        while let Some((class, next)) = self.character(position)
            && wanted(class)
        {
            position = next;
        }
        position
    }

    fn letters(&self, position: usize) -> usize {
        self.run(position, |class| class == Class::Letter)
    }

    /// The end of a run of other characters and the newlines behind it.
    fn others(&self, position: usize) -> usize {
        let end = self.run(position, |class| class == Class::Other);
        self.run(end, |class| class == Class::Newline)
    }

    /// Up to three numbers, of which the first ends at the position.
    fn numbers(&self, mut position: usize) -> usize {
        for _ in 0..2 {
            if let Some((Class::Number, next)) = self.character(position) {
                position = next;
            }
        }
        position
    }

    /// The end of an English contraction. The expression ignores case, so U+017F counts as an `s`.
    fn contraction(&self) -> Option<usize> {
        let rest = self.text.as_bytes()[self.start..].strip_prefix(b"'")?;
        let lower = |index: usize| rest.get(index).map(u8::to_ascii_lowercase);
        let length = match (lower(0)?, lower(1)) {
            (b's' | b't' | b'm' | b'd', _) => 1,
            (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) | (0xc5, Some(0xbf)) => 2,
            _ => return None,
        };
        Some(self.start + 1 + length)
    }

    /// White space up to its last newline; without one, all but the character that belongs to what follows.
    fn white_space(&self) -> usize {
        let end = self.run(self.start, |class| {
            matches!(class, Class::Space | Class::Newline)
        });
        let run = &self.text[self.start..end];
        if let Some(newline) = run.bytes().rposition(|byte| matches!(byte, b'\r' | b'\n')) {
            return self.start + newline + 1;
        }
        match run.char_indices().next_back() {
            Some((last, _)) if last > 0 && end < self.text.len() => self.start + last,
            _ => end,
        }
    }

    fn end(&self) -> Option<usize> {
        let (first, second) = self.character(self.start)?;
        let end = match first {
            Class::Letter => self.letters(second),
            Class::Number => self.numbers(second),
            Class::Newline => self.white_space(),
            Class::Space => match self.character(second) {
                Some((Class::Letter, third)) => self.letters(third),
                Some((Class::Other, third)) if self.text.as_bytes()[self.start] == b' ' => {
                    self.others(third)
                }
                _ => self.white_space(),
            },
            Class::Other => match (self.contraction(), self.character(second)) {
                (Some(end), _) => end,
                (None, Some((Class::Letter, third))) => self.letters(third),
                (None, _) => self.others(second),
            },
        };
        Some(end)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.start;
        self.start = self.end()?;
        Some(start..self.start)
    }
}
